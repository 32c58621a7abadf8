"""The duellist as ONNX: the same answers as the policy in Python, and in a browser without a server."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from agents.policy import load_policy
from fm_env.cli import app

EXAMPLE = Path(__file__).parents[2] / "examples" / "browser"


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("onnx", reason="onnx is not installed (extra onnx)")
    pytest.importorskip("onnxruntime", reason="onnxruntime is not installed (extra onnx)")
    folder = tmp_path_factory.mktemp("onnx")
    arguments = ["export", "policy:duel", "--onnx", str(folder / "duel.onnx")]
    result = CliRunner().invoke(app, [*arguments, "--positions", str(folder / "positions.json")])
    assert result.exit_code == 0, (result.output, result.exception)
    assert "on 1,000 positions" in result.output
    return folder


def test_onnx_says_what_the_policy_says(exported: Path) -> None:
    """Besides the check on 1,000 positions that the command makes itself: masks that allow one action."""
    import onnxruntime

    session = onnxruntime.InferenceSession(exported / "duel.onnx", providers=["CPUExecutionProvider"])
    policy = load_policy("duel")
    seen = np.random.default_rng(0).uniform(-1, 1, (50, policy.card.observation_size)).astype(np.float32)
    masks = np.zeros((50, policy.card.num_actions), np.bool_)
    masks[np.arange(50), np.arange(50)] = True
    masks[25:, 3:40] = True
    given = {"observation": seen, "action_mask": masks}
    logits, there = session.run(["logits", "probabilities"], given)
    assert np.abs(there - policy.probabilities(seen, masks)).max() < 1e-4
    assert np.abs(logits - policy.logits(seen, masks)).max() < 1e-3
    assert (there[~masks] == 0).all()
    assert json.loads(session.get_modelmeta().custom_metadata_map["card"])["name"] == "duel"


def test_only_policies_can_be_exported(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["export", "counter", "--onnx", str(tmp_path / "a.onnx")])
    assert "no learned policy" in str(result.exception)
    assert not list(tmp_path.iterdir())


def test_the_example_page_thinks_by_itself(exported: Path, browser: Any, static: Any) -> None:
    if not (EXAMPLE / "vendor" / "ort.wasm.min.js").exists():
        pytest.skip("onnxruntime-web is not there: `make browser-example` fetches it")
    shutil.copytree(EXAMPLE, exported, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.onnx", "p*.json"))
    page = browser.new_page()
    page.goto(f"{static(exported)}/index.html")
    for step in range(3):
        page.wait_for_selector(f"#check[data-at='{step}']", timeout=30_000)
        assert float(page.get_attribute("#check", "data-worst")) < 1e-4
        assert page.locator("#choices li").count() >= 2
        page.click("#on")
    page.close()

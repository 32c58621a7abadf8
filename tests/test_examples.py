"""The scripts and notebooks of `examples/` run, with small numbers."""

from __future__ import annotations

import os
import runpy
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "examples"

SMALLER = {
    "first_look": {"GAMES": 64},
    "exploitability": {"BOTS": ("plain", "counter"), "ITERATIONS": (1, 8, 32)},
}
"""Parameters of the notebooks' first code cell that the tests replace."""


def run(monkeypatch: pytest.MonkeyPatch, script: str, *arguments: str) -> None:
    monkeypatch.setattr(sys, "argv", [script, *arguments])
    monkeypatch.setattr(sys, "path", sys.path.copy())
    runpy.run_path(str(EXAMPLES / script), run_name="__main__")


def test_a_random_game_is_told_to_its_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run(monkeypatch, "play_random.py", "--scenario", "clash", "--seed", "4")
    lines = capsys.readouterr().out.splitlines()
    assert "declares" in "".join(lines) and lines[-1].startswith("returns: (")


def test_a_bot_is_judged_in_both_games(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run(monkeypatch, "evaluate_bot.py", "--games", "60")
    told = capsys.readouterr().out
    assert "truecolours in a duel" in told
    assert told.count("against random") == 3 and told.count("defending") == 4


def test_ppo_learns_from_scratch_and_its_policy_plays(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Thirty thousand choices are enough to play better than at random, by a clear interval."""
    pytest.importorskip("torch")
    arguments = {"total-steps": 32_768, "num-envs": 128, "judged-games": 400, "run-dir": tmp_path / "ppo"}
    run(
        monkeypatch,
        "ppo_cleanrl.py",
        *(word for name, value in arguments.items() for word in (f"--{name}", str(value))),
    )
    assert "beats" in capsys.readouterr().out.splitlines()[-1]
    assert (tmp_path / "ppo" / "policy.safetensors").exists()
    assert list((tmp_path / "ppo").glob("events.out.tfevents.*"))


@pytest.mark.parametrize("name", sorted(SMALLER))
def test_a_notebook_runs_and_draws(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]))
    notebook = nbformat.read(EXAMPLES / f"{name}.ipynb", as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert all(not cell.outputs for cell in code), "keep outputs out of the repository"
    given = code[0]
    assert given.metadata["tags"] == ["parameters"]
    given.source += "".join(f"\n{key} = {value!r}" for key, value in SMALLER[name].items())
    with warnings.catch_warnings():  # Jupyter's own
        warnings.simplefilter("ignore")
        nbclient.NotebookClient(
            notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
        ).execute()
    assert pictures(notebook) >= 2


def pictures(notebook: Any) -> int:
    """Plots that the cells show."""
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    return sum("image/png" in output.get("data", {}) for output in outputs)

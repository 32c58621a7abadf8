"""Curves of runs: what is drawn and committed is what the run logged."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console
from typer.testing import CliRunner

from fm_env.cli import app
from fm_env.errors import LoadError
from training.command import run_training
from training.config import check_config
from training.curves import POINTS, Curve, curves_command, load_run


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    table: dict[str, Any] = {
        "game": {"name": "kuhn", "scenario": "kuhn"},
        "run": {"name": "small", "decisions": 700},
        "network": {"hidden": [8]},
        "learner": {"games": 8, "steps": 8, "batch_size": 32},
        "opponents": {"weights": {"self": 0.5, "random": 0.5}},
    }
    path = tmp_path_factory.mktemp("curves") / "run"
    run_training(check_config(table), path, False, Console(file=io.StringIO()))
    return path


def test_curves_are_what_was_logged(folder: Path) -> None:
    run = load_run(folder)
    assert run.name == "small"
    assert run.config["run"]["decisions"] == 700
    entropy = run.curves["train/entropy"]
    assert len(entropy.values) == 11
    assert np.diff(entropy.decisions).tolist() == [64] * 10
    assert (entropy.values > 0).all()


def test_a_picture_and_a_summary_are_written(folder: Path, tmp_path: Path) -> None:
    out, report = tmp_path / "curves.png", tmp_path / "curves.json"
    told = Console(file=io.StringIO(), width=200)
    curves_command([folder, folder], out, report, told)
    assert out.read_bytes().startswith(b"\x89PNG")
    made = json.loads(report.read_text("utf-8"))
    assert made["schema"] == "fm-env-curves-1"
    assert [run["name"] for run in made["runs"]] == ["small", "small"]
    logged = load_run(folder).curves["win_rate/random"]
    written = made["runs"][0]["curves"]["win_rate/random"]
    assert written["decisions"] == logged.decisions.tolist()
    assert written["values"] == pytest.approx(logged.values.tolist(), rel=1e-4)
    assert "random" in told.file.getvalue()  # type: ignore[attr-defined]


def test_long_curves_are_thinned_to_means() -> None:
    thin = Curve(np.arange(1, 601), np.arange(600.0)).thinned()
    assert len(thin.values) == POINTS
    assert thin.values[0] == pytest.approx(4.5)
    assert thin.decisions[0] == 10
    assert thin.decisions[-1] == 600


def test_what_is_no_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match=r"config\.json: expected a file of a training run"):
        load_run(tmp_path)
    for part in ("config", "provenance"):
        (tmp_path / f"{part}.json").write_text('{"run": {"name": "x"}}')
    with pytest.raises(LoadError, match="no curves in"):
        load_run(tmp_path)


def test_the_command_refuses_it_too(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["curves", str(tmp_path / "nothing")])
    assert isinstance(done.exception, LoadError)  # which `main` ends in one line

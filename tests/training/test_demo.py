"""The demo's path from training to a verdict and an annotated game, on Kuhn poker."""

from __future__ import annotations

import io
from pathlib import Path

from rich.console import Console

from agents.policy import load_policy
from agents.registry import table as bots_of
from training.demo import demo, next_folder

CONFIG = """
[game]
name = "kuhn"
scenario = "kuhn"
[run]
name = "kuhn-demo"
decisions = 20_000
threads = 1
[network]
hidden = [16]
[learner]
games = 64
steps = 16
batch_size = 512
[opponents]
weights = { self = 0.5, random = 0.5 }
"""


def test_demo_trains_judges_and_shows(tmp_path: Path) -> None:
    (tmp_path / "kuhn.toml").write_text(CONFIG)
    text = io.StringIO()
    folder = tmp_path / "run"
    matchups = demo(
        games=200, run_dir=folder, config=str(tmp_path / "kuhn.toml"), console=Console(file=text, width=200)
    )
    assert [m.opponent for m in matchups] == list(bots_of("kuhn"))
    assert all(m.games == 200 for m in matchups)
    printed = text.getvalue()
    for words in ("win rate", "is dealt", "returns:", "kuhn-demo", "%", "tensorboard --logdir"):
        assert words in printed
    assert (folder / "evaluation.png").stat().st_size > 1000 and (folder / "evaluation.json").exists()
    assert load_policy(folder / "kuhn-demo").card.results["kuhn"]["random"]["games"] == 200


def test_a_second_demo_takes_another_folder(tmp_path: Path) -> None:
    assert next_folder(tmp_path / "a").name == "a"
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "x").touch()
    assert next_folder(tmp_path / "a").name == "a-2"

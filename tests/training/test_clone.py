"""Cloning: the clone plays like its teacher, repeatably, also after a kill, and says how well."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console

import fm_env
from agents.policy import load_policy
from agents.registry import make
from fm_env.errors import LoadError, SetupError
from training.clone import CloneSettings, Cloning, Learned
from training.clone_command import clone_command
from training.dataset import Dataset, load, record
from training.settings import checked

KUHN = fm_env.load("kuhn").game
SETTING = KUHN.scenario("kuhn")
CAREFUL = "tests.training.test_imitation:Careful"


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    """A careful player, who bets kings only, against random ones."""
    folder = tmp_path_factory.mktemp("games") / "d"
    agents = [make(spec, KUHN, SETTING) for spec in (CAREFUL, "random")]
    record(folder, KUHN, SETTING, agents, 1500, 1, games_per_shard=500)
    return load(folder)


def settings(**changes: Any) -> CloneSettings:
    table = {"name": "copy", "agents": [CAREFUL], "hidden": [32], "epochs": 8, "learning_rate": 0.02}
    return checked(CloneSettings, table | changes, "clone")


def test_a_clone_plays_like_its_teacher(games: Dataset, tmp_path: Path) -> None:
    cloning = Cloning(games, settings(), tmp_path / "run", "test")
    learned = cloning.run()
    assert learned.agreement > 0.98 and learned.cross_entropy < 0.3 < cloning.history[0].cross_entropy
    assert 0.1 < learned.explained < 1
    assert learned == min(cloning.history, key=lambda one: one.cross_entropy)
    policy = load_policy(cloning.policy_path, SETTING.spec)
    rows = games.read(keep=lambda shard: shard["agent"] == 0)
    chosen = policy.act_batch(rows["observation"], rows["mask"], np.random.default_rng(0), True)
    assert (chosen == rows["action"]).mean() > 0.98
    values = policy.values(rows["observation"])
    assert values is not None and np.corrcoef(values, rows["return"])[0, 1] > 0.3
    assert policy.card.training["method"] == "behaviour cloning"


def test_only_the_wanted_are_learned_from_and_some_games_are_held_out(games: Dataset, tmp_path: Path) -> None:
    rows = games.read()
    cloning = Cloning(games, settings(held_out=4), tmp_path / "a")
    own = rows["agent"] == 0
    aside = rows["game"] % 4 == 0
    assert len(cloning.lessons.actions) == (own & ~aside).sum()
    assert (cloning.held_out.actions == rows["action"][own & aside]).all()
    assert cloning.floor is None  # this teacher doesn't tell its chances
    both = Cloning(games, settings(agents=[]), tmp_path / "b")
    assert len(both.lessons.actions) + len(both.held_out.actions) == len(own)
    few = Cloning(games, settings(agents=[], rows=700), tmp_path / "c")
    taken = len(few.lessons.actions) + len(few.held_out.actions)
    last = rows["game"][699]
    assert taken == (rows["game"] <= last).sum()
    chance = Cloning(games, settings(agents=["random"]), tmp_path / "d")
    assert chance.floor == pytest.approx(np.log(2))


def test_a_killed_cloning_goes_on_and_ends_the_same(games: Dataset, tmp_path: Path) -> None:
    straight = Cloning(games, settings(epochs=4), tmp_path / "straight")
    straight.run()

    def kill(learned: Learned) -> None:
        if len(killed.history) == 2:
            raise KeyboardInterrupt

    killed = Cloning(games, settings(epochs=4), tmp_path / "killed")
    with pytest.raises(KeyboardInterrupt):
        killed.run(kill)
    resumed = Cloning(games, settings(epochs=4), tmp_path / "killed", resume=True)
    assert len(resumed.history) == 2
    resumed.run()
    assert resumed.history == straight.history
    for name in ("copy.safetensors", "clone.json", "config.json"):
        assert (tmp_path / "killed" / name).read_bytes() == (tmp_path / "straight" / name).read_bytes(), name
    done = Cloning(games, settings(epochs=4), tmp_path / "killed", resume=True)
    assert done.run() == straight.history[straight.best]


def test_what_can_t_work_is_said_beforehand(
    games: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(
        SetupError, match=r"agents: 'counter' doesn't play in .*; there: tests.*Careful, random"
    ):
        Cloning(games, settings(agents=["counter"]), tmp_path / "a")
    with pytest.raises(SetupError, match=r"epochs: Input should be greater than 0 \(given: 0\)"):
        settings(epochs=0)
    with pytest.raises(SetupError, match=r"no decision to learn from"):
        Cloning(games, settings(rows=1), tmp_path / "a")
    cloning = Cloning(games, settings(epochs=1), tmp_path / "b")
    cloning.run()
    with pytest.raises(SetupError, match="isn't empty"):
        Cloning(games, settings(), tmp_path / "b")
    with pytest.raises(SetupError, match="epochs was 1 in 'b', now 8"):
        Cloning(games, settings(), tmp_path / "b", resume=True)
    with pytest.raises(LoadError, match="no run in 'c'"):
        Cloning(games, settings(), tmp_path / "c", resume=True)
    monkeypatch.setattr("training.clone_lessons.available_memory", lambda: 100_000)
    with pytest.raises(SetupError, match=r"decisions take about .* of memory, .* e\.g\. rows = \d+"):
        Cloning(games, settings(), tmp_path / "d")


def test_the_command_judges_the_clone_and_writes_a_report(games: Dataset, tmp_path: Path) -> None:
    words = io.StringIO()
    policy = clone_command(
        games.folder,
        run_dir=tmp_path / "run",
        games=200,
        json=tmp_path / "report.json",
        console=Console(file=words, width=200),
        name="copy",
        agents=[CAREFUL],
        epochs=2,
        hidden=["16"],
        seed=3,
        device=None,
    )
    report = json.loads((tmp_path / "report.json").read_text())
    assert report["schema"] == "fm-env-clone-1" and report["versions"]["numpy"]
    assert report["clone"]["settings"]["hidden"] == [16] and len(report["clone"]["epochs"]) == 2
    (matchup,) = report["evaluation"]["matchups"]
    assert matchup["opponent"] == "careful" and matchup["games"] == 200
    assert "agreement" in words.getvalue() and str(policy) in words.getvalue()

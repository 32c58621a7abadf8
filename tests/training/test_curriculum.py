"""Curricula: which part is played when, what goes on between them, and what is refused."""

from __future__ import annotations

import io
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from agents.policy import load_policy
from fm_env.errors import SetupError
from fm_env.registry import find
from tests.kuhn import Kuhn
from tests.training.test_run import checkpoint_bytes
from training import ppo
from training.command import run_training
from training.config import check_config
from training.curriculum import Curriculum
from training.run import Run

PARTS = [{"until": 0.25, "options": {"first": 1}}, {"until": 0.5}, {"options": {"first": 1}}]


@pytest.fixture(autouse=True)
def few_rows_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games this few take seconds for the rows that inputs are standardised by."""
    monkeypatch.setattr(ppo, "MEASURED_ROWS", 500)


@pytest.fixture
def parts(table: dict[str, Any]) -> dict[str, Any]:
    """The small config, of eight updates, in which the other seat begins in the first and the last part."""
    return table | {"curriculum": PARTS}


def tale(*players: int, **learner: Any) -> dict[str, Any]:
    """Fairy Tale with so many players in each part, of two updates."""
    return {
        "game": {"name": "fairy_tale", "scenario": "basic"},
        "run": {"name": "tale", "decisions": len(players) * 128, "threads": 1, "device": "cpu"},
        "network": {"hidden": [8]},
        "learner": {"games": 16, "steps": 4, "batch_size": 64} | learner,
        "opponents": {"weights": {"self": 0.4, "past": 0.4, "greedy": 0.2}, "snapshot_updates": 1},
        "curriculum": [
            {"until": k / len(players), "options": {"num_players": n}} for k, n in enumerate(players, 1)
        ],
    }


def first_seats(run: Run) -> list[int]:
    """Who speaks first in the games that run."""
    return np.unique(run.env.batch.states["first"]).tolist()


def test_each_part_is_played_for_its_share(tmp_path: Path, parts: dict[str, Any]) -> None:
    run = Run(check_config(parts), tmp_path / "run")
    shown = [(run.update(), first_seats(run)) for _ in range(8)]
    assert [seats for _, seats in shown] == [[1]] * 2 + [[0]] * 2 + [[1]] * 4
    assert [metrics.values["curriculum/part"] for metrics, _ in shown] == [1, 1, 2, 2, 3, 3, 3, 3]
    assert [metrics.news for metrics, _ in shown if metrics.news] == [
        ("update 3 begins part 2 of 3: game.options as they are",),
        ("update 5 begins part 3 of 3: first = 1",),
    ]


@pytest.mark.parametrize("game", ["kuhn", "tale"])
def test_a_run_resumed_in_any_part_is_the_uninterrupted_one(
    tmp_path: Path, parts: dict[str, Any], game: str
) -> None:
    """From each of its checkpoints; an exploiter joins in the second part and in the third."""
    parts = parts if game == "kuhn" else tale(2, 3, 4, 3)
    parts["run"]["keep_checkpoints"] = 100
    parts["opponents"]["weights"]["exploiter"] = 0.2
    parts["league"] = {
        "exploiter_updates": 3,
        "exploiter_decisions": 256,
        "promotion_games": 20,
        "promotion_score": 0.0,
    }
    straight = Run(check_config(parts), tmp_path / "straight")
    for k in range(1, 9):
        straight.update()
        straight.save()
        shutil.copytree(tmp_path / "straight", tmp_path / f"killed-{k}")
    for k in range(1, 8):
        resumed = Run(check_config(parts), tmp_path / f"killed-{k}", resume=True)
        assert resumed.updates == k
        resumed.update()
        resumed.save()
        expected = checkpoint_bytes(tmp_path / "straight", k + 1)
        got = checkpoint_bytes(tmp_path / f"killed-{k}", k + 1)
        assert [name for name in expected if got[name] != expected[name]] == []
    joined = [member.group for member in straight.env.pool.members]
    assert joined.count("exploiter") == 2


def test_tables_grow_and_old_opponents_come_along(tmp_path: Path) -> None:
    run = Run(check_config(tale(2, 3, 4)), tmp_path / "run")
    for players in (2, 3, 4):
        assert [run.update().values["train/illegal_actions"] for _ in range(2)] == [0, 0]
        assert run.env.spec.num_seats == run.env.members.shape[1] == players
        assert set(run.env.learner_seats().tolist()) == set(range(players))
    past = run.env.pool.in_play("past")
    keys = [run.env.pool.members[k].key for k in past]
    assert len(set(keys)) == 6 and np.isin(run.env.members, past[:2]).any()
    assert [member.group for member in run.env.pool.members[:2]] == ["self", "greedy"]
    card = load_policy(run.save()).card
    assert card.options["num_players"] == 4
    assert [part["options"] for part in card.training["config"]["curriculum"]] == [
        {"num_players": n} for n in (2, 3, 4)
    ]


def test_the_last_parts_lens_is_everywheres(tmp_path: Path) -> None:
    clash: dict[str, Any] = {
        "game": {"scenario": "clash"},
        "run": {"name": "clash", "decisions": 4 * 64, "threads": 1, "device": "cpu"},
        "network": {"hidden": [8], "lens": True},
        "learner": {"games": 16, "steps": 4, "batch_size": 64},
        "opponents": {"weights": {"self": 0.5, "counter": 0.5}},
        "curriculum": [{"until": 0.5, "options": {"a": 1, "d": 1}}, {"options": {"a": 2, "d": 2}}],
    }
    run = Run(check_config(clash), tmp_path / "run")
    alone = clash | {"curriculum": [], "game": {"scenario": "clash", "options": {"a": 2, "d": 2}}}
    last = Run(check_config(alone), tmp_path / "last").env.lens
    for _ in range(4):
        assert run.update().values["train/illegal_actions"] == 0
        assert (run.env.lens.entries == last.entries).all() and (run.env.lens.actions == last.actions).all()
    small, large = (part["options"] for part in clash["curriculum"])
    clash["curriculum"] = [{"until": 0.5, "options": large}, {"options": small}]
    with pytest.raises(SetupError, match=r"curriculum\.0\.options = .*'a': 2.*'a': 1.*network\.lens = false"):
        Run(check_config(clash), tmp_path / "shrinking")


def test_more_time_does_not_lead_back(tmp_path: Path, parts: dict[str, Any]) -> None:
    run = Run(check_config(parts), tmp_path / "run")
    for _ in range(5):
        run.update()
    run.save()
    parts["run"]["decisions"] *= 10
    resumed = Run(check_config(parts), tmp_path / "run", resume=True)
    assert resumed.update().values["curriculum/part"] == 3


def test_whoever_watches_is_told(tmp_path: Path, parts: dict[str, Any]) -> None:
    said = io.StringIO()
    run_training(check_config(parts), tmp_path / "run", False, Console(file=said, width=200))
    assert "update 5 begins part 3 of 3: first = 1" in said.getvalue().splitlines()


@pytest.mark.parametrize("ends", [[0.5, 0.3, 1.0], [0.5, 0.5, 1.0], [0.3, 0.6], [1.0, 1.0]])
def test_parts_come_one_after_the_other(table: dict[str, Any], ends: list[float]) -> None:
    table["curriculum"] = [{"until": end} for end in ends]
    with pytest.raises(SetupError, match=r"curriculum: until must rise and be 1\.0.*given: \["):
        check_config(table)


def test_a_bad_entry_is_named(table: dict[str, Any]) -> None:
    table["curriculum"] = [{"until": 1.5}]
    with pytest.raises(SetupError, match=r"curriculum\.0\.until"):
        check_config(table)
    table["curriculum"] = [{"until": 0.5, "options": {"first": 1}}, {"options": {"first": 7}}]
    with pytest.raises(SetupError, match=r"curriculum\.1\.options = \{'first': 7\}: first: expected 0 or 1"):
        Curriculum(check_config(table), find("kuhn"))


def test_parts_of_another_layout_are_refused(table: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    real = Kuhn.scenario

    def scenario(self: Kuhn, scenario: str, **options: Any) -> Any:
        made = real(self, scenario, **options)
        wider = replace(made.spec, observation_size=11) if options.get("first") else made.spec
        return replace(made, spec=wider)

    monkeypatch.setattr(Kuhn, "scenario", scenario)
    table["curriculum"] = [{"until": 0.5, "options": {"first": 1}}, {"options": {"first": 0}}]
    message = r"curriculum\.0\.options = \{'first': 1\}: observation_size is 11, but 10 in .*\{'first': 0\}"
    with pytest.raises(SetupError, match=message):
        Curriculum(check_config(table), find("kuhn"))


def test_a_critic_that_sees_all_seats_needs_as_many(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match=r"num_seats is 2, but 3 in the last part .*learner\.informed"):
        Run(check_config(tale(2, 3, informed=True)), tmp_path / "run")


def test_resuming_needs_the_same_curriculum(tmp_path: Path, parts: dict[str, Any]) -> None:
    run = Run(check_config(parts), tmp_path / "run")
    run.update()
    run.save()
    parts["curriculum"] = PARTS[:1] + PARTS[2:]
    with pytest.raises(SetupError, match=r"cannot resume: curriculum was \[.*now \["):
        Run(check_config(parts), tmp_path / "run", resume=True)

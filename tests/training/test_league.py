"""Exploiters: when they join, what they change, and that all else stays as it is without them."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from agents.policy import load_policy
from fm_env.errors import SetupError
from training import ppo
from training.command import run_training
from training.config import check_config
from training.run import Run


@pytest.fixture(autouse=True)
def few_rows_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games this few take seconds for the rows that inputs are standardised by."""
    monkeypatch.setattr(ppo, "MEASURED_ROWS", 500)


@pytest.fixture
def league(table: dict[str, Any]) -> dict[str, Any]:
    """The small config with an exploiter every second update, who always joins."""
    table["opponents"]["weights"]["exploiter"] = 0.2
    table["league"] = {
        "exploiter_updates": 2,
        "exploiter_decisions": 512,
        "promotion_games": 50,
        "promotion_score": 0.0,
        "exploiter_members": 2,
    }
    return table


def exploiters(run: Run) -> list[str]:
    return [member.key for member in run.env.pool.members if member.group == "exploiter"]


def weights(run: Run) -> list[np.ndarray]:
    return [tensor.numpy() for tensor in run.model.policy.state_dict().values()]


def test_exploiters_join_and_leave(tmp_path: Path, league: dict[str, Any]) -> None:
    run = Run(check_config(league), tmp_path / "run")
    shown = [run.update() for _ in range(8)]
    for k, metrics in enumerate(shown, 1):
        tries = k % 2 == 0
        assert ("league/exploiter_score" in metrics.values) == tries == bool(metrics.news)
        if tries:
            assert metrics.values["league/members"] == min(k // 2, 2)
            assert metrics.news[0].startswith(f"exploiter of update {k}: score ")
            assert "joined" in metrics.news[0]
    assert len(set(exploiters(run))) == 4 and len(run.env.pool.in_play("exploiter")) == 2
    for key in exploiters(run):
        assert load_policy(tmp_path / "run" / "league" / key).fingerprint() == key
    assert shown[-1].tallies["exploiter"].games > 0
    assert 0 < shown[-1].values["time/league"] < 1


def test_who_wins_too_little_does_not_join(tmp_path: Path, league: dict[str, Any]) -> None:
    """And leaves no trace: the run goes on as one without a league."""
    league["league"]["promotion_score"] = 1.0
    tried = Run(check_config(league), tmp_path / "tried")
    del league["league"], league["opponents"]["weights"]["exploiter"]
    plain = Run(check_config(league), tmp_path / "plain")
    shown = [(tried.update(), plain.update()) for _ in range(4)]
    assert "didn't join (0 in play)" in shown[-1][0].news[0]
    assert exploiters(tried) == []
    assert all((a == b).all() for a, b in zip(weights(tried), weights(plain), strict=True))
    saved = tried.env.saved(), plain.env.saved()
    assert all((saved[0][0][name] == saved[1][0][name]).all() for name in saved[0][0])
    assert saved[0][1] == saved[1][1]


def test_promotion_games_count_nowhere_else(tmp_path: Path, league: dict[str, Any]) -> None:
    run = Run(check_config(league), tmp_path / "run")
    counted = 0
    for _ in range(5):
        counted += sum(tally.games for tally in run.update().tallies.values())
    assert counted == run.env.game_counts.sum()


@pytest.mark.parametrize("from_scratch", [False, True])
def test_an_exploiter_learns_to_beat_the_policy_of_the_moment(
    tmp_path: Path, league: dict[str, Any], from_scratch: bool
) -> None:
    """Against a beginner at Kuhn poker betting wins almost three games of four."""
    league["league"] |= {
        "exploiter_updates": 1,
        "exploiter_decisions": 20_000,
        "exploiter_games": 16,
        "promotion_games": 1000,
        "promotion_score": 0.6,
        "from_scratch": from_scratch,
    }
    run, again = (Run(check_config(league), tmp_path / name) for name in ("run", "again"))
    metrics = run.update()
    again.update()
    assert metrics.values["league/exploiter_score"] > 0.6
    assert len(exploiters(run)) == 1
    assert exploiters(again) == exploiters(run)
    assert run._league.challenge(run.model, 2).score != run._league.challenge(run.model, 3).score


def test_all_other_seats_are_the_policys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three players: an exploiter against two of the same frozen policy."""
    from training import league

    met: list[set[str]] = []
    real = league.make_model

    def watched(config: Any, env: Any) -> Any:
        met.append({member.group for member in env.pool.members})
        assert env.spec.num_seats == 3 and env.num_envs == 8
        return real(config, env)

    monkeypatch.setattr(league, "make_model", watched)
    table = {
        "game": {"name": "fairy_tale", "scenario": "basic", "options": {"num_players": 3}},
        "run": {"name": "tale", "decisions": 10**6, "threads": 1, "device": "cpu"},
        "network": {"hidden": [8]},
        "learner": {"games": 16, "steps": 4, "batch_size": 64},
        "opponents": {"weights": {"self": 0.5, "exploiter": 0.5}},
        "league": {
            "exploiter_updates": 1,
            "exploiter_decisions": 64,
            "exploiter_games": 8,
            "promotion_games": 30,
            "promotion_score": 0.0,
        },
    }
    run = Run(check_config(table), tmp_path / "run")
    metrics = run.update()
    assert 0.2 < metrics.values["league/exploiter_score"] < 0.8
    assert met == [{"self"}] and len(exploiters(run)) == 1


@pytest.mark.parametrize("network", [{"lens": True}, {"adviser": "counter"}, {"informed": True}])
def test_an_exploiter_learns_as_the_policy_does(tmp_path: Path, network: dict[str, Any]) -> None:
    """Through the same lens, with the same adviser, with a critic that is told as much."""
    informed = bool(network.pop("informed", False))
    table = {
        "game": {"scenario": "clash", "options": {"a": 2, "d": 2}},
        "run": {"name": "tiny", "decisions": 10**6, "threads": 1, "device": "cpu"},
        "network": {"hidden": [8]} | network,
        "learner": {"games": 16, "steps": 4, "batch_size": 64, "informed": informed},
        "opponents": {"weights": {"self": 0.5, "exploiter": 0.5}},
        "league": {
            "exploiter_updates": 1,
            "exploiter_decisions": 64,
            "promotion_games": 20,
            "promotion_score": 0.0,
        },
    }
    run = Run(check_config(table), tmp_path / "run")
    run.update()
    run.save()
    resumed = Run(check_config(table), tmp_path / "run", resume=True)
    for one in (run, resumed):
        one.update()
    assert exploiters(run) == exploiters(resumed) and len(exploiters(run)) == 2


def test_whoever_watches_is_told(tmp_path: Path, league: dict[str, Any]) -> None:
    said = io.StringIO()
    run_training(check_config(league), tmp_path / "run", False, Console(file=said, width=200))
    lines = [line for line in said.getvalue().splitlines() if line.startswith("exploiter of update")]
    assert len(lines) == 4 and all("joined" in line for line in lines)
    assert "league " in said.getvalue().splitlines()[-3]  # its share of the time
    curves = EventAccumulator(str(tmp_path / "run" / "tensorboard")).Reload()
    assert [event.step for event in curves.Scalars("league/exploiter_score")] == [512, 1024, 1536, 2048]
    assert [event.value for event in curves.Scalars("league/members")] == [1, 2, 2, 2]
    assert curves.Scalars("win_rate/exploiter")


def test_a_weight_needs_a_league_and_a_league_a_weight(league: dict[str, Any]) -> None:
    settings = league.pop("league")
    with pytest.raises(SetupError, match=r"opponents\.weights\.exploiter needs a section \[league\]"):
        check_config(league)
    league["league"] = settings
    league["opponents"]["weights"]["exploiter"] = 0.0
    with pytest.raises(SetupError, match=r"league needs opponents\.weights\.exploiter above 0.*given: 0\.0"):
        check_config(league)
    league["opponents"]["weights"] = {"past": 0.5, "exploiter": 0.5}
    with pytest.raises(SetupError, match="'past' and 'exploiter' alone"):
        check_config(league)


@pytest.mark.parametrize(
    ("field", "value"), [("promotion_score", 1.5), ("exploiter_games", 1), ("exploiter_members", 0)]
)
def test_a_bad_entry_is_named(league: dict[str, Any], field: str, value: object) -> None:
    league["league"][field] = value
    with pytest.raises(SetupError, match=rf"league\.{field}.*given: {value}"):
        check_config(league)

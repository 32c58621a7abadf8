"""Estimates taught to a finished policy: they know something, and its play stays as it was."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

import fm_env
from agents.api import Agent
from agents.policy import MODELS, load_policy, save_policy
from fm_env.errors import SetupError
from training.value import judge, main, positions, teach


def test_positions_come_from_games_that_ended_with_both_seats_and_all_ends() -> None:
    data = positions(load_policy("duel"), 4000, seed=3)
    assert len(data.observations) == len(data.scores) >= 4000
    assert {0.0, 1.0} <= set(data.scores.tolist()) <= {0.0, 0.5, 1.0}
    again = positions(load_policy("duel"), 4000, seed=3)
    np.testing.assert_array_equal(data.observations, again.observations)


def test_a_taught_policy_knows_how_it_stands_and_plays_as_before(tmp_path: Path) -> None:
    before = load_policy("duel")
    taught, found = teach(before, rows=12_000, held_out=6_000, epochs=3)
    assert found.skill > 0.05
    saved = load_policy(save_policy(tmp_path / "p", taught.weights(), taught.card))
    shown = positions(before, 500, seed=4).observations
    masks = np.ones((len(shown), before.card.num_actions), np.bool_)
    np.testing.assert_array_equal(saved.logits(shown, masks), before.logits(shown, masks))
    assert saved.fingerprint() == before.fingerprint()
    estimates = saved.win_estimate(shown, masks)
    assert estimates is not None and estimates.std() > 0.02


def test_what_always_says_the_mean_is_no_better_than_the_mean() -> None:
    data = positions(load_policy("duel"), 2000, seed=5)
    mean = float(data.scores.mean())

    class Flat(Agent):
        def win_estimate(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
            return np.full(len(observations), mean)

    found = judge(Flat(), data)
    assert found.brier == pytest.approx(found.brier_base) and found.skill == pytest.approx(0)
    assert found.error == pytest.approx(0) and found.blocks == len(np.unique(data.games))


def test_points_are_refused(tmp_path: Path) -> None:
    for ending in (".json", ".safetensors"):
        shutil.copy(MODELS / f"clash{ending}", tmp_path)
    with pytest.raises(SetupError, match="placements"):
        main([str(tmp_path / "clash")], rows=10, held_out=10, epochs=1, json_file=None)
    assert load_policy(tmp_path / "clash").card.value_network is None


def test_shipped_policies_of_placement_games_say_how_they_stand() -> None:
    for name in ("duel", "joust", "miniatures"):
        policy = load_policy(name)
        spec = fm_env.load(policy.card.game).spec(policy.card.scenario)
        assert policy.card.value_network is not None, name
        assert (spec.min_return, spec.max_return) == (-1.0, 1.0)

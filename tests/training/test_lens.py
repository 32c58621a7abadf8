"""Learning through a lens: the policy that comes out is the one that learned."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch as th

import fm_env
from agents.policy import load_policy
from fm_env.batch import Batch
from training.config import check_config
from training.imitation import lessons
from training.lens import NEVER, Lens
from training.ppo import _masked_softmax
from training.run import Run
from training.sb3 import SelfPlayVecEnv

CLASH = fm_env.load("fairy_meat").scenario("clash", a=2, d=2)


@pytest.fixture(scope="module")
def lens() -> Lens:
    return Lens.of_random_play(fm_env.load("fairy_meat").game, CLASH, 20_000)


def positions(games: int = 500) -> Batch:
    batch = Batch(fm_env.load("fairy_meat").game, CLASH, games, seed=5)
    batch.reset()
    batch.advance()
    return batch


def test_a_clash_is_small_and_nothing_that_matters_is_lost(lens: Lens) -> None:
    assert len(lens.entries) < 0.4 * CLASH.spec.observation_size
    assert len(lens.actions) < 0.3 * CLASH.spec.num_actions
    batch = positions()
    np.testing.assert_array_equal(lens.unsee(lens.see(batch.obs)), batch.obs)
    np.testing.assert_array_equal(lens.disallow(lens.allow(batch.mask)), batch.mask)


def test_the_whole_lens_copies_nothing() -> None:
    whole = Lens.whole(CLASH.spec)
    batch = positions(2)
    assert whole.is_whole
    assert whole.see(batch.obs) is batch.obs and whole.allow(batch.mask) is batch.mask
    weights = {"layer.0.weight": np.ones((1, 1), np.float32)}
    assert whole.widen(weights) is weights


def test_an_action_out_of_sight_is_taken_only_where_nothing_else_is_legal(lens: Lens) -> None:
    layers = {
        "layer.0.weight": np.zeros((4, len(lens.entries)), np.float32),
        "layer.0.bias": np.zeros(4, np.float32),
        "layer.1.weight": np.zeros((len(lens.actions), 4), np.float32),
        "layer.1.bias": np.zeros(len(lens.actions), np.float32),
    }
    bias = lens.widen(layers)["layer.1.bias"]
    assert (bias[lens.actions] == 0).all()
    assert (np.delete(bias, lens.actions) == NEVER).all()


def test_the_policy_on_disk_plays_as_the_learner_does(tmp_path: Path) -> None:
    config = check_config(
        {
            "game": {"scenario": "clash", "options": {"a": 2, "d": 2}},
            "run": {"name": "small", "decisions": 4096, "threads": 1},
            "network": {"lens": True, "hidden": [16]},
            "learner": {"games": 64, "steps": 16, "batch_size": 512},
            "opponents": {"weights": {"self": 0.5, "past": 0.5}, "snapshot_updates": 1},
            "imitation": {"teacher": "median", "rows": 2000, "epochs": 1},
        }
    )
    run = Run(config, tmp_path / "run")
    while run.progress < 1:
        values = run.update().values
    assert 0 <= values["behaviour/lays"] <= 1 and run.model.illegal_actions == 0
    policy, seen = load_policy(run.save()), run.env.lens
    batch = positions()
    asked = batch.asked
    logits, _ = run.model.evaluate(
        th.from_numpy(seen.see(batch.obs[asked])), th.from_numpy(seen.allow(batch.mask[asked]))
    )
    mine = _masked_softmax(logits, th.from_numpy(seen.allow(batch.mask[asked])))[0].detach().numpy()
    theirs = policy.probabilities(batch.obs[asked], batch.mask[asked])
    np.testing.assert_allclose(theirs[:, seen.actions], mine, atol=1e-5)
    again = Run(config, tmp_path / "run", resume=True)
    assert again.model.num_timesteps == run.model.num_timesteps


def test_lessons_are_seen_through_it() -> None:
    env = SelfPlayVecEnv("fairy_meat", CLASH, 16, opponents={"random": 1.0}, seed=1, lens=True)
    from agents.registry import make

    data = lessons(env, make("median", "fairy_meat", CLASH), 500, seed=1)
    assert data.observations.shape[1] == len(env.lens.entries)
    assert data.masks[np.arange(len(data.actions)), data.actions].all()

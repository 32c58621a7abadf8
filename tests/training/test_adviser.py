"""Policies that a bot advises: where they start, how they learn, what their files say."""

from pathlib import Path

import numpy as np
import pytest

from agents.adviser import Adviser
from agents.api import Agent
from agents.policy import load_policy, save_policy
from agents.registry import make
from fm_env import registry
from fm_env.batch import Batch
from fm_env.errors import LoadError
from training.config import TrainingConfig
from training.run import Run

GAME = registry.find("fairy_meat")
SCENARIO = GAME.scenario("duel")


def config(**network: object) -> TrainingConfig:
    return TrainingConfig.model_validate(
        {
            "game": {"scenario": "duel"},
            "run": {"name": "advised", "decisions": 20_000, "device": "cpu", "threads": 1},
            "network": {"hidden": [16], "adviser": "counter", "advice": 6.0} | network,
            "learner": {"games": 64, "steps": 8, "batch_size": 256},
            "opponents": {"weights": {"self": 0.5, "past": 0.5}, "snapshot_updates": 1},
        }
    )


def positions(agent: Agent, steps: int = 40) -> tuple[np.ndarray, np.ndarray]:
    batch, rng = Batch(GAME, SCENARIO, 32, seed=1), np.random.default_rng(0)
    batch.reset()
    batch.advance()
    seen, masks = [], []
    for _ in range(steps):
        asked = np.flatnonzero(batch.asked)
        seen.append(batch.obs[asked].copy())
        masks.append(batch.mask[asked].copy())
        actions = np.zeros(32, np.int64)
        actions[asked] = agent.act_batch(batch.obs[asked], batch.mask[asked], rng)
        batch.step(actions)
        over = np.flatnonzero(batch.over)
        if len(over):
            batch.reset(over)
            batch.advance(over)
    return np.concatenate(seen), np.concatenate(masks)


def test_advice_is_what_the_bot_does_wherever_luck_has_no_say() -> None:
    bot, adviser = make("counter", GAME, SCENARIO), Adviser("counter", 4.0, GAME, SCENARIO)
    seen, masks = positions(bot)
    advice = adviser.advice(seen, masks)
    assert (advice.sum(1) == 1).all() and masks[advice > 0].all()
    certain = bot.probabilities(seen, masks).max(1) == 1
    assert certain.mean() > 0.5
    np.testing.assert_array_equal(bot.probabilities(seen, masks)[certain], advice[certain])
    np.testing.assert_array_equal(advice[::-1], adviser.advice(seen[::-1], masks[::-1]))  # a function of it


@pytest.mark.parametrize("agent", ["random", "equilibrium", "policy:duel"])
def test_only_a_compiled_bot_can_advise(agent: str) -> None:
    with pytest.raises(LoadError, match="expected a compiled bot"):
        Adviser(agent, 4.0, GAME, SCENARIO)


@pytest.mark.parametrize("lens", [False, True])
def test_a_learner_starts_at_its_adviser_and_its_file_plays_as_it_does(tmp_path: Path, lens: bool) -> None:
    run = Run(config(lens=lens), tmp_path / "run")
    seen, masks = positions(make("counter", GAME, SCENARIO))
    advice = Adviser("counter", 6.0, GAME, SCENARIO).advice(seen, masks)
    path = run.save()
    chances = load_policy(path, SCENARIO.spec).probabilities(seen, masks)
    assert chances[advice > 0].mean() > 0.97
    for _ in range(3):
        values = run.update().values
    assert values["train/illegal_actions"] == 0
    assert run.env.pool.in_play("past")  # frozen copies joined and played
    policy = load_policy(run.save(), SCENARIO.spec)
    assert policy.card.adviser is not None and policy.card.adviser.agent == "counter"
    mine = run.model.policy
    import torch as th

    shown = th.as_tensor(run.env.look(seen, masks))
    logits = run.model.evaluate(shown, th.as_tensor(run.env.lens.allow(masks)))[0].detach()
    expected = np.zeros(masks.shape, np.float32)
    expected[:, run.env.lens.actions] = logits.softmax(1).numpy()
    np.testing.assert_allclose(policy.probabilities(seen, masks), expected, atol=1e-5)
    assert mine.action_net.linear.weight.abs().sum() > 0
    values_there = policy.values(seen)
    assert values_there is not None
    np.testing.assert_allclose(
        values_there, run.model.evaluate(shown, th.as_tensor(masks[:, run.env.lens.actions]))[1].detach(),
        atol=1e-4,
    )  # fmt: skip


def test_onnx_takes_the_advice_as_an_input(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    from agents.onnx_export import largest_difference, policy_to_onnx

    policy = load_policy(Run(config(), tmp_path / "run").save())
    seen, masks = positions(make("bluffer", GAME, SCENARIO))
    assert largest_difference(policy_to_onnx(policy), policy, seen, masks) < 1e-4


def test_a_changed_adviser_is_another_player_and_said(tmp_path: Path) -> None:
    policy = load_policy(Run(config(), tmp_path / "run").save())
    assert policy.card.adviser is not None
    other = policy.card.adviser.model_copy(update={"fingerprint": "0" * 16})
    card = policy.card.model_copy(update={"adviser": other})
    path = save_policy(tmp_path / "p", policy.weights(), card)
    with pytest.warns(UserWarning, match="has changed since"):
        load_policy(path)
    median = policy.card.adviser.model_copy(update={"agent": "median", "fingerprint": ""})
    changed = load_policy(
        save_policy(tmp_path / "q", policy.weights(), policy.card.model_copy(update={"adviser": median}))
    )
    assert changed.fingerprint() != policy.fingerprint()


def test_an_informed_learner_has_no_adviser() -> None:
    with pytest.raises(ValueError, match="can't be had together"):
        TrainingConfig.model_validate(config().model_dump() | {"learner": {"informed": True}})

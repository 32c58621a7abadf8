"""The learner: it reaches Kuhn poker's equilibrium region, and its fast paths equal SB3's own."""

from __future__ import annotations

import numpy as np
import pytest
import torch as th
from sb3_contrib.common.maskable.distributions import MaskableCategorical

from tests.kuhn import GAME
from tests.training.exploit import nash_conv, uniform
from training.export import actor_weights, frozen, make_card
from training.ppo import MagnetMaskablePPO, _logits_and_values, _masked_softmax
from training.sb3 import SelfPlayVecEnv

SCENARIO = GAME.scenario("kuhn")


def make_model(**kwargs: object) -> MagnetMaskablePPO:
    env = SelfPlayVecEnv("kuhn", num_envs=256, opponents={"self": 1.0}, seed=1)
    settings = {"n_steps": 16, "batch_size": 2048, "n_epochs": 2, "gamma": 1.0, "seed": 1, "device": "cpu"}
    network = {"net_arch": [32, 32]}
    return MagnetMaskablePPO("MlpPolicy", env, policy_kwargs=network, **(settings | kwargs))  # type: ignore[arg-type]


def test_uniform_play_has_the_published_exploitability() -> None:
    assert nash_conv(GAME, SCENARIO, uniform) == pytest.approx(11 / 12)


def test_self_play_with_a_magnet_approaches_the_equilibrium() -> None:
    model = make_model(learning_rate=3e-3, ent_coef=0.005, magnet_coef=0.3, magnet_rate=0.03)
    model.learn(500_000)
    reached = nash_conv(GAME, SCENARIO, frozen(model.policy, SCENARIO, "kuhn").probabilities)
    assert reached < 0.3, f"NashConv {reached:.3f}, uniform play has 0.917"
    assert model.illegal_actions == 0


def test_exported_policy_equals_torch() -> None:
    model = make_model()
    model.learn(5_000)
    observations = np.random.default_rng(0).uniform(-1, 1, (1000, 10)).astype(np.float32)
    masks = np.ones((1000, 2), np.bool_)
    masks[::3, 0] = False
    distribution = model.policy.get_distribution(th.from_numpy(observations), masks)
    expected = distribution.distribution.probs.detach().numpy()
    policy = frozen(model.policy, SCENARIO, "kuhn")
    np.testing.assert_allclose(policy.probabilities(observations, masks), expected, atol=1e-5)


def test_masked_log_probabilities_equal_sb3s() -> None:
    generator = th.Generator().manual_seed(0)
    logits = th.randn(500, 40, generator=generator) * 5
    masks = th.rand(500, 40, generator=generator) < 0.2
    masks[:, 7] = True
    probs, ours = _masked_softmax(logits, masks)
    theirs = MaskableCategorical(logits=logits, masks=masks.numpy(), validate_args=True)
    th.testing.assert_close(ours[masks], theirs.logits[masks])
    th.testing.assert_close(-(probs * ours).sum(1), theirs.entropy(), atol=1e-5, rtol=1e-5)
    assert (probs[~masks] == 0).all() and (probs.log()[masks] - ours[masks]).abs().max() < 1e-4


def test_values_equal_sb3s() -> None:
    model = make_model()
    observations = th.rand(50, 10)
    with th.no_grad():
        logits, values = _logits_and_values(model.policy, observations)
        th.testing.assert_close(values, model.policy.predict_values(observations)[:, 0])
        actions = th.zeros(50, dtype=th.long)
        log_prob = model.policy.evaluate_actions(observations, actions)[1]
    th.testing.assert_close(logits.log_softmax(1)[:, 0], log_prob)


def test_the_magnet_follows_slowly() -> None:
    model = make_model(magnet_rate=0.25, learning_rate=1e-2)
    before = [p.clone() for p in model.magnet.parameters()]
    model.begin()
    model.update()
    for slow, old, fast in zip(model.magnet.parameters(), before, model.policy.parameters(), strict=True):
        th.testing.assert_close(slow.detach(), (old + 0.25 * (fast - old)).detach())
    model.update()
    assert model.update()["train/magnet_kl"] > 0


def test_no_magnet_pull_at_first() -> None:
    model = make_model(learning_rate=1e-12)
    model.begin()
    assert model.update()["train/magnet_kl"] == pytest.approx(0.0, abs=1e-6)


def test_equal_seeds_learn_equal_weights() -> None:
    weights = []
    for seed in (3, 3, 4):
        model = make_model(seed=seed)
        model.learn(10_000)
        weights.append(actor_weights(model.policy)["layer.1.weight"])
    assert (weights[0] == weights[1]).all() and (weights[0] != weights[2]).any()


def test_target_kl_stops_an_update() -> None:
    model = make_model(target_kl=1e-9, learning_rate=0.1, n_epochs=10)
    model.begin()
    model.update()
    assert model._n_updates == 1


def test_value_clipping_is_refused() -> None:
    with pytest.raises(ValueError, match="clip_range_vf"):
        make_model(clip_range_vf=0.2)


def test_cards_name_what_they_play() -> None:
    card = make_card(make_model().policy, SCENARIO, "kuhn")
    assert (card.game, card.network.sizes, card.network.activation) == ("kuhn", (10, 32, 32, 2), "tanh")
    assert {"python", "torch", "numpy"} <= set(card.versions)

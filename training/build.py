"""What a config makes: the games, the learner on them, and frozen copies of it."""

from __future__ import annotations

from typing import Any

from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from agents.adviser import AdviserCard
from agents.policy import NetworkPolicy
from fm_env.contract import Game, Scenario
from training.advised import AdvisedPolicy, AdvisedVecEnv
from training.config import TrainingConfig
from training.export import ACTIVATIONS, frozen
from training.informed import InformedPolicy, InformedVecEnv
from training.lens import Lens
from training.ppo import MagnetMaskablePPO
from training.sb3 import SelfPlayVecEnv


def make_env(
    config: TrainingConfig, game: Game, scenario: Scenario, lens: Lens | None = None
) -> SelfPlayVecEnv:
    """The games.

    Args:
        config: the run's.
        game: the game.
        scenario: what is played.
        lens: what the learner looks through; None: as the config says.

    Raises:
        SetupError, UnknownNameError, LoadError: as `SelfPlayVecEnv` and `Adviser`.
    """
    network, common = config.network, {
        "opponents": config.opponents.weights,
        "seed": config.run.seed,
        "lens": config.network.lens if lens is None else lens,
    }  # fmt: skip
    games = config.learner.games
    if network.adviser is not None:
        return AdvisedVecEnv(game, scenario, games, adviser=network.adviser, weight=network.advice, **common)
    kind = InformedVecEnv if config.learner.informed else SelfPlayVecEnv
    return kind(game, scenario, games, **common)


def make_model(config: TrainingConfig, env: SelfPlayVecEnv) -> MagnetMaskablePPO:
    """A learner that knows nothing yet, on the games of `make_env`."""
    learner, network = config.learner, config.network
    value_hidden = network.hidden if network.value_hidden is None else network.value_hidden

    def learning_rate(remaining: float) -> float:
        kept = learner.final_learning_rate
        return learner.learning_rate * (kept + (1.0 - kept) * remaining)

    policy: str | type[MaskableActorCriticPolicy] = "MlpPolicy"
    given: dict[str, Any] = {}
    if learner.informed:
        policy, given = InformedPolicy, {"own": len(env.lens.entries)}
    elif network.adviser is not None:
        policy, given = AdvisedPolicy, {
            "own": len(env.lens.entries),
            "weight": network.advice,
            "features_extractor_kwargs": {"as_is": len(env.lens.actions)},
        }  # fmt: skip

    return MagnetMaskablePPO(
        policy,
        env,
        learning_rate=learning_rate,
        n_steps=learner.steps,
        batch_size=learner.batch_size,
        n_epochs=learner.epochs,
        gamma=learner.gamma,
        gae_lambda=learner.gae_lambda,
        clip_range=learner.clip,
        ent_coef=learner.entropy,
        final_entropy=learner.final_entropy,
        vf_coef=learner.value,
        max_grad_norm=learner.max_grad_norm,
        magnet_coef=learner.magnet,
        magnet_rate=learner.magnet_rate,
        policy_kwargs=given
        | {
            "net_arch": {"pi": list(network.hidden), "vf": list(value_hidden)},
            "activation_fn": ACTIVATIONS[network.activation],
        },
        seed=config.run.seed,
        device=config.run.device,
    )


def adviser_card(env: SelfPlayVecEnv) -> AdviserCard | None:
    """What a card says of the learner's adviser."""
    return env.adviser.card if isinstance(env, AdvisedVecEnv) else None


def freeze(model: MagnetMaskablePPO, name: str) -> NetworkPolicy:
    """A copy of the learner's policy that plays without torch and learns no more."""
    env = model.self_play_env
    return frozen(model.policy, env.scenario, name, env.lens, adviser_card(env))

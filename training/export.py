"""From a learner to a policy file that plays anywhere, and what to write on its card."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np
import numpy.typing as npt
import torch as th
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import FlattenExtractor

from agents.policy import NetworkCard, NetworkPolicy, PolicyCard
from evaluation.report import versions
from fm_env.contract import Scenario
from fm_env.errors import SetupError
from training.inputs import StandardisedInputs
from training.lens import Lens

ACTIVATIONS = {"tanh": th.nn.Tanh, "relu": th.nn.ReLU}
PACKAGES = (
    "fm-env",
    "numpy",
    "numba",
    "torch",
    "stable-baselines3",
    "sb3-contrib",
    "gymnasium",
    "safetensors",
)


def actor_weights(
    policy: MaskableActorCriticPolicy, lens: Lens | None = None
) -> dict[str, npt.NDArray[np.float32]]:
    """The acting half of a policy as `agents.policy` stores it (copies; the value network stays behind).

    Args:
        policy: the learner's policy.
        lens: what it learned through; the weights that come out take whole observations.

    Raises:
        SetupError: the policy isn't a plain MLP.
    """
    inputs = policy.features_extractor
    if type(inputs) not in (FlattenExtractor, StandardisedInputs):
        raise SetupError("only a plain MLP policy can be exported")
    hidden = [layer for layer in policy.mlp_extractor.policy_net if isinstance(layer, th.nn.Linear)]
    weights: dict[str, npt.NDArray[np.float32]] = {}
    for k, layer in enumerate([*hidden, policy.action_net]):
        assert isinstance(layer, th.nn.Linear)
        weights[f"layer.{k}.weight"] = layer.weight.detach().cpu().numpy().copy()
        weights[f"layer.{k}.bias"] = layer.bias.detach().cpu().numpy().copy()
    if isinstance(inputs, StandardisedInputs):  # W((x - mean) * scale) + b, as one layer
        mean, scale = (x.cpu().numpy().astype(np.float64) for x in (inputs.mean, inputs.scale))
        folded = weights["layer.0.weight"] * scale
        weights["layer.0.bias"] = (weights["layer.0.bias"] - folded @ mean).astype(np.float32)
        weights["layer.0.weight"] = folded.astype(np.float32)
    return weights if lens is None else lens.widen(weights)


def make_card(
    policy: MaskableActorCriticPolicy,
    scenario: Scenario,
    name: str,
    training: dict[str, Any] | None = None,
    lens: Lens | None = None,
) -> PolicyCard:
    """A card for `policy` as trained on `scenario`."""
    spec = scenario.spec
    weights = actor_weights(policy, lens)
    biases = [array for key, array in weights.items() if key.endswith("bias")]
    activation = next(key for key, kind in ACTIVATIONS.items() if policy.activation_fn is kind)
    sizes = (spec.observation_size, *(len(bias) for bias in biases))
    return PolicyCard(
        name=name,
        game=spec.game,
        scenario=spec.scenario,
        options=dict(scenario.options),
        rules_version=spec.rules_version,
        observation_version=spec.observation_version,
        observation_size=spec.observation_size,
        num_actions=spec.num_actions,
        network=NetworkCard(activation=activation, sizes=sizes),  # type: ignore[arg-type]
        training=training or {},
        versions=provenance(),
    )


def frozen(
    policy: MaskableActorCriticPolicy, scenario: Scenario, name: str, lens: Lens | None = None
) -> NetworkPolicy:
    """A copy of `policy` that plays without torch and learns no more."""
    return NetworkPolicy(actor_weights(policy, lens), make_card(policy, scenario, name, lens=lens))


def provenance() -> dict[str, str]:
    """Versions of Python and of all packages that a training run depends on, and the git revision."""
    found = dict(versions())
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found

"""From a learner to a policy file that plays anywhere, and what to write on its card."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np
import numpy.typing as npt
import torch as th
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import FlattenExtractor

from agents.adviser import AdviserCard
from agents.policy import NetworkCard, NetworkPolicy, PolicyCard
from evaluation.report import versions
from fm_env.contract import Scenario
from fm_env.errors import SetupError
from training.advised import Heeding
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
    weights = _layers(policy, "layer", policy.mlp_extractor.policy_net, policy.action_net)
    return weights if lens is None else lens.widen(weights)


def policy_weights(
    policy: MaskableActorCriticPolicy, lens: Lens | None = None
) -> dict[str, npt.NDArray[np.float32]]:
    """Both halves: `actor_weights` and, under `value.`, the network that estimates returns.

    Raises:
        SetupError: the policy isn't a plain MLP.
    """
    critic = _layers(policy, "value", policy.mlp_extractor.value_net, policy.value_net)
    if lens is not None and not lens.is_whole:
        wide = np.zeros((len(critic["value.0.weight"]), len(lens.background)), np.float32)
        wide[:, lens.entries] = critic["value.0.weight"]
        critic["value.0.weight"] = wide
    return actor_weights(policy, lens) | critic


def _layers(
    policy: MaskableActorCriticPolicy, prefix: str, hidden: th.nn.Module, last: th.nn.Module
) -> dict[str, npt.NDArray[np.float32]]:
    """One network's linear layers by name, the standardisation of its inputs folded into the first."""
    inputs = policy.features_extractor
    if type(inputs) not in (FlattenExtractor, StandardisedInputs):
        raise SetupError("only a plain MLP policy can be exported")
    linear = [layer for layer in hidden.modules() if isinstance(layer, th.nn.Linear)]
    weights: dict[str, npt.NDArray[np.float32]] = {}
    for k, layer in enumerate([*linear, last.linear if isinstance(last, Heeding) else last]):
        assert isinstance(layer, th.nn.Linear)
        weights[f"{prefix}.{k}.weight"] = layer.weight.detach().cpu().numpy().copy()
        weights[f"{prefix}.{k}.bias"] = layer.bias.detach().cpu().numpy().copy()
    if isinstance(inputs, StandardisedInputs):  # W((x - mean) * scale) + b, as one layer
        mean, scale = (x.cpu().numpy().astype(np.float64) for x in (inputs.mean, inputs.scale))
        width = weights[f"{prefix}.0.weight"].shape[1]  # an informed policy acts on the first part only
        mean, scale = mean[:width], scale[:width]
        folded = weights[f"{prefix}.0.weight"] * scale
        weights[f"{prefix}.0.bias"] = (weights[f"{prefix}.0.bias"] - folded @ mean).astype(np.float32)
        weights[f"{prefix}.0.weight"] = folded.astype(np.float32)
    return weights


def make_card(
    policy: MaskableActorCriticPolicy,
    scenario: Scenario,
    name: str,
    training: dict[str, Any] | None = None,
    lens: Lens | None = None,
    *,
    values: bool = False,
    adviser: AdviserCard | None = None,
) -> PolicyCard:
    """A card for `policy` as trained on `scenario`; with `values` for a file of `policy_weights`."""
    spec = scenario.spec
    weights = policy_weights(policy, lens) if values else actor_weights(policy, lens)
    activation = next(key for key, kind in ACTIVATIONS.items() if policy.activation_fn is kind)

    def network(prefix: str) -> NetworkCard:
        own = [array for key, array in weights.items() if key.startswith(prefix) and key.endswith("bias")]
        sizes = (weights[f"{prefix}0.weight"].shape[1], *(len(bias) for bias in own))
        return NetworkCard(activation=activation, sizes=sizes)  # type: ignore[arg-type]

    return PolicyCard(
        name=name,
        game=spec.game,
        scenario=spec.scenario,
        options=dict(scenario.options),
        rules_version=spec.rules_version,
        observation_version=spec.observation_version,
        observation_size=spec.observation_size,
        num_actions=spec.num_actions,
        network=network("layer."),
        adviser=adviser,
        value_network=network("value.") if values else None,
        return_range=(spec.min_return, spec.max_return),
        training=training or {},
        versions=provenance(),
    )


def frozen(
    policy: MaskableActorCriticPolicy,
    scenario: Scenario,
    name: str,
    lens: Lens | None = None,
    adviser: AdviserCard | None = None,
) -> NetworkPolicy:
    """A copy of `policy` that plays without torch and learns no more."""
    card = make_card(policy, scenario, name, lens=lens, adviser=adviser)
    return NetworkPolicy(actor_weights(policy, lens), card)


def provenance() -> dict[str, str]:
    """Versions of Python and of all packages that a training run depends on, and the git revision."""
    found = dict(versions())
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found

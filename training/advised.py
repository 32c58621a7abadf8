"""Learning what to do better than a bot that advises (`agents.adviser`).

The learner's observation goes on with a 1 at the action that the bot would take; that action's logit
starts `weight` higher. Only the policy is told: the value network judges what the seat sees.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch as th
from gymnasium import spaces
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor

from agents.adviser import Adviser
from training.informed import Halves
from training.sb3 import Bools, Floats, SelfPlayVecEnv


class AdvisedVecEnv(SelfPlayVecEnv):
    """Shows the learner `[N, K + C]`: its observation and, beside it, what the adviser would do."""

    def __init__(self, *args: Any, adviser: str, weight: float, **kwargs: Any) -> None:
        """As `SelfPlayVecEnv`.

        Args:
            *args: as there.
            adviser: spec of a compiled bot.
            weight: added to the logit of what it advises.
            **kwargs: as there.

        Raises:
            LoadError, UnknownNameError, SetupError: as `Adviser`.
        """
        super().__init__(*args, **kwargs)
        self.adviser = Adviser(adviser, weight, self.game, self.scenario)
        width = len(self.lens.entries) + len(self.lens.actions)
        self.observation_space = spaces.Box(-1.0, 1.0, (width,), np.float32)

    def look(self, observations: Floats, masks: Bools) -> Floats:
        """`[B, F]` and `[B, A]` to `[B, K + C]`."""
        advice = self.adviser.advice(observations, masks)
        return np.concatenate([self.lens.see(observations), self.lens.heed(advice)], axis=1)


class AdvisedPolicy(MaskableActorCriticPolicy):
    """Acts on all of an `AdvisedVecEnv`'s observation, values the part before the advice."""

    def __init__(self, *args: Any, own: int, weight: float, **kwargs: Any) -> None:
        """As in sb3-contrib; `own` is the length of a seat's observation, `weight` as in `AdvisedVecEnv`."""
        self._own, self._weight = own, weight
        super().__init__(*args, **kwargs)

    def _build_mlp_extractor(self) -> None:
        assert isinstance(self.net_arch, dict)
        self.mlp_extractor = _Advised(  # type: ignore[assignment]
            (self.features_dim, self._own), self.net_arch, self.activation_fn
        ).to(self.device)

    def _build(self, lr_schedule: Any) -> None:
        super()._build(lr_schedule)
        assert isinstance(self.action_net, th.nn.Linear)
        self.action_net = Heeding(self.action_net, self._weight)
        options = {"lr": lr_schedule(1)} | self.optimizer_kwargs
        self.optimizer = self.optimizer_class(self.parameters(), **options)

    def extract_features(  # type: ignore[override]
        self, obs: Any, features_extractor: BaseFeaturesExtractor | None = None
    ) -> tuple[th.Tensor, th.Tensor]:
        """What the actor sees and what the critic sees."""
        features = self.features_extractor(obs)
        return features, features[:, : self._own]


class _Advised(Halves):
    """Hands the advice past the actor's hidden layers."""

    def __init__(self, widths: tuple[int, int], *args: Any) -> None:
        super().__init__(widths, *args)
        self._own = widths[1]

    def forward_actor(self, features: th.Tensor) -> th.Tensor:
        return th.cat([self.policy_net(features), features[:, self._own :]], dim=1)


class Heeding(th.nn.Module):
    """The last layer of a policy with an adviser: `[B, H + C]` to `[B, C]`."""

    def __init__(self, linear: th.nn.Linear, weight: float) -> None:
        """Take the layer for the first H entries; `weight` counts the last C."""
        super().__init__()
        self.linear, self._weight = linear, weight

    def forward(self, latent: th.Tensor) -> th.Tensor:
        """Logits."""
        hidden = self.linear.in_features
        return self.linear(latent[:, :hidden]) + self._weight * latent[:, hidden:]

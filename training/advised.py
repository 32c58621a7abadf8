"""Learning what to do better than a bot that advises (`agents.adviser`).

The learner's observation goes on with a 1 at the action that the bot would take; that action's logit
starts `weight` higher. Only the policy is told: the value network judges what the seat sees.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch as th
from gymnasium import spaces

from agents.adviser import Adviser
from training.halves import HalvedPolicy, Halves
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


class _PastAdvice(Halves):
    """Hands the advice past the actor's hidden layers."""

    def __init__(self, widths: tuple[int, int], *args: Any) -> None:
        super().__init__(widths, *args)
        self._own = widths[1]

    def forward_actor(self, features: th.Tensor) -> th.Tensor:
        return th.cat([self.policy_net(features), features[:, self._own :]], dim=1)


class AdvisedPolicy(HalvedPolicy):
    """Acts on all of an `AdvisedVecEnv`'s observation, values the part before the advice."""

    actor_sees_all = True
    halves = _PastAdvice

    def __init__(self, *args: Any, weight: float, **kwargs: Any) -> None:
        """As `HalvedPolicy`; `weight` as in `AdvisedVecEnv`."""
        self._weight = weight
        super().__init__(*args, **kwargs)

    def _build(self, lr_schedule: Any) -> None:
        super()._build(lr_schedule)
        assert isinstance(self.action_net, th.nn.Linear)
        self.action_net = Heeding(self.action_net, self._weight)
        options = {"lr": lr_schedule(1)} | self.optimizer_kwargs
        self.optimizer = self.optimizer_class(self.parameters(), **options)


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

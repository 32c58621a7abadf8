"""A value network that sees every seat's observation, beside a policy that sees its own.

What a return differs from its expectation by is mostly luck: cards in other hands. A critic that knows
them takes that luck out of the advantages, so that far fewer games tell a good choice from a bad one. It
is asked only while the policy learns; the policy, and what is exported, have the seat's own observation.
(Asymmetric actor-critic, Pinto et al. 2018.)
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from fm_env.batch import Batch
from fm_env.engine import engine_of
from training.halves import HalvedPolicy
from training.sb3 import Bools, Floats, Rows, SelfPlayVecEnv


class InformedVecEnv(SelfPlayVecEnv):
    """Shows the learner `[N, S * F]`: its own observation, then that of each seat after it in rotation."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """As `SelfPlayVecEnv`."""
        super().__init__(*args, **kwargs)
        self._engine = engine_of(self.game)
        width = self.spec.num_seats * len(self.lens.entries)
        self.observation_space = spaces.Box(-1.0, 1.0, (width,), np.float32)

    def observations(self) -> Floats:
        """`[N, S * F]`."""
        return self.shown(self.batch, np.arange(self.num_envs))

    def look(self, observations: Floats, masks: Bools) -> Floats:
        """`[B, F]` to `[B, S * K]` for whoever only acts, as `self` does: what others see stays 0."""
        shown = np.zeros((len(observations), self.spec.num_seats * len(self.lens.entries)), np.float32)
        shown[:, : len(self.lens.entries)] = self.lens.see(observations)
        return shown

    def shown(self, batch: Batch, rows: Rows) -> Floats:
        """The observations of all seats in `rows`, from the seat asked on, `[len(rows), S * F]`."""
        views = [self.lens.see(batch.obs[rows])]
        seen = np.empty((len(rows), self.spec.observation_size), np.float32)
        for k in range(1, self.spec.num_seats):
            for row, (i, own) in enumerate(zip(rows.tolist(), batch.seat[rows].tolist(), strict=True)):
                self._engine.observe(batch.states, i, (own + k) % self.spec.num_seats, seen[row])
            views.append(self.lens.see(seen).copy())
        return np.concatenate(views, axis=1)


class InformedPolicy(HalvedPolicy):
    """Acts on the first of S equal parts of an `InformedVecEnv`'s observation, values the whole."""

"""Standardised inputs: each entry of an observation at about mean 0 and deviation 1.

Observations are scaled to their bounds, so a card in hand may move its entry by 0.25 while a
phase moves its own by 1; a network then learns to play almost blind to its hand. Mean and scale
are measured once, before the first rollout, and folded into the first layer on export.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import torch as th
from gymnasium import spaces
from stable_baselines3.common.torch_layers import FlattenExtractor

MAX_SCALE = 8.0
"""An entry is never blown up further, or a rare event would shout all others down."""


class StandardisedInputs(FlattenExtractor):
    """Passes `(x - mean) * scale` on to the networks; the identity until `measure`."""

    mean: th.Tensor
    scale: th.Tensor
    is_measured: th.Tensor

    def __init__(self, observation_space: spaces.Space[npt.NDArray[np.float32]], as_is: int = 0) -> None:
        """Take `[F]` f4 observations, the last `as_is` entries of which are passed on as they are."""
        super().__init__(observation_space)
        size = self.features_dim
        self.as_is = as_is
        self.register_buffer("mean", th.zeros(size))
        self.register_buffer("scale", th.ones(size))
        self.register_buffer("is_measured", th.zeros(1, dtype=th.bool))

    def forward(self, observations: th.Tensor) -> th.Tensor:
        """`[B, F]` to `[B, F]`."""
        return (observations - self.mean) * self.scale

    def measure(self, observations: npt.NDArray[np.float32]) -> None:
        """Settle mean and scale by a sample `[n, F]`; entries that never changed in it keep scale 1."""
        deviation = observations.std(axis=0, dtype=np.float64)
        seen = deviation > 1e-6
        seen[len(seen) - self.as_is :] = False
        scale = np.where(seen, np.minimum(1.0 / np.maximum(deviation, 1e-6), MAX_SCALE), 1.0)
        mean = np.where(seen, observations.mean(axis=0, dtype=np.float64), 0.0)
        self.mean.copy_(th.from_numpy(mean))
        self.scale.copy_(th.from_numpy(scale))
        self.is_measured.fill_(True)

"""A rollout buffer that a fast environment doesn't wait for."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer
from stable_baselines3.common.buffers import RolloutBuffer


class LeanRolloutBuffer(MaskableRolloutBuffer):
    """A rollout buffer whose arrays are kept between rollouts, with masks of one byte an action."""

    def reset(self) -> None:
        """Start over; allocates only the first time."""
        assert isinstance(self.action_space, spaces.Discrete)
        self.mask_dims = int(self.action_space.n)
        if self.__dict__.get("action_masks") is None:
            shape = (self.buffer_size, self.n_envs)
            RolloutBuffer.reset(self)
            self.actions = np.zeros(shape, np.int64)
            self.action_masks = np.zeros((*shape, self.mask_dims), np.bool_)
        self.pos, self.full, self.generator_ready = 0, False, False

    def put(
        self,
        observations: Any,
        masks: npt.NDArray[np.bool_],
        actions: npt.NDArray[np.int64],
        values: npt.NDArray[np.float32],
        log_probs: npt.NDArray[np.float32],
        starts: Any,
    ) -> None:
        """Copy in one decision of every game; its rewards are written to `rewards` when known."""
        at = self.pos
        self.observations[at], self.action_masks[at], self.actions[at] = observations, masks, actions
        self.values[at], self.log_probs[at], self.episode_starts[at] = values, log_probs, starts
        self.pos += 1
        self.full = self.pos == self.buffer_size

    def flat(self) -> dict[str, npt.NDArray[Any]]:
        """All decisions as rows; views, nothing is copied."""
        rows = self.buffer_size * self.n_envs
        flat = {
            name: getattr(self, name).reshape(rows)
            for name in ("actions", "log_probs", "advantages", "returns")
        }
        flat["observations"] = self.observations.reshape(rows, -1)
        flat["masks"] = self.action_masks.reshape(rows, -1)
        return flat

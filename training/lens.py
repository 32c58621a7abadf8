"""What a learner looks at: the entries of an observation that can change, the actions that can be legal.

All sizes of Fairy Meat share one observation and one set of actions, so that one policy can play
all of them. In the smallest, a clash, two thirds of the entries never change and three quarters
of the actions are never legal, and a network that learns only there multiplies by them for nothing:
without them it learns two to three times as fast. A policy that learned through a lens is exported
for the whole observation, with zeros where the lens saw nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fm_env.batch import Batch
from fm_env.contract import Game, GameSpec, Mask, Observation, Scenario
from fm_env.rng import seed_rows

LOOKED_AT = 400_000
"""Random decisions that a lens is cut by; seconds at most."""

GAMES = 1024

MANY_ACTIONS = 0.5
"""Share of the actions legal in random play from which on all are kept."""

NEVER = -30.0
"""Logit of an action that the lens left out."""


@dataclass(frozen=True)
class Lens:
    """A choice of entries and actions."""

    entries: npt.NDArray[np.int64]
    """`[K]` places in an observation, rising."""
    actions: npt.NDArray[np.int64]
    """`[C]` action ids, rising."""
    background: npt.NDArray[np.float32]
    """`[F]` an observation; its entries outside `entries` are what the others always are."""
    num_actions: int
    """A, of the game."""

    @classmethod
    def whole(cls, spec: GameSpec) -> Lens:
        """Looks at everything."""
        background = np.zeros(spec.observation_size, np.float32)
        return cls(
            np.arange(spec.observation_size), np.arange(spec.num_actions), background, spec.num_actions
        )

    @classmethod
    def of_random_play(cls, game: Game, scenario: Scenario, decisions: int = LOOKED_AT) -> Lens:
        """Looks at what changed, and may do what was legal, in random games with a fixed seed.

        What happens less often than once in `decisions` of random play may be missed, and a policy is then
        blind to that entry. Actions are left out only where most can go: in the large games there is little
        to gain by it, and a rare one that is the only one legal must not be missing.
        """
        spec = scenario.spec
        batch = Batch(game, scenario, GAMES, seed=0)
        rng = seed_rows(0, 1)[0]
        batch.reset()
        batch.advance()
        background = batch.obs[batch.asked][0].copy()
        changed, legal = np.zeros(spec.observation_size, np.bool_), np.zeros(spec.num_actions, np.bool_)
        looked_at = 0
        while looked_at < decisions:
            asked = batch.asked
            changed |= (batch.obs[asked] != background).any(axis=0)
            legal |= batch.mask[asked].any(axis=0)
            looked_at += int(asked.sum())
            batch.step(batch.random_actions(rng))
            over = np.flatnonzero(batch.over)
            if len(over):
                batch.reset(over)
                batch.advance(over)
        if legal.mean() > MANY_ACTIONS:
            legal[:] = True
        return cls(np.flatnonzero(changed), np.flatnonzero(legal), background, spec.num_actions)

    @property
    def is_whole(self) -> bool:
        """True where nothing is left out."""
        return len(self.entries) == len(self.background) and len(self.actions) == self.num_actions

    def see(self, observations: Observation) -> Observation:
        """`[B, F]` to `[B, K]`; the same array where nothing is left out."""
        return observations if self.is_whole else observations[:, self.entries]

    def allow(self, masks: Mask) -> Mask:
        """`[B, A]` to `[B, C]`; the same array where nothing is left out."""
        return masks if self.is_whole else masks[:, self.actions]

    def heed(self, advice: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """`[B, A]` to `[B, C]`; the same array where nothing is left out."""
        return advice if self.is_whole else advice[:, self.actions]

    def ids(self, chosen: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Choices `[B]` in 0 .. C - 1 as the game's action ids; -1 for what is no choice."""
        chosen = np.asarray(chosen, np.int64)
        known = (chosen >= 0) & (chosen < len(self.actions))
        return np.where(known, self.actions[np.where(known, chosen, 0)], -1)

    def unsee(self, seen: Observation) -> Observation:
        """`[B, K]` back to `[B, F]`."""
        if self.is_whole:
            return seen
        whole = np.repeat(self.background[None], len(seen), axis=0)
        whole[:, self.entries] = seen
        return whole

    def disallow(self, allowed: Mask) -> Mask:
        """`[B, C]` back to `[B, A]`."""
        if self.is_whole:
            return allowed
        whole = np.zeros((len(allowed), self.num_actions), np.bool_)
        whole[:, self.actions] = allowed
        return whole

    def widen(self, weights: dict[str, npt.NDArray[np.float32]]) -> dict[str, npt.NDArray[np.float32]]:
        """Layers that map `[K]` to `[C]`, as `agents.policy` names them, to layers from `[F]` to `[A]`; with
        an adviser (`agents.adviser`) from `[K + C]` and to `[F + A]`.
        """
        if self.is_whole:
            return weights
        last = max(int(name.split(".")[1]) for name in weights)
        first_weight, last_weight = weights["layer.0.weight"], weights[f"layer.{last}.weight"]
        entries, width = self.entries, len(self.background)
        if first_weight.shape[1] > len(entries):
            entries, width = np.concatenate([entries, width + self.actions]), width + self.num_actions
        wide_in = np.zeros((len(first_weight), width), np.float32)
        wide_in[:, entries] = first_weight
        wide_out = np.zeros((self.num_actions, last_weight.shape[1]), np.float32)
        wide_out[self.actions] = last_weight
        bias = np.full(self.num_actions, NEVER, np.float32)
        bias[self.actions] = weights[f"layer.{last}.bias"]
        return weights | {
            "layer.0.weight": wide_in, f"layer.{last}.weight": wide_out, f"layer.{last}.bias": bias
        }  # fmt: skip

"""Any tiny game as a tree of sequences, straight from its kernel.

This knows the contract and nothing else: it plays every line of play, tells information sets apart
by `info_key` and by what the seat itself did before (an observation needn't repeat all of that), and
measures profiles and best responses on what it found. The clash solver is held
against it, so the two share no code.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from fm_env.contract import CHANCE, TERMINAL, Game, Scenario
from fm_env.engine import engine_of
from fm_env.errors import SetupError
from fm_env.records import States, new_states

Floats = npt.NDArray[np.float64]
Probabilities = Callable[[npt.NDArray[np.float32], npt.NDArray[np.bool_]], npt.NDArray[Any]]
"""`[B, F]` observations and `[B, A]` masks to `[B, A]` chances of each action."""

MAX_NODES = 3_000_000
"""Positions beyond which a game is no tiny game."""


@dataclass
class InfoSet:
    """What one seat knows when it chooses."""

    parent: int
    """Sequence of its own choices that led here; 0 is the empty one."""
    actions: npt.NDArray[np.int64]
    """Legal action ids."""
    first: int
    """Sequence of the first of them; the others follow."""
    observation: npt.NDArray[np.float32]
    mask: npt.NDArray[np.bool_]


@dataclass
class Tree:
    """A game of perfect recall in sequence form."""

    num_seats: int
    sets: list[list[InfoSet]]
    """By seat, parents before children."""
    keys: list[dict[tuple[bytes, int], int]] = field(repr=False)
    """By seat: `info_key` and own last sequence to index of its set."""
    sequences: npt.NDArray[np.int64]
    """`[leaves, S]` last sequence of each seat at each end."""
    chance: Floats
    """`[leaves]` probability of its draws."""
    returns: Floats
    """`[leaves, S]`."""

    def num_sequences(self, seat: int) -> int:
        """Sequences of a seat, the empty one included."""
        return 1 + sum(len(s.actions) for s in self.sets[seat])

    def plan(self, seat: int, policy: Probabilities) -> Floats:
        """Realisation plan `[sequences]`: the product of a policy's own chances up to each choice."""
        plan, sets = np.ones(self.num_sequences(seat)), self.sets[seat]
        if not sets:
            return plan
        observations = np.stack([s.observation for s in sets])
        chances = policy(observations, np.stack([s.mask for s in sets]))
        for s, row in zip(sets, chances, strict=True):
            plan[s.first : s.first + len(s.actions)] = plan[s.parent] * row[s.actions]
        return plan

    def values(self, plans: Sequence[Floats]) -> Floats:
        """`[S]` expected returns."""
        reach = self.chance.copy()
        for seat in range(self.num_seats):
            reach *= plans[seat][self.sequences[:, seat]]
        return reach @ self.returns

    def best_response(self, seat: int, plans: Sequence[Floats]) -> float:
        """Most that `seat` can get against the others' plans."""
        reach = self.chance * self.returns[:, seat]
        for other in range(self.num_seats):
            if other != seat:
                reach = reach * plans[other][self.sequences[:, other]]
        worth = np.bincount(self.sequences[:, seat], reach, self.num_sequences(seat))
        for s in reversed(self.sets[seat]):
            worth[s.parent] += worth[s.first : s.first + len(s.actions)].max()
        return float(worth[0])

    def gains(self, policies: Sequence[Probabilities]) -> Floats:
        """`[S]` what each seat gains by answering best while the others keep to their policies."""
        plans = [self.plan(seat, policy) for seat, policy in enumerate(policies)]
        best = [self.best_response(seat, plans) for seat in range(self.num_seats)]
        return np.array(best) - self.values(plans)


def build_tree(game: Game, scenario: Scenario, max_nodes: int = MAX_NODES) -> Tree:
    """Play every line of a game. Lines that lead to the same state with the same choices are one.

    Raises:
        SetupError: more than `max_nodes` positions.
    """
    spec, engine = scenario.spec, engine_of(game)
    states = new_states(spec, 1)
    engine.reset(states, 0, scenario.setup)
    empty = tuple([0] * spec.num_seats)
    front: dict[tuple[bytes, tuple[int, ...]], float] = {(states.tobytes(), empty): 1.0}
    sets: list[list[InfoSet]] = [[] for _ in range(spec.num_seats)]
    keys: list[dict[tuple[bytes, int], int]] = [{} for _ in range(spec.num_seats)]
    counts = [1] * spec.num_seats
    weights, out = np.zeros(spec.num_chance_outcomes, np.int64), np.zeros(spec.num_seats)
    sequences: list[tuple[int, ...]] = []
    chance: list[float] = []
    returns: list[Floats] = []
    seen = 0
    while front:
        after: dict[tuple[bytes, tuple[int, ...]], float] = {}
        for (data, at), p in front.items():
            seen += 1
            if seen > max_nodes:
                raise SetupError(f"scenario: more than {max_nodes:,} positions; expected a tiny game")
            states[:] = np.frombuffer(data, states.dtype)
            seat = engine.to_act(states, 0)
            if seat == TERMINAL:
                engine.returns(states, 0, out)
                sequences.append(at)
                chance.append(p)
                returns.append(out.copy())
                continue
            if seat == CHANCE:
                total = engine.chance_weights(states, 0, weights)
                for c in np.flatnonzero(weights):
                    follow(states, data, engine, after, p * weights[c] / total, CHANCE, int(c), at)
                continue
            key = np.zeros(spec.info_key_size, np.uint8)
            engine.info_key(states, 0, seat, key)
            known = (key.tobytes(), at[seat])
            k = keys[seat].get(known)
            if k is None:
                mask = np.zeros(spec.num_actions, np.bool_)
                engine.legal_mask(states, 0, seat, mask)
                view = np.zeros(spec.observation_size, np.float32)
                engine.observe(states, 0, seat, view)
                k = keys[seat][known] = len(sets[seat])
                sets[seat].append(InfoSet(at[seat], np.flatnonzero(mask), counts[seat], view, mask))
                counts[seat] += int(mask.sum())
            s = sets[seat][k]
            for j, action in enumerate(s.actions):
                now = (*at[:seat], s.first + j, *at[seat + 1 :])
                follow(states, data, engine, after, p, seat, int(action), now)
        front = after
    return Tree(
        spec.num_seats, sets, keys, np.array(sequences, np.int64), np.array(chance), np.array(returns)
    )


def follow(
    states: States,
    data: bytes,
    engine: Any,
    after: dict[tuple[bytes, tuple[int, ...]], float],
    p: float,
    seat: int,
    action: int,
    at: tuple[int, ...],
) -> None:
    """Add the position after one event to the next front."""
    states[:] = np.frombuffer(data, states.dtype)
    if seat == CHANCE:
        engine.apply_chance(states, 0, action)
    else:
        engine.apply(states, 0, seat, action)
    key = (states.tobytes(), at)
    after[key] = after.get(key, 0.0) + p


def uniform_policy(
    observations: npt.NDArray[np.float32], masks: npt.NDArray[np.bool_]
) -> npt.NDArray[np.float64]:
    """Every legal action equally likely."""
    return masks / masks.sum(axis=1, keepdims=True)

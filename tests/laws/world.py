"""A case brought to life: its compiled rules and positions from random games."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import numpy as np

from fm_env.contract import CHANCE, TERMINAL
from fm_env.engine import Engine, engine_of
from fm_env.records import as_record, new_states
from fm_env.rng import row_for
from tests.laws.cases import Case


class World:
    """What a law needs: `spec`, `engine`, and `len(world)` positions in `world.states`."""

    def __init__(self, case: Case, game: Any = None) -> None:
        self.case = case
        self.game = case.game() if game is None else game
        self.scenario = self.game.scenario(case.scenario, **case.options)
        self.spec = self.scenario.spec
        self.engine: Engine = engine_of(self.game)
        self.seats = range(self.spec.num_seats)
        self.lengths: list[tuple[int, int]] = []
        """Decisions and chance events of each random game."""

    @functools.cached_property
    def states(self) -> Any:
        """`[M]` positions: starts, chance events, choices and ends."""
        found: list[Any] = []
        seen = np.zeros(self.spec.num_actions, np.int64)
        for seed in range(self.case.games):
            game = list(self._play(seed, seen if seed % 2 else None))
            found.extend(game)
        if len(found) > self.case.nodes:
            keep = np.unique(np.linspace(0, len(found) - 1, self.case.nodes).astype(int))
            found = [found[k] for k in keep]
        return np.concatenate(found)

    def __len__(self) -> int:
        return len(self.states)

    def _play(self, seed: int, seen: Any) -> Iterator[Any]:
        """A random game, position by position; with `seen`, rare actions are preferred."""
        rng = np.random.default_rng(seed)
        row = row_for(seed)
        states = new_states(self.spec, 1)
        self.engine.reset(states, 0, self.scenario.setup)
        decisions = events = 0
        while True:
            yield states.copy()
            who = self.engine.to_act(states, 0)
            assert decisions <= self.spec.max_decisions, "the game is longer than max_decisions"
            assert events <= self.spec.max_chance_events, "more chance than max_chance_events"
            if who == TERMINAL:
                break
            if who == CHANCE:
                self.engine.apply_chance(states, 0, self.engine.draw_chance(states, 0, row))
                events += 1
                continue
            # At simultaneous nodes any seat that owes a choice may go first.
            seat = int(rng.choice(self.pending(states, 0)))
            legal = np.flatnonzero(self.mask(states, 0, seat))
            assert len(legal), f"seat {seat} owes a choice and has none"
            if seen is not None:
                legal = legal[seen[legal] == seen[legal].min()]
            action = int(rng.choice(legal))
            if seen is not None:
                seen[action] += 1
            self.engine.apply(states, 0, seat, action)
            decisions += 1
        self.lengths.append((decisions, events))

    def who(self, i: int) -> int:
        return self.engine.to_act(self.states, i)

    def pending(self, states: Any, i: int) -> list[int]:
        bits = self.engine.pending(states, i)
        return [seat for seat in self.seats if bits >> seat & 1]

    def mask(self, states: Any, i: int, seat: int) -> Any:
        out = np.zeros(self.spec.num_actions, np.bool_)
        self.engine.legal_mask(states, i, seat, out)
        return out

    def observation(self, states: Any, i: int, seat: int) -> Any:
        out = np.zeros(self.spec.observation_size, np.float32)
        self.engine.observe(states, i, seat, out)
        return out

    def key(self, states: Any, i: int, seat: int) -> bytes:
        out = np.zeros(self.spec.info_key_size, np.uint8)
        self.engine.info_key(states, i, seat, out)
        return out.tobytes()

    def returns(self, states: Any, i: int) -> Any:
        out = np.zeros(self.spec.num_seats, np.float64)
        self.engine.returns(states, i, out)
        return out

    def view(self, states: Any, i: int, seat: int) -> tuple[bytes, bytes, bytes, bool]:
        """Everything that `seat` may be told in a position."""
        mask = self.mask(states, i, seat).tobytes()
        owes = seat in self.pending(states, i)
        return self.key(states, i, seat), self.observation(states, i, seat).tobytes(), mask, owes

    def resampled(self, i: int, seat: int, seed: int, states: Any = None) -> Any:
        """Position `i` with a random guess at what `seat` can't see, as `[1]` state."""
        one = (self.states if states is None else states)[i : i + 1].copy()
        self.engine.resample(one, 0, seat, row_for(seed))
        return one

    def record(self, i: int) -> np.record:
        return as_record(self.states, i)

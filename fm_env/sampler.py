"""What a seat may imagine: states that fit all it has seen. The only door through which search sees states.

Whoever runs a game keeps a `Lookout` for each seat whose agent asks for it, and lends it a `Sampler` before
each of its choices. Both hold guesses and never the state they were made from: hidden things are
replaced before anything is kept, so there is no object to look into. Since `resample` depends on nothing
but what the seat has seen and the generator, guesses made from a guess are as good.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from fm_env import registry
from fm_env.contract import Game, GameSpec
from fm_env.engine import engine_of
from fm_env.records import States, new_states
from fm_env.rng import RESAMPLE_PURPOSE, row_for


class Sampler:
    """Guesses at the state of a running game on behalf of one seat.

    Attributes:
        game: the game.
        spec: of the scenario that is played.
        seat: on whose behalf.
    """

    def __init__(self, game: Game, spec: GameSpec, states: States, i: int, seat: int) -> None:
        """Look at `states[i]` as `seat` sees it; only a guess is kept."""
        self.game: Game = getattr(game, "game", game)
        self.spec, self.seat = spec, seat
        self._guess = new_states(spec, 1)
        self._guess[0] = states[i]
        engine_of(self.game).resample(self._guess, 0, seat, row_for(0, RESAMPLE_PURPOSE))

    def __reduce__(self) -> tuple[Any, ...]:
        """Only the guess travels, to an agent in another process; the game by its registered name."""
        return _received, (self.game.name, self.spec, self.seat, self._guess.tobytes())

    def draw(self, n: int, rng: npt.NDArray[np.int64]) -> States:
        """`n` states that fit what the seat has seen, from generator row `rng[4]`.

        Others who choose at the same time have not chosen yet in them, where the lookout was there in
        time; else their choices are any that are legal. The seat asked need not be the next to act.
        """
        engine = engine_of(self.game)
        states = new_states(self.spec, n)
        states[:] = self._guess[0]
        for k in range(n):
            engine.resample(states, k, self.seat, rng)
        return states


def _received(game: str, spec: GameSpec, seat: int, guess: bytes) -> Sampler:
    """The sampler that another process sent."""
    states = new_states(spec, 1)
    states[:] = np.frombuffer(guess, states.dtype)
    return Sampler(registry.find(game), spec, states, 0, seat)


class Lookout:
    """Follows one game for one seat, so that others' secret choices are still open in what it imagines.

    `resample` replaces a choice that another seat has already committed by any legal one, which is no
    model of a player. So the lookout keeps a guess from before that, and takes the seat's own
    actions in it, for as long as the seat knows no more than it knew there.
    """

    def __init__(self, game: Game, spec: GameSpec, seat: int) -> None:
        """A new game begins."""
        self.game: Game = getattr(game, "game", game)
        self.spec, self.seat = spec, seat
        self._engine = engine_of(self.game)
        self._guess = new_states(spec, 1)
        self._is_set = False
        self._keys = np.zeros((2, spec.info_key_size), np.uint8)

    def look(self, states: States, i: int) -> None:
        """Somebody is about to choose in `states[i]`; call it before every choice of any seat."""
        if self._is_set and self._fits(states, i):
            return
        self._is_set = bool(self._engine.pending(states, i) >> self.seat & 1)
        if self._is_set:
            self._guess[0] = states[i]
            self._engine.resample(self._guess, 0, self.seat, row_for(0, RESAMPLE_PURPOSE))

    def acted(self, action: int) -> None:
        """The seat chose; call it before the next `look`."""
        if self._is_set:
            self._engine.apply(self._guess, 0, self.seat, action)

    def sampler(self, states: States, i: int) -> Sampler:
        """What the seat, which owes a choice in `states[i]`, may imagine."""
        self.look(states, i)
        if self._is_set:
            return Sampler(self.game, self.spec, self._guess, 0, self.seat)
        return Sampler(self.game, self.spec, states, i, self.seat)

    def _fits(self, states: States, i: int) -> bool:
        """Whether the seat knows as much in the guess as in `states[i]`, and owes a choice in both."""
        engine, seat = self._engine, self.seat
        if not (engine.pending(states, i) & engine.pending(self._guess, 0)) >> seat & 1:
            return False
        engine.info_key(states, i, seat, self._keys[0])
        engine.info_key(self._guess, 0, seat, self._keys[1])
        return bool((self._keys[0] == self._keys[1]).all())


class Lookouts:
    """Lookouts for those seats of one game that ask for it."""

    def __init__(self, game: Game, spec: GameSpec, seats: Iterable[int] = ()) -> None:
        """A new game begins; `seats` are followed from the start, others from their first question on."""
        self._game, self._spec = game, spec
        self._seats = {seat: Lookout(game, spec, seat) for seat in seats}

    def sampler(self, states: States, i: int, seat: int) -> Sampler:
        """What `seat`, which owes a choice in `states[i]`, may imagine."""
        if seat not in self._seats:
            self._seats[seat] = Lookout(self._game, self._spec, seat)
        return self._seats[seat].sampler(states, i)

    def chosen(self, states: States, i: int, seat: int, action: int) -> None:
        """`seat` takes `action` in `states[i]`, which still is as it was before; call it for every choice."""
        for lookout in self._seats.values():
            lookout.look(states, i)
        if seat in self._seats:
            self._seats[seat].acted(action)


class Imagining(Protocol):
    """An agent that may ask for a sampler."""

    needs_sampler: bool

    def imagine(self, sampler: Sampler) -> None:
        """Take it."""


def lend(agent: Imagining, game: Game, spec: GameSpec, states: States, i: int, seat: int) -> None:
    """Give an agent that asks for it what `seat` may imagine in `states[i]`, where nobody kept a lookout."""
    if agent.needs_sampler:
        agent.imagine(Sampler(game, spec, states, i, seat))

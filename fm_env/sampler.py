"""What a seat may imagine: states that fit all it has seen. The only door through which search sees states."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fm_env.contract import Game, GameSpec
from fm_env.engine import engine_of
from fm_env.records import States, new_states
from fm_env.rng import RESAMPLE_PURPOSE, row_for


class Sampler:
    """Guesses at the state of a running game on behalf of one seat.

    It holds a guess itself and never the state that it was made from: hidden things are replaced
    before anything is kept, so there is no object to look into. Since `resample` depends on nothing
    but what the seat has seen and the generator, guesses drawn from a guess are as good.

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

    def draw(self, n: int, rng: npt.NDArray[np.int64]) -> States:
        """`n` states that fit what the seat has seen, from generator row `rng[4]`."""
        engine = engine_of(self.game)
        states = new_states(self.spec, n)
        states[:] = self._guess[0]
        for k in range(n):
            engine.resample(states, k, self.seat, rng)
        return states

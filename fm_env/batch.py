"""Many games of one scenario at once, with bots inside, at the speed of the compiled rules.

A batch plays each game on by itself until a seat of someone outside (a learner, a network, an
agent in Python) has to choose, and then shows what that seat sees. All such seats of all games
are answered together by one `step`.

    batch = Batch(game, scenario, 1024, seed=1)
    batch.reset()
    batch.advance()
    while batch.asked.any():
        batch.step(choose(batch.obs, batch.mask))
    batch.returns
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from fm_env import batch_loop
from fm_env.batch_loop import CHANCE_EVENTS, DECISIONS, FORCED, GAMES, NOT_ASKED, NUM_COUNTERS
from fm_env.contract import TERMINAL, Game, Scenario
from fm_env.engine import specialise_for
from fm_env.errors import IllegalActionError, SetupError
from fm_env.records import new_states, rows_of
from fm_env.rng import ROW_SIZE, as_seed, seed_rows

EXTERNAL = -1
"""Controller of a seat that is asked from outside."""

MAX_BOT_PARAMS = 8

Ints = npt.NDArray[np.integer[Any]]
Bots = Callable[..., int]
"""`bots(bot_id, obs[F] f4, mask[A] bool, params[P] f8, rng[4] i8) -> action`, made by `rule`."""


class Batch:
    """N games in lockstep.

    Attributes:
        states: `[N]` records; copy a row to keep a position. To go on from another one, write it
            there, set `seat` to `NOT_ASKED` and call `advance`.
        controllers: `[N, S]` i4, -1 = asked from outside, k >= 0 = compiled bot k. Write before
            or between calls.
        bot_params: `[N, S, P]` f8, parameters of the bot in that seat.
        seeds: `[N]` i8, the seed of each running game: it alone names the game's luck, so a
            `Match` with the same seed, or another batch, has the same cards.
        seat: `[N]` i4, the outside seat asked now, TERMINAL when the game is over, or
            `NOT_ASKED` between `reset` and `advance`.
        obs: `[N, F]` f4, what that seat sees; at the end, what the lowest outside seat sees.
        mask: `[N, A]` bool, True = legal; all False at the end.
        num_legal: `[N]` i4, how many are True.
        returns: `[N, S]` f8, utilities once the game is over, else zeros.
    """

    def __init__(
        self,
        game: Game,
        scenario: Scenario,
        num_games: int,
        *,
        seed: int | np.random.SeedSequence | None,
        bots: Bots | None = None,
        keyed: bool = False,
    ) -> None:
        """Prepare the arrays; call `reset` and `advance` to begin.

        Args:
            game: the game or its handle.
            scenario: what to play, as made by `game.scenario`.
            num_games: N.
            seed: from which each game's own seed comes when `reset` isn't given any.
            bots: compiled dispatcher of the game's bots; None has only bot 0, uniformly random.
            keyed: draw chance by key (see `fm_env.chance`), so that games with equal seeds share
                their luck even when the play differs.
        """
        if num_games < 1:
            raise SetupError(f"num_games: expected at least 1, got {num_games}")
        spec = self.spec = scenario.spec
        self.game: Game = getattr(game, "game", game)
        self.scenario, self.num_games, self.keyed = scenario, num_games, keyed
        self.states = new_states(spec, num_games)
        self._setups = rows_of(scenario.setup, num_games)
        self.controllers = np.full((num_games, spec.num_seats), EXTERNAL, np.int32)
        self.bot_params = np.zeros((num_games, spec.num_seats, MAX_BOT_PARAMS), np.float64)
        self.seeds = np.zeros(num_games, np.int64)
        self.seat = np.full(num_games, NOT_ASKED, np.int32)
        self.obs = np.zeros((num_games, spec.observation_size), np.float32)
        self.mask = np.zeros((num_games, spec.num_actions), np.bool_)
        self.num_legal = np.zeros(num_games, np.int32)
        self.returns = np.zeros((num_games, spec.num_seats), np.float64)
        self._rngs = np.zeros((num_games, 1 + spec.num_seats, ROW_SIZE), np.int64)
        self._weights = np.zeros((2, spec.num_chance_outcomes), np.int64)
        self._counters = np.zeros(NUM_COUNTERS, np.int64)
        self._master = seed_rows(as_seed(seed) if seed is None else seed, 1)[0]
        self._all = np.arange(num_games)
        self._no_actions = np.full(num_games, -1, np.int64)
        self._compile(bots)

    def _compile(self, bots: Bots | None) -> None:
        chosen = batch_loop.random_bot if bots is None else bots
        self._restart = specialise_for(batch_loop.restart, self.game)
        self._play = specialise_for(batch_loop.play, self.game, bots=chosen)

    @property
    def asked(self) -> npt.NDArray[np.bool_]:
        """`[N]` True where an outside seat has to choose."""
        return self.seat >= 0

    @property
    def over(self) -> npt.NDArray[np.bool_]:
        """`[N]` True where the game has ended."""
        return self.seat == TERMINAL

    @property
    def counters(self) -> dict[str, int]:
        """Since the batch was made: `decisions` (with two or more legal actions), `forced`
        choices, `chance_events` and finished `games`.
        """
        counted = (
            ("decisions", DECISIONS),
            ("forced", FORCED),
            ("chance_events", CHANCE_EVENTS),
            ("games", GAMES),
        )
        return {name: int(self._counters[k]) for name, k in counted}

    def reset(self, indices: Ints | None = None, seeds: Ints | None = None) -> None:
        """Start new games; no chance is resolved and nobody asked before `advance`.

        Args:
            indices: `[M]` which games; None for all.
            seeds: `[M]` their seeds in `[0, 2**62)`; None draws them from the batch's seed.
        """
        games = self._games(indices)
        given = np.full(len(games), -1, np.int64) if seeds is None else np.asarray(seeds, np.int64)
        if given.shape != games.shape or (seeds is not None and (given < 0).any()):
            raise SetupError(f"seeds: expected {len(games)} integers that are not negative, got {seeds!r}")
        self._restart(
            self.states,
            self._setups,
            games,
            given,
            self._master,
            self.seeds,
            self._rngs,
            self.seat,
            self.returns,
        )

    def advance(self, indices: Ints | None = None, *, skip_forced: bool = True) -> None:
        """Play chance, bots and (if `skip_forced`) forced choices of outside seats.

        Each game stops where an outside seat must choose or at its end; `seat`, `obs`, `mask`,
        `num_legal` and `returns` are then filled in.

        Args:
            indices: `[M]` which games; None for all.
            skip_forced: False asks outside seats even when they have one legal action only.
        """
        games = self._games(indices)
        self._call(games, self._no_actions, skip_forced)

    def step(self, actions: Ints, *, skip_forced: bool = True) -> None:
        """Take the asked seats' actions and play on, as `advance`.

        Args:
            actions: `[N]`; the entries of games that nobody is asked in are ignored.
            skip_forced: as in `advance`.

        Raises:
            IllegalActionError: an action is masked; then no game has changed.
        """
        chosen = np.ascontiguousarray(actions, np.int64)
        if chosen.shape != (self.num_games,):
            raise IllegalActionError(f"actions: expected shape ({self.num_games},), got {chosen.shape}")
        bad = batch_loop.first_illegal(self.seat, self.mask, chosen)
        if bad >= 0:
            raise IllegalActionError(
                f"game {bad}: action {int(chosen[bad])} of seat {int(self.seat[bad])} is not legal; "
                f"legal: {np.flatnonzero(self.mask[bad]).tolist()}"
            )
        self._call(self._all, chosen, skip_forced)

    def random_actions(self, rng: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """`[N]` a uniformly random legal action for each asked seat, -1 elsewhere."""
        actions = np.empty(self.num_games, np.int64)
        batch_loop.random_actions(self.seat, self.mask, self.num_legal, rng, actions)
        return actions

    def random_rollouts(self, n_decisions: int) -> int:
        """Play random games until at least `n_decisions` real choices were made; returns how many.

        All seats are asked from outside, in lockstep: each choice costs a mask, an observation
        and its share of chance, as in training. Finished games start again.
        """
        self.controllers[:] = EXTERNAL
        rng = seed_rows(int(self._master[0]), 1)[0]
        begin, ended_before = self.counters["decisions"], self.counters["games"]
        self.reset()
        self.advance()
        while self.counters["decisions"] - begin < n_decisions:
            self.step(self.random_actions(rng))
            ended = np.flatnonzero(self.over)
            if len(ended):
                if (
                    self.counters["decisions"] == begin
                    and self.counters["games"] > ended_before + self.num_games
                ):
                    raise SetupError(f"{self.spec.game} {self.spec.scenario}: nobody ever has a real choice")
                self.reset(ended)
                self.advance(ended)
        return self.counters["decisions"] - begin

    def _games(self, indices: Ints | None) -> npt.NDArray[np.int64]:
        return self._all if indices is None else np.ascontiguousarray(indices, np.int64)

    def _call(self, games: npt.NDArray[np.int64], actions: npt.NDArray[np.int64], skip_forced: bool) -> None:
        self._play(
            self.states, self.controllers, self.bot_params, self._rngs, games, actions,
            skip_forced, self.keyed, self.seat, self.obs, self.mask, self.num_legal, self.returns,
            self._weights, self._counters,
        )  # fmt: skip

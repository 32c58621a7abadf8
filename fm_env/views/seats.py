"""Many games in which one seat is asked from outside and opponents play the others.

This is the engine room of `vec_env`; it can serve other learners' loops as well.

    runner = SeatRunner(game, scenario, 256, opponents=["median", my_agent])
    runner.start(runner.all_rows)
    while learning:
        over = runner.step(choose(runner.obs, runner.mask))  # [N] bool
        ... runner.returns[row, runner.seat[row]], runner.final_observation(row) ...
        runner.start(np.flatnonzero(over))
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fm_env.batch import EXTERNAL, Batch
from fm_env.contract import TERMINAL, Game, Observation, Scenario
from fm_env.engine import engine_of
from fm_env.errors import FmEnvError, IllegalActionError, SetupError
from fm_env.rng import MAX_SEED
from fm_env.sampler import lend
from fm_env.views.players import checked_answer, dispatcher_of, name_of, opponents_of

if TYPE_CHECKING:
    from agents.api import Agent

LEARNER = -1
"""Entry of `cast` for the seat that is asked from outside."""

MAX_REDEALS = 10_000
"""A game that ends before its learner was ever asked is dealt anew, up to this many times."""

Rows = npt.NDArray[np.intp]


class SeatRunner:
    """N games; each shows its learner's seat what it sees whenever that seat must choose.

    Compiled bots play inside the batch at engine speed; other opponents are asked in groups, one
    `act_batch` for all games that wait for the same agent (agents that may remember get a copy of
    their own in every game, and are asked one by one). Who sits where is drawn when a game starts
    and stays until it ends.

    Attributes:
        obs: `[N, F]` f4, what the learner's seat sees while it is asked.
        mask: `[N, A]` bool, True = legal; all False where the game is over.
        seat: `[N]` i4, the learner's seat.
        cast: `[N, S]` i4, number of the opponent in each seat, LEARNER for the learner's.
        over: `[N]` bool, True where the game has ended and `start` is due.
        returns: `[N, S]` f8, utilities once a game is over.
        games: `[N]` i8, how many games each row has begun.
        rng: draws seats, opponents, seeds and what Python opponents choose; may be replaced.
    """

    def __init__(
        self,
        game: Game,
        scenario: Scenario,
        num_games: int,
        opponents: Any,
        *,
        weights: Sequence[float] | None = None,
        seat: int | str = "alternate",
        skip_forced: bool = True,
        seed: int | None = None,
    ) -> None:
        """Prepare the games; `start` begins them.

        Args:
            game: the game.
            scenario: what is played.
            num_games: N.
            opponents: see `fm_env.views.players.opponents_of`.
            weights: how often each opponent is drawn, in proportion; None: evenly.
            seat: "alternate" (row k's j-th game puts the learner on seat (k + j) % S), "random",
                or the number of a seat.
            skip_forced: play the learner's only legal action for it instead of asking.
            seed: seeds `rng`.

        Raises:
            SetupError: names the argument, what was given and what was expected.
        """
        self.game: Game = game
        self.scenario, self.spec = scenario, scenario.spec
        self.num_games, self.skip_forced = num_games, skip_forced
        self.opponents: list[Agent] = opponents_of(opponents, game, scenario)
        self._cumulative = _cumulative_weights(weights, len(self.opponents))
        self._placing = _checked_seat(seat, self.spec.num_seats, ("alternate", "random"))
        self._batch = Batch(game, scenario, num_games, seed=0, bots=dispatcher_of(game))
        self._observe = engine_of(game).observe
        self._numbers, self._params = _controllers(self.opponents, self._batch.bot_params.shape[2])
        self._copies: dict[tuple[int, int], Agent] = {}
        self.rng = np.random.default_rng(seed)
        self.all_rows: Rows = np.arange(num_games)
        self.obs, self.mask, self.returns = self._batch.obs, self._batch.mask, self._batch.returns
        self.seat = np.zeros(num_games, np.int32)
        self.cast = np.zeros((num_games, self.spec.num_seats), np.int32)
        self.games = np.zeros(num_games, np.int64)

    @property
    def over(self) -> npt.NDArray[np.bool_]:
        """`[N]` True where the game has ended."""
        return self._batch.seat == TERMINAL

    # -- play -------------------------------------------------------------------------------

    def start(self, rows: Rows, seeds: npt.NDArray[np.int64] | None = None) -> None:
        """Begin new games and play them until their learners are asked.

        A game that ends before its learner had a choice is dealt anew with another seed.

        Args:
            rows: `[M]` which.
            seeds: `[M]` seeds of their chance; None draws them.
        """
        for _ in range(MAX_REDEALS):
            if len(rows) == 0:
                return
            self._deal(rows, self.rng.integers(0, MAX_SEED, len(rows)) if seeds is None else seeds)
            self._play_on(rows)
            rows, seeds = rows[self._batch.seat[rows] == TERMINAL], None
        raise FmEnvError(
            f"the learner's seat was not asked once in {MAX_REDEALS} games of {self.spec.scenario}"
        )

    def step(self, actions: npt.NDArray[np.integer[Any]], rows: Rows | None = None) -> npt.NDArray[np.bool_]:
        """Play the learners' actions and on, until each is asked again or its game is over.

        Args:
            actions: `[N]`; entries outside `rows` are ignored.
            rows: `[M]` the games to play in; None for all. None of them may be over.

        Returns:
            `[N]` bool, True where a game has ended (see `returns`, `final_observation`).

        Raises:
            IllegalActionError: an action is masked; then no game has changed.
        """
        rows = self.all_rows if rows is None else rows
        chosen = np.asarray(actions, np.int64)
        if chosen.shape != (self.num_games,):
            raise IllegalActionError(f"actions: shape {chosen.shape}, expected ({self.num_games},)")
        picked = chosen[rows]
        legal = _are_legal(picked, self.mask[rows])
        if not legal.all():
            row = int(rows[np.flatnonzero(~legal)[0]])
            ids = np.flatnonzero(self.mask[row]).tolist()
            raise IllegalActionError(
                f"game {row}: action {int(chosen[row])} is not legal, expected one of {ids}"
            )
        self._answer(rows, chosen)
        self._play_on(rows)
        return self.over

    def final_observation(self, row: int) -> Observation:
        """What the learner's seat sees at the end of a game: a fresh `[F]` f4 array."""
        out = np.empty(self.spec.observation_size, np.float32)
        self._observe(self._batch.states, row, int(self.seat[row]), out)
        return out

    def opponent_names(self, row: int) -> list[str]:
        """Names of the opponents in a game, in the order of their seats."""
        return [name_of(self.opponents[k]) for k in self.cast[row] if k != LEARNER]

    # -- inside -----------------------------------------------------------------------------

    def _deal(self, rows: Rows, seeds: npt.NDArray[np.int64]) -> None:
        num_seats = self.spec.num_seats
        if self._placing == "alternate":
            self.seat[rows] = (rows + self.games[rows]) % num_seats
        elif self._placing == "random":
            self.seat[rows] = self.rng.integers(0, num_seats, len(rows))
        else:
            self.seat[rows] = self._placing
        self.games[rows] += 1
        cast = np.searchsorted(self._cumulative, self.rng.random((len(rows), num_seats)), side="right")
        cast[np.arange(len(rows)), self.seat[rows]] = LEARNER
        self.cast[rows] = cast
        # The learner's -1 picks the last entry: EXTERNAL.
        self._batch.controllers[rows] = self._numbers[cast]
        self._batch.bot_params[rows] = self._params[cast]
        self._copy_players(rows, seeds)
        self._batch.reset(rows, seeds)
        self._batch.advance(rows, skip_forced=self.skip_forced)

    def _copy_players(self, rows: Rows, seeds: npt.NDArray[np.int64]) -> None:
        """Give agents that may remember a copy of their own in each of their games."""
        for number, agent in enumerate(self.opponents):
            if agent.plays_batches:
                continue
            for k, seat in zip(*np.nonzero(self.cast[rows] == number), strict=True):
                player = agent.spawn()
                player.reset(self.spec, int(seat), int(seeds[k]))
                self._copies[int(rows[k]), int(seat)] = player

    def _play_on(self, rows: Rows) -> None:
        """Ask Python opponents until every game waits for its learner or is over."""
        seat = self._batch.seat
        waiting = rows[(seat[rows] != self.seat[rows]) & (seat[rows] != TERMINAL)]
        answers = np.full(self.num_games, -1, np.int64)
        while len(waiting):
            numbers = self.cast[waiting, seat[waiting]]
            for number in np.unique(numbers):
                group = waiting[numbers == number]
                answers[group] = self._ask(self.opponents[number], group)
            self._answer(waiting, answers)
            waiting = waiting[(seat[waiting] != self.seat[waiting]) & (seat[waiting] != TERMINAL)]

    def _ask(self, agent: Agent, rows: Rows) -> Any:
        seats = self._batch.seat[rows]
        if agent.plays_batches:
            masks = self.mask[rows]
            chosen = np.asarray(agent.act_batch(self.obs[rows], masks, self.rng))
            if chosen.dtype.kind in "iu" and _are_legal(chosen, masks).all():
                return chosen
        else:
            chosen = []
            for row, seat in zip(rows.tolist(), seats.tolist(), strict=True):
                player = self._copies[row, seat]
                lend(player, self._batch.game, self.spec, self._batch.states, row, seat)
                chosen.append(player.act(self.obs[row], self.mask[row].copy()))
        return [
            checked_answer(agent, action, self.mask[row]) for action, row in zip(chosen, rows, strict=True)
        ]

    def _answer(self, rows: Rows, actions: npt.NDArray[np.int64]) -> None:
        self._batch._call(rows, actions, self.skip_forced)


def _are_legal(actions: npt.NDArray[np.integer[Any]], masks: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """`[M]` True where an action is an id that its row of `masks[M, A]` allows."""
    inside = (actions >= 0) & (actions < masks.shape[1])
    return inside & masks[np.arange(len(actions)), np.where(inside, actions, 0)]


def _cumulative_weights(weights: Sequence[float] | None, count: int) -> npt.NDArray[np.float64]:
    given = np.ones(count) if weights is None else np.asarray(weights, np.float64)
    if given.shape != (count,) or not (given >= 0).all() or not given.sum() > 0:
        raise SetupError(f"weights: {weights!r}, expected {count} numbers of at least 0, one of them above 0")
    return np.cumsum(given / given.sum())[:-1]


def _checked_seat(seat: int | str, num_seats: int, words: tuple[str, ...]) -> int | str:
    number = isinstance(seat, (int, np.integer)) and not isinstance(seat, bool) and 0 <= seat < num_seats
    if not number and seat not in words:
        raise SetupError(f"seat: {seat!r}, expected {', '.join(map(repr, words))} or 0 to {num_seats - 1}")
    return seat


def _controllers(
    opponents: list[Agent], num_params: int
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float64]]:
    """`[M + 1]` compiled bot number or EXTERNAL of each opponent and, last, the learner; parameters."""
    numbers = np.full(len(opponents) + 1, EXTERNAL, np.int32)
    params = np.zeros((len(opponents) + 1, num_params))
    for k, agent in enumerate(opponents):
        bot_id = getattr(agent, "bot_id", None)
        if bot_id is not None:
            numbers[k] = bot_id
            values: tuple[float, ...] = getattr(agent, "params", ())
            params[k, : len(values)] = values
    return numbers, params

"""Plays imagined games on from where a seat has to choose, some hundreds side by side, and learns from each.

Rows of one call are played in lockstep by the batch of the game, so that the base agent is asked about
many positions at once. Choices are drawn, never the best so far, so rows of one call spread out by
themselves; what they found is added to the trees when all of them have ended.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from agents.registry import dispatcher
from agents.search.judges import Judge
from agents.search.nodes import Bools, Floats, Ints, Nodes
from fm_env.batch import EXTERNAL, Batch
from fm_env.batch_loop import NOT_ASKED
from fm_env.contract import TERMINAL, Game, GameSpec, Scenario
from fm_env.engine import engine_of
from fm_env.records import States

Scalar = TypeVar("Scalar", bound=np.generic)

UNIFORMS = 64
"""Random numbers for the choices of one imagined game; used again from the start after that many."""


@dataclass(frozen=True)
class Manner:
    """How imagined games are played."""

    horizon: int
    """Own choices, the one at hand included, after which a position that is new is judged by its value."""
    others: str
    """`"policy"`: others play as the base agent; `"tree"`: they, too, learn from what was tried."""
    patience: float
    """Times that something has to be tried until half of what it showed is believed (`nodes.weigh`)."""
    temperature: float
    """Return for which a choice further on becomes e times as likely."""


class Simulator:
    """Room for `width` imagined games; `nodes` is what was learned since it was last cleared."""

    def __init__(self, game: Game, spec: GameSpec, width: int, judge: Judge, manner: Manner) -> None:
        """Make a batch for them. Its states come from a sampler; its own set-up is never played."""
        scenario = Scenario(spec, game.scenario(spec.scenario).setup, {})
        self.batch = Batch(game, scenario, width, seed=0, bots=dispatcher(game.name), keyed=True)
        self.spec, self.width, self.judge, self.manner = spec, width, judge, manner
        self.nodes = Nodes()
        self._engine = engine_of(game)
        self._node, self._edge, self._action = (np.zeros(width, np.int64) for _ in range(3))

    def run(self, worlds: States, seeds: Ints, uniforms: Floats, seat: int, first: Ints) -> Floats:
        """Play every world on.

        Args:
            worlds: `[n]` states in which `seat` owes a choice, n up to `width`.
            seeds: `[n]` that name the luck of cards and dice.
            uniforms: `[n, UNIFORMS]` in [0, 1) that name the luck of choices.
            seat: who searches.
            first: `[n]`, what she does.

        Returns:
            `[n, S]` returns, played to the end or judged. Rows with equal world, seed and uniforms share
            their luck as far as their play allows, so that their difference says what `first` changes.
        """
        live, values = self._begin(worlds, seeds)
        rolled = np.zeros(self.width, np.bool_)
        own, step = np.zeros(self.width, np.int64), np.zeros(self.width, np.int64)
        path: list[tuple[Ints, Ints, Ints]] = []
        batch = self.batch
        while True:
            over = live & (batch.seat == TERMINAL)
            values[over] = batch.returns[over]
            live &= ~over
            if not live.any():
                break
            self._know(live)
            mine = batch.seat == seat
            judged = live & mine & (own >= self.manner.horizon)
            judged[judged] = self.nodes.visits[self._node[judged]] == 0
            if judged.any() and self._stop(judged, rolled, seat, values):
                live &= ~judged
                if not live.any():
                    break
            drawn = np.zeros(self.width)
            drawn[: len(first)] = uniforms[np.arange(len(first)), step[: len(first)] % UNIFORMS]
            tilted = mine if self.manner.others == "policy" else live
            self.nodes.choose(
                live, self._node, drawn, tilted, self.manner.patience, self.manner.temperature,
                self._edge, self._action,
            )  # fmt: skip
            at_root = np.flatnonzero(live & mine & (own == 0))
            self._action[at_root] = first[at_root]
            own[live & mine] += 1
            step[live] += 1
            deeper = live.copy()
            deeper[at_root] = False
            rows = np.flatnonzero(deeper if self.manner.others == "tree" else deeper & mine)
            path.append((rows, self._edge[rows].copy(), batch.seat[rows].astype(np.int64)))
            batch.step(self._action)
        self._roll(rolled, values)
        for rows, edges, seats in path:
            self.nodes.back_up(edges, values[rows, seats])
        return values[: len(first)]

    def _begin(self, worlds: States, seeds: Ints) -> tuple[Bools, Floats]:
        batch, n = self.batch, len(worlds)
        batch.controllers[:] = EXTERNAL
        batch.reset(np.arange(n), seeds)
        batch.states[:n] = worlds
        batch.seat[n:] = TERMINAL
        batch.advance(np.arange(n))
        live = np.zeros(self.width, np.bool_)
        live[:n] = True
        return live, np.zeros((self.width, self.spec.num_seats))

    def _know(self, live: Bools) -> None:
        """Find the nodes of all live rows; new ones get the base agent's chances as priors."""
        batch = self.batch
        self.nodes.reserve(self.width, int(batch.num_legal[live].sum()))
        fresh = self.nodes.find(batch.obs, batch.seat, live, self._node)
        if len(fresh):
            priors = self.judge.chances(fresh, batch.obs, batch.mask)
            self.nodes.expand(fresh, self._node, batch.mask, priors)

    def _stop(self, judged: Bools, rolled: Bools, seat: int, values: Floats) -> bool:
        """End rows by their value, or set them aside to be rolled out; False: they have to play on."""
        batch, rows = self.batch, np.flatnonzero(judged)
        if not self.judge.has_values:
            if self.judge.bot is None:
                return False
            rolled |= judged
        elif self.manner.others == "policy":
            values[rows, seat] = self.judge.values(rows, batch.obs, batch.mask)
        else:
            self._judge_all(rows, values)
        self.nodes.visits[self._node[rows]] += 1
        batch.seat[rows] = TERMINAL  # so that the batch leaves them alone
        return True

    def _judge_all(self, rows: Ints, values: Floats) -> None:
        """What every seat expects, moved by one amount so that the returns add up as they should."""
        batch, seats = self.batch, self.spec.num_seats
        seen = np.zeros((len(rows) * seats, self.spec.observation_size), np.float32)
        for k, row in enumerate(rows.tolist()):
            for seat in range(seats):
                self._engine.observe(batch.states, row, seat, seen[k * seats + seat])
        masks = np.repeat(batch.mask[rows], seats, axis=0)
        said = self.judge.values(np.arange(len(seen)), seen, masks).reshape(len(rows), seats)
        if self.spec.return_sum is not None:
            said += (self.spec.return_sum - said.sum(axis=1, keepdims=True)) / seats
        values[rows] = said

    def _roll(self, rolled: Bools, values: Floats) -> None:
        """Let the base bot play rows to the end, at engine speed."""
        rows = np.flatnonzero(rolled)
        if len(rows) == 0:
            return
        batch, bot = self.batch, self.judge.bot
        assert bot is not None
        batch.controllers[rows] = bot.bot_id
        batch.bot_params[rows, :, : len(bot.params)] = bot.params
        batch.seat[rows] = NOT_ASKED
        batch.advance(rows)
        values[rows] = batch.returns[rows]


def paired(array: npt.NDArray[Scalar], times: int) -> npt.NDArray[Scalar]:
    """Every entry `times` times in a row: the same luck for each of so many actions."""
    return np.repeat(array, times, axis=0)

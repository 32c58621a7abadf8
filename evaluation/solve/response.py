"""How much a best response wins against any policy, exactly.

The policy is asked at every information set of a clash: declarations, lays and numbers become a
table (`tabulate`), questions after the numbers are asked by `late`. Against that the best answer is
worked out over all hands at once.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evaluation.solve import drive
from evaluation.solve.cfr import Strategy, fill_reach, respond, uniform, zeros
from evaluation.solve.deal import Floats
from evaluation.solve.drive import driver_of, names_of
from evaluation.solve.late import Lates, Limits
from evaluation.solve.late_rows import find_partners
from evaluation.solve.layout import Layout, wild_pairs
from evaluation.solve.tree import Probabilities
from evaluation.solve.values import arrays_of, hands_of
from fm_env.contract import Game
from fm_env.games.fairy_meat import actions as act
from fm_env.records import new_states, rows_of

CHUNK = 1 << 14


@dataclass(frozen=True)
class Worth:
    """What a best response gets, in points: between the two numbers, which differ only by wild trumps
    whose piles were not asked about.
    """

    low: float
    high: float


class Measure:
    """Best responses to policies in one clash."""

    def __init__(self, layout: Layout, game: Game, limits: Limits | None = None, keep: bool = False) -> None:
        """Prepare.

        Args:
            layout: of the clash.
            game: its game.
            limits: how far wild trumps are followed; by default so far that the bounds lie close.
            keep: keep what is to be asked, for further policies (takes memory).
        """
        self.layout, self.game = layout, game
        self.limits = limits or limits_for(layout)
        self.lates = [Lates(layout, game, who, self.limits, keep) for who in range(2)]
        self._bad: dict[int, tuple[np.ndarray, np.ndarray]] = {}
        self._masked = [lates.masked_gains() for lates in self.lates]

    def against(self, who: int, policy: Probabilities) -> Worth:
        """Points of a best response to a policy that plays seat `who`."""
        layout = self.layout
        play = tabulate(layout, self.game, who, policy)
        reach = np.zeros((4, len(layout.sides[who].main)))
        for s in range(4):
            fill_reach(who, s, layout.sides[who], play, reach[s])
        more = self.lates[who].extra(reach, policy)
        low = self._respond(1 - who, play, more, layout.pairs)
        return Worth(low, max(low, self._respond(1 - who, play, more, self._careless(who))))

    def _careless(self, who: int) -> tuple[np.ndarray, np.ndarray]:
        """Pairs if the policy answers as badly as can be whatever it wasn't asked."""
        if who not in self._bad:
            moves, sides = self.layout.moves, self.layout.sides
            found = [wild_pairs(moves, sides, k, who, self.limits)[1] for k in range(2)]
            self._bad[who] = (found[0], found[1])
        return self._bad[who]

    def _respond(self, me: int, play: Strategy, more: Floats, pairs: tuple[np.ndarray, np.ndarray]) -> float:
        layout, hands = self.layout, hands_of(self.layout)
        shared = arrays_of(layout)._replace(gains=self._masked[1 - me], pairs=pairs)
        answer = zeros(layout, me)
        total = respond(
            shared, me, layout.sides[me], hands[me], layout.moves.lays[me],
            layout.sides[1 - me], hands[1 - me], play, answer, answer, True, more,
        )  # fmt: skip
        return total / layout.moves.deal.total


def limits_for(layout: Layout) -> Limits:
    """Further for small hands, where wild trumps are frequent and sets few."""
    size = max(layout.moves.deal.sizes)
    return {1: Limits(6, 3), 2: Limits(3, 1), 3: Limits(2, 1)}.get(size, Limits(1, 1))


def tabulate(layout: Layout, game: Game, who: int, policy: Probabilities) -> Strategy:
    """A policy's chances of every declaration, lay and main card, asked at each information set."""
    asker = _Asker(layout, game, who, policy)
    play = uniform(layout, who)
    names, moves, side = asker.names, layout.moves, layout.sides[who]
    hands = len(moves.lays[who])
    every = np.arange(hands)
    signs = [np.full(hands, s) for s in range(4)]
    none = np.zeros(hands, np.int64)
    partner = asker.partners(every)
    for row in range(1 + who):
        stage = drive.DECLARE_D if who == 1 else drive.DECLARE_A
        rows = np.stack([signs[2 * row], every, none, partner, none], axis=1)
        chances = asker.ask(stage, rows)
        play.declare[row] = chances[:, [act.DECLARE_ADD, act.DECLARE_SUBTRACT]]
    for s in range(4):
        rows = np.stack([signs[s], every, none, partner, none], axis=1)
        play.lay[s] = np.where(moves.lays[who], asker.ask(drive.LAY, rows)[:, names.lays], 0.0)
    set_rows = asker.main_rows()
    known = np.flatnonzero(set_rows[:, 3] >= 0)
    entries = np.concatenate([np.arange(side.first[i], side.first[i + 1]) for i in known])
    place = np.repeat(np.arange(len(known)), np.diff(side.first)[known])
    for s in range(4):
        set_rows[:, 0] = s
        chances = asker.ask(drive.MAIN, set_rows[known], asked_if=act.MAIN_NONE)
        play.main[s, entries] = chances[place, names.mains[side.main[entries]]]
    return play


class _Asker:
    """Asks a policy at information sets of one seat."""

    def __init__(self, layout: Layout, game: Game, who: int, policy: Probabilities) -> None:
        self.layout, self.who, self.policy = layout, who, policy
        self.names, self.driver = names_of(layout.moves), driver_of(game)
        spec = layout.moves.scenario.spec
        self._states, self._setups = new_states(spec, 4), rows_of(layout.moves.scenario.setup)
        self._obs = np.zeros((CHUNK, spec.observation_size), np.float32)
        self._masks = np.zeros((CHUNK, spec.num_actions), np.bool_)
        self._piles = np.zeros((2, 3), np.int64)

    def ask(self, stage: int, rows: np.ndarray, asked_if: int = -1) -> Floats:
        """`[B, A]` chances. Where nothing is asked (an empty hand), `asked_if` is certain."""
        hands, who = self.layout.moves.deal.hands, self.who
        out = np.zeros((len(rows), self._masks.shape[1]))
        for first in range(0, len(rows), CHUNK):
            part = np.ascontiguousarray(rows[first : first + CHUNK], np.int64)
            obs, masks = self._obs[: len(part)], self._masks[: len(part)]
            self.driver.look(
                self._states, self._setups, self.names, who, stage, part, self._piles,
                hands[who].counts, hands[1 - who].counts, obs, masks,
            )  # fmt: skip
            asked = masks.any(axis=1)
            if asked.all():
                out[first : first + CHUNK] = self.policy(obs, masks)
            else:
                out[first + np.flatnonzero(~asked), asked_if] = 1.0
                out[first + np.flatnonzero(asked)] = self.policy(obs[asked], masks[asked])
        return out

    def partners(self, hands: np.ndarray) -> np.ndarray:
        """A hand of the other fighter that fits beside each."""
        deal, who = self.layout.moves.deal, self.who
        mine, hers = deal.hands[who].counts, deal.hands[1 - who].counts
        found = find_partners(deal.pack, mine, hands, hers, np.arange(len(hers)))
        assert (found >= 0).all()
        return found

    def main_rows(self) -> np.ndarray:
        """`[I, 5]` rows for all sets before the main card; another hand of -1 where none fits."""
        deal, who = self.layout.moves.deal, self.who
        side, other = self.layout.sides[who], self.layout.sides[1 - who]
        rows = np.zeros((len(side.hand), 5), np.int64)
        rows[:, 1], rows[:, 2], rows[:, 3] = side.hand, side.lay, -1
        for node, show in enumerate(self.layout.moves.shows):
            mine = np.arange(side.start[node], side.start[node + 1])
            hers = np.arange(other.start[node], other.start[node + 1])
            for lay in show.lays[1 - who]:
                open_sets = mine[rows[mine, 3] < 0]
                offered = other.hand[hers[other.lay[hers] == lay]]
                found = find_partners(
                    deal.pack, deal.hands[who].counts, side.hand[open_sets],
                    deal.hands[1 - who].counts, offered,
                )  # fmt: skip
                rows[open_sets, 3], rows[open_sets, 4] = found, lay
        return rows

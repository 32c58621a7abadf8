"""Values of a best response where the policy still has questions to answer after the numbers.

A policy need not answer them well: whether it turns trumps up, how it uses caught ones, what its
joker does. Each such information set is reached by the kernel and asked. The answers can depend on
the whole hand, so every hand counts by itself; sums over hands go as in `deal`.

After a wild trump the piles of drawn trumps can be long, and each is a set of its own. They are asked
up to a length; beyond it the answers are taken as best (or as worst, for the other bound).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from evaluation.solve.deal import Floats
from evaluation.solve.drive import driver_of, names_of
from evaluation.solve.ends import ANSWER_TURNS, NOT_LATE, WILD_MAIN, late_mode
from evaluation.solve.late_rows import NO_ROWS, find_partners, list_wild
from evaluation.solve.late_sums import add_wild_late, best_ends, spread_late
from evaluation.solve.layout import Layout, Side
from evaluation.solve.moves import SIGNS
from evaluation.solve.tree import Probabilities
from evaluation.solve.wild import BLACK_TRUMP, JOKER_TYPE, MAINS, RED_TRUMP
from fm_env.contract import Game
from fm_env.records import new_states, rows_of

QUESTIONS = 1 << 15
"""Questions put to a policy at once."""


class Limits(NamedTuple):
    """Open trumps under a wild trump up to which a policy is asked."""

    one: int
    """If one fighter laid a wild trump."""
    both: int
    """If both did: each of them."""


class Rows(NamedTuple):
    """Pairs of plans in one node; B of them."""

    entry: npt.NDArray[np.int64]
    """`[B]` entry of the policy's side."""
    kind: npt.NDArray[np.int64]
    """`[B]` plan of the other fighter, or 40 + her slot for a wild trump."""
    cards: npt.NDArray[np.int64]
    """`[B, 6]` hand, lay and main card of the policy's side, then of the other."""
    piles: npt.NDArray[np.int64]
    """`[B, 2, 3]` red and black trumps and number under a wild trump, by seat; zeros without."""
    mode: npt.NDArray[np.int64]
    """`[B]` as `ends.late_mode`."""


class Lates:
    """Puts all late questions of one policy and keeps what is worth asking of a layout."""

    def __init__(self, layout: Layout, game: Game, who: int, limits: Limits, keep: bool = False) -> None:
        """Prepare.

        Args:
            layout: of the clash.
            game: its game.
            who: seat that follows the policy.
            limits: how far wild trumps are followed.
            keep: keep what is to be asked, for further policies.
        """
        self.layout, self.who, self.limits = layout, who, limits
        self._kept: dict[int, tuple[Rows, Rows]] | None = {} if keep else None
        self.driver, self.names = driver_of(game), names_of(layout.moves)
        spec = layout.moves.scenario.spec
        self._states, self._setups = new_states(spec, 4), rows_of(layout.moves.scenario.setup)
        self._obs = np.zeros((QUESTIONS, spec.observation_size), np.float32)
        self._masks = np.zeros((QUESTIONS, spec.num_actions), np.bool_)
        self._scratch = np.zeros((2, spec.num_actions), np.bool_)
        self.questions = 0
        """How many were put."""

    def masked_gains(self) -> Floats:
        """The layout's points with 0 where a policy has late questions and no trump is wild."""
        layout, who, lays = self.layout, self.who, self._lays()
        gains = layout.gains.copy()
        for node, show in enumerate(layout.moves.shows):
            shape = layout.plans[node]
            late = np.zeros(shape, np.bool_)
            for i, lay_a in enumerate(show.lays[0]):
                for j, lay_d in enumerate(show.lays[1]):
                    for a in range(MAINS):
                        for d in range(MAINS):
                            mine, hers = ((lay_a, a), (lay_d, d))[:: 1 if who == 0 else -1]
                            late[MAINS * i + a, MAINS * j + d] = self._mode(*mine, *hers, lays, NO_PILES) > 0
            gains[:, layout.gain_start[node] : layout.gain_start[node + 1]][:, late.ravel()] = 0.0
        return gains

    def extra(self, reach: Floats, policy: Probabilities) -> Floats:
        """`[4, E]` what entries of the other fighter are worth beside values by `masked_gains`.

        Args:
            reach: `[4, E]` chance of each entry of the policy's side, by declarations.
            policy: its chances.
        """
        self._policy = policy
        layout, who = self.layout, self.who
        me, other = layout.sides[1 - who], layout.sides[who]
        hands = layout.moves.deal.hands
        out = np.zeros((4, len(me.main)))
        for node in range(len(layout.moves.shows)):
            flat, wild = self._rows(node)
            for s in range(4):
                if len(flat.entry):
                    values = self._values(flat, s)
                    spread_late(
                        layout.local[node], int(layout.num_local[node]), int(layout.plans[node, 1 - who]),
                        1 if who == 1 else -1, me, hands[1 - who], other, hands[who], node,
                        *flat, values, reach[s], out[s],
                    )  # fmt: skip
                if len(wild.entry):
                    values = self._values(wild, s)
                    deal = layout.moves.deal
                    add_wild_late(
                        who, deal.pack, int(deal.pack.sum()) - sum(deal.sizes), me, hands[1 - who].counts,
                        hands[who].counts, node, *wild, values, self._planned(wild, s), reach[s], out[s],
                    )  # fmt: skip
        return out

    def _rows(self, node: int) -> tuple[Rows, Rows]:
        if self._kept is None:
            return self._flat_rows(node), self._wild_rows(node)
        if node not in self._kept:
            self._kept[node] = self._flat_rows(node), self._wild_rows(node)
        return self._kept[node]

    def _values(self, rows: Rows, s: int) -> npt.NDArray[np.float64]:
        """`[B, 2, 9]` points of the attacker for each pair, branch and option."""
        values = np.zeros((len(rows.entry), 2, 9))
        for branches, options in ((1, 1), (1, 9), (2, 1), (2, 9)):
            pick = ((rows.mode & 3) >= ANSWER_TURNS) == (branches == 2)
            pick &= (rows.mode >= 4) == (options == 9)
            index = np.flatnonzero(pick)
            step = max(1, QUESTIONS // (2 * branches * options))
            for first in range(0, len(index), step):
                part = index[first : first + step]
                found = self._answer(rows.cards[part], rows.piles[part], s, branches, options)
                values[part, :branches, :options] = found
        return values

    def _answer(self, cards: Any, piles: Any, s: int, branches: int, options: int) -> npt.NDArray[np.float64]:
        hands, who = self.layout.moves.deal.hands, self.who
        values = np.zeros((len(cards), branches, options))
        counter, out = np.zeros(1, np.int64), np.zeros(2)
        nothing = np.zeros((1, 1), np.float64)
        place = (
            self._states, self._setups, self.names, who, s, cards, piles,
            hands[who].counts, hands[1 - who].counts, branches, options,
        )  # fmt: skip
        self.driver.late_many(*place, True, counter, self._obs, self._masks, nothing, out, values)
        n = int(counter[0])
        assert n <= QUESTIONS
        self.questions += n
        chances = nothing
        if n:
            answers = self._policy(self._obs[:n], self._masks[:n])
            chances = np.ascontiguousarray(answers, np.float64)
        counter[0] = 0
        self.driver.late_many(*place, False, counter, self._obs, self._scratch, chances, out, values)
        return values

    def _flat_rows(self, node: int) -> Rows:
        """Pairs without a wild trump."""
        layout, who, moves = self.layout, self.who, self.layout.moves
        me, other = layout.sides[1 - who], layout.sides[who]
        lays = self._lays()
        entries = entries_of(other, node)
        entries = entries[other.plan[entries] >= 0]
        mine = entries_of(me, node)
        mine = mine[me.plan[mine] >= 0]
        mine = mine[np.argsort(me.plan[mine], kind="stable")]
        bounds = np.searchsorted(me.plan[mine], np.arange(layout.plans[node, 1 - who] + 1))
        cards = [np.zeros((0, 6), np.int64)]
        index, kinds, modes = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
        for p in range(len(bounds) - 1):
            if bounds[p] == bounds[p + 1]:
                continue
            g = mine[bounds[p]]
            her_lay, her_main = int(me.lay[me.owner[g]]), int(me.main[g])
            mode_of: dict[tuple[int, int], int] = {}
            for lay in moves.shows[node].lays[who]:
                for main in range(MAINS):
                    mode_of[lay, main] = self._mode(lay, main, her_lay, her_main, lays, NO_PILES)
            table = np.zeros((moves.num_lays, MAINS), np.int64)
            for (lay, main), mode in mode_of.items():
                table[lay, main] = mode
            late = table[other.lay[other.owner[entries]], other.main[entries]]
            wanted = entries[late != NOT_LATE]
            if len(wanted) == 0:
                continue
            found = find_partners(
                moves.deal.pack, moves.deal.hands[who].counts, other.hand[other.owner[wanted]],
                moves.deal.hands[1 - who].counts, me.hand[me.owner[mine[bounds[p] : bounds[p + 1]]]],
            )  # fmt: skip
            wanted, found, late = wanted[found >= 0], found[found >= 0], late[late != NOT_LATE][found >= 0]
            owner = other.owner[wanted]
            rest = [np.full(len(wanted), her_lay), np.full(len(wanted), her_main)]
            row = np.stack([other.hand[owner], other.lay[owner], other.main[wanted], found, *rest], axis=1)
            cards.append(row.astype(np.int64))
            index.append(wanted.astype(np.int64))
            kinds.append(np.full(len(wanted), p, np.int64))
            modes.append(late)
        entry = np.concatenate(index)
        piles = np.zeros((len(entry), 2, 3), np.int64)
        rows = Rows(entry, np.concatenate(kinds), np.concatenate(cards), piles, np.concatenate(modes))
        order = np.lexsort((rows.kind, rows.cards[:, 2]))
        return Rows(*(part[order] for part in rows))

    def _wild_rows(self, node: int) -> Rows:
        """Pairs with a wild trump on either side, for each pile within the limits."""
        found = [self._wild_pairs(*groups) for groups in self._wild_groups(node)]
        if not found:
            return EMPTY
        rows = Rows(*(np.concatenate(parts) for parts in zip(*found, strict=True)))
        # Groups that the other fighter can tell apart: her plan, the policy's main, both piles.
        seen = (rows.cards[:, 2], *rows.piles.reshape(len(rows.entry), 6).T, rows.kind)
        order = np.lexsort(seen)
        return Rows(*(part[order] for part in rows))

    def _wild_groups(self, node: int) -> Iterator[tuple[Any, int, int, Any]]:
        """Entries of the policy and one plan of the other with her entries, if one of them is wild."""
        me, other = self.layout.sides[1 - self.who], self.layout.sides[self.who]
        entries = entries_of(other, node)
        mine = entries_of(me, node)
        wild = entries[other.plan[entries] < 0]
        for slot in range(len(self.layout.moves.shows[node].lays[1 - self.who])):
            of_slot = mine[me.slot[me.owner[mine]] == slot]
            hers = of_slot[me.plan[of_slot] < 0]
            if len(hers):
                yield entries, 2 * MAINS + slot, WILD_MAIN, hers
            for main in np.unique(me.main[of_slot[me.plan[of_slot] >= 0]]):
                if len(wild):
                    yield wild, MAINS * slot + int(main), int(main), of_slot[me.main[of_slot] == main]

    def _wild_pairs(self, entries: Any, kind: int, her_main: int, hers: Any) -> Rows:
        layout, who, deal = self.layout, self.who, self.layout.moves.deal
        me, other = layout.sides[1 - who], layout.sides[who]
        owner, her_owner = other.owner[entries], me.owner[hers]
        mine = np.stack([other.hand[owner], other.lay[owner], other.main[entries]], axis=1).astype(np.int64)
        theirs = np.stack([me.hand[her_owner], me.lay[her_owner], me.main[hers]], axis=1).astype(np.int64)
        partners = np.full((len(mine), 2), -1, np.int64)
        for colour in range(2):  # of her wild trump; without one both are the same
            able = theirs[:, 2] == WILD_MAIN + colour if her_main >= WILD_MAIN else theirs[:, 2] == her_main
            partners[:, colour] = find_partners(
                deal.pack, deal.hands[who].counts, mine[:, 0], deal.hands[1 - who].counts, theirs[able, 0]
            )
        piles = [np.array([NO_PILE, *self._piles(limit)], np.int64) for limit in self.limits]
        place = (
            who, mine, partners, int(theirs[0, 1]), her_main >= WILD_MAIN, her_main,
            piles[0], piles[1], self._lays(), layout.moves.rules.joker_points,
        )  # fmt: skip
        n = list_wild(*place, *NO_ROWS)
        index, modes = np.zeros(n, np.int64), np.zeros(n, np.int64)
        cards, drawn = np.zeros((n, 6), np.int64), np.zeros((n, 2, 3), np.int64)
        list_wild(*place, index, cards, drawn, modes)
        return Rows(entries[index].astype(np.int64), np.full(n, kind, np.int64), cards, drawn, modes)

    def _piles(self, most: int) -> Iterator[tuple[int, int, int]]:
        """Red and black trumps, at least one, and the type that ended the draws.

        That is a number, or a joker where the policy is asked what it does.
        """
        pack, ends = self.layout.moves.deal.pack, list(range(18))
        ends += [JOKER_TYPE] if self.layout.moves.rules.joker_points else []
        for red in range(min(most, int(pack[RED_TRUMP])) + 1):
            for black in range(min(most - red, int(pack[BLACK_TRUMP])) + 1):
                if red + black > 0:
                    for kind in ends:
                        if pack[kind] > 0:
                            yield red, black, kind

    def _lays(self) -> npt.NDArray[np.int64]:
        moves = self.layout.moves
        return np.array([moves.colour_and_n(lay) for lay in range(moves.num_lays)], np.int64)

    def _mode(self, lay: int, main: int, her_lay: int, her_main: int, lays: Any, piles: Any) -> int:
        (a, lay_a), (d, lay_d) = (main, lay), (her_main, her_lay)
        if self.who == 1:
            (a, lay_a), (d, lay_d) = (d, lay_d), (a, lay_a)
        (ca, na), (cd, nd) = lays[lay_a].tolist(), lays[lay_d].tolist()
        (ra, ba, _), (rd, bd, _) = piles.tolist()
        joker_points = self.layout.moves.rules.joker_points
        return int(late_mode(self.who, a, d, ca, na, cd, nd, ra, ba, rd, bd, joker_points))

    def _planned(self, rows: Rows, s: int) -> Floats:
        """`[B]` points of each pair if everybody answers best, as the pairs of a layout have it."""
        out = np.zeros(len(rows.entry))
        best_ends(
            self.who, *SIGNS[s], rows.cards, rows.piles, self._lays(), self.layout.moves.rules.levels, out
        )
        return out


def entries_of(side: Side, node: int) -> npt.NDArray[np.int64]:
    """All entries of a fighter in a node."""
    return np.arange(int(side.first[side.start[node]]), int(side.first[side.start[node + 1]]), dtype=np.int64)


NO_PILE = (0, 0, 0)
NO_PILES = np.zeros((2, 3), np.int64)
EMPTY = Rows(
    np.zeros(0, np.int64),
    np.zeros(0, np.int64),
    np.zeros((0, 6), np.int64),
    np.zeros((0, 2, 3), np.int64),
    np.zeros(0, np.int64),
)

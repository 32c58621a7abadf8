"""All information sets of a clash in flat arrays, and the points of every pair of plans.

A node is a `Show` under two declarations. A fighter's information set there is a hand and the lay
she made; its entries are the main cards she may lay. The arrays of a fighter run over all nodes of
one pair of declarations, and look the same under all four.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from evaluation.solve.deal import Floats, Ints, removal
from evaluation.solve.ends import NOBODY, WILD_MAIN, flat_points
from evaluation.solve.moves import SIGNS, Moves
from evaluation.solve.wild import BLACK_TRUMP, MAINS, RED_TRUMP, both_wild, draw_table, fill_pairs, flat_value
from fm_env.compiled import allocating_rule

Int32s = npt.NDArray[np.int32]


class Side(NamedTuple):
    """One fighter's information sets after the lays; N nodes, I sets, E entries."""

    start: Int32s
    """`[N + 1]` first set of each node."""
    hand: Int32s
    """`[I]` hand of each set."""
    lay: Int32s
    """`[I]` lay of each set."""
    slot: Int32s
    """`[I]` which of the show's lays that is."""
    first: Int32s
    """`[I + 1]` first entry of each set."""
    main: Int32s
    """`[E]` code of the main card."""
    plan: Int32s
    """`[E]` column of the node's points: `20 * slot + main`, or -1 for a wild trump."""
    owner: Int32s
    """`[E]` set of each entry."""
    wild: Int32s
    """Entries with a wild trump, in order."""
    wild_start: Int32s
    """`[N + 1]` first of them in each node."""


@dataclass(frozen=True)
class Layout:
    """Everything that a solver needs of a clash."""

    moves: Moves
    sides: tuple[Side, Side]
    local: Int32s
    """`[N, S]` sub-hands that matter in a node, numbered from 0; -1 for the others."""
    num_local: Int32s
    """`[N]` how many those are."""
    plans: Int32s
    """`[N, 2]` plans of both fighters."""
    gain_start: Ints
    """`[N + 1]` where a node's points begin."""
    gains: Floats
    """`[4, ...]` points of each pair of plans, attacker's plan first."""
    pair_start: tuple[Ints, Ints]
    """`[N + 1]` where the pairs of a fighter's wild trumps begin."""
    pairs: tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]
    """`[4, ...]` points times ways, for each wild entry of the fighter and each entry of the other in
    the node. Pairs of two wild trumps stand under the attacker and are 0 under the defender."""


def make_layout(moves: Moves) -> Layout:
    """Lay out a clash; takes most time for its wild trumps."""
    sides = (_side(moves, 0), _side(moves, 1))
    local, num_local = _locals(moves, sides)
    plans = np.array([[MAINS * len(show.lays[who]) for who in range(2)] for show in moves.shows], np.int32)
    sizes = np.concatenate([[0], np.cumsum(plans[:, 0].astype(np.int64) * plans[:, 1])])
    gains = np.zeros((4, int(sizes[-1])))
    for k, show in enumerate(moves.shows):
        lays = [np.array([moves.colour_and_n(lay) for lay in show.lays[who]], np.int64) for who in range(2)]
        for s, (sign_a, sign_d) in enumerate(SIGNS):
            out = gains[s, sizes[k] : sizes[k + 1]].reshape(plans[k])
            _fill_gains(lays[0], lays[1], sign_a, sign_d, moves.rules.levels, moves.rules.joker_points, out)
    starts, pairs = zip(*(wild_pairs(moves, sides, who) for who in range(2)), strict=True)
    return Layout(
        moves, sides, local, num_local, plans, sizes, gains, (starts[0], starts[1]), (pairs[0], pairs[1])
    )


def _side(moves: Moves, who: int) -> Side:
    hands, allowed = moves.deal.hands[who].counts, moves.lays[who]
    start, hand, lay, slot, first, main, plan, owner = [0], [], [], [], [0], [], [], []
    wild, wild_start = [], [0]
    options = {
        (int(h), int(k)): moves.mains(hands[h], int(k)) for h, k in zip(*np.nonzero(allowed), strict=True)
    }
    for show in moves.shows:
        for place, k in enumerate(show.lays[who]):
            for h in np.flatnonzero(allowed[:, k]).tolist():
                for m in options[h, k]:
                    if m >= WILD_MAIN:
                        wild.append(len(main))
                    main.append(m)
                    plan.append(MAINS * place + m if m < WILD_MAIN else -1)
                    owner.append(len(hand))
                hand.append(h)
                lay.append(k)
                slot.append(place)
                first.append(len(main))
        start.append(len(hand))
        wild_start.append(len(wild))
    rows = (start, hand, lay, slot, first, main, plan, owner, wild, wild_start)
    return Side(*(np.array(row, np.int32) for row in rows))


def _locals(moves: Moves, sides: tuple[Side, Side]) -> tuple[Int32s, Int32s]:
    """Sub-hands common to some hand of each fighter, node by node."""
    n = len(moves.deal.subs)
    local = np.full((len(moves.shows), n), -1, np.int32)
    for k in range(len(moves.shows)):
        both = np.ones(n, np.bool_)
        for side, hands in zip(sides, moves.deal.hands, strict=True):
            used = np.zeros(n + 1, np.bool_)
            used[hands.sub[side.hand[side.start[k] : side.start[k + 1]]]] = True
            both &= used[:n]
        local[k, both] = np.arange(both.sum())
    return local, (local.max(axis=1) + 1).astype(np.int32)


@allocating_rule
def _fill_gains(lays_a, lays_d, sign_a, sign_d, levels, joker_points, out):
    for i in range(len(lays_a)):
        for j in range(len(lays_d)):
            for a in range(MAINS):
                for d in range(MAINS):
                    out[MAINS * i + a, MAINS * j + d] = flat_points(
                        a, d, sign_a, sign_d, lays_a[i, 0], lays_a[i, 1], lays_d[j, 0], lays_d[j, 1],
                        levels, joker_points,
                    )  # fmt: skip


def wild_pairs(
    moves: Moves, sides: tuple[Side, Side], who: int, careless: int = NOBODY, limits: tuple[int, int] = (0, 0)
) -> tuple[Ints, npt.NDArray[np.float32]]:
    """`pair_start` and `pairs` of a layout for one fighter's wild trumps.

    For a bound, the seat `careless` says what hurts it most wherever more trumps lie open than the
    limits, for one wild trump and for two.
    """
    me, other, deal = sides[who], sides[1 - who], moves.deal
    wilds = np.diff(me.wild_start).astype(np.int64)
    entries = np.diff(other.first[other.start]).astype(np.int64)
    start = np.concatenate([[0], np.cumsum(wilds * entries)])
    out = np.zeros((4, int(start[-1])), np.float32)
    hands = np.unique(me.hand[me.owner[me.wild]]) if len(me.wild) else np.zeros(0, np.int64)
    row = np.full(len(deal.hands[who].counts), -1, np.int64)
    row[hands] = np.arange(len(hands))
    mine, hers = deal.hands[who].counts[hands], deal.hands[1 - who].counts
    ways = removal(deal.pack, mine, hers) if who == 0 else removal(deal.pack, hers, mine).T.copy()
    lays = np.array([moves.colour_and_n(k) for k in range(moves.num_lays)], np.int64)
    left = int(deal.pack.sum()) - sum(deal.sizes)
    hers_plan_main = np.where(other.plan >= 0, other.main, -1)
    for s, signs in enumerate(SIGNS):
        _fill_pairs(
            who, me.wild, me.wild_start, me.owner, me.main, me.hand, me.lay,
            other.start, other.first, other.owner, hers_plan_main, other.main, other.hand, other.lay,
            deal.hands[who].counts, hers, row, ways, lays, deal.pack, left, moves.most,
            signs[who], signs[1 - who], moves.rules.levels, moves.rules.joker_points,
            careless, limits[0], limits[1], start, out[s],
        )  # fmt: skip
    return start, out


@allocating_rule
def _fill_pairs(
    who, wild, wild_start, my_owner, my_main, my_hand, my_lay,
    start, first, owner, flat_main, main, hand, lay,
    my_counts, counts, row, ways, lays, pack, left, most,
    sign, other_sign, levels, joker_points, careless, limit, limit_both, pair_start, out,
):  # fmt: skip
    num_lays = 1 + 2 * most
    tables = np.zeros((num_lays, MAINS, most + 1, most + 1, MAINS))
    known = np.zeros((num_lays, MAINS, most + 1, most + 1), np.bool_)
    ways_of_two = np.zeros((2, 2, 17))
    fill_pairs(pack, ways_of_two)
    for node in range(len(start) - 1):
        e0, e1 = first[start[node]], first[start[node + 1]]
        for w in range(wild_start[node], wild_start[node + 1]):
            e = wild[w]
            mine = my_owner[e]
            x = my_counts[my_hand[mine]]
            n, colour = lays[my_lay[mine], 1], lays[my_lay[mine], 0]
            at = pair_start[node] + (w - wild_start[node]) * (e1 - e0)
            known[:] = False
            for g in range(e0, e1):
                hers = owner[g]
                y = counts[hand[hers]]
                weight = ways[row[my_hand[mine]], hand[hers]]
                k = lay[hers]
                if weight == 0.0:
                    continue
                if flat_main[g] >= 0:
                    m, r, b = flat_main[g], y[RED_TRUMP], y[BLACK_TRUMP]
                    table = tables[k, m, r, b]
                    if not known[k, m, r, b]:
                        known[k, m, r, b] = True
                        draw_table(
                            who, my_main[e] - WILD_MAIN, colour, n, sign,
                            m, lays[k, 0], lays[k, 1], other_sign,
                            pack[RED_TRUMP] - x[RED_TRUMP] - r, pack[BLACK_TRUMP] - x[BLACK_TRUMP] - b, left,
                            levels, joker_points, careless, limit, table,
                        )  # fmt: skip
                    out[at + g - e0] = weight * flat_value(table, pack, x, y)
                elif who == 0:
                    out[at + g - e0] = weight * both_wild(
                        my_main[e] - WILD_MAIN, colour, n, sign,
                        main[g] - WILD_MAIN, lays[k, 0], lays[k, 1], other_sign,
                        pack, x, y, left, levels, joker_points, careless, limit_both, ways_of_two,
                    )  # fmt: skip

"""Values of a fighter's entries against the other's way of playing: the one sum that all else needs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from evaluation.solve.deal import Floats, Hands, Ints
from evaluation.solve.layout import Layout
from fm_env.compiled import allocating_rule

Int32s = npt.NDArray[np.int32]


class Arrays(NamedTuple):
    """A layout as compiled code takes it; `me` and `other` are chosen by the caller."""

    local: Int32s
    num_local: Int32s
    plans: Int32s
    gain_start: Ints
    gains: Floats
    starts: tuple[Ints, Ints]
    pairs: tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]


def arrays_of(layout: Layout) -> Arrays:
    """The parts of a layout that both fighters share."""
    return Arrays(
        layout.local,
        layout.num_local,
        layout.plans,
        layout.gain_start,
        layout.gains,
        layout.pair_start,
        layout.pairs,
    )


def hands_of(layout: Layout) -> tuple[Hands, Hands]:
    """Hands of both fighters."""
    return layout.moves.deal.hands


@allocating_rule
def entry_values(shared, s, who, me, my_hands, other, her_hands, reach, out):
    """Value of each entry of `who` under declarations `s`, weighted by the other's hands and reach.

    Args:
        shared: `Arrays`.
        s: index of the declarations in `moves.SIGNS`.
        who: 0 for the attacker.
        me: her `Side`.
        my_hands: her `Hands`.
        other: the other's `Side`.
        her_hands: the other's `Hands`.
        reach: `[E]` f8 of the other: how likely she plays each entry given its hand.
        out: `[E]` f8, filled with `sum_y prod C(p - x, y) reach(y) points`, points from `who`'s side.
    """
    most = max(1, shared.num_local.max())
    sums = np.zeros((most, 40))
    worth = np.zeros((most, 40))
    for node in range(len(me.start) - 1):
        n = shared.num_local[node]
        mine, hers = shared.plans[node, who], shared.plans[node, 1 - who]
        local = shared.local[node]
        sums[:n, :hers] = 0.0
        for i in range(other.start[node], other.start[node + 1]):
            e0, e1 = other.first[i], other.first[i + 1]
            some = False
            for e in range(e0, e1):
                some |= reach[e] > 0.0 and other.plan[e] >= 0
            if not some:
                continue
            h = other.hand[i]
            for k in range(her_hands.sub.shape[1]):
                sub = her_hands.sub[h, k]
                if sub >= 0 and local[sub] >= 0:
                    row, c = local[sub], her_hands.spread[h, k]
                    for e in range(e0, e1):
                        if other.plan[e] >= 0:
                            sums[row, other.plan[e]] += c * reach[e]
        points = shared.gains[s, shared.gain_start[node] : shared.gain_start[node + 1]]
        for row in range(n):
            worth[row, :mine] = 0.0
            for q in range(hers):
                c = sums[row, q]
                if c != 0.0:
                    if who == 0:
                        for p in range(mine):
                            worth[row, p] += c * points[p * hers + q]
                    else:
                        for p in range(mine):
                            worth[row, p] -= c * points[q * mine + p]
        for i in range(me.start[node], me.start[node + 1]):
            e0, e1 = me.first[i], me.first[i + 1]
            for e in range(e0, e1):
                out[e] = 0.0
            h = me.hand[i]
            for k in range(my_hands.sub.shape[1]):
                sub = my_hands.sub[h, k]
                if sub >= 0 and local[sub] >= 0:
                    row, c = local[sub], my_hands.gather[h, k]
                    for e in range(e0, e1):
                        if me.plan[e] >= 0:
                            out[e] += c * worth[row, me.plan[e]]
        add_wilds(shared, s, who, node, me, my_hands, other, her_hands, reach, out)


@allocating_rule
def add_wilds(shared, s, who, node, me, my_hands, other, her_hands, reach, out):
    """Add pairs with a wild trump on either side."""
    e0, e1 = me.first[me.start[node]], me.first[me.start[node + 1]]
    g0, g1 = other.first[other.start[node]], other.first[other.start[node + 1]]
    sign = 1.0 if who == 0 else -1.0
    mine, hers = shared.pairs[who][s], shared.pairs[1 - who][s]
    # Pairs hold the ways of a defender's hand beside an attacker's; the other way round they need
    # the ratio of both hands' own ways.
    for w in range(me.wild_start[node], me.wild_start[node + 1]):
        e = me.wild[w]
        at = shared.starts[who][node] + (w - me.wild_start[node]) * (g1 - g0)
        total = 0.0
        for g in range(g0, g1):
            if who == 0:
                total += mine[at + g - g0] * reach[g]
            else:
                total += mine[at + g - g0] * reach[g] * her_hands.ways[other.hand[other.owner[g]]]
        if who == 1:
            total /= my_hands.ways[me.hand[me.owner[e]]]
        out[e] += sign * total
    for w in range(other.wild_start[node], other.wild_start[node + 1]):
        g = other.wild[w]
        if reach[g] == 0.0:
            continue
        at = shared.starts[1 - who][node] + (w - other.wild_start[node]) * (e1 - e0)
        c = sign * reach[g] * (1.0 if who == 0 else her_hands.ways[other.hand[other.owner[g]]])
        for e in range(e0, e1):
            if hers[at + e - e0] != 0.0:
                own = 1.0 if who == 0 else my_hands.ways[me.hand[me.owner[e]]]
                out[e] += c * hers[at + e - e0] / own

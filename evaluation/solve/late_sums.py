"""Summing up what was answered after the numbers: compiled parts of `late`."""

from __future__ import annotations

import numpy as np

from evaluation.solve.ends import (
    ANSWER_TURNS,
    CHEATS,
    JOKER_MAIN,
    NO_MAIN,
    NOBODY,
    WILD_MAIN,
    against_no_card,
    two_numbers,
)
from evaluation.solve.late_rows import main_of
from evaluation.solve.wild import BLACK_TRUMP, MAINS, RED_TRUMP, chain
from fm_env.compiled import allocating_rule, rule


@rule
def combine(sums, mode):
    """Best that can be made of branch and option sums `[2, 9]`, the answering fighter's points."""
    options = 9 if mode >= 4 else 1
    best0, best1 = sums[0, 0], sums[1, 0]
    for o in range(1, options):
        best0 = max(best0, sums[0, o])
        best1 = max(best1, sums[1, o])
    kind = mode & 3
    if kind == CHEATS:
        return best0
    return max(best0, best1) if kind == ANSWER_TURNS else best0 + best1


@allocating_rule
def spread_late(
    local, num_local, plans, sign, me, my_hands, other, her_hands, node,
    entry, kind, cards, piles, mode, values, reach, out,
):  # fmt: skip
    """Add the values of pairs without wild trumps to `out[E]`; rows are sorted by the policy's main."""
    sums = np.zeros((num_local, plans, 18))
    modes = np.zeros(plans, np.int64)
    mine = np.zeros((2, 9))
    at = 0
    while at < len(entry):
        stop = at
        while stop < len(entry) and cards[stop, 2] == cards[at, 2]:
            stop += 1
        modes[:] = 0
        for k in range(at, stop):
            modes[kind[k]] = max(modes[kind[k]], mode[k])
        for p in range(plans):
            if modes[p] > 0:
                sums[:, p] = 0.0
        for k in range(at, stop):
            r = sign * reach[entry[k]]
            if r == 0.0:
                continue
            options = 9 if mode[k] >= 4 else 1
            branches = 2 if (mode[k] & 3) >= ANSWER_TURNS else 1
            h = cards[k, 0]
            for j in range(her_hands.sub.shape[1]):
                sub = her_hands.sub[h, j]
                if sub >= 0 and local[sub] >= 0:
                    c = r * her_hands.spread[h, j]
                    for b in range(branches):
                        for o in range(options):
                            sums[local[sub], kind[k], 9 * b + o] += c * values[k, b, o]
        for i in range(me.start[node], me.start[node + 1]):
            h = me.hand[i]
            for e in range(me.first[i], me.first[i + 1]):
                p = me.plan[e]
                if p < 0 or modes[p] == 0:
                    continue
                options = 9 if modes[p] >= 4 else 1
                branches = 2 if (modes[p] & 3) >= ANSWER_TURNS else 1
                mine[:] = 0.0
                for j in range(my_hands.sub.shape[1]):
                    sub = my_hands.sub[h, j]
                    if sub >= 0 and local[sub] >= 0:
                        c = my_hands.gather[h, j]
                        for b in range(branches):
                            for o in range(options):
                                mine[b, o] += c * sums[local[sub], p, 9 * b + o]
                out[e] += combine(mine, modes[p])
        at = stop


@rule
def ways_beside(pack, x, y):
    """`prod C(p - x, y)`."""
    ways = 1.0
    for t in range(len(pack)):
        for k in range(y[t]):
            ways *= (pack[t] - x[t] - k) / (k + 1)
    return ways


@rule
def draw_chance(pack, x, y, left, wild_a, wild_d, piles):
    """Chance of the piles beneath wild trumps (-1: none of that fighter), the attacker's drawn first."""
    reds = pack[RED_TRUMP] - x[RED_TRUMP] - y[RED_TRUMP]
    blacks = pack[BLACK_TRUMP] - x[BLACK_TRUMP] - y[BLACK_TRUMP]
    p = 1.0
    for who in range(2):
        wild = wild_a if who == 0 else wild_d
        if wild < 0:
            continue
        red = piles[who, 0] - (wild == 0)
        black = piles[who, 1] - (wild == 1)
        c = piles[who, 2]
        n = pack[c] - x[c] - y[c]
        if who == 1 and wild_a >= 0 and piles[0, 2] == c:
            n -= 1
        if red < 0 or black < 0 or red > reds or black > blacks or n <= 0:
            return 0.0
        p *= chain(red, black, reds, blacks, left) * n / (left - red - black)
        reds -= red
        blacks -= black
        left -= red + black + 1
    return p


@rule
def same_group(cards, piles, kind, a, b):
    """Whether the answering fighter sees the same in two rows."""
    if kind[a] != kind[b] or cards[a, 2] != cards[b, 2]:
        return False
    for who in range(2):
        for j in range(3):
            if piles[a, who, j] != piles[b, who, j]:
                return False
    return True


@allocating_rule
def add_wild_late(
    who, pack, left, me, my_counts, counts, node,
    entry, kind, cards, piles, mode, values, planned, reach, out,
):  # fmt: skip
    """Add, for pairs with wild trumps, what they gain on the values that `planned` stands for."""
    ways = np.zeros(len(counts))
    stamp = np.full(len(counts), -1, np.int64)
    sums = np.zeros((2, 9))
    sign = 1.0 if who == 1 else -1.0
    for i in range(me.start[node], me.start[node + 1]):
        x = my_counts[me.hand[i]]
        for e in range(me.first[i], me.first[i + 1]):
            my_kind = me.plan[e] if me.plan[e] >= 0 else 2 * MAINS + me.slot[i]
            my_wild = me.main[e] - WILD_MAIN if me.main[e] >= WILD_MAIN else -1
            at = np.searchsorted(kind, my_kind)
            end = np.searchsorted(kind, my_kind, side="right")
            while at < end:
                stop = at
                sums[:] = 0.0
                base = 0.0
                top = 0
                while stop < end and same_group(cards, piles, kind, at, stop):
                    k = stop
                    stop += 1
                    h = cards[k, 0]
                    r = reach[entry[k]]
                    if r == 0.0:
                        continue
                    if stamp[h] != i:
                        stamp[h] = i
                        ways[h] = ways_beside(pack, x, counts[h])
                    if ways[h] == 0.0:
                        continue
                    her_wild = cards[k, 2] - WILD_MAIN if cards[k, 2] >= WILD_MAIN else -1
                    if who == 1:
                        p = draw_chance(pack, x, counts[h], left, my_wild, her_wild, piles[k])
                    else:
                        p = draw_chance(pack, counts[h], x, left, her_wild, my_wild, piles[k])
                    weight = sign * p * ways[h] * r
                    if weight == 0.0:
                        continue
                    base += weight * planned[k]
                    top = max(top, mode[k])
                    options = 9 if mode[k] >= 4 else 1
                    for b in range(2):
                        for o in range(9):
                            sums[b, o] += weight * values[k, b, o if options == 9 else 0]
                if top > 0:
                    out[e] += combine(sums, top) - base
                at = stop


@allocating_rule
def best_ends(who, sign_a, sign_d, cards, piles, lays, levels, out):
    """Points of each row when nothing is answered badly."""
    for k in range(len(cards)):
        mine, hers = (0, 3) if who == 0 else (3, 0)
        lay_a, a = lays[cards[k, mine + 1]], cards[k, mine + 2]
        lay_d, d = lays[cards[k, hers + 1]], cards[k, hers + 2]
        a = main_of(piles[k, 0, 2]) if a >= WILD_MAIN else a
        d = main_of(piles[k, 1, 2]) if d >= WILD_MAIN else d
        red_a, black_a, red_d, black_d = piles[k, 0, 0], piles[k, 0, 1], piles[k, 1, 0], piles[k, 1, 1]
        if a >= JOKER_MAIN or d == JOKER_MAIN:  # only asked about where a joker counts
            out[k] = -1.0 if d == JOKER_MAIN and a != NO_MAIN else 0.0
        elif d == NO_MAIN:
            out[k] = against_no_card(a, sign_a, lay_a[0], lay_a[1], lay_d[1], red_a, black_a, levels, NOBODY)
        else:
            out[k] = two_numbers(
                a, d, sign_a, sign_d, lay_a[0], lay_a[1], lay_d[0], lay_d[1],
                red_a, black_a, red_d, black_d, levels, NOBODY,
            )  # fmt: skip

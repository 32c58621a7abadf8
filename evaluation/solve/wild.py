"""What a wild trump is worth before its draws (U-18, U-19, U-29).

Whoever lays a wild trump holds no number, so few hands do; but the draws come from what both hands
leave in the deck, so these values depend on both hands and are kept pair by pair.
"""

from __future__ import annotations

from evaluation.solve.ends import (
    JOKER_MAIN,
    NO_MAIN,
    NOBODY,
    against_no_card,
    gain,
    joker_points_of,
    points,
    split,
    two_numbers,
)
from fm_env.compiled import rule

RED_TRUMP = 18
BLACK_TRUMP = 19
JOKER_TYPE = 20
MAINS = 20
"""Codes of main cards that are not wild: see `ends`."""

LAST = 19
"""Entry of a draw's table for "the deck ran out"; 0 to 17 are numbers and 18 is a joker."""


@rule
def chain(red, black, left_red, left_black, left):
    """Chance that the next `red + black` of `left` cards are that many trumps, in any order."""
    p = 1.0
    for k in range(red):
        p *= (left_red - k) / (left - k)
    for k in range(black):
        p *= (left_black - k) / (left - red - k)
    for k in range(black):  # orders
        p *= (red + k + 1) / (k + 1)
    return p


@rule
def draw_table(
    who, wild, lay_colour, lay_n, sign, main, other_colour, other_n, other_sign,
    left_red, left_black, left, levels, joker_points, careless, limit, out,
):  # fmt: skip
    """Points of `who`'s wild trump against a main card that is not wild.

    `out[c]` is to be multiplied by how many cards of type c are left (0 to 17, and 18 for jokers),
    and `out[LAST]` is added as it is. The seat `careless` (or NOBODY) plays badly once more than
    `limit` trumps lie open.
    """
    out[:] = 0.0
    if who == 1 and main == NO_MAIN:
        return  # called off: nothing is drawn
    for red in range(left_red + 1):
        for black in range(left_black + 1):
            p = chain(red, black, left_red, left_black, left)
            open_red = red + (wild == 0)
            open_black = black + (wild == 1)
            bad = careless if open_red + open_black > limit else NOBODY
            if red + black == left:  # never asked about
                if who == 1 and main < JOKER_MAIN:
                    out[LAST] += p * against_no_card(
                        main, other_sign, other_colour, other_n, lay_n, 0, 0, levels, careless
                    )
                elif who == 1:
                    out[LAST] += p * joker_points_of(True, False, joker_points, careless)
                continue
            p /= left - red - black
            for c in range(18):
                out[c] += p * number_drawn(
                    who, c, lay_colour, lay_n, sign, main, other_colour, other_n, other_sign,
                    open_red, open_black, levels, joker_points, bad,
                )  # fmt: skip
            if who == 0:
                out[JOKER_MAIN] += p * joker_points_of(True, main == JOKER_MAIN, joker_points, bad)
            else:
                out[JOKER_MAIN] += p * joker_points_of(main == JOKER_MAIN, True, joker_points, bad)


@rule
def number_drawn(
    who, c, lay_colour, lay_n, sign, main, other_colour, other_n, other_sign,
    red, black, levels, joker_points, careless,
):  # fmt: skip
    """Points once `who`'s wild trump has become number `c`."""
    if main == JOKER_MAIN:
        return joker_points_of(who == 1, who == 0, joker_points, careless)
    if who == 0:
        if main == NO_MAIN:
            return against_no_card(c, sign, lay_colour, lay_n, other_n, red, black, levels, careless)
        return two_numbers(
            c, main, sign, other_sign, lay_colour, lay_n, other_colour, other_n, red, black, 0, 0,
            levels, careless,
        )  # fmt: skip
    return two_numbers(
        main, c, other_sign, sign, other_colour, other_n, lay_colour, lay_n, 0, 0, red, black,
        levels, careless,
    )  # fmt: skip


@rule
def flat_value(table, pack, x, y):
    """Points of a `draw_table` for the deck that hands `x` and `y` leave."""
    value = table[LAST]
    for c in range(18):
        value += table[c] * (pack[c] - x[c] - y[c])
    return value + table[JOKER_MAIN] * (pack[JOKER_TYPE] - x[JOKER_TYPE] - y[JOKER_TYPE])


@rule
def fill_pairs(pack, pairs):
    """`pairs[2, 2, 17]`: ways of drawing two numbers, by both colours and by the difference + 8."""
    pairs[:] = 0.0
    for a in range(18):
        for d in range(18):
            pairs[a & 1, d & 1, a // 2 - d // 2 + 8] += pack[a] * (pack[d] - (a == d))


@rule
def both_wild(
    wild_a, colour_a, n_a, sign_a, wild_d, colour_d, n_d, sign_d, pack, x, y, left,
    levels, joker_points, careless, limit, pairs,
):  # fmt: skip
    """Points of a wild trump against a wild trump; the attacker draws first, from hands without numbers."""
    shown = n_a > 0 and n_d > 0
    reds = pack[RED_TRUMP] - x[RED_TRUMP] - y[RED_TRUMP]
    blacks = pack[BLACK_TRUMP] - x[BLACK_TRUMP] - y[BLACK_TRUMP]
    jokers = pack[JOKER_TYPE] - x[JOKER_TYPE] - y[JOKER_TYPE]
    value = 0.0
    for ra in range(reds + 1):
        for ba in range(blacks + 1):
            p = chain(ra, ba, reds, blacks, left)
            left_a = left - ra - ba
            if left_a == 0:
                continue
            p /= left_a
            left_d = left_a - 1
            for rd in range(reds - ra + 1):
                for bd in range(blacks - ba + 1):
                    if rd + bd > left_d:
                        continue
                    q = p * chain(rd, bd, reds - ra, blacks - ba, left_d)
                    if q == 0.0:
                        continue
                    red_a, black_a = ra + (wild_a == 0), ba + (wild_a == 1)
                    if rd + bd == left_d:
                        for a in range(18):
                            if pack[a] > 0:
                                value += (
                                    q
                                    * pack[a]
                                    * against_no_card(
                                        a, sign_a, colour_a, n_a, n_d, red_a, black_a, levels, careless
                                    )
                                )
                        continue
                    q /= left_d - rd - bd
                    red_d, black_d = rd + (wild_d == 0), bd + (wild_d == 1)
                    bad = careless if max(red_a + black_a, red_d + black_d) > limit else NOBODY
                    numbers = left_a - (reds - ra) - (blacks - ba) - jokers
                    value += q * numbers * jokers * joker_points_of(False, True, joker_points, bad)
                    value += q * numbers * jokers * joker_points_of(True, False, joker_points, bad)
                    value += q * jokers * (jokers - 1) * joker_points_of(True, True, joker_points, bad)
                    for ca in range(2):
                        for cd in range(2):
                            rel = 1 if ca == cd else -1
                            match, caught, hidden, off = split(ca, colour_a, n_a, shown, red_a, black_a)
                            shift = gain(rel, sign_a, match, caught, hidden, off, bad == 0, bad == 1)
                            match, caught, hidden, off = split(cd, colour_d, n_d, shown, red_d, black_d)
                            shift -= gain(rel, sign_d, match, caught, hidden, off, bad == 1, bad == 0)
                            for k in range(17):
                                if pairs[ca, cd, k] > 0.0:
                                    value += q * pairs[ca, cd, k] * points(rel * (k - 8) + shift, levels)
    return value

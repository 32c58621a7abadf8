"""Poker dice: what a pool can show, how likely, and who is ahead.

A throw is known by its Aces, Kings, Queens and Jacks; nine and ten are one class, since no rule
tells them apart in a pool (A-02). Such throws are numbered by how many of these four they show in
all, so that a pool of n dice has the first `POOL_ENDS[n]` of them. Single dice thrown against each
other until one is higher are one event with two outcomes.
"""

from __future__ import annotations

from math import comb, factorial, prod

import numpy as np

from fm_env.compiled import rule
from fm_env.games.angry_miniatures.constants import MAX_DICE

SIDES = ("A", "K", "Q", "J", "10", "9")
"""From the highest to the lowest (A:18)."""
LETTERS = "AKQJ"
ACES, KINGS, QUEENS, JACKS = range(4)


def all_throws() -> list[tuple[int, int, int, int]]:
    """(Aces, Kings, Queens, Jacks) of every throw of up to `MAX_DICE` dice, fewest first."""
    n = range(MAX_DICE + 1)
    throws = [(a, k, q, j) for a in n for k in n for q in n for j in n if a + k + q + j <= MAX_DICE]
    return sorted(throws, key=lambda throw: (sum(throw), [-count for count in throw]))


_THROWS = all_throws()
THROWS = np.array(_THROWS, np.int8)
"""`[1820, 4]` Aces, Kings, Queens and Jacks of each numbered throw."""
NUM_THROWS = len(_THROWS)
POOL_ENDS = np.array([comb(n + 4, 4) for n in range(MAX_DICE + 1)], np.int64)
"""How many of the numbered throws a pool of n dice can show."""
ORDERS = np.array([factorial(sum(t)) // prod(map(factorial, t)) for t in _THROWS], np.int64)
"""In how many orders the lettered dice of a throw can lie."""
REST = np.array(
    [[comb(n, t) * 2 ** max(0, n - t) for t in range(MAX_DICE + 1)] for n in range(MAX_DICE + 1)], np.int64
)
"""Ways in which the rest of n dice show nines and tens, with t lettered dice among them."""
POWERS = np.array([6**n for n in range(MAX_DICE + 1)], np.int64)

FIRST_HIGHER = NUM_THROWS
SECOND_HIGHER = NUM_THROWS + 1
NUM_OUTCOMES = NUM_THROWS + 2
ONE_HIGHER = sum(a < b for a in range(len(SIDES)) for b in range(len(SIDES)))
"""Of the 36 throws of two dice, those in which the first is higher; as many have the second so."""


@rule
def pool_weights(n, out):
    """Throws of n dice by class, out of 6**n; `out[NUM_OUTCOMES]` is wholly written."""
    begin = 0
    for t in range(n + 1):
        end = POOL_ENDS[t]
        rest = REST[n, t]
        for c in range(begin, end):
            out[c] = ORDERS[c] * rest
        begin = end
    out[begin:] = 0
    return int(POWERS[n])


@rule
def contest_weights(out):
    """Two dice thrown until they differ: which is higher (A-05, A-26)."""
    out[:] = 0
    out[FIRST_HIGHER] = ONE_HIGHER
    out[SECOND_HIGHER] = ONE_HIGHER
    return 2 * ONE_HIGHER


@rule
def hits(roll):
    """Faces: Kings, Queens and Jacks; an Ace is none (A-03)."""
    return int(roll[KINGS]) + int(roll[QUEENS]) + int(roll[JACKS])


@rule
def superior(roll, other):
    """Between equal hits: 1 if `roll` is ahead, -1 if `other` is, 0 for a SuperTieBreaker (A-01, A-03).

    Aces first, then Kings, then Queens. Equal hits, Kings and Queens leave equal Jacks (A-02).
    """
    for side in (ACES, KINGS, QUEENS):
        if roll[side] != other[side]:
            return 1 if roll[side] > other[side] else -1
    return 0


def throw_text(outcome: int) -> str:
    """`AKKJ`; `-` for nines and tens only."""
    return "".join(letter * int(n) for letter, n in zip(LETTERS, THROWS[outcome], strict=True)) or "-"


def outcome_text(outcome: int) -> str:
    """Text of a chance outcome."""
    if outcome < NUM_THROWS:
        return throw_text(outcome)
    return "first higher" if outcome == FIRST_HIGHER else "second higher"

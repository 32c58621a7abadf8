"""Exact values of Kuhn poker between the bots of `tests.kuhn_bots`, by listing every line of play.

Written from the rules and the bots' descriptions, without the engine.
"""

from collections.abc import Callable
from fractions import Fraction
from itertools import permutations

JACK, QUEEN, KING = range(3)

Strategy = Callable[[int, bool], Fraction]
"""Chance of betting (or calling), given the own card and whether a bet is to be answered."""


def passive(card: int, faces_bet: bool) -> Fraction:
    return Fraction(0)


def eager(card: int, faces_bet: bool) -> Fraction:
    return Fraction(1)


def at_random(card: int, faces_bet: bool) -> Fraction:
    return Fraction(1, 2)


def mixed(bluff: Fraction, call: Fraction) -> Strategy:
    def chance(card: int, faces_bet: bool) -> Fraction:
        if card == KING:
            return Fraction(1)
        if card == QUEEN:
            return call if faces_bet else Fraction(0)
        return Fraction(0) if faces_bet else bluff

    return chance


def outcomes(first: Strategy, second: Strategy) -> dict[int, Fraction]:
    """Chance of each result for the first seat: -2, -1, 1 or 2."""
    found = dict.fromkeys((-2, -1, 1, 2), Fraction(0))
    for mine, other in permutations(range(3), 2):
        deal = Fraction(1, 6)
        better = 1 if mine > other else -1
        bets = first(mine, False)
        calls = second(other, True)
        found[2 * better] += deal * bets * calls
        found[1] += deal * bets * (1 - calls)
        bets_back = second(other, False)
        calls_back = first(mine, True)
        found[better] += deal * (1 - bets) * (1 - bets_back)
        found[2 * better] += deal * (1 - bets) * bets_back * calls_back
        found[-1] += deal * (1 - bets) * bets_back * (1 - calls_back)
    return found


def value(first: Strategy, second: Strategy) -> Fraction:
    """Expected points of the first seat."""
    return sum((points * chance for points, chance in outcomes(first, second).items()), Fraction(0))


def win_rate(first: Strategy, second: Strategy) -> Fraction:
    """Chance that the first seat wins."""
    found = outcomes(first, second)
    return found[1] + found[2]

"""What a tournament is asked, and when it may stop.

Looking at results again and again and stopping at the first clear one is cheating, unless the
risk of error is shared out among the looks. Here it is spent as Lan and DeMets do (1983, "Discrete
sequential boundaries for clinical trials"): the looks are planned before the first game, and each
gets a share of the error rate. The shares add up to it, so whatever the dependence between looks,
the chance that an interval ever excludes the truth is at most their sum (union bound; Jennison and
Turnbull 1989 call these "repeated confidence intervals").

Several pairs are compared at once; each gets an equal part of the error rate (Bonferroni), so that
the intervals of all pairs hold together.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from evaluation.stats import t_quantile
from evaluation.tournament.design import Group, meetings

ERROR = 0.05
"""Chance that any claim of the whole tournament is wrong, by default."""

LAST_SHARE = 0.8
"""Of the error rate for the last look; the earlier looks share the rest equally. So little is lost at
the end (about 5 % more games for the same power) and clear differences still end early."""


@dataclass(frozen=True)
class Question:
    """What is asked, and when the answer is looked at."""

    kind: str = "all"
    """`all`: for each pair, who is better; `best`: is there an agent better than each other one; `pair`: is
    agent `of[0]` better than agent `of[1]`, or the other way round."""
    of: tuple[int, ...] = ()
    """The two agents of a `pair`."""
    error: float = ERROR
    """Chance that any claim is wrong."""
    looks: tuple[int, ...] = ()
    """Rounds after which results are looked at, ascending; the last is the tournament's number of
    rounds. Empty: only at the end."""

    def levels(self, num_pairs: int) -> tuple[float, ...]:
        """Confidence level of a pair's interval at each look."""
        compared = 1 if self.kind == "pair" else num_pairs
        early = max(len(self.looks) - 1, 0)
        shares = [(1 - LAST_SHARE) / early] * early + [LAST_SHARE] if early else [1.0]
        return tuple(1 - self.error * share / compared for share in shares)


FRACTIONS = (1 / 16, 1 / 8, 1 / 4, 1 / 2)
"""Of the rounds, when to look before the end: each time after twice as many."""

FIRST_LOOK = 20
"""Rounds; too few for intervals to say anything before."""

POWER = 0.85
"""Chance that a tournament of the planned size tells 55 from 45 apart; promised are 0.8, so that a little
less independence than planned with breaks no promise."""

EDGE = 0.05
"""Of an agent that scores 55 against one that scores 45, over one half."""


def looks_for(rounds: int) -> tuple[int, ...]:
    """When to look at a tournament that may stop early."""
    early = sorted({math.ceil(rounds * fraction) for fraction in FRACTIONS})
    return (*(look for look in early if FIRST_LOOK <= look < rounds), rounds)


def planned_rounds(groups: Sequence[Group], num_agents: int, question: Question) -> int:
    """Rounds after which agents that score 55 against 45 are told apart with a chance of `POWER`.

    Every pair alone has that chance, with the intervals that hold for all pairs together. Games are
    taken to be independent: where sharing the luck saves games, fewer would do, and where games of
    a block resemble each other, more are needed.

    Args:
        groups: of the tournament.
        num_agents: n.
        question: with or without looks before the end.
    """
    together = meetings(groups, num_agents)[np.triu_indices(num_agents, 1)]
    level = question.levels(len(together))[-1]
    blocks = planned_blocks(level, min(len(group.orders) for group in groups))
    return math.ceil(blocks / int(together.min()))


def planned_blocks(level: float, games: int, edge: float = EDGE, power: float = POWER) -> int:
    """Blocks after which `mean_interval` excludes one half with the chance `power`.

    Args:
        level: of the interval.
        games: of a block; independent, and without draws.
        edge: true score over one half.
        power: the chance.
    """
    variance = (0.25 - edge**2) / games
    wanted = NormalDist().inv_cdf(power)

    def is_enough(n: int) -> bool:
        # As mean_interval reckons, with its two invented observations.
        squares = n * variance + 0.5 + 2 * (edge * n / (n + 2)) ** 2
        half_width = t_quantile(level, n + 1) * math.sqrt(squares / (n + 1) / (n + 2))
        return edge * n / (n + 2) - half_width >= wanted * math.sqrt(variance * n) / (n + 2)

    low, high = 1, 2
    while not is_enough(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    return high

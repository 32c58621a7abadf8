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

from dataclasses import dataclass

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

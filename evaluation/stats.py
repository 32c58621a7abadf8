"""Means, intervals and verdicts for games that share their luck.

Games come in blocks: the same cards, dealt once for every seating. Games of a block depend on
each other, so the block's mean, not the game, is the observation behind every interval here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Literal

import numpy as np
import numpy.typing as npt

LEVEL = 0.95
"""Every interval of the package covers the truth in this share of repetitions (or more)."""

Floats = npt.NDArray[np.float64]
Verdict = Literal["beats", "loses to", "undecided"]


@dataclass(frozen=True)
class Interval:
    """A mean with its confidence interval."""

    mean: float
    low: float
    high: float
    blocks: int
    """Independent observations behind it (blocks of games that share their luck)."""

    def __str__(self) -> str:
        return f"{self.mean:.3f} [{self.low:.3f}, {self.high:.3f}]"


def mean_interval(values: Floats, low: float, high: float, level: float = LEVEL) -> Interval:
    """Mean of independent observations and an interval that holds for few of them, too.

    Student's t on the observations and two invented ones, one at either bound (as Agresti and
    Coull add successes and failures). Without them, two wins in two games would give the
    interval [1, 1]; with them coverage stays at or above the level from one observation on
    (`tests/evaluation/test_stats.py` measures it) and for thousands they no longer matter.

    Args:
        values: `[n]`, one value a block, n >= 1.
        low: smallest value an observation can take.
        high: largest.
        level: share of repetitions in which the interval should cover the true mean.
    """
    n = len(values)
    if n == 0:
        raise ValueError("mean_interval needs at least one value")
    mean = float(np.mean(values))
    padded_mean = (mean * n + low + high) / (n + 2)
    squares = (
        float(np.sum((values - padded_mean) ** 2)) + (low - padded_mean) ** 2 + (high - padded_mean) ** 2
    )
    half_width = t_quantile(level, n + 1) * math.sqrt(squares / (n + 1) / (n + 2))
    # The raw mean is shown, so the interval is widened to hold it where few games all end alike.
    return Interval(
        mean,
        max(low, min(mean, padded_mean - half_width)),
        min(high, max(mean, padded_mean + half_width)),
        n,
    )


def t_quantile(level: float, degrees: int) -> float:
    """Two-sided quantile of Student's t, e.g. 2.228 for level 0.95 and 10 degrees of freedom.

    Abramowitz and Stegun 26.7.5; within 0.8 % at 2 degrees, 0.2 % at 3, exact to 4 digits from 8.
    """
    z = NormalDist().inv_cdf((1 + level) / 2)
    return (
        z
        + (z**3 + z) / (4 * degrees)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * degrees**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * degrees**3)
        + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * degrees**4)
    )


def wilson(wins: float, games: int, level: float = LEVEL) -> tuple[float, float]:
    """Wilson's score interval of a win rate, as if all games were independent.

    Only a check on `mean_interval`: shared luck makes the true interval narrower where the games of
    a block offset each other, and wider where they repeat each other.
    """
    z = NormalDist().inv_cdf((1 + level) / 2)
    rate = wins / games
    centre = (rate + z * z / (2 * games)) / (1 + z * z / games)
    half_width = z / (1 + z * z / games) * math.sqrt(rate * (1 - rate) / games + (z / (2 * games)) ** 2)
    return centre - half_width, centre + half_width


def verdict(score: Interval) -> Verdict:
    """What a score (win rate, a draw is half a win) allows us to say: nothing unless clear of 0.5."""
    if score.low > 0.5:
        return "beats"
    if score.high < 0.5:
        return "loses to"
    return "undecided"


def scores(returns: Floats) -> Floats:
    """Score of every seat: share of the other seats it finished ahead of, ties counting half.

    Args:
        returns: `[..., S]`, the returns of the S >= 2 seats of each game.

    Returns:
        `[..., S]`; with two seats 1 is a win, 0.5 a draw, 0 a loss.
    """
    ahead = returns[..., :, None] - returns[..., None, :]
    beaten = (ahead > 0).sum(-1) + 0.5 * ((ahead == 0).sum(-1) - 1)
    return np.asarray(beaten / (returns.shape[-1] - 1), np.float64)


def luck_saved(values: Floats) -> float | None:
    """How many times more games with unshared luck would be needed for an interval as narrow.

    Args:
        values: `[blocks, games]`, one agent's value in each game of each block.

    Returns:
        Variance of the mean if the games of a block were independent, over its variance with
        shared luck. None where the latter is zero or there are fewer than two blocks.
    """
    blocks, games = values.shape
    if blocks < 2:
        return None
    shared = float(np.var(values.mean(axis=1), ddof=1))
    unshared = float(np.var(values, axis=0, ddof=1).sum()) / games**2
    return unshared / shared if shared > 1e-12 else None

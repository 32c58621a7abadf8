"""Whether agents that say how a game will end are right: reliability, Brier score, log loss.

The games are fresh ones that nobody learned from. What came out is the score: the share of the other
seats that an agent finished ahead of, ties counting half (with two seats a win is 1, a draw 0.5).
Estimates within a game, and games that share their luck, depend on each other; intervals come from
blocks of games.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from agents.estimates import win_estimate
from evaluation.behaviour import rate_of
from evaluation.stats import Floats, Interval, scores
from evaluation.watch import Choices, Ends, Ints, Watcher

BINS = 10
CERTAIN = 1e-6
"""Log loss counts an estimate of 0 or 1 as this far from it, lest one mistake weigh infinitely."""


@dataclass(frozen=True)
class Bin:
    """Estimates between two bounds."""

    low: float
    high: float
    n: int
    """Decisions at which the agent's estimate lay there."""
    estimate: float
    """Their mean."""
    score: Interval
    """What came out on average."""


@dataclass(frozen=True)
class Calibration:
    """How an agent's estimates compare with how its games ended."""

    decisions: int
    blocks: int
    bins: tuple[Bin, ...]
    """Those that hold an estimate, low to high."""
    brier: float
    """Mean squared difference of estimate and score; 0 is perfect."""
    brier_base: float
    """The same for always saying the mean score of these games."""
    log_loss: float
    """Mean cross-entropy, in nats."""
    log_loss_base: float
    error: float
    """Mean distance of a bin's mean estimate from its mean score, weighted by decisions."""

    @property
    def skill(self) -> float:
        """Share of the base rate's Brier score that the estimates save; 0 or less: they are no use."""
        return 1.0 - self.brier / self.brier_base if self.brier_base > 0 else 0.0


def calibration(estimates: Floats, outcomes: Floats, blocks: Ints, bins: int = BINS) -> Calibration | None:
    """Hold estimates against what came out; None without any.

    Args:
        estimates: `[n]` in [0, 1].
        outcomes: `[n]` in [0, 1], the score of the game that the estimate was about.
        blocks: `[n]`, which block of games that was.
        bins: equally wide ones between 0 and 1.
    """
    if len(estimates) == 0:
        return None
    base = float(outcomes.mean())
    which = np.minimum((estimates * bins).astype(int), bins - 1)
    found: list[Bin] = []
    for k in range(bins):
        own = which == k
        if own.any():
            score = _blockwise(outcomes[own], blocks[own])
            found.append(Bin(k / bins, (k + 1) / bins, int(own.sum()), float(estimates[own].mean()), score))
    off = sum(b.n * abs(b.estimate - b.score.mean) for b in found) / len(estimates)
    return Calibration(
        len(estimates),
        len(np.unique(blocks)),
        tuple(found),
        float(np.mean((estimates - outcomes) ** 2)),
        float(np.mean((base - outcomes) ** 2)),
        log_loss(estimates, outcomes),
        log_loss(np.full_like(outcomes, base), outcomes),
        float(off),
    )


class CalibrationWatcher(Watcher):
    """Asks every agent that is to choose how it thinks the game will end."""

    def __init__(self, num_agents: int) -> None:
        """Prepare for agents 0 to `num_agents` - 1."""
        self._pending: list[list[tuple[Ints, Ints, Floats]]] = [[] for _ in range(num_agents)]
        """Of the running wave: games, seats, estimates."""
        self._done: list[list[tuple[Floats, Floats, Ints]]] = [[] for _ in range(num_agents)]
        """Of finished games: estimates, scores, blocks."""

    def saw_choices(self, choices: Choices) -> None:
        """Ask."""
        for k in np.unique(choices.agent):
            own = np.flatnonzero(choices.agent == k)
            estimates = _asked(choices, own)
            if estimates is not None:
                self._pending[k].append((choices.game[own], choices.seat[own], estimates))

    def saw_ends(self, ends: Ends) -> None:
        """Note what came out."""
        score = scores(ends.returns)
        for k, pending in enumerate(self._pending):
            for games, seats, estimates in pending:
                self._done[k].append((estimates, score[games, seats], ends.block[games]))
            pending.clear()

    def calibration(self, agent: int) -> Calibration | None:
        """How right an agent was; None if it doesn't say what it expects."""
        if not self._done[agent]:
            return None
        estimates, outcomes, blocks = (np.concatenate(part) for part in zip(*self._done[agent], strict=True))
        return calibration(estimates, outcomes, blocks)


def _asked(choices: Choices, own: Ints) -> Floats | None:
    """Estimates at some rows: of one object for all, or of each game's copy."""
    first = choices.players[int(own[0])]
    if first.plays_batches:
        return win_estimate(first, choices.observations[own], choices.masks[own])
    found: list[Floats] = []
    for row in own.tolist():
        one = slice(row, row + 1)
        estimate = win_estimate(choices.players[row], choices.observations[one], choices.masks[one])
        if estimate is None:
            return None
        found.append(estimate)
    return np.concatenate(found)


def _blockwise(values: Floats, blocks: Ints) -> Interval:
    """Mean over decisions with an interval over blocks, weighted by their decisions."""
    _, which = np.unique(blocks, return_inverse=True)
    sums = np.bincount(which, weights=values).astype(float)
    counts = np.bincount(which).astype(float)
    rate = rate_of(sums, counts, share=True)
    assert rate is not None
    return Interval(rate.rate, rate.low, rate.high, rate.blocks)


def log_loss(estimates: Floats, outcomes: Floats) -> float:
    """Mean cross-entropy of chances `[n]` and what came out `[n]`, in nats."""
    p = np.clip(estimates, CERTAIN, 1.0 - CERTAIN)
    return float(-np.mean(outcomes * np.log(p) + (1.0 - outcomes) * np.log1p(-p)))

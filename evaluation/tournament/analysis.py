"""What the results of a tournament show: who is better than whom, ratings, seats, luck."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from evaluation.meta import alpha_rank, nash_average
from evaluation.ratings import ELO, fit
from evaluation.stats import LEVEL, Interval, mean_interval, scores
from evaluation.tournament.design import pairs
from evaluation.tournament.resampling import group_sums, resampled, summed
from evaluation.tournament.results import Header, Results
from evaluation.tournament.stopping import PairScore, is_complete, pair_scores, pair_values

Floats = npt.NDArray[np.float64]

SAMPLES = 1000
"""Bootstrap samples behind the intervals of ratings and alpha-rank."""

NASH_SAMPLES = 50
"""The same for the Nash average, which takes some 30 ms each."""

SCHEMA = "fm-env-ratings-1"
"""Version of the JSON form."""


@dataclass(frozen=True)
class Rating:
    """An agent's strength on Elo's scale; the mean of all agents is 0."""

    agent: int
    elo: float
    low: float
    """Bootstrap over blocks; covers the true value in 95 % of tournaments, for this agent alone."""
    high: float


@dataclass(frozen=True)
class SeatScore:
    """What a seat is worth: agents sit on each equally often, so without advantage the score is 0.5."""

    seat: int
    score: Interval
    """Share of the others that the seat finishes ahead of. Intervals of all seats hold together."""
    points: Interval
    """Mean return."""


@dataclass(frozen=True)
class Analysis:
    """Everything the tables show."""

    results: Results
    pairs: tuple[PairScore, ...]
    payoffs: Floats
    """`[n, n]`, score of the row against the column over all games; 0.5 on the diagonal."""
    ratings: tuple[Rating, ...]
    seats: tuple[SeatScore, ...]
    luck_saved: float | None
    """How many times more games with unshared luck would say as much."""
    alpha_rank: Floats
    """`[n]`, shares of 1."""
    alpha_rank_interval: Floats
    """`[n, 2]`, 95 % by bootstrap."""
    nash: Floats
    """`[n]`, weights of the Nash average."""
    nash_interval: Floats
    """`[n, 2]`, 95 % by bootstrap."""
    faults: dict[int, dict[str, int]]
    complete: bool
    """All rounds that the question needs were played. If not, no claims are made."""

    @property
    def header(self) -> Header:
        """Of the tournament."""
        return self.results.header

    @property
    def ranking(self) -> list[int]:
        """Agents by falling rating."""
        return [rating.agent for rating in sorted(self.ratings, key=lambda r: (-r.elo, r.agent))]

    def pair(self, first: int, second: int) -> PairScore:
        """How `first` did against `second`."""
        for score in self.pairs:
            if score.pair == (first, second):
                return score
            if score.pair == (second, first):
                turned = score.score
                mirrored = Interval(1 - turned.mean, 1 - turned.high, 1 - turned.low, turned.blocks)
                return dataclasses.replace(score, pair=(first, second), score=mirrored)
        raise KeyError((first, second))

    def to_json(self) -> dict[str, Any]:
        """Numbers with names, JSON-able, with the tournament's header."""
        names = self.header.names
        return {
            "schema": SCHEMA,
            "tournament": self.header.to_json(),
            "games": self.results.games,
            "complete": self.complete,
            "confidence": LEVEL,
            "ratings": [
                {
                    "agent": names[r.agent],
                    "elo": r.elo,
                    "low": r.low,
                    "high": r.high,
                    "alpha_rank": float(self.alpha_rank[r.agent]),
                    "alpha_rank_interval": self.alpha_rank_interval[r.agent].tolist(),
                    "nash": float(self.nash[r.agent]),
                    "nash_interval": self.nash_interval[r.agent].tolist(),
                }
                for r in (self.ratings[agent] for agent in self.ranking)
            ],
            "pairs": [
                {
                    "first": names[p.pair[0]],
                    "second": names[p.pair[1]],
                    "score": dataclasses.asdict(p.score),
                    "compared": p.compared,
                    "look": p.look,
                    "verdict": p.verdict,
                }
                for p in self.pairs
            ],
            "payoffs": self.payoffs.tolist(),
            "seats": [dataclasses.asdict(seat) for seat in self.seats],
            "luck_saved": self.luck_saved,
            "faults": {names[agent]: kinds for agent, kinds in sorted(self.faults.items())},
        }


def analyse(results: Results, samples: int = SAMPLES, nash_samples: int = NASH_SAMPLES) -> Analysis:
    """Work out everything there is to say about a tournament.

    Ratings, payoffs, seats, alpha-rank and Nash average use every game. The pairs' intervals use what
    their look allows (see `evaluation.tournament.stopping`), and only they support claims.

    Args:
        results: finished or not; every group needs at least one block.
        samples: bootstrap samples for ratings and alpha-rank.
        nash_samples: for the Nash average; at most `samples`.

    Raises:
        SetupError: SciPy isn't installed.
    """
    sums = group_sums(results)
    choices = summed(sums, len(results.header.agents))
    estimate = fit(choices) * ELO
    payoffs = payoff_matrix(results)
    # The samples' luck is fixed: the same file always gives the same intervals.
    again = resampled(sums, len(results.header.agents), samples, np.random.default_rng(20))
    ratings = around(estimate, fit(again.choices) * ELO)
    alpha, nash = alpha_rank(payoffs), nash_average(payoffs)
    alphas = np.array([alpha_rank(sample) for sample in again.payoffs])
    nashes = np.array([nash_average(sample) for sample in again.payoffs[:nash_samples]])
    return Analysis(
        results=results,
        pairs=tuple(pair_scores(results)),
        payoffs=payoffs,
        ratings=tuple(
            Rating(agent, float(estimate[agent]), float(low), float(high))
            for agent, (low, high) in enumerate(ratings)
        ),
        seats=seat_scores(results),
        luck_saved=luck_saved(results),
        alpha_rank=alpha,
        alpha_rank_interval=_holding(alpha, alphas),
        nash=nash,
        nash_interval=_holding(nash, nashes),
        faults=results.faults(),
        complete=is_complete(results),
    )


def payoff_matrix(results: Results) -> Floats:
    """`[n, n]`, mean score over all blocks in which both sat."""
    n = len(results.header.agents)
    payoffs = np.full((n, n), 0.5)
    for a, b in pairs(n):
        found = [
            pair_values(group, played.returns, (a, b))
            for group, played in zip(results.header.groups, results.played, strict=True)
            if {a, b} <= group.members
        ]
        values = np.concatenate(found)
        if len(values):
            payoffs[a, b] = values.mean()
            payoffs[b, a] = 1 - payoffs[a, b]
    return payoffs


def seat_scores(results: Results) -> tuple[SeatScore, ...]:
    """Each seat over all games."""
    game = results.header.game
    # The scores of two seats are one number; those of more are compared with one half each.
    level = LEVEL if game.num_seats == 2 else 1 - (1 - LEVEL) / game.num_seats
    per_block = [
        (scores(played.returns).mean(axis=1), played.returns.mean(axis=1)) for played in results.played
    ]
    score = np.concatenate([of_group[0] for of_group in per_block])
    points = np.concatenate([of_group[1] for of_group in per_block])
    return tuple(
        SeatScore(
            seat,
            mean_interval(score[:, seat], 0.0, 1.0, level),
            mean_interval(points[:, seat], game.min_return, game.max_return, level),
        )
        for seat in range(game.num_seats)
    )


def luck_saved(results: Results) -> float | None:
    """Variance of agents' mean scores if no luck were shared, over what it is; None if that is 0.

    Summed over agents and groups, so that a group in which nothing varies doesn't matter.
    """
    shared = unshared = 0.0
    for group, played in zip(results.header.groups, results.played, strict=True):
        if len(played.returns) < 2:
            continue
        score = scores(played.returns)
        for agent in group.members:
            at = np.array([[agent == other for other in order] for order in group.orders])
            values = (score * at).sum(axis=2) / np.maximum(at.sum(axis=1), 1)
            values = values[:, at.any(axis=1)]
            shared += float(np.var(values.mean(axis=1), ddof=1))
            unshared += float(np.var(values, axis=0, ddof=1).sum()) / values.shape[1] ** 2
    return unshared / shared if shared > 1e-12 else None


def around(estimate: Floats, samples: Floats) -> Floats:
    """`[n, 2]`: how far samples lie from their median, laid around the estimate."""
    tail = (1 - LEVEL) / 2
    low, middle, high = np.quantile(samples, [tail, 0.5, 1 - tail], axis=0)
    return np.stack([estimate - (middle - low), estimate + (high - middle)], axis=1)


def _holding(estimate: Floats, samples: Floats) -> Floats:
    """`[n, 2]`: quantiles of the samples, widened to hold the estimate (which has to stay in 0 to 1)."""
    tail = (1 - LEVEL) / 2
    low, high = np.quantile(samples, [tail, 1 - tail], axis=0)
    return np.stack([np.minimum(low, estimate), np.maximum(high, estimate)], axis=1)

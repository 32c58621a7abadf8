"""Who is better, and by how much: match-ups between agents, and gains over a bot's mirror match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from agents.api import Agent
from evaluation.arena import Progress, play
from evaluation.stats import Floats, Interval, Verdict, luck_saved, mean_interval, scores, verdict
from fm_env.contract import Game, GameSpec, Scenario


@dataclass(frozen=True)
class SeatResult:
    """How an agent did on one seat."""

    seat: int
    games: int
    score: Interval
    points: Interval


@dataclass(frozen=True)
class Matchup:
    """An agent against an opponent (who has all other seats), every seat played equally often."""

    agent: str
    opponent: str
    games: int
    wins: int
    """Games in which the agent finished ahead of everyone."""
    draws: int
    """Games in which it shared the first place."""
    losses: int
    score: Interval
    """Win rate, a draw counting half (with more seats: share of the others it finished ahead of)."""
    points: Interval
    """Mean return."""
    seats: tuple[SeatResult, ...]
    luck_saved: float | None
    """How many times more games without shared luck would give the same interval of the score."""

    @property
    def verdict(self) -> Verdict:
        """`"beats"` or `"loses to"` only where the score's interval is clear of one half."""
        return verdict(self.score)


@dataclass(frozen=True)
class RoleGain:
    """Points of an agent in one role against a bot, over what the bot itself gets there."""

    agent: str
    bot: str
    role: int
    """The seat (in a clash, 0 attacks and 1 defends)."""
    points: Interval
    """Mean return of the agent in the role, the bot on all other seats."""
    mirror: Interval
    """Mean return of the bot in the role, itself on all other seats: the mirror match."""
    gain: Interval
    """Mean of the difference, game by game under the same luck."""

    @property
    def is_clear(self) -> bool:
        """The agent does better than the bot would, beyond doubt."""
        return self.gain.low > 0.0


def play_pair(
    game: Game,
    scenario: Scenario,
    agent: Agent,
    opponent: Agent,
    games: int,
    seed: int,
    progress: Progress | None = None,
) -> Matchup:
    """Play an agent against an opponent, on every seat under the same luck.

    Args:
        game: the game.
        scenario: a scenario of it.
        agent: the one whose score is reported.
        opponent: has all other seats.
        games: how many, fixed in advance; rounded up to whole blocks of one game a seat.
        seed: equal seeds give equal results.
        progress: told whenever games end.

    Raises:
        As `evaluation.arena.play`.
    """
    spec = scenario.spec
    blocks = blocks_for(games, spec)
    line_ups = [
        [agent if seat == own else opponent for seat in range(spec.num_seats)]
        for own in range(spec.num_seats)
    ]
    returns = play(game, scenario, line_ups, blocks, seed, progress)
    return _matchup(agent.name, opponent.name, returns, spec)


def evaluate(
    game: Game,
    scenario: Scenario,
    agent: Agent,
    opponents: Sequence[Agent],
    games: int,
    seed: int,
    progress: Progress | None = None,
) -> list[Matchup]:
    """`play_pair` against each of several opponents, `games` each, all under the same luck."""
    return [play_pair(game, scenario, agent, opponent, games, seed, progress) for opponent in opponents]


def role_points(
    game: Game,
    scenario: Scenario,
    agent: Agent,
    bot: Agent,
    blocks: int,
    seed: int,
    progress: Progress | None = None,
) -> list[RoleGain]:
    """For each role: the agent's points against a bot minus the bot's own in its mirror match.

    Every deal of luck is played once with the agent in each role and once as the mirror match, so
    `blocks` deals are `blocks * (S + 1)` games.

    Raises:
        As `evaluation.arena.play`.
    """
    spec = scenario.spec
    mirror = spec.num_seats
    line_ups = [
        [agent if seat == role else bot for seat in range(spec.num_seats)]
        for role in range(spec.num_seats + 1)
    ]
    returns = play(game, scenario, line_ups, blocks, seed, progress)
    width = spec.max_return - spec.min_return
    return [
        RoleGain(
            agent.name,
            bot.name,
            role,
            points=mean_interval(returns[:, role, role], spec.min_return, spec.max_return),
            mirror=mean_interval(returns[:, mirror, role], spec.min_return, spec.max_return),
            gain=mean_interval(returns[:, role, role] - returns[:, mirror, role], -width, width),
        )
        for role in range(spec.num_seats)
    ]


def blocks_for(games: int, spec: GameSpec) -> int:
    """Blocks of one game a seat that make up at least `games` games."""
    return -(-games // spec.num_seats)


def _matchup(agent: str, opponent: str, returns: Floats, spec: GameSpec) -> Matchup:
    """Sum up `returns` `[blocks, S, S]`, in which line-up k has the agent on seat k."""
    seats = np.arange(spec.num_seats)
    points = returns[:, seats, seats]
    score = scores(returns)[:, seats, seats]
    first = points == returns.max(axis=2)
    shared = (returns == returns.max(axis=2, keepdims=True)).sum(axis=2) > 1
    wins, draws = int((first & ~shared).sum()), int((first & shared).sum())
    return Matchup(
        agent,
        opponent,
        points.size,
        wins,
        draws,
        points.size - wins - draws,
        score=mean_interval(score.mean(axis=1), 0.0, 1.0),
        points=mean_interval(points.mean(axis=1), spec.min_return, spec.max_return),
        seats=tuple(
            SeatResult(
                int(seat),
                len(points),
                mean_interval(score[:, seat], 0.0, 1.0),
                mean_interval(points[:, seat], spec.min_return, spec.max_return),
            )
            for seat in seats
        ),
        luck_saved=luck_saved(score),
    )

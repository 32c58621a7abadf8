"""Ratings from placements: Bradley-Terry for two seats, Plackett-Luce for more.

Agent i has the strength `exp(r_i)`. A game's placement is read from the top: the first place is won
by each of those at the table with a chance proportional to its strength, the second place likewise
among those left, and so on (Luce 1959; Plackett 1975). With two seats that is Bradley and Terry's
model (1952). Agents that tie are counted once in each order of the tied, all orders with equal
weight: with two seats, a draw is half a win for each. Places shared by copies of one agent say nothing.

Ratings maximise the likelihood, less a prior that keeps agents finite who always win or always lose:
`PRIOR` imagined draws of each agent with one of average strength. They depend on sums over all games
only, so never on the games' order.

Shown on Elo's scale, 400 points for a tenfold strength (`ELO` points for one unit of r), with mean 0 over
the agents. Mean 0 rather than a fixed agent: intervals then don't inherit one (often nearly
always beaten) agent's uncertainty.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Table = tuple[int, ...]
"""Agents that compete for a place, ascending; an agent with two copies there twice."""

ELO = 400 / math.log(10)
"""Points of Elo's scale for one unit of log strength."""

PRIOR = 1.0
"""Imagined draws of each agent against one of average strength."""

TOLERANCE = 1e-10
"""Newton's steps end when none changes a log strength by more."""

MAX_STEPS = 200
MAX_STEP = 2.0
"""Longest change of a log strength in one step (undefeated agents start far from where they end)."""


@dataclass
class Choices:
    """What the likelihood needs of any number of games: who won places, and against whom.

    `won[..., i]` is how many places agent i won; `tables[m]` are the agents that competed for a place
    and `held[..., m]` how often. Leading axes are independent repetitions (bootstrap samples).
    """

    tables: list[Table]
    won: Floats
    held: Floats


def count_choices(placements: Mapping[tuple[Table, tuple[float, ...]], float], num_agents: int) -> Choices:
    """Sum up games.

    Args:
        placements: number of games by line-up (agent of each seat) and return of each seat.
        num_agents: n.
    """
    won = np.zeros(num_agents)
    held: dict[Table, float] = {}
    for (line_up, returns), games in placements.items():
        for winner, table, weight in places(line_up, returns):
            won[winner] += games * weight
            held[table] = held.get(table, 0.0) + games * weight
    tables = sorted(held)
    return Choices(tables, won, np.array([held[table] for table in tables]))


def places(line_up: Sequence[int], returns: Sequence[float]) -> list[tuple[int, Table, float]]:
    """The places of one game: who won it, who competed for it, with what weight (ties: less than 1)."""
    found: list[tuple[int, Table, float]] = []
    left = [(value, agent) for value, agent in zip(returns, line_up, strict=True)]
    for value in sorted(set(returns), reverse=True):
        tied = [agent for other, agent in left if other == value]
        behind = [agent for other, agent in left if other < value]
        for size in range(len(tied), 0, -1):
            # In a random order of the tied, any `size` of them are equally likely to be the last ones.
            subsets = list(itertools.combinations(tied, size))
            for subset in subsets:
                table = tuple(sorted([*subset, *behind]))
                if len(set(table)) > 1:
                    found += [(winner, table, 1 / len(subsets) / size) for winner in subset]
        left = [(other, agent) for other, agent in left if other < value]
    return found


def fit(choices: Choices, *, prior: float = PRIOR, fixed: Mapping[int, float] | None = None) -> Floats:
    """Log strengths of greatest (penalised) likelihood, `[..., n]`, mean 0.

    Args:
        choices: games.
        prior: imagined draws of each agent with an average one. 0 needs games that connect all
            agents by wins in both directions, else the answer is somewhere far out.
        fixed: log strengths of agents that are known already; the others are found, nothing is
            moved to mean 0, and the prior's average agent has the mean of the known ones.
    """
    won = np.atleast_2d(choices.won)
    held = np.broadcast_to(np.atleast_2d(choices.held), (len(won), len(choices.tables)))
    n = won.shape[1]
    seats = np.zeros((len(choices.tables), n))
    for row, table in enumerate(choices.tables):
        for agent in table:
            seats[row, agent] += 1
    known = np.array(sorted(fixed or ()), np.int64)
    values = np.array([(fixed or {})[int(agent)] for agent in known])
    centre = float(values.mean()) if len(values) else 0.0
    free = np.setdiff1d(np.arange(n), known)
    r = np.full(won.shape, centre)
    r[:, known] = values
    todo = np.arange(len(won))
    for _ in range(MAX_STEPS):
        step = _newton(r[todo], won[todo], held[todo], seats, prior, centre, free)
        r[np.ix_(todo, free)] += np.clip(step, -MAX_STEP, MAX_STEP)
        todo = todo[np.abs(step).max(axis=1) > TOLERANCE]
        if len(todo) == 0:
            break
    if fixed is None:
        r -= r.mean(axis=1, keepdims=True)
    return r.reshape(choices.won.shape)


def _newton(
    r: Floats,
    won: Floats,
    held: Floats,
    seats: Floats,
    prior: float,
    centre: float,
    free: npt.NDArray[np.int64],
) -> Floats:
    """The step of Newton's method for the free agents, `[K, f]`."""
    n = r.shape[1]
    weight = np.exp(r - r.max(axis=1, keepdims=True))
    sums = weight @ seats.T  # [K, M]
    share = held / sums
    expected = weight * (share @ seats)
    virtual = 1 / (1 + np.exp(-(r - centre)))
    gradient = won - expected + prior * (0.5 - virtual)
    # Second derivatives: p_i 1(i=j) - p_i p_j summed over tables, in matrix form.
    pairs = np.einsum("km,mi,mj->kij", held / sums**2, seats, seats, optimize=True)
    hessian = -weight[:, :, None] * weight[:, None, :] * pairs
    diagonal = np.arange(n)
    hessian[:, diagonal, diagonal] += expected + prior * virtual * (1 - virtual)
    if prior == 0 and len(free) == n:
        hessian += 1.0 / n  # fixes the sum of all, which the games leave open
    inner = hessian[:, free[:, None], free[None, :]]
    return np.linalg.solve(inner, gradient[:, free][..., None])[..., 0]


def win_chance(first: float, second: float) -> float:
    """Chance that the first finishes ahead of the second, from Elo points."""
    return 1 / (1 + 10 ** ((second - first) / 400))

"""What a table of payoffs says about a set of agents beyond one number each: alpha-rank and the Nash average.

Both take `payoffs[i, j]`, the score of agent i against agent j in [0, 1] (0.5 for equals, and
`payoffs[j, i] = 1 - payoffs[i, j]`), and both notice cycles, which ratings can't show: if A beats B, B
beats C and C beats A, each is worth a third.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fm_env.errors import SetupError

Floats = npt.NDArray[np.float64]

POPULATION = 50
"""Individuals of alpha-rank's population, its usual number."""

INTENSITY = 10.0
"""Alpha-rank's selection intensity. Of two agents alone, one that wins 50.2 of 100 games then holds the
population 88 % of the time, and one that wins 52 always, for all practical purposes."""

SLACK = 1e-9
"""Tolerance of linear programs."""

NOTHING = 1e-6
"""Weights below this are the programs' noise."""


def alpha_rank(payoffs: Floats, intensity: float = INTENSITY, population: int = POPULATION) -> Floats:
    """Share of time that each agent holds a population whose members imitate who scores better, `[n]`.

    Omidshafiei and others (2019), "alpha-Rank: multi-agent evaluation by evolution", for one
    population: from time to time a mutant appears that plays as another agent, and spreads or dies
    out (Moran's process, fixation chances as in Traulsen et al. 2006) before the next one.

    Args:
        payoffs: `[n, n]`.
        intensity: alpha.
        population: m.
    """
    n = len(payoffs)
    if n == 1:
        return np.ones(1)
    # How much better a mutant (column) does than the resident (row) when they meet.
    gain = intensity * (payoffs.T - payoffs)
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        fixation = np.where(
            gain >= 0,
            -np.expm1(-gain) / -np.expm1(-population * gain),
            np.exp((population - 1) * gain) * np.expm1(gain) / np.expm1(population * gain),
        )
    fixation = np.where(np.abs(gain) < 1e-12, 1 / population, fixation)
    moves = fixation / (n - 1)
    np.fill_diagonal(moves, 0.0)
    return _stationary(moves)


def _stationary(moves: Floats) -> Floats:
    """Stationary distribution of a chain by the method of Grassmann, Taksar and Heyman (1985).

    Args:
        moves: `[n, n]`, chances of moving from row to column; the diagonal isn't read. It never
            subtracts, so chances as small as 1e-200 do no harm.
    """
    n = len(moves)
    rates = np.maximum(moves, 1e-290)
    for k in range(n - 1, 0, -1):
        rates[:k, k] /= rates[k, :k].sum()
        rates[:k, :k] += np.outer(rates[:k, k], rates[k, :k])
    shares = np.ones(n)
    for k in range(1, n):
        shares[k] = shares[:k] @ rates[:k, k]
    return shares / shares.sum()


def nash_average(payoffs: Floats) -> Floats:
    """The most even of the equilibrium mixtures of "choose an agent to play for you", `[n]`.

    Balduzzi and others (2018), "Re-evaluating evaluation": the equilibrium of greatest entropy. It is
    unique, copies of an agent share its weight, and agents that are beaten too often have none.
    No mixture of agents beats it; `payoffs @ nash_average(payoffs)` is each agent's score against it.

    Raises:
        SetupError: SciPy isn't installed.
    """
    optimize = _scipy_optimize()
    n = len(payoffs)
    edge = payoffs - 0.5
    support = _possible(optimize, edge)
    inner = edge[:, support]

    def entropy(weights: Floats) -> float:
        return float(np.sum(weights * np.log(weights)))

    begin = _centre(optimize, edge, support)
    found = optimize.minimize(
        entropy,
        begin,
        jac=lambda weights: np.log(weights) + 1,
        bounds=[(1e-12, 1.0)] * len(support),
        constraints=[
            {"type": "eq", "fun": lambda weights: weights.sum() - 1, "jac": lambda w: np.ones(len(w))},
            {"type": "ineq", "fun": lambda weights: SLACK - inner @ weights, "jac": lambda w: -inner},
        ],
        method="SLSQP",
        options={"ftol": 1e-12, "maxiter": 500},
    )
    good = found.success and (inner @ found.x).max() < 1e-6
    mixture = np.zeros(n)
    mixture[support] = found.x if good else begin
    mixture[mixture < NOTHING] = 0.0
    return mixture / mixture.sum()


def _possible(optimize, edge: Floats) -> list[int]:
    """Agents that some equilibrium plays: the greatest weight of each, by a linear program."""
    return [k for k in range(len(edge)) if _extreme(optimize, edge, k)[k] > 1e-7]


def _extreme(optimize, edge: Floats, agent: int) -> Floats:
    """An equilibrium with as much of one agent as possible."""
    n = len(edge)
    found = optimize.linprog(
        -np.eye(n)[agent],
        A_ub=edge,
        b_ub=np.full(n, SLACK),
        A_eq=np.ones((1, n)),
        b_eq=[1.0],
        bounds=(0, 1),
        method="highs",
    )
    if not found.success:  # an antisymmetric game always has an equilibrium
        raise SetupError(f"payoffs: not those of a symmetric game ({found.message})")
    return found.x


def _centre(optimize, edge: Floats, support: list[int]) -> Floats:
    """A mixture in which every agent of the support has weight: the mean of extreme equilibria."""
    mean = np.mean([_extreme(optimize, edge, k) for k in support], axis=0)[support]
    mean = np.maximum(mean, 1e-12)
    return mean / mean.sum()


def _scipy_optimize():
    try:
        from scipy import optimize
    except ImportError:
        raise SetupError(
            "the Nash average needs SciPy; install it with: pip install 'fm-env[judge]'"
        ) from None
    return optimize

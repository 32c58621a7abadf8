"""Who plays whom on which seats.

A *group* is a set of agents that sit at one table, with all the seat orders they play there. One
deal of luck played in every order of a group is a *block*, the independent observation behind
every interval. All groups play the same number of blocks.

* Two seats: every pair is a group, played in both orders.
* Three and four seats: every order of the group's agents (6 and 24).
* Five and six seats: a Williams square instead of all 120 or 720 orders: 10 orders for five seats,
  6 for six. Each agent sits on each seat equally often, and each agent sits directly behind (on the
  next higher seat than) each other one equally often (Williams 1949, "Experimental designs balanced
  for the estimation of residual effects of treatments").
* More agents than seats: every subset of agents is a group where there are at most `MAX_GROUPS`,
  else a cyclic block design in which each agent plays equally often and each pair meets equally often.
* Fewer agents than seats: agents are repeated as evenly as possible, and each set of agents that
  gets an extra copy is a group. Copies of an agent are never compared with each other.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fm_env.errors import SetupError

MAX_GROUPS = 126
"""All subsets are played up to here: 9 agents on 4 or 5 seats."""

MAX_ORDERS = 24
"""All orders of a group are played up to here: 4! orders of four agents."""

RESTARTS = 20
"""Searches for a cyclic design of each size ..."""

STEPS = 2000
"""... and changes tried in each."""

Order = tuple[int, ...]
"""Which agent (by its number) sits on each seat."""


@dataclass(frozen=True)
class Group:
    """Agents at one table and the seat orders they play under the same luck."""

    agents: Order
    """Numbers of the agents, ascending, one for each seat; repeated for agents that play twice."""
    orders: tuple[Order, ...]
    """`L` line-ups, each with `S` agents."""

    @property
    def members(self) -> frozenset[int]:
        """The agents, each once."""
        return frozenset(self.agents)


def make_groups(num_agents: int, num_seats: int) -> tuple[Group, ...]:
    """The groups of a tournament of all against all.

    Args:
        num_agents: n >= 2.
        num_seats: 2 to 6.

    Raises:
        SetupError: too few agents, or a number of seats outside that range.
    """
    if num_agents < 2:
        raise SetupError(f"agents: a tournament needs at least 2, got {num_agents}")
    if not 2 <= num_seats <= 6:
        raise SetupError(f"a tournament is for 2 to 6 seats, this scenario has {num_seats}")
    return tuple(Group(table, _orders(table)) for table in _tables(num_agents, num_seats))


def pairs(num_agents: int) -> list[tuple[int, int]]:
    """All pairs of agents, the lower number first."""
    return list(itertools.combinations(range(num_agents), 2))


def meetings(groups: Sequence[Group], num_agents: int) -> np.ndarray:
    """`[n, n]` i8, how many groups each two agents share; the diagonal counts each agent's groups."""
    together = np.zeros((num_agents, num_agents), np.int64)
    for group in groups:
        members = sorted(group.members)
        together[np.ix_(members, members)] += 1
    return together


def _tables(n: int, seats: int) -> list[Order]:
    """Which agents sit together."""
    if n < seats:
        copies, extra = divmod(seats, n)
        everyone = [*range(n)] * copies
        return [tuple(sorted([*everyone, *more])) for more in itertools.combinations(range(n), extra)]
    if seats == 2 or math.comb(n, seats) <= MAX_GROUPS:
        return list(itertools.combinations(range(n), seats))
    return _cyclic(n, seats)


def _orders(table: Order) -> tuple[Order, ...]:
    """The seat orders that the agents of a table play."""
    distinct = sorted(set(itertools.islice(itertools.permutations(table), 720)))
    if len(distinct) <= MAX_ORDERS:
        return tuple(distinct)
    return tuple(tuple(table[symbol] for symbol in row) for row in williams(len(table)))


def williams(size: int) -> list[Order]:
    """Rows of a square balanced for neighbours: `size` rows if that is even, else twice as many.

    The first row zigzags 0, 1, n-1, 2, n-2, ...; the others add 1, 2, ... to it modulo n. For odd
    sizes each row is also played backwards.
    """
    first = [0]
    for step in range(1, size):
        first.append((step + 1) // 2 if step % 2 else size - step // 2)
    rows = [tuple((symbol + shift) % size for symbol in first) for shift in range(size)]
    return rows if size % 2 == 0 else rows + [row[::-1] for row in rows]


def _cyclic(n: int, seats: int) -> list[Order]:
    """A design in which each agent plays equally often and each pair meets equally often.

    Base blocks are shifted through all agents (modulo n); the pairs of agents d apart then meet as
    often as the difference d occurs in the base blocks. The smallest family with equally frequent
    differences that the search finds is taken (Bose 1939, "On the construction of balanced
    incomplete block designs").
    """
    rng = np.random.default_rng([n, seats])
    for size in range(1, 4 * n):
        meets, odd = divmod(size * seats * (seats - 1), n - 1)
        if odd or (n % 2 == 0 and meets % 2):
            continue
        for _ in range(RESTARTS):
            family = _improved(rng, n, seats, size)
            if _imbalance(family, n) == 0:
                return [
                    tuple(sorted((agent + shift) % n for agent in block))
                    for block in family
                    for shift in range(n)
                ]
    raise SetupError(f"agents: found no balanced design for {n} agents on {seats} seats; try one more")


def _improved(rng: np.random.Generator, n: int, seats: int, size: int) -> list[list[int]]:
    """Base blocks made more balanced by changing one agent at a time while that helps."""
    family = [rng.choice(n, seats, replace=False).tolist() for _ in range(size)]
    badness = _imbalance(family, n)
    for _ in range(STEPS):
        if badness == 0:
            break
        block = family[int(rng.integers(size))]
        seat, agent = int(rng.integers(seats)), int(rng.integers(n))
        if agent in block:
            continue
        block[seat], before = agent, block[seat]
        changed = _imbalance(family, n)
        if changed > badness:
            block[seat] = before
        else:
            badness = changed
    return family


def _imbalance(family: Sequence[Sequence[int]], n: int) -> int:
    """Sum over all differences of how far each is from the mean, squared (times the square of n)."""
    apart = [0] * (n // 2 + 1)
    for block in family:
        for a, b in itertools.combinations(block, 2):
            distance = min((a - b) % n, (b - a) % n)
            apart[distance] += 2 if 2 * distance == n else 1  # n / 2 apart: shifting meets the pair twice
    counts = apart[1:]
    total = sum(counts)
    return sum((len(counts) * count - total) ** 2 for count in counts)

"""Bootstrap over blocks: tournaments as they might have been.

Blocks of each group are drawn again with replacement, as many as there were. Two invented blocks are
in the hat of every group, in which all its agents finish in one order and in the reverse one (as
`evaluation.stats.mean_interval` invents one at either bound): else an agent that won all its games
would get an interval of no width.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from evaluation.ratings import Choices, Table, places
from evaluation.tournament.design import Group, pairs
from evaluation.tournament.results import Results
from evaluation.tournament.stopping import pair_values

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class GroupSums:
    """What ratings and payoffs need of a group's blocks; blocks with equal placements are one row."""

    group: Group
    counts: npt.NDArray[np.int64]
    """`[U]`, blocks of each kind; the last two kinds are the invented ones, with 0."""
    won: Floats
    """`[U, n]`, places won by each agent in such a block."""
    tables: list[Table]
    held: Floats
    """`[U, T]`, how often these tables competed for a place."""
    values: dict[tuple[int, int], Floats]
    """`[U]` for each pair of its agents, the first's score against the second."""


@dataclass(frozen=True)
class Resampled:
    """Bootstrap samples."""

    choices: Choices
    """Leading axis: the samples."""
    payoffs: Floats
    """`[K, n, n]`."""


def group_sums(results: Results) -> list[GroupSums]:
    """Sum up every group of a tournament."""
    n = len(results.header.agents)
    return [
        _sums(group, played.returns, n)
        for group, played in zip(results.header.groups, results.played, strict=True)
    ]


def summed(sums: Sequence[GroupSums], num_agents: int) -> Choices:
    """All games as `evaluation.ratings.fit` wants them."""
    return _joined(sums, [of_group.counts[None].astype(np.float64) for of_group in sums], num_agents, ())


def resampled(
    sums: Sequence[GroupSums], num_agents: int, samples: int, rng: np.random.Generator
) -> Resampled:
    """Draw the blocks of all groups again, `samples` times."""
    weights = [_drawn(of_group.counts, samples, rng) for of_group in sums]
    total = np.full((samples, num_agents, num_agents), 0.0)
    blocks = np.zeros((samples, num_agents, num_agents))
    for of_group, drawn in zip(sums, weights, strict=True):
        for (a, b), values in of_group.values.items():
            total[:, a, b] += drawn @ values
            blocks[:, a, b] += drawn.sum(axis=1)
    payoffs = np.full((samples, num_agents, num_agents), 0.5)
    for a, b in pairs(num_agents):
        there = blocks[:, a, b] > 0
        payoffs[there, a, b] = total[there, a, b] / blocks[there, a, b]
        payoffs[:, b, a] = 1 - payoffs[:, a, b]
    return Resampled(_joined(sums, weights, num_agents, (samples,)), payoffs)


def _drawn(counts: npt.NDArray[np.int64], samples: int, rng: np.random.Generator) -> Floats:
    """`[K, U]`, how often each kind of block is drawn."""
    blocks = int(counts.sum())
    if blocks == 0:
        return np.zeros((samples, len(counts)))
    hat = counts.astype(np.float64)
    hat[-2:] += 1
    return rng.multinomial(blocks, hat / hat.sum(), size=samples).astype(np.float64)


def _joined(
    sums: Sequence[GroupSums], weights: Sequence[Floats], num_agents: int, shape: tuple[int, ...]
) -> Choices:
    tables = sorted({table for of_group in sums for table in of_group.tables})
    column = {table: k for k, table in enumerate(tables)}
    rows = len(weights[0])
    won, held = np.zeros((rows, num_agents)), np.zeros((rows, len(tables)))
    for of_group, drawn in zip(sums, weights, strict=True):
        won += drawn @ of_group.won
        held[:, [column[table] for table in of_group.tables]] += drawn @ of_group.held
    return Choices(tables, won.reshape(*shape, num_agents), held.reshape(*shape, len(tables)))


def _sums(group: Group, returns: Floats, num_agents: int) -> GroupSums:
    ranks = _ranks(returns)
    kinds, counts = np.unique(ranks, axis=0, return_counts=True) if len(ranks) else (ranks, np.zeros(0, int))
    kinds = np.concatenate([kinds, _invented(group)])
    counts = np.concatenate([counts, [0, 0]]).astype(np.int64)
    known: dict[tuple[Table, tuple[int, ...]], list[tuple[int, Table, float]]] = {}
    won = np.zeros((len(kinds), num_agents))
    held: dict[Table, Floats] = {}
    for row, block in enumerate(kinds):
        for order, game in zip(group.orders, block, strict=True):
            key = (order, tuple(int(rank) for rank in game))
            if key not in known:
                known[key] = places(order, key[1])
            for winner, table, weight in known[key]:
                won[row, winner] += weight
                held.setdefault(table, np.zeros(len(kinds)))[row] += weight
    tables = sorted(held)
    values = {
        (a, b): pair_values(group, kinds.astype(np.float64), (a, b))
        for a, b in pairs(num_agents)
        if {a, b} <= group.members
    }
    columns = np.stack([held[table] for table in tables], axis=1)
    return GroupSums(group, counts, won, tables, columns, values)


def _ranks(returns: Floats) -> npt.NDArray[np.int8]:
    """`[B, L, S]`, for each seat how many others of its game are behind it."""
    return (returns[..., :, None] > returns[..., None, :]).sum(axis=-1).astype(np.int8)


def _invented(group: Group) -> npt.NDArray[np.int8]:
    """`[2, L, S]`: agents finish by number, and the other way round."""
    numbers = np.array(group.orders, np.float64)
    return _ranks(np.stack([-numbers, numbers]))

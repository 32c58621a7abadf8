"""The lessons of a clone: decisions of a dataset, to learn from and held out."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from fm_env.errors import SetupError
from training.dataset.load import Dataset
from training.dataset.record import size_text
from training.imitation import Lessons

FIELDS = ("observation", "mask", "action", "agent", "game", "probability", "return")

MEMORY_SHARE = 0.8
"""Of the memory that is free; lessons take twice their size while they are put together."""


def numbers_of(data: Dataset, wanted: Sequence[str]) -> list[int]:
    """Of the agents with these specs; none stands for all.

    Raises:
        SetupError: one of them doesn't play in the dataset.
    """
    there = [agent.spec for agent in data.header.agents]
    strangers = [spec for spec in wanted if spec not in there]
    if strangers:
        raise SetupError(
            f"agents: {strangers[0]!r} doesn't play in dataset {data.folder}; there: {', '.join(there)}"
        )
    return [k for k, spec in enumerate(there) if not wanted or spec in wanted]


def split_lessons(
    data: Dataset, agents: Sequence[int], held_out: int, rows: int | None = None
) -> tuple[Lessons, Lessons, float | None]:
    """What to learn from, what to judge by, and what the judgement of perfect play would be.

    Args:
        data: recorded games.
        agents: numbers of those whose choices count.
        held_out: every so manieth game is to judge by.
        rows: stop after the game in which so many decisions of all agents are reached; None: never.

    Returns:
        Both parts, and the teachers' own cross-entropy on the second (None where they don't tell).

    Raises:
        SetupError: one part is empty, or the memory too small.
        LoadError: a shard is damaged.
    """
    wanted = min(rows or data.num_rows, data.num_rows)
    _check_memory(data, wanted)
    parts: tuple[list[Any], list[Any]] = ([], [])
    told: list[npt.NDArray[np.float32]] = []
    taken = 0
    for shard in data.shards(FIELDS):
        own = np.isin(shard["agent"], agents)
        own[_end(shard["game"], wanted - taken) :] = False
        taken += len(own)
        aside = shard["game"] % held_out == 0
        for chosen, into in ((own & ~aside, parts[0]), (own & aside, parts[1])):
            into.append([shard[name][chosen] for name in ("observation", "mask", "action", "return")])
        told.append(shard["probability"][own & aside])
        if taken >= wanted:
            break
    learn, judge = (_joined(part) for part in parts)
    for lessons, what in ((learn, "to learn from"), (judge, "held out")):
        if not len(lessons.actions):
            raise SetupError(f"dataset {data.folder}: no decision {what}; record more games")
    surprise = -np.log(np.clip(np.concatenate(told), 1e-9, 1.0))
    floor = None if np.isnan(surprise).any() else abs(float(surprise.mean()))  # -0.0 is 0
    return learn, judge, floor


def available_memory() -> int | None:
    """Bytes of memory that can be had without swapping; None where the system doesn't say."""
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:"))
    except (OSError, StopIteration, ValueError, IndexError):
        pass
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError, AttributeError):
        return None


def _check_memory(data: Dataset, rows: int) -> None:
    game = data.header.game
    each = 4 * game.observation_size + game.num_actions + 16
    needed, free = 2 * each * rows, available_memory()
    if free is not None and needed > MEMORY_SHARE * free:
        fit = int(MEMORY_SHARE * free / 2 / each)
        raise SetupError(
            f"{rows:,} decisions take about {size_text(needed)} of memory, and"
            f" {size_text(free)} are free: use fewer, e.g. rows = {fit:,}"
        )


def _end(games: npt.NDArray[np.int64], rows: int) -> int:
    """Where the game ends in which so many rows are reached; `games` `[n]` stand together."""
    ends = np.flatnonzero(np.diff(games, append=-1)) + 1
    enough = int(np.searchsorted(ends, rows))
    return len(games) if enough >= len(ends) else int(ends[enough])


def _joined(parts: list[Any]) -> Lessons:
    if not parts:
        parts = [[np.zeros((0, 1), np.float32), np.zeros((0, 1), np.bool_), np.zeros(0), np.zeros(0)]]
    observations, masks, actions, returns = (np.concatenate(column) for column in zip(*parts, strict=True))
    return Lessons(observations, masks, actions.astype(np.int64), returns.astype(np.float32))

"""What is in the file of a tournament: what is played, then one line for every block, as they come.

The file (`evaluation.tournament.files`) is JSON lines. The first line is the header (`Header`): game,
agents with their fingerprints, groups and seat orders, seed, versions, command. Every other line is
a block (`Block`): one deal of luck played in all seat orders of one group.

    {"group": 0, "round": 3, "seed": 8123..., "returns": [[1.0, -1.0], [-1.0, 1.0]]}
    {"group": 0, "round": 4, "seed": 6110..., "returns": [...], "faults": [[1, "late", 2]]}

`returns[k][s]` is the return of seat s when order k of the group was played, so by agent
`groups[group].orders[k][s]`. `seed` names the luck: a keyed `Batch` with that seed deals the same
cards, and compiled bots choose the same there. `faults` are `[agent, kind, moves]`: how often
that agent failed to answer in the block (kinds in `evaluation.faults`).

Lines reach the disk whole and in the order of playing; a torn last line is dropped when reading.
Results must not depend on the order of lines, and nothing here does.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from evaluation.faults import OnFault
from evaluation.tournament.design import Group
from evaluation.tournament.question import Question
from fm_env.errors import LoadError

SCHEMA = "fm-env-tournament-1"
"""Version of the file's layout."""


@dataclass(frozen=True)
class Entrant:
    """An agent of a tournament."""

    name: str
    """Short and unique within the tournament."""
    spec: str
    """The text it was made from."""
    fingerprint: str
    """Changes when the agent does."""


@dataclass(frozen=True)
class Setting:
    """What was played."""

    name: str
    """The game's."""
    scenario: str
    options: Mapping[str, Any]
    """Of the scenario."""
    rules_version: int
    observation_version: int
    num_seats: int
    min_return: float
    max_return: float


@dataclass(frozen=True)
class Limits:
    """What happened to agents that didn't answer as they should."""

    move_seconds: float | None = None
    """Time for one decision of an agent in Python; None: as long as it takes."""
    on_fault: OnFault = "stop"
    """`stop` or `fallback`: after a crash or an illegal answer."""


@dataclass(frozen=True)
class Header:
    """Everything that decides what the games are, and where they come from."""

    game: Setting
    agents: tuple[Entrant, ...]
    groups: tuple[Group, ...]
    rounds: int
    """Blocks of each group, at most (fewer where the question was answered before)."""
    waves: tuple[int, ...]
    """For each group, how many of its blocks are played side by side; part of the result, as networks
    draw for all of a wave at once."""
    seed: int
    question: Question = field(default_factory=Question)
    """What is asked, with what risk of error, and when the answer is looked at."""
    limits: Limits = field(default_factory=Limits)
    created: str = ""
    """Date and time, UTC."""
    command: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)
    """Of Python, the packages that matter and the git revision."""
    schema: str = SCHEMA

    @property
    def names(self) -> list[str]:
        """Of the agents."""
        return [agent.name for agent in self.agents]

    def to_json(self) -> dict[str, Any]:
        """As it stands in the file."""
        return dataclasses.asdict(self)


@dataclass(frozen=True)
class Block:
    """One deal of luck, played in all orders of a group."""

    group: int
    round: int
    seed: int
    returns: npt.NDArray[np.float64]
    """`[L, S]`."""
    faults: tuple[tuple[int, str, int], ...] = ()
    """Agent, kind, number of moves."""

    def line(self) -> str:
        """Its line of the file."""
        entry: dict[str, Any] = {
            "group": self.group,
            "round": self.round,
            "seed": self.seed,
            "returns": self.returns.tolist(),
        }
        if self.faults:
            entry["faults"] = self.faults
        return json.dumps(entry, allow_nan=False, separators=(",", ":"))


@dataclass(frozen=True)
class Played:
    """All blocks of one group, by ascending round."""

    rounds: npt.NDArray[np.int64]
    """`[B]`."""
    seeds: npt.NDArray[np.int64]
    """`[B]`, the luck."""
    returns: npt.NDArray[np.float64]
    """`[B, L, S]`."""
    faults: Mapping[int, tuple[tuple[int, str, int], ...]] = field(default_factory=dict)
    """By round, where there were any: agent, kind, number of moves."""


@dataclass(frozen=True)
class Results:
    """A tournament, finished or not; it doesn't depend on the order of the file's lines."""

    header: Header
    played: tuple[Played, ...]
    """For each group."""

    @property
    def blocks(self) -> list[Block]:
        """Every block, by round and group."""
        found = [
            Block(group, int(k), int(seed), returns, played.faults.get(int(k), ()))
            for group, played in enumerate(self.played)
            for k, seed, returns in zip(played.rounds, played.seeds, played.returns, strict=True)
        ]
        return sorted(found, key=lambda block: (block.round, block.group))

    @property
    def games(self) -> int:
        """Games played."""
        return sum(played.returns.shape[0] * played.returns.shape[1] for played in self.played)

    def faults(self) -> dict[int, dict[str, int]]:
        """Moves that agents failed to answer, by agent and kind."""
        counts: dict[int, dict[str, int]] = {}
        for played in self.played:
            for agent, kind, moves in (fault for found in played.faults.values() for fault in found):
                of_agent = counts.setdefault(agent, {})
                of_agent[kind] = of_agent.get(kind, 0) + moves
        return counts


def make_results(header: Header, blocks: Iterable[Block]) -> Results:
    """Check the blocks against the header and sort them.

    Raises:
        LoadError: a block of a group that doesn't exist, of the wrong shape, or given twice.
    """
    found: list[dict[int, Block]] = [{} for _ in header.groups]
    for block in blocks:
        place = f"block of round {block.round}, group {block.group}"
        if not 0 <= block.group < len(header.groups) or not 0 <= block.round < header.rounds:
            raise LoadError(f"{place}: the header has {len(header.groups)} groups and {header.rounds} rounds")
        expected = (len(header.groups[block.group].orders), header.game.num_seats)
        if block.returns.shape != expected:
            raise LoadError(f"{place}: returns of shape {block.returns.shape}, expected {expected}")
        if block.round in found[block.group]:
            raise LoadError(f"{place}: it is there twice")
        found[block.group][block.round] = block
    return Results(header, tuple(_played(header, g, by_round) for g, by_round in enumerate(found)))


def _played(header: Header, group: int, by_round: Mapping[int, Block]) -> Played:
    blocks = [by_round[k] for k in sorted(by_round)]
    shape = (len(blocks), len(header.groups[group].orders), header.game.num_seats)
    return Played(
        np.array(sorted(by_round), np.int64),
        np.array([block.seed for block in blocks], np.int64),
        np.array([block.returns for block in blocks], np.float64).reshape(shape),
        {block.round: block.faults for block in blocks if block.faults},
    )

"""Recording: games of given agents, shard by shard, each written whole; a killed recording goes on.

A shard is a function of the seed, the agents and its number. So a recording that was killed and started
again ends with the same files, and one with more games begins with those that it has.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from agents.api import Agent
from agents.policy import write_atomically
from evaluation.report import versions
from fm_env.contract import Game, Scenario
from fm_env.errors import SetupError
from fm_env.rng import MAX_SEED
from training.dataset.layout import (
    HEADER,
    PROVENANCE,
    AgentPart,
    Arrays,
    Header,
    ShardPart,
    fields_of,
    game_part,
    pack_shard,
)
from training.dataset.play import Deal, Progress, play_deal
from training.dataset.resume import continued, shard_name

GAME_STREAM, SEAT_STREAM, AGENT_STREAM, PROBE_STREAM = range(4)

PROBE_GAMES = 8
"""Played before anything is written, to see how big a game is."""

SHARD_BYTES = 96 * 2**20
"""About what a shard takes in memory, uncompressed."""

MAX_GAMES_PER_SHARD = 4096

SPARE_BYTES = 64 * 2**20
"""Left free on the disk."""


class Estimate(NamedTuple):
    """How big games are, measured on a few."""

    rows_per_game: float
    raw_per_game: float
    """Bytes in memory."""
    bytes_per_game: float
    """Bytes on the disk."""


class Recording:
    """A dataset being written. Make it, look at `estimate`, then `run`."""

    def __init__(
        self,
        folder: Path,
        game: Game,
        scenario: Scenario,
        agents: Sequence[Agent],
        games: int,
        seed: int,
        *,
        forced: bool = False,
        chances: bool = False,
        games_per_shard: int | None = None,
        command: str = "",
    ) -> None:
        """Begin a dataset in a new folder, or go on with the one in an old folder.

        Args:
            folder: of the dataset.
            game: the game.
            scenario: a scenario of it.
            agents: who plays. Each game draws who sits where: as many different ones as there are
                seats or agents, each as often as any other. One agent plays against itself; one that
                is given twice plays twice as often.
            games: how many, all to the end. More than the folder holds: the rest is added.
            seed: equal seeds give equal files.
            forced: keep choices with one legal action, too.
            chances: keep the chances of all actions, not only that of the one taken.
            games_per_shard: None: as many as fit into about 96 MB of memory.
            command: what was typed, for `provenance.json`.

        Raises:
            SetupError: nothing to record, a folder with something else in it, or too little room.
            LoadError: an agent that can't play the scenario; the folder holds another dataset.
        """
        _check_request(agents, games, seed, games_per_shard)
        for agent in agents:
            agent.check(scenario.spec)
        self.folder, self.game, self.scenario, self.agents = folder, game, scenario, agents
        self.header = self._wanted(games, seed, forced, chances, games_per_shard or 1)
        self.resumed = (folder / HEADER).exists()
        if self.resumed:
            self.header = continued(folder, self.header, games_per_shard)
        elif folder.exists() and any(folder.iterdir()):
            raise SetupError(f"{folder}: isn't empty and holds no dataset; choose another folder")
        self.estimate = self._probe()
        if not self.resumed and games_per_shard is None:
            per = int(SHARD_BYTES / max(self.estimate.raw_per_game, 1))
            self._set(games_per_shard=min(max(per, 1), MAX_GAMES_PER_SHARD))
        self._check_room()
        folder.mkdir(parents=True, exist_ok=True)
        self._write_header()
        self._note_start(command)

    @property
    def missing(self) -> int:
        """Games that are still to be played."""
        return self.header.games - sum(shard.games for shard in self.header.shards)

    @property
    def missing_bytes(self) -> int:
        """About the room that they will take on the disk."""
        return int(self.missing * self.estimate.bytes_per_game)

    def run(self, progress: Progress | None = None) -> Header:
        """Play and write what is missing; returns the header of the complete dataset.

        Raises:
            IllegalActionError: an agent chose something that its mask forbids.
            OSError: the disk is full; what was written before is whole.
        """
        there = {shard.file: shard for shard in self.header.shards}
        for k in range(-(-self.header.games // self.header.games_per_shard)):
            file = shard_name(k)
            if file in there:
                continue
            arrays = self._play(self._deal(k), progress)
            data = pack_shard(arrays)
            write_atomically(self.folder / file, data)
            there[file] = ShardPart(
                file=file,
                games=len(arrays["game_seed"]),
                rows=len(arrays["action"]),
                bytes=len(data),
                sha256=hashlib.sha256(data).hexdigest(),
            )
            self._set(shards=tuple(there[name] for name in sorted(there)))
            self._write_header()
        return self.header

    # -- what is played -------------------------------------------------------------------------

    def _deal(self, k: int) -> Deal:
        """The games of shard k; a game's luck and seats don't depend on how many games there are."""
        header, seats = self.header, self.scenario.spec.num_seats
        first = k * header.games_per_shard
        count = min(header.games_per_shard, header.games - first)
        seeds = np.random.default_rng([header.seed, GAME_STREAM, k]).integers(0, MAX_SEED, count)
        drawn = np.random.default_rng([header.seed, SEAT_STREAM, k])
        return Deal(first, seeds, self._seated(drawn, count, seats), (header.seed, AGENT_STREAM, k))

    def _seated(self, rng: np.random.Generator, games: int, seats: int) -> np.ndarray:
        """`[games, seats]` numbers of agents: a random order of all, repeated as often as needed."""
        everybody = np.tile(np.arange(len(self.agents)), -(-seats // len(self.agents)))
        drawn = rng.random((games, len(everybody) + seats))  # at once: more games leave the first as they are
        order = drawn[:, : len(everybody)].argsort(axis=1)
        # Whole rounds first: with fewer agents than seats everybody sits somewhere.
        round_of = order // len(self.agents)
        chosen = np.take_along_axis(order, np.argsort(round_of, axis=1, kind="stable"), axis=1)[:, :seats]
        places = drawn[:, len(everybody) :].argsort(axis=1)
        return everybody[np.take_along_axis(chosen, places, axis=1)]

    def _play(self, deal: Deal, progress: Progress | None) -> Arrays:
        forced, chances = self.header.forced, self.header.chances
        return play_deal(
            self.game, self.scenario, self.agents, deal, forced=forced, chances=chances, progress=progress
        )

    def _probe(self) -> Estimate:
        """How big games are. Its games are none of the dataset's."""
        rng = np.random.default_rng([self.header.seed, PROBE_STREAM])
        seated = self._seated(rng, PROBE_GAMES, self.scenario.spec.num_seats)
        deal = Deal(0, rng.integers(0, MAX_SEED, PROBE_GAMES), seated, (self.header.seed, PROBE_STREAM, 1))
        arrays = self._play(deal, None)
        raw, packed = sum(array.nbytes for array in arrays.values()), len(pack_shard(arrays))
        return Estimate(len(arrays["action"]) / PROBE_GAMES, raw / PROBE_GAMES, packed / PROBE_GAMES)

    # -- what is written ------------------------------------------------------------------------

    def _wanted(self, games: int, seed: int, forced: bool, chances: bool, games_per_shard: int) -> Header:
        game = game_part(self.scenario.spec, self.scenario.options)
        return Header(
            game=game,
            agents=tuple(
                AgentPart(spec=agent.spec, name=agent.name, fingerprint=agent.fingerprint())
                for agent in self.agents
            ),
            seed=seed,
            games=games,
            games_per_shard=games_per_shard,
            forced=forced,
            chances=chances,
            fields=fields_of(game, chances),
        )

    def _check_room(self) -> None:
        parent = next(path for path in (self.folder, *self.folder.absolute().parents) if path.exists())
        free, needed = shutil.disk_usage(parent).free, self.missing_bytes
        if needed + SPARE_BYTES > free:
            raise SetupError(
                f"{self.missing:,} games take about {size_text(needed)} in {self.folder}, where"
                f" {size_text(max(0, free - SPARE_BYTES))} can be used;"
                " record fewer, or choose another folder"
            )

    def _set(self, **changes: Any) -> None:
        self.header = self.header.model_copy(update=changes)

    def _write_header(self) -> None:
        document = self.header.model_dump(mode="json", by_alias=True)
        write_atomically(self.folder / HEADER, (json.dumps(document, indent=1) + "\n").encode())

    def _note_start(self, command: str) -> None:
        """Add this start to what is known of how the dataset was made."""
        file = self.folder / PROVENANCE
        try:
            starts = json.loads(file.read_text(encoding="utf-8"))
            assert isinstance(starts, list)
        except (OSError, ValueError, AssertionError):
            starts = []
        start = {
            "command": command,
            "started": datetime.now(UTC).isoformat(timespec="seconds"),
            "games_before": self.header.games - self.missing,
            "games": self.header.games,
            "versions": versions(),
        }
        write_atomically(file, (json.dumps([*starts, start], indent=1) + "\n").encode())


def record(
    folder: Path,
    game: Game,
    scenario: Scenario,
    agents: Sequence[Agent],
    games: int,
    seed: int,
    **choices: Any,
) -> Header:
    """Record in one call; arguments and errors as those of `Recording`."""
    return Recording(folder, game, scenario, agents, games, seed, **choices).run()


def size_text(size: float) -> str:
    """`3.2 GB`."""
    for unit in ("bytes", "KB", "MB"):
        if size < 1000:
            return f"{size:.3g} {unit}"
        size /= 1000
    return f"{size:,.1f} GB"


def _check_request(agents: Sequence[Agent], games: int, seed: int, games_per_shard: int | None) -> None:
    if not agents:
        raise SetupError("agents: expected at least one")
    if len(agents) > np.iinfo(np.int16).max:
        raise SetupError(f"agents: {len(agents)} given, expected at most {np.iinfo(np.int16).max}")
    for name, value, least in (
        ("games", games, 1),
        ("seed", seed, 0),
        ("games_per_shard", games_per_shard, 1),
    ):
        if value is not None and not least <= value < 2**31:
            raise SetupError(f"{name} = {value}, expected a whole number from {least} to {2**31 - 1}")

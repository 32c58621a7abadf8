"""The same tournament spread over a Ray cluster (extra `[scale]`).

Chunks depend on nothing but the header, so it doesn't matter who plays which: equal seeds give equal
blocks, and only the order of lines in the file differs. Every worker makes the agents itself and
compares their fingerprints with the header, so a node with another version of an agent or of the
rules is noticed before it plays.
"""

from __future__ import annotations

import dataclasses
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from evaluation.arena import Progress
from evaluation.tournament.play import Chunk, Field, play_chunk, seat_agents
from evaluation.tournament.results import Block, Header
from fm_env import registry
from fm_env.errors import FmEnvError, LoadError, SetupError

AHEAD = 2
"""Chunks given out for each worker, so that none waits for the next one."""


class RayExecutor:
    """Plays chunks on a Ray cluster; use it as `play_tournament(..., executor=...)`."""

    def __init__(self, address: str | None = None, workers: int | None = None) -> None:
        """Connect.

        Args:
            address: of a running cluster (`auto`: the one this machine belongs to); None starts one here.
            workers: processors of the cluster started here; None: all of this machine.

        Raises:
            SetupError: Ray isn't installed, or there is no cluster at the address.
        """
        try:
            import ray
        except ImportError:
            raise SetupError("--ray: needs Ray; install it with: pip install 'fm-env[scale]'") from None
        self._ray: Any = ray
        self._began = not ray.is_initialized()
        if self._began:
            self._connect(address, workers)
        self._play = ray.remote(_play)

    def _connect(self, address: str | None, workers: int | None) -> None:
        # Workers find modules in the folder the user is in, as this process does.
        paths = dict.fromkeys([str(Path.cwd()), *filter(None, sys.path), os.environ.get("PYTHONPATH", "")])
        environment = {"env_vars": {"PYTHONPATH": os.pathsep.join(filter(None, paths))}}
        quiet = {"include_dashboard": False, "log_to_driver": False, "logging_level": "ERROR"}
        local = {} if address else {"num_cpus": workers, **quiet}
        try:
            self._ray.init(address=address, runtime_env=environment, **local)
        except Exception as error:
            where = address or "this machine"
            raise SetupError(f"--ray-address: can't reach or start Ray on {where}: {error}") from None

    def __call__(self, field: Field, todo: Sequence[Chunk], progress: Progress) -> Iterator[list[Block]]:
        """Yield the blocks of each chunk as it is done."""
        header = self._ray.put(field.header)
        limit = AHEAD * max(1, int(self._ray.cluster_resources().get("CPU", 1)))
        waiting, running = list(reversed(todo)), []
        try:
            while waiting or running:
                while waiting and len(running) < limit:
                    running.append(self._play.remote(header, waiting.pop()))
                done, running = self._ray.wait(running)
                blocks = self._result(done[0])
                progress(sum(len(block.returns) for block in blocks))
                yield blocks
        finally:
            for task in running:
                self._ray.cancel(task, force=True)

    def _result(self, task: Any) -> list[Block]:
        found = self._ray.get(task)
        if isinstance(found, str):
            raise LoadError(f"a worker of the cluster stopped: {found}")
        return found

    def close(self) -> None:
        """Leave the cluster; one that was started here ends."""
        if self._began:
            self._ray.shutdown()

    def __enter__(self) -> RayExecutor:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


_fields: dict[str, Field] = {}
"""In a worker: what was made for the last tournament, by its header's text."""


def _play(header: Header, chunk: Chunk) -> list[Block] | str:
    """In a worker: play one chunk; the text of an error that is the user's to mend."""
    key = repr(header)
    try:
        if key not in _fields:
            _fields.clear()
            _fields[key] = field_of(header)
        return play_chunk(_fields[key], chunk)
    except FmEnvError as error:
        return str(error)


def field_of(header: Header) -> Field:
    """Make the agents that a header names.

    Raises:
        LoadError: they, or the game's rules, are others here than those of the header.
    """
    game = registry.find(header.game.name)
    scenario = game.scenario(**header.game.options)
    versions = ("rules_version", "observation_version")
    for version in versions:
        here, there = getattr(scenario.spec, version), getattr(header.game, version)
        if here != there:
            raise LoadError(f"{version} of {header.game.name} is {here} here, {there} in the tournament")
    agents, entrants = seat_agents(
        game, scenario, [agent.spec for agent in header.agents], header.limits.move_seconds
    )
    for entrant, expected in zip(entrants, header.agents, strict=True):
        if dataclasses.replace(entrant, name=expected.name) != expected:
            raise LoadError(
                f"agent {expected.spec!r} is another one here: fingerprint {entrant.fingerprint},"
                f" {expected.fingerprint} in the tournament"
            )
    return Field(game, scenario, agents, header)

"""An external program as an agent: `engine:COMMAND`, split as a shell would, speaks over stdio.

The program answers `hello` with `ready` and each `choose` with `action` (`protocol.py`). Several games
may share one program; every message names its game. Whatever it does, the agent answers in time:

- no answer within the budget: `silent`; an answer that comes too late is thrown away by its id;
- an answer that is no message, or too long: `garbage`; an action that isn't legal: `illegal`;
- the program ends: `crashed`; it is started again up to `MAX_STARTS` times.

In each case a fallback, evenly random among the legal actions, chooses, and the trouble is counted. A
program that was silent `MAX_SILENT` times in a row is ended.
"""

from __future__ import annotations

import hashlib
import itertools
import shlex
import threading
import time
import weakref
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pydantic

from agents.api import Agent
from agents.service.lines import Program, Trouble, TroubleError
from agents.service.protocol import PROTOCOL, EngineAction, Ready
from fm_env.contract import GameSpec, Mask, Observation
from fm_env.errors import SetupError

BUDGET = 5.0
"""Seconds for one choice."""
START_BUDGET = 20.0
"""Seconds for a program to start and say `ready`: compiled rules may have to be loaded."""
MAX_STARTS = 3
MAX_SILENT = 3
MAX_SKIPPED = 64
"""Answers to older questions that are skipped while waiting for one."""


class Engine:
    """The program and how to reach it; several agents may share it."""

    def __init__(self, argv: list[str], budget: float) -> None:
        """Nothing is started before somebody asks."""
        self.argv, self.budget = argv, budget
        self.troubles: Counter[str] = Counter()
        """What went wrong, how often, in all games together."""
        self.last_trouble = ""
        self.ready: Ready | None = None
        self.starts = 0
        """How often the program was started; a game begun under an earlier start is unknown to it."""
        self._program: Program | None = None
        self._welcomed = 0
        """The start in which it has accepted a game: the first one may take it long."""
        self._silent = 0
        self._ids = itertools.count(1)
        self._lock = threading.Lock()
        self._finaliser: Any = None

    def hello(self) -> Ready:
        """Start it if it doesn't run, and what it says of itself.

        Raises:
            TroubleError: it doesn't start or doesn't say `ready`.
        """
        with self._lock:
            self._running()
            assert self.ready is not None
            return self.ready

    def newgame(self, message: dict[str, Any]) -> None:
        """Announce a game.

        Raises:
            TroubleError: as the module says.
        """
        with self._lock:
            program = self._running()
            seconds = self.budget if self._welcomed == self.starts else max(self.budget, START_BUDGET)
            try:
                program.send({"protocol": PROTOCOL, "type": "newgame", **message})
                answer = self._until(
                    program,
                    time.monotonic() + seconds,
                    lambda found: found.get("type") == "error" or found.get("game_id") == message["game_id"],
                )
                if answer.get("type") != "newgameok":
                    refused = str(answer.get("message"))[:200]
                    raise TroubleError("garbage", f"it refused the game: {refused}")
            except TroubleError as trouble:
                self._note(trouble)
                raise
            self._welcomed = self.starts

    def endgame(self, game_id: str) -> None:
        """Say that a game is over; trouble doesn't matter any more."""
        with self._lock:
            if self._program is not None and self._program.is_alive:
                try:
                    self._program.send({"protocol": PROTOCOL, "type": "endgame", "game_id": game_id})
                except TroubleError:
                    self._stop()

    def choose(self, message: dict[str, Any]) -> EngineAction:
        """Ask for an action; the answer's shape is checked, not whether it is legal.

        Raises:
            TroubleError: as the module says.
        """
        with self._lock:
            program = self._running()
            number = next(self._ids)
            deadline = time.monotonic() + self.budget
            try:
                program.send({"protocol": PROTOCOL, "type": "choose", "id": number, **message})
                answer = self._until(program, deadline, lambda found: found.get("id") == number)
            except TroubleError as trouble:
                self._note(trouble)
                raise
            self._silent = 0
        if answer.get("type") == "error":
            raise TroubleError("garbage", f"it refused: {str(answer.get('message'))[:200]}")
        try:
            return EngineAction.model_validate(answer)
        except pydantic.ValidationError as error:
            raise TroubleError("garbage", f"no action message: {error.errors()[0]['msg']}") from None

    def stop(self) -> None:
        """End the program."""
        with self._lock:
            self._stop()

    def _running(self) -> Program:
        if self._program is not None and self._program.is_alive:
            return self._program
        self._stop()
        if self.starts >= MAX_STARTS:
            raise TroubleError("crashed", f"given up after {MAX_STARTS} starts: {self.last_trouble}")
        self.starts += 1
        self._program = Program(self.argv)
        self._finaliser = weakref.finalize(self, Program.end, self._program)
        self._program.send({"type": "hello", "protocol": PROTOCOL})
        try:
            answer = self._until(
                self._program, time.monotonic() + START_BUDGET, lambda found: found.get("type") == "ready"
            )
            self.ready = Ready.model_validate({k: v for k, v in answer.items() if k in Ready.model_fields})
        except (TroubleError, pydantic.ValidationError) as error:
            self._stop()
            self.last_trouble = str(error)
            if isinstance(error, TroubleError):
                raise
            raise TroubleError("garbage", "its `ready` is no message of this protocol") from None
        return self._program

    @staticmethod
    def _until(program: Program, deadline: float, wanted: Any) -> dict[str, Any]:
        for _ in range(MAX_SKIPPED):
            answer = program.receive(deadline)
            if wanted(answer):
                return answer
        raise TroubleError("garbage", f"{MAX_SKIPPED} answers, none of them to what was asked")

    def _note(self, trouble: TroubleError) -> None:
        self.last_trouble = str(trouble)
        self._silent = self._silent + 1 if trouble.kind == "silent" else 0
        if trouble.kind == "crashed" or self._silent >= MAX_SILENT:
            self._silent = 0
            self._stop()

    def _stop(self) -> None:
        if self._program is not None:
            if self._finaliser is not None:
                self._finaliser.detach()
            self._program.end()
            self._program = None


_game_ids = itertools.count(1)


class EngineAgent(Agent):
    """A seat played by an external program."""

    def __init__(self, engine: Engine, spec: str = "", options: Mapping[str, Any] | None = None) -> None:
        """Sit down; the program starts at the first question.

        Args:
            engine: the program.
            spec: text that the agent was made from.
            options: of the scenario that will be played, told to the program.
        """
        self.engine = engine
        self.spec = spec
        self.options = dict(options or {})
        self.name = Path(engine.argv[0]).name
        self.trouble: Trouble | Literal["illegal"] | None = None
        """What went wrong at the last choice: a `SeatStatus`, or None."""
        self._game: GameSpec | None = None
        self._id = ""
        self._seat, self._seed, self._begun_at, self._asked = 0, 0, 0, 0
        self._rng = np.random.default_rng(0)

    @classmethod
    def from_command(
        cls, spec: str, command: str, options: Mapping[str, Any] | None = None, budget: float = BUDGET
    ) -> EngineAgent:
        """The agent of `engine:COMMAND`.

        Raises:
            SetupError: no command, or quotes that don't match.
        """
        try:
            argv = shlex.split(command)
        except ValueError as error:
            raise SetupError(f"agent {spec!r}: {error}") from None
        if not argv:
            raise SetupError(f"agent {spec!r}: expected engine:COMMAND, e.g. engine:./my_bot --fast")
        return cls(Engine(argv, budget), spec, options)

    def check(self, spec: GameSpec) -> None:
        """Refuse to sit down with a program that doesn't start.

        Raises:
            SetupError: what it did instead of saying `ready`.
        """
        try:
            self.engine.hello()
        except TroubleError as trouble:
            raise SetupError(f"agent {self.spec!r}: {trouble.kind}: {trouble}") from None

    def reset(self, spec: GameSpec, seat: int, seed: int) -> None:
        """A new game, announced at its first choice."""
        self.end()
        self._game, self._seat, self._seed = spec, seat, seed
        self._id = f"game-{next(_game_ids)}"
        self._begun_at, self._asked = 0, 0
        self._rng = np.random.default_rng([seed % 2**63, seat])

    def end(self) -> None:
        """The game is over or given up: the program may forget it."""
        if self._begun_at:
            self.engine.endgame(self._id)
            self._begun_at = 0

    def act(self, observation: Observation, action_mask: Mask) -> int:
        """Ask the program; on any trouble choose evenly among the legal actions, and count it."""
        self._asked += 1
        try:
            self.trouble = None
            return self._ask(observation, action_mask, self._seed + self._asked)
        except TroubleError as trouble:
            return self._fall_back(trouble.kind, str(trouble), action_mask)

    def spawn(self) -> Agent:
        """Another seat at the same program."""
        return EngineAgent(self.engine, self.spec, self.options)

    def fingerprint(self) -> str:
        """Hash of the command and, where it names a file, of that file."""
        parts = [self.spec.encode()]
        for word in self.engine.argv:
            path = Path(word)
            if path.is_file() and path.stat().st_size < 2**26:
                parts.append(path.read_bytes())
        return hashlib.sha256(b"\n".join(parts)).hexdigest()[:16]

    def _ask(self, observation: Observation, mask: Mask, seed: int) -> int:
        self._announce()
        legal = np.flatnonzero(mask).tolist()
        answer = self.engine.choose(
            {
                "game_id": self._id,
                **self._where(),
                "seat": self._seat,
                "seed": seed % 2**53,
                "observation": [round(float(x), 6) for x in observation],
                "legal": legal,
            }
        )
        if answer.action not in legal:
            return self._fall_back("illegal", f"action {answer.action} isn't legal", mask)
        return answer.action

    def _announce(self) -> None:
        stateless = self.engine.hello().stateless
        if stateless or self._begun_at == self.engine.starts or self._game is None:
            return
        self._id = self._id or f"game-{next(_game_ids)}"
        self.engine.newgame(
            {"game_id": self._id, **self._where(), "seat": self._seat, "seed": self._seed % 2**53}
        )
        self._begun_at = self.engine.starts

    def _where(self) -> dict[str, Any]:
        if self._game is None:
            return {}
        return {"game": self._game.game, "scenario": self._game.scenario, "options": self.options}

    def _fall_back(self, kind: Trouble | Literal["illegal"], detail: str, mask: Mask) -> int:
        self.trouble = kind
        self.engine.troubles[kind] += 1
        self.engine.last_trouble = detail
        return int(self._rng.choice(np.flatnonzero(mask)))

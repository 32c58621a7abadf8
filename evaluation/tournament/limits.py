"""Time limits for agents in Python, which may be slow, hang or die.

Such an agent lives in a process of its own, because nothing else can be ended when it hangs. For each
decision:

* An answer within the limit counts.
* After the limit the move is replaced by a uniformly random legal action drawn from the game's seed
  (kind `late`); the agent isn't told. When the agent answers after all, before it is needed again
  or within the same time once more, that answer is thrown away and the agent plays on.
* Else its process is ended and a new one begins. What the agent remembered of the games it was in is
  lost, so in those (one block's: limited agents play one block at a time) all its further moves are replaced,
  too (kind `lost`). With the next block it starts afresh.
* A process that dies counts as a crash of that move; its other moves in the block are `lost`.

An agent that chooses for many games at once has the limit times the number of games for it. The
clock runs on this machine, so unlike everything else here, results of agents near the limit can
differ from run to run. Compiled bots and network policies take microseconds and aren't limited.
"""

from __future__ import annotations

import contextlib
import itertools
import multiprocessing
import os
import threading
import time
import weakref
from multiprocessing.connection import Connection
from typing import Any

import numpy as np

from agents.api import Actions, Agent
from agents.compiled import CompiledAgent
from agents.policy import NetworkPolicy
from evaluation.faults import CRASH, LATE, LOST, AgentFault
from fm_env.contract import GameSpec, Mask, Observation, Scenario
from fm_env.errors import LoadError
from fm_env.sampler import Sampler

START_SECONDS = 120.0
"""Time to start a process and make the agent in it (importing a deep learning library takes long)."""

RESET_SECONDS = 10.0
"""Time to begin a game, where the limit for a move is shorter."""


def limited(agent: Agent, game: str, scenario: Scenario, seconds: float) -> Agent:
    """An agent with a time limit for each decision, or itself if it needs none.

    Args:
        agent: made by `agents.make`; its spec is made again in the other process.
        game: name of its game.
        scenario: what it plays.
        seconds: the limit.
    """
    if isinstance(agent, CompiledAgent | NetworkPolicy):
        return agent
    return LimitedAgent(agent, Host(agent.spec, game, scenario), seconds)


class LimitedAgent(Agent):
    """An agent in another process; raises `AgentFault` where no answer comes in time."""

    def __init__(self, inner: Agent, host: Host, seconds: float) -> None:
        """Args: `inner` answers only what takes no thinking; `host` runs the agent that plays."""
        self.inner, self.host, self.seconds = inner, host, seconds
        self.name, self.spec = inner.name, inner.spec
        self.needs_sampler, self.remembers = inner.needs_sampler, inner.remembers
        self.sampler: Sampler | None = None
        self.copy = host.new_copy()
        self.life = -1
        """Which process of the host remembers this copy's game."""
        weakref.finalize(self, host.forget, self.copy)

    def check(self, spec: GameSpec) -> None:
        """As the agent does."""
        self.inner.check(spec)

    def fingerprint(self) -> str:
        """The agent's."""
        return self.inner.fingerprint()

    @property
    def plays_batches(self) -> bool:
        """As the agent does."""
        return self.inner.plays_batches

    def spawn(self) -> Agent:
        """Another copy in the same process."""
        other = LimitedAgent(self.inner, self.host, self.seconds)
        other.name = self.name
        return other

    def reset(self, spec: GameSpec, seat: int, seed: int) -> None:
        """Begin a game."""
        self.life = -1
        self.host.ask("reset", self.copy, (spec, seat, seed), max(self.seconds, RESET_SECONDS), self.seconds)
        self.life = self.host.life

    def imagine(self, sampler: Sampler) -> None:
        """Keep it for the next question."""
        self.sampler = sampler

    def act(self, observation: Observation, action_mask: Mask) -> int:
        """Ask and wait."""
        if self.life != self.host.life_now():
            raise AgentFault(LOST, f"agent {self.name!r} was ended during this game")
        question = (observation, action_mask, self.sampler)
        return self.host.ask("act", self.copy, question, self.seconds, self.seconds)

    def act_batch(self, observations: Observation, masks: Mask, rng: np.random.Generator) -> Actions:
        """Ask for many games at once; `rng` goes on as if the agent had used it here."""
        allowed = self.seconds * len(masks)
        chosen, state = self.host.ask("act_batch", self.copy, (observations, masks, rng), allowed, allowed)
        rng.bit_generator.state = state
        return chosen

    def close(self) -> None:
        """End the process."""
        self.host.end()


class Host:
    """Runs one agent (any number of copies) in another process."""

    def __init__(self, spec: str, game: str, scenario: Scenario) -> None:
        """Nothing is started before the first question."""
        self.made_from = (spec, game, scenario)
        self.life = 0
        """Counts the processes that have been ended."""
        self._process: Any = None
        self._pipe: Connection | None = None
        self._numbers = itertools.count()
        self._copies = itertools.count()
        self._gone: list[int] = []
        self._owed: tuple[int, float] | None = None
        """An answer that is late: number of the question, and when patience ends."""

    def new_copy(self) -> int:
        """A number for another copy of the agent."""
        return next(self._copies)

    def forget(self, copy: int) -> None:
        """This copy's game is over; its memory can go."""
        self._gone.append(copy)

    def life_now(self) -> int:
        """`life` after a late answer was waited for, if there is one."""
        self._settle()
        return self.life

    def ask(self, what: str, copy: int, arguments: tuple[Any, ...], seconds: float, patience: float) -> Any:
        """Ask and wait `seconds`; a late answer is waited for `patience` longer before the next question.

        Raises:
            AgentFault: `late` or `crash`.
        """
        self._settle()
        self._start()
        assert self._pipe is not None
        number, gone, self._gone = next(self._numbers), self._gone, []
        try:
            self._pipe.send((number, what, copy, arguments, gone))
            if not self._pipe.poll(seconds):
                self._owed = (number, time.monotonic() + patience)
                raise AgentFault(LATE, f"agent {self.made_from[0]!r} took longer than {seconds:g} s")
            _, error, value = self._pipe.recv()
        except (EOFError, OSError):
            self.end()
            raise AgentFault(CRASH, f"agent {self.made_from[0]!r}: its process died") from None
        if error:
            raise AgentFault(CRASH, f"agent {self.made_from[0]!r} failed: {error}")
        return value

    def end(self) -> None:
        """End the process; copies that were in it have lost their games."""
        if self._process is None:
            return
        self._process.kill()
        self._process.join()
        self._process.close()
        assert self._pipe is not None
        self._pipe.close()
        self._process = self._pipe = self._owed = None
        self.life += 1

    def _settle(self) -> None:
        """Throw a late answer away, or the process that doesn't give it."""
        if self._owed is None or self._pipe is None:
            return
        _, until = self._owed
        try:
            if self._pipe.poll(max(0.0, until - time.monotonic())):
                self._pipe.recv()
                self._owed = None
                return
        except (EOFError, OSError):
            pass
        self.end()

    def _start(self) -> None:
        if self._process is not None:
            return
        # A fresh interpreter: threads of this one (Numba's, PyTorch's) don't survive a fork.
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(
            target=_serve, args=(theirs, os.getpid(), *self.made_from), daemon=True
        )
        self._process.start()
        theirs.close()
        problem: str | None = "it took too long"
        with contextlib.suppress(EOFError, OSError):
            if self._pipe.poll(START_SECONDS):
                problem = self._pipe.recv()
        if problem is not None:
            self.end()
            raise LoadError(
                f"agent {self.made_from[0]!r}: making it in a process of its own failed: {problem}"
            )


def _serve(pipe: Connection, parent: int, spec: str, game: str, scenario: Scenario) -> None:
    """What the other process does: make the agent, answer questions until the pipe closes."""
    from agents.registry import make

    threading.Thread(target=_watch, args=(parent,), daemon=True).start()
    try:
        agent = make(spec, game, scenario)
    except Exception as error:
        pipe.send(f"{type(error).__name__}: {error}")
        return
    pipe.send(None)
    copies: dict[int, Agent] = {}
    with contextlib.suppress(EOFError, OSError):
        while True:
            number, what, copy, arguments, gone = pipe.recv()
            for old in gone:
                copies.pop(old, None)
            try:
                answer = (number, "", _do(agent, copies, what, copy, arguments))
            except Exception as error:
                answer = (number, f"{type(error).__name__}: {error}", None)
            pipe.send(answer)


def _do(agent: Agent, copies: dict[int, Agent], what: str, copy: int, arguments: tuple[Any, ...]) -> Any:
    if what == "act_batch":
        rng = arguments[2]
        return np.asarray(agent.act_batch(*arguments)), rng.bit_generator.state
    if copy not in copies:
        copies[copy] = agent.spawn()
    if what == "reset":
        return copies[copy].reset(*arguments)
    observation, mask, sampler = arguments
    if sampler is not None:
        copies[copy].imagine(sampler)
    return np.asarray(copies[copy].act(observation, mask))


def _watch(parent: int) -> None:
    """End with the parent, even if it was killed while the agent hangs."""
    while os.getppid() == parent:
        time.sleep(1.0)
    os._exit(1)

"""The agents at the seats of one hosted game: made, asked, and replaced by the fallback when they fail."""

from __future__ import annotations

import asyncio
import contextlib
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from agents.api import Agent
from agents.service.belief import belief_of
from agents.service.choose import Lending, Thought, alternatives, is_quick, think
from agents.service.external import START_BUDGET, EngineAgent
from agents.service.hosted import HostedGame
from agents.service.protocol import ChooseReply
from agents.service.protocol_view import SeatStatus
from agents.service.running import RunningGame
from agents.service.setting import Setting, luck
from fm_env.contract import Mask, Observation
from fm_env.errors import IllegalActionError
from fm_env.sampler import Sampler

THINKERS = ThreadPoolExecutor(max_workers=16, thread_name_prefix="agent")
"""Where slow agents think, apart from the threads that load and store games."""


class Answer(NamedTuple):
    """What came of asking an agent."""

    thought: Thought | None
    trouble: SeatStatus | None
    """Why the fallback has to choose, or has chosen inside an `EngineAgent`."""


class Players:
    """One per game."""

    def __init__(self, game: HostedGame, lending: Lending, seconds: float) -> None:
        """Make the agents of all seats that have one.

        Args:
            game: where they sit.
            lending: where they come from.
            seconds: for one choice of a slow agent.
        """
        self.game, self.seconds = game, seconds
        self._fallback = None if game.fallback is None else lending.get(game.fallback, game.setting)
        self._agents: dict[int, Agent] = {}
        self._late: dict[int, asyncio.Future[Answer]] = {}
        for seat in game.seats:
            if seat.agent is not None:
                self._agents[seat.seat] = self._seated(lending.get(seat.agent, game.setting), seat.seat)

    def _seated(self, agent: Agent, seat: int) -> Agent:
        if agent.plays_batches:
            return agent  # has no memory: one object plays all games
        player = agent.spawn()
        if isinstance(player, EngineAgent):
            player.engine.budget = self.seconds
        player.reset(self.game.setting.spec, seat, self.game.seed + seat)
        return player

    def remind(self) -> None:
        """After a restart, agents with a memory are shown their choices so far. A program outside isn't:
        it is told of a new game.
        """
        forgetful = {
            seat: agent
            for seat, agent in self._agents.items()
            if not agent.plays_batches and agent.remembers and not isinstance(agent, EngineAgent)
        }
        if not forgetful:
            return
        again = RunningGame(self.game.setting, self.game.seed)
        for move in self.game.moves:
            if move.seat in forgetful:
                if forgetful[move.seat].needs_sampler:
                    forgetful[move.seat].imagine(again.sampler(move.seat))
                forgetful[move.seat].act(again.observation(move.seat), again.mask(move.seat))
            again.play(move.seat, move.action)

    def end(self) -> None:
        """The game is over."""
        for agent in self._agents.values():
            if isinstance(agent, EngineAgent):
                agent.end()

    def next_quick(self, thinking: dict[int, asyncio.Task[None]]) -> int | None:
        """A seat that owes a choice and can make it at once: a quick agent's, or one that resigned."""
        for seat in self.game.owing():
            if self.game.seats[seat].status == "resigned":
                return seat
            agent = self._agents.get(seat)
            if agent is not None and seat not in thinking and is_quick(agent):
                return seat
        return None

    def move_at_once(self, seat: int, clock: float) -> None:
        """What `next_quick` found."""
        if self.game.seats[seat].status == "resigned":
            self.fall_back(seat, "resigned", clock)
        else:
            self.move(seat, self._ask(seat, *self._position(seat), self._sampler(seat)), clock)

    def move(self, seat: int, answer: Answer, clock: float) -> None:
        """Take an agent's answer, or what the fallback says in its place."""
        if answer.thought is None:
            self.fall_back(seat, answer.trouble or "crashed", clock)
            return
        by = "agent" if answer.trouble is None else "fallback"
        self.game.play(seat, answer.thought.action, by, clock, answer.trouble, answer.thought)

    def fall_back(self, seat: int, why: SeatStatus, clock: float) -> None:
        """The fallback chooses for a seat."""
        action = self.game.fall_back_action(seat)
        if self._fallback is not None:
            observation, mask, generator = self._position(seat)
            with contextlib.suppress(Exception):  # the fallback's own fallback is drawn above
                sampler = self.game.running.sampler(seat) if self._fallback.needs_sampler else None
                action = think(self._fallback, observation, mask, generator, sampler).action
        self.game.play(seat, action, "fallback", clock, why)

    async def think_slowly(self, seat: int) -> Answer:
        """Ask an agent in a thread, and give up waiting after its budget.

        A thread can't be ended: until an agent that was late has come back it isn't asked again.
        """
        late = self._late.get(seat)
        if late is not None and not late.done():
            return Answer(None, "slow")
        loop = asyncio.get_running_loop()
        work = loop.run_in_executor(THINKERS, self._ask, seat, *self._position(seat), self._sampler(seat))
        self._late[seat] = work
        # A program outside keeps its own time, and may have to be started.
        outside = isinstance(self._agents[seat], EngineAgent)
        patience = self.seconds + (2 * START_BUDGET if outside else 0.0)
        try:
            return await asyncio.wait_for(asyncio.shield(work), patience)
        except TimeoutError:
            return Answer(None, "slow")

    def _position(self, seat: int) -> tuple[Observation, Mask, np.random.Generator]:
        running = self.game.running
        generator = luck(self.game.seed, seat, running.choices)
        return running.observation(seat), running.mask(seat), generator

    def _sampler(self, seat: int) -> Sampler | None:
        return self.game.running.sampler(seat) if self._agents[seat].needs_sampler else None

    def _ask(
        self,
        seat: int,
        observation: Observation,
        mask: Mask,
        generator: np.random.Generator,
        sampler: Sampler | None,
    ) -> Answer:
        agent = self._agents[seat]
        try:
            thought = think(agent, observation, mask, generator, sampler)
        except IllegalActionError:
            return Answer(None, "illegal")
        except Exception:  # whatever an agent does, the game goes on
            return Answer(None, "crashed")
        trouble = agent.trouble if isinstance(agent, EngineAgent) else None
        return Answer(thought, trouble)


def hint_for(
    lending: Lending,
    setting: Setting,
    spec: str,
    seat: int,
    version: int,
    observation: Observation,
    mask: Mask,
    sampler: Sampler,
) -> ChooseReply:
    """What an agent would do, with its reasons."""
    agent = lending.get(spec, setting)
    if not agent.plays_batches:
        agent = agent.spawn()
        agent.reset(setting.spec, seat, version)
    thought = think(agent, observation, mask, luck(version, seat), sampler)
    return ChooseReply(
        agent=spec,
        action=thought.action,
        text=setting.texts[thought.action],
        win_estimate=thought.win_estimate,
        alternatives=alternatives(setting, thought.probabilities, mask, 5),
        belief=belief_of(setting, observation),
    )

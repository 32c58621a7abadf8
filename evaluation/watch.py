"""Games watched event by event, for whoever wants to know more than how they ended.

The referee here may see states; agents are given observations and masks, as everywhere. Luck is that of
`fm_env.match.Match` with the same seed, so every game watched can be played again as a match.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from agents.api import Agent
from evaluation.arena import Progress, check_actions
from fm_env.contract import CHANCE, TERMINAL, Game, Mask, Observation, Scenario
from fm_env.engine import engine_of
from fm_env.errors import SetupError
from fm_env.match import Match
from fm_env.records import new_states
from fm_env.rng import row_for
from fm_env.sampler import Lookouts

WAVE = 256
"""Games watched side by side; a wave's records and their copies stay below 20 MB."""

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Story:
    """One game that was watched."""

    block: int
    """Games of a block share their seed."""
    seed: int
    """`Match(..., seed=seed)` has the same luck."""
    agents: tuple[int, ...]
    """Number of the agent on each seat."""
    choices: tuple[tuple[int, int], ...]
    """Every `(seat, action)`, forced ones included."""
    returns: tuple[float, ...]

    def match(self, game: Game, scenario: Scenario) -> Match:
        """The same game as a match, played to its end."""
        match = Match(game, scenario, seed=self.seed)
        for seat, action in self.choices:
            match.play(seat, action)
        return match


@dataclass(frozen=True)
class Choices:
    """Choices that agents were asked for at one moment; a row each."""

    game: Ints
    """`[B]`, number of the game in its wave."""
    seat: Ints
    block: Ints
    agent: Ints
    """`[B]`, number of the agent."""
    observations: Observation
    masks: Mask
    actions: Ints
    players: Sequence[Agent]
    """`[B]`, who was asked: the agent, or its copy for that game."""


@dataclass(frozen=True)
class Events:
    """One event in each running game: a choice, asked for or forced, or an outcome of chance."""

    seat: Ints
    """`[B]`, or CHANCE."""
    action: Ints
    before: npt.NDArray[Any]
    """`[B]` records."""
    after: npt.NDArray[Any]
    block: Ints
    agents: Ints
    """`[B, S]`, who sits where."""


@dataclass(frozen=True)
class Ends:
    """A wave of finished games."""

    states: npt.NDArray[Any]
    """`[N]` records."""
    returns: npt.NDArray[np.float64]
    """`[N, S]`"""
    block: Ints
    agents: Ints
    """`[N, S]`"""


class Watcher:
    """Somebody who is told; each method does nothing unless it is overridden."""

    wants_events = False
    """True: `saw_events` is called, which costs a copy of every state."""

    def saw_choices(self, choices: Choices) -> None:
        """Agents have chosen."""

    def saw_events(self, events: Events) -> None:
        """Something has happened in every running game."""

    def saw_ends(self, ends: Ends) -> None:
        """A wave is over; numbers of games start again."""


@dataclass(frozen=True)
class Programme:
    """Which games are watched."""

    line_ups: Sequence[Sequence[int]]
    """`[L][S]` numbers of agents; each line-up plays every block."""
    blocks: int
    seed: int
    first_block: int = 0
    """Number of the first block; programmes that are watched together need different ones."""


def watch(
    game: Game,
    scenario: Scenario,
    agents: Sequence[Agent],
    programmes: Sequence[Programme],
    watchers: Sequence[Watcher] = (),
    progress: Progress | None = None,
) -> list[Story]:
    """Play programmes of games and tell the watchers.

    Args:
        game: the game.
        scenario: a scenario of it.
        agents: everyone who plays, by number.
        programmes: who plays whom, how often, with which luck.
        watchers: told of everything as it happens.
        progress: told whenever games end.

    Raises:
        SetupError: no blocks, or a line-up that doesn't fill the seats.
        LoadError: an agent can't play this scenario.
        IllegalActionError: an agent chose something its mask forbids.
    """
    spec = scenario.spec
    bill: list[_Entry] = []
    for programme in programmes:
        if programme.blocks < 1 or any(len(line_up) != spec.num_seats for line_up in programme.line_ups):
            raise SetupError(f"expected at least one block and line-ups of {spec.num_seats} agents")
        seeds = np.random.default_rng(programme.seed).integers(0, 2**62, size=programme.blocks)
        bill += [
            _Entry(programme.first_block + k, int(seed), tuple(line_up))
            for k, seed in enumerate(seeds)
            for line_up in programme.line_ups
        ]
    for number in {k for entry in bill for k in entry.line_up}:
        agents[number].check(spec)
    stories: list[Story] = []
    for first in range(0, len(bill), WAVE):
        wave = _Wave(game, scenario, agents, bill[first : first + WAVE], [programmes[0].seed, first])
        stories += wave.play(watchers, progress)
    return stories


class _Entry(NamedTuple):
    """One game to be played."""

    block: int
    seed: int
    line_up: tuple[int, ...]


class _Wave:
    """Some games side by side."""

    def __init__(
        self,
        game: Game,
        scenario: Scenario,
        agents: Sequence[Agent],
        bill: Sequence[_Entry],
        luck: list[int],
    ) -> None:
        self.spec, self.agents, self.engine = scenario.spec, agents, engine_of(game)
        n = len(bill)
        self.seeds = np.array([entry.seed for entry in bill], np.int64)
        self.block = np.array([entry.block for entry in bill], np.int64)
        self.seated = np.array([entry.line_up for entry in bill], np.int64)
        self.states = new_states(self.spec, n)
        self.rows = [row_for(int(seed)) for seed in self.seeds]
        self.rngs = [np.random.default_rng([*luck, k]) for k in range(len(agents))]
        self.observations = np.zeros((n, self.spec.observation_size), np.float32)
        self.masks = np.zeros((n, self.spec.num_actions), np.bool_)
        self.choices: list[list[tuple[int, int]]] = [[] for _ in range(n)]
        self.players: dict[tuple[int, int], Agent] = {}
        for (i, seat), k in np.ndenumerate(self.seated):
            agent = agents[int(k)]
            if not agent.plays_batches:
                agent = agent.spawn()
                agent.reset(self.spec, seat, int(self.seeds[i] % 2**31) + seat)
            self.players[i, seat] = agent
        searching = [place for place, player in self.players.items() if player.needs_sampler]
        self.lookouts = {
            game_number: Lookouts(game, self.spec, [seat for i, seat in searching if i == game_number])
            for game_number in {i for i, _ in searching}
        }
        for i in range(n):
            self.engine.reset(self.states, i, scenario.setup)

    def play(self, watchers: Sequence[Watcher], progress: Progress | None) -> list[Story]:
        """Play to the end."""
        curious = [watcher for watcher in watchers if watcher.wants_events]
        n = len(self.states)
        running = np.arange(n)
        while True:
            seats = np.array([self.engine.to_act(self.states, int(i)) for i in running], np.int64)
            over = seats == TERMINAL
            if progress is not None and over.any():
                progress(int(over.sum()))
            running, seats = running[~over], seats[~over]
            if len(running) == 0:
                break
            actions = self._settle(running, seats, watchers)
            before = self.states[running].copy() if curious else self.states[:0]
            self._apply(running, seats, actions)
            for watcher in curious:
                after = self.states[running]
                watcher.saw_events(
                    Events(seats, actions, before, after, self.block[running], self.seated[running])
                )
        returns = np.zeros((n, self.spec.num_seats))
        for i in range(n):
            self.engine.returns(self.states, i, returns[i])
        for watcher in watchers:
            watcher.saw_ends(Ends(self.states, returns, self.block, self.seated))
        return [
            Story(
                int(self.block[i]),
                int(self.seeds[i]),
                tuple(self.seated[i].tolist()),
                tuple(self.choices[i]),
                tuple(returns[i].tolist()),
            )
            for i in range(n)
        ]

    def _settle(self, running: Ints, seats: Ints, watchers: Sequence[Watcher]) -> Ints:
        """What happens next in each running game: chance, a forced choice, or an agent's."""
        actions = np.full(len(running), -1, np.int64)
        asked: list[int] = []
        for row, (i, seat) in enumerate(zip(running.tolist(), seats.tolist(), strict=True)):
            if seat == CHANCE:
                actions[row] = self.engine.draw_chance(self.states, i, self.rows[i])
            elif self.engine.legal_mask(self.states, i, seat, self.masks[i]) == 1:
                actions[row] = int(self.masks[i].argmax())
            else:
                self.engine.observe(self.states, i, seat, self.observations[i])
                asked.append(row)
        if asked:
            rows = np.array(asked)
            actions[rows] = self._ask(running[rows], seats[rows], watchers)
        return actions

    def _ask(self, games: Ints, seats: Ints, watchers: Sequence[Watcher]) -> Ints:
        """What agents choose, checked against the masks."""
        numbers = self.seated[games, seats]
        observations, masks = self.observations[games], self.masks[games]
        for i, seat in zip(games.tolist(), seats.tolist(), strict=True):
            if self.players[i, seat].needs_sampler:
                self.players[i, seat].imagine(self.lookouts[i].sampler(self.states, i, seat))
        actions = np.zeros(len(games), np.int64)
        for k in np.unique(numbers).tolist():
            own = np.flatnonzero(numbers == k)
            agent = self.agents[k]
            lent = observations[own].copy(), masks[own].copy()  # the agent's to spoil
            if agent.plays_batches:
                chosen = np.asarray(agent.act_batch(*lent, self.rngs[k]))
            else:
                players = [self.players[int(games[row]), int(seats[row])] for row in own]
                each = zip(players, *lent, strict=True)
                chosen = np.array([player.act(obs, mask) for player, obs, mask in each])
            check_actions(agent, chosen, masks[own])
            actions[own] = chosen
        if watchers:
            players = [self.players[int(i), int(s)] for i, s in zip(games, seats, strict=True)]
            told = Choices(games, seats, self.block[games], numbers, observations, masks, actions, players)
            for watcher in watchers:
                watcher.saw_choices(told)
        return actions

    def _apply(self, running: Ints, seats: Ints, actions: Ints) -> None:
        for i, seat, action in zip(running.tolist(), seats.tolist(), actions.tolist(), strict=True):
            if seat == CHANCE:
                self.engine.apply_chance(self.states, i, action)
            else:
                if i in self.lookouts:
                    self.lookouts[i].chosen(self.states, i, seat, action)
                self.engine.apply(self.states, i, seat, action)
                self.choices[i].append((seat, action))

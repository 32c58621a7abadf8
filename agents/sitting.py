"""One checked game at which agents sit at some seats and somebody else at the others.

The terminal and recorded games are built on it. Agents are handed an observation and a mask, never
the match.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

import numpy as np

from agents.api import Agent
from agents.estimates import chances, expected
from agents.registry import describe, make
from fm_env import shown
from fm_env.contract import CHANCE, Game, Scenario
from fm_env.errors import FmEnvError, SetupError
from fm_env.match import Match
from fm_env.records import as_record, new_states
from fm_env.replay import Alternative, Player, Replay, Thought, record

NUM_ALTERNATIVES = 5
"""Likeliest actions that are kept of a thought."""

FAVOURITES = {
    ("fairy_meat", "duel"): ("policy:duel", "counter"),
    ("fairy_meat", "clash"): ("equilibrium",),
    ("fairy_meat", "scuffle"): ("counter",),
    ("fairy_meat", "skirmish-1v1"): ("tactician",),
    ("fairy_meat", "skirmish-2v2"): ("tactician",),
    ("fairy_meat", "skirmish"): ("tactician",),
    ("sword_and_shield", "joust"): ("policy:joust", "reader"),
    ("angry_miniatures", "skirmish"): ("policy:miniatures", "focus-fire"),
    ("fairy_tale", "expert"): ("policy:tale", "denier"),
}
"""The best agent for each scenario by the committed tournaments; the next where it can't play an option."""


def best_agent(game: Game, scenario: Scenario) -> str:
    """Spec of the strongest agent that comes with the package and can play this."""
    favourites = FAVOURITES.get((game.name, scenario.spec.scenario), ())
    for spec in (*favourites, *reversed(describe(game.name)), "random"):
        try:
            make(spec, game, scenario).check(scenario.spec)
        except FmEnvError:
            continue
        return spec
    raise AssertionError("random plays everything")


class Sitting:
    """A match, the agents at its seats, and what they thought."""

    def __init__(
        self, match: Match, agents: Mapping[int, str], names: Mapping[int, str] | None = None
    ) -> None:
        """Seat the agents; on a match that has begun they are shown their choices so far.

        Args:
            match: at any point.
            agents: specs by seat.
            names: of people, by seat.

        Raises:
            FmEnvError: an agent that doesn't exist or can't play this.
        """
        self.match = match
        self.thoughts: list[Thought] = []
        self.players = [
            Player(seat=seat, name=agents.get(seat) or (names or {}).get(seat, "you"), agent=agents.get(seat))
            for seat in range(match.spec.num_seats)
        ]
        self.agents: dict[int, Agent] = {}
        for seat, spec in agents.items():
            agent = make(spec, match.game, match.scenario)
            agent.check(match.spec)
            agent.reset(match.spec, seat, _seed_of(match, seat))
            self.agents[seat] = agent
        self._remind()

    def let_agents_choose(self) -> None:
        """Every agent that owes a choice makes it, until only others do or the game is over."""
        while seats := [seat for seat in self.match.pending if seat in self.agents]:
            self._ask(seats[0])

    def think(self, agent: Agent, seat: int) -> Thought:
        """What `agent` would weigh at `seat`, which owes a choice."""
        match = self.match
        seen, mask = match.observation(seat)[None], match.mask(seat)[None]
        told = chances(agent, seen, mask)
        told = np.zeros(match.spec.num_actions) if told is None else told
        best = [int(a) for a in np.argsort(-told, kind="stable")[:NUM_ALTERNATIVES] if told[a] > 0]
        alternatives = [
            Alternative(
                text=match.game.action_text(match.spec, a), probability=min(1.0, round(float(told[a]), 4))
            )
            for a in best
        ]
        estimate = expected(agent, seen, mask)
        return Thought(event=len(match.events), seat=seat, win_estimate=estimate, alternatives=alternatives)

    def replay(self) -> Replay:
        """What has been played, with the thoughts."""
        return record(self.match, self.players, self.thoughts)

    def _ask(self, seat: int) -> None:
        agent, match = self.agents[seat], self.match
        if agent.needs_sampler:
            agent.imagine(match.sampler(seat))
        thought = self.think(agent, seat)
        mask = match.mask(seat)
        action = int(agent.act(match.observation(seat), mask.copy()))
        if not 0 <= action < len(mask) or not mask[action]:
            raise SetupError(f"agent {agent.spec!r} at seat {seat} chose {action}, which isn't legal")
        match.play(seat, action)
        if thought.alternatives:
            self.thoughts.append(thought)

    def _remind(self) -> None:
        """Bring agents with memory, and every agent's luck, to where the match stands."""
        if not self.match.events:
            return
        past = Match(
            self.match.game, self.match.scenario, chance=[t for s, t in self.match.texts if s == CHANCE]
        )
        for seat, action in self.match.events:
            if seat == CHANCE:
                continue
            if seat in self.agents and self.agents[seat].remembers:
                if self.agents[seat].needs_sampler:
                    self.agents[seat].imagine(past.sampler(seat))
                self.agents[seat].act(past.observation(seat), past.mask(seat))
            past.play(seat, action)


def told(match: Match, first: int, seat: int | None) -> Iterator[tuple[int, str]]:
    """`(who, words)` of the events from number `first` on, as far as `seat` may know them."""
    positions = [as_record(rows, 0) for rows in _positions(match, first)]
    for (who, action), (before, after) in zip(match.events[first:], pairwise(positions), strict=True):
        words = shown.event_words(match.game, before, who, action, after, seat)
        if words:
            yield who, words


def _positions(match: Match, first: int) -> Iterator[np.ndarray]:
    """Before event `first`, and after each event from it on."""
    from fm_env.engine import engine_of

    engine, states = engine_of(match.game), new_states(match.spec, 1)
    engine.reset(states, 0, match.scenario.setup)
    for k, (who, action) in enumerate(match.events):
        if k >= first:
            yield states.copy()
        if who == CHANCE:
            engine.apply_chance(states, 0, action)
        else:
            engine.apply(states, 0, who, action)
    yield states.copy()


def _seed_of(match: Match, seat: int) -> int:
    """The agent's luck follows the match's, so that a match goes on after a break as it would have."""
    return (0 if match.seed is None else int(match.seed)) * 8 + seat + 1

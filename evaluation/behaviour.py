"""How agents play, not only whether they win: rates that a game defines over decisions.

A game that has something to say offers
`behaviour_counts(spec, observations[B, F], masks[B, A], actions[B]) -> {name: (rate, decisions)}`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from agents.api import Actions, Agent
from evaluation.arena import play
from evaluation.compare import blocks_for
from fm_env.contract import Game, GameSpec, Mask, Observation, Scenario

Rates = dict[str, tuple[float, int]]
"""Name to (rate, number of decisions it is the rate of)."""


class Watched(Agent):
    """Another agent, with notes of what it saw and chose."""

    def __init__(self, agent: Agent) -> None:
        """Watch an agent that plays batches (all but Python agents with a memory)."""
        self.agent = agent
        self.name, self.spec = agent.name, agent.spec
        self.notes: list[tuple[Observation, Mask, Actions]] = []

    def check(self, spec: GameSpec) -> None:
        """Pass on."""
        self.agent.check(spec)

    def act_batch(self, observations: Observation, masks: Mask, rng: np.random.Generator) -> Actions:
        """Pass on and take notes."""
        shown = observations.copy(), masks.copy()
        actions = self.agent.act_batch(observations, masks, rng)
        self.notes.append((*shown, np.asarray(actions)))
        return actions


def behaviour(
    game: Game, scenario: Scenario, agent: Agent, opponents: Sequence[Agent], games: int, seed: int
) -> Rates | None:
    """Rates of an agent's decisions in `games` games against each opponent, all seats equally often.

    Returns:
        None for a game without such rates, or an agent that doesn't play batches.

    Raises:
        As `evaluation.arena.play`.
    """
    counts: Callable[..., Any] | None = getattr(game, "behaviour_counts", None)
    if counts is None or not agent.plays_batches:
        return None
    watched = Watched(agent)
    seats = range(scenario.spec.num_seats)
    for opponent in opponents:
        line_ups = [[watched if seat == own else opponent for seat in seats] for own in seats]
        play(game, scenario, line_ups, blocks_for(games, scenario.spec), seed)
    observations, masks, actions = (np.concatenate(part) for part in zip(*watched.notes, strict=True))
    return dict(counts(scenario.spec, observations, masks, actions))

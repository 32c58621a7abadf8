"""How agents play, not only whether they win: rates that a game defines (`fm_env.games.conduct`).

A rate is a quotient of sums over many games. Games that share their luck depend on each other, so the
interval comes from blocks of games, not from single decisions.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from agents.api import Agent
from evaluation.arena import Progress
from evaluation.compare import blocks_for
from evaluation.stats import LEVEL, Floats, t_quantile
from evaluation.watch import Choices, Ends, Events, Programme, Watcher, watch
from fm_env.contract import Game, GameSpec, Scenario
from fm_env.games.conduct import Conduct, Counts, Habit


@dataclass(frozen=True)
class Rate:
    """One habit of one agent, with its 95 % interval."""

    rate: float
    low: float
    high: float
    n: int
    """Occasions that it is the rate of (decisions, acts or games, as the habit says)."""
    blocks: int
    """Independent observations behind the interval: blocks of games with an occasion in them."""


Rates = dict[str, Rate]
"""Habit to rate; habits without an occasion are left out."""


def rate_of(numerators: Floats, denominators: Floats, share: bool, level: float = LEVEL) -> Rate | None:
    """A quotient of sums and its interval; None without an occasion.

    The usual linearisation of a ratio, with two invented blocks of average size, one at either bound of
    the rate, as in `evaluation.stats.mean_interval` and for the same reason: few blocks, or ones that
    all agree, must not give an interval of no width.

    Args:
        numerators: `[blocks]`, what was counted in each block.
        denominators: `[blocks]`, occasions in each block.
        share: the rate lies in [0, 1]; else its bounds are the smallest and largest seen in a block,
            0 and 1 included.
        level: share of repetitions in which the interval should cover the truth.
    """
    seen = denominators > 0
    numerators, denominators = numerators[seen].astype(float), denominators[seen].astype(float)
    n = len(denominators)
    if n == 0:
        return None
    ratios = numerators / denominators
    low, high = (0.0, 1.0) if share else (min(0.0, float(ratios.min())), max(1.0, float(ratios.max())))
    size = float(denominators.mean())
    rate = float(numerators.sum() / denominators.sum())
    padded = float((numerators.sum() + size * (low + high)) / (denominators.sum() + 2 * size))
    squares = float(np.sum((numerators - padded * denominators) ** 2))
    squares += size**2 * ((low - padded) ** 2 + (high - padded) ** 2)
    half_width = t_quantile(level, n + 1) * math.sqrt(squares / (n + 1) / (n + 2)) / size
    # The raw rate is shown, so the interval is widened to hold it where blocks are few and alike.
    return Rate(
        rate,
        max(low, min(rate, padded - half_width)),
        min(high, max(rate, padded + half_width)),
        round(float(denominators.sum())),
        n,
    )


class BehaviourWatcher(Watcher):
    """Sums up what a game's `conduct` counts, for each agent and block."""

    def __init__(self, conduct: Conduct, spec: GameSpec, num_agents: int, num_blocks: int) -> None:
        """Prepare for blocks 0 to `num_blocks` - 1."""
        self.conduct, self.spec, self.shape = conduct, spec, (num_agents, num_blocks)
        self.wants_events = conduct.deeds is not None
        self.sums: dict[str, tuple[Floats, Floats]] = {}
        """Habit to numerators and denominators, `[agents, blocks]`."""

    def saw_choices(self, choices: Choices) -> None:
        """Count what agents chose."""
        found = self.conduct.choices(self.spec, choices.observations, choices.masks, choices.actions)
        self._add(found, (choices.agent, choices.block))

    def saw_events(self, events: Events) -> None:
        """Count what happened."""
        assert self.conduct.deeds is not None
        found = self.conduct.deeds(self.spec, events.before, events.seat, events.action, events.after)
        self._add(found, (events.agents, events.block[:, None]))

    def saw_ends(self, ends: Ends) -> None:
        """Count how games ended."""
        if self.conduct.ends is not None:
            self._add(self.conduct.ends(self.spec, ends.states), (ends.agents, ends.block[:, None]))

    def rates(self, agent: int) -> Rates:
        """An agent's rates, in the order of the game's habits."""
        found: Rates = {}
        for name, habit in self.conduct.habits.items():
            if name in self.sums:
                above, below = self.sums[name]
                rate = rate_of(above[agent], below[agent], share=not habit.unit)
                if rate is not None:
                    found[name] = rate
        return found

    def _add(self, found: Counts, where: tuple[np.ndarray, np.ndarray]) -> None:
        for name, (above, below) in found.items():
            if name not in self.sums:
                self.sums[name] = np.zeros(self.shape), np.zeros(self.shape)
            for total, part in zip(self.sums[name], (above, below), strict=True):
                if part.any():
                    np.add.at(total, where, part)


def conduct_of(game: Game) -> Conduct | None:
    """What a game has to say about how it is played; None if nothing."""
    return getattr(game, "conduct", None)


def habits_of(game: Game) -> dict[str, Habit]:
    """The habits that a game counts, in the order of tables."""
    conduct = conduct_of(game)
    return {} if conduct is None else dict(conduct.habits)


def behaviour(
    game: Game,
    scenario: Scenario,
    agent: Agent,
    opponents: Sequence[Agent],
    games: int,
    seed: int,
    progress: Progress | None = None,
) -> list[Rates] | None:
    """How an agent and each opponent play, in `games` games of theirs, all seats equally often.

    Returns:
        Rates of the agent and of each opponent, in this order; None for a game without habits.

    Raises:
        As `evaluation.watch.watch`.
    """
    conduct = conduct_of(game)
    if conduct is None:
        return None
    seats = range(scenario.spec.num_seats)
    blocks = blocks_for(games, scenario.spec)
    everybody = [agent, *opponents]
    watcher = BehaviourWatcher(conduct, scenario.spec, len(everybody), blocks * len(opponents))
    programmes = [
        Programme(
            [[0 if seat == own else k for seat in seats] for own in seats], blocks, seed, (k - 1) * blocks
        )
        for k in range(1, len(everybody))
    ]
    watch(game, scenario, everybody, programmes, [watcher], progress)
    return [watcher.rates(k) for k in range(len(everybody))]

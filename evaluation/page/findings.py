"""All that a report says: what the tournament's file shows, and what watching more games shows."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from agents.api import Agent
from agents.registry import make
from evaluation.arena import Progress
from evaluation.behaviour import BehaviourWatcher, Rates, conduct_of, habits_of
from evaluation.calibration import Calibration, CalibrationWatcher
from evaluation.page.replays import HighlightWatcher, Replay, choose, replay_json, tell
from evaluation.report import versions
from evaluation.tournament.analysis import Analysis
from evaluation.tournament.results import Header
from evaluation.watch import Programme, watch
from fm_env import registry
from fm_env.contract import Game, Scenario
from fm_env.errors import FmEnvError, LoadError
from fm_env.games.conduct import Habit

SCHEMA = "fm-env-report-1"
"""Version of the JSON form."""


@dataclass(frozen=True)
class Watched:
    """What watching fresh games of a tournament's agents showed."""

    games: int
    seed: int
    absent: dict[str, str]
    """Agents that could not be watched, and why."""
    habits: dict[str, Habit]
    rates: dict[str, Rates]
    """By agent."""
    calibrations: dict[str, Calibration]
    """Of the agents that say what they expect."""
    replays: tuple[Replay, ...]


@dataclass(frozen=True)
class Findings:
    """A whole report."""

    analysis: Analysis
    watched: Watched | None
    command: str
    """That made the report."""

    @property
    def header(self) -> Header:
        """Of the tournament."""
        return self.analysis.header

    def to_json(self, replay_folder: str) -> dict[str, Any]:
        """Everything as JSON-able values."""
        w = self.watched
        return {
            "schema": SCHEMA,
            "command": self.command,
            "versions": versions(),
            "analysis": self.analysis.to_json(),
            "watched": None
            if w is None
            else {
                "games": w.games,
                "seed": w.seed,
                "absent": w.absent,
                "habits": {name: dataclasses.asdict(habit) for name, habit in w.habits.items()},
                "behaviour": {
                    name: {habit: dataclasses.asdict(rate) for habit, rate in rates.items()}
                    for name, rates in w.rates.items()
                },
                "calibration": {
                    name: dataclasses.asdict(found) | {"skill": found.skill}
                    for name, found in w.calibrations.items()
                },
                "replays": [replay_json(replay, replay_folder) for replay in w.replays],
            },
        }


def setting_of(header: Header) -> tuple[Game, Scenario]:
    """The game and scenario of a tournament.

    Raises:
        UnknownNameError, SetupError: this version doesn't know them.
        LoadError: the rules have changed since.
    """
    game = registry.find(header.game.name)
    options = {name: value for name, value in header.game.options.items() if name != "scenario"}
    scenario = game.scenario(header.game.scenario, **options)
    if scenario.spec.rules_version != header.game.rules_version:
        raise LoadError(
            f"the tournament was played by version {header.game.rules_version} of the rules of {game.name},"
            f" this is version {scenario.spec.rules_version}: report without --watch"
        )
    return game, scenario


def entrants(header: Header, game: Game, scenario: Scenario) -> tuple[list[Agent | None], dict[str, str]]:
    """The tournament's agents made again, None for those that can't be or have changed; and why."""
    found: list[Agent | None] = []
    absent: dict[str, str] = {}
    for entrant in header.agents:
        agent: Agent | None = None
        try:
            agent = make(entrant.spec, game, scenario)
            agent.name = entrant.name
            if agent.fingerprint() != entrant.fingerprint:
                agent, absent[entrant.name] = None, "has changed since the tournament"
        except FmEnvError as error:
            absent[entrant.name] = str(error)
        found.append(agent)
    return found, absent


def watch_more(analysis: Analysis, blocks: int, seed: int, progress: Progress | None = None) -> Watched:
    """Watch fresh games of every group of the tournament.

    Args:
        analysis: of the tournament.
        blocks: deals of luck for each group, each played in all of its seat orders.
        seed: of the luck.
        progress: told whenever games end.

    Raises:
        LoadError, SetupError, UnknownNameError: the tournament's scenario can't be set up as it was.
    """
    header = analysis.header
    game, scenario = setting_of(header)
    made, absent = entrants(header, game, scenario)
    groups = playable(header, made)
    agents = [agent or Agent() for agent in made]  # those who are absent sit in no group
    conduct = conduct_of(game)
    behaviour = (
        None
        if conduct is None
        else BehaviourWatcher(conduct, scenario.spec, len(agents), max(1, blocks * len(groups)))
    )
    estimates, highlights = CalibrationWatcher(len(agents)), HighlightWatcher(conduct, scenario.spec)
    watchers = [estimates, highlights, *([behaviour] if behaviour else [])]
    programmes = [Programme(orders, blocks, seed + k, k * blocks) for k, orders in enumerate(groups)]
    stories = watch(game, scenario, agents, programmes, watchers, progress) if programmes else []
    ratings = [0.0] * len(agents)
    for rating in analysis.ratings:
        ratings[rating.agent] = rating.elo
    chosen = choose(stories, highlights.values(), ratings) if stories else {}
    names = header.names
    calibrations = {name: estimates.calibration(k) for k, name in enumerate(names)}
    return Watched(
        len(stories),
        seed,
        absent,
        habits_of(game),
        {name: behaviour.rates(k) for k, name in enumerate(names)} if behaviour else {},
        {name: found for name, found in calibrations.items() if found is not None},
        tuple(tell(game, scenario, stories[k], reasons, names) for k, reasons in chosen.items()),
    )


def playable(header: Header, made: Sequence[Agent | None]) -> list[list[list[int]]]:
    """Seat orders of the groups whose agents are all there."""
    return [
        [list(order) for order in group.orders]
        for group in header.groups
        if all(made[k] is not None for order in group.orders for k in order)
    ]

"""Opponents inside the single-seat views: from what users write to `agents.api.Agent`s."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from fm_env.contract import Game, Scenario
from fm_env.errors import SetupError

if TYPE_CHECKING:
    from agents.api import Agent

# `agents` stands above `fm_env` and is needed only by views with opponents, so it's fetched by
# name when one of those is made.


def opponents_of(given: Any, game: Game, scenario: Scenario) -> list[Agent]:
    """One agent for each opponent that was asked for.

    Args:
        given: a spec such as "median" or "bluffer:rate=0.3"; an Agent; any object with
            `act(observation, action_mask)`; a function of the same arguments; or a sequence of
            these, from which every game draws.
        game: the game.
        scenario: what will be played.

    Raises:
        SetupError: there is none, or one that can't play; UnknownNameError, LoadError: as
            `agents.registry.make`.
    """
    items = list(given) if isinstance(given, Sequence) and not isinstance(given, str) else [given]
    if not items:
        raise SetupError("opponents: an empty list, expected at least one")
    return [_agent(item, game, scenario) for item in items]


def _agent(given: Any, game: Game, scenario: Scenario) -> Agent:
    registry = import_module("agents.registry")
    if isinstance(given, str):
        return registry.make(given, game, scenario)
    if isinstance(given, import_module("agents.api").Agent):
        return given
    if callable(getattr(given, "act", None)):
        return registry.ForeignAgent(given)
    if callable(given):
        return registry.ForeignAgent(_FunctionPlayer(given))
    raise SetupError(
        f"opponents: {given!r}, expected a spec, an object with act(observation, action_mask) or a function"
    )


class _FunctionPlayer:
    """A function of (observation, action_mask) as a player."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.act = function
        self.name = getattr(function, "__name__", "function")


def dispatcher_of(game: Game) -> Any:
    """What plays the game's compiled bots inside a Batch; None for a game without own bots."""
    return import_module("agents.registry").dispatcher(game.name)


def name_of(agent: Agent) -> str:
    """What an agent is called in infos: its name, else that of its class."""
    return agent.name or type(agent).__name__.lower()


def checked_answer(agent: Agent, action: Any, mask: Any) -> int:
    """An opponent's action, if it's legal.

    Raises:
        SetupError: names the opponent that broke the rules.
    """
    from fm_env.views.table import action_number

    number = action_number(action, len(mask))
    if number is None or not mask[number]:
        legal = [int(i) for i in mask.nonzero()[0]]
        raise SetupError(f"opponent {name_of(agent)!r} chose {action!r}, expected one of {legal}")
    return number

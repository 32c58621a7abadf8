"""From `search:base=policy:duel,simulations=256` to an agent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agents.search.agent import SearchAgent
from fm_env.contract import Game, Scenario
from fm_env.errors import SetupError, UnknownNameError

PARAMETERS = ("base", "simulations", "seconds", "horizon", "others", "temperature")
DEFAULT_SIMULATIONS = 256


def make_search(
    spec: str, arguments: Mapping[str, Any], game: str | Game, scenario: str | Scenario | None
) -> SearchAgent:
    """The agent that the text's parameters describe.

    Args:
        spec: the whole text.
        arguments: what comes after `search:`; the base agent is the best known for the scenario unless given.
        game: a game or its name.
        scenario: what it will play; without it the base agent has to be named.

    Raises:
        UnknownNameError: no such parameter.
        SetupError: a parameter out of range, no base agent, or one that searches itself.
    """
    from agents.registry import make
    from agents.sitting import best_agent
    from fm_env import registry as games

    given = dict(arguments)
    for key in given:
        if key not in PARAMETERS:
            raise UnknownNameError("parameter of agent 'search'", key, PARAMETERS)
    found = games.find(game) if isinstance(game, str) else getattr(game, "game", game)
    chosen = found.scenario(scenario) if isinstance(scenario, str) else scenario
    base_spec = given.pop("base", None)
    if base_spec is None:
        if chosen is None:
            raise SetupError(f"agent {spec!r}: without a scenario, base=AGENT is needed")
        base_spec = best_agent(found, chosen)
    base = make(str(base_spec), found, chosen)
    if base.needs_sampler:
        raise SetupError(f"agent {spec!r}: base = {base_spec} searches itself")
    if "seconds" not in given:
        given.setdefault("simulations", DEFAULT_SIMULATIONS)
    return SearchAgent(spec, base, chosen.spec if chosen is not None else None, **given)

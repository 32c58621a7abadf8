"""From a line of text to an agent.

The text is one of:

    random                  a compiled bot of the game
    bluffer:rate=0.3        the same with parameters: key=value, separated by commas
    equilibrium             an agent in Python that comes with the game (`AGENTS` beside its bots)
    policy:NAME_OR_PATH     a learned policy: a shipped one, or a file pair of your own
    level:NAME              a difficulty level of the game's scenario (`agents/levels.toml`)
    search:key=value        a search on top of another agent (base=policy:duel, simulations=256 or seconds=1)
    engine:COMMAND          an external program that speaks the service's protocol over stdio
    module.path:Class       your own Python class; arguments follow as module.path:Class:key=value
    name:key=value          a class that an installed package offers as entry point "fm_env.agents"

Everything that makes agents from text (arena, training, views, service) calls `make`.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Mapping
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Any

from agents.api import Agent, BotInfo, Dispatcher, source_hash
from agents.compiled import RANDOM, CompiledAgent
from fm_env.contract import Game, GameSpec, Mask, Observation, Scenario
from fm_env.errors import LoadError, SetupError, UnknownNameError

if TYPE_CHECKING:
    from fm_env.sampler import Sampler

ENTRY_POINTS = "fm_env.agents"
"""Group in which other packages offer agents: `name = "module:Class"`."""

_tables: dict[str, str] = {}


def register_table(game: str, module: str) -> None:
    """Say where a game's compiled bots are, if not in `agents.<game>`.

    The module has `BOTS` (name to `BotInfo`) and a compiled `dispatch` (see `BotInfo`).
    """
    _tables[game] = module


def table(game: str) -> Mapping[str, BotInfo]:
    """The compiled bots of a game; just `random` for a game without a table."""
    module = _table_module(game)
    return {"random": RANDOM} if module is None else module.BOTS


def dispatcher(game: str) -> Dispatcher | None:
    """What plays the bots of `table(game)`; None (the batch's own random player) without a table."""
    module = _table_module(game)
    return None if module is None else module.dispatch


def describe(game: str) -> dict[str, str]:
    """Spec and one line of text for every agent known for a game: bots, policies, entry points."""
    lines = {name: _bot_line(info) for name, info in table(game).items()}
    for name, place in python_agents(game).items():
        lines[name] = (_class_at(place).__doc__ or place).partition("\n")[0]
    for name in _shipped_policies(game):
        lines[f"policy:{name}"] = "learned policy that comes with the package"
    for name, point in _entry_points().items():
        lines.setdefault(name, f"{point.value} (installed package)")
    return lines


def names(game: str) -> tuple[str, ...]:
    """Specs of every agent known for a game, without parameters."""
    return tuple(describe(game))


def make(spec: str, game: str | Game, scenario: str | Scenario | None = None) -> Agent:
    """Make the agent that a line of text describes (grammar above).

    Args:
        spec: the text.
        game: a game or its name.
        scenario: what it will play; learned policies are checked against it if given.

    Raises:
        UnknownNameError: no such agent, class or parameter.
        SetupError: no such module, a parameter out of range, or text that isn't a spec.
        LoadError: a policy file that is damaged or doesn't fit the scenario; a module that fails.
    """
    game_name = game if isinstance(game, str) else game.name
    head, _, tail = (part.strip() for part in spec.partition(":"))
    bots = table(game_name)
    if head in bots:
        agent: Agent = _compiled(spec, bots[head], tail, dispatcher(game_name))
    elif head in python_agents(game_name):
        agent = _instance(spec, _class_at(python_agents(game_name)[head]), tail)
    elif head == "policy":
        agent = _policy(spec, tail, _game_spec(game, scenario))
    elif head == "level":
        agent = _level(spec, tail, game, scenario)
    elif head == "search":
        agent = _search(spec, tail, game, scenario)
    elif head == "engine":
        agent = _engine(spec, tail, scenario)
    elif head in _entry_points():
        agent = _instance(spec, _loaded(spec, _entry_points()[head]), tail)
    elif tail and "=" not in tail.partition(":")[0]:
        class_name, _, arguments = tail.partition(":")
        agent = _instance(spec, _imported(spec, head, class_name), arguments)
    else:
        raise UnknownNameError(f"agent of {game_name!r}", head, [*names(game_name), "module.path:Class"])
    agent.spec = agent.spec or spec
    agent.name = agent.name or _short_name(spec, agent)
    return agent


class ForeignAgent(Agent):
    """An object with `act(observation, action_mask)` that doesn't derive from `Agent`."""

    def __init__(self, player: Any) -> None:
        """Wrap `player`."""
        self.player = player
        self.name = str(getattr(player, "name", "") or type(player).__name__.lower())
        self.needs_sampler = bool(getattr(player, "needs_sampler", False))
        self.remembers = bool(getattr(player, "remembers", True))

    def reset(self, spec: GameSpec, seat: int, seed: int) -> None:
        """Pass on, if the object cares."""
        if hasattr(self.player, "reset"):
            self.player.reset(spec, seat, seed)

    def act(self, observation: Observation, action_mask: Mask) -> int:
        """Pass on."""
        return self.player.act(observation, action_mask)

    def probabilities(self, observations: Observation, masks: Mask) -> Any:
        """Pass on, if the object can tell."""
        if hasattr(self.player, "probabilities"):
            return self.player.probabilities(observations, masks)
        return super().probabilities(observations, masks)

    def win_estimate(self, observations: Observation, masks: Mask) -> Any:
        """Pass on, if the object can tell."""
        if hasattr(self.player, "win_estimate"):
            return self.player.win_estimate(observations, masks)
        return None

    def imagine(self, sampler: Sampler) -> None:
        """Pass on."""
        self.player.imagine(sampler)

    def fingerprint(self) -> str:
        """Hash of the object's own source file."""
        return source_hash(self.spec, type(self.player))


def _table_module(game: str) -> Any | None:
    name = _tables.get(game, f"agents.{game}")
    if game not in _tables and importlib.util.find_spec(name) is None:
        return None
    return importlib.import_module(name)


def python_agents(game: str) -> Mapping[str, str]:
    """The table `AGENTS` of the module with the game's bots: name to `"module:Class"`."""
    return getattr(_table_module(game), "AGENTS", {})


def _class_at(place: str) -> Callable[..., Any]:
    module, _, name = place.partition(":")
    return getattr(importlib.import_module(module), name)


def _bot_line(info: BotInfo) -> str:
    params = ", ".join(
        f"{key}={p.default:g} ({p.low:g} to {p.high:g}: {p.doc})" for key, p in info.params.items()
    )
    return info.doc + (f"; {params}" if params else "")


def _compiled(spec: str, info: BotInfo, text: str, dispatch: Dispatcher | None) -> CompiledAgent:
    given = _arguments(spec, text)
    for key, value in given.items():
        if key not in info.params:
            raise UnknownNameError(f"parameter of agent {info.name!r}", key, info.params)
        param = info.params[key]
        if isinstance(value, str) or not param.low <= value <= param.high:
            raise SetupError(
                f"agent {spec!r}: {key} = {value}, expected a number from {param.low:g} to {param.high:g}"
                f" ({param.doc})"
            )
    return CompiledAgent(
        info, tuple(float(given.get(k, p.default)) for k, p in info.params.items()), dispatch
    )


def _policy(spec: str, path: str, game_spec: GameSpec | None) -> Agent:
    if not path:
        raise SetupError(
            f"agent {spec!r}: expected policy:NAME_OR_PATH; shipped: {', '.join(_shipped_policies())}"
        )
    from agents.policy import load_policy

    return load_policy(path, game_spec)


def _level(spec: str, name: str, game: str | Game, scenario: str | Scenario | None) -> Agent:
    from agents.levels import make_level

    return make_level(spec, name, game, scenario)


def _search(spec: str, text: str, game: str | Game, scenario: str | Scenario | None) -> Agent:
    from agents.search.make import make_search

    return make_search(spec, _arguments(spec, text), game, scenario)


def _engine(spec: str, command: str, scenario: str | Scenario | None) -> Agent:
    from agents.service.external import EngineAgent

    options = scenario.options if isinstance(scenario, Scenario) else {}
    return EngineAgent.from_command(spec, command, options)


def _instance(spec: str, factory: Callable[..., Any], text: str) -> Agent:
    arguments = _arguments(spec, text)
    try:
        player = factory(**arguments)
    except Exception as error:
        raise SetupError(f"agent {spec!r}: making it failed: {type(error).__name__}: {error}") from error
    if isinstance(player, Agent):
        return player
    if not callable(getattr(player, "act", None)):
        raise SetupError(f"agent {spec!r}: {type(player).__name__} has no act(observation, action_mask)")
    return ForeignAgent(player)


def _imported(spec: str, module: str, name: str) -> Callable[..., Any]:
    try:
        found = importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or not (module == error.name or module.startswith(error.name + ".")):
            raise LoadError(f"agent {spec!r}: importing {module} failed: {error}") from error
        raise SetupError(f"agent {spec!r}: no module named {error.name!r} on the Python path") from None
    except Exception as error:
        raise LoadError(
            f"agent {spec!r}: importing {module} failed: {type(error).__name__}: {error}"
        ) from error
    if not hasattr(found, name):
        offered = [key for key, value in vars(found).items() if isinstance(value, type)]
        raise UnknownNameError(f"class of module {module!r}", name, offered)
    factory = getattr(found, name)
    if not callable(factory):
        raise SetupError(
            f"agent {spec!r}: {name} of module {module} is a {type(factory).__name__}, expected a class"
        )
    return factory


def _loaded(spec: str, point: EntryPoint) -> Callable[..., Any]:
    try:
        return point.load()
    except Exception as error:
        raise LoadError(
            f"agent {spec!r}: loading {point.value} failed: {type(error).__name__}: {error}"
        ) from error


def _arguments(spec: str, text: str) -> dict[str, float | str]:
    """`"rate=0.3,mode=fast"` to `{"rate": 0.3, "mode": "fast"}`."""
    arguments: dict[str, float | str] = {}
    for item in filter(None, (part.strip() for part in text.split(","))):
        key, equals, value = (part.strip() for part in item.partition("="))
        if not equals or not key.isidentifier() or not value:
            raise SetupError(f"agent {spec!r}: {item!r} is not key=value")
        if key in arguments:
            raise SetupError(f"agent {spec!r}: {key} is given twice")
        arguments[key] = _value(value)
    return arguments


def _value(text: str) -> float | str:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _entry_points() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=ENTRY_POINTS)}


def _shipped_policies(game: str | None = None) -> tuple[str, ...]:
    from agents.policy import shipped_policies

    return shipped_policies(game)


def _game_spec(game: str | Game, scenario: str | Scenario | None) -> GameSpec | None:
    if scenario is None:
        return None
    if isinstance(scenario, Scenario):
        return scenario.spec
    from fm_env import registry

    return (registry.find(game) if isinstance(game, str) else game).scenario(scenario).spec


def _short_name(spec: str, agent: Agent) -> str:
    if isinstance(agent, CompiledAgent):
        return agent.spec
    return type(agent).__name__.lower() if ":" in spec else spec

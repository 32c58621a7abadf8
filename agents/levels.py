"""Difficulty levels: named agents of rising strength for a scenario, as `agents/levels.toml` lists them.

A level is an agent that now and then chooses at random. `level:NAME` makes one; how much stronger each
is than the one below is measured by `make levels` (`evaluation/results/levels.json`).
"""

from __future__ import annotations

import functools
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import numpy.typing as npt
import pydantic
from pydantic import Field

from agents.api import Actions, Agent, source_hash
from fm_env import registry as games
from fm_env.contract import Game, GameSpec, Mask, Observation, Scenario
from fm_env.errors import LoadError, SetupError, UnknownNameError

if TYPE_CHECKING:
    from fm_env.sampler import Sampler

FILE = Path(__file__).with_name("levels.toml")


class Level(pydantic.BaseModel):
    """One entry of the file."""

    model_config = pydantic.ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)

    name: Annotated[str, Field(pattern=r"^[a-z][a-z-]*$")]
    """What comes after `level:`."""
    about: str
    """One line for people."""
    agent: str
    """Spec of the agent behind it."""
    slips: Annotated[float, Field(ge=0.0, le=1.0)] = 0.0
    """Chance that a choice is made at random instead."""


class Ladder(pydantic.BaseModel):
    """The levels of some scenarios, easiest first."""

    model_config = pydantic.ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)

    game: str
    """Registry name."""
    scenarios: tuple[str, ...]
    """Scenarios that they play; they are measured on the first."""
    levels: Annotated[tuple[Level, ...], Field(min_length=1)]
    """Easiest first."""


@functools.cache
def ladders(file: Path = FILE) -> tuple[Ladder, ...]:
    """All ladders of a file.

    Raises:
        LoadError: names the entry that is wrong.
    """
    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
        return tuple(Ladder.model_validate(ladder) for ladder in data["ladder"])
    except pydantic.ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise LoadError(f"levels: {file.name}: {where}: {first['msg']}") from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise LoadError(f"levels: {file.name}: {error}") from error


def levels_of(game: str, scenario: str) -> tuple[Level, ...]:
    """Levels of a scenario, easiest first; none for a scenario without a ladder."""
    for ladder in ladders():
        if ladder.game == game and scenario in ladder.scenarios:
            return ladder.levels
    return ()


def make_level(spec: str, name: str, game: str | Game, scenario: str | Scenario | None) -> Agent:
    """The agent of `level:NAME`.

    Raises:
        SetupError: the scenario has no levels.
        UnknownNameError: no level of that name.
    """
    from agents.registry import make

    found = games.find(game) if isinstance(game, str) else getattr(game, "game", game)
    name_of = scenario.spec.scenario if isinstance(scenario, Scenario) else scenario or found.default_scenario
    levels = {level.name: level for level in levels_of(found.name, name_of)}
    if not levels:
        raise SetupError(f"agent {spec!r}: scenario {name_of!r} of {found.name!r} has no levels")
    if name not in levels:
        raise UnknownNameError(f"level of {name_of!r}", name, levels)
    level = levels[name]
    base = make(level.agent, game, scenario)
    return LevelAgent(spec, level, base)


class LevelAgent(Agent):
    """An agent that chooses at random now and then."""

    def __init__(self, spec: str, level: Level, base: Agent) -> None:
        """Take over `base`, which must not be played by anybody else if it has a memory."""
        self.spec, self.name = spec, level.name
        self.level, self.base = level, base
        self.needs_sampler = base.needs_sampler
        self._rng = np.random.default_rng(0)

    @property
    def plays_batches(self) -> bool:
        """As the agent behind it."""
        return self.base.plays_batches

    def check(self, spec: GameSpec) -> None:
        """As the agent behind it."""
        self.base.check(spec)

    def reset(self, spec: GameSpec, seat: int, seed: int) -> None:
        """Restart its slips and the agent behind it."""
        self._rng = np.random.default_rng([seed % 2**63, seat, 1])
        self.base.reset(spec, seat, seed)

    def imagine(self, sampler: Sampler) -> None:
        """Pass on to the agent behind it."""
        self.base.imagine(sampler)

    def act(self, observation: Observation, action_mask: Mask) -> int:
        """Ask the agent behind it, so that it sees every position, and perhaps slip."""
        chosen = int(self.base.act(observation, action_mask))
        if self._rng.random() >= self.level.slips:
            return chosen
        return int(self._rng.choice(np.flatnonzero(action_mask)))

    def act_batch(self, observations: Observation, masks: Mask, rng: np.random.Generator) -> Actions:
        """The same for many positions."""
        chosen = np.array(self.base.act_batch(observations, masks, rng), np.int64)
        for row in np.flatnonzero(rng.random(len(masks)) < self.level.slips):
            chosen[row] = rng.choice(np.flatnonzero(masks[row]))
        return chosen

    def probabilities(self, observations: Observation, masks: Mask) -> npt.NDArray[np.floating[Any]]:
        """Those of the agent behind it, mixed with even chances.

        Raises:
            SetupError: that one doesn't tell.
        """
        even = masks / masks.sum(axis=1, keepdims=True)
        if self.level.slips == 1.0:
            return even
        mixed = self.base.probabilities(observations, masks)
        return (1.0 - self.level.slips) * mixed + self.level.slips * even

    def win_estimate(self, observations: Observation, masks: Mask) -> Any:
        """What the agent behind it expects, where it tells."""
        return self.base.win_estimate(observations, masks)

    def spawn(self) -> Agent:
        """Another one with an agent of its own behind it."""
        return LevelAgent(self.spec, self.level, self.base.spawn())

    def fingerprint(self) -> str:
        """Changes with the level's entry and with the agent behind it."""
        return source_hash(f"{self.level.model_dump_json()} {self.base.fingerprint()}", LevelAgent)

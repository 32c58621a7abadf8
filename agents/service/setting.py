"""From the game, scenario and options of a message to something that can be played; made once each."""

from __future__ import annotations

import functools
import json
import secrets
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from agents.service.protocol import MAX_OBSERVATION, GameRef
from fm_env import registry
from fm_env.contract import Game, GameSpec, Scenario
from fm_env.errors import SetupError
from fm_env.saved import refuse_files

MAX_OPTION_BYTES = 16_384


@dataclass(frozen=True)
class Setting:
    """A scenario of a game with the texts of its actions."""

    game: Game
    scenario: Scenario
    texts: tuple[str, ...] = field(repr=False)
    """By action id."""
    ids: dict[str, int] = field(repr=False)
    """By text."""

    @property
    def spec(self) -> GameSpec:
        """Facts of the scenario."""
        return self.scenario.spec


def find_setting(ref: GameRef) -> Setting:
    """The setting that a message names.

    Raises:
        UnknownNameError: no such game or scenario.
        SetupError: options that can't be used, or that name a file of the server.
    """
    refuse_files(ref.options)
    options = json.dumps(ref.options, sort_keys=True)
    if len(options) > MAX_OPTION_BYTES:
        raise SetupError(f"options: {len(options)} bytes, allowed are {MAX_OPTION_BYTES}")
    return setting_of(ref.game, ref.scenario, options)


@functools.lru_cache(maxsize=128)
def setting_of(game: str, scenario: str | None, options: str) -> Setting:
    """As `find_setting`, from texts; `options` is JSON."""
    found = registry.find(game)
    given: dict[str, Any] = json.loads(options)
    given.pop("scenario", None)
    try:
        made = found.scenario(scenario or found.default_scenario, **given)
    except TypeError as error:  # an option that no scenario has
        raise SetupError(f"options: {error}") from None
    spec = made.spec
    if spec.observation_size > MAX_OBSERVATION:
        raise SetupError(f"scenario: observations of {spec.observation_size} numbers are too long to send")
    texts = tuple(found.action_text(spec, action) for action in range(spec.num_actions))
    return Setting(found, made, texts, {text: action for action, text in enumerate(texts)})


def open_options(scenario: Scenario) -> dict[str, Any]:
    """A scenario's options as all may know them: without a position set up, which may say who holds what."""
    return {key: value for key, value in scenario.options.items() if key != "setup"}


def luck(*numbers: int) -> np.random.Generator:
    """A generator named by integers, the same in every process."""
    return np.random.default_rng([number % 2**63 for number in numbers])


def fresh_seed() -> int:
    """A seed that nobody can guess."""
    return secrets.randbits(53)

"""Compiled bots seen as agents.

Inside a `fm_env.batch.Batch` a compiled bot plays at engine speed by its number and parameters.
The class here lets the same bot also answer single questions, as any other agent does.
"""

from __future__ import annotations

import hashlib
import inspect
import sys
from pathlib import Path

import numpy as np

from agents.api import Actions, Agent, BotInfo, Dispatcher
from fm_env.contract import GameSpec, Mask, Observation

RANDOM = BotInfo("random", 0, "chooses evenly among the legal actions")
"""The one bot that every game has, with or without a table."""


class CompiledAgent(Agent):
    """One bot of a game's table, with its parameters fixed."""

    def __init__(self, info: BotInfo, params: tuple[float, ...], dispatch: Dispatcher | None) -> None:
        """Args are checked by `agents.registry`; `dispatch` None stands for a game without own bots."""
        self.info = info
        self.bot_id = info.bot_id
        self.params = params
        """In the order of `info.params`."""
        self.dispatch = dispatch
        self.spec = self.name = _canonical(info, params)
        self._row = _generator_rows(np.random.default_rng(0), 1)[0]

    def reset(self, spec: GameSpec, seat: int, seed: int) -> None:
        """Restart the bot's own randomness."""
        self._row = _generator_rows(np.random.default_rng(seed), 1)[0]

    def act(self, observation: Observation, action_mask: Mask) -> int:
        """Choose a legal action (about 2 microseconds; inside a Batch far less)."""
        return self._choose(observation, action_mask, self._row)

    def act_batch(self, observations: Observation, masks: Mask, rng: np.random.Generator) -> Actions:
        """Choose for many games, each with its own generator row drawn from `rng`."""
        rows = _generator_rows(rng, len(masks))
        chosen = [self._choose(*each) for each in zip(observations, masks, rows, strict=True)]
        return np.array(chosen, np.int64)

    def fingerprint(self) -> str:
        """Hash of the bot's name, parameters and the files of its table: the module that its dispatcher
        is written in, or the whole package.
        """
        source = "" if self.dispatch is None else _source_of(self.dispatch)
        return hashlib.sha256(f"{self.spec}\n{source}".encode()).hexdigest()[:16]

    def _choose(self, observation: Observation, mask: Mask, row: np.ndarray) -> int:
        if self.dispatch is None:
            from fm_env.rng import random_below

            legal = np.flatnonzero(mask)
            return int(legal[random_below(row, len(legal))])
        return int(self.dispatch(self.bot_id, observation, mask, np.array(self.params, np.float64), row))


def _source_of(dispatch: Dispatcher) -> str:
    module = sys.modules[getattr(dispatch, "py_func", dispatch).__module__]
    file = Path(inspect.getfile(module))
    files = sorted(file.parent.glob("*.py")) if hasattr(module, "__path__") else [file]
    return "\n".join(f"{path.name}\n{path.read_text('utf-8')}" for path in files)


def _generator_rows(rng: np.random.Generator, n: int) -> np.ndarray:
    """`[n, 4]` i8 generator rows of `fm_env.rng`: two 32-bit key words, a counter, a spare."""
    rows = np.zeros((n, 4), np.int64)
    rows[:, :2] = rng.integers(0, 2**32, size=(n, 2))
    return rows


def _canonical(info: BotInfo, params: tuple[float, ...]) -> str:
    """Shortest text that makes the same bot: `"bluffer"`, `"bluffer:rate=0.3"`."""
    changed = [
        f"{key}={_number(value)}"
        for (key, param), value in zip(info.params.items(), params, strict=True)
        if value != param.default
    ]
    return info.name + (":" + ",".join(changed) if changed else "")


def _number(value: float) -> str:
    """Shortest text that reads back as the same number."""
    return str(int(value)) if value == int(value) else repr(value)

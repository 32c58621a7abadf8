"""Compiled bots seen as agents.

Inside a `fm_env.batch.Batch` a compiled bot plays at engine speed by its number and parameters.
The class here lets the same bot also answer single questions, as any other agent does.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from agents.api import Actions, Agent, BotInfo, Dispatcher
from fm_env.compiled import specialise
from fm_env.contract import GameSpec, Mask, Observation
from fm_env.errors import SetupError

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
        if self.dispatch is not None:
            return self._choose_all(observations, masks, np.array(self.params, np.float64), rows)
        chosen = [self._choose(*each) for each in zip(observations, masks, rows, strict=True)]
        return np.array(chosen, np.int64)

    def probabilities(self, observations: Observation, masks: Mask) -> np.ndarray:
        """Exact chances, by the bot's own word on where its luck lies (`BotInfo.coin`).

        Raises:
            SetupError: the bot draws random numbers in another way.
        """
        if self.bot_id == RANDOM.bot_id:
            return masks / masks.sum(axis=1, keepdims=True)
        if self.info.coin is None:
            return self._certain(observations, masks, np.array(self.params, np.float64))
        at = list(self.info.params).index(self.info.coin)
        out = np.zeros(masks.shape)
        for side, weight in ((0.0, 1.0 - self.params[at]), (1.0, self.params[at])):
            params = np.array(self.params, np.float64)
            params[at] = side
            out += weight * self._certain(observations, masks, params)
        return out

    def advise(self, observations: Observation, masks: Mask) -> Actions:
        """What the bot would do in each position, `[B]`, with the same luck in all of them."""
        return self._with_luck(observations, masks, np.array(self.params, np.float64), 0)

    def _with_luck(self, observations: Observation, masks: Mask, params: np.ndarray, luck: int) -> Actions:
        row = _generator_rows(np.random.default_rng(luck), 1)
        return self._choose_all(observations, masks, params, np.repeat(row, len(masks), axis=0))

    def _choose_all(
        self, observations: Observation, masks: Mask, params: np.ndarray, rows: np.ndarray
    ) -> Actions:
        """One action for each position, `[B]`, each with its own generator row `[B, 4]`."""
        assert self.dispatch is not None
        actions = np.zeros(len(masks), np.int64)
        given = (np.ascontiguousarray(observations), np.ascontiguousarray(masks))
        _chooser(self.dispatch)(self.bot_id, *given, params, rows, actions)
        return actions

    def _certain(self, observations: Observation, masks: Mask, params: np.ndarray) -> np.ndarray:
        """`[B, A]` 1 for what the bot does, asked under two different kinds of luck."""
        actions = [self._with_luck(observations, masks, params, luck) for luck in range(2)]
        if (actions[0] != actions[1]).any():
            raise SetupError(f"agent {self.spec!r} doesn't tell the chances of its actions")
        out = np.zeros(masks.shape)
        out[np.arange(len(masks)), actions[0]] = 1.0
        return out

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


bots: Any = None
"""`specialise` puts a game's dispatcher in the place of this."""


def _choose_many(bot_id, observations, masks, params, rows, out):
    """One action for each position, in one go."""
    for k in range(len(out)):
        out[k] = bots(bot_id, observations[k], masks[k], params, rows[k])


@functools.cache
def _chooser(dispatch: Dispatcher) -> Callable[..., None]:
    return specialise(_choose_many, "bots", bots=dispatch)


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

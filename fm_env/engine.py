"""The rules of one game, compiled, as functions that Python calls on arrays of states.

Passing `(states, i)` instead of a record keeps a call below a microsecond. Nothing here checks
its input: `fm_env.match` does, and is the better choice unless speed matters.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any

import numpy as np

from fm_env.chance import draw_keyed, draw_plain
from fm_env.compiled import specialise
from fm_env.contract import CHANCE, Game, GameKernel
from fm_env.records import States, rows_of

# `specialise` puts a game's kernel in the place of these.
reset: Any = None
to_act: Any = None
pending: Any = None
legal_mask: Any = None
chance_weights: Any = None
chance_stream: Any = None
apply: Any = None
apply_chance: Any = None
returns: Any = None
observe: Any = None
info_key: Any = None
faults: Any = None
resample: Any = None


def _reset(states, i, setups):
    reset(states[i], setups[0])


def _to_act(states, i):
    return to_act(states[i])


def _pending(states, i):
    return pending(states[i])


def _legal_mask(states, i, seat, out):
    return legal_mask(states[i], seat, out)


def _chance_weights(states, i, out):
    return chance_weights(states[i], out)


def _chance_stream(states, i, out):
    return chance_stream(states[i], out)


def _apply(states, i, seat, action):
    apply(states[i], seat, action)


def _apply_chance(states, i, outcome):
    apply_chance(states[i], outcome)


def _returns(states, i, out):
    returns(states[i], out)


def _observe(states, i, seat, out):
    observe(states[i], seat, out)


def _info_key(states, i, seat, out):
    info_key(states[i], seat, out)


def _faults(states, i):
    return faults(states[i])


def _resample(states, i, seat, rng):
    resample(states[i], seat, rng)


def _draw_chance(states, i, rng, weights):
    """One outcome of the pending chance event, not applied."""
    total = chance_weights(states[i], weights)
    return draw_plain(weights, total, rng)


def _draw_chance_keyed(states, i, key, weights, used):
    """As `_draw_chance`, from the luck named by `key`."""
    chance_weights(states[i], weights)
    stream = chance_stream(states[i], used)
    return draw_keyed(weights, used, stream, key)


def _advance_chance(states, i, rng, weights):
    """Resolve chance until a seat must act or the game is over; returns `to_act`."""
    s = states[i]
    who = to_act(s)
    while who == CHANCE:
        total = chance_weights(s, weights)
        apply_chance(s, draw_plain(weights, total, rng))
        who = to_act(s)
    return who


def _advance_chance_keyed(states, i, key, weights, used):
    """As `_advance_chance`, from the luck named by `key`."""
    s = states[i]
    who = to_act(s)
    while who == CHANCE:
        chance_weights(s, weights)
        stream = chance_stream(s, used)
        apply_chance(s, draw_keyed(weights, used, stream, key))
        who = to_act(s)
    return who


class Engine:
    """One game's rules as compiled functions; make it with `engine_of`.

    All work on state `i` of an array made by `fm_env.records.new_states`; what they mean is
    written in `fm_env.contract.GameKernel`.

    Attributes:
        to_act: `(states, i) -> int`
        pending: `(states, i) -> int`, a bit set of seats.
        legal_mask: `(states, i, seat, out[A] bool) -> int`
        apply: `(states, i, seat, action)`
        apply_chance: `(states, i, outcome)`
        chance_weights: `(states, i, out[C] i8) -> int`
        chance_stream: `(states, i, out[C] i8) -> int`
        returns: `(states, i, out[S] f8)`
        observe: `(states, i, seat, out[F] f4)`
        info_key: `(states, i, seat, out[K] u1)`
        faults: `(states, i) -> int`
        resample: `(states, i, seat, rng[4] i8)`
    """

    to_act: Callable[[States, int], int]
    pending: Callable[[States, int], int]
    legal_mask: Callable[..., int]
    apply: Callable[[States, int, int, int], None]
    apply_chance: Callable[[States, int, int], None]
    chance_weights: Callable[..., int]
    chance_stream: Callable[..., int]
    returns: Callable[..., None]
    observe: Callable[..., None]
    info_key: Callable[..., None]
    faults: Callable[[States, int], int]
    resample: Callable[..., None]
    _reset_rows: Callable[..., None]

    def __init__(self, game: Game) -> None:
        """Prepare the functions; each is compiled, or fetched from disk, at its first call."""
        self.game = game
        templates = {name: globals()[f"_{name}"] for name in kernel_functions(game.kernel)}
        for name, template in templates.items():
            attribute = "_reset_rows" if name == "reset" else name
            setattr(self, attribute, specialise_for(template, game))
        self._draw_chance = specialise_for(_draw_chance, game)
        self._draw_chance_keyed = specialise_for(_draw_chance_keyed, game)
        self._advance_chance = specialise_for(_advance_chance, game)
        self._advance_chance_keyed = specialise_for(_advance_chance_keyed, game)
        num_outcomes = game.scenario(game.default_scenario).spec.num_chance_outcomes
        self._weights = np.zeros(num_outcomes, np.int64)
        self._used = np.zeros(num_outcomes, np.int64)

    def reset(self, states: States, i: int, setup: np.void | np.record | States) -> None:
        """Make `states[i]` the first state of the game that `setup` describes.

        Args:
            states: states of the game.
            i: which of them.
            setup: `scenario.setup`, or (faster) `rows_of(scenario.setup)` made once.
        """
        self._reset_rows(states, i, setup if isinstance(setup, np.ndarray) else rows_of(setup))

    def draw_chance(self, states: States, i: int, rng: np.ndarray) -> int:
        """One outcome of the pending chance event from generator row `rng`; doesn't apply it."""
        return self._draw_chance(states, i, rng, self._weights)

    def draw_chance_keyed(self, states: States, i: int, key: np.ndarray) -> int:
        """One outcome from the luck named by `key[>=2]` (see `fm_env.chance`); doesn't apply it."""
        return self._draw_chance_keyed(states, i, key, self._weights, self._used)

    def advance_chance(self, states: States, i: int, rng: np.ndarray) -> int:
        """Resolve chance until a seat must act or the game is over; returns `to_act`."""
        return self._advance_chance(states, i, rng, self._weights)

    def advance_chance_keyed(self, states: States, i: int, key: np.ndarray) -> int:
        """As `advance_chance`, from the luck named by `key[>=2]`."""
        return self._advance_chance_keyed(states, i, key, self._weights, self._used)


def kernel_functions(kernel: GameKernel) -> dict[str, Callable[..., Any]]:
    """The kernel's functions by name."""
    return {field.name: getattr(kernel, field.name) for field in fields(kernel)}


def engine_of(game: Game) -> Engine:
    """The engine of a game, made once per game and process."""
    game = getattr(game, "game", game)  # a GameHandle stands for its game
    engine = _engines.get(id(game))
    if engine is None:
        engine = _engines[id(game)] = Engine(game)
    return engine


_engines: dict[int, Engine] = {}
"""By identity; an engine holds its game, so that the number stays taken."""


def specialise_for(template: Callable[..., Any], game: Game, **more: Any) -> Callable[..., Any]:
    """A compiled copy of `template` that calls the kernel of `game` by the contract's names.

    Args:
        template: module-level function; only the kernel functions that it names are put in.
        game: whose kernel.
        **more: further globals, e.g. a dispatcher of bots.
    """
    used = set(template.__code__.co_names)
    kernel = {name: f for name, f in kernel_functions(game.kernel).items() if name in used}
    return specialise(template, game.name, **kernel, **more)

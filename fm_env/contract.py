"""What a game is: the functions every game compiles and the facts it states about itself.

A game state is one packed NumPy record. The functions named by `GameKernel` are the only code
that reads or writes one; everything else in the package (checked play, PettingZoo views, batches,
search, solvers) is written once against this file. `tests/laws` holds every sentence below
against every registered game and scenario.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

CHANCE = -1
"""`to_act` returns this when a card must be drawn or a die rolled."""

TERMINAL = -2
"""`to_act` returns this when the game is over."""


@dataclass(frozen=True)
class GameSpec:
    """The facts of one scenario of one game; constant while the scenario lives."""

    game: str
    """Name in the registry, e.g. `"fairy_meat"`."""
    scenario: str
    """Name of the scenario, e.g. `"duel"`."""
    rules_version: int
    """Rises with every change that lets the same seed and actions give another game."""
    observation_version: int
    """Rises with every change of the observation's or the action ids' meaning."""
    num_seats: int
    num_actions: int
    """Action ids are `0 .. num_actions - 1`; a mask has that length."""
    num_chance_outcomes: int
    """The same in every scenario of a game."""
    observation_size: int
    info_key_size: int
    """Bytes written by `info_key`."""
    max_decisions: int
    """No game asks its seats for more actions than this (chance not counted)."""
    max_chance_events: int
    """No game resolves more chance events than this."""
    min_return: float
    max_return: float
    return_sum: float | None
    """What the returns of all seats add up to (0.0 for zero-sum games), None if not promised."""
    state_dtype: np.dtype[Any] = field(repr=False)
    """Packed (no padding bytes)."""


@dataclass(frozen=True)
class GameKernel:
    """The rules of one game as functions, each decorated with `fm_env.compiled.rule`.

    `s` is a state record, written only by `reset`, `apply`, `apply_chance` and `resample`.
    Every `out` array is wholly overwritten. Nothing here draws a random number, allocates on a
    hot path, checks its input or raises.
    """

    reset: Callable[..., None]
    """`reset(s, setup)`: first state of the game that `setup` (a record) describes; no chance resolved."""
    to_act: Callable[..., int]
    """`to_act(s) -> int`: the seat to choose next, or CHANCE, or TERMINAL."""
    pending: Callable[..., int]
    """`pending(s) -> int`: bit set of the seats that owe a choice now. They choose without knowing
    of each other's choice. `to_act` names one of them; `apply` accepts them in any order. 0 at
    chance and terminal states. A seat may owe several actions in a row."""
    legal_mask: Callable[..., int]
    """`legal_mask(s, seat, out[A] bool) -> int`: True = legal for a pending seat; returns how many.
    All False for a seat that owes nothing."""
    chance_weights: Callable[..., int]
    """`chance_weights(s, out[C] i8) -> int`: integer weight of each outcome of the pending chance
    event; returns their sum. Outcome c has probability `out[c] / sum`, exactly."""
    chance_stream: Callable[..., int]
    """`chance_stream(s, out[C] i8) -> int`: a number naming the pending event's source of luck (the
    number of the shuffle; the number of a die throw) and, for each outcome, how many of its copies
    that source has already given out. Two games that share a seed draw the same cards from equal
    streams as far as their play allows (see `fm_env.chance`)."""
    apply: Callable[..., None]
    """`apply(s, seat, action)`: a pending seat takes a legal action."""
    apply_chance: Callable[..., None]
    """`apply_chance(s, outcome)`: chance takes an outcome of positive weight."""
    returns: Callable[..., None]
    """`returns(s, out[n] f8)`: utilities; zeros before the end."""
    observe: Callable[..., None]
    """`observe(s, seat, out[F] f4)`: what `seat` may know, seen from its chair; within [-1, 1]."""
    info_key: Callable[..., None]
    """`info_key(s, seat, out[K] u1)`: canonical bytes of what `seat` knows. Equal keys mean equal
    observations and masks."""
    faults: Callable[..., int]
    """`faults(s) -> int`: bit set of broken invariants (the game's `Fault` flags); 0 is sound."""
    resample: Callable[..., None]
    """`resample(s, seat, rng)`: replace everything `seat` can't see by a random guess that fits all
    it has seen. `rng` is a generator row of `fm_env.rng`."""


@dataclass(frozen=True)
class Scenario:
    """A game set up to be played: its spec, its set-up record and the options it was made from."""

    spec: GameSpec
    setup: np.record = field(repr=False)
    options: Mapping[str, Any]
    """JSON-able; `game.scenario(**options)` makes an equal scenario."""


class Game(Protocol):
    """What the registry holds for each game (a module-level object named `GAME`)."""

    name: str
    kernel: GameKernel
    default_scenario: str

    def scenario_names(self) -> tuple[str, ...]:
        """Names that `scenario` accepts."""
        ...

    def scenario(self, scenario: str, **options: Any) -> Scenario:
        """Validate options and make a scenario.

        Raises:
            fm_env.errors.SetupError: names the field, what was given and what was expected.
        """
        ...

    def action_text(self, spec: GameSpec, action: int) -> str:
        """Readable text of an action id; texts and ids correspond one to one."""
        ...

    def outcome_text(self, spec: GameSpec, outcome: int) -> str:
        """Readable text of a chance outcome id, e.g. `"8r"`."""
        ...

    def state_text(self, state: np.record, seat: int | None) -> str:
        """The position in words as `seat` sees it; `None` sees everything."""
        ...

    def event_text(self, before: np.record, seat: int, action: int, after: np.record) -> str:
        """What just happened, in words (all-seeing): `seat` is CHANCE for chance outcomes."""
        ...

    def observation_labels(self, spec: GameSpec) -> tuple[str, ...]:
        """One name for each entry of an observation, in order."""
        ...


Mask = npt.NDArray[np.bool_]
Observation = npt.NDArray[np.float32]

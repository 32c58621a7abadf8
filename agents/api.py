"""What an agent is: something that picks a legal action from an observation and a mask.

An agent is never given a game, a state or a match, so it can't look at hidden cards. Whoever
writes a bot needs this file only:

    class Careful(Agent):
        def act(self, observation, action_mask):
            return int(action_mask.nonzero()[0][0])

and plays it as `agents.make("my_module:Careful", "fairy_meat", "duel")`.
"""

from __future__ import annotations

import copy
import hashlib
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fm_env.contract import GameSpec, Mask, Observation
from fm_env.errors import SetupError

if TYPE_CHECKING:
    from fm_env.sampler import Sampler  # imports the compiler, which whoever writes a bot may do without

Actions = npt.NDArray[np.int64]


class Agent:
    """One player of one scenario. Subclasses write `act` (or `act_batch`); the rest is optional."""

    name: str = ""
    """Short name for tables and plots; empty: the class's name in lower case is used."""
    spec: str = ""
    """The text it was made from; `agents.make` fills it in."""

    needs_sampler: bool = False
    """True: whoever plays it calls `imagine` before each `act`."""
    remembers: bool = True
    """False: what it does depends on its seed and the position alone, so it needn't be shown the past of a
    game that goes on. Agents that play batches never remember."""

    def check(self, spec: GameSpec) -> None:
        """Refuse a scenario this agent can't play by raising `fm_env.errors.LoadError`."""

    def reset(self, spec: GameSpec, seat: int, seed: int) -> None:
        """A new game begins in which this agent sits at `seat`; draw any randomness from `seed`."""

    def imagine(self, sampler: Sampler) -> None:
        """Take what the seat may imagine at its next choice: states that fit all it has seen."""

    def act(self, observation: Observation, action_mask: Mask) -> int:
        """Choose a legal action.

        Args:
            observation: `[F]` f4, what the seat knows, within [-1, 1]. Only lent: copy it to keep it.
            action_mask: `[A]` bool, True = legal; at least one entry is True.
        """
        raise NotImplementedError(f"{type(self).__name__} has no act(observation, action_mask)")

    def act_batch(self, observations: Observation, masks: Mask, rng: np.random.Generator) -> Actions:
        """Choose for many games at once: `[B, F]` f4 and `[B, A]` bool to `[B]` ints.

        An agent that overrides this promises to need no memory of a game: it is never `reset` and
        one object plays all games. This default asks `act` row by row, which suits only agents
        without memory; whoever plays many games keeps a copy of others per game (`spawn`).
        """
        return np.array(
            [self.act(row, mask) for row, mask in zip(observations, masks, strict=True)], np.int64
        )

    def probabilities(self, observations: Observation, masks: Mask) -> npt.NDArray[np.floating[Any]]:
        """Exact chance of each action for many positions: `[B, F]` f4 and `[B, A]` bool to `[B, A]`.

        Whoever measures how far an agent can be exploited asks this. Only agents without memory can
        tell.

        Raises:
            SetupError: this agent doesn't say how likely its actions are.
        """
        raise SetupError(
            f"agent {self.name or type(self).__name__!r} doesn't tell the chances of its actions;"
            " it needs a method probabilities(observations, masks)"
        )

    def win_estimate(self, observations: Observation, masks: Mask) -> npt.NDArray[np.float64] | None:
        """The score the agent expects from many positions: `[B, F]` f4 and `[B, A]` bool to `[B]` in [0, 1].

        The score is the share of the other seats it will finish ahead of, ties counting half; with two
        seats that is the chance of a win plus half that of a draw. None: it doesn't say.
        """
        return None

    def spawn(self) -> Agent:
        """Another player of the same kind, to sit in another game at the same time."""
        return copy.deepcopy(self)

    def fingerprint(self) -> str:
        """A hash that changes when the agent does, for reports: here, of its class's source file."""
        return source_hash(self.spec, type(self))

    @property
    def plays_batches(self) -> bool:
        """True where one object may choose for many games at once (`act_batch` is overridden)."""
        return type(self).act_batch is not Agent.act_batch


def source_hash(spec: str, written_in: type) -> str:
    """16 hex digits that stand for a spec and the source file of a class."""
    try:
        source = inspect.getsource(inspect.getmodule(written_in) or written_in)
    except (OSError, TypeError):  # typed into an interpreter
        source = written_in.__qualname__
    return hashlib.sha256(f"{spec}\n{source}".encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Param:
    """A number that a compiled bot can be tuned by, as in `"bluffer:rate=0.3"`."""

    default: float
    low: float
    """Smallest value allowed."""
    high: float
    """Largest value allowed."""
    doc: str
    """One line: what the number does, with its unit."""


@dataclass(frozen=True)
class BotInfo:
    """One compiled bot of a game. A game's bots are the table `BOTS` of `agents.<game>`.

    The game's dispatcher (`dispatch` of the same module, compiled) is called as
    `dispatch(bot_id, observation, mask, params, rng) -> action`. `params[k]` is the k-th entry of
    `BotInfo.params`, in order. By convention bot 0 is `random`.
    """

    name: str
    bot_id: int
    doc: str
    """One line for `fm-env agents`."""
    params: Mapping[str, Param] = field(default_factory=dict)
    coin: str | None = None
    """The parameter that is the chance with which the bot takes its other way, if that is all the luck
    in it: at 0 and at 1 it always chooses the same. None: it never draws a random number."""


Dispatcher = Callable[[int, Observation, Mask, npt.NDArray[np.float64], npt.NDArray[np.int64]], int]
"""`dispatch(bot_id, obs[F] f4, mask[A] bool, params[P] f8, rng[4] i8) -> action`, compiled."""

"""Who sits opposite the learner: a pool of members with weights, drawn anew for each game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from agents.api import Agent
from agents.registry import make
from fm_env.contract import Game, Scenario
from fm_env.errors import SetupError

SELF, PAST = "self", "past"
"""The two groups that aren't agent specs: the current policy and its frozen past."""

LEARNER = -1
"""Member number of the learner itself."""

EXTERNAL = -1
"""`Batch.controllers` of a seat that is asked from outside."""


class Player(Protocol):
    """Anything that answers for many games at once; `agents.api.Agent` does."""

    def act_batch(
        self, observations: npt.NDArray[np.float32], masks: npt.NDArray[np.bool_], rng: np.random.Generator
    ) -> npt.NDArray[np.int64]:
        """`[B, F]` f4 and `[B, A]` bool to `[B]` legal actions."""
        ...


@dataclass
class Member:
    """One opponent."""

    group: str
    """Name under which its results are counted: `self`, `past` or the agent's spec."""
    player: Player | None
    """None: not there yet (`self` before `set_self`) or retired and let go."""
    key: str = ""
    """Names a frozen policy (the hash of its weights)."""
    retired: bool = False
    """Plays its games to the end and gets no new ones."""


@dataclass
class Tally:
    """Results of the learner against one group."""

    games: int = 0
    wins: int = 0
    draws: int = 0
    returned: float = 0.0
    """Sum of the learner's returns."""

    @property
    def win_rate(self) -> float:
        """Share of wins, a draw being half of one; NaN without games."""
        return (self.wins + 0.5 * self.draws) / self.games if self.games else float("nan")


@dataclass
class Pool:
    """The members, their weights and the learner's results against them.

    Members are only ever added, and retired ones leave when their last game ends, so the opponent
    of a running game never changes.
    """

    weights: dict[str, float]
    """Weight of each group; the members of a group share it equally."""
    members: list[Member] = field(default_factory=list)
    tallies: dict[str, Tally] = field(default_factory=dict)

    @classmethod
    def of(cls, weights: Mapping[str, float], game: Game, scenario: Scenario) -> Pool:
        """A pool with `self` and the agents named in `weights`; `past` fills later.

        Raises:
            SetupError: no positive weight, or a negative one.
            UnknownNameError, LoadError: as `agents.make`.
        """
        bad = [name for name, weight in weights.items() if not weight >= 0]
        if bad or not sum(weights.values()) > 0:
            raise SetupError(
                f"opponents = {dict(weights)}: expected weights of at least 0, one of them above 0"
            )
        pool = cls({name: float(weight) for name, weight in weights.items() if weight > 0})
        for name in pool.weights:
            pool.tallies[name] = Tally()
            if name == SELF:
                pool.members.append(Member(SELF, None))
            elif name != PAST:
                agent = make(name, game, scenario)
                pool.members.append(Member(name, agent))
        return pool

    def set_self(self, player: Player) -> None:
        """Give the current policy its seat."""
        for member in self.members:
            if member.group == SELF:
                member.player = player

    def add_past(self, player: Player, key: str) -> None:
        """A frozen copy of the policy joins."""
        self.tallies.setdefault(PAST, Tally())
        self.members.append(Member(PAST, player, key))

    def past(self) -> list[int]:
        """Numbers of the frozen copies that get new games."""
        return [k for k, member in enumerate(self.members) if member.group == PAST and not member.retired]

    def draw(self, shape: tuple[int, ...], rng: np.random.Generator) -> npt.NDArray[np.int32]:
        """Member numbers for the seats of new games.

        The weight of a group without members (`past` at the start) is shared among the others.

        Raises:
            SetupError: nobody to draw, or `self` is drawn before it was set.
        """
        active = [k for k, member in enumerate(self.members) if not member.retired]
        sizes = {g: sum(self.members[k].group == g for k in active) for g in self.weights}
        p = np.array([self.weights.get(self.members[k].group, 0.0) for k in active])
        p /= [max(1, sizes.get(self.members[k].group, 1)) for k in active]
        if not active or p.sum() <= 0:
            raise SetupError("opponents: nobody to play against yet; give a bot or 'self' a weight")
        cumulative = np.cumsum(p / p.sum())
        at = np.searchsorted(cumulative, rng.random(shape), side="right")
        drawn = np.array(active, np.int32)[np.minimum(at, len(active) - 1)]
        if any(self.members[k].player is None for k in np.unique(drawn)):
            raise SetupError(
                "opponents: 'self' has a weight but no policy plays it yet; call set_self(...) first"
            )
        return drawn

    def controllers(self, num_params: int) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float64]]:
        """For every member, and at the end the learner: compiled bot number or EXTERNAL `[M + 1]`, parameters."""
        numbers = np.full(len(self.members) + 1, EXTERNAL, np.int32)
        params = np.zeros((len(self.members) + 1, num_params))
        for k, member in enumerate(self.members):
            bot_id = getattr(member.player, "bot_id", None)
            if bot_id is not None:
                numbers[k] = bot_id
                given: Any = getattr(member.player, "params", ())
                params[k, : len(given)] = given
        return numbers, params

    def count(self, member: int, games: int, wins: int, draws: int, returned: float) -> None:
        """Add results of the learner against a member."""
        tally = self.tallies[self.members[member].group]
        tally.games += games
        tally.wins += wins
        tally.draws += draws
        tally.returned += returned

    def pop_tallies(self) -> dict[str, Tally]:
        """Results since the last call."""
        popped = self.tallies
        self.tallies = {group: Tally() for group in popped}
        return popped

    def let_go(self, playing: npt.NDArray[np.int32]) -> None:
        """Forget retired members that sit in no running game (`playing`: member numbers of all seats)."""
        busy = set(np.unique(playing).tolist())
        for k, member in enumerate(self.members):
            if member.retired and k not in busy:
                member.player = None


def plays_batches(player: Player) -> bool:
    """False for an agent that must be copied for every game, because it may remember."""
    return not isinstance(player, Agent) or player.plays_batches

"""Who sits opposite the learner: a pool of members with weights, drawn anew for each game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from agents.api import Agent
from agents.registry import make
from fm_env.batch import EXTERNAL, MAX_BOT_PARAMS
from fm_env.contract import Game, Scenario
from fm_env.errors import SetupError

SELF, PAST, EXPLOITER = "self", "past", "exploiter"
"""The groups that aren't agent specs: the current policy, its frozen past, and frozen policies that
learned to beat it (`training.league`)."""

FROZEN = (PAST, EXPLOITER)
"""Groups that have no members at the start."""

LEARNER = -1
"""Member number of the learner itself."""


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
    """Name under which its results are counted: `self`, `past`, `exploiter` or the agent's spec."""
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


MEMORY = 500.0
"""Games over which win rates are remembered for `Pool.prioritise`: older ones fade."""

NEVER_FORGOTTEN = 0.02
"""Loss rate that a group has at least when opponents are prioritised."""


@dataclass(frozen=True)
class _Prepared:
    """What new games are drawn from."""

    active: npt.NDArray[np.int32]
    cumulative: npt.NDArray[np.float64]
    numbers: npt.NDArray[np.int32]
    params: npt.NDArray[np.float64]


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
    standing: dict[str, float] = field(default_factory=dict)
    """The learner's recent win rate against each group, where `prioritise` was called."""
    priority: dict[str, float] = field(default_factory=dict)
    """What the weight of a group is multiplied by."""
    _prepared: _Prepared | None = field(default=None, repr=False)

    @classmethod
    def of(cls, weights: Mapping[str, float], game: Game, scenario: Scenario) -> Pool:
        """A pool with `self` and the agents named in `weights`; `past` and `exploiter` fill later.

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
            elif name not in FROZEN:
                agent = make(name, game, scenario)
                pool.members.append(Member(name, agent))
        return pool

    def follow(self, earlier: Pool) -> None:
        """Go on from a pool with the same weights: with its frozen members and the learner's standing."""
        self.members += earlier.members[len(self.members) :]
        self.tallies, self.standing, self.priority = earlier.tallies, earlier.standing, earlier.priority
        self._prepared = None

    def set_self(self, player: Player) -> None:
        """Give the current policy its seat."""
        self._prepared = None
        for member in self.members:
            if member.group == SELF:
                member.player = player

    def add(self, member: Member) -> None:
        """A member joins."""
        self.tallies.setdefault(member.group, Tally())
        self.members.append(member)
        self._prepared = None

    def retire(self, number: int) -> None:
        """A member plays its games to the end and gets no new ones."""
        self.members[number].retired = True
        self._prepared = None

    def prioritise(self, results: Mapping[str, Tally], power: float) -> None:
        """Let the learner meet those more often that it loses to; games that run keep their opponents.

        Args:
            results: of the games since the last call.
            power: of the loss rate; 0 changes nothing.
        """
        for group, tally in results.items():
            if tally.games:
                kept = MEMORY / (MEMORY + tally.games)
                before = self.standing.get(group, 0.5)
                self.standing[group] = kept * before + (1.0 - kept) * tally.win_rate
        if power > 0:
            self.priority = {
                group: max(1.0 - rate, NEVER_FORGOTTEN) ** power for group, rate in self.standing.items()
            }
            self._prepared = None

    def in_play(self, group: str) -> list[int]:
        """Numbers of a group's members that get new games."""
        return [k for k, member in enumerate(self.members) if member.group == group and not member.retired]

    def draw(self, shape: tuple[int, ...], rng: np.random.Generator) -> npt.NDArray[np.int32]:
        """Member numbers for the seats of new games.

        The weight of a group without members (those of `FROZEN` at the start) is shared among the others.

        Raises:
            SetupError: nobody to draw, or `self` is drawn before it was set.
        """
        prepared = self._prepare()
        at = np.searchsorted(prepared.cumulative, rng.random(shape), side="right")
        return prepared.active[np.minimum(at, len(prepared.active) - 1)]

    def controllers(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float64]]:
        """Compiled bot or EXTERNAL `[M + 1]` and parameters `[M + 1, P]` of members and, last, learner."""
        prepared = self._prepare()
        return prepared.numbers, prepared.params

    def _prepare(self) -> _Prepared:
        """What `draw` and `controllers` answer from; made anew when the members change."""
        if self._prepared is not None:
            return self._prepared
        active = [k for k, member in enumerate(self.members) if not member.retired]
        groups = [self.members[k].group for k in active]
        unknown = max(self.priority.values(), default=1.0)  # who was never met is met soon
        p = np.array(
            [
                self.weights.get(group, 0.0) * self.priority.get(group, unknown) / groups.count(group)
                for group in groups
            ]
        )
        if not active or p.sum() <= 0:
            raise SetupError("opponents: nobody to play against yet; give a bot or 'self' a weight")
        if any(self.members[k].player is None for k, weight in zip(active, p, strict=True) if weight > 0):
            raise SetupError(
                "opponents: 'self' has a weight but no policy plays it yet; call set_self(...) first"
            )
        numbers = np.full(len(self.members) + 1, EXTERNAL, np.int32)
        params = np.zeros((len(self.members) + 1, MAX_BOT_PARAMS))
        for k, member in enumerate(self.members):
            bot_id = getattr(member.player, "bot_id", None)
            if bot_id is not None:
                numbers[k] = bot_id
                given: Any = getattr(member.player, "params", ())
                params[k, : len(given)] = given
        self._prepared = _Prepared(np.array(active, np.int32), np.cumsum(p / p.sum()), numbers, params)
        return self._prepared

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

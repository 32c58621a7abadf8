"""One hosted game as the rules have it: what was chosen, what each viewer knows, what it was told.

No clocks, no network, no storage. Equal seeds and choices give the same game as a `Match`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from agents.service.setting import Setting
from fm_env.contract import CHANCE, TERMINAL, Mask, Observation
from fm_env.engine import engine_of
from fm_env.errors import IllegalActionError, suggestion
from fm_env.records import as_record, new_states, state_hash
from fm_env.rng import row_for
from fm_env.sampler import Lookouts, Sampler
from fm_env.shown.viewers import SPECTATOR, Attention, heard


class Told(NamedTuple):
    """An event as a viewer was told it."""

    seat: int | None
    """Who chose; None is chance."""
    words: str


class RunningGame:
    """The state of a game, and for every viewer a count of what changed for it.

    Events are put into words only when somebody asks (`told`), by a record that follows behind.
    """

    def __init__(self, setting: Setting, seed: int) -> None:
        """Start the game and resolve its first chance events."""
        self.setting = setting
        self.seed = seed
        self.events: list[tuple[int, int]] = []
        """Everything that happened as `(seat or CHANCE, id)`."""
        self.choices = 0
        """How many of these a seat chose."""
        self._engine = engine_of(setting.game)
        self._row = row_for(seed)
        self._states = new_states(setting.spec, 1)
        self._engine.reset(self._states, 0, setting.scenario.setup)
        self._lookouts = Lookouts(setting.game, setting.spec)
        self._attention = Attention(setting.game, setting.spec, self._states)
        viewers = (*range(setting.spec.num_seats), SPECTATOR)
        self.versions = dict.fromkeys(viewers, 0)
        """What a viewer can tell has changed so often."""
        self.waiting: dict[int, tuple[int, ...]] = dict.fromkeys(viewers, ())
        """Who owes a choice, as far as a viewer may know."""
        self._told: dict[int, list[Told]] = {viewer: [] for viewer in viewers}
        self._told_upto = 0
        self._follower = self._states.copy()
        self._listener = Attention(setting.game, setting.spec, self._follower)
        self._resolve_chance()
        self._now_waiting(viewers)

    # -- looking ----------------------------------------------------------------------------------
    @property
    def pending(self) -> tuple[int, ...]:
        """Seats that owe a choice."""
        bits = self._engine.pending(self._states, 0)
        return tuple(seat for seat in range(self.setting.spec.num_seats) if bits >> seat & 1)

    @property
    def is_over(self) -> bool:
        """Whether nobody has anything left to choose."""
        return self._engine.to_act(self._states, 0) == TERMINAL

    @property
    def state(self) -> np.record:
        """The state, not to be written to."""
        return as_record(self._states, 0)

    @property
    def state_hash(self) -> str:
        """Tells positions apart."""
        return state_hash(self._states)

    def mask(self, seat: int) -> Mask:
        """`[A]` bool, True = legal; all False for a seat that owes nothing."""
        out = np.zeros(self.setting.spec.num_actions, np.bool_)
        self._engine.legal_mask(self._states, 0, seat, out)
        return out

    def observation(self, seat: int) -> Observation:
        """`[F]` f4, what `seat` may know."""
        out = np.zeros(self.setting.spec.observation_size, np.float32)
        self._engine.observe(self._states, 0, seat, out)
        return out

    def sampler(self, seat: int) -> Sampler:
        """What `seat`, which owes a choice, may imagine."""
        return self._lookouts.sampler(self._states, 0, seat)

    def returns(self) -> list[float]:
        """Utilities of all seats; zeros before the end."""
        out = np.zeros(self.setting.spec.num_seats, np.float64)
        self._engine.returns(self._states, 0, out)
        return out.tolist()

    def told(self, viewer: int) -> list[Told]:
        """Everything that `viewer` has been told so far; not to be changed."""
        while self._told_upto < len(self.events):
            actor, action = self.events[self._told_upto]
            before = self._follower.copy()
            self._apply(self._follower, actor, action)
            noticed = self._listener.notice(self._follower, actor)
            said = heard(
                self.setting.game,
                as_record(before, 0),
                actor,
                action,
                as_record(self._follower, 0),
                noticed,
            )
            for hearer, words in said.items():
                self._told[hearer].append(Told(None if actor == CHANCE else actor, words))
            self._told_upto += 1
        return self._told[viewer]

    # -- playing ----------------------------------------------------------------------------------
    def action_of(self, seat: int, given: int | str) -> int:
        """The id of a legal action, from its id or text.

        Raises:
            IllegalActionError: not this seat's turn, no such action, or not legal now.
        """
        if seat not in self.pending:
            over = "the game is over" if self.is_over else "it owes no choice now"
            raise IllegalActionError(f"seat {seat}: {over}")
        setting = self.setting
        action = setting.ids.get(given, -1) if isinstance(given, str) else given
        legal = np.flatnonzero(self.mask(seat)).tolist()
        if action not in legal:
            texts = [setting.texts[a] for a in legal]
            if 0 <= action < len(setting.texts):
                raise IllegalActionError(f"action: {setting.texts[action]!r} isn't legal now")
            raise IllegalActionError(
                f"action: there is no {given!r}; {suggestion(str(given)[:80], texts[:40])}"
            )
        return action

    def play(self, seat: int, action: int) -> None:
        """A legal action of a pending seat happens, and the chance events that follow."""
        self.choices += 1
        self._lookouts.chosen(self._states, 0, seat, action)
        self._happen(seat, action)
        self._resolve_chance()

    def _happen(self, actor: int, action: int) -> None:
        self._apply(self._states, actor, action)
        self.events.append((actor, action))
        noticed = self._attention.notice(self._states, actor)
        for viewer in noticed:
            self.versions[viewer] += 1
        if noticed == (actor,):  # a secret choice: of the others' she knows no more than before
            rest = tuple(seat for seat in self.waiting[actor] if seat != actor)
            still = (actor,) if actor in self.pending else ()
            self.waiting[actor] = tuple(sorted((*rest, *still)))
        else:
            self._now_waiting(noticed)

    def _now_waiting(self, viewers: tuple[int, ...]) -> None:
        pending = self.pending
        for viewer in viewers:
            self.waiting[viewer] = pending

    def _resolve_chance(self) -> None:
        while self._engine.to_act(self._states, 0) == CHANCE:
            self._happen(CHANCE, self._engine.draw_chance(self._states, 0, self._row))

    def _apply(self, states: np.ndarray, actor: int, action: int) -> None:
        if actor == CHANCE:
            self._engine.apply_chance(states, 0, action)
        else:
            self._engine.apply(states, 0, actor, action)

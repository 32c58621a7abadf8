"""Viewers of a running game: seats, and spectators, who hold no cards and see what all see.

The functions of `fm_env.shown` take `SPECTATOR` for a seat, too. Whoever sends a game to its viewers
asks `Attention` whom an event changes anything for: nobody else may be sent anything, or the message
itself would tell that somebody has chosen.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from fm_env.contract import Game, GameSpec
from fm_env.engine import engine_of
from fm_env.records import States
from fm_env.shown import event_words
from fm_env.shown.fairy_meat_words import event_words_for
from fm_env.shown.spectators import TEXTS
from fm_env.shown.spectators import points as points

SPECTATOR = -1
"""A viewer without a seat."""


def text(game: Game, state: Any, viewer: int | None) -> str:
    """The position in words; a spectator of a game that has none for spectators reads nothing."""
    if viewer != SPECTATOR:
        return game.state_text(state, viewer)
    public = TEXTS.get(game.name)
    return public(state) if public else ""


def heard(
    game: Game, before: Any, actor: int, action: int, after: Any, noticed: Iterable[int]
) -> dict[int, str]:
    """What an event sounds like to the viewers who noticed it; those who hear nothing are left out."""
    if game.name == "fairy_meat":
        said = event_words_for(before, actor, action, after, noticed)
    else:
        said = {viewer: event_words(game, before, actor, action, after, viewer) for viewer in noticed}
    return {viewer: words for viewer, words in said.items() if words}


class Attention:
    """Tells for which viewers an event changed anything, by what each seat knows (`info_key`)."""

    def __init__(self, game: Game, spec: GameSpec, states: States) -> None:
        """Remember what everybody knows in `states[0]`."""
        self._engine = engine_of(game)
        self._spec = spec
        self._keys = self._known(states)

    def notice(self, states: States, actor: int) -> tuple[int, ...]:
        """Viewers for whom something changed since the last call, SPECTATOR last.

        Args:
            states: its first row is the position now.
            actor: who chose, or CHANCE. A seat notices its own choice in any case.
        """
        keys = self._known(states)
        changed = (keys != self._keys).any(axis=1)
        self._keys = keys
        seats = [seat for seat in range(len(keys)) if changed[seat] or seat == actor]
        if len(keys) == 1 or any(seat != actor for seat in seats):
            seats.append(SPECTATOR)
        return tuple(seats)

    def _known(self, states: States) -> np.ndarray:
        keys = np.empty((self._spec.num_seats, self._spec.info_key_size), np.uint8)
        for seat in range(self._spec.num_seats):
            self._engine.info_key(states, 0, seat, keys[seat])
        return keys

"""Sound positions with one field changed, and what `faults` says of them."""

from __future__ import annotations

from typing import Any

from fm_env.engine import engine_of
from fm_env.match import Match
from fm_env.records import rows_of

Change = tuple[str, tuple[int, ...], Any]
"""A field, an index into it (none for a number) and its new value."""


def faults_with(m: Match, *changes: Change) -> int:
    """The sum of fault flags of a match's position, changed."""
    states = rows_of(m.state).copy()
    assert engine_of(m.game).faults(states, 0) == 0, "the position was broken before"
    for field, index, value in changes:
        states[field][(0, *index)] = value
    return engine_of(m.game).faults(states, 0)


def outside(field: str, low: int, high: int, *index: int) -> list[Change]:
    """The changes to the values just below and above a range."""
    return [(field, index, low - 1), (field, index, high + 1)]

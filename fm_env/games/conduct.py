"""What a game has to say about how it is played, beside who wins: habits, deeds, ends, memorable games.

A game that has something to say keeps a `Conduct` as its attribute `conduct`. All counts are pairs of
arrays, a numerator and a denominator, summed up by whoever asks; a habit's rate is the quotient of the
sums. Never imported by rules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy.typing as npt

Counts = dict[str, tuple[npt.NDArray[Any], npt.NDArray[Any]]]
"""Habit to numerators and denominators."""


@dataclass(frozen=True)
class Habit:
    """One line of a table of behaviour."""

    doc: str
    """What is counted, in words that follow the habit's name: "bluffs: ..."."""
    unit: str = ""
    """What the quotient is measured in; empty: it is a share, shown in per cent."""


@dataclass(frozen=True)
class Conduct:
    """A game's hooks; each may leave out habits that it saw no occasion for."""

    habits: Mapping[str, Habit]
    """All habits that the hooks count, in the order of tables."""
    choices: Callable[..., Counts]
    """`choices(spec, observations[B, F], masks[B, A], actions[B]) -> Counts` of `[B]` arrays: what the
    deciding seat saw and did. Forced choices don't count."""
    deeds: Callable[..., Counts] | None = None
    """`deeds(spec, before[B], seats[B], actions[B], after[B]) -> Counts` of `[B, S]` arrays, a column a
    seat: what a referee sees happen, forced choices and chance (seat CHANCE) included."""
    ends: Callable[..., Counts] | None = None
    """`ends(spec, states[N]) -> Counts` of `[N, S]` arrays: what finished games show."""
    highlights: Callable[..., dict[str, npt.NDArray[Any]]] | None = None
    """`highlights(spec, states[N]) -> {title: [N]}`: finished games are the more worth watching under
    that title the higher the number; -inf: not at all."""


def shares(kinds: Mapping[str, tuple[npt.NDArray[Any], npt.NDArray[Any]]]) -> Counts:
    """Kinds as (did it, had the occasion) `[B]` bools to counts: it only counts where it could."""
    return {name: ((hit & base).astype(float), base.astype(float)) for name, (hit, base) in kinds.items()}

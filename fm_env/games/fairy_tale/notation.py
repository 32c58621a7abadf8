"""Texts of cards and actions, one to one with their ids."""

from __future__ import annotations

from functools import cache

import numpy as np

from fm_env.games.fairy_tale.actions import NUM_VERBS as NUM_VERBS
from fm_env.games.fairy_tale.actions import VERBS
from fm_env.games.fairy_tale.constants import NO_CARD
from fm_env.games.fairy_tale.deck import NAMES


@cache
def card_names(deck_id: int, size: int) -> tuple[str, ...]:
    """Names of the cards of a deck, padded to `size`; numbers for a deck this process hasn't loaded."""
    known = NAMES.get(deck_id, ())[:size]
    return (*known, *(f"no card {k}" for k in range(len(known), size)))


@cache
def action_texts(deck_id: int, types: int) -> tuple[str, ...]:
    """The text of every action id."""
    return tuple(f"{verb} {name}" for verb in VERBS for name in card_names(deck_id, types))


def names_of(state: np.record) -> tuple[str, ...]:
    """Names of the cards of a position."""
    return card_names(int(state["deck_id"]), len(state["pack"]))


def counts_text(names: tuple[str, ...], counts: np.ndarray) -> str:
    """A pile of counts as text, e.g. `2 x Homesteader, Bard`; `-` if empty."""
    parts = [(f"{int(n)} x " if n > 1 else "") + names[c] for c, n in enumerate(counts) if n > 0]
    return ", ".join(parts) or "-"


def list_text(names: tuple[str, ...], cards: np.ndarray) -> str:
    """A list of cards as text; `-` if empty."""
    return ", ".join(names[c] for c in cards if c != NO_CARD) or "-"

"""Texts of cards, outcomes and actions, one to one with their ids."""

from __future__ import annotations

from functools import cache
from typing import Any

from fm_env.games.sword_and_shield.actions import NUM_ACTIONS
from fm_env.games.sword_and_shield.constants import MAX_CARDS, TACTICS

Names = tuple[str, ...]
"""Names of all 26 card types (`spec.card_names`)."""


@cache
def action_texts(names: Names) -> tuple[str, ...]:
    """The text of every action id."""
    texts = [f"attack with {name} by {tactic}" for name in names for tactic in TACTICS]
    texts += [f"defend with {name} by {tactic}" for name in names for tactic in TACTICS]
    texts += [f"manoeuvre with {name}" for name in names]
    texts += [f"achieve {name}" for name in names]
    texts += [f"discard {name}" for name in names]
    texts += ["pass", "end turn", "take the hit"]
    if len(texts) != NUM_ACTIONS:
        raise AssertionError("action ids and texts disagree")
    return tuple(texts)


@cache
def outcome_texts(names: Names) -> tuple[str, ...]:
    """The text of every chance outcome: a card drawn, or who attacks first."""
    return (*names, "seat 0 attacks first", "seat 1 attacks first")


def names_in(s: Any) -> Names:
    """Names of the card types in use, as the record holds them."""
    texts = (s["name"][c].tobytes().decode("ascii") for c in range(int(s["n_types"])))
    return tuple(text.rstrip("\0") for text in texts)


def cards_text(s: Any, counts: Any) -> str:
    """A pile as text, e.g. `A1a A3b A3b`; `-` if empty."""
    names = names_in(s)
    return " ".join(name for c, name in enumerate(names) for _ in range(int(counts[c]))) or "-"


def all_names(used: Names) -> Names:
    """The names in use and a number for each type that the deck leaves unused."""
    return used + tuple(f"unused{c}" for c in range(len(used), MAX_CARDS))

"""The facts of a joust, with the names of the deck's cards, which its texts need."""

from __future__ import annotations

from dataclasses import dataclass

from fm_env.contract import GameSpec
from fm_env.games.sword_and_shield.notation import all_names


@dataclass(frozen=True)
class JoustSpec(GameSpec):
    """As `GameSpec`; card types are numbered in the order of `cards`."""

    cards: tuple[str, ...] = ()
    """Names of the types in use."""


def card_names(spec: GameSpec) -> tuple[str, ...]:
    """Names of all 26 types; those that the deck leaves unused are called by their number."""
    return all_names(spec.cards if isinstance(spec, JoustSpec) else ())

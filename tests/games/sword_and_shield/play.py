"""Jousts set up by hand and played through the public Match."""

from __future__ import annotations

from typing import Any

import fm_env
from fm_env.games.sword_and_shield.notation import names_in
from fm_env.match import Match
from tests.games.traceability import rule as rule

PLAIN = {"name": "plain", "strength": 4, "technique": 4, "chivalry": 4, "endurance": 4}
"""A knight with 18 points of Fatigue to whom a card costs what it prints above 4."""


def game() -> Any:
    return fm_env.load("sword_and_shield")


def joust(a: str, b: str = "", draws: str | None = None, **more: Any) -> Match:
    """A joust in which seat 0 attacks first, with these cards in hand and no more.

    Args:
        a: cards of seat 0, e.g. `"A1a A3b"`; the hand limit is the larger hand.
        b: cards of seat 1.
        draws: the cards drawn later; left out: any.
        **more: `fatigue`, `hits`, `discards` of the set-up, or options of the scenario.
    """
    hands = [a.split(), b.split()]
    position = {key: more.pop(key) for key in ("fatigue", "hits", "discards") if key in more}
    options: dict[str, Any] = {
        "knights": [PLAIN, PLAIN],
        "first_seat": 0,
        "hand": max(map(len, hands)),
        **more,
    }
    chance = None if draws is None else draws.split()
    setup = {"hands": hands, **position}
    return game().new_match(setup=setup, chance=chance, seed=1 if draws is None else None, **options)


def play(m: Match, *texts: str) -> Match:
    """Whoever is asked plays one text after the other."""
    for text in texts:
        m.play(m.pending[0], text)
    return m


def fatigue(m: Match) -> tuple[int, int]:
    return int(m.state.fatigue[0]), int(m.state.fatigue[1])


def hits(m: Match) -> tuple[int, int]:
    """Hits taken."""
    return int(m.state.hits[0]), int(m.state.hits[1])


def held(m: Match, seat: int) -> list[str]:
    """Cards in hand, by type."""
    return named(m, m.state.hand[seat])


def known(m: Match, seat: int) -> list[str]:
    """Cards of a hand that the other seat is sure of."""
    return named(m, m.state.known[seat])


def discards(m: Match) -> list[str]:
    return named(m, m.state.discard)


def named(m: Match, counts: Any) -> list[str]:
    """A pile's cards by type."""
    return [name for c, name in enumerate(names_in(m.state)) for _ in range(int(counts[c]))]

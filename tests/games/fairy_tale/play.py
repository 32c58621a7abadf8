"""Positions and rounds written down as lists of cards, played through the public Match."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import fm_env
from fm_env.games.fairy_tale.notation import names_of
from fm_env.match import Match
from tests.games.traceability import rule as rule

FILL = ["Mischievous Fairy", "Mischievous Fairy", "Homesteader", "Homesteader", "Bard"]
"""Cards without effects, and enough of them, to fill hands with."""


def game() -> Any:
    return fm_env.load("fairy_tale")


def table(*seats: dict[str, list[str]], **options: Any) -> Match:
    """A game of one round in which `{"up": [...], "down": [...]}` lies before each seat."""
    options = {"num_players": max(2, len(seats)), "rounds": 1, "seed": 1, **options}
    return game().new_match(scenario="expert", setup=list(seats), **options)


def points(
    *up: str, down: Sequence[str] = (), others: Sequence[dict[str, list[str]]] = (), **options: Any
) -> int:
    """What the cards `up` are worth to seat 0."""
    return int(table({"up": list(up), "down": list(down)}, *others, **options).state.points[0])


def round_of(*hands: Sequence[str], seats: Sequence[dict[str, list[str]]] = (), **options: Any) -> Match:
    """A round just drafted: seat k holds `hands[k]`, filled up to five with FILL."""
    full = [[*hand, *FILL][:5] for hand in hands]
    options = {"num_players": len(hands), "rounds": 1, "first_seat": 0, "scenario": "expert", **options}
    m = game().new_match(setup=list(seats) or None, chance=deals(full, options["first_seat"]), **options)
    return draft(m, full)


def deals(hands: Sequence[Sequence[str]], first: int = 0, way: int = 1) -> list[str]:
    """The cards in the order of dealing that lets seat k pick `hands[k]` from left to right."""
    n = len(hands)
    packets = [[hands[(p + way * t) % n][t] for t in range(5)] for p in range(n)]
    return [card for k in range(n) for card in packets[(first + k) % n]]


def draft(m: Match, hands: Sequence[Sequence[str]]) -> Match:
    """Everyone picks the cards of her hand in order; the fifth comes by itself."""
    for t in range(4):
        for seat, hand in enumerate(hands):
            m.play(seat, f"draft {hand[t]}")
    return m


def step(m: Match, *cards: str) -> Match:
    """All play and reveal a card."""
    for seat, card in enumerate(cards):
        m.play(seat, f"play {card}")
    return m


def up(m: Match, seat: int) -> list[str]:
    """Face-up cards, in the order of the deck."""
    return _listed(m, m.state.up[seat])


def down(m: Match, seat: int) -> list[str]:
    """Face-down cards."""
    return _listed(m, m.state.down[seat])


def packet(m: Match, seat: int) -> list[str]:
    """What a seat picks from now."""
    return [text.removeprefix("draft ") for text in m.legal(seat)]


def seen(m: Match, seat: int, block: str) -> dict[str, float]:
    """One block of a seat's observation: the cards with entries that aren't zero, unscaled."""
    values = zip(game().observation_labels(m.spec), m.observation(seat), strict=True)
    found = {}
    for label, value in values:
        part, _, card = label.partition(": ")
        name, _, scale = part.rpartition(" /")
        if name == block and value:
            found[card] = round(float(value) * int(scale), 3)
    return found


def _listed(m: Match, counts: Any) -> list[str]:
    names = names_of(m.state)
    return [names[c] for c, n in enumerate(counts) for _ in range(int(n))]

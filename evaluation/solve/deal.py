"""Hands of a clash as counts of card types, and exact card removal between two of them.

A type is what the rules tell apart: a number's value and colour, a trump's colour, a joker. There
are at most 21. Two hands are dealt together in `prod C(p, x) C(p - x, y)` ways, where `p`, `x` and
`y` count a type in the pack and in the hands. Sums over all hands `y` beside a hand `x` go by
inclusion and exclusion over the few sub-hands `s` of `x`:

    sum_y prod C(p - x, y) f(y) = sum_{s <= x} (-1)^|s| prod C(x, s) M(s)
    M(s) = sum_{y >= s} prod C(p - s, y - s) f(y)

so no matrix of pairs of hands is ever made.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from agents.fairy_meat.clash_table import TYPES, Counts, multisets
from fm_env.errors import SetupError
from fm_env.games.fairy_meat.constants import FIRST_TRUMP, JOKER, NUM_CARDS

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

NUMBERS_END = 18
RED_TRUMP, BLACK_TRUMP, JOKER_TYPE = 18, 19, 20


def types_of(pack: npt.NDArray[Any]) -> tuple[Ints, Ints]:
    """Counts per type `[21]` and the card that stands for each type `[21]` (-1: not in the pack).

    Raises:
        SetupError: trumps of one colour have several ranks, which agents can see.
    """
    counts, cards = np.zeros(TYPES, np.int64), np.full(TYPES, -1, np.int64)
    counts[:FIRST_TRUMP], counts[JOKER_TYPE] = pack[:FIRST_TRUMP], pack[JOKER]
    cards[:FIRST_TRUMP], cards[JOKER_TYPE] = np.arange(FIRST_TRUMP), JOKER
    for colour in range(2):
        ranks = [c for c in range(FIRST_TRUMP + colour, JOKER, 2) if pack[c] > 0]
        if len(ranks) > 1:
            raise SetupError(
                "deck: expected trumps of one rank in each colour, as in deck = 'clash' (the full deck"
                " but for the ranks of trumps, which mean nothing)"
            )
        if ranks:
            counts[RED_TRUMP + colour], cards[RED_TRUMP + colour] = pack[ranks[0]], ranks[0]
    cards[counts == 0] = -1
    return counts, cards


class Hands(NamedTuple):
    """All hands of one fighter."""

    counts: Counts
    """`[H, 21]`."""
    ways: Floats
    """`[H]` ways of dealing each from the full pack."""
    sub: npt.NDArray[np.int32]
    """`[H, K]` sub-hands of each, as rows of `Deal.subs`; -1 fills up."""
    spread: Floats
    """`[H, K]` `prod C(p - s, y - s)`, from a hand `y` to its sub-hand `s`."""
    gather: Floats
    """`[H, K]` `(-1)^|s| prod C(x, s)`, from a sub-hand back to a hand `x`."""


@dataclass(frozen=True)
class Deal:
    """Two hands from one pack."""

    pack: Ints
    """`[21]` counts per type."""
    cards: Ints
    """`[21]` a card of each type."""
    sizes: tuple[int, int]
    """Cards of the attacker and of the defender."""
    subs: Counts
    """`[S, 21]` every hand that fits in both hands."""
    hands: tuple[Hands, Hands]
    """Of the attacker and of the defender."""
    total: float
    """Ways of dealing both hands."""


def make_deal(pack: npt.NDArray[Any], a: int, d: int) -> Deal:
    """Hands and removal for `a` cards against `d` from a pack `[27]` of the game."""
    assert len(pack) == NUM_CARDS
    counts, cards = types_of(pack)
    n = int(counts.sum())
    subs = np.concatenate([multisets(counts, size) for size in range(min(a, d) + 1)])
    row = {tuple(s): k for k, s in enumerate(subs.tolist())}
    hands = (_hands(counts, a, row, min(a, d)), _hands(counts, d, row, min(a, d)))
    return Deal(counts, cards, (a, d), subs, hands, float(comb(n, a) * comb(n - a, d)))


def _hands(pack: Ints, size: int, row: dict[tuple[int, ...], int], largest: int) -> Hands:
    hands = multisets(pack, size)
    parts: list[list[tuple[int, float, float]]] = []
    for hand in hands.tolist():
        held = [(t, n) for t, n in enumerate(hand) if n]
        found: list[tuple[int, float, float]] = []

        def fill(
            k: int,
            s: list[int],
            spread: float,
            gather: float,
            held: list[tuple[int, int]] = held,
            found: list[tuple[int, float, float]] = found,
        ) -> None:
            if sum(s) > largest:
                return
            if k == len(held):
                found.append((row[tuple(s)], spread, gather))
                return
            t, n = held[k]
            p = int(pack[t])
            for j in range(n + 1):
                s[t] = j
                fill(k + 1, s, spread * comb(p - j, n - j), gather * (-1) ** j * comb(n, j))
            s[t] = 0

        fill(0, [0] * len(pack), 1.0, 1.0)
        parts.append(found)
    width = max(len(found) for found in parts)
    sub = np.full((len(hands), width), -1, np.int32)
    spread, gather = np.zeros((len(hands), width)), np.zeros((len(hands), width))
    for h, found in enumerate(parts):
        for k, (s, up, down) in enumerate(found):
            sub[h, k], spread[h, k], gather[h, k] = s, up, down
    ways = np.array([np.prod([comb(int(p), int(n)) for p, n in zip(pack, x, strict=True)]) for x in hands])
    return Hands(hands, ways.astype(np.float64), sub, spread, gather)


def removal(pack: Ints, x: npt.NDArray[Any], y: npt.NDArray[Any]) -> Floats:
    """`[X, Y]` ways `prod C(p - x, y)` of dealing each hand of `y` beside each hand of `x`."""
    most = int(pack.max()) + 1
    choose = np.array([[comb(n, k) for k in range(most)] for n in range(most)], np.float64)
    out = np.ones((len(x), len(y)))
    for t in range(len(pack)):
        left = np.maximum(pack[t] - x[:, t].astype(np.int64), 0)
        out *= choose[left[:, None], y[None, :, t].astype(np.int64)]
    return out

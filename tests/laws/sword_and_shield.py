"""What the laws need to know about Sword and Shield: its cases, how to break a state, what is hidden."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from fm_env.games.sword_and_shield.constants import MAX_CARDS
from fm_env.games.sword_and_shield.state import Fault

TINY = {
    "cards": [
        {"name": "a", "attack": "A1", "strength": 5, "technique": 2, "defences": ["S1"]},
        {"name": "b", "attack": "A2", "technique": 6, "defences": ["W1", "W2"], "manoeuvre": True},
        {"name": "c", "attack": "A6", "chivalry": 4, "defences": ["S3"], "copies": 3},
    ],
    "achievements": [{"name": "luck", "copies": 1, "price": 2, "saves": True}],
}
"""A deck small enough to list every deal that fits what a seat has seen, and to be shuffled often."""

CASES: list[tuple[dict[str, Any], str, int, int]] = [
    ({}, "", 24, 300),
    ({"deck": "deeds", "knights": ["ox", "griffin"], "first_seat": 1}, "deeds", 24, 300),
    ({"deck": TINY, "hand": 2}, "tiny", 40, 300),
    ({"hand": 8, "max_turns": 20, "knights": ["swan", "swan"]}, "short", 24, 200),
]
"""Options, label, random games, positions looked at."""

ALL_FAULTS = sum(Fault)


def _lost_card(state: Any) -> None:
    state.discard[0] += 1


def _negative_pile(state: Any) -> None:
    state.deck[0] = -1


def _wrong_count(state: Any) -> None:
    state.n_deck += 1


def _tireless(state: Any) -> None:
    state.fatigue[0] = state.fatigue_max[0] + 1


def _beaten_and_going_on(state: Any) -> None:
    state.hits[1] = 7


def _no_such_phase(state: Any) -> None:
    state.phase = 9


def _no_such_seat(state: Any) -> None:
    state.attacker = 2


def _known_but_not_held(state: Any) -> None:
    state.known[0, 0] = state.hand[0, 0] + 1


BREAKERS = {
    int(Fault.CARDS): _lost_card,
    int(Fault.NEGATIVE): _negative_pile,
    int(Fault.COUNTS): _wrong_count,
    int(Fault.FATIGUE): _tireless,
    int(Fault.HITS): _beaten_and_going_on,
    int(Fault.PHASE): _no_such_phase,
    int(Fault.SEAT): _no_such_seat,
    int(Fault.KNOWN): _known_but_not_held,
}

BY_SEAT = ("knight", "fatigue_max", "hand", "n_hand", "known", "fatigue", "hits", "bare")


def rotate(old: Any, new: Any) -> None:
    """The two seats change places."""
    for name in BY_SEAT:
        new[name] = old[name][::-1]
    for name in ("attacker", "drawing"):
        if old[name] >= 0:
            new[name] = 1 - old[name]


def hidden(state: Any, seat: int) -> Iterable[tuple[bytes, float]]:
    """Every state that fits what `seat` sees, by its own enumeration of physical deals."""
    other = 1 - seat
    unknown = state.hand[other].astype(int) - state.known[other]
    pool = state.deck.astype(int) + unknown
    cards = [c for c in range(MAX_CARDS) for _ in range(pool[c])]
    if unknown.sum() == 0 or state.n_deck == 0 or math.comb(len(cards), int(unknown.sum())) > 5000:
        return
    weights: dict[bytes, int] = {}
    for chosen in itertools.combinations(range(len(cards)), int(unknown.sum())):
        dealt = np.bincount([cards[k] for k in chosen], minlength=MAX_CARDS)
        made = np.array([state], state.dtype)
        made["hand"][0, other] = state.known[other] + dealt
        made["deck"][0] = pool - dealt
        weights[made.tobytes()] = weights.get(made.tobytes(), 0) + 1
    if len(weights) > 250:
        return
    total = sum(weights.values())
    yield from ((one, weight / total) for one, weight in weights.items())

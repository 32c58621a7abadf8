"""What the laws need to know about Fairy Meat: its scenarios, how to break a state, what is hidden."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from fm_env.games.fairy_meat.actions import num_actions
from fm_env.games.fairy_meat.constants import FIRST_TRUMP, JOKER, NUM_CARDS
from fm_env.games.fairy_meat.decisions import is_secret, legal_actions
from fm_env.games.fairy_meat.state import Fault

TINY = {"2r": 1, "9r": 1, "3b": 1, "8b": 1, "Jr": 2, "Kb": 2, "X": 1}
"""A deck small enough to list every deal that fits what a seat has seen."""

CASES: list[tuple[str, dict[str, Any], str, int, int]] = [
    ("clash", {}, "", 40, 300),
    ("clash", {"combat": "fast_play"}, "fast_play", 40, 200),
    ("clash", {"deck": TINY, "a": 2, "d": 2}, "tiny", 40, 300),
    ("clash", {"deck": TINY, "a": 2, "d": 1, "combat": "fast_play"}, "tiny-fast_play", 30, 200),
    ("clash", {"kind": "rose_prick", "joker_points": True, "call_off": False}, "rose_prick", 40, 200),
    ("duel", {}, "", 8, 300),
    ("duel", {"combat": "fast_play", "types": ("glitter", "wild")}, "fast_play", 6, 200),
    ("duel", {"attacks": (3, 2), "damage": "levels", "joker_main": "no_number"}, "attacks", 8, 300),
    ("scuffle", {}, "", 4, 200),
    ("scuffle", {"num_players": 2, "combat": "fast_play"}, "two_each", 4, 200),
]
"""Scenario, options, label, random games, positions looked at."""

ALL_FAULTS = sum(Fault)


# ------------------------------------------------------------------------------------ faults
def _lost_card(state: Any) -> None:
    state.heap_up[0] += 1


def _negative_pile(state: Any) -> None:
    state.deck[0] = -1


def _wrong_count(state: Any) -> None:
    state.n_deck += 1


def _overfed(state: Any) -> None:
    state.live[0] = 13


def _no_such_phase(state: Any) -> None:
    state.phase = 99


def _no_such_fairy(state: Any) -> None:
    state.turn = 7


def _no_such_combat(state: Any) -> None:
    state.combat = 3


def _number_among_trumps(state: Any) -> None:
    state.laid[0, 0] = 1


BREAKERS = {
    int(Fault.CARDS): _lost_card,
    int(Fault.NEGATIVE): _negative_pile,
    int(Fault.COUNTS): _wrong_count,
    int(Fault.LIFE): _overfed,
    int(Fault.PHASE): _no_such_phase,
    int(Fault.FAIRY): _no_such_fairy,
    int(Fault.OPTION): _no_such_combat,
    int(Fault.PILES): _number_among_trumps,
}


# ---------------------------------------------------------------------------------- rotation
def rotate(old: Any, new: Any) -> None:
    """Every seat k moves to seat k + 1, and its fairies with it."""
    n, seats = int(old.n_fairies), int(old.n_seats)
    owners = [int(old.owner[f]) for f in range(n)]
    # Fairies keep their order within a seat, as the roster lists them.
    order = sorted(range(n), key=lambda f: ((owners[f] + 1) % seats, f))
    moved = {f: k for k, f in enumerate(order)}
    for name in old.dtype.names:
        value = old[name]
        if name == "heap_down":
            for seat in range(seats):
                new.heap_down[(seat + 1) % seats] = value[seat]
        elif name in ("bank", "apart"):
            for f, g in itertools.product(range(n), repeat=2):
                new[name][moved[f], moved[g]] = value[f, g]
        elif name in ("roster", "place"):
            continue
        elif np.ndim(value) and value.shape[0] == len(old.live) and name not in ("pack", "rules_seen"):
            for f in range(n):
                new[name][moved[f]] = value[f]
    for name in ("attacker", "defender", "turn", "joker_of", "winner"):
        if old[name] >= 0:
            new[name] = moved[int(old[name])]
    for f in range(n):
        new.owner[moved[f]] = (owners[f] + 1) % seats
    new.first_seat = (old.first_seat + 1) % seats
    if moved[0] != 0:
        new.score = -old.score
    for seat in range(seats):
        for place in range(n):
            f = int(old.roster[seat, place])
            new.roster[(seat + 1) % seats, place] = moved[f]
            new.place[(seat + 1) % seats, moved[f]] = place


# ------------------------------------------------------------------------------ what is hidden
def hidden(state: Any, seat: int) -> Iterable[tuple[bytes, float]]:
    """Every state of a clash that fits what `seat` sees, by its own enumeration of physical deals."""
    other = 1 - seat
    piles = {
        "laid": 0 if state.laid_up[other] else int(state.n_laid[other]),
        "hand": int(state.n_hand[other]),
        "heap": int(state.heap_down[other].sum()),
        "deck": int(state.n_deck),
    }
    pool = state.deck + state.heap_down[other] + state.hand[other]
    if not state.laid_up[other]:
        pool = pool + state.laid[other]
    if piles["hand"] + piles["laid"] + piles["heap"] == 0 or piles["deck"] == 0:
        return
    found: list[tuple[bytes, float]] = []
    for deal in _deals(pool, list(piles.values())):
        laid, hand, heap, deck = deal
        if not _fits(state, other, laid, hand):
            continue
        made = np.array([state], state.dtype)
        if not state.laid_up[other]:
            made["laid"][0, other] = laid
        made["hand"][0, other] = hand
        made["heap_down"][0, other] = heap
        made["deck"][0] = deck
        weight = float(math.prod(_ways(int(pool[c]), [int(p[c]) for p in deal]) for c in range(NUM_CARDS)))
        choices = list(_choices(made, other))
        found += [(one, weight / len(choices)) for one in choices]
    if len(found) > 250:
        return
    total = sum(weight for _, weight in found)
    yield from ((one, weight / total) for one, weight in found)


def _fits(state: Any, other: int, laid: Any, hand: Any) -> bool:
    """Trumps laid face down are trumps of one colour; what a wild trump or points told holds."""
    if laid[:FIRST_TRUMP].sum() or laid[JOKER]:
        return False
    if laid[FIRST_TRUMP:JOKER:2].sum() and laid[FIRST_TRUMP + 1 : JOKER : 2].sum():
        return False
    if state.no_number[other] and hand[:FIRST_TRUMP].sum():
        return False
    return not (state.no_trump[other] and hand[FIRST_TRUMP:JOKER].sum())


def _choices(made: Any, other: int) -> Iterator[bytes]:
    """The state with every choice that the other may have committed to in a secret phase."""
    s = made.view(np.dtype((np.record, made.dtype)))[0]
    if not is_secret(s.phase) or s.choice[other] < 0:
        if s.main_choice[other] >= 0:
            yield from _mains(made, s, other)
        else:
            yield made.tobytes()
        return
    if s.main_choice[other] >= 0:
        yield from _mains(made, s, other)
        return
    mask = np.zeros(num_actions(2), np.bool_)
    legal_actions(s, other, mask)
    for action in np.flatnonzero(mask):
        s.choice[other] = action
        yield made.tobytes()


def _mains(made: Any, s: Any, other: int) -> Iterator[bytes]:
    """Fast Play: the main card is committed too. Not listed: left to the laws on single guesses."""
    return iter(())


def _deals(pool: Any, sizes: list[int]) -> Iterator[list[Any]]:
    """All ways to split the pool into piles of the given sizes, by card type."""
    if len(sizes) == 1:
        yield [pool]
        return
    for pile in _piles(pool, sizes[0]):
        for rest in _deals(pool - pile, sizes[1:]):
            yield [pile, *rest]


def _piles(pool: Any, size: int) -> Iterator[Any]:
    cards = [c for c in range(NUM_CARDS) for _ in range(int(pool[c]))]
    for chosen in sorted(set(itertools.combinations(cards, size))):
        yield np.bincount(np.array(chosen, np.int64), minlength=NUM_CARDS).astype(pool.dtype)


def _ways(n: int, parts: list[int]) -> int:
    """Multinomial: ways to place `n` equal cards into piles of these sizes."""
    ways = math.factorial(n)
    for part in parts:
        ways //= math.factorial(part)
    return ways

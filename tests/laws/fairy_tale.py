"""What the laws need to know about Fairy Tale: its scenarios, how to break a state, what is hidden."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from fm_env.games.fairy_tale.constants import PACKET, Phase
from fm_env.games.fairy_tale.state import Fault

SHADOWS = {"race": "shadow", "kind": "character"}
TINY = {
    "name": "tiny",
    "card": [
        {"name": "Bard", "race": "fairywood", "kind": "character", "copies": 9, "points": 1},
        {"name": "Knight", "race": "holy_empire", "kind": "character", "copies": 7, "points": "own count"},
        {
            "name": "Demon",
            **SHADOWS,
            "copies": 1,
            "points": 2,
            "effect": {"do": "close", "who": "all", "race": "any", "count": 2},
        },
        {
            "name": "Herald",
            **SHADOWS,
            "copies": 1,
            "points": 1,
            "effect": {"do": "open", "who": "all", "race": "any"},
        },
    ],
}
"""A deck small enough to list every deal that fits what a seat has seen."""

CASES: list[tuple[str, dict[str, Any], str, int, int]] = [
    ("expert", {"num_players": 2}, "2", 12, 250),
    ("expert", {"num_players": 3, "first_seat": 2}, "3", 8, 200),
    ("expert", {"num_players": 5, "strict_most": True}, "5", 6, 150),
    ("basic", {"num_players": 2}, "basic-2", 8, 150),
    ("basic", {"num_players": 4}, "basic-4", 6, 150),
    ("expert", {"num_players": 2, "deck": TINY, "rounds": 1}, "tiny-2", 60, 400),
    ("expert", {"num_players": 3, "deck": TINY, "rounds": 1}, "tiny-3", 60, 300),
]
"""Scenario, options, label, random games, positions looked at."""

ALL_FAULTS = sum(Fault)


# ------------------------------------------------------------------------------------ faults
def _lost_card(state: Any) -> None:
    state.deck[0] += 1


def _negative_pile(state: Any) -> None:
    state.out[0, 0] = -1


def _wrong_count(state: Any) -> None:
    state.shown[0] += 1


def _unsorted_hand(state: Any) -> None:
    state.hand[0] = state.hand[0][::-1].copy()


def _nobody_asked(state: Any) -> None:
    state.phase = Phase.OVER if state.phase != Phase.OVER else Phase.DRAFT


def _eleventh_pick(state: Any) -> None:
    state.drafted = 11


def _no_such_option(state: Any) -> None:
    state.strict_most = 3


def _false_memory(state: Any) -> None:
    state.known_out[0, 0] = 20


def _wrong_points(state: Any) -> None:
    state.points[0] += 1


BREAKERS = {
    int(Fault.CARDS): _lost_card,
    int(Fault.NEGATIVE): _negative_pile,
    int(Fault.COUNTS): _wrong_count,
    int(Fault.PILES): _unsorted_hand,
    int(Fault.PHASE): _nobody_asked,
    int(Fault.PLACE): _eleventh_pick,
    int(Fault.OPTION): _no_such_option,
    int(Fault.MEMORY): _false_memory,
    int(Fault.POINTS): _wrong_points,
}


# ---------------------------------------------------------------------------------- rotation
BY_SEAT = ("up", "down", "packet", "hand", "choice", "fires", "owes", "n_turned", "turned")
BY_SEAT += ("out", "known_out", "tally", "points", "gain")


def rotate(old: Any, new: Any) -> None:
    """Every seat k moves to seat k + 1, and with it its packet and all it has."""
    n = int(old.n_seats)
    for name in BY_SEAT:
        for seat in range(n):
            new[name][(seat + 1) % n] = old[name][seat]
    for name in ("took", "played"):
        for seat in range(n):
            new[name][:, (seat + 1) % n] = old[name][:, seat]
    new.first_seat = (old.first_seat + 1) % n


# ------------------------------------------------------------------------------ what is hidden
def hidden(state: Any, seat: int) -> Iterable[tuple[bytes, float]]:
    """Every state of a one-round game that fits what `seat` sees, copies of a card told apart.

    By its own walk over who can have picked what: places of packets are filled one after the other,
    each filling weighted by the copies it can be made of, and held against the cards played since.
    """
    if state.round_number > 0 or state.dealt < PACKET * state.n_seats:
        return
    n, drafted = int(state.n_seats), int(state.drafted)
    seen = _seen(state, seat)
    places = [(p, t) for p in range(n) for t in range(PACKET)]
    free = state.deck.astype(int)
    for (p, t), group in seen.items():
        if group is None:
            free[_card(state, p, t)] += 1
    if math.comb(int(free.sum()), int(sum(g is None for g in seen.values()))) > 5000:
        return
    stocks: dict[Any, Any] = {None: free.copy()}
    for place, group in seen.items():
        if group is not None:
            stocks.setdefault(group, np.zeros_like(free))[_card(state, *place)] += 1
    found: dict[bytes, float] = {}
    for filling, weight in _fillings(places, seen, stocks):
        made = _made(state, seat, filling, drafted)
        if made is None:
            continue
        one, ways = made
        one["deck"][0] = free - np.bincount(
            [c for place, c in filling.items() if seen[place] is None], minlength=len(free)
        )
        for chosen, chance in _choices(one, seat):
            key = chosen.tobytes()
            found[key] = found.get(key, 0.0) + weight * ways * chance
        if len(found) > 250:
            return
    total = sum(found.values())
    yield from ((one, weight / total) for one, weight in found.items())


def _picker(state: Any, p: int, t: int) -> int:
    return (p + (t if state.round_number % 2 == 0 else -t)) % int(state.n_seats)


def _card(state: Any, p: int, t: int) -> int:
    return int(state.took[t, p] if t < state.drafted else state.packet[p, t - state.drafted])


def _seen(state: Any, seat: int) -> dict[tuple[int, int], Any]:
    """For each place the group that `seat` knows it to belong to; None: never seen."""
    groups: dict[tuple[int, int], Any] = {}
    for p in range(int(state.n_seats)):
        group: Any = None
        for t in range(PACKET):
            if _picker(state, p, t) == seat and t <= state.drafted:
                # Its own pick is a group of one; with it begins what it saw behind.
                group = (p, t)
                groups[p, t] = (p, t, "own") if t < state.drafted else group
            else:
                groups[p, t] = group
    return groups


def _fillings(places: list[Any], seen: Any, stocks: Any) -> Iterator[tuple[dict[Any, int], float]]:
    """Ways to fill all places from their stocks, and how many ways of choosing copies each stands for."""
    if not places:
        yield {}, 1.0
        return
    place, rest = places[0], places[1:]
    stock = stocks[seen[place]]
    for card in np.flatnonzero(stock):
        copies = int(stock[card])
        stock[card] -= 1
        for filling, weight in _fillings(rest, seen, stocks):
            yield {place: int(card), **filling}, copies * weight
        stock[card] += 1


def _made(state: Any, seat: int, filling: dict[Any, int], drafted: int) -> tuple[Any, int] | None:
    """The state with these cards in the packets, and the ways in which the plays seen come about."""
    n = int(state.n_seats)
    one = np.array([state], state.dtype)
    hands: list[list[int]] = [[] for _ in range(n)]
    for p in range(n):
        left = sorted(filling[p, t] for t in range(drafted, PACKET))
        one["packet"][0, p] = left + [-1] * (PACKET - len(left))
        for t in range(drafted):
            one["took"][0, t, p] = filling[p, t]
            hands[_picker(state, p, t)].append(filling[p, t])
    ways = 1
    for j in range(n):
        for step in range(3):
            card = int(state.played[step, j])
            if card >= 0:
                if card not in hands[j]:
                    return None
                if j != seat:
                    ways *= hands[j].count(card)
                hands[j].remove(card)
        one["hand"][0, j] = sorted(hands[j]) + [-1] * (PACKET - len(hands[j]))
    return one, ways


def _choices(one: Any, seat: int) -> Iterator[tuple[Any, float]]:
    """The state with every choice that others may have committed to: cards evenly by copies, and
    for an effect evenly among different cards.
    """
    s = one[0]
    n = int(s["n_seats"])
    options = []
    for j in range(n):
        if j == seat or s["choice"][j] < 0:
            options.append([(int(s["choice"][j]), 1.0)])
            continue
        way = 1 if s["round_number"] % 2 == 0 else -1
        at = (j - way * int(s["drafted"])) % n
        pile = s["packet"][at] if s["phase"] == Phase.DRAFT else s["hand"][j]
        cards = [int(c) for c in pile if c >= 0]
        options.append([(c, cards.count(c) / len(cards)) for c in sorted(set(cards))])
    turns = [_turns(s, j) if j != seat and s["n_turned"][j] else [(None, 1.0)] for j in range(n)]
    for chosen in itertools.product(*options, *turns):
        made = one.copy()
        for j in range(n):
            made["choice"][0, j] = chosen[j][0]
            if chosen[n + j][0] is not None:
                made["turned"][0, j] = chosen[n + j][0]
        yield made, math.prod(chance for _, chance in chosen)


def _turns(s: Any, j: int) -> list[tuple[Any, float]]:
    """What a seat may have chosen for the effect in progress (of the tiny deck: any race)."""
    pile = s["down"][j] if s["phase"] == Phase.OPEN else s["up"][j]
    ways: list[tuple[list[int], float]] = [([], 1.0)]
    for _ in range(int(s["n_turned"][j])):
        more = []
        for cards, chance in ways:
            left = [c for c in range(len(pile)) if pile[c] > cards.count(c)]
            more += [([*cards, c], chance / len(left)) for c in left]
        ways = more
    return [(cards + [-1] * (s["turned"].shape[1] - len(cards)), chance) for cards, chance in ways]

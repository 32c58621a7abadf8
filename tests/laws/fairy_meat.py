"""What the laws need to know about Fairy Meat: its scenarios, how to break a state, what is hidden."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from fm_env.contract import Scenario
from fm_env.games.fairy_meat import FairyMeat
from fm_env.games.fairy_meat.actions import num_actions
from fm_env.games.fairy_meat.choices import is_secret, legal_actions
from fm_env.games.fairy_meat.constants import FIRST_TRUMP, JOKER, NUM_CARDS, Kind
from fm_env.games.fairy_meat.notation import card_text
from fm_env.games.fairy_meat.state import Fault
from fm_env.records import as_record, rows_of

TINY = {"2r": 1, "9r": 1, "3b": 1, "8b": 1, "Jr": 2, "Kb": 2, "X": 1}
"""A deck small enough to list every deal that fits what a seat has seen."""


class SmallDeck(FairyMeat):
    """Bouts with so few cards that these are shuffled in the middle of rounds and fights."""

    pack = {"2r": 4, "9b": 3, "Jr": 3, "Kb": 3, "X": 1}

    def scenario(self, scenario: str | None = None, **options: Any) -> Scenario:
        made = super().scenario(scenario, **options)
        setup = rows_of(made.setup).copy()
        setup["pack"][0] = [self.pack.get(card_text(c), 0) for c in range(NUM_CARDS)]
        return replace(made, setup=as_record(setup, 0))


SMALL_DECK = SmallDeck()

SPELL = {"2r": 1, "9r": 1, "8b": 1, "3b": 1, "Jr": 1, "Kb": 1, "X": 2}
"""Jokers turn a spell round so often that this deck runs out in the middle of a draw."""

BUSY = {
    "weapons": [],
    "attacks": 2,
    "live": 3,
    "kill": 3,
    "twinkle": 2,
    "used_twinkle": 1,
    "stance": "frolic",
}
"""Attacks twice with a small hand, thinks and trades trumps."""

YARD = {
    "size": 24,
    "pieces": [
        {"kind": "box", "x": 8, "y": 12, "width": 4, "depth": 4, "height": 2},
        {"kind": "box", "x": 16, "y": 12, "width": 1, "depth": 6, "height": 5},
        {"kind": "cylinder", "x": 12, "y": 17, "radius": 1.5, "height": 0.8},
    ],
    "items": [{"x": 12, "y": 11, "weight": 2}],
}
CLOSE = {
    "figures": [
        {"seat": 0, "x": 12, "y": 12, "magic": "mean", "weapons": ["ripper", "fairy_shot_bow"]},
        {"seat": 1, "x": 13, "y": 12, "magic": "sweet", "weapons": ["sprite_carver"], "used_twinkle": 2},
        {"seat": 0, "x": 8, "y": 12, "type": "glitter", "magic": "sweet", "weapons": ["brownie_bow"]},
        {"seat": 1, "x": 2, "y": 12, "type": "wild", "magic": "mean", "kill": 1, "live": 1},
        {"seat": 1, "x": 12, "y": 13, "live": 0, "kill": 0, "meat_live": 1, "meat_kill": 2},
        {"seat": 0, "x": 1, "y": 12, "live": 0, "kill": 0, "meat_live": 1},
    ],
    "items": [{"x": 22, "y": 22, "weight": 4}],
}
"""A position in which everything is near: blows, shots, spells, meat, loot at the table's edge."""
TIGHT = {"terrain": YARD, "size_in": 24}

CASES: list[tuple[str, dict[str, Any], str, int, int]] = [
    ("clash", {}, "", 40, 300),
    ("clash", {"combat": "fast_play"}, "fast_play", 40, 200),
    ("clash", {"deck": TINY, "a": 2, "d": 2}, "tiny", 40, 300),
    ("clash", {"deck": TINY, "a": 2, "d": 1, "combat": "fast_play"}, "tiny-fast_play", 30, 200),
    ("clash", {"kind": "rose_prick", "joker_points": True, "call_off": False}, "rose_prick", 40, 200),
    ("clash", {"deck": SPELL, "a": 2, "d": 2, "kind": "rose_prick"}, "shuffled", 120, 900),
    (
        "clash",
        {"deck": SPELL, "a": 2, "d": 2, "kind": "rose_prick", "combat": "fast_play"},
        "shuffled-fast_play",
        120,
        900,
    ),
    ("duel", {"setup": {"fairies": [BUSY, BUSY]}, "rounds": 4}, "shuffled", 30, 900),
    ("duel", {}, "", 8, 300),
    ("duel", {"combat": "fast_play", "types": ("glitter", "wild")}, "fast_play", 6, 200),
    ("duel", {"attacks": (3, 2), "damage": "levels", "joker_main": "no_number"}, "attacks", 8, 300),
    ("scuffle", {}, "", 4, 200),
    ("scuffle", {"fairies": [BUSY, BUSY, BUSY], "rounds": 4}, "shuffled", 12, 400),
    ("scuffle", {"num_players": 2, "combat": "fast_play"}, "two_each", 4, 200),
    ("skirmish-1v1", {"warbands": "choose", "rounds": 4}, "chosen", 6, 150),
    ("skirmish-2v2", {"combat": "fast_play", "rounds": 2}, "fast_play", 4, 150),
    ("skirmish-2v2", {**TIGHT, "setup": CLOSE, "rounds": 4}, "close", 8, 300),
    (
        "skirmish-2v2",
        {**TIGHT, "setup": CLOSE, "rounds": 3, "combat": "fast_play"},
        "close-fast_play",
        6,
        200,
    ),
    ("skirmish", {"warbands": ["choose", "any"], "rounds": 1, "measuring": "allowed"}, "measured", 2, 100),
    ("skirmish", {"num_players": 3, "rounds": 1, "combat": "fast_play"}, "three", 2, 100),
    ("skirmish", {"num_players": 6, "rounds": 1}, "six", 1, 60),
]
"""Scenario, options, label, random games, positions looked at."""


def traced(scenario: str, label: str) -> int:
    """Games whose bytes are compared between compiled and plain runs."""
    if scenario == "clash":
        return 3
    # A game on a table takes half a minute in plain Python, of more than two players minutes.
    return int(not is_table(scenario) or label in ("chosen", "close"))


def used(scenario: str) -> float:
    """The share of observation entries that vary: a table has rows for 36 figures and 24 pieces."""
    return 1 / 40 if is_table(scenario) else 1 / 5


def is_table(scenario: str) -> bool:
    return scenario.startswith("skirmish")


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
    state.turn = 99


def _no_such_combat(state: Any) -> None:
    state.combat = 3


def _number_among_trumps(state: Any) -> None:
    state.laid[0, 0] = 1


def _forgotten_card(state: Any) -> None:
    state.kept[0, 0] += 1


BREAKERS = {
    int(Fault.CARDS): _lost_card,
    int(Fault.NEGATIVE): _negative_pile,
    int(Fault.COUNTS): _wrong_count,
    int(Fault.LIFE): _overfed,
    int(Fault.PHASE): _no_such_phase,
    int(Fault.FAIRY): _no_such_fairy,
    int(Fault.OPTION): _no_such_combat,
    int(Fault.PILES): _number_among_trumps,
    int(Fault.RECORD): _forgotten_card,
}


def _in_the_air(state: Any) -> None:
    state.pos[0, 2] += 3


def _looks_through_walls(state: Any) -> None:
    state.sees[0] = (state.sees[0] + 1) % 3


TABLE_BREAKERS = {
    int(Fault.FIGURES): _in_the_air,
    int(Fault.SIGHT): _looks_through_walls,
}


def breakers(scenario: str) -> dict[int, Any]:
    """Breakers for every fault; figures and sight can go wrong on a table only."""
    return BREAKERS | TABLE_BREAKERS if is_table(scenario) else BREAKERS


def all_faults(scenario: str) -> int:
    return sum(fault for fault in Fault if is_table(scenario) or int(fault) not in TABLE_BREAKERS)


# ---------------------------------------------------------------------------------- rotation
BY_SEAT = ("heap_down", "held", "mixed_in", "recruits", "recruit", "arms", "built", "lot", "lot_rank")
BY_SEAT += ("kills", "eaten", "wasted")
BY_PAIR = ("bank", "apart", "touch", "sees")
FAIRIES = ("attacker", "defender", "turn", "joker_of", "winner", "mover", "placing", "load")
SEATS = ("first_seat", "placer")


def rotate(old: Any, new: Any) -> None:
    """Every seat k moves to seat k + 1, and its fairies with it."""
    n, seats = int(old.n_fairies), int(old.n_seats)
    owners = [int(old.owner[f]) for f in range(n)]
    # Fairies keep their order within a seat, as the roster lists them.
    order = sorted(range(n), key=lambda f: ((owners[f] + 1) % seats, f))
    moved = {f: k for k, f in enumerate(order)}
    for name in old.dtype.names:
        value = old[name]
        if name in BY_SEAT:
            for seat in range(seats):
                new[name][(seat + 1) % seats] = value[seat]
        elif name in BY_PAIR:
            for f, g in itertools.product(range(n), repeat=2):
                new[name][moved[f], moved[g]] = value[f, g]
        elif name in ("roster", "place"):
            continue
        elif np.ndim(value) and value.shape[0] == len(old.live) and name not in ("pack", "rules_seen"):
            for f in range(n):
                new[name][moved[f]] = value[f]
    for name in FAIRIES:  # a load may be a thing, counted on from the figures
        new[name] = moved.get(int(old[name]), int(old[name]))
    for name in SEATS:
        if old[name] >= 0:
            new[name] = (old[name] + 1) % seats
    for f in range(n):
        new.owner[moved[f]] = (owners[f] + 1) % seats
    if moved.get(0):
        new.score = -old.score
    for seat in range(seats):
        for place in range(len(old.live)):
            f = int(old.roster[seat, place])
            new.roster[(seat + 1) % seats, place] = moved.get(f, f)
            if f >= 0:
                new.place[(seat + 1) % seats, moved[f]] = place


# ------------------------------------------------------------------------------ what is hidden
HAND, ORDER = 0, 1
MOST_STATES = 250
MOST_DEALS = 4000


class _Place(NamedTuple):
    """Cards that can't be seen: where they lie, how many, and which part of the record they are of."""

    name: str
    size: int
    pile: int | None = None


def hidden(state: Any, seat: int) -> Iterable[tuple[bytes, float]]:
    """Every state of two fairies that fits what `seat` sees, by its own enumeration of deals.

    Each deal is told as it happened: what was held through the last shuffle is dealt from what
    `seat` had not seen before it, the rest of that and the heap are the new deck, and everything
    else was drawn from this one. Nothing if the list is too long to be worth it.
    """
    other = 1 - seat
    places = _places(state, other)
    unseen = _unseen(state, other)
    before = (state.held[other] + state.mixed_in[other]).astype(np.int64)
    through = (state.shuffled + state.held[other]).astype(np.int64) if before.any() else unseen
    found: dict[bytes, float] = {}
    for number, (old_shown, old, new, ways) in enumerate(_deals(state, other, places, before, unseen)):
        if number > MOST_DEALS or len(found) > MOST_STATES:
            return
        held = old_shown + sum(old)
        drawn = through - unseen - old_shown + sum(new)
        ways *= _falling(before, held) * _falling(through - held, drawn)
        piles = {place.name: np.zeros(NUM_CARDS, np.int64) for place in places}
        for place, cards in zip(places * 2, old + new, strict=True):
            piles[place.name] += cards
        if ways > 0 and _fits(state, other, piles):
            made = _with(state, other, piles, unseen, held, before, through)
            choices = list(_choices(made, other))
            for one in choices:
                found[one] = found.get(one, 0.0) + ways / len(choices)
    total = sum(found.values())
    yield from ((one, ways / total) for one, ways in found.items())


def hidden_after_a_shuffle(state: Any, seat: int) -> Iterable[tuple[bytes, float]]:
    """As `hidden`, but nothing where the other held no card through the last shuffle."""
    return hidden(state, seat) if state.kept[1 - seat].any() else ()


def _places(state: Any, other: int) -> list[_Place]:
    hand = HAND if state.open[other, HAND] else None
    order = ORDER if state.open[other, ORDER] else None
    dropped = [int(n) for n in state.dropped[other]]
    return [
        _Place("laid", 0 if state.laid_up[other] else int(state.n_laid[other]), hand),
        _Place("hand", int(state.n_hand[other]), hand),
        _Place("order", int(state.n_order[other]) - (state.shown[other] >= 0), order),
        _Place("heap_down", dropped[HAND], HAND),
        _Place("heap_down", dropped[ORDER], ORDER),
        _Place("heap_down", int(state.heap_down[other].sum()) - sum(dropped)),
    ]


def _unseen(state: Any, other: int) -> Any:
    cards = (state.deck + state.heap_down[other] + state.hand[other] + state.order[other]).astype(np.int64)
    if state.shown[other] >= 0:
        cards[state.shown[other]] -= 1
    return cards if state.laid_up[other] else cards + state.laid[other]


def _deals(
    state: Any, other: int, places: list[_Place], before: Any, unseen: Any
) -> Iterator[tuple[Any, list[Any], list[Any], float]]:
    """Old cards among those shown, then old and new cards of each place, and a number of ways.

    Any card of a pile may be the old one, so each choice of cards counts once for each order.
    """
    kept = [int(n) for n in state.kept[other]]
    for hand in _parts(state.exposed[other, HAND], kept[HAND]):
        for order in _parts(state.exposed[other, ORDER], kept[ORDER]):
            ways = _ways(state.exposed[other, HAND], hand) * _ways(state.exposed[other, ORDER], order)
            left = (kept[HAND] - int(hand.sum()), kept[ORDER] - int(order.sum()))
            for old, new, orders in _fillings(places, before - hand - order, unseen, left):
                yield hand + order, old, new, ways * orders


def _fillings(
    places: list[_Place], before: Any, unseen: Any, left: tuple[int, ...]
) -> Iterator[tuple[list[Any], list[Any], float]]:
    if not places:
        if not any(left):
            yield [], [], 1.0
        return
    place, *rest = places
    for n in range(place.size + 1 if place.pile is not None else 1):
        still = tuple(k - n if pile == place.pile else k for pile, k in enumerate(left))
        if min(still) < 0:
            break
        for old in _piles(np.minimum(before, unseen), n):
            for new in _piles(unseen - old, place.size - n):
                orders = 1.0 / math.prod(math.factorial(int(k)) for k in (*old, *new))
                for olds, news, more in _fillings(rest, before - old, unseen - old - new, still):
                    yield [old, *olds], [new, *news], orders * more


def _with(
    state: Any, other: int, piles: dict[str, Any], unseen: Any, held: Any, before: Any, through: Any
) -> Any:
    """The state with these cards in the other's piles, and all that follows from them."""
    made = np.array([state], state.dtype)
    for name, cards in piles.items():
        if name != "laid" or not state.laid_up[other]:
            made[name][0, other] = cards
    if state.shown[other] >= 0:
        made["order"][0, other, state.shown[other]] += 1
    made["deck"][0] = unseen - sum(piles.values())
    if before.any():
        made["held"][0, other] = held
        made["mixed_in"][0, other] = before - held
        made["shuffled"][0] = through - held
    return made


def _fits(state: Any, other: int, piles: dict[str, Any]) -> bool:
    """Trumps laid face down are trumps of one colour; what a wild trump or points told holds; a
    joker would have ended a spell; no Order Card is held past the last call of it."""
    laid, hand, order = piles["laid"], piles["hand"], piles["order"]
    if laid[:FIRST_TRUMP].sum() or laid[JOKER]:
        return False
    if laid[FIRST_TRUMP:JOKER:2].sum() and laid[FIRST_TRUMP + 1 : JOKER : 2].sum():
        return False
    if state.no_number[other] and hand[:FIRST_TRUMP].sum():
        return False
    if state.no_trump[other] and hand[FIRST_TRUMP:JOKER].sum():
        return False
    if state.kind == Kind.PRICK and hand[JOKER]:
        return False
    if state.shown[other] >= 0 or state.acted[other] or order[JOKER] or not order.any():
        return True
    ranks = [1 if c >= JOKER - 2 else c // 2 + 2 for c in np.flatnonzero(order)]
    return 25 + 2 * max(ranks) >= state.slot  # A is called last at poll 27, K at 51


def _falling(n: Any, k: Any) -> float:
    """Ways to draw, in order, `k[c]` of the `n[c]` cards of each type."""
    return float(math.prod(math.perm(int(a), int(b)) if a >= 0 else 0 for a, b in zip(n, k, strict=True)))


def _ways(n: Any, k: Any) -> int:
    """Ways to choose `k[c]` of the `n[c]` cards of each type."""
    return math.prod(math.comb(int(a), int(b)) for a, b in zip(n, k, strict=True))


def _parts(cards: Any, most: int) -> Iterator[Any]:
    """Every choice of up to `most` of these cards."""
    for size in range(min(most, int(cards.sum())) + 1):
        yield from _piles(cards.astype(np.int64), size)


def _piles(pool: Any, size: int) -> Iterator[Any]:
    """Every choice of `size` cards of the pool, by card type."""
    cards = [c for c in range(NUM_CARDS) for _ in range(int(pool[c]))]
    for chosen in sorted(set(itertools.combinations(cards, size))):
        yield np.bincount(np.array(chosen, np.int64), minlength=NUM_CARDS)


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


def hidden_of(scenario: str, label: str) -> Any:
    """The enumeration that a case is held against; decks of 54 cards are too large for any."""
    if scenario != "scuffle" and "shuffled" in label:
        return hidden_after_a_shuffle
    return hidden if "tiny" in label else None


def game_of(scenario: str, label: str) -> str:
    """Place of the case's game: bouts have a small deck only here."""
    small = scenario != "clash" and "shuffled" in label
    return "tests.laws.fairy_meat:SMALL_DECK" if small else "fm_env.games.fairy_meat:GAME"

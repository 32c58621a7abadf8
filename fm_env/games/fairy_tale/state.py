"""The record that is a game of Fairy Tale, and everything that can be wrong with one.

The deck is part of the record, so any deck plays by the same compiled rules. "C" below is the room
for different cards (`constants.TYPE_SIZES`), a card is its number in the deck's file, `seat` a
player and `p` a packet, named by the seat it was dealt to. Piles that are looked at card by card
are sorted lists that end in NO_CARD, others are counts. All fields are signed, since compiled and
uncompiled Python disagree on unsigned subtraction.
"""

from __future__ import annotations

from enum import IntFlag
from functools import cache
from typing import Any

import numpy as np

from fm_env.games.fairy_tale.constants import (
    MAX_NEEDS,
    MAX_SEATS,
    MAX_TURNED,
    NUM_KINDS,
    NUM_RACES,
    PACKET,
    PLAYS,
)


def deck_fields(c: int) -> list[tuple[Any, ...]]:
    """The deck and the options: equal in the set-up record and in the state, constant in a game."""
    return [
        ("deck_id", "i4"),  # which deck, for texts (`deck.NAMES`)
        ("n_seats", "i1"),
        ("first_seat", "i1"),  # leads effects in round 1 (T-07)
        ("rounds", "i1"),
        ("strict_most", "i1"),  # 1: a tie for "most" fails (T-15)
        ("n_types", "i1"),
        ("pack", "i1", (c,)),  # every card of the game
        ("race", "i1", (c,)),  # Race
        ("kind", "i1", (c,)),  # Kind
        ("value", "i2", (c,)),  # printed points, or points for each friend
        ("plain", "i2", (c,)),  # points scored by lying there; 0 for stories and counted cards
        ("own", "i2", (c,)),  # 1: scores the number of its own face-up copies (T-14)
        ("friend", "i1", (c,)),  # the card it counts, or NO_CARD (T-14)
        ("op", "i1", (c,)),  # Op
        ("who", "i1", (c,)),  # Who
        ("target", "i1", (c,)),  # Race that the effect is about, ANY for all (T-09)
        ("count", "i1", (c,)),  # cards it turns for each player concerned (T-09)
        ("n_friends", "i1"),  # cards that count friends
        ("friend_types", "i1", (c,)),  # ... which
        ("n_stories", "i1"),  # story cards
        ("story_types", "i1", (c,)),  # ... which
        ("n_needs", "i1", (c,)),  # conditions of a story
        ("need_race", "i1", (c, MAX_NEEDS)),  # cards that count for it: Race or ANY
        ("need_kind", "i1", (c, MAX_NEEDS)),  # ... Kind or ANY
        ("need_card", "i1", (c, MAX_NEEDS)),  # ... or just this card, else NO_CARD
        ("need_least", "i1", (c, MAX_NEEDS)),  # how many, or MOST
        ("n_names", "i1"),  # cards whose name is counted somewhere
        ("names", "i1", (c,)),  # ... which
        ("almighty", "i1"),  # the card that may stand for any name (T-18), or NO_CARD
        ("looks", "f4", (c,)),  # race and kind as observations show them
        ("up", "i1", (MAX_SEATS, c)),  # face-up cards before each player (set-up: at the start)
        ("down", "i1", (MAX_SEATS, c)),  # face-down ones
    ]


@cache
def setup_dtype(types: int) -> np.dtype[Any]:
    """Packed dtype of a set-up."""
    return np.dtype(deck_fields(types), align=False)


@cache
def state_dtype(types: int) -> np.dtype[Any]:
    """Packed dtype of a game whose deck has room for `types` different cards."""
    seats, c = MAX_SEATS, types
    return np.dtype(
        [
            *deck_fields(c),
            ("phase", "i1"),  # Phase
            ("round_number", "i1"),  # 0, 1, ..
            ("deck", "i1", (c,)),  # cards not dealt yet
            ("n_deck", "i2"),
            ("dealt", "i1"),  # cards dealt this round
            # --- drafting
            ("drafted", "i1"),  # picks made this round, 0 to 5
            ("packet", "i1", (seats, PACKET)),  # what is left of packet p
            ("took", "i1", (PACKET, seats)),  # card picked from packet p as pick t, or NO_CARD
            ("hand", "i1", (seats, PACKET)),  # drafted and not played yet
            ("choice", "i1", (seats,)),  # picked or played in secret, not shown yet, or NO_CARD
            # --- playing
            ("step", "i1"),  # plays made this round, 0 to 2
            ("played", "i1", (PLAYS, seats)),  # cards revealed this round, or NO_CARD
            ("fires", "i1", (seats,)),  # 1: the effect of the card just revealed is still to come (T-03)
            ("turn", "i1"),  # place in the order of effects, 0 for the leading seat
            ("owes", "i1", (seats,)),  # cards that the seat must turn for this effect
            ("n_turned", "i1", (seats,)),  # ... has chosen
            ("turned", "i1", (seats, MAX_TURNED)),  # ... which, or NO_CARD
            ("shown", "i1", (c,)),  # cards in all tableaux
            # --- out of the game
            ("out", "i1", (seats, c)),  # cards of earlier rounds that the seat didn't play (T-11)
            ("known_out", "i1", (seats, c)),  # others' such cards that the seat can be sure of
            # --- counted for scores
            ("tally", "i2", (seats, NUM_RACES + 1, NUM_KINDS + 1)),  # face-up cards by race and kind
            ("points", "i2", (seats,)),  # score if the game ended now
            (
                "gain",
                "i2",
                (seats, c),
            ),  # points that one more face-up copy would add (`scoring.gain_of`)
        ],
        align=False,
    )


class Fault(IntFlag):
    """Everything that can be wrong with a state; `kernel.faults` returns the sum."""

    CARDS = 1  # some card is missing or doubled
    NEGATIVE = 2  # a pile below zero
    COUNTS = 4  # n_deck, shown or a tally disagree with their piles
    PILES = 8  # a packet or hand of the wrong size, or unsorted
    PHASE = 16  # unknown phase, or nobody to act in it
    PLACE = 32  # a round, pick, play or seat out of range
    OPTION = 64  # an option out of range
    MEMORY = 128  # somebody is sure of an unused card that isn't there
    POINTS = 256  # points disagree with the tableau

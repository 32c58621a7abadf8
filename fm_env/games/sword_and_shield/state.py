"""The record that is a joust, and everything that can be wrong with one.

All fields are signed, since compiled and uncompiled Python disagree on unsigned subtraction.
`c` below is a card type, `seat` a player. What a deck's data says is copied into every state, so a
state needs nothing beside it.
"""

from __future__ import annotations

from enum import IntFlag

import numpy as np

from fm_env.games.sword_and_shield.constants import MAX_CARDS, MAX_NAME, NUM_ATTACKS, NUM_TACTICS, NUM_WORDS

CARDS = (MAX_CARDS,)

STATE = np.dtype(
    [
        # --- the deck's data, constant through a joust
        ("n_types", "i1"),  # card types in use
        ("name", "i1", (MAX_CARDS, MAX_NAME)),  # ASCII, ended by zeros; for texts only
        ("pack", "i1", CARDS),  # copies of each type
        ("attack", "i1", CARDS),  # attack it makes, or NO_ATTACK for an Achievement
        ("tactic", "i1", (MAX_CARDS, NUM_TACTICS)),  # printed values; 0: not printed
        ("covers", "i8", (MAX_CARDS, NUM_WORDS)),  # 1 in the field of each attack its scroll answers
        ("breadth", "i1", CARDS),  # attacks it covers
        ("manoeuvre", "i1", CARDS),  # 1: has the Manoeuvre symbol
        ("is_achievement", "i1", CARDS),
        ("price", "i1", CARDS),  # Achievement: Fatigue its owner pays
        ("saves", "i1", CARDS),  # ... 1: the hit does not count
        ("refreshes", "i1", CARDS),  # ... Fatigue its owner regains
        ("strikes_back", "i1", CARDS),  # ... Fatigue the attacker has to pay
        # --- the knights and the joust's options, constant too
        ("knight", "i1", (2, NUM_TACTICS + 1)),  # Strength, Technique, Chivalry, Endurance
        ("fatigue_max", "i1", (2,)),  # the pool when fresh
        ("hand_limit", "i1"),  # cards a hand is refilled to
        ("max_turns", "i2"),
        # --- cards
        ("deck", "i1", CARDS),
        ("n_deck", "i2"),
        ("shuffled", "i1", CARDS),  # the deck right after the last shuffle
        ("shuffles", "i4"),  # how many shuffles there were
        ("discard", "i1", CARDS),  # open to both
        ("n_discard", "i2"),
        ("hand", "i1", (2, MAX_CARDS)),
        ("n_hand", "i1", (2,)),
        ("known", "i1", (2, MAX_CARDS)),  # cards of a hand that the other seat is sure of
        # --- the joust
        ("fatigue", "i1", (2,)),  # points left in the pool
        ("hits", "i1", (2,)),  # hits taken
        ("turn", "i2"),  # 1, 2, ..; 0 before the first
        ("passes", "i1"),  # turns passed in a row
        ("attacker", "i1"),  # whose turn it is, or NO_SEAT before that is drawn
        ("drawing", "i1"),  # who draws the card that chance is asked for
        ("phase", "i1"),  # Phase
        # --- the attack on the table
        ("card", "i1"),  # or NO_CARD
        ("by", "i1"),  # tactic it was played by
        ("number", "i1"),  # its Modified Combat Number
        # --- memory of the table, open to both
        ("bare", "i1", (2, NUM_ATTACKS)),  # cards still held of the hand that took a hit from the attack
    ],
    align=False,
)


class Fault(IntFlag):
    """Everything that can be wrong with a state; `faults` returns the sum."""

    CARDS = 1  # some card is missing or doubled
    NEGATIVE = 2  # a pile below zero
    COUNTS = 4  # n_deck, n_discard or n_hand disagree with their piles
    FATIGUE = 8  # a pool below nothing or above its size
    HITS = 16  # more hits than there are, or five and no end
    PHASE = 32  # unknown phase, or one that doesn't fit what lies on the table
    SEAT = 64  # an index that names no seat
    KNOWN = 128  # a card said to be known that isn't held

"""The words of the rulebook as numbers: attacks, tactics, phases of a joust.

A card is one of up to 26 types that a deck's data describes; copies of a type can't be told
apart. A pile of cards is a count for each type.
"""

from __future__ import annotations

from enum import IntEnum

MAX_CARDS = 26
"""Types of cards in the largest deck."""
MAX_NAME = 10
"""Letters of a card's name."""
MAX_COPIES = 8
"""Copies of one type at most; observations are scaled by it."""
MAX_PACK = 96
"""Cards in the largest deck; a pile's number fits a byte."""
NUM_OUTCOMES = MAX_CARDS + 2
"""Chance outcomes: a card of each type is drawn, or seat 0 or seat 1 attacks first (K-14)."""

NUM_ATTACKS = 11
ATTACK_NAMES = tuple(f"A{k + 1}" for k in range(NUM_ATTACKS))
NO_ATTACK = -1
COUNT_BITS = 10
"""Room for one count in a word that holds a count for each of several attacks (`state.covers`)."""
ATTACKS_A_WORD = 6
NUM_WORDS = 2
DEFENCE_NAMES = tuple(f"{kind}{k}" for kind in "SW" for k in range(1, 6))
"""Five defences with the shield, five with the sword (K-17)."""

TACTICS = ("strength", "technique", "chivalry")
"""What attacks and defences are made by; a knight's fourth ability, Endurance, feeds Fatigue (K-01)."""
NUM_TACTICS = 3
ENDURANCE = 3
MAX_VALUE = 8
"""Highest value of a tactic on a card or a knight."""
MAX_FATIGUE = 32

HITS_TO_LOSE = 5
MANOEUVRE_COST = 5
MAX_HAND = 8
NO_CARD = -1
NO_SEAT = -1


class Phase(IntEnum):
    """Where a joust stands."""

    ATTACK = 0
    """The attacker plays a card or passes."""
    DISCARD = 1
    """Having passed, the attacker discards what it likes."""
    DEFEND = 2
    """The defender answers the attack on the table."""
    DRAW = 3
    """Chance: `drawing` draws a card."""
    FIRST = 4
    """Chance: who attacks first."""
    OVER = 5

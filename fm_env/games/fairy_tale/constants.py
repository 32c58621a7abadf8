"""Fairy Tale in numbers: sizes of the table, and the words of the rulebook as integers."""

from __future__ import annotations

from enum import IntEnum

MAX_SEATS = 5
"""Players at most (T-22); tables for fewer are padded, so that one policy plays all."""
ROUNDS = 4
"""Rounds of drafting and playing."""
PACKET = 5
"""Cards dealt to each player a round, and cards each has drafted at its end."""
PLAYS = 3
"""Cards that each plays a round; the other two leave the game."""
TABLEAU = ROUNDS * PLAYS
"""Cards that lie before a player at most."""
MAX_COPIES = 12
"""Copies of one card at most; counts in observations are parts of this."""
TYPE_SIZES = (48, 64)
"""Room for different cards: the deck takes the smallest that holds it."""
MAX_TYPES = TYPE_SIZES[-1]
MAX_TURNED = 3
"""Cards that one effect turns for one player at most."""
MAX_NEEDS = 3
"""Conditions of a story card at most."""

NO_CARD = -1
MOST = -1
"""`need_least` of the condition "has the most of this sort"."""


class Race(IntEnum):
    """The four races; ANY stands for all of them."""

    DRAGONVALE = 0
    HOLY_EMPIRE = 1
    FAIRYWOOD = 2
    SHADOW = 3
    ANY = 4


class Kind(IntEnum):
    """The three kinds of card; ANY stands for all of them."""

    CHARACTER = 0
    HOME = 1
    STORY = 2
    ANY = 3


class Op(IntEnum):
    """What an effect does, in the order in which effects happen (T-01)."""

    NONE = 0
    HUNT = 1
    OPEN = 2
    CLOSE = 3


class Who(IntEnum):
    """Whose cards an effect turns."""

    YOU = 0
    ALL = 1


class Phase(IntEnum):
    """What is going on. OPEN and CLOSE are owners choosing cards for an effect."""

    DEAL = 0
    DRAFT = 1
    PLAY = 2
    OPEN = 3
    CLOSE = 4
    OVER = 5


NUM_PHASES = len(Phase)
NUM_RACES = 4
NUM_KINDS = 3

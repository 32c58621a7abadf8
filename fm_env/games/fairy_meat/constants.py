"""The words of the rulebook as numbers: cards, fairies, weapons, phases of a game.

Cards of equal rank and colour can't be told apart by any rule, so a card is one of 27 types:
`2 * (rank - 2) + colour` for ranks 2 to 14 (J 11, Q 12, K 13, A 14) and colours 0 red, 1 black,
and 26 for a joker. A pile of cards is 27 counts.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

# ---------------------------------------------------------------------------------------- cards
NUM_CARDS = 27
FIRST_TRUMP = 18
JOKER = 26
RED = 0
BLACK = 1
NO_CARD = -1
HAND = 0
"""Index of a fairy's hand, with the trumps she laid face down, in the record of a shuffle."""
ORDER = 1
"""... and of her Order Cards."""
RANK_LETTERS = "23456789TJQKA"
COLOUR_LETTERS = "rb"

MAX_HAND = 24
"""Cards in one hand at most; beyond that extra cards are lost (U-25)."""
MAX_TRUMPS = 16
"""Trumps of one colour in the largest pack: eight a deck, two decks (F-01)."""
MAX_BANK = 16
"""Extra cards that one fairy can have won against another (U-25)."""
MAX_THINK = 8
"""Twinkle Points that one fairy can spend on Thinking in a round; no fairy has more."""
LIFE_CAP = 12
"""Fairy Points that the Life section holds at most (rulebook, Eating Meat)."""
MIN_CARDS_FOR_THINKING = 12
"""Bought Order Cards are dealt only while this many cards remain in the deck (F-71)."""

# ------------------------------------------------------------------------------------ countdown
NUM_CALLS = 26
"""K Q J 10 .. 2 A going down, then A 2 .. 10 J Q K going up (F-08)."""
END_SLOT = 2 * NUM_CALLS
"""Polls of a round: slot 2i is the joker poll before call i, slot 2i + 1 is call i, and this one
follows the last King: leftover jokers and fairies without a card act (F-10, F-71)."""
NO_SLOT = 127
NO_FAIRY = -1


class Combat(IntEnum):
    """Which fighting system is in force."""

    UNCLEVL = 0
    FAST_PLAY = 1


class Play(IntEnum):
    """What is being played."""

    CLASH = 0
    BOUT = 1
    SKIRMISH = 2


class Kind(IntEnum):
    """Kind of the attack in progress."""

    MELEE = 0
    RANGED = 1
    WRESTLE = 2
    PRICK = 3


class Mode(IntEnum):
    """How a fairy moves this turn (rulebook, Movement)."""

    NONE = 0
    POSE = 1
    POUNCE = 2
    FROLIC = 3
    FLUTTER = 4
    EATEN = 5  # gave up her move to eat, which is no Pose (F-26)


class Magic(IntEnum):
    """Which side's spells a fairy casts (rulebook, Sweet vs. Mean)."""

    NONE = 0
    SWEET = 1
    MEAN = 2


class Spell(IntEnum):
    """The four spells of the Fast Play rules."""

    WIND_UP = 0
    SHIMMER = 1
    WING_BIND = 2
    ROSE_PRICK = 3


class Place(IntEnum):
    """Where a figure is."""

    AWAY = 0  # not set up yet
    TABLE = 1
    LEFT = 2  # left the field with loot (F-24)
    GONE = 3  # a corpse without meat, removed (F-63, F-73)


class Aim(IntEnum):
    """What a figure is being pointed at for."""

    ATTACK = 0
    SPELL = 1
    EAT_LIVE = 2
    EAT_KILL = 3
    DRAG = 4
    MOVE_TO = 5
    COVER = 6
    SIGHT = 7
    ONTO = 8


class View(IntEnum):
    """What one figure sees of another (F-32, F-33)."""

    HIDDEN = 0
    PARTIAL = 1
    CLEAR = 2


class Sign(IntEnum):
    """What a fairy declared to do with her trumps."""

    NONE = 0
    ADD = 1
    SUBTRACT = 2


class Main(IntEnum):
    """Special values of a main card; other values are card types."""

    NOT_LAID = -1
    NO_CARD = -2


class Phase(IntEnum):
    """Where a game stands. Those above 64 pass by themselves."""

    THINK = 0
    PLAN = 1
    PICK_OWN = 2
    ACT = 3
    TARGET = 4
    TRADE_ATTACKER = 5
    TRADE_DEFENDER = 6
    DECLARE_ATTACKER = 7
    DECLARE_DEFENDER = 8
    LAY_TRUMPS = 9
    LAY_MAIN = 10
    SUPPORTS = 11
    JOKER = 12
    REDIRECT = 13
    HEAL = 14
    TURN_UP = 15
    BOOST = 16
    CHEAT_OF_DEFENDER = 17
    CHEAT_OF_ATTACKER = 18
    SPOILS = 19
    WRESTLE_WON = 20
    DAMAGE = 21
    NEXT_ATTACK = 22
    RECAST = 23
    # the whole table
    BUILD = 24
    PICK_FIGURE = 25
    CELL = 26
    SPOT = 27
    MODE = 28
    MOVE = 29
    DISTANCE = 30
    POWER = 31
    # chance
    DEAL_ORDER = 32
    TIE_DRAW = 33
    DRAW_ATTACKER = 34
    DRAW_DEFENDER = 35
    WILD_ATTACKER = 36
    WILD_DEFENDER = 37
    DRAW_TABLE = 38
    DRAW_WARBAND = 39
    DRAW_LOT = 40
    # automatic
    ROUND_START = 64
    DEALT = 65
    NEXT_TURN = 66
    TURN_END = 67
    COMBAT_START = 68
    EXCHANGE_START = 69
    MAINS_SHOWN = 70
    AFTER_WILDS = 71
    OUTCOME = 72
    EXCHANGE_END = 73
    COMBAT_END = 74
    JOKERS_DONE = 75
    MUSTER = 76
    PLACING = 77
    AFTER_ACT = 78
    TURN_START = 79
    OVER = 96


FIRST_CHANCE = int(Phase.DEAL_ORDER)
FIRST_AUTOMATIC = int(Phase.ROUND_START)


class FairyType(IntEnum):
    """Fairies of the Fast Play rules."""

    WILD = 0
    GLITTER = 1
    SEASONED = 2


FAIRY_NAMES = ("wild", "glitter", "seasoned")
FAIRY_COST = (14, 11, 17)
FAIRY_KILL = (3, 2, 4)
FAIRY_LIVE = (3, 2, 3)
FAIRY_TWINKLE = (1, 4, 3)

STANCES = {"pose": 1, "pounce": 0, "frolic": 0, "flutter": -1}
"""Cards that an attacker's movement mode gives her (rulebook, Movement)."""

# -------------------------------------------------------------------------------------- weapons
WEAPON_SLOTS = 4
"""Slot 0 is bare hands; a fairy carries up to three weapons."""
BARE_HANDS = 0
NO_WEAPON = -1
WEAPON_NAMES = (
    "bare_hands",
    "fairy_shot_bow",
    "brownie_bow",
    "black_wand",
    "fairy_knife",
    "moon_dagger",
    "ripper",
    "sprite_carver",
    "vibro_master",
)
# fmt: off
#                           hands bow brownie wand knife dagger ripper carver vibro
WEAPON_COST = np.array(    [0,    5,  8,      11,  1,    2,     3,     6,     5], np.int16)
WEAPON_ATTACK = np.array(  [0,    0,  0,      0,   1,    2,     2,     0,     1], np.int16)
WEAPON_DEFENCE = np.array( [0,    0,  0,      0,   0,    0,     -1,    -2,    -1], np.int16)
WEAPON_STRENGTH = np.array([0,    1,  2,      2,   0,    0,     0,     0,     0], np.int16)
WEAPON_ATTACKS = np.array( [1,    1,  1,      1,   1,    1,     1,     1,     2], np.int16)
WEAPON_SWORD = np.array(   [0,    0,  0,      0,   0,    0,     0,     1,     0], np.int16)
WEAPON_MANGLER = np.array( [0,    0,  0,      1,   0,    0,     1,     0,     0], np.int16)
WEAPON_RIOT = np.array(    [0,    0,  0,      0,   0,    0,     0,     0,     0], np.int16)
# fmt: on
"""Strength above 0 marks a ranged weapon. Vibro-Master and attack numbers: U-36. Riot: U-32; no
weapon of the Fast Play tables has it."""
#                            hands bow    brownie wand
WEAPON_RANGE = np.array([0, 24_000, 36_000, 0, 0, 0, 0, 0, 0], np.int32)
"""In thousandths of an inch; 0 for blows, and for the wand, whose range is infinite."""

# ---------------------------------------------------------------------------------- the whole table
INCH = 1000
"""Lengths are integers, in thousandths of an inch."""
MAX_SEATS = 6
BAND = 6
"""Fairies of a warband at most (F-85): six of the cheapest cost 66 points."""
MAX_FIGURES = MAX_SEATS * BAND
SIZE_OF_BAND = np.array([0, 0, 1, 2, 2, 2, 2], np.int16)
"""Which of the three sizes of preset warbands suits a limit of so many fairies."""
MAX_PIECES = 24
"""Pieces of terrain on a table at most."""
MAX_ITEMS = 6
"""Things that lie on the table to be dragged, besides corpses (F-74)."""
MAX_TABLES = 16
"""Tables that a scenario can draw one from."""
COARSE = 12
FINE = 4
CELLS = COARSE * FINE
"""Placement: 12 by 12 cells, each of 4 by 4 spots (F-64)."""
SPOTS_A_WORD = 62
"""Bits of the map of spots in one integer, kept clear of the sign."""
APART = 16 * INCH
"""Set-up distance from enemies (F-64)."""
HEAD = 1 * INCH
CHEST = INCH // 2
CONTACT_GAP = INCH // 100
CONTACT_HEIGHT = INCH // 2
MAX_LEGS = 4
ESCAPE_MOVE = 3 * INCH
#                    none pose pounce  frolic flutter eaten
MODE_MOVE = np.array([0, 0, 3_000, 6_000, 12_000, 0], np.int32)
MODE_ALTITUDE = np.array([0, 0, 12_000, 6_000, 3_000, 0], np.int32)
MODE_STANCE = np.array([0, 1, 0, 0, -1, 0], np.int16)
SPELL_COST = np.array([1, 2, 1, 2], np.int16)
SPELL_NAMES = ("wind-up", "shimmer", "wing bind", "rose prick")
FAIRY_COSTS = np.array(FAIRY_COST, np.int16)
FAIRY_LIVES = np.array(FAIRY_LIVE, np.int16)
FAIRY_KILLS = np.array(FAIRY_KILL, np.int16)
FAIRY_TWINKLES = np.array(FAIRY_TWINKLE, np.int16)
KILL_SCORE = 4
"""Points for a killed fairy; a point of meat eaten counts one."""

BOX = 1
CYLINDER = 2

# ----------------------------------------------------------------------------------------- chance
TABLE_OUTCOME = NUM_CARDS  # + table drawn
MAX_PRESETS = 8
WARBAND_OUTCOME = TABLE_OUTCOME + MAX_TABLES  # + preset drawn
NUM_OUTCOMES = WARBAND_OUTCOME + MAX_PRESETS
"""Chance draws cards; the whole table also draws which table it is and who fights."""

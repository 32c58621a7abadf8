"""Reading a Fairy Meat observation back into cards and counters, for compiled bots.

Bots get the same numbers as any learner; here they are turned into words of the table. Offsets
come from the observation's labels, so a new entry moves them along.
"""

from __future__ import annotations

from fm_env.compiled import rule
from fm_env.games.fairy_meat.actions import NUM_FIXED
from fm_env.games.fairy_meat.constants import FIRST_TRUMP, JOKER
from fm_env.games.fairy_meat.observe import observation_labels
from fm_env.games.fairy_meat.observe_fight import ROW, fairy_labels

_LABELS = observation_labels(2)
_ROW = fairy_labels(2)

PHASE = _LABELS.index("phase think")
BOUT = _LABELS.index("bout")
FAST_PLAY = _LABELS.index("fast play")
LEVELS = _LABELS.index("damage levels")
ATTACKS_LEFT = _LABELS.index("attacks left /4")
WRESTLE = _LABELS.index("kind wrestle")
OWN = _LABELS.index("own 0: hand 2r")
UNSEEN = _LABELS.index("unseen 2r")
OWN_WIDTH = UNSEEN - OWN

EXISTS = _ROW.index("exists")
ALIVE = _ROW.index("alive")
MINE = _ROW.index("mine")
ASKED = _ROW.index("asked")
LIVE = _ROW.index("live /12")
KILL = _ROW.index("kill /12")
TWINKLE = _ROW.index("twinkle /8")
MEAT_LIVE = _ROW.index("meat live /12")
MEAT_KILL = _ROW.index("meat kill /12")
WEAPON = _ROW.index("weapon 1 carried")
WEAPON_WIDTH = _ROW.index("weapon 2 carried") - WEAPON
ACTED = _ROW.index("has acted")
USES = _ROW.index("uses weapon 0")
ATTACKER = _ROW.index("attacker")
DEFENDER = _ROW.index("defender")
HAND = _ROW.index("hand /24")
ADDS = _ROW.index("declared add")
SUBTRACTS = _ROW.index("declared subtract")
NO_NUMBER = _ROW.index("shown to hold no number")
BOOST = _ROW.index("boost /16")
FACE_DOWN = _ROW.index("trumps face down /16")
LAID = _ROW.index("red trumps /24")  # red, then black
WILD = _ROW.index("red wild pile /24")  # red, then black
NUMBER = _ROW.index("number /10")
NUMBER_RED = _ROW.index("number red")
NUMBER_BLACK = _ROW.index("number black")
POINTS = _ROW.index("points as wild /16")
POINTS_BLACK = _ROW.index("points are black")
TOTAL = _ROW.index("total /32")


@rule
def whole(x):
    """A count behind a scaled entry, rounded to the nearest integer."""
    return int(x + 0.5) if x >= 0 else -int(0.5 - x)


@rule
def row_of(obs, mask, place):
    """Where the roster row of a place begins; its width depends on the size of the table."""
    fairies = len(mask) - NUM_FIXED
    return len(obs) - (fairies - place) * (ROW + 2 * fairies)


@rule
def place_where(obs, mask, entry):
    """Place of the first fairy whose row has that entry set, or -1."""
    for place in range(len(mask) - NUM_FIXED):
        if obs[row_of(obs, mask, place) + entry] > 0:
            return place
    return -1


@rule
def unseen_start(mask):
    """Where the 27 counts of unseen cards begin: after one block for each own fairy."""
    return OWN + OWN_WIDTH * ((len(mask) - NUM_FIXED) // 2)


@rule
def in_hand(obs, me, card):
    """Cards of a type that the own fairy in place `me` holds."""
    return whole(obs[OWN + me * OWN_WIDTH + card] * (4 if card < FIRST_TRUMP else 16))


@rule
def trumps_in_hand(obs, me, colour):
    n = 0
    for card in range(FIRST_TRUMP + colour, JOKER, 2):
        n += in_hand(obs, me, card)
    return n


@rule
def unseen(obs, mask, card):
    """Cards of a type that the seat has not seen."""
    return whole(obs[unseen_start(mask) + card] * (4 if card < FIRST_TRUMP else 16))


@rule
def in_phase(obs, phase):
    return obs[PHASE + phase] > 0


@rule
def number_colour(obs, row):
    """Colour of a fairy's number on the table, -1 without one."""
    if obs[row + NUMBER_RED] > 0:
        return 0
    return 1 if obs[row + NUMBER_BLACK] > 0 else -1


@rule
def caught_trumps(obs, row):
    """Shown trumps of a fairy that are off her number's colour: the size of the opponent's block."""
    other = 1 - number_colour(obs, row)
    n = whole(obs[row + WILD + other] * 24)
    if obs[row + FACE_DOWN] == 0:
        n += whole(obs[row + LAID + other] * 24)
    if obs[row + POINTS] > 0 and (obs[row + POINTS_BLACK] > 0) == (other == 1):
        n += whole(obs[row + POINTS] * 16)
    return n


@rule
def sign_of(obs, row):
    """+1 for a fairy who adds her trumps, -1 for one who subtracts, 0 undeclared."""
    return int(obs[row + ADDS] > 0) - int(obs[row + SUBTRACTS] > 0)

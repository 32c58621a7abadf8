"""Action ids. Their texts are in `notation.py`; the table in RULES.md is made from both."""

from __future__ import annotations

from fm_env.games.fairy_meat.constants import (
    COARSE,
    FINE,
    MAX_FIGURES,
    MAX_HAND,
    MAX_ITEMS,
    MAX_PIECES,
    MAX_THINK,
    MAX_TRUMPS,
    NUM_CALLS,
    WEAPON_NAMES,
    WEAPON_SLOTS,
)

DECLARE_ADD = 0
DECLARE_SUBTRACT = 1
TRUMPS_NONE = 2
TRUMPS_RED = TRUMPS_NONE  # + n, n from 1
TRUMPS_BLACK = TRUMPS_RED + MAX_TRUMPS  # + n, n from 1
MAIN = TRUMPS_BLACK + MAX_TRUMPS + 1  # + card type, numbers only
MAIN_JOKER = MAIN + 18
WILD = MAIN_JOKER + 1  # + colour
MAIN_NONE = WILD + 2
SUPPORTS = MAIN_NONE + 1  # + n, n from 0
TURN_UP = SUPPORTS + MAX_HAND + 1
LEAVE_DOWN = TURN_UP + 1
USE_BOOST = LEAVE_DOWN + 1
NO_BOOST = USE_BOOST + 1
CHEAT = NO_BOOST + 1  # + 3 * (own card) + (her card); 0 leave, 1 add, 2 subtract
TAKE_CARDS = CHEAT + 9
TAKE_BOOST = TAKE_CARDS + 1
LOSE_LIVE = TAKE_BOOST + 1
LOSE_KILL = LOSE_LIVE + 1
HEAL_LIVE = LOSE_KILL + 1
HEAL_KILL = HEAL_LIVE + 1
JOKER_HURTS = HEAL_KILL + 1
JOKER_HEALS = JOKER_HURTS + 1
DECLINE = JOKER_HEALS + 1  # a redirected shot misses; a turned spell is not cast again
POINTS = DECLINE + 1  # + colour: points as wild trumps (U-27)
TRADE = POINTS + 2  # + colour: a trump for a Twinkle Point (F-59)
KEEP = TRADE + 2
DEAL = KEEP + 1
ESCAPE = DEAL + 1
THINK = ESCAPE + 1  # + points, from 0
HOLD = THINK + MAX_THINK + 1
PLAN_CALL = HOLD + 1  # + call
PLAN_JOKER = PLAN_CALL + NUM_CALLS  # + call that follows
ATTACK = PLAN_JOKER + NUM_CALLS  # + weapon slot
WRESTLE = ATTACK + WEAPON_SLOTS
REST = WRESTLE + 1
END_TURN = REST + 1
STOP = END_TURN + 1
TARGET = STOP + 1  # + place of the fairy as the choosing seat sees them (own first)
NUM_FIXED = TARGET

# The whole table; these ids follow the places of its 36 figures.
MODE = TARGET + MAX_FIGURES  # + Mode - 1: pose, pounce, frolic, flutter
HEADING = MODE + 4  # + sixteenth of a turn, from east against the clock
NUM_HEADINGS = 16
DISTANCE = HEADING + NUM_HEADINGS  # + index into DISTANCES; the last: as far as she can
DISTANCES = (1, 2, 3, 4, 5, 6, 8, 10, 12)
"""Inches of a leg."""
MOVE_TO = DISTANCE + len(DISTANCES) + 1  # to contact with a figure or loot
MOVE_COVER = MOVE_TO + 1  # to where a figure sees her least
MOVE_SIGHT = MOVE_COVER + 1  # to where she sees a figure
MOVE_ONTO = MOVE_SIGHT + 1  # onto a piece of terrain
MOVE_OFF = MOVE_ONTO + 1  # off the table, with loot (F-24)
HALT = MOVE_OFF + 1
PIECE = HALT + 1  # + piece of terrain
ITEM = PIECE + MAX_PIECES  # + item
DRAG = ITEM + MAX_ITEMS
EAT = DRAG + 1  # + 2 * (instead of moving) + (a Kill Point)
SPELL = EAT + 4  # + Spell
POWER = SPELL + 4  # + extra Twinkle Points
RECRUIT = POWER + MAX_THINK  # + 1 + 2 * type + magic - 1; + 0: nobody
ARM = RECRUIT + 7  # + weapon; + 0: none
COLUMN = ARM + len(WEAPON_NAMES)
ROW = COLUMN + COARSE
SPOT = ROW + COARSE  # + 4 * row + column inside the cell
NUM_TABLE = SPOT + FINE * FINE


def num_actions(max_fairies: int) -> int:
    """Size of the action space: fights end with the places of their fairies, a table goes on."""
    return NUM_TABLE if max_fairies == MAX_FIGURES else NUM_FIXED + max_fairies


def max_fairies_of(num_actions: int) -> int:
    """The inverse of `num_actions`."""
    return MAX_FIGURES if num_actions == NUM_TABLE else num_actions - NUM_FIXED

"""Words and numbers of Angry Miniatures: phases, terrain, and the tables behind a character sheet."""

from __future__ import annotations

from enum import IntEnum

import numpy as np

SIZE = 10
"""Columns and rows of the largest board; smaller ones lie in its lower left corner."""
CELLS = SIZE * SIZE
SIDE = 3
"""Figures of one player at most."""
FIGURES = 2 * SIDE
"""Seat 0 has figures 0 to 2, seat 1 has 3 to 5."""
NOBODY = -1
OFF_BOARD = -1
ZONE = 2
"""Rows in which a side is deployed (A-29)."""


class Phase(IntEnum):
    """What comes next: choices first, then chance, then the end."""

    BUILD = 0  # both players fill in character sheets, in secret
    PLACE_FIGURE = 1  # name a figure to deploy
    PLACE_CELL = 2  # ... and its square
    INITIATIVE = 3  # the winner of the roll says who starts
    ACTIVATE = 4  # name a figure to activate
    ACT = 5  # move, attack, stand up or end
    CRIT = 6  # use a Crit or save it
    COMMAND = 7  # move the commanded friend
    ROLL_DEPLOYMENT = 8
    ROLL_INITIATIVE = 9
    ROLL_ATTACK = 10
    ROLL_DEFENCE = 11
    ROLL_TIE = 12
    OVER = 13


NUM_CHOICES = 8
FIRST_CHANCE = int(Phase.ROLL_DEPLOYMENT)


class Attack(IntEnum):
    """Attack types; each is defended with the stat of the same number (A:29-31)."""

    MELEE = 0  # against Body
    RANGE = 1  # against Mind
    MAGIC = 2  # against Spirit


class Perk(IntEnum):
    """What a perk adds one to (A-28)."""

    ATTACK = 0
    SPEED = 1
    HEALTH = 2
    DISTANCE = 3
    DEFENCE_MELEE = 4
    DEFENCE_RANGE = 5
    DEFENCE_MAGIC = 6


class Flaw(IntEnum):
    """What a flaw takes one from; the last only at the next turn after damage (A-28)."""

    ATTACK = 0
    SPEED = 1
    HEALTH = 2
    DISTANCE = 3
    DEFENCE_MELEE = 4
    DEFENCE_RANGE = 5
    DEFENCE_MAGIC = 6
    STRUCK_SLOW = 7


class Crit(IntEnum):
    """Effects of two or more Aces (A-31, A-35)."""

    REGENERATE = 0
    MAGIC_HEAL = 1
    MAGIC_BUFF = 2
    COMMANDING = 3
    KNOCK_DOWN = 4


ATTACK_NAMES = tuple(kind.name.lower() for kind in Attack)
PERK_NAMES = tuple(perk.name.lower() for perk in Perk)
FLAW_NAMES = tuple(flaw.name.lower() for flaw in Flaw)
CRIT_NAMES = tuple(crit.name.lower() for crit in Crit)

# Terrain is a sum of these.
DIFFICULT, WATER, HINDERING, BLOCKING = 1, 2, 4, 8

DIRECTIONS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
"""(columns, rows) of the eight neighbours, clockwise from north; north is towards higher rows."""
STEP_X = np.array([x for x, _ in DIRECTIONS], np.int8)
STEP_Y = np.array([y for _, y in DIRECTIONS], np.int8)

STAT_POINTS = 9
MAX_STAT = 7

# Tables of the sheet (rulings, 5.1 and 5.2). Entry 0 stands for the smallest value of the row above.
HEALTH_BY_BODY = np.array([3, 3, 4, 4, 5, 5, 6], np.int8)  # Body 1 to 7
SPEED_BY_SPIRIT = np.array([4, 4, 5, 5, 6, 6, 7], np.int8)  # Spirit 1 to 7
DISTANCE_BY_MIND = np.array([5, 5, 6, 6, 7, 7, 8], np.int8)  # Mind 1 to 7
ATTACK_BY_SUM = np.array(
    [
        [4, 5, 5, 6, 6, 7, 7],  # Melee by Body + Spirit, 2 to 8
        [3, 4, 4, 5, 5, 6, 6],  # Range by Body + Mind
        [2, 3, 3, 4, 4, 5, 5],  # Magic by Mind + Spirit
    ],
    np.int8,
)

MAX_DICE = 12
"""A pool is cut to this (A-09)."""
MAX_ROUNDS = 16
ROUNDS = 12
"""A-08."""
CHARGE_SQUARES = 3
"""A-21."""
STAND_UP_COST = 2
"""Speed (A-20)."""
MAX_SPEED = 8
MAX_DISTANCE = 9
MAX_HEALTH = 7
BUILD_STEPS = 6
"""Choices on one character sheet: Body, Mind (Spirit is what is left), attack, perk, flaw, Crit."""

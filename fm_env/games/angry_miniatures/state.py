"""The record that is a game of Angry Miniatures, and everything that can be wrong with one.

One dtype serves every board and scenario. All fields are signed, since compiled and uncompiled
Python disagree on unsigned subtraction. `f` below is a figure 0 to 5, a square is `10 * row +
column`, and "100" is one entry a square.
"""

from __future__ import annotations

from enum import IntFlag

import numpy as np

from fm_env.games.angry_miniatures.constants import CELLS, FIGURES

STATE = np.dtype(
    [
        # --- rules in force, constant through a game
        ("rounds", "i1"),  # rounds of the game
        ("per_side", "i1"),  # figures of each seat
        ("caster_immune", "i1"),  # 1: a caster's own area doesn't hit her
        ("melee_guard", "i1"),  # 1: melee characters defend against melee with one more die
        # --- the board
        ("width", "i1"),
        ("height", "i1"),
        ("last", "i1"),  # the square farthest from a1
        ("ground", "i1", (CELLS,)),  # sum of DIFFICULT, WATER, HINDERING, BLOCKING; outside BLOCKING
        ("level", "i1", (CELLS,)),  # elevation
        ("steps", "i2", (CELLS,)),  # bit d: the terrain allows a step in direction d
        ("at", "i1", (CELLS,)),  # the figure that stands there, or NOBODY
        # --- character sheets; body 0: no such figure, or a sheet not begun
        ("stat", "i1", (FIGURES, 3)),  # Body, Mind, Spirit
        ("attack_type", "i1", (FIGURES,)),  # Attack
        ("perk", "i1", (FIGURES,)),  # Perk
        ("flaw", "i1", (FIGURES,)),  # Flaw
        ("crit", "i1", (FIGURES,)),  # Crit
        ("max_health", "i1", (FIGURES,)),
        ("speed", "i1", (FIGURES,)),
        ("distance", "i1", (FIGURES,)),
        ("attack", "i1", (FIGURES,)),  # dice of her attack, perk and flaw included
        ("guard", "i1", (FIGURES, 3)),  # dice of her defence against each attack type, likewise
        ("built", "i1", (2,)),  # choices on sheets that each seat has made
        # --- figures
        ("cell", "i1", (FIGURES,)),  # square, or OFF_BOARD
        ("health", "i1", (FIGURES,)),  # 0: dead, or no such figure
        ("acted", "i1", (FIGURES,)),  # 1: was activated this round
        ("prone", "i1", (FIGURES,)),
        ("buffed", "i1", (FIGURES,)),  # 1: one more die in her next pool
        ("slowed", "i1", (FIGURES,)),  # 1: one Speed less at her next activation
        ("crit_used", "i1", (FIGURES,)),  # 1: has used her Crit this round
        # --- the course
        ("round_number", "i1"),  # 0 while deploying, then 1, 2, ..
        ("phase", "i1"),  # Phase
        ("turn", "i1"),  # seat to choose; BUILD: unused
        ("starter", "i1"),  # seat that starts this round, or NOBODY
        ("picked", "i1"),  # figure named for deployment, or NOBODY
        # --- the activation
        ("active", "i1"),  # activated figure, or NOBODY
        ("speed_left", "i1"),
        ("stood_up", "i1"),  # 1: standing up has begun her move
        ("moved", "i1"),  # 1: her move is over
        ("attacked", "i1"),
        ("squares", "i1"),  # squares moved in this activation
        ("beside", "i1"),  # bit f: figure f was adjacent when the activation began
        ("reach", "i1", (CELLS,)),  # Speed to get there, -1: can't; of whoever may move now
        ("way", "i1", (CELLS,)),  # squares on that way
        ("targets", "i1", (CELLS,)),  # bit k: from there she could attack figure k of the other seat
        # --- the attack
        ("attacker", "i1"),  # or NOBODY
        ("n_caught", "i1"),  # figures that the attack hits
        ("caught", "i1", (FIGURES,)),  # they, main target first, then NOBODY
        ("facing", "i1"),  # index in `caught` of the defender at hand
        ("dice", "i1"),  # size of the pool to be rolled
        ("attack_roll", "i1", (4,)),  # Aces, Kings, Queens, Jacks
        ("defence_roll", "i1", (4,)),
        ("tie", "i1"),  # 1: the attacker won a tie, -1: the defender did
        ("stage", "i1"),  # Stage of the comparison
        ("critter", "i1"),  # figure whose Crit is to be used or saved, or NOBODY
        ("commanded", "i1"),  # friend who may move at once, or NOBODY
    ],
    align=False,
)


class Fault(IntFlag):
    """Everything that can be wrong with a state; `kernel.faults` returns the sum."""

    OPTION = 1  # a rule option out of range
    BOARD = 2  # board size, terrain or steps
    SHEET = 4  # stats that don't add up or derived values that don't follow from them
    PLACE = 8  # `at` and `cell` disagree, or a figure stands where none can
    HEALTH = 16  # health out of range, or a dead figure on the board
    PHASE = 32  # unknown phase, or nobody to act in it
    FIGURE = 64  # an index that names no figure
    DICE = 128  # a pool or roll out of range

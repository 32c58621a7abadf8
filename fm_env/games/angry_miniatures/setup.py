"""Laying out the table: the set-up record, and the first state made from it."""

from __future__ import annotations

import numpy as np

from fm_env.compiled import rule
from fm_env.games.angry_miniatures.board import clear_ways, lay_steps
from fm_env.games.angry_miniatures.constants import (
    CELLS,
    FIGURES,
    NOBODY,
    OFF_BOARD,
    SIDE,
    SIZE,
    Phase,
)
from fm_env.games.angry_miniatures.sheet import fill_in, num_build_steps, wipe

SETUP = np.dtype(
    [
        ("rounds", "i1"),
        ("per_side", "i1"),
        ("caster_immune", "i1"),
        ("melee_guard", "i1"),
        ("build", "i1"),  # 1: teams are built in play
        ("width", "i1"),
        ("height", "i1"),
        ("ground", "i1", (CELLS,)),
        ("level", "i1", (CELLS,)),
        ("stat", "i1", (FIGURES, 3)),
        ("attack_type", "i1", (FIGURES,)),
        ("perk", "i1", (FIGURES,)),
        ("flaw", "i1", (FIGURES,)),
        ("crit", "i1", (FIGURES,)),
        ("cell", "i1", (FIGURES,)),  # where they stand from the start, OFF_BOARD: to be deployed
        ("wounds", "i1", (FIGURES,)),  # Health lost before the start
        ("prone", "i1", (FIGURES,)),
        ("positioned", "i1"),  # 1: no deployment
    ],
    align=False,
)


@rule
def lay_out(s, setup):
    """First state: rules, board and sheets; then building, deployment or the first round."""
    s.rounds = setup.rounds
    s.per_side = setup.per_side
    s.caster_immune = setup.caster_immune
    s.melee_guard = setup.melee_guard
    lay_out_board(s, setup)
    clear_course(s)
    for f in range(FIGURES):
        lay_out_figure(s, setup, f)
    if setup.build:
        s.phase = Phase.BUILD
        s.built[:] = 0
    else:
        s.built[:] = num_build_steps(s)
        s.phase = Phase.ROLL_INITIATIVE if setup.positioned else Phase.ROLL_DEPLOYMENT
        s.round_number = 1 if setup.positioned else 0


@rule
def lay_out_board(s, setup):
    s.width = setup.width
    s.height = setup.height
    s.last = (int(setup.height) - 1) * SIZE + int(setup.width) - 1
    for c in range(CELLS):
        s.ground[c] = setup.ground[c]
        s.level[c] = setup.level[c]
    s.at[:] = NOBODY
    lay_steps(s)


@rule
def lay_out_figure(s, setup, f):
    wipe(s, f)
    s.cell[f] = OFF_BOARD
    s.prone[f] = 0
    clear_figure(s, f)
    if f % SIDE >= s.per_side or setup.build:
        return
    for k in range(3):
        s.stat[f, k] = setup.stat[f, k]
    s.attack_type[f] = setup.attack_type[f]
    s.perk[f] = setup.perk[f]
    s.flaw[f] = setup.flaw[f]
    s.crit[f] = setup.crit[f]
    fill_in(s, f)
    s.health[f] = max(0, s.max_health[f] - setup.wounds[f])
    if setup.positioned and s.health[f] > 0:
        s.cell[f] = setup.cell[f]
        s.at[setup.cell[f]] = f
        s.prone[f] = setup.prone[f]


@rule
def clear_figure(s, f):
    s.acted[f] = 0
    s.buffed[f] = 0
    s.slowed[f] = 0
    s.crit_used[f] = 0


@rule
def clear_course(s):
    s.round_number = 0
    s.turn = NOBODY
    s.starter = NOBODY
    s.picked = NOBODY
    clear_activation(s)
    clear_attack(s)


@rule
def clear_activation(s):
    s.active = NOBODY
    s.speed_left = 0
    s.stood_up = 0
    s.moved = 0
    s.attacked = 0
    s.squares = 0
    s.beside = 0
    clear_ways(s)
    s.targets[:] = 0


@rule
def clear_attack(s):
    s.attacker = NOBODY
    s.n_caught = 0
    s.caught[:] = NOBODY
    s.facing = 0
    s.dice = 0
    s.attack_roll[:] = 0
    s.defence_roll[:] = 0
    s.tie = 0
    s.stage = 0
    s.critter = NOBODY
    s.commanded = NOBODY

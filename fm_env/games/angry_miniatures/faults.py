"""Everything that must be true of a state, checked from outside the rules (`state.Fault`)."""

from __future__ import annotations

from fm_env.compiled import rule
from fm_env.games.angry_miniatures import course, sheet
from fm_env.games.angry_miniatures.constants import (
    BLOCKING,
    BUILD_STEPS,
    CELLS,
    FIGURES,
    FIRST_CHANCE,
    MAX_DICE,
    MAX_ROUNDS,
    NOBODY,
    OFF_BOARD,
    SIDE,
    SIZE,
    STAT_POINTS,
    Phase,
)
from fm_env.games.angry_miniatures.state import Fault

# Numba combines integers, not enumeration members.
OPTION = int(Fault.OPTION)
BOARD = int(Fault.BOARD)
SHEET = int(Fault.SHEET)
PLACE = int(Fault.PLACE)
HEALTH = int(Fault.HEALTH)
PHASE = int(Fault.PHASE)
FIGURE = int(Fault.FIGURE)
DICE = int(Fault.DICE)


@rule
def faults(s):
    found = option_faults(s) | figure_faults(s) | dice_faults(s)
    if found:  # indexes may lie outside of everything
        return found
    return board_faults(s) | sheet_faults(s) | place_faults(s) | phase_faults(s)


@rule
def option_faults(s):
    right = 1 <= s.rounds <= MAX_ROUNDS and 1 <= s.per_side <= SIDE
    right = right and 0 <= s.caster_immune <= 1 and 0 <= s.melee_guard <= 1
    right = right and 0 <= s.round_number <= s.rounds
    return 0 if right else OPTION


@rule
def figure_faults(s):
    """Indexes name a figure or nobody, counters of choices and defenders are in range."""
    right = 0 <= s.n_caught <= FIGURES and 0 <= s.facing <= max(0, s.n_caught - 1)
    for f in (s.picked, s.active, s.attacker, s.critter, s.commanded):
        right = right and NOBODY <= f < FIGURES
    right = right and NOBODY <= s.turn <= 1 and NOBODY <= s.starter <= 1
    for k in range(FIGURES):
        right = right and (s.caught[k] != NOBODY) == (k < s.n_caught) and NOBODY <= s.caught[k] < FIGURES
        right = right and OFF_BOARD <= s.cell[k] < CELLS
    for seat in range(2):
        right = right and 0 <= s.built[seat] <= BUILD_STEPS * s.per_side
    return 0 if right else FIGURE


@rule
def dice_faults(s):
    right = 0 <= s.dice <= MAX_DICE and -1 <= s.tie <= 1 and 0 <= s.stage <= 2
    attack = 0
    defence = 0
    for side in range(4):
        right = right and s.attack_roll[side] >= 0 and s.defence_roll[side] >= 0
        attack += int(s.attack_roll[side])
        defence += int(s.defence_roll[side])
    return 0 if right and attack <= MAX_DICE and defence <= MAX_DICE else DICE


@rule
def board_faults(s):
    right = 1 <= s.width <= SIZE and 1 <= s.height <= SIZE
    right = right and s.last == (int(s.height) - 1) * SIZE + int(s.width) - 1
    for c in range(CELLS):
        outside = c % SIZE >= s.width or c // SIZE >= s.height
        right = right and 0 <= s.ground[c] < 16 and (s.ground[c] & BLOCKING != 0 or not outside)
        right = right and (s.steps[c] == 0 or s.ground[c] & BLOCKING == 0)
    return 0 if right else BOARD


@rule
def sheet_faults(s):
    """Whole sheets have nine points and attacks, speeds and Health of the tables."""
    right = True
    for f in range(FIGURES):
        made = int(s.built[f // SIDE]) // BUILD_STEPS > f % SIDE
        if made:
            total = 0
            for k in range(3):
                right = right and 1 <= s.stat[f, k] <= 7
                total += int(s.stat[f, k])
            right = right and total == STAT_POINTS
            if right:
                speed = sheet.SPEED_BY_SPIRIT[s.stat[f, 2] - 1] + sheet.bonus(s, f, sheet.Perk.SPEED)
                right = s.speed[f] == speed and 0 <= s.slowed[f] <= 1 and 0 <= s.crit_used[f] <= 1
        elif s.max_health[f] != 0:
            right = False
    return 0 if right else SHEET


@rule
def place_faults(s):
    found = 0
    for c in range(CELLS):
        g = int(s.at[c])
        if g < NOBODY or g >= FIGURES:
            return PLACE
        if g != NOBODY and (s.cell[g] != c or s.ground[c] & BLOCKING):
            found |= PLACE
    for f in range(FIGURES):
        if s.cell[f] != OFF_BOARD and s.at[s.cell[f]] != f:
            found |= PLACE
        if s.health[f] < 0 or s.health[f] > s.max_health[f] or (s.health[f] == 0 and s.cell[f] != OFF_BOARD):
            found |= HEALTH
    return found


@rule
def phase_faults(s):
    """The phase is known, and what it is about is there."""
    phase = int(s.phase)
    right = 0 <= phase <= Phase.OVER
    if phase < FIRST_CHANCE and right:
        right = 0 <= course.asked_seat(s) <= 1
    if phase == Phase.PLACE_CELL:
        right = right and s.picked != NOBODY
    if phase == Phase.ACT:
        right = right and s.active != NOBODY and s.cell[s.active] != OFF_BOARD
    if phase == Phase.CRIT or phase == Phase.ROLL_ATTACK or phase == Phase.ROLL_DEFENCE:
        right = right and s.attacker != NOBODY and s.n_caught > 0
    if phase == Phase.CRIT:
        right = right and s.critter != NOBODY
    if phase == Phase.COMMAND:
        right = right and s.commanded != NOBODY
    return 0 if right else PHASE

"""The course of a game: deployment, rounds, initiative, activations, and what each choice does.

`settle` passes whatever nobody has to choose; `legal_actions` and `take_action` are the choices.
"""

from __future__ import annotations

from fm_env.compiled import rule
from fm_env.games.angry_miniatures import actions as act
from fm_env.games.angry_miniatures import crits, dice, sheet
from fm_env.games.angry_miniatures.board import clear_ways, distance, find_ways, is_free, turned
from fm_env.games.angry_miniatures.combat import (
    begin_attack,
    face_defender,
    find_targets,
    has_figures,
    is_target,
    settle_damage,
    take_attack_roll,
    take_defence_roll,
    take_tie_roll,
)
from fm_env.games.angry_miniatures.constants import (
    FIGURES,
    NOBODY,
    OFF_BOARD,
    SIDE,
    SIZE,
    STAND_UP_COST,
    ZONE,
    Phase,
)
from fm_env.games.angry_miniatures.setup import clear_activation, clear_attack

REGENERATE = crits.REGENERATE
KNOCK_DOWN = crits.KNOCK_DOWN


@rule
def asked_seat(s):
    """The seat that owes a choice, or NOBODY; while building, the lowest that isn't ready."""
    if s.phase == Phase.BUILD:
        return 0 if sheet.is_building(s, 0) else 1
    if s.phase == Phase.CRIT:
        return int(s.critter) // SIDE
    if s.phase == Phase.COMMAND:
        return int(s.commanded) // SIDE
    return int(s.turn) if s.phase < Phase.CRIT else NOBODY


@rule
def is_asked(s, seat):
    """Teams are built at the same time, everything else is chosen in turn."""
    if s.phase == Phase.BUILD:
        return sheet.is_building(s, seat)
    return asked_seat(s) == seat


@rule
def figure_at(seat, place):
    """Figure at a place of a seat's list: own figures first; also the place of a figure."""
    return (place + SIDE * seat) % FIGURES


# ----------------------------------------------------------------------------------- deployment
@rule
def needs_deployment(s, f):
    return s.cell[f] == OFF_BOARD and s.health[f] > 0


@rule
def has_to_deploy(s, seat):
    for f in range(SIDE * seat, SIDE * seat + SIDE):
        if needs_deployment(s, f):
            return True
    return False


@rule
def is_in_zone(s, seat, c):
    """The first two rows of a seat's own edge (A-29)."""
    row = turned(s, seat, c) // SIZE
    return 0 <= row < ZONE


@rule
def next_to_deploy(s):
    """Figures are placed in turn; a seat that has none left is skipped (A-29)."""
    s.picked = NOBODY
    s.turn = 1 - s.turn
    if not has_to_deploy(s, s.turn):
        s.turn = 1 - s.turn
    if has_to_deploy(s, s.turn):
        s.phase = Phase.PLACE_FIGURE
    else:
        begin_round(s)


@rule
def place(s, c):
    s.cell[s.picked] = c
    s.at[c] = s.picked
    next_to_deploy(s)


# --------------------------------------------------------------------------------------- rounds
@rule
def begin_round(s):
    """Everyone may act and Crit again; initiative is rolled anew (A-24, A-26). After the last
    round the game is over (A-08).
    """
    s.turn = NOBODY
    s.starter = NOBODY
    if s.round_number >= s.rounds:
        s.phase = Phase.OVER
        return
    s.round_number += 1
    s.acted[:] = 0
    s.crit_used[:] = 0
    s.phase = Phase.ROLL_INITIATIVE


@rule
def can_activate(s, f):
    return s.cell[f] != OFF_BOARD and s.acted[f] == 0


@rule
def has_to_act(s, seat):
    for f in range(SIDE * seat, SIDE * seat + SIDE):
        if can_activate(s, f):
            return True
    return False


@rule
def next_activation(s):
    """Sides take turns; when one has nobody left the other goes on (A-27). Then a new round.

    A side without figures ends the game at once (A-08).
    """
    clear_activation(s)
    clear_attack(s)
    if not (has_figures(s, 0) and has_figures(s, 1)):
        s.phase = Phase.OVER
        s.turn = NOBODY
        return
    s.turn = 1 - s.turn
    if not has_to_act(s, s.turn):
        s.turn = 1 - s.turn
    if has_to_act(s, s.turn):
        s.phase = Phase.ACTIVATE
    else:
        begin_round(s)


# ----------------------------------------------------------------------------------- activation
@rule
def activate(s, f):
    """Her activation begins; a blow taken before may cost a Speed (A-13, A-28)."""
    s.active = f
    s.acted[f] = 1
    s.speed_left = s.speed[f] - s.slowed[f]
    s.slowed[f] = 0
    for g in range(FIGURES):
        if s.cell[g] != OFF_BOARD and distance(int(s.cell[f]), int(s.cell[g])) == 1:
            s.beside |= 1 << g
    go_on(s)


@rule
def go_on(s):
    """What the active figure can still do: one move and one attack, in either order (A-13)."""
    f = int(s.active)
    if s.cell[f] == OFF_BOARD or (s.moved == 1 and s.attacked == 1):
        next_activation(s)
        return
    if s.moved == 0 and s.prone[f] == 0:
        find_ways(s, f, int(s.speed_left))
    else:
        clear_ways(s)
    if s.attacked == 0:
        find_targets(s, f)
    else:
        s.targets[:] = 0
    s.phase = Phase.ACT


@rule
def can_stand_up(s, f):
    """A prone figure stands up for 2 Speed before she can move (A-20)."""
    return s.prone[f] == 1 and s.moved == 0 and s.speed_left >= STAND_UP_COST


@rule
def stand_up(s, f):
    """It begins her move, which an attack then ends (A-13, A-20)."""
    s.prone[f] = 0
    s.speed_left -= STAND_UP_COST
    s.stood_up = 1
    go_on(s)


@rule
def move(s, f, c):
    """Straight to the square, by the way that was found; Speed left over is lost (A-11, A-32)."""
    s.squares = s.way[c]
    s.moved = 1
    s.speed_left = 0
    shift(s, f, c)
    go_on(s)


@rule
def shift(s, f, c):
    s.at[s.cell[f]] = NOBODY
    s.cell[f] = c
    s.at[c] = f


@rule
def attack(s, f, g):
    if s.stood_up == 1:
        s.moved = 1
    begin_attack(s, f, g)


# --------------------------------------------------------------------------------------- choices
@rule
def legal_actions(s, seat, out):
    """Mark what an asked seat may choose in `out`, which is False everywhere; returns how many."""
    if s.phase == Phase.BUILD:
        return sheet.legal_build(s, seat, out)
    if s.phase == Phase.INITIATIVE:
        out[act.GO_FIRST] = True
        out[act.GO_SECOND] = True
        return 2
    if s.phase == Phase.ACT:
        return legal_acts(s, seat, out)
    if s.phase == Phase.PLACE_CELL or s.phase == Phase.COMMAND:
        return legal_squares(s, seat, out)
    return legal_figures(s, seat, out)


@rule
def legal_figures(s, seat, out):
    """Figures to deploy, to activate or to aim a Crit at; a Crit may be saved (A-24)."""
    n = 0
    for k in range(SIDE):
        f = figure_at(seat, k)
        if s.phase == Phase.PLACE_FIGURE:
            legal = needs_deployment(s, f)
        elif s.phase == Phase.ACTIVATE:
            legal = can_activate(s, f)
        else:
            legal = crits.is_crit_target(s, int(s.critter), f)
        if legal:
            out[act.FIGURE + k] = True
            n += 1
    if s.phase == Phase.CRIT:
        out[act.DECLINE] = True
        n += 1
        if s.crit[s.critter] == REGENERATE or s.crit[s.critter] == KNOCK_DOWN:
            out[act.USE_CRIT] = True
            n += 1
    return n


@rule
def legal_squares(s, seat, out):
    """Squares to deploy on, or that the commanded friend can get to; she may stay (A-29, A-31)."""
    n = 0
    for c in range(s.last + 1):
        legal = is_in_zone(s, seat, c) if s.phase == Phase.PLACE_CELL else s.reach[c] > 0
        if legal and is_free(s, c):
            out[act.CELL + turned(s, seat, c)] = True
            n += 1
    if s.phase == Phase.COMMAND:
        out[act.DECLINE] = True
        n += 1
    return n


@rule
def legal_acts(s, seat, out):
    """The active figure's squares, targets, standing up and the end of her activation (A-13)."""
    f = int(s.active)
    n = 1
    out[act.END] = True
    for c in range(s.last + 1):
        if s.reach[c] > 0 and s.at[c] == NOBODY:
            out[act.CELL + turned(s, seat, c)] = True
            n += 1
    if s.attacked == 0:
        for k in range(FIGURES):
            if is_target(s, f, figure_at(seat, k)):
                out[act.FIGURE + k] = True
                n += 1
    if can_stand_up(s, f):
        out[act.STAND_UP] = True
        n += 1
    return n


@rule
def take_action(s, seat, action):
    if s.phase == Phase.BUILD:
        sheet.build(s, seat, action)
    elif s.phase == Phase.PLACE_FIGURE:
        s.picked = figure_at(seat, action - act.FIGURE)
        s.phase = Phase.PLACE_CELL
    elif s.phase == Phase.PLACE_CELL:
        place(s, turned(s, seat, action - act.CELL))
    elif s.phase == Phase.INITIATIVE:
        choose_starter(s, seat, action)
    elif s.phase == Phase.ACTIVATE:
        activate(s, figure_at(seat, action - act.FIGURE))
    elif s.phase == Phase.ACT:
        take_act(s, seat, action)
    else:
        take_crit_action(s, seat, action)


@rule
def choose_starter(s, seat, action):
    """The winner of the roll says who starts (A-26)."""
    s.starter = seat if action == act.GO_FIRST else 1 - seat
    s.turn = 1 - s.starter
    next_activation(s)


@rule
def take_act(s, seat, action):
    f = int(s.active)
    if action == act.END:
        next_activation(s)
    elif action == act.STAND_UP:
        stand_up(s, f)
    elif action >= act.FIGURE:
        attack(s, f, figure_at(seat, action - act.FIGURE))
    else:
        move(s, f, turned(s, seat, action - act.CELL))


@rule
def take_crit_action(s, seat, action):
    """A Crit used or saved, or the commanded friend's move (A-24, A-31)."""
    if s.phase == Phase.COMMAND:
        if action != act.DECLINE:
            shift(s, int(s.commanded), turned(s, seat, action - act.CELL))
        s.commanded = NOBODY
        clear_ways(s)
        s.phase = Phase.CRIT
    elif action == act.DECLINE:
        s.critter = NOBODY
    else:
        crits.use_crit(s, int(s.critter), figure_at(seat, action - act.FIGURE))


# ---------------------------------------------------------------------------------------- chance
@rule
def take_outcome(s, outcome):
    if s.phase == Phase.ROLL_ATTACK:
        take_attack_roll(s, outcome)
    elif s.phase == Phase.ROLL_DEFENCE:
        take_defence_roll(s, outcome)
    elif s.phase == Phase.ROLL_TIE:
        take_tie_roll(s, outcome)
    elif s.phase == Phase.ROLL_INITIATIVE:
        s.turn = 0 if outcome == dice.FIRST_HIGHER else 1
        s.phase = Phase.INITIATIVE
    else:  # the winner of the roll is skipped: the loser places first
        s.turn = 0 if outcome == dice.FIRST_HIGHER else 1
        next_to_deploy(s)


# ------------------------------------------------------------------------- what passes by itself
@rule
def settle(s):
    """Play on until somebody has to choose or dice must be rolled."""
    if s.phase == Phase.BUILD and not (sheet.is_building(s, 0) or sheet.is_building(s, 1)):
        s.phase = Phase.ROLL_DEPLOYMENT
    while s.phase == Phase.CRIT and s.critter == NOBODY:
        s.critter = crits.find_critter(s)
        if s.critter == NOBODY:
            finish_comparison(s)


@rule
def finish_comparison(s):
    """Damage; then the next figure of the area rolls, or the activation goes on."""
    settle_damage(s)
    s.facing += 1
    if s.facing < s.n_caught:
        face_defender(s)
        return
    clear_attack(s)
    if has_figures(s, 0) and has_figures(s, 1):
        go_on(s)
    else:
        next_activation(s)

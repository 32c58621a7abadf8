"""Attacks: who may be aimed at, the two pools, ties and damage (A:27-62).

An attack walks through the figures it hits, the main target first. For each: her pool, a
SuperTieBreaker if need be, Crits, damage. The attack pool is rolled once (A:54).
"""

from __future__ import annotations

from fm_env.compiled import rule
from fm_env.games.angry_miniatures import dice
from fm_env.games.angry_miniatures.board import cover, distance, is_line_clear
from fm_env.games.angry_miniatures.constants import (
    CELLS,
    CHARGE_SQUARES,
    MAX_DICE,
    NOBODY,
    OFF_BOARD,
    SIDE,
    SIZE,
    STEP_X,
    STEP_Y,
    Attack,
    Flaw,
    Phase,
)
from fm_env.games.angry_miniatures.setup import clear_attack

MELEE = int(Attack.MELEE)
RANGE = int(Attack.RANGE)
MAGIC = int(Attack.MAGIC)
STRUCK_SLOW = int(Flaw.STRUCK_SLOW)


# --------------------------------------------------------------------------------------- aiming
@rule
def is_in_reach(s, f, a, b):
    """From square `a` figure `f` can attack a figure on square `b` (A-15, A-16).

    Melee: adjacent. Range: 2 to Distance squares. Magic: 1 to Distance. The latter two need a line
    without blocking squares.
    """
    apart = distance(a, b)
    if s.attack_type[f] == MELEE:
        return apart == 1
    nearest = 2 if s.attack_type[f] == RANGE else 1
    return nearest <= apart <= s.distance[f] and is_line_clear(s, a, b)


@rule
def is_target(s, f, g):
    """Figure `f` may attack `g` from where she stands: any other figure, friend or foe (A-16)."""
    return g != f and s.cell[g] != OFF_BOARD and is_in_reach(s, f, int(s.cell[f]), int(s.cell[g]))


@rule
def find_targets(s, f):
    """`targets`: which figures of the other seat `f` could attack from each square she can get to."""
    s.targets[:] = 0
    enemy = SIDE if f < SIDE else 0
    for k in range(SIDE):
        if s.cell[enemy + k] == OFF_BOARD:
            continue
        b = int(s.cell[enemy + k])
        for c in range(CELLS):
            stands = c == s.cell[f] or (s.reach[c] > 0 and s.at[c] == NOBODY)
            if stands and is_in_reach(s, f, c, b):
                s.targets[c] |= 1 << k


# ---------------------------------------------------------------------------------------- pools
@rule
def cut(n):
    """A pool has 0 to 12 dice (A-09)."""
    return max(0, min(MAX_DICE, n))


@rule
def attack_dice(s, f, g):
    """Dice of `f` attacking main target `g`: sheet, charge, elevation, buff (A-18, A-21, A-22)."""
    n = int(s.attack[f]) + int(s.buffed[f])
    if s.attack_type[f] == MELEE:
        n += has_charged(s, g)
    else:
        n += s.level[s.cell[f]] > s.level[s.cell[g]]
    return cut(n)


@rule
def has_charged(s, g):
    """The active figure has moved three squares or more to a `g` who wasn't adjacent (A-21)."""
    return s.squares >= CHARGE_SQUARES and int(s.beside) >> g & 1 == 0


@rule
def defence_dice(s, f, g, is_main):
    """Dice of `g` defending against `f` (A:28-31, A:58-60).

    Hindering and occupied squares on the line help the main target only (A-18). With the
    experimental rule melee characters defend against melee with one more (A-23).
    """
    kind = int(s.attack_type[f])
    n = int(s.guard[g, kind]) + int(s.buffed[g]) - int(s.prone[g])
    if kind == MELEE:
        n += s.melee_guard == 1 and s.attack_type[g] == MELEE
    elif is_main:
        n += cover(s, int(s.cell[f]), int(s.cell[g]))
    return cut(n)


# --------------------------------------------------------------------------------- the sequence
@rule
def begin_attack(s, f, g):
    """Name everyone the attack hits, then roll (A-17, A-18)."""
    clear_attack(s)
    s.attacker = f
    s.attacked = 1
    catch(s, g)
    if s.attack_type[f] == MAGIC:
        catch_neighbours(s, f, int(s.cell[g]))
    s.dice = attack_dice(s, f, g)
    s.buffed[f] = 0
    s.phase = Phase.ROLL_ATTACK


@rule
def catch(s, g):
    s.caught[s.n_caught] = g
    s.n_caught += 1


@rule
def catch_neighbours(s, f, centre):
    """All figures beside the main target, friends and the caster too (A-17).

    Clockwise from north (A-18), which is away from the caster's own edge, so that both seats are alike.
    """
    turn = 0 if f < SIDE else 4
    for k in range(8):
        d = (k + turn) % 8
        x = centre % SIZE + STEP_X[d]
        y = centre // SIZE + STEP_Y[d]
        if 0 <= x < SIZE and 0 <= y < SIZE:
            g = int(s.at[y * SIZE + x])
            if g != NOBODY and not (g == f and s.caster_immune == 1):
                catch(s, g)


@rule
def defender(s):
    return int(s.caught[s.facing])


@rule
def take_attack_roll(s, outcome):
    for side in range(4):
        s.attack_roll[side] = dice.THROWS[outcome, side]
    face_defender(s)


@rule
def face_defender(s):
    """The next figure of the area rolls her own pool (A:54)."""
    g = defender(s)
    s.dice = defence_dice(s, int(s.attacker), g, s.facing == 0)
    s.buffed[g] = 0
    s.defence_roll[:] = 0
    s.tie = 0
    s.stage = 0
    s.phase = Phase.ROLL_DEFENCE


@rule
def lead(s):
    """Hits of the attack above those of the defence."""
    return dice.hits(s.attack_roll) - dice.hits(s.defence_roll)


@rule
def take_defence_roll(s, outcome):
    """Compare hits; equal hits go by superiority, and if that is equal to a SuperTieBreaker (A-01)."""
    for side in range(4):
        s.defence_roll[side] = dice.THROWS[outcome, side]
    if lead(s) == 0:
        s.tie = dice.superior(s.attack_roll, s.defence_roll)
        if s.tie == 0:
            s.phase = Phase.ROLL_TIE
            return
    s.phase = Phase.CRIT


@rule
def take_tie_roll(s, outcome):
    """One die each until they differ; these show no Crits (A-05, A-19)."""
    s.tie = 1 if outcome == dice.FIRST_HIGHER else -1
    s.phase = Phase.CRIT


@rule
def settle_damage(s):
    """The difference in hits goes to the loser; back to an attacker only in melee (A-04, A-06).

    A won tie deals exactly 1.
    """
    f, g = int(s.attacker), defender(s)
    margin = lead(s) if s.tie == 0 else int(s.tie)
    if margin > 0:
        hurt(s, g, margin)
    elif margin < 0 and s.attack_type[f] == MELEE:
        hurt(s, f, -margin)


@rule
def hurt(s, f, damage):
    """Health goes down; at 0 the figure leaves the board at once (A-07)."""
    s.health[f] = max(0, int(s.health[f]) - damage)
    if s.flaw[f] == STRUCK_SLOW:
        s.slowed[f] = 1
    if s.health[f] == 0:
        s.at[s.cell[f]] = NOBODY
        s.cell[f] = OFF_BOARD
        s.prone[f] = 0
        s.buffed[f] = 0
        s.slowed[f] = 0


@rule
def side_health(s, seat):
    """Health that a seat's figures have left."""
    total = 0
    for f in range(SIDE * seat, SIDE * seat + SIDE):
        total += int(s.health[f])
    return total


@rule
def has_figures(s, seat):
    return side_health(s, seat) > 0

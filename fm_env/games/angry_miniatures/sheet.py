"""Character sheets: what follows from stats, attack type, perk and flaw; and building a team in play.

While teams are built, each seat makes `BUILD_STEPS` choices for each of its figures, hidden from the
other seat until both are ready.
"""

from __future__ import annotations

from fm_env.compiled import rule
from fm_env.games.angry_miniatures import actions as act
from fm_env.games.angry_miniatures.constants import (
    ATTACK_BY_SUM,
    BUILD_STEPS,
    DISTANCE_BY_MIND,
    HEALTH_BY_BODY,
    MAX_STAT,
    SIDE,
    SPEED_BY_SPIRIT,
    STAT_POINTS,
    Attack,
    Flaw,
    Perk,
)

BODY, MIND, SPIRIT = range(3)
MELEE = int(Attack.MELEE)
DISTANCE_PERK = int(Perk.DISTANCE)
STRUCK_SLOW = int(Flaw.STRUCK_SLOW)
FIRST_GUARD = int(Perk.DEFENCE_MELEE)


@rule
def bonus(s, f, what):
    """What perk and flaw change of `what`, a number of `Perk`: +1, 0 or -1 (A-28)."""
    return int(s.perk[f] == what) - int(s.flaw[f] == what)


@rule
def attack_sum(s, f):
    """Body + Spirit for melee, Body + Mind for range, Mind + Spirit for magic (A-33)."""
    left_out = MIND if s.attack_type[f] == MELEE else (SPIRIT if s.attack_type[f] == 1 else BODY)
    return STAT_POINTS - int(s.stat[f, left_out])


@rule
def fill_in(s, f):
    """Values that follow from stats, attack type, perk and flaw of a whole sheet (A-28, A-33)."""
    s.max_health[f] = HEALTH_BY_BODY[s.stat[f, BODY] - 1] + bonus(s, f, Perk.HEALTH)
    s.speed[f] = SPEED_BY_SPIRIT[s.stat[f, SPIRIT] - 1] + bonus(s, f, Perk.SPEED)
    s.distance[f] = DISTANCE_BY_MIND[s.stat[f, MIND] - 1] + bonus(s, f, DISTANCE_PERK)
    s.attack[f] = ATTACK_BY_SUM[s.attack_type[f], attack_sum(s, f) - 2] + bonus(s, f, Perk.ATTACK)
    for kind in range(3):
        s.guard[f, kind] = s.stat[f, kind] + bonus(s, f, FIRST_GUARD + kind)
    s.health[f] = s.max_health[f]


@rule
def wipe(s, f):
    """A sheet without a mark on it."""
    s.stat[f] = 0
    s.guard[f] = 0
    s.attack_type[f] = 0
    s.perk[f] = 0
    s.flaw[f] = 0
    s.crit[f] = 0
    s.max_health[f] = 0
    s.speed[f] = 0
    s.distance[f] = 0
    s.attack[f] = 0
    s.health[f] = 0


# ------------------------------------------------------------------------------------- building
@rule
def num_build_steps(s):
    return BUILD_STEPS * int(s.per_side)


@rule
def is_building(s, seat):
    return s.built[seat] < num_build_steps(s)


@rule
def sheet_in_hand(s, seat):
    """The figure whose sheet the seat is filling in."""
    return SIDE * seat + int(s.built[seat]) // BUILD_STEPS


@rule
def is_build_legal(s, f, step, action):
    """Is `action` an entry that the sheet of `f` can have at this step (A-28, A-33, A-34)?

    Each stat is 1 to 7 and they add up to 9; Spirit is what Body and Mind leave. A perk or flaw of
    Distance needs an attack that has one, and a flaw may not undo the perk.
    """
    if step == 0:
        return act.BODY <= action < act.BODY + MAX_STAT
    if step == 1:
        return act.MIND <= action < act.MIND + STAT_POINTS - 1 - s.stat[f, BODY]
    if step == 2:
        return act.ATTACK <= action < act.PERK
    short = s.attack_type[f] == MELEE
    if step == 3:
        return act.PERK <= action < act.FLAW and not (short and action == act.PERK + DISTANCE_PERK)
    if step == 4:
        flaw = action - act.FLAW
        fits = act.FLAW <= action < act.CRIT and not (short and flaw == DISTANCE_PERK)
        return fits and (flaw != s.perk[f] or flaw == STRUCK_SLOW)
    return act.CRIT <= action < act.NUM_ACTIONS


@rule
def legal_build(s, seat, out):
    """Entries open to a seat that is building; returns how many."""
    f = sheet_in_hand(s, seat)
    step = int(s.built[seat]) % BUILD_STEPS
    n = 0
    for action in range(act.BODY, act.NUM_ACTIONS):
        if is_build_legal(s, f, step, action):
            out[action] = True
            n += 1
    return n


@rule
def build(s, seat, action):
    """One entry of the seat's sheets, in the order of `is_build_legal` (A-34)."""
    f = sheet_in_hand(s, seat)
    step = int(s.built[seat]) % BUILD_STEPS
    if step == 0:
        s.stat[f, BODY] = action - act.BODY + 1
    elif step == 1:
        s.stat[f, MIND] = action - act.MIND + 1
        s.stat[f, SPIRIT] = STAT_POINTS - s.stat[f, BODY] - s.stat[f, MIND]
    elif step == 2:
        s.attack_type[f] = action - act.ATTACK
    elif step == 3:
        s.perk[f] = action - act.PERK
    elif step == 4:
        s.flaw[f] = action - act.FLAW
    else:
        s.crit[f] = action - act.CRIT
        fill_in(s, f)
    s.built[seat] += 1

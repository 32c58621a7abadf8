"""Choosing warbands (rulebook, Selecting Figures; F-08 of the facts, F-54, F-70, F-85, F-87).

Every player who chooses does so in secret and makes the same number of choices, used or not: for
each of six places who comes, and with which weapons. Nobody can tell from the questions what
another has chosen.
"""

from __future__ import annotations

from fm_env.compiled import rule
from fm_env.games.fairy_meat import actions as act
from fm_env.games.fairy_meat.constants import (
    BAND,
    BARE_HANDS,
    FAIRY_COSTS,
    FAIRY_KILLS,
    FAIRY_LIVES,
    FAIRY_TWINKLES,
    NO_WEAPON,
    SIZE_OF_BAND,
    WEAPON_ATTACKS,
    WEAPON_COST,
    WEAPON_NAMES,
    WEAPON_SLOTS,
    Combat,
    Place,
)
from fm_env.games.fairy_meat.presets import PRESET_ARMS, PRESET_RECRUIT

GIVEN, CHOSEN, DRAWN = range(3)
"""How a player comes by her warband (`recruits`)."""
STEPS = 3
"""Choices for each place: who, a weapon, another weapon."""
NOBODY = -1
NUM_WEAPONS = len(WEAPON_NAMES)


# -------------------------------------------------------------------------------------- choosing
@rule
def has_to_build(s, seat):
    """Whether a player still has choices to make for her warband: all make as many (F-87)."""
    return s.recruits[seat] == CHOSEN and s.built[seat] < STEPS * BAND


@rule
def cost_so_far(s, seat):
    """Points spent on fairies and weapons; spells cost none (F-54)."""
    n = 0
    for k in range(BAND):
        if s.recruit[seat, k] != NOBODY:
            n += FAIRY_COSTS[s.recruit[seat, k] // 2]
            for j in range(WEAPON_SLOTS - 1):
                if s.arms[seat, k, j] != NO_WEAPON:
                    n += WEAPON_COST[s.arms[seat, k, j]]
    return n


@rule
def legal_build(s, seat, out):
    """What the points allow. Six fairies at most (F-85), two weapons each (F-87), in the order of the
    table; who stops recruiting recruits no more. A warband has somebody.
    """
    k, step = s.built[seat] // STEPS, s.built[seat] % STEPS
    left = s.points - cost_so_far(s, seat)
    n = 0
    if step == 0:
        if k > 0:
            out[act.RECRUIT] = True
            n += 1
        if k < s.band and (k == 0 or s.recruit[seat, k - 1] != NOBODY):
            for recruit in range(6):
                if FAIRY_COSTS[recruit // 2] <= left:
                    out[act.RECRUIT + 1 + recruit] = True
                    n += 1
        return n
    out[act.ARM] = True
    first = BARE_HANDS if step == 1 else s.arms[seat, k, 0]
    if s.recruit[seat, k] == NOBODY or first == NO_WEAPON:
        return 1
    n = 1
    for w in range(first + 1, NUM_WEAPONS):
        two_attacks = WEAPON_ATTACKS[w] > 1 and s.combat == Combat.FAST_PLAY  # UnclEvl's weapon (U-36)
        if WEAPON_COST[w] <= left and not two_attacks:
            out[act.ARM + w] = True
            n += 1
    return n


@rule
def build(s, seat, action):
    k, step = s.built[seat] // STEPS, s.built[seat] % STEPS
    if step == 0:
        s.recruit[seat, k] = action - act.RECRUIT - 1
    elif action > act.ARM:
        s.arms[seat, k, step - 1] = action - act.ARM
    s.built[seat] += 1


# --------------------------------------------------------------------------------------- drawing
@rule
def next_to_draw_for(s):
    """The first player whose warband chance decides and has not yet, or -1."""
    for seat in range(s.n_seats):
        if s.recruits[seat] == DRAWN and s.recruit[seat, 0] == NOBODY:
            return seat
    return -1


@rule
def preset_weights(s, out, first):
    """Every preset that the size allows is as likely as any other (F-97)."""
    size = SIZE_OF_BAND[s.band]
    n = 0
    for k in range(PRESET_RECRUIT.shape[1]):
        fits = PRESET_RECRUIT[size, k, 0] != NOBODY
        out[first + k] = fits
        n += fits
    return n


@rule
def draw_warband(s, preset):
    draw_warband_for(s, next_to_draw_for(s), preset)


@rule
def draw_warband_for(s, seat, preset):
    size = SIZE_OF_BAND[s.band]
    for k in range(BAND):
        s.recruit[seat, k] = PRESET_RECRUIT[size, preset, k]
        for j in range(WEAPON_SLOTS - 1):
            s.arms[seat, k, j] = PRESET_ARMS[size, preset, k, j]


# ----------------------------------------------------------------------------------------- muster
@rule
def muster(s):
    """All warbands are open from now on (F-70): every fairy gets her card."""
    f = 0
    for seat in range(s.n_seats):
        for k in range(BAND):
            if s.recruit[seat, k] != NOBODY:
                enlist(s, f, seat, k)
                f += 1
    s.n_fairies = f


@rule
def enlist(s, f, seat, k):
    kind = s.recruit[seat, k] // 2
    s.owner[f] = seat
    s.fairy_type[f] = kind
    s.magic[f] = s.recruit[seat, k] % 2 + 1
    s.live[f] = FAIRY_LIVES[kind]
    s.kill[f] = FAIRY_KILLS[kind]
    s.twinkle[f] = FAIRY_TWINKLES[kind]
    s.alive[f] = 1
    s.whereabouts[f] = Place.AWAY
    for j in range(WEAPON_SLOTS - 1):
        s.weapon[f, 1 + j] = s.arms[seat, k, j]

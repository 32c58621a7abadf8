"""A fair guess at what a seat can't know of the whole table (F-15, F-70).

Positions are guessed within the grain of an eye, with everything seen kept: who touches and who sees
whom, and on what height each stands. While warbands are secret, others' are any that the rules
allow. Used by `information.resample`.
"""

from __future__ import annotations

import numpy as np

from fm_env.compiled import allocating_rule, rule
from fm_env.games.fairy_meat.actions import NUM_TABLE
from fm_env.games.fairy_meat.constants import NO_FAIRY, NO_WEAPON, NUM_OUTCOMES, WEAPON_SLOTS, Phase, Place
from fm_env.games.fairy_meat.warband import (
    DRAWN,
    GIVEN,
    NOBODY,
    build,
    draw_warband_for,
    legal_build,
    preset_weights,
)
from fm_env.rng import random_below


@allocating_rule
def guess_table(s, seat, rng):
    if s.phase == Phase.DRAW_WARBAND or s.phase == Phase.BUILD:
        guess_warbands(s, seat, rng, np.zeros(NUM_TABLE, np.bool_), np.zeros(NUM_OUTCOMES, np.int64))
    elif s.round_number > 0 and s.grain > 0:
        guess_positions(s, rng)


@rule
def guess_warbands(s, seat, rng, mask, weights):
    """Others' warbands: drawn anew, or chosen anew up to where they are."""
    for other in range(s.n_seats):
        waits = s.recruits[other] == DRAWN and s.recruit[other, 0] == NOBODY
        if other == seat or waits or s.recruits[other] == GIVEN:
            continue
        made = s.built[other]
        forget(s, other)
        if s.recruits[other] == DRAWN:
            weights[:] = 0
            k = random_below(rng, preset_weights(s, weights, 0))
            draw_warband_for(s, other, nth(weights, k))
        for _ in range(made):
            mask[:] = False
            build(s, other, nth(mask, random_below(rng, legal_build(s, other, mask))))


@rule
def forget(s, seat):
    s.built[seat] = 0
    for k in range(s.recruit.shape[1]):
        s.recruit[seat, k] = NOBODY
        for j in range(WEAPON_SLOTS - 1):
            s.arms[seat, k, j] = NO_WEAPON


@rule
def nth(marks, n):
    for a in range(len(marks)):
        if marks[a]:
            if n == 0:
                return a
            n -= 1
    return -1


@rule
def guess_positions(s, rng):
    """Anywhere in the strip of the grain, but on the table."""
    s.imagined = 1
    for f in range(s.n_fairies):
        if s.whereabouts[f] == Place.TABLE:
            for axis in range(2):
                s.pos[f, axis] = guess(s, s.pos[f, axis], rng)
    for k in range(s.n_items):
        for axis in range(2):
            s.thing[k, axis] = guess(s, s.thing[k, axis], rng)
    if s.mover != NO_FAIRY:
        for axis in range(2):
            if s.legs == 0:
                s.air[axis] = s.pos[s.mover, axis]
                s.start[axis] = s.pos[s.mover, axis]
            else:
                s.air[axis] = guess(s, s.air[axis], rng)
                s.start[axis] = -1


@rule
def guess(s, value, rng):
    """Some coordinate that looks the same."""
    low = int(value) // int(s.grain) * int(s.grain)
    return min(low + random_below(rng, int(s.grain)), int(s.side))

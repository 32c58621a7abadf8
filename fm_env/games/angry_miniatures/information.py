"""Who knows what: the key of an information set, and a fair guess at what is hidden.

All is open but the sheets of the other seat while teams are built (A-34): neither its entries nor
how many it has made.
"""

from __future__ import annotations

import numpy as np

from fm_env.compiled import rule
from fm_env.games.angry_miniatures import actions as act
from fm_env.games.angry_miniatures import sheet
from fm_env.games.angry_miniatures.constants import BUILD_STEPS, NOBODY, SIDE, Phase
from fm_env.games.angry_miniatures.observe import observe
from fm_env.rng import random_below


@rule
def info_key(s, seat, out):
    """Bytes of what `seat` knows: its observation, which holds every fact once."""
    observe(s, seat, out.view(np.float32))


@rule
def resample(s, seat, rng):
    """Replace the other seat's sheets by random ones, as far along as it can be (A-34).

    Every number of entries is equally likely, then each entry evenly among the legal ones. Once
    this seat is ready the other can't be, or the sheets would be open.
    """
    if s.phase != Phase.BUILD:
        return
    other = 1 - seat
    for f in range(SIDE * other, SIDE * other + SIDE):
        sheet.wipe(s, f)
    s.built[other] = 0
    most = sheet.num_build_steps(s)
    if not sheet.is_building(s, seat):
        most -= 1
    for _ in range(random_below(rng, most + 1)):
        sheet.build(s, other, random_entry(s, other, rng))


@rule
def random_entry(s, seat, rng):
    f = sheet.sheet_in_hand(s, seat)
    step = int(s.built[seat]) % BUILD_STEPS
    n = 0
    for action in range(act.BODY, act.NUM_ACTIONS):
        n += sheet.is_build_legal(s, f, step, action)
    left = random_below(rng, n)
    for action in range(act.BODY, act.NUM_ACTIONS):
        if sheet.is_build_legal(s, f, step, action):
            if left == 0:
                return action
            left -= 1
    return NOBODY

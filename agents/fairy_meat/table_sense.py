"""Reading an observation of the whole table: who is where, what they carry, how far away it looks.

Offsets come from the observation's labels, as in `sense`. Lengths are in inches. Positions are
known to the grain of an eye only (F-15), so lengths here are guesses.
"""

from __future__ import annotations

import math

from agents.fairy_meat import sense
from fm_env.compiled import rule
from fm_env.games.fairy_meat.actions import NUM_FIXED
from fm_env.games.fairy_meat.constants import (
    BARE_HANDS,
    MAX_FIGURES,
    MAX_PIECES,
    SPELL_NAMES,
    WEAPON_ATTACK,
    WEAPON_NAMES,
    WEAPON_RANGE,
    WEAPON_STRENGTH,
    WEAPON_SWORD,
)
from fm_env.games.fairy_meat.observe import observation_labels
from fm_env.games.fairy_meat.observe_fight import FIGHT, ROW
from fm_env.games.fairy_meat.observe_table import figure_labels

_LABELS = observation_labels(MAX_FIGURES)
_FIGURE = figure_labels()

DUEL_MASK = NUM_FIXED + 2
"""Actions of a fight of two."""
ME = FIGHT - 2 * (ROW + 4)
"""The row that a duel has for the figure at hand."""

PHASE = _LABELS.index("phase build")
AIM = _LABELS.index("aim attack")
MODE = _LABELS.index("mode none")
SPELL = _LABELS.index(f"spell {SPELL_NAMES[0]}")
MOVED = _LABELS.index("has moved")
ATTACKED = _LABELS.index("has attacked")
BUDGET = _LABELS.index("inches left /24")
LEGS = _LABELS.index("legs /4")
SIDE = _LABELS.index("table /72 in")
RADIUS = _LABELS.index("base radius /2 in")
OWN_MEAT = _LABELS.index("own meat scores")
COLUMN = _LABELS.index("column /12")
ROUND = _LABELS.index("round /16")
RANGED = _LABELS.index("kind ranged")
FIGURES = _LABELS.index("figure 0: exists")
FIGURE = _LABELS.index("figure 1: exists") - FIGURES
PIECES = _LABELS.index("piece 0: exists")
PIECE = _LABELS.index("piece 1: exists") - PIECES

ALIVE = _FIGURE.index("alive")
MINE = _FIGURE.index("mine")
CORPSE = _FIGURE.index("corpse")
THERE = _FIGURE.index("on the table")
LIVE = _FIGURE.index("live /12")
KILL = _FIGURE.index("kill /12")
TWINKLE = _FIGURE.index("twinkle /8")
MEAT = _FIGURE.index("meat live /12")
MEAN = _FIGURE.index("mean")
WEAPON = _FIGURE.index(WEAPON_NAMES[1]) - 1
ORDERS = _FIGURE.index("order cards /9")
ACTED = _FIGURE.index("has acted")
AT_HAND = _FIGURE.index("at hand")
SHIMMER = _FIGURE.index("shimmer /24")
BOUND = _FIGURE.index("bound /3")
WIND_UP = _FIGURE.index("wind-up /16 in")
X = _FIGURE.index("x")
HEIGHT = _FIGURE.index("height /24 in")
EAST = _FIGURE.index("east of me")
DISTANCE = _FIGURE.index("distance")
ABOVE = _FIGURE.index("above me")
TOUCHES = _FIGURE.index("touches me")
I_SEE = _FIGURE.index("I see")
SEES_ME = _FIGURE.index("sees me")

NUM_WEAPONS = len(WEAPON_NAMES)
ENDLESS = 1000.0
"""Range of the wand."""


@rule
def figure(k):
    """Where the row of the figure in place `k` begins."""
    return FIGURES + k * FIGURE


@rule
def at_hand(obs):
    """Place of the figure at hand, or -1."""
    for k in range(MAX_FIGURES):
        if obs[figure(k) + AT_HAND] > 0:
            return k
    return -1


@rule
def is_enemy(obs, k):
    """A living figure of another player on the table."""
    row = figure(k)
    return obs[row + ALIVE] > 0 and obs[row + MINE] == 0 and obs[row + THERE] > 0


@rule
def live(obs, k):
    return sense.whole(obs[figure(k) + LIVE] * 12)


@rule
def kill(obs, k):
    return sense.whole(obs[figure(k) + KILL] * 12)


@rule
def twinkle(obs, k):
    return sense.whole(obs[figure(k) + TWINKLE] * 8)


@rule
def meat(obs, k):
    """Points of meat on her."""
    return sense.whole((obs[figure(k) + MEAT] + obs[figure(k) + MEAT + 1]) * 12)


@rule
def is_food(obs, k, me):
    """A corpse with meat; one's own dead feed, too."""
    return k != me and obs[figure(k) + CORPSE] > 0


@rule
def scores(obs, k):
    """Whether eating her scores (F-72)."""
    return obs[figure(k) + MINE] == 0 or obs[OWN_MEAT] > 0


@rule
def side(obs):
    return obs[SIDE] * 72.0


@rule
def gap(obs, k):
    """From edge to edge, seen from above."""
    return max(0.0, obs[figure(k) + DISTANCE] * side(obs) - 4.0 * obs[RADIUS])


@rule
def range_to(obs, k):
    """From edge to edge, heights counted (F-17)."""
    flat, up = gap(obs, k), obs[figure(k) + ABOVE] * 24.0
    return math.sqrt(flat * flat + up * up)


@rule
def touches(obs, k):
    return obs[figure(k) + TOUCHES] > 0


@rule
def i_see(obs, k):
    """What the figure at hand sees of her: 0, 1 (partly) or 2."""
    return sense.whole(obs[figure(k) + I_SEE] * 2)


# ------------------------------------------------------------------------------- what they carry
@rule
def own_weapon(obs, slot, entry):
    """An entry of the figure at hand's weapon: 1 attack, 2 defence, 3 strength, 4 attacks, 5 sword,
    6 mangler.
    """
    if slot == BARE_HANDS:
        return 0
    x = obs[ME + sense.WEAPON + (slot - 1) * sense.WEAPON_WIDTH + entry]
    return int(x) if entry >= 5 else sense.whole(x * 2)


@rule
def own_range(obs, slot):
    """How far the figure at hand's weapon shoots; 0 for a blow."""
    strength = own_weapon(obs, slot, 3)
    if strength == 0:
        return 0.0
    if own_weapon(obs, slot, 6) > 0:
        return ENDLESS
    return 24.0 if strength == 1 else 36.0


@rule
def carries(obs, k, weapon):
    return weapon != BARE_HANDS and obs[figure(k) + WEAPON + weapon] > 0


@rule
def best_blow_of(obs, k):
    """Cards that her best hand-to-hand weapon adds to her Kill."""
    best = 0
    for w in range(1, NUM_WEAPONS):
        if carries(obs, k, w) and WEAPON_STRENGTH[w] == 0:
            best = max(best, WEAPON_ATTACK[w] + WEAPON_SWORD[w])
    return best


@rule
def reach_of(obs, k):
    """How far her farthest weapon shoots; 0 without one."""
    best = 0.0
    for w in range(1, NUM_WEAPONS):
        if carries(obs, k, w) and WEAPON_STRENGTH[w] > 0:
            best = max(best, WEAPON_RANGE[w] * 0.001 if WEAPON_RANGE[w] > 0 else ENDLESS)
    return best


@rule
def shot_of(obs, k):
    """Strength of her best shot; 0 without one."""
    best = 0
    for w in range(1, NUM_WEAPONS):
        if carries(obs, k, w):
            best = max(best, WEAPON_STRENGTH[w])
    return best


@rule
def guard(obs, k, shot):
    """Cards that she draws to defend herself: Live, Shimmer, an unused Order Card; cover from shots."""
    row = figure(k)
    n = live(obs, k) + sense.whole(obs[row + SHIMMER] * 24) + (obs[row + ORDERS] > 0)
    return n + (shot and i_see(obs, k) == 1)


# ------------------------------------------------------------------------------------ the ground
@rule
def is_open_way(obs, east, north, ceiling):
    """Whether no terrain higher than `ceiling` above me seems to bar the straight way."""
    r, size = 2.0 * obs[RADIUS], side(obs)
    for k in range(MAX_PIECES):
        p = PIECES + k * PIECE
        if obs[p] == 0 or obs[p + 9] * 24.0 <= ceiling:
            continue
        cx, cy = obs[p + 7] * size, obs[p + 8] * size
        hx, hy = obs[p + 4] * size + r, obs[p + 5] * size + r
        enter, leave = 0.0, 1.0
        if abs(east) < 1e-6:
            if abs(cx) >= hx:
                continue
        else:
            near, far = (cx - hx) / east, (cx + hx) / east
            enter, leave = max(enter, min(near, far)), min(leave, max(near, far))
        if abs(north) < 1e-6:
            if abs(cy) >= hy:
                continue
        else:
            near, far = (cy - hy) / north, (cy + hy) / north
            enter, leave = max(enter, min(near, far)), min(leave, max(near, far))
        if enter < leave:
            return False
    return True


@rule
def height_at(obs, x, y):
    """Height of the highest piece that holds a whole base at (x, y)."""
    r, size, top = 2.0 * obs[RADIUS], side(obs), 0.0
    for k in range(MAX_PIECES):
        p = PIECES + k * PIECE
        if obs[p] > 0:
            dx = abs((obs[p + 2] + 1) * 0.5 * size - x)
            dy = abs((obs[p + 3] + 1) * 0.5 * size - y)
            if dx <= obs[p + 4] * size - r and dy <= obs[p + 5] * size - r:
                top = max(top, obs[p + 6] * 24.0)
    return top

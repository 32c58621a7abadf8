"""Moving (rulebook, Movement; F-15 to F-31).

A move is a path of at most four straight legs, flown under a ceiling that depends on the mode and
on the surface she starts from; it ends on the last place of the path where her base can stand.
A leg is a heading and a length, or one of the destinations, which fly the whole way by
themselves. Nothing here depends on a distance before the move is made: a move may be too short.

`air` is where she flies, `pos` the last place where she could land.
"""

from __future__ import annotations

import math

import numpy as np

from fm_env.compiled import rule
from fm_env.games.fairy_meat import actions as act
from fm_env.games.fairy_meat.constants import (
    BOX,
    CONTACT_GAP,
    CONTACT_HEIGHT,
    ESCAPE_MOVE,
    HEAD,
    INCH,
    MAX_LEGS,
    MODE_ALTITUDE,
    MODE_MOVE,
    MODE_STANCE,
    NO_FAIRY,
    Aim,
    Mode,
    Phase,
    Place,
    View,
)
from fm_env.games.fairy_meat.sight import look_around, look_at_item, view_between

STRIDE = INCH // 8
"""How finely a path is looked at."""
NO_LOAD = -1
POUNCE = int(Mode.POUNCE)
CLEAR = int(View.CLEAR)
NO_GROUND = -1
DISTANCES = np.array([INCH * n for n in act.DISTANCES], np.int32)
COURSES = np.array(
    [[math.cos(k * math.pi / 8), math.sin(k * math.pi / 8)] for k in range(act.NUM_HEADINGS)], np.float64
).round(12)
"""Unit vectors of the sixteen headings; rounded, so that every machine has the same."""


# ---------------------------------------------------------------------------- where one can stand
@rule
def overlap(s, k, x, y):
    """How a base at (x, y) lies on piece `k`: 0 beside it, 1 partly on it, 2 wholly on it."""
    dx, dy = abs(float(x) - s.centre[k, 0]), abs(float(y) - s.centre[k, 1])
    hx, hy, r = float(s.half[k, 0]), float(s.half[k, 1]), float(s.radius)
    if s.form[k] == BOX:
        if dx <= hx - r and dy <= hy - r:
            return 2
        outside_x, outside_y = max(dx - hx, 0.0), max(dy - hy, 0.0)
        return 1 if outside_x * outside_x + outside_y * outside_y < r * r else 0
    d2 = dx * dx + dy * dy
    if hx >= r and d2 <= (hx - r) * (hx - r):
        return 2
    return 1 if d2 < (hx + r) * (hx + r) else 0


@rule
def ground(s, x, y, ceiling):
    """Height of the surface that holds a whole base at (x, y), or NO_GROUND (F-20, F-21).

    The highest piece wholly under the base, else the floor; no higher piece may reach into it, and
    it must not be above the ceiling. The base stays on the table.
    """
    r = s.radius
    if x < r or y < r or x > s.side - r or y > s.side - r:
        return NO_GROUND
    z, wall = 0, 0
    for k in range(s.n_pieces):
        on = overlap(s, k, x, y)
        if on == 2:
            z = max(z, int(s.top[k]))
        elif on == 1:
            wall = max(wall, int(s.top[k]))
    return z if z >= wall and z <= ceiling else NO_GROUND


@rule
def is_free(s, f, x, y, z):
    """Whether no other living figure stands in the way of a base there (F-21, F-73)."""
    reach = 2.0 * s.radius
    for g in range(s.n_fairies):
        if g != f and s.alive[g] and s.whereabouts[g] == Place.TABLE:
            dx, dy = float(x) - s.pos[g, 0], float(y) - s.pos[g, 1]
            if dx * dx + dy * dy < reach * reach and abs(z - s.pos[g, 2]) < HEAD:
                return False
    return True


@rule
def is_barred(s, x, y):
    """Whether terrain above her ceiling, or the table's edge, stops her here in flight (F-22)."""
    r = s.radius
    if x < r or y < r or x > s.side - r or y > s.side - r:
        return True
    for k in range(s.n_pieces):
        if s.top[k] > s.ceiling and overlap(s, k, x, y) > 0:
            return True
    return False


@rule
def length(dx, dy):
    return math.sqrt(dx * dx + dy * dy)


@rule
def whole(x):
    """The nearest integer."""
    return math.floor(x + 0.5)


# -------------------------------------------------------------------------------- start and end
@rule
def meat_of(s, load):
    """Meat Points of a corpse, Twinkle never among them (F-61), or the weight of an item (F-27, F-74)."""
    if load >= s.live.shape[0]:
        return int(s.weight[load - s.live.shape[0]])
    return int(s.meat_live[load] + s.meat_kill[load])


@rule
def is_heavy(s, f, load):
    """Free is a load of less than half of the dragger's Fairy and Meat Points, rounded up (F-27)."""
    own = s.live[f] + s.kill[f] + s.meat_live[f] + s.meat_kill[f]
    return meat_of(s, load) >= (own + 1) // 2


@rule
def begin_move(s, f, mode):
    """She declares her mode and sets off (F-25). Wind-up adds and is spent (F-31), then each cause halves
    once (F-30); halves are not rounded (F-29).
    """
    s.mode = mode
    s.moved = 1
    s.stance[f] = MODE_STANCE[mode]
    far, high = MODE_MOVE[mode] + s.wind_up[f], MODE_ALTITUDE[mode] + s.wind_up[f]
    s.wind_up[f] = 0
    if s.bound[f] & 1:
        far, high = far // 2, high // 2
    if s.load != NO_LOAD and is_heavy(s, f, s.load):
        far, high = far // 2, high // 2
    take_off(s, f, far, high)


@rule
def begin_escape(s, f):
    """The free move out of a wrestle: up to three inches, as high as a Pounce (U-32, F-86). What she had
    taken hold of in her turn stays behind (F-28).
    """
    s.escaping = 1
    if f == s.turn:
        s.load = NO_LOAD
    take_off(s, f, ESCAPE_MOVE, MODE_ALTITUDE[POUNCE])


@rule
def take_off(s, f, far, high):
    """A move of so much in all its legs together (F-19), under a ceiling so high above the surface that
    she starts from (F-20).
    """
    s.mover = f
    s.budget = far
    s.ceiling = s.pos[f, 2] + high
    s.legs = 0
    s.heading = -1
    for axis in range(2):
        s.start[axis] = s.pos[f, axis]
        s.air[axis] = s.pos[f, axis]
    s.phase = Phase.MOVE


@rule
def land(s):
    """The move is over, and with it the dragging (F-28)."""
    f = s.mover
    if drags(s):
        put_down(s, f)
    s.mover = NO_FAIRY
    s.budget = 0
    s.legs = 0
    s.heading = -1
    look_around(s, f)
    s.phase = Phase.EXCHANGE_END if s.escaping else Phase.ACT
    s.escaping = 0


@rule
def drags(s):
    """Whether the fairy on the move has a load; who is thrown out of a wrestle has not."""
    return s.load != NO_LOAD and not s.escaping


@rule
def put_down(s, f):
    """What she dragged lies where she stands (F-92)."""
    load = s.load
    for axis in range(3):
        if load >= s.live.shape[0]:
            s.thing[load - s.live.shape[0], axis] = s.pos[f, axis]
        else:
            s.pos[load, axis] = s.pos[f, axis]
    look_for_load(s, load)
    s.load = NO_LOAD


@rule
def look_for_load(s, load):
    """Who touches a load that was moved or is gone."""
    if load >= s.live.shape[0]:
        look_at_item(s, load - s.live.shape[0])
    else:
        look_around(s, load)


# ------------------------------------------------------------------------------------- one leg
@rule
def fly(s, x, y, most):
    """Fly towards (x, y), no farther than `most` and her budget; returns the distance flown.

    Stops before what bars the way. `pos` becomes the last place of the leg that can be landed on (F-21).
    The way is looked at every eighth of an inch (F-96).
    """
    f = s.mover
    x0, y0 = float(s.air[0]), float(s.air[1])
    dx, dy = x - x0, y - y0
    way = length(dx, dy)
    far = min(min(most, float(s.budget)), way)
    s.legs += 1
    if far <= 0.0:
        return 0.0
    ux, uy = dx / way, dy / way
    reach = 0.0
    while reach < far:
        t = min(reach + STRIDE, far)
        if is_barred(s, x0 + ux * t, y0 + uy * t):
            break
        reach = t
    s.air[0] = whole(x0 + ux * reach)
    s.air[1] = whole(y0 + uy * reach)
    s.budget -= whole(reach)
    t = reach
    while t > 0.0:
        lx, ly = whole(x0 + ux * t), whole(y0 + uy * t)
        z = ground(s, lx, ly, s.ceiling)
        if z != NO_GROUND and is_free(s, f, lx, ly, z):
            s.pos[f, 0] = lx
            s.pos[f, 1] = ly
            s.pos[f, 2] = z
            break
        t -= STRIDE
    return reach


@rule
def fly_heading(s, heading, most):
    """A leg in one of sixteen directions (F-96)."""
    far = float(2 * s.side)
    fly(s, s.air[0] + COURSES[heading, 0] * far, s.air[1] + COURSES[heading, 1] * far, most)


@rule
def is_open_way(s, x0, y0, x1, y1):
    """Whether no terrain above her ceiling lies on a straight way (corners taken a little wide)."""
    r = float(s.radius)
    for k in range(s.n_pieces):
        if s.top[k] <= s.ceiling:
            continue
        cx, cy = float(s.centre[k, 0]), float(s.centre[k, 1])
        hx, hy = s.half[k, 0] + r, s.half[k, 1] + r
        if min(x0, x1) >= cx + hx or max(x0, x1) <= cx - hx:
            continue
        if min(y0, y1) >= cy + hy or max(y0, y1) <= cy - hy:
            continue
        enter, leave = 0.0, 1.0
        if x1 != x0:
            near, far = (cx - hx - x0) / (x1 - x0), (cx + hx - x0) / (x1 - x0)
            enter, leave = max(enter, min(near, far)), min(leave, max(near, far))
        if y1 != y0:
            near, far = (cy - hy - y0) / (y1 - y0), (cy + hy - y0) / (y1 - y0)
            enter, leave = max(enter, min(near, far)), min(leave, max(near, far))
        if enter < leave:
            return False
    return True


@rule
def fly_to(s, x, y):
    """The whole way to a place: straight, or round one corner of what bars it, if that is open (F-94)."""
    x0, y0 = float(s.air[0]), float(s.air[1])
    if is_open_way(s, x0, y0, x, y):
        fly(s, x, y, float(s.budget))
        return
    best, via_x, via_y = 1e18, 0.0, 0.0
    wide = s.radius + 0.05 * INCH
    for k in range(s.n_pieces):
        if s.top[k] <= s.ceiling:
            continue
        for corner in range(4):
            vx = s.centre[k, 0] + (s.half[k, 0] + wide) * (1 - 2 * (corner & 1))
            vy = s.centre[k, 1] + (s.half[k, 1] + wide) * (1 - 2 * (corner >> 1))
            if min(vx, vy) < s.radius or max(vx, vy) > s.side - s.radius:
                continue
            way = length(vx - x0, vy - y0) + length(x - vx, y - vy)
            if way < best and is_open_way(s, x0, y0, vx, vy) and is_open_way(s, vx, vy, x, y):
                best, via_x, via_y = way, vx, vy
    if best < 1e18:
        fly(s, via_x, via_y, float(s.budget))
    fly(s, x, y, float(s.budget))


# --------------------------------------------------------------------------------- destinations
@rule
def go_to_place(s, x, y, z):
    """Into base contact with what stands at (x, y, z), on the side that she comes from, or the
    nearest side that is free (F-94).
    """
    dx, dy = float(s.air[0]) - x, float(s.air[1]) - y
    way = length(dx, dy)
    ux, uy = (dx / way, dy / way) if way > 0.0 else (1.0, 0.0)
    reach = 2.0 * s.radius + 0.5 * CONTACT_GAP
    for k in range(act.NUM_HEADINGS):
        turn = (k + 1) // 2 if k & 1 else act.NUM_HEADINGS - k // 2  # 0, 1, -1, 2, -2, ..
        c, d = COURSES[turn % act.NUM_HEADINGS, 0], COURSES[turn % act.NUM_HEADINGS, 1]
        px, py = whole(x + reach * (ux * c - uy * d)), whole(y + reach * (ux * d + uy * c))
        pz = ground(s, px, py, s.ceiling)
        if pz != NO_GROUND and abs(pz - z) <= CONTACT_HEIGHT and is_free(s, s.mover, px, py, pz):
            fly_to(s, px, py)
            return
    fly_to(s, x, y)


@rule
def go_to_view(s, g, wanted):
    """To the nearest place within her budget, straight from here, from which she and figure `g` see
    each other as wanted: `SIGHT` (she sees `g`) or `COVER` (`g` sees her least).

    Sixteen directions, five lengths. Where nothing fits she goes towards `g`, or stays.
    """
    gx, gy, gz = float(s.pos[g, 0]), float(s.pos[g, 1]), float(s.pos[g, 2])
    x0, y0 = float(s.air[0]), float(s.air[1])
    best, best_x, best_y = 0, 0.0, 0.0
    for step in range(6):
        for k in range(act.NUM_HEADINGS if step > 0 else 1):
            x = float(whole(x0 + COURSES[k, 0] * s.budget * step / 5))
            y = float(whole(y0 + COURSES[k, 1] * s.budget * step / 5))
            z = ground(s, x, y, s.ceiling)
            if z == NO_GROUND or not is_free(s, s.mover, x, y, z) or not is_open_way(s, x0, y0, x, y):
                continue
            if wanted == Aim.SIGHT:
                worth = 2 if view_between(s, x, y, float(z), gx, gy, gz) != View.HIDDEN else 0
            else:
                worth = CLEAR - view_between(s, gx, gy, gz, x, y, float(z))
            if worth > best:
                best, best_x, best_y = worth, x, y
        if best == 2:
            break
    if best > 0:
        fly(s, best_x, best_y, float(s.budget))
    elif wanted == Aim.SIGHT:
        fly_to(s, gx, gy)


@rule
def go_onto(s, k):
    """Onto piece `k`: the place on it nearest to her."""
    hx, hy = max(0.0, float(s.half[k, 0] - s.radius)), max(0.0, float(s.half[k, 1] - s.radius))
    dx, dy = float(s.air[0]) - s.centre[k, 0], float(s.air[1]) - s.centre[k, 1]
    if s.form[k] == BOX:
        dx, dy = min(max(dx, -hx), hx), min(max(dy, -hy), hy)
    else:
        way = length(dx, dy)
        if way > hx:
            dx, dy = math.floor(dx * hx / way), math.floor(dy * hx / way)
    fly_to(s, float(s.centre[k, 0] + dx), float(s.centre[k, 1] + dy))


@rule
def go_off(s):
    """Over the nearest edge with her load, if she gets that far (F-24)."""
    f = s.mover
    x, y, size = int(s.air[0]), int(s.air[1]), int(s.side)
    way = min(min(x, size - x), min(y, size - y))
    tx, ty = x, y
    if x == way:
        tx = 0
    elif size - x == way:
        tx = size
    elif y == way:
        ty = 0
    else:
        ty = size
    if s.budget >= way and is_open_way(s, float(x), float(y), float(tx), float(ty)):
        leave_field(s, f)
    else:
        fly(s, float(tx), float(ty), float(s.budget))


@rule
def leave_field(s, f):
    """She and her load are out of play; she was not killed (F-24), nor is she on the field (F-95)."""
    load = s.load
    s.load = NO_LOAD
    if load >= s.live.shape[0]:
        s.weight[load - s.live.shape[0]] = 0
    else:
        s.whereabouts[load] = Place.LEFT
    look_for_load(s, load)
    s.whereabouts[f] = Place.LEFT
    s.alive[f] = 0
    look_around(s, f)


# --------------------------------------------------------------------------------- what is legal
@rule
def legal_moves(s, f, out):
    """Headings, destinations and stopping, for four legs (F-19). All are legal whatever distance they
    need (F-15).
    """
    out[act.HALT] = True
    n = 1
    if s.legs >= MAX_LEGS or s.budget <= 0:
        return n
    for k in range(act.NUM_HEADINGS):
        out[act.HEADING + k] = True
    n += act.NUM_HEADINGS
    others, goals = False, s.n_items > 0 and has_item(s)
    for g in range(s.n_fairies):
        if g != f and s.whereabouts[g] == Place.TABLE and g != s.load:
            goals = True
            others = others or s.alive[g] == 1
    if goals:
        out[act.MOVE_TO] = True
        n += 1
    if others:
        out[act.MOVE_COVER] = True
        out[act.MOVE_SIGHT] = True
        n += 2
    if has_platform(s):
        out[act.MOVE_ONTO] = True
        n += 1
    if drags(s):
        out[act.MOVE_OFF] = True
        n += 1
    return n


@rule
def has_item(s):
    for k in range(s.n_items):
        if s.weight[k] > 0 and s.load != s.live.shape[0] + k:
            return True
    return False


@rule
def is_platform(s, k):
    """Whether a whole base fits on piece `k`."""
    return s.half[k, 0] >= s.radius and s.half[k, 1] >= s.radius


@rule
def has_platform(s):
    for k in range(s.n_pieces):
        if is_platform(s, k):
            return True
    return False


@rule
def legal_distances(s, out):
    """Whole inches up to what she has left, or all of it (F-96)."""
    n = 1
    out[act.DISTANCE + len(act.DISTANCES)] = True
    for k in range(len(act.DISTANCES)):
        if DISTANCES[k] <= s.budget:
            out[act.DISTANCE + k] = True
            n += 1
    return n


@rule
def take_distance(s, k):
    most = float(s.budget) if k == len(act.DISTANCES) else float(DISTANCES[k])
    heading = s.heading
    s.heading = -1
    fly_heading(s, heading, most)
    s.phase = Phase.MOVE


# ----------------------------------------------------------------------------------------- loot
@rule
def is_loot(s, f):
    """A corpse on the table with meat on it."""
    return s.alive[f] == 0 and s.whereabouts[f] == Place.TABLE and s.meat_live[f] + s.meat_kill[f] > 0


@rule
def is_load_at(s, f, load):
    """Whether `f` is in base contact with a corpse or an item that can be dragged (F-28)."""
    if load >= s.live.shape[0]:
        return s.at_item[f, load - s.live.shape[0]] == 1
    return load != f and is_loot(s, load) and s.touch[f, load] == 1


@rule
def has_load_at(s, f):
    for g in range(s.n_fairies):
        if is_load_at(s, f, g):
            return True
    for k in range(s.n_items):
        if is_load_at(s, f, s.live.shape[0] + k):
            return True
    return False

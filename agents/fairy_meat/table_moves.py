"""From a goal to the steps of a move, for bots at the whole table.

A goal is a pair: what (below) and whom, a place of a figure or a piece of terrain. It is worked
out anew at each step from the same facts, so nothing has to be remembered.
"""

from __future__ import annotations

from agents.fairy_meat import sense
from agents.fairy_meat import table_sense as ts
from fm_env.compiled import rule
from fm_env.games.fairy_meat import actions as act
from fm_env.games.fairy_meat.constants import MAX_FIGURES, MAX_PIECES, Mode
from fm_env.games.fairy_meat.movement import COURSES

STAY, CONTACT, SIGHT, ONTO, AWAY, COVER = range(6)
POUNCE, FROLIC, FLUTTER = int(Mode.POUNCE), int(Mode.FROLIC), int(Mode.FLUTTER)
MARGIN = 0.6
"""Inches by which a guess may be wrong."""
TOO_NEAR = 0.9
"""Who seems so near without contact may be out of reach: on a ledge, or behind a wall."""
LEVEL = 0.5
"""Inches of height over which two may still touch (F-18)."""
NEAR_ENOUGH = 12.0
NOWHERE = -99.0
GRAIN = 0.01
"""Inches that are lost in the numbers of an observation."""


@rule
def is_bound(obs, me):
    """Whether a Wing Bind is on her now: 1 of the three, or 3."""
    third = sense.whole(obs[ts.figure(me) + ts.BOUND] * 3)
    return third == 1 or third == 3


@rule
def pace(obs, me, mode):
    """Inches of her move, Wind-up and Wing Bind counted."""
    far = (3.0 if mode == POUNCE else 6.0 if mode == FROLIC else 12.0) + obs[
        ts.figure(me) + ts.WIND_UP
    ] * 16.0
    return far * 0.5 if is_bound(obs, me) else far


@rule
def climb(obs, me, mode):
    """Inches that she may rise."""
    high = (12.0 if mode == POUNCE else 6.0 if mode == FROLIC else 3.0) + obs[
        ts.figure(me) + ts.WIND_UP
    ] * 16.0
    return high * 0.5 if is_bound(obs, me) else high


@rule
def is_cut_off(obs, k):
    """Whether figure `k` is near without contact and a ledge or a wall is between them: what is left of
    the way can't be flown. A hair's breadth of open ground can.
    """
    if ts.touches(obs, k) or ts.gap(obs, k) >= TOO_NEAR:
        return False
    row, size = ts.figure(k), ts.side(obs)
    if abs(obs[row + ts.ABOVE]) * 24.0 > LEVEL:
        return True
    return not ts.is_open_way(obs, obs[row + ts.EAST] * size, obs[row + ts.EAST + 1] * size, LEVEL)


@rule
def reaches(obs, me, k, mode):
    """Whether she seems to come into contact with figure `k` in that mode."""
    row = ts.figure(k)
    way = ts.gap(obs, k)
    if is_cut_off(obs, k):
        return False
    high = climb(obs, me, mode)
    if way > pace(obs, me, mode) - MARGIN or obs[row + ts.ABOVE] * 24.0 > high:
        return False
    size = ts.side(obs)
    return ts.is_open_way(obs, obs[row + ts.EAST] * size, obs[row + ts.EAST + 1] * size, high)


@rule
def mode_to_reach(obs, me, k):
    """The mode that gives most cards with which she reaches figure `k`, or 0."""
    if reaches(obs, me, k, FROLIC):
        return FROLIC
    if reaches(obs, me, k, POUNCE):
        return POUNCE
    return FLUTTER if reaches(obs, me, k, FLUTTER) else 0


@rule
def mode_for(obs, mask, me, what, whom):
    """The mode to set off in for a goal; 0 if none is left to her."""
    mode = FLUTTER
    if what == CONTACT:
        mode = mode_to_reach(obs, me, whom)
        if mode == 0:
            row, size = ts.figure(whom), ts.side(obs)
            east, north = obs[row + ts.EAST] * size, obs[row + ts.EAST + 1] * size
            open_low = ts.is_open_way(obs, east, north, climb(obs, me, FLUTTER))
            open_high = ts.is_open_way(obs, east, north, climb(obs, me, FROLIC))
            mode = FROLIC if (open_high and not open_low) or ts.gap(obs, whom) < TOO_NEAR else FLUTTER
    elif what == ONTO:
        far = distance_onto(obs, whom) > pace(obs, me, FROLIC) - MARGIN
        mode = FLUTTER if far and obs[ts.PIECES + whom * ts.PIECE + 9] * 24.0 <= 3.0 else FROLIC
    elif what == COVER:
        mode = FROLIC
    for turn in range(3):
        tried = FROLIC + (mode - FROLIC + turn) % 2 if turn < 2 else POUNCE
        if mode == POUNCE:
            tried = POUNCE if turn == 0 else FROLIC + turn - 1
        if mask[act.MODE + tried - 1]:
            return tried
    return 0


@rule
def step(obs, mask, me, what, whom):
    """The choice in the phases of a move."""
    if mask[act.DISTANCE + len(act.DISTANCES)]:
        return act.DISTANCE + len(act.DISTANCES)
    if obs[ts.LEGS] > 0 and what == AWAY:
        return act.HALT
    if what == CONTACT and mask[act.MOVE_TO]:
        return act.MOVE_TO
    if what == SIGHT and mask[act.MOVE_SIGHT]:
        return act.MOVE_SIGHT
    if what == ONTO and mask[act.MOVE_ONTO]:
        return act.MOVE_ONTO
    if what == COVER and mask[act.MOVE_COVER]:
        return act.MOVE_COVER
    if mask[act.HEADING]:
        return act.HEADING + heading_away(obs, me)
    return act.HALT


@rule
def heading_away(obs, me):
    """The heading that ends farthest from the nearest enemy, on the table and not behind a wall."""
    size, way = ts.side(obs), obs[ts.BUDGET] * 24.0
    x = (obs[ts.figure(me) + ts.X] + 1) * 0.5 * size
    y = (obs[ts.figure(me) + ts.X + 1] + 1) * 0.5 * size
    best, most = 0, -1e9
    for h in range(act.NUM_HEADINGS):
        east, north = COURSES[h, 0] * way, COURSES[h, 1] * way
        ex, ny = min(max(x + east, 1.0), size - 1.0) - x, min(max(y + north, 1.0), size - 1.0) - y
        score = nearest_after(obs, ex, ny)
        if not ts.is_open_way(obs, ex, ny, 3.0):
            score -= 8.0
        if abs(ex - east) + abs(ny - north) > 0.5 * way:
            score -= 4.0
        if score > most:
            best, most = h, score
    return best


@rule
def nearest_after(obs, east, north):
    """How far the nearest enemy would be from a place that far from here."""
    size, least = ts.side(obs), 99.0
    for k in range(MAX_FIGURES):
        if ts.is_enemy(obs, k):
            dx = obs[ts.figure(k) + ts.EAST] * size - east
            dy = obs[ts.figure(k) + ts.EAST + 1] * size - north
            least = min(least, (dx * dx + dy * dy) ** 0.5)
    return least


# -------------------------------------------------------------------------------------- whom
@rule
def nearest_enemy(obs):
    """The enemy that looks nearest and not walled off, or -1."""
    best, least = -1, 1e9
    for k in range(MAX_FIGURES):
        if ts.is_enemy(obs, k):
            far = ts.range_to(obs, k)
            if far < TOO_NEAR + 2.0 and is_cut_off(obs, k):
                far += 30.0
            if far < least:
                best, least = k, far
    return best


@rule
def prey(obs, me):
    """The weakest enemy that she reaches with this move, else the nearest; or -1."""
    best, least = -1, 1e9
    for k in range(MAX_FIGURES):
        if ts.is_enemy(obs, k) and mode_to_reach(obs, me, k) > 0:
            points = ts.live(obs, k) + ts.kill(obs, k) + 0.01 * ts.gap(obs, k)
            if points < least:
                best, least = k, points
    return best if best >= 0 else nearest_enemy(obs)


@rule
def nearest_food(obs, me, scoring):
    """The corpse that looks nearest (one that scores, if asked for), or -1."""
    best, least = -1, 1e9
    for k in range(MAX_FIGURES):
        if ts.is_food(obs, k, me) and (ts.scores(obs, k) or not scoring):
            far = ts.gap(obs, k)
            if is_cut_off(obs, k):
                far += 30.0
            if far < least:
                best, least = k, far
    return best


# ---------------------------------------------------------------------------------------- height
@rule
def way_onto(obs, p, axis):
    """Inches to the nearest place on piece `p` that holds her, east (axis 0) or north (1)."""
    size = ts.side(obs)
    at = obs[ts.PIECES + p * ts.PIECE + 7 + axis] * size
    room = max(0.0, obs[ts.PIECES + p * ts.PIECE + 4 + axis] * size - 2.0 * obs[ts.RADIUS])
    return min(max(0.0, at - room), at + room)


@rule
def distance_onto(obs, p):
    """Inches that she has to fly onto piece `p`."""
    east, north = way_onto(obs, p, 0), way_onto(obs, p, 1)
    return (east * east + north * north) ** 0.5


@rule
def footing(obs, me, east, north, ceiling):
    """Height above her own of the ground so far from her, or NOWHERE if she can't land there."""
    r, size = 2.0 * obs[ts.RADIUS], ts.side(obs)
    x = (obs[ts.figure(me) + ts.X] + 1) * 0.5 * size + east
    y = (obs[ts.figure(me) + ts.X + 1] + 1) * 0.5 * size + north
    if min(x, y) < r or max(x, y) > size - r:
        return NOWHERE
    ground = -obs[ts.figure(me) + ts.HEIGHT] * 24.0
    wall = ground
    for k in range(MAX_PIECES):
        p = ts.PIECES + k * ts.PIECE
        if obs[p] > 0:
            dx, dy = abs(obs[p + 7] * size - east), abs(obs[p + 8] * size - north)
            hx, hy = obs[p + 4] * size, obs[p + 5] * size
            if dx <= hx - r + GRAIN and dy <= hy - r + GRAIN:
                ground = max(ground, obs[p + 9] * 24.0)
            elif dx < hx + r and dy < hy + r:
                wall = max(wall, obs[p + 9] * 24.0)
    return ground if wall <= ground and ground <= ceiling else NOWHERE


@rule
def is_perch(obs, me, p):
    """Whether piece `p` holds her, nothing and nobody is where she would land on it, and she seems to
    get there with one move.
    """
    row, r, size = ts.PIECES + p * ts.PIECE, 2.0 * obs[ts.RADIUS], ts.side(obs)
    if obs[row] == 0 or min(obs[row + 4], obs[row + 5]) * size <= r:
        return False
    up = obs[row + 9] * 24.0
    if up > 6.0 or distance_onto(obs, p) > (10.0 if up <= 3.0 else 4.5):
        return False
    east, north = way_onto(obs, p, 0), way_onto(obs, p, 1)
    if abs(footing(obs, me, east, north, up + GRAIN) - up) > GRAIN:
        return False
    for k in range(MAX_FIGURES):
        k_row = ts.figure(k)
        if obs[k_row + ts.ALIVE] > 0 and obs[k_row + ts.THERE] > 0 and obs[k_row + ts.AT_HAND] == 0:
            dx, dy = obs[k_row + ts.EAST] * size - east, obs[k_row + ts.EAST + 1] * size - north
            if dx * dx + dy * dy < 4.0 * r * r and abs(obs[k_row + ts.ABOVE] * 24.0 - up) < 1.0:
                return False
    return ts.is_open_way(obs, east, north, 3.0 if up <= 3.0 else 6.0)


@rule
def lookout(obs, me):
    """The highest piece of terrain near by that holds her and is higher than where she stands, or -1."""
    best, most = -1, 1.0
    for p in range(MAX_PIECES):
        up = obs[ts.PIECES + p * ts.PIECE + 9] * 24.0
        if up > most and is_perch(obs, me, p):
            best, most = p, up
    return best

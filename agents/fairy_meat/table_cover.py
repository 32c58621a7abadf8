"""Cover and height as far as an eye can judge them: who is dangerous from afar, and where she would
be out of that one's sight, or see somebody from above.

What a figure would see is guessed from three lines between them, with every piece of terrain
taken for a box; places are those that the game itself would look at for her.
"""

from __future__ import annotations

from agents.fairy_meat import sense
from agents.fairy_meat import table_moves as moves
from agents.fairy_meat import table_sense as ts
from agents.fairy_meat import table_value as value
from fm_env.compiled import rule
from fm_env.games.fairy_meat.actions import NUM_HEADINGS
from fm_env.games.fairy_meat.constants import MAX_FIGURES, MAX_PIECES
from fm_env.games.fairy_meat.movement import COURSES

HEAD = 1.0
"""Inches from her feet to her eyes."""
LINES = 3
RINGS = 5
HIDDEN = 2
IN_PART = 0.3
"""What cover in part is worth, if it is 1 to be hidden: a card against shots, nothing against thorns."""
STRIDE = 6.0
"""Inches by which an archer comes nearer for a shot."""


# ---------------------------------------------------------------------------------- who to fear
@rule
def sees_me(obs, k):
    """What figure `k` sees of the figure at hand: 0, 1 (partly) or 2."""
    return sense.whole(obs[ts.figure(k) + ts.SEES_ME] * 2)


@rule
def menace(obs, me, k):
    """What `k` may do to her from afar until her next turn, in points of the game; less if she has acted."""
    if not ts.is_enemy(obs, k) or sees_me(obs, k) == 0:
        return 0.0
    row, worth = ts.figure(k), 0.0
    guard = ts.guard(obs, me, False)
    reach = ts.reach_of(obs, k)
    if reach > 0.0 and ts.kill(obs, k) > 0 and ts.range_to(obs, k) <= reach + STRIDE:
        worth += value.worth_of_hit(obs, me, 1 + ts.shot_of(obs, k), guard + (sees_me(obs, k) == 1))
    if obs[row + ts.MEAN] > 0 and ts.twinkle(obs, k) >= 2:
        worth += value.worth_of_hit(obs, me, 1, guard)
    return 0.5 * worth if obs[row + ts.ACTED] > 0 else worth


# ---------------------------------------------------------------------------- what would be seen
@rule
def is_line_blocked(obs, x0, y0, z0, x1, y1, z1):
    """Whether a straight line, in inches from where she stands, seems to pass through terrain."""
    size = ts.side(obs)
    for k in range(MAX_PIECES):
        p = ts.PIECES + k * ts.PIECE
        top = obs[p + 9] * 24.0
        if obs[p] == 0 or min(z0, z1) >= top:
            continue
        enter, leave = 0.0, 1.0
        if z0 != z1:  # the part of the line below the top
            t = (top - z0) / (z1 - z0)
            if z1 > z0:
                leave = min(leave, t)
            else:
                enter = max(enter, t)
        for axis in range(2):
            start, way = (y0, y1 - y0) if axis else (x0, x1 - x0)
            low = obs[p + 7 + axis] * size - obs[p + 4 + axis] * size - start
            high = low + 2.0 * obs[p + 4 + axis] * size
            if abs(way) > 1e-6:
                enter = max(enter, min(low / way, high / way))
                leave = min(leave, max(low / way, high / way))
            elif low >= 0.0 or high <= 0.0:
                leave = -1.0
        if enter + 1e-6 < leave:
            return True
    return False


@rule
def lines_to(obs, x0, y0, z0, x1, y1, z1):
    """How many of `LINES` from the eyes of a figure at the first place to one at the second are open: to
    her head and to both edges of her base.
    """
    dx, dy = x1 - x0, y1 - y0
    way = max(1e-6, (dx * dx + dy * dy) ** 0.5)
    ex, ey = -dy / way * 2.0 * obs[ts.RADIUS], dx / way * 2.0 * obs[ts.RADIUS]
    n = 0
    n += not is_line_blocked(obs, x0, y0, z0 + HEAD, x1, y1, z1 + HEAD)
    n += not is_line_blocked(obs, x0, y0, z0 + HEAD, x1 + ex, y1 + ey, z1)
    n += not is_line_blocked(obs, x0, y0, z0 + HEAD, x1 - ex, y1 - ey, z1)
    return n


# --------------------------------------------------------------------------------------- shelter
@rule
def mode_of(obs):
    """The mode of her move: the one that she has declared, else a frolic."""
    for mode in (moves.POUNCE, moves.FLUTTER):
        if obs[ts.MODE + mode] > 0:
            return mode
    return moves.FROLIC


@rule
def best_cover(obs, me, k, mode):
    """The best cover from figure `k` within a move: 0, 1 (in part) or HIDDEN."""
    far, high, size = moves.pace(obs, me, mode), moves.climb(obs, me, mode), ts.side(obs)
    row = ts.figure(k)
    kx, ky, kz = obs[row + ts.EAST] * size, obs[row + ts.EAST + 1] * size, obs[row + ts.ABOVE] * 24.0
    best = 0
    for ring in range(1, RINGS + 1):
        for h in range(NUM_HEADINGS):
            east, north = COURSES[h, 0] * far * ring / RINGS, COURSES[h, 1] * far * ring / RINGS
            up = moves.footing(obs, me, east, north, high)
            if up != moves.NOWHERE and ts.is_open_way(obs, east, north, high):
                lines = lines_to(obs, kx, ky, kz, east, north, up)
                best = max(best, HIDDEN if lines == 0 else 1 if lines < LINES else 0)
                if best == HIDDEN:
                    return best
    return best


@rule
def shelter(obs, me):
    """From whom to take cover with this move, and what that saves in points: the most dangerous enemy,
    if cover from her is better near by than here; else -1.
    """
    worst, most = -1, 0.0
    for k in range(MAX_FIGURES):
        threat = menace(obs, me, k)
        if threat > most:
            worst, most = k, threat
    if worst < 0:
        return -1, 0.0
    cover = best_cover(obs, me, worst, mode_of(obs))
    if cover <= HIDDEN - sees_me(obs, worst):
        return -1, 0.0
    return worst, most if cover == HIDDEN else most * IN_PART


# ---------------------------------------------------------------------------------------- height
@rule
def perch(obs, me):
    """The highest piece of terrain in reach from which she would see an enemy in range of her bow, or -1."""
    best, most, size = -1, 1.0, ts.side(obs)
    reach = ts.reach_of(obs, me)
    for p in range(MAX_PIECES):
        up = obs[ts.PIECES + p * ts.PIECE + 9] * 24.0
        if up <= most or not moves.is_perch(obs, me, p):
            continue
        east, north = moves.way_onto(obs, p, 0), moves.way_onto(obs, p, 1)
        for k in range(MAX_FIGURES):
            if ts.is_enemy(obs, k):
                row = ts.figure(k)
                dx, dy = obs[row + ts.EAST] * size - east, obs[row + ts.EAST + 1] * size - north
                dz = obs[row + ts.ABOVE] * 24.0 - up
                flat = max(0.0, (dx * dx + dy * dy) ** 0.5 - 4.0 * obs[ts.RADIUS])
                in_range = (flat * flat + dz * dz) ** 0.5 <= reach - 0.8
                if in_range and lines_to(obs, east, north, up, east + dx, north + dy, up + dz) > 0:
                    best, most = p, up
                    break
    return best

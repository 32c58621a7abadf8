"""Line of sight, cover, contact and range (rulebook, Ranged Attacks; F-17, F-18, F-32 to F-34).

Lengths are in thousandths of an inch. What figures see and touch is kept in the record
(`sees`, `touch`) and worked out anew only for a figure that moved.
"""

from __future__ import annotations

import math

from fm_env.compiled import rule
from fm_env.games.fairy_meat.constants import (
    BOX,
    CHEST,
    CONTACT_GAP,
    CONTACT_HEIGHT,
    HEAD,
    WEAPON_RANGE,
    Place,
    View,
)

HIDDEN, PARTIAL, CLEAR = int(View.HIDDEN), int(View.PARTIAL), int(View.CLEAR)
GRAZE = 1e-9
"""A line that only touches a face passes."""


# ------------------------------------------------------------------------------------ lines
@rule
def is_line_blocked(s, x0, y0, z0, x1, y1, z1):
    """Whether a straight line passes through the inside of some piece of terrain."""
    for k in range(s.n_pieces):
        if min(z0, z1) < s.top[k] and passes_through(s, k, x0, y0, z0, x1, y1, z1):
            return True
    return False


@rule
def passes_through(s, k, x0, y0, z0, x1, y1, z1):
    """Whether a line passes through the inside of piece `k`."""
    cx, cy = float(s.centre[k, 0]), float(s.centre[k, 1])
    hx, hy = float(s.half[k, 0]), float(s.half[k, 1])
    if min(x0, x1) >= cx + hx or max(x0, x1) <= cx - hx or min(y0, y1) >= cy + hy or max(y0, y1) <= cy - hy:
        return False
    enter, leave = 0.0, 1.0
    top = float(s.top[k])
    if z0 != z1:  # the part of the line below the top
        t = (top - z0) / (z1 - z0)
        if z1 > z0:
            leave = min(leave, t)
        else:
            enter = max(enter, t)
    dx, dy = x1 - x0, y1 - y0
    if s.form[k] == BOX:
        if dx != 0.0:
            near, far = (cx - hx - x0) / dx, (cx + hx - x0) / dx
            enter = max(enter, min(near, far))
            leave = min(leave, max(near, far))
        if dy != 0.0:
            near, far = (cy - hy - y0) / dy, (cy + hy - y0) / dy
            enter = max(enter, min(near, far))
            leave = min(leave, max(near, far))
        return enter + GRAZE < leave
    ox, oy = x0 - cx, y0 - cy
    a = dx * dx + dy * dy
    b = ox * dx + oy * dy
    c = ox * ox + oy * oy - hx * hx
    if a == 0.0:
        return c < 0.0 and enter + GRAZE < leave
    inside = b * b - a * c
    if inside <= 0.0:
        return False
    root = math.sqrt(inside)
    return max(enter, (-b - root) / a) + GRAZE < min(leave, (-b + root) / a)


@rule
def view_between(s, x0, y0, z0, x1, y1, z1):
    """What a figure at the first point sees of one at the second (F-32, F-33).

    From her head to four points: head, chest and both edges of the base. Figures never block, and
    which way she faces doesn't matter (F-23).
    """
    dx, dy = x1 - x0, y1 - y0
    length = math.sqrt(dx * dx + dy * dy)
    # The edges lie across the line of sight; straight above or below, any two opposite points do.
    ex, ey = (-dy / length, dx / length) if length > 0.0 else (1.0, 0.0)
    ex, ey = ex * s.radius, ey * s.radius
    eye = z0 + HEAD
    clear = 0
    clear += not is_line_blocked(s, x0, y0, eye, x1, y1, z1 + HEAD)
    clear += not is_line_blocked(s, x0, y0, eye, x1, y1, z1 + CHEST)
    clear += not is_line_blocked(s, x0, y0, eye, x1 + ex, y1 + ey, z1)
    clear += not is_line_blocked(s, x0, y0, eye, x1 - ex, y1 - ey, z1)
    if clear == 4:
        return CLEAR
    return PARTIAL if clear > 0 else HIDDEN


# -------------------------------------------------------------------------------- distances
@rule
def distance2(s, f, g):
    """Square of the distance of two bases' centres, seen from above."""
    dx = float(s.pos[f, 0]) - float(s.pos[g, 0])
    dy = float(s.pos[f, 1]) - float(s.pos[g, 1])
    return dx * dx + dy * dy


@rule
def range_between(s, f, g):
    """Edge to edge: the gap in plan, and the difference in height (F-17)."""
    gap = max(0.0, math.sqrt(distance2(s, f, g)) - 2.0 * s.radius)
    dz = float(s.pos[f, 2]) - float(s.pos[g, 2])
    return math.sqrt(gap * gap + dz * dz)


@rule
def is_in_range(s, f, g, weapon):
    """Within a weapon's range, which includes equality (F-17); the wand has no limit."""
    return WEAPON_RANGE[weapon] == 0 or range_between(s, f, g) <= WEAPON_RANGE[weapon]


@rule
def is_close(s, x0, y0, z0, x1, y1, z1):
    """Base contact of two places (F-18)."""
    dx, dy = float(x0) - float(x1), float(y0) - float(y1)
    reach = 2.0 * s.radius + CONTACT_GAP
    return dx * dx + dy * dy <= reach * reach and abs(float(z0) - float(z1)) <= CONTACT_HEIGHT


@rule
def is_contact(s, f, g):
    """Base contact of two figures, alive or dead (F-18)."""
    return is_close(s, s.pos[f, 0], s.pos[f, 1], s.pos[f, 2], s.pos[g, 0], s.pos[g, 1], s.pos[g, 2])


# ------------------------------------------------------------------------------ what is seen
@rule
def look_around(s, f):
    """What `f` sees and touches from where she is now, and who sees and touches her.

    A fairy sees herself (F-34). A corpse is only touched, by the living; who is off the table is
    neither seen nor touched (F-62, F-73).
    """
    here = s.whereabouts[f] == Place.TABLE
    x, y, z = float(s.pos[f, 0]), float(s.pos[f, 1]), float(s.pos[f, 2])
    for g in range(s.n_fairies):
        s.touch[f, g] = 0
        s.touch[g, f] = 0
        s.sees[f, g] = 0
        s.sees[g, f] = 0
        if not here or g == f or s.whereabouts[g] != Place.TABLE:
            continue
        if s.alive[f] or s.alive[g]:
            close = is_contact(s, f, g)
            s.touch[f, g] = close
            s.touch[g, f] = close
        if s.alive[f] and s.alive[g]:
            gx, gy, gz = float(s.pos[g, 0]), float(s.pos[g, 1]), float(s.pos[g, 2])
            s.sees[f, g] = view_between(s, x, y, z, gx, gy, gz)
            s.sees[g, f] = view_between(s, gx, gy, gz, x, y, z)
    if here and s.alive[f]:
        s.sees[f, f] = CLEAR
    for k in range(s.n_items):
        look_for_item(s, f, k)


@rule
def look_for_item(s, f, k):
    """Whether `f` touches loot that is no corpse (F-74)."""
    here = s.whereabouts[f] == Place.TABLE and s.alive[f] == 1 and s.weight[k] > 0
    s.at_item[f, k] = here and is_close(
        s, s.pos[f, 0], s.pos[f, 1], s.pos[f, 2], s.thing[k, 0], s.thing[k, 1], s.thing[k, 2]
    )


@rule
def look_at_item(s, k):
    """An item was moved or is gone."""
    for f in range(s.n_fairies):
        look_for_item(s, f, k)

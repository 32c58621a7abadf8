"""Setting up (rulebook, Scenario; F-64, F-65).

Players draw cards for the order and then place one fairy at a time. A place is a column and a row
of twelve by twelve cells and one of sixteen spots inside. Distances may be measured here (F-88).
"""

from __future__ import annotations

import math

from fm_env.compiled import rule
from fm_env.games.fairy_meat import actions as act
from fm_env.games.fairy_meat.cards import call_rank, discard_up
from fm_env.games.fairy_meat.constants import (
    APART,
    CELLS,
    COARSE,
    FINE,
    NO_FAIRY,
    SPOTS_A_WORD,
    Phase,
    Place,
)
from fm_env.games.fairy_meat.movement import NO_GROUND, ground, is_free
from fm_env.games.fairy_meat.sight import look_around, range_between

ANY_HEIGHT = 1 << 30
NO_LOT = -1
WORD = SPOTS_A_WORD


# ------------------------------------------------------------------------------------- the table
@rule
def lay_table(s, k):
    """Table `k` is played on. Which spots hold a base is worked out once."""
    s.table = k
    s.n_pieces = 0
    for j in range(s.form.shape[0]):
        s.form[j] = s.plan_form[k, j]
        s.n_pieces += s.form[j] > 0
        s.centre[j, 0] = 10 * int(s.plan[k, j, 0])
        s.centre[j, 1] = 10 * int(s.plan[k, j, 1])
        s.half[j, 0] = 10 * int(s.plan[k, j, 2])
        s.half[j, 1] = 10 * int(s.plan[k, j, 3])
        s.top[j] = 10 * int(s.plan[k, j, 4])
    for word in range(s.stands.shape[0]):
        bits = 0
        for bit in range(WORD):
            k = WORD * word + bit
            if k < CELLS * CELLS:
                x, y = spot_place(s, k)
                if ground(s, x, y, ANY_HEIGHT) != NO_GROUND:
                    bits |= 1 << bit
        s.stands[word] = bits
    for k in range(s.n_items):
        s.thing[k, 2] = max(0, ground(s, s.thing[k, 0], s.thing[k, 1], ANY_HEIGHT))


@rule
def spot_place(s, k):
    """The middle of spot `k` of the 48 by 48."""
    return (2 * (k % CELLS) + 1) * s.side // (2 * CELLS), (2 * (k // CELLS) + 1) * s.side // (2 * CELLS)


@rule
def holds_base(s, k):
    return (s.stands[k // WORD] >> (k % WORD)) & 1 == 1


@rule
def stand(s, f, x, y):
    """Put a figure at (x, y), on whatever is under it."""
    s.whereabouts[f] = Place.TABLE
    s.pos[f, 0] = x
    s.pos[f, 1] = y
    s.pos[f, 2] = max(0, ground(s, x, y, ANY_HEIGHT))


@rule
def stand_as_set_up(s):
    """Figures whose places are given stand there, and round 1 begins."""
    for f in range(s.n_fairies):
        if s.whereabouts[f] == Place.TABLE:
            stand(s, f, s.pos[f, 0], s.pos[f, 1])
    for f in range(s.n_fairies):
        look_around(s, f)
    s.phase = Phase.ROUND_START


# -------------------------------------------------------------------------------------- the lots
@rule
def next_lot(s):
    """The next player to draw for the order of placing, or -1 when the order is known (F-64)."""
    for place in range(s.n_seats):
        n = 0
        for seat in range(s.n_seats):
            n += s.lot_rank[seat] == place
        if n > 1:
            for seat in range(s.n_seats):
                if s.lot_rank[seat] == place and s.lot[seat] == NO_LOT:
                    return seat
    return -1


@rule
def draw_lot(s, card):
    """Higher cards place first; equals draw again among themselves (F-64)."""
    discard_up(s, card)
    seat = next_lot(s)
    s.lot[seat] = call_rank(card)
    if next_lot(s) >= 0:
        return
    for place in range(s.n_seats - 1, -1, -1):
        split_place(s, place)


@rule
def split_place(s, place):
    """Players who share a place are ordered by what they drew."""
    n = 0
    for seat in range(s.n_seats):
        n += s.lot_rank[seat] == place
    if n < 2:
        return
    for seat in range(s.n_seats):
        if s.lot_rank[seat] == place and s.lot[seat] != NO_LOT:
            higher = 0
            for other in range(s.n_seats):
                # Ranks already moved keep their lots until the end, so compare lots of the old place.
                higher += s.lot[other] > s.lot[seat] and place <= s.lot_rank[other] < place + n
            s.lot_rank[seat] = place + higher
    for seat in range(s.n_seats):
        if place <= s.lot_rank[seat] < place + n:
            s.lot[seat] = NO_LOT


# --------------------------------------------------------------------------------------- placing
@rule
def has_to_place(s, seat):
    for f in range(s.n_fairies):
        if s.owner[f] == seat and s.whereabouts[f] == Place.AWAY:
            return True
    return False


@rule
def go_on_placing(s):
    """The next player in the drawn order who has a fairy to place (F-64); then round 1 begins."""
    after = s.lot_rank[s.placer] if s.placer >= 0 else -1
    for turn in range(1, s.n_seats + 1):
        for seat in range(s.n_seats):
            if s.lot_rank[seat] == (after + turn) % s.n_seats and has_to_place(s, seat):
                s.placer = seat
                s.placing = NO_FAIRY
                s.phase = Phase.PICK_FIGURE
                return
    s.placer = -1
    for f in range(s.n_fairies):
        look_around(s, f)
    s.phase = Phase.ROUND_START


@rule
def only_one_to_place(s):
    """The placer's only fairy left, or NO_FAIRY if she has a choice."""
    found = NO_FAIRY
    for f in range(s.n_fairies):
        if is_to_be_placed(s, f):
            if found != NO_FAIRY:
                return NO_FAIRY
            found = f
    return found


@rule
def is_to_be_placed(s, f):
    return s.owner[f] == s.placer and s.whereabouts[f] == Place.AWAY


@rule
def first_to_place(s):
    """Some fairy of the player who picks the one to place."""
    for f in range(s.n_fairies):
        if is_to_be_placed(s, f):
            return f
    return NO_FAIRY


@rule
def start_placing(s, f):
    s.placing = f
    s.cell[0] = -1
    s.cell[1] = -1
    s.far_spot = -1
    s.phase = Phase.CELL
    for k in range(CELLS * CELLS):
        if is_open_spot(s, k):
            return
    s.far_spot = farthest_spot(s)


@rule
def fits(s, k):
    """Whether her base can stand on spot `k` without touching another's."""
    if not holds_base(s, k):
        return False
    x, y = spot_place(s, k)
    return is_free(s, s.placing, x, y, ground(s, x, y, ANY_HEIGHT))


@rule
def nearest_enemy(s, k):
    """How far the nearest enemy is from spot `k`, edge to edge (F-65)."""
    f = s.placing
    x, y = spot_place(s, k)
    stand(s, f, x, y)
    best = 1e18
    for g in range(s.n_fairies):
        if s.owner[g] != s.owner[f] and s.whereabouts[g] == Place.TABLE:
            best = min(best, range_between(s, f, g))
    s.whereabouts[f] = Place.AWAY
    s.pos[f, 0] = 0
    s.pos[f, 1] = 0
    s.pos[f, 2] = 0
    return best


@rule
def is_near_enemy(s, k):
    """Within 16 inches of an enemy, edge to edge (F-64, F-65)."""
    f = s.placing
    x, y = spot_place(s, k)
    for g in range(s.n_fairies):
        if s.owner[g] != s.owner[f] and s.whereabouts[g] == Place.TABLE:
            dx, dy = float(x) - s.pos[g, 0], float(y) - s.pos[g, 1]
            reach = APART + 2.0 * s.radius
            if dx * dx + dy * dy < reach * reach:
                dz = float(ground(s, x, y, ANY_HEIGHT) - s.pos[g, 2])
                gap = max(0.0, math.sqrt(dx * dx + dy * dy) - 2.0 * s.radius)
                if gap * gap + dz * dz < float(APART) * APART:
                    return True
    return False


@rule
def is_open_spot(s, k):
    """Whether she may be placed on spot `k` (F-64)."""
    if s.far_spot >= 0:
        return k == s.far_spot
    return holds_base(s, k) and not is_near_enemy(s, k) and fits(s, k)


@rule
def farthest_spot(s):
    """Where no place is 16 inches from all enemies: the one farthest from the nearest (F-64)."""
    best, spot = -1.0, 0
    for k in range(CELLS * CELLS):
        if fits(s, k):
            far = nearest_enemy(s, k)
            if far > best:
                best, spot = far, k
    return spot


@rule
def spot_index(column, row, spot):
    """Spot of the 48 by 48 grid."""
    column, row = int(column), int(row)
    return (FINE * row + spot // FINE) * CELLS + FINE * column + spot % FINE


@rule
def is_open_cell(s, column, row):
    for spot in range(FINE * FINE):
        if is_open_spot(s, spot_index(column, row, spot)):
            return True
    return False


@rule
def legal_cells(s, out):
    """Columns that have an open cell; then the rows of the column; then the spots of the cell."""
    n = 0
    if s.cell[0] < 0:
        for column in range(COARSE):
            for row in range(COARSE):
                if is_open_cell(s, column, row):
                    out[act.COLUMN + column] = True
                    n += 1
                    break
        return n
    if s.cell[1] < 0:
        for row in range(COARSE):
            if is_open_cell(s, s.cell[0], row):
                out[act.ROW + row] = True
                n += 1
        return n
    for spot in range(FINE * FINE):
        if is_open_spot(s, spot_index(s.cell[0], s.cell[1], spot)):
            out[act.SPOT + spot] = True
            n += 1
    return n


@rule
def take_cell(s, action):
    if action < act.ROW:
        s.cell[0] = action - act.COLUMN
    elif action < act.SPOT:
        s.cell[1] = action - act.ROW
        s.phase = Phase.SPOT
    else:
        x, y = spot_place(s, spot_index(s.cell[0], s.cell[1], action - act.SPOT))
        stand(s, s.placing, x, y)
        s.placing = NO_FAIRY
        s.phase = Phase.PLACING

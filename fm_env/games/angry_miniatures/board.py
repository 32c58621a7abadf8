"""The grid: squares, steps, distance, lines and ways (A:7-9, A:25, A:58-59).

A square is a number `10 * row + column`; row 0 is seat 0's edge. Each seat sees and names squares
from its own edge, so for seat 1 the board is turned by half.
"""

from __future__ import annotations

import numpy as np

from fm_env.compiled import rule
from fm_env.games.angry_miniatures.constants import (
    BLOCKING,
    CELLS,
    DIFFICULT,
    HINDERING,
    NOBODY,
    SIDE,
    SIZE,
    STEP_X,
    STEP_Y,
    WATER,
)

LONGEST_LINE = 2 * SIZE
"""More squares than any line between two squares of the board crosses."""


def crossed(dx: int, dy: int) -> list[tuple[int, int]]:
    """Squares between two squares that the line of their centres runs through (A-14).

    Args:
        dx: columns from the first to the second square, not negative.
        dy: rows likewise.

    A square is crossed if its corners lie strictly on both sides of the line; along an edge or
    through a corner doesn't count. Exact: everything is an integer.
    """
    found = []
    for x in range(dx + 1):
        for y in range(dy + 1):
            corners = [dy * (2 * x + i) - dx * (2 * y + j) for i in (-1, 1) for j in (-1, 1)]
            if min(corners) < 0 < max(corners) and (x, y) not in ((0, 0), (dx, dy)):
                found.append((x, y))
    return found


_CROSSED = [[crossed(dx, dy) for dy in range(SIZE)] for dx in range(SIZE)]
LINE_LENGTH = np.array([[len(line) for line in row] for row in _CROSSED], np.int8)
"""`[10, 10]` how many squares are crossed, by columns and rows apart."""
LINE = np.zeros((SIZE, SIZE, LONGEST_LINE, 2), np.int8)
"""Which ones, as (columns, rows) from the first square."""
for _dx, _row in enumerate(_CROSSED):
    for _dy, _line in enumerate(_row):
        for _k, _square in enumerate(_line):
            LINE[_dx, _dy, _k] = _square


# ------------------------------------------------------------------------------------- squares
@rule
def turned(s, seat, c):
    """Square `c` as `seat` names it, and back: the board turned by half for seat 1."""
    return int(c) if seat == 0 else int(s.last) - int(c)


@rule
def distance(a, b):
    """Squares between two squares; a diagonal counts one (A-10)."""
    return max(abs(a // SIZE - b // SIZE), abs(a % SIZE - b % SIZE))


@rule
def is_free(s, c):
    """A figure can stand here (A-12)."""
    return s.at[c] == NOBODY and s.ground[c] & BLOCKING == 0


@rule
def entry_cost(s, c):
    """Speed to enter a square: two for difficult terrain or water (A-11)."""
    return 2 if s.ground[c] & (DIFFICULT | WATER) else 1


@rule
def lay_steps(s):
    """Which of the eight steps the terrain allows from each square (A-10).

    A diagonal step can't squeeze between two blocking squares that touch at the corner.
    """
    for c in range(CELLS):
        s.steps[c] = 0
        if s.ground[c] & BLOCKING:
            continue
        for d in range(8):
            x = c % SIZE + STEP_X[d]
            y = c // SIZE + STEP_Y[d]
            if x < 0 or x >= s.width or y < 0 or y >= s.height:
                continue
            if s.ground[y * SIZE + x] & BLOCKING:
                continue
            beside = s.ground[c // SIZE * SIZE + x] & s.ground[y * SIZE + c % SIZE] & BLOCKING
            if beside and STEP_X[d] != 0 and STEP_Y[d] != 0:
                continue
            s.steps[c] |= 1 << d


# --------------------------------------------------------------------------------------- lines
@rule
def is_line_clear(s, a, b):
    """No blocking square lies on the line from `a` to `b` (A-15)."""
    x, y = a % SIZE, a // SIZE
    dx, dy = b % SIZE - x, b // SIZE - y
    right = 1 if dx >= 0 else -1
    up = 1 if dy >= 0 else -1
    dx, dy = abs(dx), abs(dy)
    for k in range(LINE_LENGTH[dx, dy]):
        c = (y + up * LINE[dx, dy, k, 1]) * SIZE + x + right * LINE[dx, dy, k, 0]
        if s.ground[c] & BLOCKING:
            return False
    return True


@rule
def cover(s, a, b):
    """Hindering squares and occupied squares on the line from `a` to `b` (A-14, A:58-59)."""
    x, y = a % SIZE, a // SIZE
    dx, dy = b % SIZE - x, b // SIZE - y
    right = 1 if dx >= 0 else -1
    up = 1 if dy >= 0 else -1
    dx, dy = abs(dx), abs(dy)
    n = 0
    for k in range(LINE_LENGTH[dx, dy]):
        c = (y + up * LINE[dx, dy, k, 1]) * SIZE + x + right * LINE[dx, dy, k, 0]
        n += s.ground[c] & HINDERING != 0
        n += s.at[c] != NOBODY
    return n


# ---------------------------------------------------------------------------------------- ways
@rule
def clear_ways(s):
    s.reach[:] = -1
    s.way[:] = 0


@rule
def find_ways(s, f, speed):
    """The cheapest way of figure `f` to every square that `speed` pays for (A-10, A-11, A-12, A-32).

    `reach` gets the Speed spent, -1 where she can't go; `way` the squares on that way, the most
    among equally cheap ones. Squares are settled in order of cost, so each is final when it is left.
    """
    clear_ways(s)
    start = int(s.cell[f])
    side = f // SIDE
    s.reach[start] = 0
    x0, y0 = start % SIZE, start // SIZE
    for spent in range(speed):
        for y in range(max(0, y0 - spent), min(s.height - 1, y0 + spent) + 1):
            for c in range(y * SIZE + max(0, x0 - spent), y * SIZE + min(s.width - 1, x0 + spent) + 1):
                if s.reach[c] == spent:
                    step_out(s, c, spent, speed, side)


@rule
def step_out(s, c, spent, speed, side):
    """Lengthen the way that ends on `c` by one square in each direction."""
    for d in range(8):
        if s.steps[c] >> d & 1 == 0:
            continue
        n = c + SIZE * STEP_Y[d] + STEP_X[d]
        if 0 <= s.reach[n] <= spent:  # settled
            continue
        total = spent + entry_cost(s, n)
        if total > speed or (s.at[n] != NOBODY and s.at[n] // SIDE != side):
            continue
        if s.reach[n] < 0 or total < s.reach[n]:
            s.reach[n] = total
            s.way[n] = s.way[c] + 1
        elif total == s.reach[n] and s.way[c] + 1 > s.way[n]:
            s.way[n] = s.way[c] + 1

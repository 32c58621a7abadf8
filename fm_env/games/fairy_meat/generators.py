"""Seeded tables: a meadow, a garden, a kitchen and ruins, on a table of any size.

Draws are whole numbers from the raw stream of PCG64, which NumPy keeps the same for ever; lengths
are quarters of an inch. So a table is the same everywhere, given its name, seed and side.

Pieces keep their size on a small table (fairies don't shrink either), and there are fewer of them,
in proportion to the side: then the share of lines of sight that they cut stays about the same.
Never imported by the kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache

import numpy as np

from fm_env.games.fairy_meat.constants import INCH, MAX_FIGURES, MAX_PIECES
from fm_env.games.fairy_meat.terrain import Box, Cylinder, Terrain, overlap, thousandths

TRIES = 60
"""Places tried for a piece before it is left out."""
Shape = Box | Cylinder
Maker = Callable[[float, float], list[Shape]]
"""Makes pieces that belong together around a place."""


class Luck:
    """Whole numbers, the same on every machine."""

    def __init__(self, name: str, seed: int, side: int) -> None:
        self._bits = np.random.PCG64(np.random.SeedSequence([*name.encode(), seed, side]))

    def between(self, low: int, high: int) -> int:
        """One of low .. high, both included."""
        return low + int(self._bits.random_raw()) % (high - low + 1)

    def quarters(self, low: float, high: float) -> float:
        """Inches from low to high, a multiple of a quarter."""
        return self.between(round(4 * low), round(4 * high)) / 4

    def chance(self, percent: int) -> bool:
        """True so many times in a hundred."""
        return self.between(1, 100) <= percent


class Ground:
    """A table that is being filled."""

    def __init__(self, side: float) -> None:
        self.side = side
        self.pieces: list[Shape] = []

    def add(self, pieces: Iterable[Shape], gap: float) -> bool:
        """Put pieces down together if they lie on the table and nothing stands within `gap` of them."""
        new = list(pieces)
        if len(self.pieces) + len(new) > MAX_PIECES or not all(self.inside(piece) for piece in new):
            return False
        if any(overlap(wider(piece, gap), other) for piece in new for other in self.pieces):
            return False
        self.pieces += new
        return True

    def inside(self, piece: Shape) -> bool:
        """Whether it lies on the table."""
        side = thousandths(self.side)
        return all(h <= c <= side - h for c, h in zip(piece.centre, piece.half, strict=True))

    def scatter(self, luck: Luck, make: Maker, number: int, gap: float) -> None:
        """Groups of pieces, each around a place drawn by chance: `number` of them on 48 inches."""
        for _ in range(max(1, int(number * self.side / 48 + 0.5))):
            for _ in range(TRIES):
                x, y = luck.quarters(0, self.side), luck.quarters(0, self.side)
                if self.add(make(x, y), gap):
                    break


def wider(piece: Shape, gap: float) -> Shape:
    """The piece with a margin around it."""
    if isinstance(piece, Cylinder):
        return piece.model_copy(update={"radius": piece.radius + gap})
    return piece.model_copy(update={"width": piece.width + 2 * gap, "depth": piece.depth + 2 * gap})


def box(x: float, y: float, width: float, depth: float, height: float) -> Box:
    return Box(kind="box", x=x, y=y, width=width, depth=depth, height=height)


def cylinder(x: float, y: float, radius: float, height: float) -> Cylinder:
    return Cylinder(kind="cylinder", x=x, y=y, radius=radius, height=height)


def turned(luck: Luck, x: float, y: float, length: float, thickness: float, height: float) -> Box:
    """A long box along either axis."""
    if luck.chance(50):
        return box(x, y, length, thickness, height)
    return box(x, y, thickness, length, height)


# ------------------------------------------------------------------------------------- the four
def meadow(ground: Ground, luck: Luck) -> None:
    """Open grass: a few mushrooms, logs that hide nobody, flat stones."""

    def mushroom(x: float, y: float) -> list[Shape]:
        return [cylinder(x, y, luck.quarters(0.75, 1.25), luck.quarters(2, 4))]

    def log(x: float, y: float) -> list[Shape]:
        return [turned(luck, x, y, luck.quarters(4, 7), 1.5, 1)]

    def stone(x: float, y: float) -> list[Shape]:
        return [box(x, y, luck.quarters(1.5, 3.5), luck.quarters(1.5, 3.5), luck.quarters(0.25, 1))]

    ground.scatter(luck, mushroom, 3, 3)
    ground.scatter(luck, log, 2, 2)
    ground.scatter(luck, stone, 9, 1.5)


def garden(ground: Ground, luck: Luck) -> None:
    """Hedges, beds with a low rim, flower pots in rows."""

    def hedge(x: float, y: float) -> list[Shape]:
        return [turned(luck, x, y, luck.quarters(5, 8), luck.quarters(1.5, 2), luck.quarters(3.5, 6))]

    def bed(x: float, y: float) -> list[Shape]:
        return [box(x, y, luck.quarters(4, 6), luck.quarters(3, 5), luck.quarters(0.5, 1))]

    def pots(x: float, y: float) -> list[Shape]:
        number = luck.between(1, 3)
        return [
            cylinder(x + 3 * k, y + luck.quarters(-1, 1), luck.quarters(0.75, 1.25), luck.quarters(1.5, 3))
            for k in range(number)
        ]

    ground.scatter(luck, hedge, 3, 2)
    ground.scatter(luck, bed, 4, 1.5)
    ground.scatter(luck, pots, 4, 1)


def kitchen(ground: Ground, luck: Luck) -> None:
    """Furniture, books for stairs, tins, and bottles that only a pounce gets up."""

    def cupboard(x: float, y: float) -> list[Shape]:
        return [box(x, y, luck.quarters(4, 7), luck.quarters(3, 5), luck.quarters(5.5, 9))]

    def chair(x: float, y: float) -> list[Shape]:
        """A seat with a back along one side."""
        seat, back = luck.quarters(4, 5), luck.quarters(8, 10)
        if luck.chance(50):
            return [box(x, y, 3.5, 3, seat), box(x, y + 2.25, 3.5, 1.5, back)]
        return [box(x, y, 3, 3.5, seat), box(x + 2.25, y, 1.5, 3.5, back)]

    def books(x: float, y: float) -> list[Shape]:
        """Steps: a way up that needs no pounce."""
        return [box(x + 2.25 * k, y, 2.25, 3, 1.5 + 1.5 * k) for k in range(3)]

    def tin(x: float, y: float) -> list[Shape]:
        return [cylinder(x, y, luck.quarters(1, 1.75), luck.quarters(2, 4.5))]

    def bottle(x: float, y: float) -> list[Shape]:
        return [cylinder(x, y, 1, luck.quarters(11, 12))]

    ground.scatter(luck, cupboard, 2, 2)
    ground.scatter(luck, chair, 1, 2)
    ground.scatter(luck, books, 1, 1.5)
    ground.scatter(luck, tin, 5, 1)
    ground.scatter(luck, bottle, 2, 1)


def ruins(ground: Ground, luck: Luck) -> None:
    """Houses without roofs: broken walls around yards, pillars, rubble."""
    thick = 1.5

    def house(x: float, y: float) -> list[Shape]:
        """The four walls of a house, each of its own height; one in eight has fallen."""
        wide, deep = luck.between(12, 22) / 2, luck.between(12, 22) / 2
        walls: list[Shape] = [
            box(x, y + deep / 2, wide, thick, luck.quarters(2, 6)),
            box(x, y - deep / 2, wide, thick, luck.quarters(2, 6)),
            box(x - wide / 2, y, thick, deep - 2 * thick, luck.quarters(2, 6)),
            box(x + wide / 2, y, thick, deep - 2 * thick, luck.quarters(2, 6)),
        ]
        return [wall for wall in walls if luck.between(1, 8) > 1]

    def wall(x: float, y: float) -> list[Shape]:
        return [turned(luck, x, y, luck.quarters(5, 8), thick, luck.quarters(2, 6))]

    def pillar(x: float, y: float) -> list[Shape]:
        return [cylinder(x, y, 1, luck.quarters(4, 8))]

    def rubble(x: float, y: float) -> list[Shape]:
        return [box(x, y, luck.quarters(2, 3), luck.quarters(2, 3), luck.quarters(0.5, 1.5))]

    ground.scatter(luck, house, 3, 1.5)
    ground.scatter(luck, wall, 6, 1)
    ground.scatter(luck, pillar, 3, 1)
    ground.scatter(luck, rubble, 3, 1)


GENERATORS: dict[str, Callable[[Ground, Luck], None]] = {
    "meadow": meadow,
    "garden": garden,
    "kitchen": kitchen,
    "ruins": ruins,
}


@cache
def generate(name: str, seed: int, size: float, radius: int = INCH // 2) -> Terrain:
    """The table of that name and seed; `size` in inches, `radius` of a base in thousandths.

    Room for 36 figures is left always, at the price of the last pieces on the smallest tables.
    """
    ground = Ground(size)
    GENERATORS[name](ground, Luck(name, seed, thousandths(size)))
    pieces = ground.pieces
    while (table := Terrain(size=size, pieces=pieces)).room(radius) < MAX_FIGURES and pieces:
        pieces = pieces[:-1]
    return table

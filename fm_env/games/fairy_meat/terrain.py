"""Tables: pieces of terrain and things that lie between them, from files and checked at the door.

A terrain file is TOML with lengths in inches, kept to a hundredth; x goes east and y north from one
corner:

    size = 24

    [[pieces]]
    kind = "box"
    x = 8          # of its middle
    y = 12
    width = 6      # along x
    depth = 2      # along y
    height = 3

    [[pieces]]
    kind = "cylinder"
    x = 16
    y = 5
    radius = 1.5
    height = 4

    [[items]]      # loot (F-74)
    x = 12
    y = 20
    weight = 3     # as so many points of meat

Seeded generators of such tables are in `generators.py`. Never imported by the kernel.
"""

from __future__ import annotations

import math
import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, model_validator

from fm_env.games.fairy_meat.constants import (
    BOX,
    COARSE,
    CYLINDER,
    FINE,
    INCH,
    MAX_ITEMS,
    MAX_PIECES,
)

SMALLEST, LARGEST = 12, 72
"""Sides of a table in inches."""
HIGHEST = 24
"""No piece of terrain is higher, in inches."""
SPOTS = COARSE * FINE
"""Spots of the placement grid along a side (F-64)."""

FAR = 1_000
"""No number of inches is larger, so that arithmetic with it can't overflow."""

Inches = Annotated[float, Field(allow_inf_nan=False, ge=-FAR, le=FAR)]


def thousandths(inches: float) -> int:
    """A length as the kernel counts it, to a hundredth of an inch."""
    return 10 * round(inches * INCH / 10)


def half_of(inches: float) -> int:
    """Half a length, never rounded up: pieces that touch don't come to overlap."""
    return 10 * math.floor(inches * INCH / 20 + 1e-6)


class Piece(BaseModel):
    """What boxes and cylinders share."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    x: Inches
    y: Inches
    height: Annotated[Inches, Field(ge=0.1, le=HIGHEST)]

    @property
    def centre(self) -> tuple[int, int]:
        """Its middle, in thousandths of an inch."""
        return thousandths(self.x), thousandths(self.y)

    @property
    def half(self) -> tuple[int, int]:
        """Half its extent along x and y, in thousandths of an inch."""
        raise NotImplementedError

    def holds(self, x: Any, y: Any, radius: int) -> Any:
        """Whether a base lies wholly on its top."""
        raise NotImplementedError

    def near(self, x: Any, y: Any, radius: int) -> Any:
        """Whether a base overlaps its outline."""
        raise NotImplementedError


class Box(Piece):
    """A box whose sides run along the table's."""

    kind: Literal["box"]
    width: Annotated[Inches, Field(ge=0.1)]
    depth: Annotated[Inches, Field(ge=0.1)]

    @property
    def half(self) -> tuple[int, int]:
        """Half width and half depth."""
        return half_of(self.width), half_of(self.depth)

    def holds(self, x: Any, y: Any, radius: int) -> Any:
        """Whether a base lies wholly on its top."""
        (cx, cy), (hx, hy) = self.centre, self.half
        return (abs(x - cx) + radius <= hx) & (abs(y - cy) + radius <= hy)

    def near(self, x: Any, y: Any, radius: int) -> Any:
        """Whether a base overlaps its outline."""
        (cx, cy), (hx, hy) = self.centre, self.half
        dx, dy = np.maximum(abs(x - cx) - hx, 0), np.maximum(abs(y - cy) - hy, 0)
        return dx * dx + dy * dy < radius * radius


class Cylinder(Piece):
    """A round piece."""

    kind: Literal["cylinder"]
    radius: Annotated[Inches, Field(ge=0.1)]

    @property
    def half(self) -> tuple[int, int]:
        """Its radius, twice."""
        return half_of(2 * self.radius), half_of(2 * self.radius)

    def holds(self, x: Any, y: Any, radius: int) -> Any:
        """Whether a base lies wholly on its top."""
        room = self.half[0] - radius
        return (room >= 0) & ((x - self.centre[0]) ** 2 + (y - self.centre[1]) ** 2 <= room * room)

    def near(self, x: Any, y: Any, radius: int) -> Any:
        """Whether a base overlaps its outline."""
        reach = self.half[0] + radius
        return (x - self.centre[0]) ** 2 + (y - self.centre[1]) ** 2 < reach * reach


class Item(BaseModel):
    """A thing that can be dragged off like a corpse (F-74)."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    x: Inches
    y: Inches
    weight: Annotated[int, Field(ge=1, le=24)]


class Terrain(BaseModel):
    """A whole table. Pieces may touch but not overlap."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    size: Annotated[Inches, Field(ge=SMALLEST, le=LARGEST)]
    pieces: Annotated[
        list[Annotated[Box | Cylinder, Field(discriminator="kind")]], Field(max_length=MAX_PIECES)
    ] = []
    items: Annotated[list[Item], Field(max_length=MAX_ITEMS)] = []

    @model_validator(mode="after")
    def check(self) -> Terrain:
        """Everything lies on the table, and no two pieces in one place."""
        side = thousandths(self.size)
        for k, piece in enumerate(self.pieces):
            for axis, (middle, half) in zip("xy", zip(piece.centre, piece.half, strict=True), strict=True):
                if middle < half or middle + half > side:
                    raise ValueError(
                        f"pieces.{k}.{axis}: the {piece.kind} reaches from {(middle - half) / INCH:g} to "
                        f"{(middle + half) / INCH:g}; expected within 0 to {self.size:g}"
                    )
            for j, other in enumerate(self.pieces[:k]):
                if overlap(piece, other):
                    raise ValueError(f"pieces.{k}: the {piece.kind} overlaps the {other.kind} pieces.{j}")
        for k, item in enumerate(self.items):
            for axis, value in (("x", item.x), ("y", item.y)):
                if not 0 <= value <= self.size:
                    raise ValueError(f"items.{k}.{axis}: expected 0 to {self.size:g}, got {value:g}")
        return self

    def stands(self, x: Any, y: Any, radius: int) -> Any:
        """Height of the surface that wholly supports a base, in thousandths of an inch (F-21).

        -1 where the base would hang over an edge, cut into a piece or lie over the table's edge.
        Takes whole numbers or arrays of them.
        """
        side = thousandths(self.size)
        inside = (np.minimum(x, y) >= radius) & (np.maximum(x, y) <= side - radius)
        height = np.where(inside, 0, -1)
        for piece in self.pieces:
            on_top = inside & piece.holds(x, y, radius)
            height = np.where(
                on_top, thousandths(piece.height), np.where(piece.near(x, y, radius), -1, height)
            )
        return height

    def room(self, radius: int) -> int:
        """Figures that always find a spot of the placement grid (F-64), however they were placed.

        Each base that stands takes at most the spots whose middles are nearer than two radii.
        """
        side = thousandths(self.size)
        middles = side * (2 * np.arange(SPOTS) + 1) // (2 * SPOTS)
        standing = (self.stands(*np.meshgrid(middles, middles), radius) >= 0).sum()
        away = np.arange(-SPOTS, SPOTS + 1) * (side / SPOTS)
        taken = (away[:, None] ** 2 + away**2 < 4 * radius * radius).sum()
        return int(-(-standing // taken))

    def write(self, setup: Any, table: int) -> None:
        """Lay it out as one of the tables of a set-up record."""
        setup.n_pieces[table] = len(self.pieces)
        for k, piece in enumerate(self.pieces):
            setup.form[table, k] = BOX if piece.kind == "box" else CYLINDER
            setup.centre[table, k] = piece.centre
            setup.half[table, k] = piece.half
            setup.top[table, k] = thousandths(piece.height)


def overlap(a: Box | Cylinder, b: Box | Cylinder) -> bool:
    """Whether two pieces share more than an edge."""
    if a.kind == "cylinder":
        return bool(b.near(*a.centre, a.half[0]))
    if b.kind == "cylinder":
        return bool(a.near(*b.centre, b.half[0]))
    gaps = [abs(p - q) - r - s for p, q, r, s in zip(a.centre, b.centre, a.half, b.half, strict=True)]
    return max(gaps) < 0


def read_toml(path: str | Path) -> dict[str, Any]:
    """What stands in a file of a terrain or a warband.

    Raises:
        ValueError: no such file, or no TOML.
    """
    try:
        return tomllib.loads(Path(path).read_text("utf-8"))
    except OSError as error:
        raise ValueError(f"can't read the file: {error.strerror or error}") from None
    except RecursionError:
        raise ValueError("not a TOML file: nested too deeply") from None
    except ValueError as error:
        raise ValueError(f"not a TOML file: {error}") from None

"""Boards as data: drawn in TOML, checked, turned into numbers. Never imported by the kernel."""

from __future__ import annotations

import tomllib
from collections import deque
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import BaseModel, ConfigDict, model_validator

from fm_env.games.angry_miniatures.constants import (
    BLOCKING,
    CELLS,
    DIFFICULT,
    DIRECTIONS,
    HINDERING,
    SIDE,
    SIZE,
    WATER,
    ZONE,
)

SIGNS = {
    ".": 0,
    ",": DIFFICULT,
    "~": WATER,
    '"': HINDERING,
    ";": DIFFICULT | HINDERING,
    "#": BLOCKING,
}
"""How a board is drawn: sign to terrain."""
MAX_LEVEL = 4


class Board(BaseModel):
    """A board as drawn, from above with seat 0's edge at the bottom (A-37)."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: str = ""
    ground: str
    levels: str | None = None

    def rows(self) -> list[str]:
        """Rows of the drawing, seat 0's edge first."""
        return self.ground.split()[::-1]

    def level_rows(self) -> list[str]:
        """Elevations likewise."""
        if self.levels is None:
            return ["0" * len(row) for row in self.rows()]
        return self.levels.split()[::-1]

    def arrays(self) -> tuple[int, int, np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """Width, height, `[100]` terrain and `[100]` elevation; outside all is blocking."""
        rows = self.rows()
        ground, level = np.full(CELLS, BLOCKING, np.int8), np.zeros(CELLS, np.int8)
        for y, (row, levels) in enumerate(zip(rows, self.level_rows(), strict=True)):
            ground[y * SIZE : y * SIZE + len(row)] = [SIGNS[sign] for sign in row]
            level[y * SIZE : y * SIZE + len(row)] = [int(sign) for sign in levels]
        return len(rows[0]), len(rows), ground, level

    @model_validator(mode="after")
    def check(self) -> Board:
        """Shape, signs, room for both sides, and a way between them."""
        rows, levels = self.rows(), self.level_rows()
        if not 2 * ZONE <= len(rows) <= SIZE:
            raise ValueError(f"ground: expected {2 * ZONE} to {SIZE} rows, got {len(rows)}")
        if not SIDE <= len(rows[0]) <= SIZE:
            raise ValueError(f"ground: expected {SIDE} to {SIZE} squares a row, got {len(rows[0])}")
        for row in rows:
            if len(row) != len(rows[0]):
                raise ValueError(f"ground: row {row!r} has {len(row)} squares, others {len(rows[0])}")
            for sign in row:
                if sign not in SIGNS:
                    raise ValueError(f"ground: unknown sign {sign!r}, expected one of {' '.join(SIGNS)}")
        if [len(row) for row in levels] != [len(row) for row in rows]:
            raise ValueError("levels: expected as many rows and squares as ground")
        if not set("".join(levels)) <= set("01234"):
            raise ValueError(f"levels: expected digits 0 to {MAX_LEVEL}")
        for name, zone in (("bottom", rows[:ZONE]), ("top", rows[-ZONE:])):
            room = sum(sign != "#" for row in zone for sign in row)
            if room < SIDE:
                raise ValueError(f"ground: {room} squares in the {name} two rows, expected {SIDE} or more")
        if not _is_joined(rows):
            raise ValueError("ground: expected a way from every square that isn't blocking to every other")
        return self


def _is_joined(rows: list[str]) -> bool:
    """Whoever stands anywhere can walk anywhere."""
    open_squares = {(x, y) for y, row in enumerate(rows) for x, sign in enumerate(row) if sign != "#"}
    start = min(open_squares)
    seen, queue = {start}, deque([start])
    while queue:
        x, y = queue.popleft()
        for dx, dy in DIRECTIONS:
            there = (x + dx, y + dy)
            squeezed = dx and dy and (x + dx, y) not in open_squares and (x, y + dy) not in open_squares
            if there in open_squares and there not in seen and not squeezed:
                seen.add(there)
                queue.append(there)
    return seen == open_squares


@cache
def boards() -> dict[str, Board]:
    """The boards of the package, by name."""
    text = Path(__file__).with_name("boards.toml").read_text(encoding="utf-8")
    return {name: Board(**entry) for name, entry in tomllib.loads(text).items()}

"""Line of sight told again, slowly and with floats: what tables are measured by (F-32)."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from fm_env.games.fairy_meat.terrain import Terrain

HEAD, CHEST = 1.0, 0.5

Point = tuple[float, float, float]


def crosses(piece, a: Point, b: Point) -> bool:
    """Whether the line from `a` to `b` passes strictly through the inside of a piece."""
    low, high = 0.0, 1.0
    dx, dy, dz = (q - p for p, q in zip(a, b, strict=True))
    slabs = [(a[2], dz, 0.0, piece.height)]
    if piece.kind == "box":
        slabs.append((a[0], dx, piece.x - piece.width / 2, piece.x + piece.width / 2))
        slabs.append((a[1], dy, piece.y - piece.depth / 2, piece.y + piece.depth / 2))
    else:
        px, py = a[0] - piece.x, a[1] - piece.y
        square, half, rest = dx * dx + dy * dy, px * dx + py * dy, px * px + py * py - piece.radius**2
        if square == 0:
            if rest >= 0:
                return False
        else:
            root = half * half - square * rest
            if root <= 0:
                return False
            low = max(low, (-half - math.sqrt(root)) / square)
            high = min(high, (-half + math.sqrt(root)) / square)
    for start, step, bottom, top in slabs:
        if step == 0:
            # The floor is no face: a line along it would be inside, but heads are above it.
            if not bottom < start < top:
                return False
            continue
        ends = sorted(((bottom - start) / step, (top - start) / step))
        low, high = max(low, ends[0]), min(high, ends[1])
    return high - low > 1e-9


def clear_lines(table: Terrain, a: Point, b: Point, radius: float = 0.5) -> int:
    """How many of the four lines from the head of a figure at `a` to one at `b` are clear."""
    eye = (a[0], a[1], a[2] + HEAD)
    away = math.hypot(b[0] - a[0], b[1] - a[1]) or 1.0
    side = ((b[1] - a[1]) / away * radius, (a[0] - b[0]) / away * radius)
    targets = [
        (b[0], b[1], b[2] + HEAD),
        (b[0], b[1], b[2] + CHEST),
        (b[0] + side[0], b[1] + side[1], b[2]),
        (b[0] - side[0], b[1] - side[1], b[2]),
    ]
    return sum(not any(crosses(piece, eye, target) for piece in table.pieces) for target in targets)


def places(table: Terrain, rng: np.random.Generator) -> Iterator[Point]:
    """Places where a base of half an inch stands, drawn evenly over the table."""
    while True:
        x, y = (int(v) for v in rng.integers(0, round(table.size * 1000), 2, endpoint=True))
        height = int(table.stands(x, y, 500))
        if height >= 0:
            yield x / 1000, y / 1000, height / 1000


def share_unseen(table: Terrain, pairs: int, seed: int = 0) -> float:
    """Share of pairs of random places of which the first has no line of sight to the second."""
    spot = places(table, np.random.default_rng(seed))
    return sum(clear_lines(table, next(spot), next(spot)) == 0 for _ in range(pairs)) / pairs

"""The board as a picture: terrain, elevation, figures with their Health. Needs Pillow.

Never imported by the kernel.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fm_env.games.angry_miniatures.board import turned
from fm_env.games.angry_miniatures.constants import (
    ATTACK_NAMES,
    BLOCKING,
    DIFFICULT,
    FIGURES,
    HINDERING,
    NOBODY,
    SIDE,
    SIZE,
    WATER,
)
from fm_env.games.angry_miniatures.view import asked_line, attack_line, condition, figure_name, readable

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw

SQUARE = 52
MARGIN = 34
PANEL = 340
"""Width of the list of figures beside the board."""
PAPER, INK, FAINT = (250, 246, 236), (44, 38, 34), (150, 140, 128)
OPEN, ROUGH, RIVER, BUSH, WALL = (
    (226, 218, 196), (196, 176, 138), (140, 178, 206), (122, 158, 104), (88, 82, 78),
)  # fmt: skip
SIDES = ((180, 58, 52), (52, 86, 160))


def picture(state: Any, seat: int | None) -> np.ndarray:
    """The position as `uint8[H, W, 3]`, from a seat's own edge; None: from seat 0's, all sheets open."""
    from PIL import Image, ImageDraw

    s = readable(state)
    width, height = int(s.width), int(s.height)
    size = (2 * MARGIN + SQUARE * width + PANEL, 2 * MARGIN + SQUARE * max(height, 6))
    image = Image.new("RGB", size, PAPER)
    draw = ImageDraw.Draw(image)
    for y in range(height):
        for x in range(width):
            c = int(turned(s, seat or 0, y * SIZE + x))
            draw_square(draw, s, c, MARGIN + SQUARE * x, MARGIN + SQUARE * (height - 1 - y))
        write(draw, 10, MARGIN + SQUARE * (height - 1 - y) + 18, str(y + 1), 13, FAINT)
    for x in range(width):
        write(draw, MARGIN + SQUARE * x + 22, MARGIN + SQUARE * height + 6, "abcdefghij"[x], 13, FAINT)
    draw_panel(draw, s, seat, 2 * MARGIN + SQUARE * width)
    write(draw, MARGIN, 8, asked_line(s, seat), 14)
    return np.asarray(image, np.uint8)


def draw_square(draw: ImageDraw, s: Any, c: int, x: int, y: int) -> None:
    """Ground, elevation and whoever stands there."""
    ground, colour = int(s.ground[c]), OPEN
    for kind, tint in ((DIFFICULT, ROUGH), (HINDERING, BUSH), (WATER, RIVER), (BLOCKING, WALL)):
        colour = tint if ground & kind else colour
    draw.rectangle((x, y, x + SQUARE, y + SQUARE), fill=colour, outline=PAPER)
    if ground == DIFFICULT | HINDERING:
        draw.rectangle((x + 8, y + 8, x + SQUARE - 8, y + SQUARE - 8), outline=ROUGH, width=3)
    if s.level[c]:
        write(draw, x + 4, y + 2, f"+{int(s.level[c])}", 12)
    if s.at[c] != NOBODY:
        f = int(s.at[c])
        box = (x + 6, y + 6, x + SQUARE - 6, y + SQUARE - 6)
        edge = "white" if s.active == f else INK
        if s.prone[f]:
            box = (x + 6, y + 18, x + SQUARE - 6, y + SQUARE - 18)
        draw.ellipse(box, fill=SIDES[f // SIDE], outline=edge, width=3)
        write(draw, x + 17, y + 17, figure_name(f), 14, "white")


def draw_panel(draw: ImageDraw, s: Any, seat: int | None, x: int) -> None:
    """Each figure's Health and state, then the attack that is going on."""
    y = MARGIN
    for f in range(FIGURES):
        if f % SIDE < s.per_side and s.max_health[f] and not _is_hidden(s, f, seat):
            kind = ATTACK_NAMES[s.attack_type[f]]
            write(draw, x, y, f"{figure_name(f)}  {kind} {int(s.attack[f])}", 15, SIDES[f // SIDE])
            write(draw, x, y + 20, condition(s, f, seat), 13)
        y += 46
    if s.attacker != NOBODY:
        write(draw, x, y, attack_line(s), 12)


def _is_hidden(s: Any, f: int, seat: int | None) -> bool:
    from fm_env.games.angry_miniatures.constants import Phase

    return bool(s.phase == Phase.BUILD) and seat is not None and f // SIDE != seat


def write(draw: ImageDraw, x: int, y: int, text: str, size: int, fill: Any = INK) -> None:
    """One line of text."""
    from PIL import ImageFont

    draw.text((x, y), text, font=ImageFont.load_default(size), fill=fill)

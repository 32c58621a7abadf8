"""Shapes on a sheet, drawn as an image (with Pillow) or as SVG text. Never imported by the kernel."""

from __future__ import annotations

import math
from html import escape
from typing import Any, NamedTuple

import numpy as np

Colour = tuple[int, int, int]


class Rect(NamedTuple):
    """A box from one corner to the other, edges of `width` pixels."""

    x0: float
    y0: float
    x1: float
    y1: float
    fill: Colour | None
    line: Colour | None = None
    width: int = 1
    round: int = 0


class Circle(NamedTuple):
    """A disc or ring."""

    x: float
    y: float
    radius: float
    fill: Colour | None
    line: Colour | None = None
    width: int = 1


class Line(NamedTuple):
    """A stroke, with a head at its end if it is an arrow."""

    x0: float
    y0: float
    x1: float
    y1: float
    colour: Colour
    width: int = 1
    arrow: bool = False


class Text(NamedTuple):
    """One line of text; (x, y) is its left, middle or right end, half-way up."""

    x: float
    y: float
    text: str
    size: int
    colour: Colour
    anchor: str = "l"


class Scene:
    """A sheet and what is on it, in the order of drawing."""

    def __init__(self, width: int, height: int, paper: Colour) -> None:
        self.width, self.height, self.paper = width, height, paper
        self.shapes: list[Rect | Circle | Line | Text] = []

    def add(self, *shapes: Rect | Circle | Line | Text) -> None:
        """Draw these on top."""
        self.shapes += shapes

    def image(self) -> np.ndarray:
        """The sheet as `uint8[height, width, 3]`."""
        from PIL import Image, ImageDraw, ImageFont

        image = Image.new("RGB", (self.width, self.height), self.paper)
        draw = ImageDraw.Draw(image)
        for s in self.shapes:
            if isinstance(s, Rect):
                box = (s.x0, s.y0, s.x1, s.y1)
                draw.rounded_rectangle(box, s.round, fill=s.fill, outline=s.line, width=s.width)
            elif isinstance(s, Circle):
                box = (s.x - s.radius, s.y - s.radius, s.x + s.radius, s.y + s.radius)
                draw.ellipse(box, fill=s.fill, outline=s.line, width=s.width)
            elif isinstance(s, Line):
                draw.line((s.x0, s.y0, s.x1, s.y1), fill=s.colour, width=s.width)
                for x, y in barbs(s):
                    draw.line((s.x1, s.y1, x, y), fill=s.colour, width=s.width)
            else:
                font = ImageFont.load_default(s.size)
                draw.text((s.x, s.y), s.text, fill=s.colour, font=font, anchor=f"{s.anchor}m")
        return np.asarray(image, np.uint8)

    def svg(self) -> str:
        """The sheet as the text of an SVG file."""
        lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" '
            f'font-family="sans-serif">',
            f'<rect width="{self.width}" height="{self.height}" fill="{web(self.paper)}"/>',
            *(svg_of(shape) for shape in self.shapes),
            "</svg>",
        ]
        return "\n".join(lines) + "\n"


def barbs(line: Line) -> list[tuple[float, float]]:
    """Ends of the two strokes of an arrow's head."""
    if not line.arrow or (line.x0, line.y0) == (line.x1, line.y1):
        return []
    angle = math.atan2(line.y0 - line.y1, line.x0 - line.x1)
    return [
        (line.x1 + 9 * math.cos(angle + turn), line.y1 + 9 * math.sin(angle + turn)) for turn in (0.45, -0.45)
    ]


def web(colour: Colour | None) -> str:
    """`#rrggbb`, or `none`."""
    return "none" if colour is None else "#{:02x}{:02x}{:02x}".format(*colour)


def svg_of(shape: Any) -> str:
    """One element."""
    if isinstance(shape, Rect):
        size = f'width="{shape.x1 - shape.x0:.1f}" height="{shape.y1 - shape.y0:.1f}"'
        paint = f'fill="{web(shape.fill)}" stroke="{web(shape.line)}" stroke-width="{shape.width}"'
        return f'<rect x="{shape.x0:.1f}" y="{shape.y0:.1f}" {size} rx="{shape.round}" {paint}/>'
    if isinstance(shape, Circle):
        paint = f'fill="{web(shape.fill)}" stroke="{web(shape.line)}" stroke-width="{shape.width}"'
        return f'<circle cx="{shape.x:.1f}" cy="{shape.y:.1f}" r="{shape.radius:.1f}" {paint}/>'
    if isinstance(shape, Line):
        path = f"M{shape.x0:.1f} {shape.y0:.1f}L{shape.x1:.1f} {shape.y1:.1f}"
        path += "".join(f"L{x:.1f} {y:.1f}M{shape.x1:.1f} {shape.y1:.1f}" for x, y in barbs(shape))
        return f'<path d="{path}" fill="none" stroke="{web(shape.colour)}" stroke-width="{shape.width}"/>'
    anchor = {"l": "start", "m": "middle", "r": "end"}[shape.anchor]
    where = f'x="{shape.x:.1f}" y="{shape.y:.1f}" text-anchor="{anchor}" dominant-baseline="central"'
    return f'<text {where} font-size="{shape.size}" fill="{web(shape.colour)}">{escape(shape.text)}</text>'

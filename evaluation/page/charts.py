"""Charts as SVG that follows the page's colours, so that light and dark need no second picture.

Everything is drawn with the classes of the page's style sheet; all text is escaped. Colours of the heat
map are orange and blue, which colour-blind readers can tell apart; every cell shows its number, too.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from evaluation.calibration import Calibration

WIDTH = 640
"""Of a wide chart, in SVG units; the page scales it down."""
ROW = 26
LABEL = 24
"""Letters of a name that fit beside a row."""
LETTER = 7.2
"""Width of a letter, about."""

ORANGE, NEUTRAL, BLUE = (179, 88, 6), (247, 247, 247), (5, 88, 160)
"""Ends and middle of the heat map: a losing, an even and a winning score."""


@dataclass(frozen=True)
class Dot:
    """A value with its interval."""

    label: str
    value: float
    low: float
    high: float
    note: str
    """Shown beside it, and when it is pointed at."""
    strong: bool = False


def short(text: str, letters: int = LABEL) -> str:
    """A name cut to a number of letters."""
    return text if len(text) <= letters else text[: letters - 1] + "…"


def ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Multiples of 1, 2 or 5 times a power of ten between two bounds: at least about so many, if possible."""
    span = high - low
    if span <= 0:
        return [low]
    size = 10.0 ** math.floor(math.log10(span))
    step = next(size * f for f in (1.0, 0.5, 0.2, 0.1, 0.05) if span / (size * f) >= about - 1)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(step * k, 10) for k in range(first, last + 1)]


def tick_text(value: float) -> str:
    """A tick without needless digits."""
    return f"{value:g}"


def dot_chart(
    title: str,
    dots: Sequence[Dot],
    low: float,
    high: float,
    *,
    unit: str = "",
    middle: float | None = None,
    width: int = WIDTH,
) -> Markup:
    """A row for each value: a dot on a line from the low to the high end of its interval.

    Args:
        title: read out by screen readers.
        dots: top to bottom.
        low: left end of the axis.
        high: right end.
        unit: follows the numbers of the axis.
        middle: where a reference line is drawn, if anywhere.
        width: of the drawing.
    """
    letters = min(LABEL, max((len(dot.label) for dot in dots), default=1))
    notes = max((len(dot.note) for dot in dots), default=0)
    left, right = letters * LETTER + 12, width - notes * 6.4 - 22
    height = len(dots) * ROW + 34

    def x(value: float) -> float:
        share = (min(max(value, low), high) - low) / (high - low) if high > low else 0.5
        return left + share * (right - left)

    parts = [_open(title, width, height)]
    for tick in ticks(low, high, 4 if width < WIDTH else 6):
        at = x(tick)
        parts.append(f'<line class="grid" x1="{at:.1f}" y1="4" x2="{at:.1f}" y2="{height - 26}"/>')
        parts.append(
            f'<text class="tick" x="{at:.1f}" y="{height - 10}">{tick_text(tick)}{escape(unit)}</text>'
        )
    if middle is not None:
        parts.append(
            f'<line class="middle" x1="{x(middle):.1f}" y1="4" x2="{x(middle):.1f}" y2="{height - 26}"/>'
        )
    for k, dot in enumerate(dots):
        y = 4 + ROW * (k + 0.5)
        name = "dot strong" if dot.strong else "dot"
        parts.append(
            f"<g><title>{escape(dot.label)}: {escape(dot.note)}</title>"
            f'<text class="label" x="{left - 8:.1f}" y="{y + 4:.1f}">{escape(short(dot.label))}</text>'
            f'<line class="whisker" x1="{x(dot.low):.1f}" y1="{y:.1f}" x2="{x(dot.high):.1f}" y2="{y:.1f}"/>'
            f'<circle class="{name}" cx="{x(dot.value):.1f}" cy="{y:.1f}" r="4.5"/>'
            f'<text class="note" x="{width - 4}" y="{y + 4:.1f}">{escape(dot.note)}</text></g>'
        )
    return Markup("".join([*parts, "</svg>"]))


def reliability_chart(name: str, found: Calibration) -> Markup:
    """What came out over what was expected, with the diagonal of perfect calibration, and how often."""
    size, left, top, foot = 260, 44, 8, 96
    width, height = left + size + 12, top + size + foot
    base = top + size

    def x(value: float) -> float:
        return left + value * size

    def y(value: float) -> float:
        return base - value * size

    parts = [_open(f"Calibration of {name}", width, height)]
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        parts.append(f'<line class="grid" x1="{x(tick)}" y1="{top}" x2="{x(tick)}" y2="{base}"/>')
        parts.append(f'<line class="grid" x1="{left}" y1="{y(tick)}" x2="{left + size}" y2="{y(tick)}"/>')
        parts.append(f'<text class="tick" x="{x(tick)}" y="{base + 16}">{tick:g}</text>')
        parts.append(f'<text class="label" x="{left - 6}" y="{y(tick) + 4}">{tick:g}</text>')
    parts.append(f'<line class="middle" x1="{x(0)}" y1="{y(0)}" x2="{x(1)}" y2="{y(1)}"/>')
    parts.append(f'<text class="tick" x="{x(0.5)}" y="{base + 32}">expected score</text>')
    most = max(each.n for each in found.bins)
    for each in found.bins:
        share = each.n / most
        parts.append(
            f"<g><title>expected {each.low:g} to {each.high:g}, {each.n:,} decisions: mean"
            f" {each.estimate:.3f}, came out {escape(str(each.score))}</title>"
            f'<line class="whisker" x1="{x(each.estimate):.1f}" y1="{y(each.score.low):.1f}"'
            f' x2="{x(each.estimate):.1f}" y2="{y(each.score.high):.1f}"/>'
            f'<circle class="dot" cx="{x(each.estimate):.1f}" cy="{y(each.score.mean):.1f}" r="4.5"/>'
            f'<rect class="bar" x="{x(each.low) + 1:.1f}" y="{height - 6 - 40 * share:.1f}"'
            f' width="{size * (each.high - each.low) - 2:.1f}" height="{40 * share:.1f}"/></g>'
        )
    parts.append(f'<text class="side" x="{left}" y="{height - 52}">decisions</text>')
    return Markup("".join([*parts, "</svg>"]))


def heat(score: float, span: float = 0.5) -> str:
    """Style of a heat-map cell: background by score, text black or white by contrast.

    Args:
        score: of the row against the column.
        span: distance from 0.5 that has the full colour.
    """
    away = min(max((score - 0.5) / span, -1.0), 1.0)
    end, part = (ORANGE, -away) if away < 0 else (BLUE, away)
    rgb = [round(neutral + (colour - neutral) * part) for neutral, colour in zip(NEUTRAL, end, strict=True)]
    ink = "#fff" if _luminance(rgb) < 0.18 else "#000"  # where black and white contrast alike
    return f"background:rgb({rgb[0]},{rgb[1]},{rgb[2]});color:{ink}"


def _luminance(rgb: Sequence[int]) -> float:
    """Relative luminance as WCAG 2 defines it."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (v / 255 for v in rgb)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _open(title: str, width: float, height: float) -> str:
    return (
        f'<svg viewBox="0 0 {width:g} {height:g}" role="img" aria-label="{escape(title)}"'
        f' style="max-width:{width:g}px"><title>{escape(title)}</title>'
    )

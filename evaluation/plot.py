"""Win rates with their intervals as a picture."""

from __future__ import annotations

import io
import math
import os
from collections.abc import Sequence
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from agents.policy import write_atomically
from evaluation.compare import Matchup

COLOURS = {"beats": "#1b7f5c", "loses to": "#c2410c", "undecided": "#6b7280"}
"""One colour for each verdict, told apart by colour-blind readers, too."""

INK = "#1f2937"
SEAT_MARKERS = "^vs<>D"
"""One small marker for each seat."""


def win_rate_figure(title: str, matchups: Sequence[Matchup]) -> Figure:
    """Win rate against each of at least one opponent, its 95 % interval, and the rate on every seat."""
    figure = Figure(figsize=(8.0, 1.5 + 0.42 * len(matchups)), dpi=160, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    for row, matchup in enumerate(matchups):
        _draw_row(axes, row, matchup)
    axes.axvline(50, color=INK, linewidth=1, linestyle=(0, (4, 3)), zorder=1)
    axes.set_xlim(*_limits(matchups))
    axes.set_ylim(len(matchups) - 0.4, -0.6)
    axes.set_yticks(range(len(matchups)), [m.opponent for m in matchups], color=INK)
    axes.set_xlabel("win rate in % (a draw is half a win), 95 % interval", color=INK)
    counts = sorted({m.games for m in matchups})
    n = " to ".join(f"{count:,}" for count in dict.fromkeys((counts[0], counts[-1])))
    title = f"{title}\n{n} games against each"
    axes.set_title(title, loc="left", color=INK, fontsize=11, fontweight="bold", pad=10)
    axes.xaxis.grid(True, color="#e5e7eb", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.tick_params(length=0, colors=INK)
    for side in axes.spines.values():
        side.set_visible(False)
    _legend(axes, matchups)
    return figure


def save_plot(path: str | os.PathLike[str], figure: Figure) -> None:
    """Write a figure as PNG, whole or not at all."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", facecolor="white", metadata={"Software": None})
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(target, buffer.getvalue())


def _draw_row(axes: Axes, row: int, matchup: Matchup) -> None:
    score, colour = matchup.score, COLOURS[matchup.verdict]
    low, mean, high = 100 * score.low, 100 * score.mean, 100 * score.high
    whiskers = [[mean - low], [high - mean]]
    axes.errorbar(
        [mean], [row], xerr=whiskers, fmt="o", color=colour, markersize=4, capsize=5, linewidth=2, zorder=4
    )
    for seat in matchup.seats:
        marker = SEAT_MARKERS[seat.seat % len(SEAT_MARKERS)]
        x, y = 100 * seat.score.mean, row + 0.26  # below the whiskers, never under them
        axes.plot([x], [y], marker, markersize=4, color="white", markeredgecolor=colour, zorder=3)
    edge = (1.0, row)
    for points, text in ((8, f"{mean:.1f} [{low:.1f}, {high:.1f}]"), (104, matchup.verdict)):
        axes.annotate(
            text, edge, (points, 0), axes.get_yaxis_transform(), "offset points",
            va="center", ha="left", fontsize=8.5, color=colour, annotation_clip=False,
        )  # fmt: skip


def _limits(matchups: Sequence[Matchup]) -> tuple[float, float]:
    """Ends of the axis in %: round numbers around all marks and the 50 % line."""
    seats = [seat.score.mean for m in matchups for seat in m.seats]
    marks = [0.5, *seats, *(m.score.low for m in matchups), *(m.score.high for m in matchups)]
    low, high = 5 * math.floor(20 * min(marks) - 0.2), 5 * math.ceil(20 * max(marks) + 0.2)
    return max(low, -2), min(high, 102)


def _legend(axes: Axes, matchups: Sequence[Matchup]) -> None:
    axes.plot([], [], "o", color=INK, markersize=4, label="all games")
    for seat in matchups[0].seats:
        marker = SEAT_MARKERS[seat.seat % len(SEAT_MARKERS)]
        axes.plot(
            [], [], marker, markersize=4, color="white", markeredgecolor=INK, label=f"on seat {seat.seat}"
        )
    figure = axes.get_figure()
    assert figure is not None
    figure.legend(loc="outside lower left", ncols=8, frameon=False, fontsize=8, labelcolor=INK)

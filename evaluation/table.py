"""Results as Rich tables that fit 80 columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from evaluation.behaviour import Rate, Rates
from evaluation.compare import Matchup, RoleGain
from evaluation.stats import Interval
from fm_env.games.conduct import Habit

COLOURS = {"beats": "green", "loses to": "red", "undecided": "yellow"}
"""One colour for each verdict."""


def matchup_table(title: str, matchups: Sequence[Matchup]) -> Table:
    """One row for each opponent: counts, win rate, mean return, verdict."""
    table = _table(title, "A draw is half a win. 95 % intervals over games with shared luck.")
    table.add_column("opponent", overflow="fold", max_width=17)
    for heading in ("games", "W/D/L %", "win rate [95 %]", "return ± 95 %"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("verdict", no_wrap=True)
    for m in matchups:
        shares = "/".join(f"{100 * count / m.games:.0f}" for count in (m.wins, m.draws, m.losses))
        table.add_row(
            m.opponent,
            f"{m.games:,}",
            shares,
            percent(m.score),
            plus_minus(m.points),
            Text(m.verdict, style=COLOURS[m.verdict]),
        )
    return table


def seat_table(matchups: Sequence[Matchup]) -> Table:
    """The same match-ups seat by seat, and what sharing the luck was worth."""
    table = _table("Seat by seat", "Luck saved: games with unshared luck that one game here is worth.")
    table.add_column("opponent", overflow="fold", max_width=17)
    for heading in ("seat", "games", "win rate [95 %]", "return ± 95 %", "luck saved"):
        table.add_column(heading, justify="right", no_wrap=True)
    for m in matchups:
        for k, seat in enumerate(m.seats):
            saved = "" if k or m.luck_saved is None else f"{m.luck_saved:.2f}"
            games = f"{seat.games:,}"
            table.add_row(
                "" if k else m.opponent,
                str(seat.seat),
                games,
                percent(seat.score),
                plus_minus(seat.points),
                saved,
            )
    return table


def role_table(title: str, gains: Sequence[RoleGain]) -> Table:
    """One row for each bot and role: points there, the bot's own in its mirror match, the gain."""
    table = _table(title, "Mirror: the bot in that role against itself, under the same luck.")
    table.add_column("bot", overflow="fold", max_width=17)
    for heading in ("role", "deals", "points", "mirror", "gain [95 %]"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    for g in gains:
        word, colour = ("better", "green") if g.is_clear else ("not clear", "yellow")
        gain = f"{g.gain.mean:+.3f} [{g.gain.low:+.3f}, {g.gain.high:+.3f}]"
        table.add_row(
            g.bot,
            str(g.role),
            f"{g.gain.blocks:,}",
            f"{g.points.mean:+.3f}",
            f"{g.mirror.mean:+.3f}",
            gain,
            Text(word, style=colour),
        )
    return table


def behaviour_table(rates: Mapping[str, Rates], habits: Mapping[str, Habit]) -> Table:
    """One row for each habit, one column for each agent."""
    table = _table("How they play", "Shares in %, forced choices left out; intervals are in the report.")
    table.add_column("", overflow="fold", max_width=24)
    for name in rates:
        table.add_column(name, justify="right", overflow="fold", max_width=12)
    for name, habit in habits.items():
        if any(name in found for found in rates.values()):
            cells = (rate_text(found[name], habit) if name in found else "" for found in rates.values())
            table.add_row(name, *cells)
    return table


def rate_text(rate: Rate, habit: Habit) -> str:
    """`"37"` for a share of 37 %, `"2.41"` for anything else."""
    return f"{rate.rate:.2f}" if habit.unit else f"{100 * rate.rate:.0f}"


def percent(interval: Interval) -> str:
    """`"61.2 [60.3, 62.1]"` for an interval of rates."""
    return f"{100 * interval.mean:.1f} [{100 * interval.low:.1f}, {100 * interval.high:.1f}]"


def plus_minus(interval: Interval) -> str:
    """`"+0.132 ±0.022"`; the longer side of the interval is shown."""
    half_width = max(interval.high - interval.mean, interval.mean - interval.low)
    return f"{interval.mean:+.3f} ±{half_width:.3f}"


def _table(title: str, caption: str) -> Table:
    look: dict[str, Any] = {
        "box": SIMPLE_HEAD,
        "padding": (0, 1, 0, 0),
        "pad_edge": False,
        "title_style": "bold",
    }
    return Table(title=title, caption=caption, title_justify="left", caption_justify="left", **look)

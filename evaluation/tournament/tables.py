"""A tournament's analysis as Rich tables that fit 80 columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from evaluation.stats import Verdict
from evaluation.table import COLOURS, percent, plus_minus
from evaluation.tournament.analysis import Analysis
from evaluation.tournament.question import planned_rounds

NAME_WIDTH = 24

PAYOFF_COLUMNS = 12
"""Of one payoff table; more agents get several tables under each other."""

SIGNS: dict[Verdict, str] = {"beats": "+", "loses to": "-", "undecided": " "}


def all_tables(analysis: Analysis) -> list[Table | str]:
    """Everything that `fm-env tournament` and `fm-env ratings` print, in order."""
    seats = analysis.header.game.num_seats
    model = "Bradley-Terry" if seats == 2 else "Plackett-Luce"
    sure = f"{100 * (1 - analysis.header.question.error):g} %"
    shown: list[Table | str] = [
        rating_table(analysis),
        f"Elo: {model} ratings, 400 points are tenfold odds, mean 0. a-rank, Nash: share in % of an evolving"
        " population (alpha-rank) and of the Nash average. beats: numbers of the agents it is better"
        f" than, all claims together at {sure} confidence.",
        *payoff_tables(analysis),
        "+ better, - worse; without a sign, not told apart.",
        seat_table(analysis),
        "score: share of the others that the seat finishes ahead of.",
    ]
    if analysis.faults:
        shown += [
            fault_table(analysis),
            "late: over the time limit; lost: not asked, as its process had been ended; crash; illegal.",
        ]
    return [*shown, *summary(analysis)]


def rating_table(analysis: Analysis) -> Table:
    """Agents by rating."""
    header = analysis.header
    table = _table(f"{header.game.name} {header.game.scenario}: {analysis.results.games:,} games")
    table.add_column("#", justify="right")
    table.add_column("agent", overflow="fold", max_width=NAME_WIDTH)
    table.add_column("Elo", justify="right", no_wrap=True)
    table.add_column("[95 %]", justify="right", no_wrap=True)
    table.add_column("a-rank", justify="right", no_wrap=True)
    table.add_column("Nash", justify="right", no_wrap=True)
    table.add_column("beats", overflow="fold", max_width=20)
    order = analysis.ranking
    for place, agent in enumerate(order, start=1):
        rating = analysis.ratings[agent]
        beaten = [
            other_place
            for other_place, other in enumerate(order, start=1)
            if other != agent and analysis.pair(agent, other).verdict == "beats"
        ]
        table.add_row(
            str(place),
            header.names[agent],
            f"{rating.elo:+.0f}",
            f"{rating.low:+.0f} {rating.high:+.0f}",
            f"{100 * analysis.alpha_rank[agent]:.0f}",
            f"{100 * analysis.nash[agent]:.0f}",
            ranges(beaten),
        )
    return table


def payoff_tables(analysis: Analysis) -> list[Table]:
    """Scores of rows against columns, in %; agents by rating."""
    order = analysis.ranking
    tables: list[Table] = []
    for first in range(0, len(order), PAYOFF_COLUMNS):
        columns = range(first, min(first + PAYOFF_COLUMNS, len(order)))
        table = _table("Score of the row against the column, %")
        table.add_column("#", justify="right")
        table.add_column("agent", no_wrap=True, max_width=15)
        for column in columns:
            table.add_column(str(column + 1), justify="right", no_wrap=True)
        for row, agent in enumerate(order):
            cells = [_cell(analysis, agent, order[column]) for column in columns]
            table.add_row(str(row + 1), analysis.header.names[agent], *cells)
        tables.append(table)
    return tables


def _cell(analysis: Analysis, agent: int, other: int) -> Text:
    if agent == other:
        return Text("· ")
    found = analysis.pair(agent, other).verdict
    return Text(f"{100 * analysis.payoffs[agent, other]:.0f}{SIGNS[found]}", style=COLOURS[found])


def seat_table(analysis: Analysis) -> Table:
    """What each seat is worth."""
    table = _table("Seats, all agents on each equally often")
    for heading in ("seat", "score % [95 %]", "return ± 95 %"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    for seat in analysis.seats:
        word = (
            "advantage" if seat.score.low > 0.5 else "disadvantage" if seat.score.high < 0.5 else "not clear"
        )
        table.add_row(str(seat.seat), percent(seat.score), plus_minus(seat.points), word)
    return table


def fault_table(analysis: Analysis) -> Table:
    """Moves that agents failed to answer, by kind."""
    table = _table("Moves replaced by random ones")
    kinds = sorted({kind for found in analysis.faults.values() for kind in found})
    table.add_column("agent", overflow="fold")
    for kind in kinds:
        table.add_column(kind, justify="right")
    for agent, found in sorted(analysis.faults.items()):
        table.add_row(analysis.header.names[agent], *(f"{found.get(kind, 0):,}" for kind in kinds))
    return table


def summary(analysis: Analysis) -> list[str]:
    """The answer to the question, the plan, and what sharing the luck was worth, in sentences."""
    header = analysis.header
    orders = max(len(group.orders) for group in header.groups)
    plan = planned_rounds(header.groups, len(header.agents), header.question) * orders
    most = header.rounds * orders
    lines = [
        answer(analysis),
        f"Plan: to tell 55 from 45 apart with a chance of 80 % takes {plan:,} games of each"
        f" {'pair' if header.game.num_seats == 2 else 'group'}; here up to {most:,}.",
    ]
    if analysis.luck_saved is not None:
        lines.append(
            f"Luck: one game here says as much as {analysis.luck_saved:.2f} games with unshared luck."
        )
    return lines


def answer(analysis: Analysis) -> str:
    """What the tournament was asked and what came out."""
    header, question = analysis.header, analysis.header.question
    if not analysis.complete:
        return "Unfinished: no claims before the planned number of games. Run the same command to go on."
    error = f"{100 * question.error:g} %"
    if question.kind == "pair":
        first, second = question.of
        found = analysis.pair(first, second)
        verdict = {"beats": "is better than", "loses to": "is worse than"}.get(
            found.verdict, "is not told apart from"
        )
        return (
            f"Asked: {header.names[first]} {verdict} {header.names[second]}"
            f" ({percent(found.score)} %, error rate {error})."
        )
    clear = sum(score.verdict != "undecided" for score in analysis.pairs)
    told = f"{clear} of {len(analysis.pairs)} pairs are told apart"
    if question.kind == "best":
        best = [
            agent
            for agent in analysis.ranking
            if all(
                analysis.pair(agent, other).verdict == "beats" for other in analysis.ranking if other != agent
            )
        ]
        who = (
            f"{header.names[best[0]]} is better than every other"
            if best
            else "no agent is better than all others"
        )
        return f"Asked for the best: {who}; {told} (error rate {error} for all claims together)."
    return f"{told} (error rate {error} for all claims together)."


def ranges(numbers: Sequence[int]) -> str:
    """`[2, 3, 4, 7]` as `"2-4 7"`."""
    parts: list[list[int]] = []
    for number in sorted(numbers):
        if parts and number == parts[-1][-1] + 1:
            parts[-1].append(number)
        else:
            parts.append([number])
    return " ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in parts)


def table_look(title: str) -> dict[str, Any]:
    """Arguments of a `rich` table in the package's plain style."""
    return {
        "title": title,
        "title_justify": "left",
        "title_style": "bold",
        "box": SIMPLE_HEAD,
        "padding": (0, 1, 0, 0),
        "pad_edge": False,
    }


def _table(title: str) -> Table:
    return Table(**table_look(title))

"""What `fm-env benchmark` does, and the command that makes the published ladders.

python -m evaluation.tournament.benchmark_command fairy_meat/duel    (without a name: all tasks)
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import hashlib
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from evaluation.command import allow_modules_here, check_target
from evaluation.report import versions, write_report
from evaluation.table import percent
from evaluation.tournament.analysis import analyse
from evaluation.tournament.benchmark import (
    Row,
    Task,
    agent_field,
    changed_references,
    find_task,
    published_ladder,
    rate_agent,
    reference_field,
    tasks,
)
from evaluation.tournament.command import play_with_bar
from evaluation.tournament.files import ResultsFile
from evaluation.tournament.results import Header
from evaluation.tournament.tables import SIGNS, all_tables, table_look

SCHEMA = "fm-env-benchmark-1"


def list_command(console: Console | None = None) -> None:
    """One line for each task."""
    table = Table(**table_look("Benchmark tasks"))
    for heading in ("task", "about", "reference agents", "games"):
        table.add_column(heading, justify="right" if heading == "games" else "left")
    for name, task in tasks().items():
        table.add_row(name, task.about, str(len(task.agents)), f"{task.games:,}")
    (console or Console()).print(table)


def run_command(
    name: str,
    agent: str,
    *,
    out: Path | None = None,
    json: Path | None = None,
    move_seconds: float | None = None,
    console: Console | None = None,
) -> Row:
    """Play an agent against a task's reference agents and print its row of the ladder.

    Args:
        name: of the task, with or without version.
        agent: its spec.
        out: file of results, from which a killed run goes on; None keeps them in memory.
        json: where the row goes, if anywhere.
        move_seconds: time limit for a decision of an agent in Python.
        console: where the tables go; standard output by default.

    Raises:
        fm_env.errors.FmEnvError: a mistake in what was asked for, or an agent that doesn't answer.
    """
    console = console or Console()
    if json is not None:
        check_target(json)
    allow_modules_here()
    task = find_task(name)
    ladder = published_ladder(task)
    command = " ".join(["fm-env", *sys.argv[1:]])
    field = agent_field(task, agent, command, move_seconds)
    with contextlib.nullcontext() if out is None else ResultsFile(out, field.header) as file:
        results = play_with_bar(field, file)
    row = rate_agent(task, ladder, results)
    console.print(ladder_table(ladder, row, field.header))
    console.print(against_table(row, field.header))
    changed = changed_references(ladder, field)
    if changed:
        console.print(f"Note: changed since the ladder was made: {', '.join(changed)}.", highlight=False)
    if json is not None:
        write_report(json, row_json(row, field.header, ladder, changed))
        console.print(f"row: {json}")
    return row


def ladder_command(name: str, console: Console | None = None) -> None:
    """Print a task's published ladder."""
    (console or Console()).print(ladder_table(published_ladder(find_task(name))))


def ladder_table(ladder: dict[str, Any], row: Row | None = None, header: Header | None = None) -> Table:
    """The reference agents by rating, and the new agent among them."""
    table = Table(**table_look(f"{ladder['task']}: ladder"))
    table.add_column("agent", overflow="fold", max_width=30)
    for heading in ("Elo", "[95 %]"):
        table.add_column(heading, justify="right", no_wrap=True)
    entries = [(r["elo"], r["low"], r["high"], r["agent"], "") for r in ladder["ratings"]]
    if row is not None and header is not None:
        rating = row.rating
        entries.append((rating.elo, rating.low, rating.high, f"> {header.names[0]}", "bold"))
    for elo, low, high, name, style in sorted(entries, key=lambda entry: -entry[0]):
        table.add_row(name, f"{elo:+.0f}", f"{low:+.0f} {high:+.0f}", style=style)
    return table


def against_table(row: Row, header: Header) -> Table:
    """The new agent against each reference agent."""
    table = Table(**table_look(f"{header.names[0]} against"))
    table.add_column("reference agent", overflow="fold", max_width=30)
    table.add_column("score % [95 % all together]", justify="right", no_wrap=True)
    table.add_column("")
    for score in row.against:
        word = {"+": "better", "-": "worse"}.get(SIGNS[score.verdict], "not told apart")
        table.add_row(header.names[score.pair[1]], percent(score.score), word)
    table.add_row("all of them", percent(row.score), "")
    return table


def row_json(row: Row, header: Header, ladder: dict[str, Any], changed: Sequence[str]) -> dict[str, Any]:
    """A row as JSON, with all that is needed to get it again."""
    return {
        "schema": SCHEMA,
        "task": row.task.full_name,
        "agent": dataclasses.asdict(header.agents[0]),
        "elo": row.rating.elo,
        "low": row.rating.low,
        "high": row.rating.high,
        "score": dataclasses.asdict(row.score),
        "against": [
            {
                "agent": header.names[score.pair[1]],
                "score": dataclasses.asdict(score.score),
                "verdict": score.verdict,
            }
            for score in row.against
        ],
        "ladder_sha256": hashlib.sha256(row.task.ladder_file.read_bytes()).hexdigest(),
        "changed_reference_agents": list(changed),
        "tournament": header.to_json(),
    }


def publish(task: Task, console: Console) -> None:
    """Play a task's reference agents against each other and write the ladder."""
    command = f"python -m evaluation.tournament.benchmark_command {task.full_name}"
    analysis = analyse(play_with_bar(reference_field(task, command)))
    for shown in all_tables(analysis):
        console.print(shown, highlight=False)
    write_report(task.ladder_file, analysis.to_json() | {"task": task.full_name, "versions": versions()})


def main(words: Sequence[str] | None = None) -> None:
    """Make ladders."""
    parser = argparse.ArgumentParser(prog="python -m evaluation.tournament.benchmark_command")
    parser.add_argument("tasks", nargs="*", help="names of tasks; all if left out")
    options = parser.parse_args(words)
    console = Console()
    for task in [find_task(name) for name in options.tasks] or tasks().values():
        publish(task, console)


if __name__ == "__main__":
    main()

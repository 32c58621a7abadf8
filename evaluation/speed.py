"""How fast the rules are, beside their yardsticks: the bench of every row of the README, in one run.

    python -m evaluation.speed --json evaluation/results/bench.json --readme README.md

plays the rows of `ROWS` one after another (`fm_env.bench`); in each, OpenSpiel's backgammon and
PettingZoo's Connect Four are timed in the same process as the game. `--readme` puts the table into the
page, between its two comments. `--show FILE` takes an earlier run instead of measuring.
"""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from agents.policy import write_atomically
from evaluation.command import check_target
from evaluation.report import versions, write_report
from evaluation.soak import rules_hash
from fm_env.bench import SCHEMA, measure
from fm_env.errors import LoadError, SetupError
from fm_env.match import load

ROWS: tuple[tuple[str, str, dict[str, Any], int], ...] = (
    ("fairy_meat", "clash", {}, 1024),
    ("fairy_meat", "duel", {}, 1024),
    ("fairy_meat", "skirmish", {}, 256),
    ("fairy_meat", "skirmish", {"num_players": 6}, 256),
)
"""Game, scenario, options, games played side by side."""
START, END = "<!-- speed: written by make bench -->", "<!-- end of speed -->"


def measured(seconds: float, seed: int, command: Sequence[str]) -> dict[str, Any]:
    """Every row, with what it takes to measure it again.

    Raises:
        SetupError: OpenSpiel or PettingZoo isn't installed, so that a yardstick would be missing.
    """
    rows = []
    for game, scenario, options, num_games in ROWS:
        result = measure(load(game), scenario, options, num_games=num_games, seconds=seconds, seed=seed)
        if not (result.backgammon_rate and result.connect_four_rate):
            raise SetupError("bench: needs both yardsticks; install them with: pip install 'fm-env[all]'")
        rows.append(asdict(result) | {"rules": rules_hash(game)})
    return {
        "schema": SCHEMA,
        "command": shlex.join(command),
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "seed": seed,
        "seconds": seconds,
        "versions": versions(),
        "rows": rows,
    }


def read(file: Path) -> dict[str, Any]:
    """An earlier run.

    Raises:
        LoadError: no such file, or something else in it.
    """
    try:
        report = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise LoadError(f"{file}: expected a result of evaluation.speed: {error}") from None
    schema = report.get("schema") if isinstance(report, dict) else None
    if schema != SCHEMA:
        raise LoadError(f"{file}: schema: expected {SCHEMA!r}, got {schema!r}")
    return report


def cells(report: dict[str, Any]) -> list[tuple[str, str, str, str]]:
    """The README's rows: what was timed, ours, the yardstick's, the ratio."""
    clash, duel, two, six = report["rows"]
    bare = "a game without rules that looks up as large a mask and observation"
    connect = "PettingZoo's `connect_four_v3.raw_env`"
    gammon = "OpenSpiel's `backgammon` from Python, with tensors"
    timed: tuple[tuple[str, float, float, str], ...] = (
        ("`clash`, 1,024 random games, decisions a second", clash["decision_rate"], clash["bare_rate"], bare),
        ("`duel`, the same", duel["decision_rate"], duel["bare_rate"], ""),
        ("`raw_env` of `duel`, steps a second", duel["raw_env_rate"], duel["connect_four_rate"], connect),
        (
            "`skirmish`, 256 whole random games, two players, choices a second",
            two["decision_rate"],
            two["backgammon_rate"],
            gammon,
        ),
        ("the same, six players", six["decision_rate"], six["backgammon_rate"], ""),
    )
    return [
        (what, f"{ours:,.0f}", f"{theirs:,.0f}" + (f", {whose}" if whose else ""), f"{ours / theirs:.1f}")
        for what, ours, theirs, whose in timed
    ]


def markdown(report: dict[str, Any]) -> str:
    """The README's table and the sentence below it."""
    lines = ["| | this package | yardstick | ratio |", "|---|---|---|---|"]
    lines += [f"| {' | '.join(row)} |" for row in cells(report)]
    first = report["rows"][1]["second_process_seconds"]
    return "\n".join(
        [*lines, "", f"A second process takes its first step {first:.1f} seconds after it starts."]
    )


def into_page(page: Path, report: dict[str, Any]) -> None:
    """Put the table between the page's two comments.

    Raises:
        LoadError: the page hasn't these comments, once each and in order.
    """
    text = page.read_text(encoding="utf-8")
    before, start, rest = text.partition(START)
    _, end, after = rest.partition(END)
    if not start or not end:
        raise LoadError(f"{page}: expected the comments {START!r} and {END!r}")
    write_atomically(page, f"{before}{START}\n{markdown(report)}\n{END}{after}".encode())


def main(arguments: Sequence[str]) -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m evaluation.speed", description=__doc__)
    parser.add_argument("--seconds", type=float, default=4.0, help="about how long each measurement takes")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=Path, help="take this earlier result instead of measuring")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--readme", type=Path, help="page whose table is written anew")
    given = parser.parse_args(arguments)
    for path in filter(None, (given.json, given.readme)):
        check_target(path)
    command = ["python", "-m", "evaluation.speed", *arguments]
    report = read(given.show) if given.show else measured(given.seconds, given.seed, command)
    table = Table("measured on one core", "this package", "yardstick", "ratio")
    for row in cells(report):
        table.add_row(*row)
    Console().print(table)
    if given.json:
        write_report(given.json, report)
    if given.readme:
        into_page(given.readme, report)


if __name__ == "__main__":
    main(sys.argv[1:])

"""Ladders in Markdown, from the JSON of reports.

python -m evaluation.page.ladder evaluation/results/ladder_*.json --out docs/ladder.md
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from agents.policy import write_atomically
from evaluation.page.findings import SCHEMA
from fm_env.errors import LoadError

INTRODUCTION = """# Ladders

Tournaments of all shipped agents, everybody against everybody, every deal of luck played on both seats.
`make ladder` plays and reports them again; this page is written from the reports' JSON, which also has
every interval, seed, version and fingerprint. Ratings are Bradley-Terry strengths on Elo's scale with
95 % bootstrap intervals, the mean of all agents being 0; *beats* and *loses to* count only pairs told
apart at an error of 5 % for all claims of a tournament together; *Nash* is the weight that a careful
picker of agents would give.
"""


def ladder_table(analysis: Mapping[str, Any]) -> str:
    """The ladder of `Analysis.to_json()` as a Markdown table, with a line on how it came about."""
    names = [agent["name"] for agent in analysis["tournament"]["agents"]]
    game = analysis["tournament"]["game"]
    lines = [
        "| | agent | rating [95 %] | score, % | beats | loses to | Nash, % |",
        "|---|---|---|---|---|---|---|",
    ]
    for place, row in enumerate(analysis["ratings"], start=1):
        k = names.index(row["agent"])
        others = [value for j, value in enumerate(analysis["payoffs"][k]) if j != k]
        beats, loses = (len(told) for told in verdicts(analysis, row["agent"])[:2])
        rating = f"{signed(row['elo'])} [{signed(row['low'])}, {signed(row['high'])}]"
        score = 100 * sum(others) / len(others)
        lines.append(
            f"| {place} | {cell(row['agent'])} | {rating} | {score:.1f} | {beats} | {loses}"
            f" | {100 * row['nash']:.0f} |"
        )
    unfinished = "" if analysis["complete"] else "; unfinished, so nobody is said to beat anybody yet"
    lines += [
        "",
        f"{analysis['games']:,} games of {cell(game['scenario'])} ({cell(game['name'])}),"
        f" seed {analysis['tournament']['seed']}, rules version {game['rules_version']}{unfinished}.",
    ]
    return "\n".join(lines) + "\n"


def verdicts(analysis: Mapping[str, Any], agent: str) -> tuple[list[str], list[str], list[str]]:
    """Whom an agent beats, whom it loses to, and with whom it is undecided."""
    found: dict[str, list[str]] = {"beats": [], "loses to": [], "undecided": []}
    turned = {"beats": "loses to", "loses to": "beats", "undecided": "undecided"}
    for pair in analysis["pairs"]:
        if pair["first"] == agent:
            found[pair["verdict"]].append(pair["second"])
        elif pair["second"] == agent:
            found[turned[pair["verdict"]]].append(pair["first"])
    return found["beats"], found["loses to"], found["undecided"]


def section(report: Mapping[str, Any]) -> str:
    """A scenario's part of the page."""
    analysis = report["analysis"]
    tournament = analysis["tournament"]
    options = {k: v for k, v in tournament["game"]["options"].items() if k != "scenario"}
    told = ", ".join(f"{k} = {json.dumps(v)}" for k, v in options.items())
    lines = [f"## {cell(tournament['game']['scenario'])}" + (f" ({cell(told)})" if told else ""), ""]
    lines += [ladder_table(analysis), _pairs(analysis), "", _seats(analysis), ""]
    if report["watched"] is not None:
        lines += [_habits(report), ""]
    lines += [f"Played by `{tournament['command']}`, reported by `{report['command']}`.", ""]
    return "\n".join(lines)


def _pairs(analysis: Mapping[str, Any]) -> str:
    undecided = [pair for pair in analysis["pairs"] if pair["verdict"] == "undecided"]
    if not undecided:
        return "All pairs are told apart."
    told = (
        f"{cell(p['first'])} and {cell(p['second'])} ({_percent(p['score']['mean'])}"
        f" [{_percent(p['score']['low'])}, {_percent(p['score']['high'])}])"
        for p in undecided
    )
    return f"Not told apart, with the first one's score in %: {'; '.join(told)}."


def _seats(analysis: Mapping[str, Any]) -> str:
    seats = "; ".join(
        f"seat {seat['seat']} {_percent(seat['score']['mean'])} %"
        f" [{_percent(seat['score']['low'])}, {_percent(seat['score']['high'])}]"
        for seat in analysis["seats"]
    )
    saved = analysis["luck_saved"]
    luck = "" if saved is None else f" One game says as much as {saved:.2f} with unshared luck."
    return f"Score by seat: {seats}.{luck}"


def _habits(report: Mapping[str, Any]) -> str:
    """How they play: one row a habit, one column an agent, best first."""
    watched = report["watched"]
    order = [row["agent"] for row in report["analysis"]["ratings"]]
    lines = [
        f"How they play, from {watched['games']:,} more games (shares in %; intervals are in the JSON):",
        "",
        "| | " + " | ".join(map(cell, order)) + " |",
        "|---" * (len(order) + 1) + "|",
    ]
    for name, habit in watched["habits"].items():
        rates = [watched["behaviour"].get(agent, {}).get(name) for agent in order]
        if any(rates):
            cells = ("" if rate is None else _rate(rate["rate"], habit["unit"]) for rate in rates)
            unit = f" ({habit['unit']})" if habit["unit"] and "game" not in habit["unit"] else ""
            lines.append(f"| {cell(name)}{unit} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _rate(rate: float, unit: str) -> str:
    return f"{rate:.2f}" if unit else f"{100 * rate:.0f}"


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def signed(elo: float) -> str:
    """A whole number with its sign; nothing for 0."""
    text = f"{elo:+.0f}"
    return "0" if text in ("+0", "-0") else text


def cell(text: str) -> str:
    """Text that can't break out of a Markdown table or become a tag."""
    cleaned = text.replace("\\", "\\\\").replace("|", "\\|").replace("\n", " ")
    return cleaned.replace("&", "&amp;").replace("<", "&lt;").replace("`", "'")


def load_report(path: Path) -> dict[str, Any]:
    """Read a report's JSON.

    Raises:
        LoadError: no such file, or not a report.
    """
    try:
        report = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise LoadError(f"can't read {path}: {error.strerror}") from None
    except ValueError:
        raise LoadError(f"{path}: not JSON") from None
    if not isinstance(report, dict) or report.get("schema") != SCHEMA:
        raise LoadError(f"{path}: not the JSON of a report (schema {SCHEMA!r})")
    return report


def main(arguments: Sequence[str]) -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m evaluation.page.ladder", description=__doc__)
    parser.add_argument("reports", type=Path, nargs="+", help="JSON files of `fm-env report`")
    parser.add_argument("--out", type=Path, required=True, help="the page to write")
    given = parser.parse_args(arguments)
    try:
        parts = [section(load_report(path)) for path in given.reports]
    except LoadError as error:
        sys.exit(f"ladder: {error}")
    write_atomically(given.out, "\n".join([INTRODUCTION, *parts]).encode())


if __name__ == "__main__":
    main(sys.argv[1:])

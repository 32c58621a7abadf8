"""Findings as a page, as JSON and as a Markdown ladder."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from evaluation.behaviour import Rate
from evaluation.page.charts import Dot, dot_chart, heat, reliability_chart, short
from evaluation.page.findings import Findings, Watched
from evaluation.page.ladder import ladder_table, signed
from evaluation.table import rate_text
from evaluation.tournament.analysis import Analysis
from fm_env.games.conduct import Habit

LEAST_SPAN = 0.05
"""Distance from one half that is full colour in the heat map, at least."""

LONG_TEXT = 60_000
"""Letters of a game in words that the page holds itself; longer ones are only linked."""


def page(findings: Findings, replay_folder: str, json_file: str) -> str:
    """The whole report as one HTML document that loads nothing.

    Args:
        findings: what it says.
        replay_folder: where replays lie, seen from the page.
        json_file: where the JSON lies, seen from the page.
    """
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters |= {"short": short, "signed": signed}
    analysis, watched = findings.analysis, findings.watched
    sections = [
        ("ladder", "Ladder"),
        ("payoffs", "Everybody against everybody"),
        ("better", "Who is better"),
        ("seats", "Seats and luck"),
    ]
    if watched is not None:
        sections += [
            ("behaviour", "How they play"),
            ("calibration", "Estimates"),
            ("replays", "Games to watch"),
        ]
    shown: dict[str, Any] = {
        "sections": sections,
        "watched": watched,
        "command": findings.command,
        "json_file": json_file,
        **_head(findings),
        **_ladder(analysis),
        **_payoffs(analysis),
        **_seats(analysis),
        **(_watched(watched, analysis, replay_folder) if watched is not None else {}),
    }
    return environment.get_template("report.html.jinja").render(shown)


def markdown(analysis: Analysis) -> str:
    """The ladder as a Markdown table."""
    return ladder_table(analysis.to_json())


def ladder_rows(analysis: Analysis) -> list[dict[str, Any]]:
    """One row for each agent by falling rating."""
    header, names = analysis.header, analysis.header.names
    by_agent = {rating.agent: rating for rating in analysis.ratings}
    rows: list[dict[str, Any]] = []
    for k in analysis.ranking:
        verdicts: dict[str, list[str]] = {"beats": [], "loses to": [], "undecided": []}
        others = [j for j in analysis.ranking if j != k]
        for j in others:
            verdicts[analysis.pair(k, j).verdict].append(names[j])
        rating = by_agent[k]
        rows.append(
            {
                "agent": k,
                "name": names[k],
                "spec": header.agents[k].spec,
                "elo": rating.elo,
                "low": rating.low,
                "high": rating.high,
                "score": float(sum(analysis.payoffs[k, j] for j in others) / len(others)),
                "nash": float(analysis.nash[k]),
                "alpha": float(analysis.alpha_rank[k]),
                "beats": verdicts["beats"],
                "loses": verdicts["loses to"],
                "undecided": verdicts["undecided"],
            }
        )
    return rows


def _head(findings: Findings) -> dict[str, Any]:
    header, results = findings.header, findings.analysis.results
    game = header.game
    options = {k: v for k, v in game.options.items() if k != "scenario"}
    facts = [
        ("game", f"{game.name}, scenario {game.scenario}, {game.num_seats} seats"),
        ("options", ", ".join(f"{k} = {json.dumps(v)}" for k, v in options.items()) or "the scenario's own"),
        ("games", f"{results.games:,} in {len(results.blocks):,} blocks of shared luck"),
        ("seed", str(header.seed)),
        ("risk of error", f"{header.question.error:g} for all claims together"),
        ("rules version", f"{game.rules_version}, observations {game.observation_version}"),
        ("versions", ", ".join(f"{name} {version}" for name, version in header.versions.items())),
        ("played", header.created),
        ("command", header.command),
        ("fingerprints", ", ".join(f"{agent.name} {agent.fingerprint}" for agent in header.agents)),
    ]
    names = header.names
    faults = [
        f"{names[agent]} failed to answer: " + ", ".join(f"{kind} {n:,} times" for kind, n in kinds.items())
        for agent, kinds in sorted(findings.analysis.faults.items())
    ]
    lead = f"{len(names)} agents, {results.games:,} games of {game.scenario} ({game.name})."
    title = f"Tournament in {game.scenario}"
    return {
        "title": title,
        "lead": lead,
        "facts": [(name, value) for name, value in facts if value],
        "faults": faults,
        "complete": findings.analysis.complete,
    }


def _ladder(analysis: Analysis) -> dict[str, Any]:
    rows = ladder_rows(analysis)
    low, high = min(row["low"] for row in rows), max(row["high"] for row in rows)
    margin = max(10.0, 0.05 * (high - low))
    dots = [
        Dot(
            row["name"],
            row["elo"],
            row["low"],
            row["high"],
            f"{row['elo']:+.0f} [{row['low']:+.0f}, {row['high']:+.0f}]",
        )
        for row in rows
    ]
    chart = dot_chart("Ratings with 95 % intervals", dots, low - margin, high + margin, middle=0.0)
    return {"ladder": rows, "order": [row["name"] for row in rows], "ratings_chart": chart}


def _payoffs(analysis: Analysis) -> dict[str, Any]:
    names = analysis.header.names
    # Of games in which luck is large, small differences are all there is to see.
    span = max(LEAST_SPAN, float(abs(analysis.payoffs - 0.5).max()))
    rows: list[dict[str, Any]] = []
    pairs: list[dict[str, Any]] = []
    for k in analysis.ranking:
        cells: list[dict[str, Any] | None] = []
        for j in analysis.ranking:
            if j == k:
                cells.append(None)
                continue
            found, score = analysis.pair(k, j), float(analysis.payoffs[k, j])
            interval = f"{100 * found.score.low:.1f} to {100 * found.score.high:.1f}"
            cells.append(
                {
                    "score": score,
                    "style": heat(score, span),
                    "told_apart": found.verdict != "undecided",
                    "note": f"{names[k]} {found.verdict} {names[j]}: {100 * score:.1f} % [{interval}]"
                    if found.verdict != "undecided"
                    else f"{names[k]} and {names[j]} undecided: {100 * score:.1f} % [{interval}]",
                }
            )
            if analysis.ranking.index(k) < analysis.ranking.index(j):
                pairs.append(
                    {"first": names[k], "second": names[j], "score": found.score, "verdict": found.verdict}
                )
        rows.append({"name": names[k], "cells": cells})
    scores = [0.5 + part * span for part in (-1, -0.5, 0, 0.5, 1)]
    key = [(f"{100 * score:.0f}", heat(score, span)) for score in scores]
    return {"heat_rows": rows, "heat_key": key, "pairs": pairs}


def _seats(analysis: Analysis) -> dict[str, Any]:
    dots: list[Dot] = []
    for seat in analysis.seats:
        s = seat.score
        note = f"{100 * s.mean:.1f} % [{100 * s.low:.1f}, {100 * s.high:.1f}]"
        dots.append(Dot(f"seat {seat.seat}", 100 * s.mean, 100 * s.low, 100 * s.high, note))
    low = min(40.0, *(dot.low for dot in dots))
    high = max(60.0, *(dot.high for dot in dots))
    clear = [dot for dot in dots if dot.low > 50.0 or dot.high < 50.0]
    told = (
        "No seat has an advantage that can be told from these games."
        if not clear
        else f"{'; '.join(f'{dot.label} scores {dot.note}' for dot in clear)}."
    )
    saved = analysis.luck_saved
    luck = (
        ""
        if saved is None
        else f" With shared luck, one game says as much as {saved:.2f} with luck of their own."
    )
    return {
        "luck": told + luck,
        "seats_chart": dot_chart("Score of each seat", dots, low, high, unit=" %", middle=50.0),
    }


def _watched(watched: Watched, analysis: Analysis, folder: str) -> dict[str, Any]:
    order = [analysis.header.names[k] for k in analysis.ranking]
    charts: list[dict[str, Any]] = []
    rows: list[dict[str, Any]] = []
    for name, habit in watched.habits.items():
        found = [(agent, watched.rates.get(agent, {}).get(name)) for agent in order]
        seen = [(agent, rate) for agent, rate in found if rate is not None]
        if not seen:
            continue
        charts.append({"name": name, "doc": habit.doc, "svg": _habit_chart(name, habit, seen)})
        cells = [None if rate is None else _habit_cell(rate, habit) for _, rate in found]
        rows.append({"name": name, "unit": habit.unit, "cells": cells})
    return {
        "behaviour_charts": charts,
        "behaviour_rows": rows,
        "calibrations": [
            {"name": name, "found": found, "svg": reliability_chart(name, found)}
            for name, found in watched.calibrations.items()
        ],
        "replays": [_replay(replay, folder) for replay in watched.replays],
    }


def _habit_chart(name: str, habit: Habit, seen: Sequence[tuple[str, Rate]]) -> Markup:
    scale = 1.0 if habit.unit else 100.0
    dots = [
        Dot(
            agent,
            scale * rate.rate,
            scale * rate.low,
            scale * rate.high,
            rate_text(rate, habit) + ("" if habit.unit else " %"),
        )
        for agent, rate in seen
    ]
    high = 100.0 if not habit.unit else max(1.0, *(dot.high for dot in dots)) * 1.05
    low = min(0.0, *(dot.low for dot in dots))
    return dot_chart(name, dots, low, high, width=330)


def _habit_cell(rate: Rate, habit: Habit) -> Mapping[str, Any]:
    ends = [rate_text(Rate(value, value, value, 0, 0), habit) for value in (rate.low, rate.high)]
    return {"text": rate_text(rate, habit), "interval": f"{ends[0]} to {ends[1]}", "n": rate.n}


def _replay(replay: Any, folder: str) -> dict[str, Any]:
    return {
        "title": ", ".join(replay.reasons)[:1].upper() + ", ".join(replay.reasons)[1:],
        "players": " against ".join(replay.players),
        "outcome": replay.outcome,
        "choices": len(replay.story.choices),
        "seed": replay.story.seed,
        "json": f"{folder}/{replay.name}.json",
        "txt": f"{folder}/{replay.name}.txt",
        "text": replay.text if len(replay.text) <= LONG_TEXT else "",
    }


def _rating(row: Mapping[str, Any]) -> str:
    return f"{signed(row['elo'])} [{signed(row['low'])}, {signed(row['high'])}]"

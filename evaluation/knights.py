"""Does the choice of knight and style matter in Sword and Shield? `python -m evaluation.knights`.

Every knight played by every style meets every other, on both seats under the same luck. The matrix
of win rates says who beats whom; its equilibrium says what two players would take who choose
knight and style before the joust without knowing of each other's choice. A choice that was better
than all others would stand alone in it.
"""

from __future__ import annotations

import argparse
import dataclasses
import itertools
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.table import Table

from agents.registry import make
from evaluation.arena import play
from evaluation.report import versions, write_report
from evaluation.stats import LEVEL, Interval, mean_interval
from fm_env import registry
from fm_env.games.sword_and_shield.data import knights

SCHEMA = "fm-env-knights-1"
STYLES = ("hitter", "conserver", "reader")

Matrix = npt.NDArray[np.float64]


class Entry(NamedTuple):
    """What a player takes to the joust."""

    knight: str
    style: str

    def __str__(self) -> str:
        return f"{self.knight}, {self.style}"


def win_rate(one: Entry, two: Entry, games: int, seed: int, deck: str = "base") -> Interval:
    """Win rate of `one` against `two` (a draw is half a win), each on either seat under the same luck."""
    game = registry.find("sword_and_shield")
    blocks = -(-games // 2)
    scores = np.zeros((blocks, 2))
    for seat in (0, 1):
        entries = (one, two) if seat == 0 else (two, one)
        scenario = game.scenario("joust", knights=[entry.knight for entry in entries], deck=deck)
        agents = [make(entry.style, game, scenario) for entry in entries]
        scores[:, seat] = (play(game, scenario, [agents], blocks, seed)[:, 0, seat] + 1) / 2
    return mean_interval(scores.mean(axis=1), 0.0, 1.0)


def payoffs(entries: Sequence[Entry], games: int, seed: int) -> list[list[Interval]]:
    """Win rates of each entry (row) against each (column); one half with itself."""
    n = len(entries)
    even = Interval(0.5, 0.5, 0.5, 0)
    table = [[even] * n for _ in range(n)]
    for i, j in itertools.combinations(range(n), 2):
        rate = win_rate(entries[i], entries[j], games, seed)
        table[i][j] = rate
        table[j][i] = Interval(1 - rate.mean, 1 - rate.high, 1 - rate.low, rate.blocks)
    return table


def dominant(table: Sequence[Sequence[Interval]], rows: Sequence[int]) -> list[int]:
    """Those of `rows` that beat all others of them beyond doubt."""
    return [i for i in rows if all(table[i][j].low > 0.5 for j in rows if j != i)]


def equilibrium(rates: Matrix, rounds: int = 20_000) -> tuple[Matrix, float]:
    """Weights of an (approximate) equilibrium of a symmetric game of win rates, by regret matching.

    Args:
        rates: `[n, n]`, win rate of the row; `rates + rates.T` is 1.
        rounds: of play; the average of all of them, later ones counting more, is returned.

    Returns:
        Weights `[n]`, and by how much the best answer beats them (above one half).
    """
    payoff = rates - 0.5
    regrets = np.zeros(len(payoff))
    average = np.zeros(len(payoff))
    for k in range(1, rounds + 1):
        mix = regrets / regrets.sum() if regrets.sum() > 0 else np.full(len(payoff), 1 / len(payoff))
        average += k * mix
        gains = payoff @ mix
        regrets = np.maximum(0.0, regrets + gains - mix @ gains)
    average /= average.sum()
    return average, float((payoff @ average).max())


def findings(entries: Sequence[Entry], table: Sequence[Sequence[Interval]]) -> dict[str, Any]:
    """What the matrix says about the choice."""
    rates = np.array([[cell.mean for cell in row] for row in table])
    weights, exploitable = equilibrium(rates)
    by_style = {
        style: [i for i, entry in enumerate(entries) if entry.style == style]
        for style in dict.fromkeys(entry.style for entry in entries)
    }
    best = {
        style: entries[max(rows, key=lambda i: rates[i, rows].mean())].knight
        for style, rows in by_style.items()
    }
    return {
        "dominant_entries": [str(entries[i]) for i in dominant(table, range(len(entries)))],
        "dominant_knights": {
            style: [entries[i].knight for i in dominant(table, rows)] for style, rows in by_style.items()
        },
        "best_knight_on_average": best,
        "equilibrium": {
            str(entries[i]): round(float(weights[i]), 3) for i in np.argsort(-weights) if weights[i] > 0.005
        },
        "equilibrium_exploitable_by": round(exploitable, 4),
    }


def style_table(style: str, entries: Sequence[Entry], table: Sequence[Sequence[Interval]]) -> Table:
    """Knights against knights, both played by one style."""
    rows = [i for i, entry in enumerate(entries) if entry.style == style]
    shown = Table(title=f"{style} against {style}: win rate of the row, %", title_justify="left")
    shown.add_column("knight")
    for j in rows:
        shown.add_column(entries[j].knight, justify="right")
    for i in rows:
        cells = ["" if i == j else f"{100 * table[i][j].mean:.1f}" for j in rows]
        shown.add_row(entries[i].knight, *cells)
    return shown


def duel_table(entries: Sequence[Entry], table: Sequence[Sequence[Interval]]) -> Table:
    """Styles against styles, both with the same knight."""
    number = {entry: i for i, entry in enumerate(entries)}
    pairs = list(itertools.combinations(dict.fromkeys(entry.style for entry in entries), 2))
    shown = Table(title="same knight: win rate of the first style, %", title_justify="left")
    shown.add_column("knight")
    for one, two in pairs:
        shown.add_column(f"{one} - {two}", justify="right")
    for knight in dict.fromkeys(entry.knight for entry in entries):
        cells = [table[number[Entry(knight, a)]][number[Entry(knight, b)]].mean for a, b in pairs]
        shown.add_row(knight, *(f"{100 * cell:.1f}" for cell in cells))
    return shown


def main(words: Sequence[str] | None = None) -> None:
    """Play, print, write."""
    parser = argparse.ArgumentParser(prog="python -m evaluation.knights", description=__doc__)
    parser.add_argument("--games", type=int, default=4000, help="games of each pair of entries")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path, help="write the matrix with its intervals to this file")
    options = parser.parse_args(words)
    entries = [Entry(knight, style) for style in STYLES for knight in knights()]
    table = payoffs(entries, options.games, options.seed)
    found = findings(entries, table)
    console = Console()
    for style in STYLES:
        console.print(style_table(style, entries, table))
    console.print(duel_table(entries, table))
    console.print(found)
    if options.json is not None:
        report = {
            "schema": SCHEMA,
            "command": " ".join(["python -m evaluation.knights", *(words or sys.argv[1:])]),
            "seed": options.seed,
            "confidence": LEVEL,
            "games": options.games,
            "versions": versions(),
            "findings": found,
            "win_rates": {
                str(one): {
                    str(two): [round(x, 4) for x in dataclasses.astuple(table[i][j])[:3]]
                    for j, two in enumerate(entries)
                    if i != j
                }
                for i, one in enumerate(entries)
            },
        }
        write_report(options.json, report)


if __name__ == "__main__":
    main()

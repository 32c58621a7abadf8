"""What `fm-env solve` does; `fm_env.cli` only declares its options."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from evaluation.solve.grid import LARGEST, solve, solve_grid
from evaluation.solve.moves import Moves
from evaluation.solve.tables import make_tables
from fm_env import registry
from fm_env.errors import SetupError

TABLES: dict[str, dict[str, Any]] = {"clash": {}, "clash-joker-points": {"joker_points": True}}
"""Tables of the agent `equilibrium` and the options they are solved for."""
TABLE_SIZES = tuple((a, d) for a in range(1, LARGEST + 1) for d in range(1, LARGEST + 1))


def solve_command(options: Mapping[str, Any], nash_conv: float, console: Console | None = None) -> None:
    """Solve one clash and show it.

    Raises:
        SetupError: options of no clash, or of one that can't be solved.
    """
    console = console or Console()
    game = registry.find("fairy_meat")
    scenario = game.scenario("clash", **options)
    a, d = (int(n) for n in scenario.setup.hand_size)
    if max(a, d) > LARGEST:
        raise SetupError(
            f"hands of {a} and {d}: more than hours and gigabytes allow; expected at most {LARGEST}"
        )
    Moves(scenario)  # refuses what else can't be solved before anything is done; takes long for large hands
    entry = solve(game, {**options, "a": a, "d": d}, nash_conv)["entry"]
    table = Table(title=f"clash, hands {a} and {d}", title_justify="left")
    table.add_column("")
    for role in entry["habits"]:
        table.add_column(role, justify="right")
    for habit in entry["habits"]["attacker"]:
        table.add_row(habit.replace("_", " "), *(f"{rates[habit]:.3f}" for rates in entry["habits"].values()))
    console.print(table)
    console.print(
        f"value {entry['value']:+.5f} to the attacker, NashConv {entry['nash_conv']:.1e}"
        f" after {entry['iterations']} iterations ({entry['seconds']} s)"
    )


def solve_all_command(results: Path, work: Path, tables: Path | None, console: Console | None = None) -> None:
    """Solve the grid of `grid.grid`, and write the tables."""
    console = console or Console()
    game = registry.find("fairy_meat")
    solve_grid(game, results, work, console.print)
    if tables is not None:
        for name, options in TABLES.items():
            make_tables(game, TABLE_SIZES, options, work, tables / name)
            console.print(f"table: {tables / name}.npz")

"""How much stronger each difficulty level is than the one below: `make levels`.

python -m evaluation.levels --games 4000 --json evaluation/results/levels.json
"""

from __future__ import annotations

import json
import shlex
import sys
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from agents.levels import Ladder, ladders
from agents.policy import write_atomically
from agents.registry import make
from evaluation.compare import play_pair
from fm_env.match import load

WANTED = 0.55
"""Share of games that a level has to win against the one below, draws not counted as wins."""


def climb(ladder: Ladder, games: int, seed: int, progress: Progress) -> list[dict[str, Any]]:
    """Play each level of a ladder against the one below, on its first scenario."""
    handle = load(ladder.game)
    scenario = handle.scenario(ladder.scenarios[0])
    rungs = []
    for low, high in pairwise(ladder.levels):
        stronger, weaker = (make(f"level:{each.name}", handle.game, scenario) for each in (high, low))
        bar = progress.add_task(f"{scenario.spec.scenario}: {high.name} against {low.name}", total=games)
        played = play_pair(
            handle.game, scenario, stronger, weaker, games, seed, lambda n, bar=bar: progress.advance(bar, n)
        )
        rungs.append(
            {
                "game": ladder.game,
                "scenario": scenario.spec.scenario,
                "level": high.name,
                "below": low.name,
                "games": played.games,
                "wins": played.wins,
                "draws": played.draws,
                "losses": played.losses,
                "win_rate": round(played.wins / played.games, 4),
                "score": round(played.score.mean, 4),
                "score_interval": [round(played.score.low, 4), round(played.score.high, 4)],
                "entries": [high.model_dump(), low.model_dump()],
                "fingerprints": [stronger.fingerprint(), weaker.fingerprint()],
            }
        )
    return rungs


def main(
    games: Annotated[int, typer.Option(help="For each pair of neighbours.")] = 4_000,
    seed: Annotated[int, typer.Option(help="Equal seeds give equal results.")] = 1,
    json_file: Annotated[Path | None, typer.Option("--json", help="Where the result goes.")] = None,
) -> None:
    """Measure all ladders; fail if a level wins less than it should."""
    rungs: list[dict[str, Any]] = []
    with Progress(transient=True) as progress:
        for ladder in ladders():
            rungs += climb(ladder, games, seed, progress)
    table = Table("scenario", "level", "against", "wins", "draws", "losses", "win rate")
    for rung in rungs:
        counts = (str(rung[key]) for key in ("wins", "draws", "losses"))
        table.add_row(rung["scenario"], rung["level"], rung["below"], *counts, f"{rung['win_rate']:.1%}")
    Console().print(table)
    if json_file is not None:
        result = {
            "schema": 1,
            "command": shlex.join(["python", "-m", "evaluation.levels", *sys.argv[1:]]),
            "created": datetime.now(UTC).isoformat(timespec="seconds"),
            "seed": seed,
            "wanted_win_rate": WANTED,
            "rungs": rungs,
        }
        write_atomically(json_file, (json.dumps(result, indent=1) + "\n").encode())
    if any(rung["win_rate"] < WANTED for rung in rungs):
        raise typer.Exit(1)


if __name__ == "__main__":
    typer.run(main)

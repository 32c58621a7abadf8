"""How long and how wide the games of a scenario are when everybody plays at random.

    python -m evaluation.course fairy_meat skirmish-1v1 skirmish-2v2 skirmish skirmish:num_players=4

prints a row for each scenario; `--json FILE` writes them with the command and the versions.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numba
import numpy as np
from rich.console import Console
from rich.table import Table

from agents.policy import write_atomically
from evaluation.soak import rules_hash
from fm_env.batch import Batch
from fm_env.match import GameHandle, load
from fm_env.rng import row_for


@dataclass(frozen=True)
class Course:
    """Means over random games. Choices are those with two or more legal actions."""

    scenario: str
    games: int
    choices: float
    """A game."""
    legal_actions: float
    """A choice."""
    chance_events: float
    """A game."""
    drawn: float
    """Share of games with equal returns for all."""


def course(game: GameHandle, text: str, games: int, seed: int) -> Course:
    """Play `games` random games of the scenario that a text like `skirmish:num_players=4` names."""
    from fm_env.cli import parse_options

    name, _, options = text.partition(":")
    scenario = game.scenario(name, **parse_options(options.split(",") if options else None))
    batch = Batch(game.game, scenario, games, seed=seed)
    batch.reset()
    batch.advance()
    rng = row_for(seed)
    asked = legal = 0
    while batch.asked.any():
        asked += int(batch.asked.sum())
        legal += int(batch.num_legal[batch.asked].sum())
        batch.step(batch.random_actions(rng))
    drawn = float((np.ptp(batch.returns, axis=1) == 0).mean())
    counted = batch.counters
    return Course(
        text, games, counted["decisions"] / games, legal / asked, counted["chance_events"] / games, drawn
    )


def main(arguments: Sequence[str]) -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m evaluation.course", description=__doc__)
    parser.add_argument("game")
    parser.add_argument("scenarios", nargs="+")
    parser.add_argument("--games", type=int, default=256)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args(arguments)
    handle = load(given.game)
    rows = [course(handle, text, given.games, given.seed) for text in given.scenarios]
    table = Table("scenario", "choices a game", "legal actions a choice", "chance events a game", "drawn")
    for row in rows:
        numbers = f"{row.choices:,.0f}", f"{row.legal_actions:.1f}", f"{row.chance_events:,.0f}"
        table.add_row(row.scenario, *numbers, f"{row.drawn:.0%}")
    Console().print(table)
    if given.json:
        report: dict[str, Any] = {
            "command": "python -m evaluation.course " + " ".join(arguments),
            "game": given.game,
            "rules": rules_hash(given.game),
            "versions": {"python": platform.python_version(), "numba": numba.__version__},
            "rows": [asdict(row) for row in rows],
        }
        write_atomically(given.json, (json.dumps(report, indent=1) + "\n").encode())


if __name__ == "__main__":
    main(sys.argv[1:])

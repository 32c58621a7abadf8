"""What `fm-env record` does."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from agents.registry import make
from evaluation.command import allow_modules_here, progress_bar
from fm_env import registry
from fm_env.views.table import find_scenario
from training.dataset.layout import Header
from training.dataset.record import Recording, size_text


def record_command(
    agents: Sequence[str],
    *,
    out: Path,
    game: str,
    scenario: str | None,
    options: Mapping[str, Any],
    games: int,
    seed: int,
    forced: bool = False,
    chances: bool = False,
    games_per_shard: int | None = None,
    console: Console | None = None,
) -> Header:
    """Say how big it will be, play under a progress bar, say what there is.

    Args:
        agents: specs of who plays.
        out: folder of the dataset.
        game: name of the game.
        scenario: its name or TOML file; None for the game's own choice.
        options: options of the scenario.
        games: how many.
        seed: equal seeds give equal files.
        forced: keep choices with one legal action, too.
        chances: keep the chance of every action.
        games_per_shard: None: as many as fit into about 96 MB of memory.
        console: where words go; standard error by default.

    Raises:
        fm_env.errors.FmEnvError: a mistake in what was asked for.
    """
    console = console or Console(stderr=True)
    allow_modules_here()
    rules = registry.find(game)
    setting = find_scenario(rules, scenario, options=options)
    players = [make(spec, rules, setting) for spec in agents]
    recording = Recording(
        out,
        rules,
        setting,
        players,
        games,
        seed,
        forced=forced,
        chances=chances,
        games_per_shard=games_per_shard,
        command=shlex.join(["fm-env", *sys.argv[1:]]),
    )
    there = games - recording.missing
    if recording.resumed:
        console.print(f"going on: {there:,} of {games:,} games are there")
    if recording.missing:
        console.print(
            f"{recording.missing:,} games of about {recording.estimate.rows_per_game:,.0f} decisions:"
            f" about {size_text(recording.missing_bytes)}"
        )
    with progress_bar() as bar:
        task = bar.add_task("recording", total=games, completed=there)
        header = recording.run(lambda count: bar.advance(task, count))
    rows, size = sum(shard.rows for shard in header.shards), sum(shard.bytes for shard in header.shards)
    console.print(
        f"{games:,} games, {rows:,} decisions, {size_text(size)} in {len(header.shards)} shards: {out}\n"
        f'read it with training.dataset.load("{out}")'
    )
    return header

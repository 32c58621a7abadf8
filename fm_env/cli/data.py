"""Games as data: recording them, learning to play like whoever played."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fm_env.cli.options import GameOption, ScenarioOption, SeedOption, SetOption, parse_options

commands = typer.Typer()


@commands.command()
def record(
    agents: Annotated[
        list[str],
        typer.Argument(help="Who plays; each game draws the seats. One agent plays against itself."),
    ],
    out: Annotated[Path, typer.Option(help="Folder of the dataset; a killed recording goes on from it.")],
    game: GameOption = "fairy_meat",
    scenario: ScenarioOption = None,
    options: SetOption = None,
    num_games: Annotated[
        int, typer.Option("--games", help="How many; more than the folder holds adds the rest.")
    ] = 10_000,
    seed: SeedOption = 1,
    forced: Annotated[
        bool, typer.Option("--forced", help="Keep choices with one legal action only, too.")
    ] = False,
    chances: Annotated[
        bool, typer.Option("--chances", help="Keep the chance of every action, for agents that tell.")
    ] = False,
    games_per_shard: Annotated[
        int | None, typer.Option(help="Games in one file; by default about 96 MB of memory.")
    ] = None,
) -> None:
    """Record games as a dataset of observations, masks, actions and returns (docs/datasets.md)."""
    from training.dataset.command import record_command

    record_command(
        agents,
        out=out,
        game=game,
        scenario=scenario,
        options=parse_options(options),
        games=num_games,
        seed=seed,
        forced=forced,
        chances=chances,
        games_per_shard=games_per_shard,
    )

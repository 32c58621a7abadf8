"""Rules: what there is, whether it works, how fast it is."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

from fm_env.cli.options import GameOption, ScenarioOption, SeedOption, SetOption, parse_options

commands = typer.Typer()


@commands.command()
def games() -> None:
    """List the games and their scenarios."""
    from rich.console import Console
    from rich.table import Table

    from fm_env import load, names

    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for head in ("game", "scenario"):
        table.add_column(head, no_wrap=True)
    for head in ("seats", "actions", "observation", "rules"):
        table.add_column(head, justify="right")
    for name in names():
        game = load(name)
        for scenario in game.scenario_names():
            spec = game.spec(scenario)
            mark = " *" if scenario == game.default_scenario else ""
            sizes = (spec.num_seats, spec.num_actions, spec.observation_size, spec.rules_version)
            table.add_row(name, scenario + mark, *map(str, sizes))
    table.caption, table.caption_justify = "* the scenario played when none is named", "left"
    Console().print(table)


@commands.command("compile")
def compile_rules(game: GameOption = "fairy_meat", scenario: ScenarioOption = None) -> None:
    """Compile the rules and bots now; otherwise that happens at their first use."""
    from agents.registry import dispatcher
    from fm_env.match import load
    from fm_env.warm import warm

    handle = load(game)
    for name in [scenario] if scenario else handle.scenario_names():
        warm(handle, handle.scenario(name), dispatcher(game))
        typer.echo(f"{game} {name}: compiled")


@commands.command()
def doctor() -> None:
    """Look at this installation: versions, compiled rules, cores, GPU, a self-test; say what to do."""
    from evaluation.doctor import doctor_command

    if not doctor_command():
        raise typer.Exit(1)


@commands.command()
def bench(
    game: Annotated[
        str | None,
        typer.Option("--game", help="Name of the game; every game's default scenario if left out."),
    ] = None,
    scenario: ScenarioOption = None,
    options: SetOption = None,
    num_games: Annotated[int, typer.Option("--games", help="Games played side by side.")] = 1024,
    seconds: Annotated[float, typer.Option(help="About how long each measurement takes.")] = 2.0,
    seed: SeedOption = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead.")] = False,
) -> None:
    """Measure decisions a second, beside a bare kernel and PettingZoo's Connect Four."""
    from fm_env.bench import bench_command

    about = None
    if as_json:
        from evaluation.report import versions

        about = {"command": shlex.join(["fm-env", *sys.argv[1:]]), "versions": versions()}
    bench_command(
        game,
        scenario,
        parse_options(options),
        num_games=num_games,
        seconds=seconds,
        seed=seed,
        as_json=as_json,
        about=about,
    )


@commands.command()
def soak(
    game: GameOption = "fairy_meat",
    scenario: ScenarioOption = None,
    options: SetOption = None,
    decisions: Annotated[int, typer.Option(help="Choices to make, forced ones not counted.")] = 1_000_000,
    every: Annotated[int, typer.Option(help="Check the invariants at every so many steps.")] = 50,
    seed: SeedOption = 1,
    json: Annotated[Path | None, typer.Option(help="Add the result to this JSON list.")] = None,
) -> None:
    """Play random games for long and look for broken states, masks, bounds and returns."""
    from evaluation.soak import soak_command
    from fm_env.match import load

    handle = load(game)
    chosen = handle.scenario(scenario, **parse_options(options))
    result = soak_command(handle, chosen, decisions, seed=seed, every=every, json_file=json)
    if result.failure:
        raise typer.Exit(1)

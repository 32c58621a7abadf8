"""Learning: training runs, the demo, policies for elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fm_env.cli.options import ScenarioOption, SetOption, parse_options

commands = typer.Typer()


@commands.command()
def train(
    config: Annotated[str, typer.Argument(help="A TOML file, or a shipped config: duel, clash, duel_demo.")],
    resume: Annotated[bool, typer.Option("--resume", help="Go on from the newest checkpoint.")] = False,
    run_dir: Annotated[Path | None, typer.Option(help="Folder of the run; runs/NAME by default.")] = None,
    minutes: Annotated[float | None, typer.Option(help="Replaces the config's time limit.")] = None,
    seed: Annotated[int | None, typer.Option(help="Replaces the config's seed.")] = None,
    device: Annotated[str | None, typer.Option(help="auto, cpu or cuda; replaces the config's.")] = None,
) -> None:
    """Train a policy by self-play: progress, curves, checkpoints, and a policy file at the end."""
    from training.command import train as run

    run(config, resume=resume, run_dir=run_dir, minutes=minutes, seed=seed, device=device)


@commands.command()
def curves(
    runs: Annotated[list[Path], typer.Argument(help="Folders of training runs.")],
    out: Annotated[Path | None, typer.Option(help="Draw them into this PNG file.")] = None,
    report: Annotated[Path | None, typer.Option("--json", help="Write config and curves here.")] = None,
) -> None:
    """Win rates, entropy and so on of training runs over time, as a picture and a small JSON file."""
    from training.curves import curves_command

    curves_command(runs, out, report)


@commands.command()
def demo(
    minutes: Annotated[float | None, typer.Option(help="Training time; about three by default.")] = None,
    num_games: Annotated[int, typer.Option("--games", help="Games against each bot.")] = 10_000,
    run_dir: Annotated[Path | None, typer.Option(help="Folder of the run; a free one by default.")] = None,
) -> None:
    """Train a duellist for a few minutes, judge it against every bot, and show one of its games."""
    from training.demo import demo as run

    run(minutes=minutes, games=num_games, run_dir=run_dir)


@commands.command()
def export(
    agent: Annotated[str, typer.Argument(help="A learned policy: policy:NAME_OR_PATH.")],
    onnx: Annotated[Path, typer.Option(help="Write this ONNX file.")],
    scenario: ScenarioOption = None,
    options: SetOption = None,
    states: Annotated[
        int, typer.Option(help="Positions that the file is held against the policy on.")
    ] = 1000,
    positions: Annotated[
        Path | None, typer.Option(help="Write example positions of a game to this JSON file, too.")
    ] = None,
    num_positions: Annotated[int, typer.Option(help="How many.")] = 40,
) -> None:
    """Write a policy as ONNX, checked against the policy itself."""
    from agents.onnx_export import export_command

    export_command(agent, onnx, scenario, parse_options(options), states, positions, num_positions)

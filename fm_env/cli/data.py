"""Games as data, and training on many machines."""

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
    """Record games as a dataset of observations, masks, actions and returns (docs/tutorials/datasets.md)."""
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


@commands.command()
def clone(
    dataset: Annotated[Path, typer.Argument(help="Folder that `fm-env record` wrote.")],
    name: Annotated[str, typer.Option(help="Of the policy that comes out.")],
    agent: Annotated[
        list[str] | None,
        typer.Option(help="Learn this agent's choices only, as named in the dataset; repeatable."),
    ] = None,
    epochs: Annotated[int | None, typer.Option(help="Passes over the lessons; 12 by default.")] = None,
    hidden: Annotated[
        str | None, typer.Option(help="Widths of the hidden layers; 128,128 by default.")
    ] = None,
    learning_rate: Annotated[
        float | None, typer.Option(help="Adam's first step size; 0.001 by default.")
    ] = None,
    rows: Annotated[int | None, typer.Option(help="Use about so many decisions; all by default.")] = None,
    held_out: Annotated[
        int | None, typer.Option(help="Hold every so manieth game out; 10 by default.")
    ] = None,
    seed: SeedOption = 1,
    device: Annotated[str | None, typer.Option(help="auto, cpu or cuda.")] = None,
    run_dir: Annotated[Path | None, typer.Option(help="Folder of the run; runs/NAME by default.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on from the newest checkpoint.")] = False,
    num_games: Annotated[
        int, typer.Option("--games", help="Games against each teacher afterwards; 0: none.")
    ] = 4000,
    json: Annotated[Path | None, typer.Option(help="Write a report to this file.")] = None,
) -> None:
    """Train a policy to play like those who played a dataset's games, and play it against them."""
    from training.clone_command import clone_command

    clone_command(
        dataset,
        run_dir=run_dir,
        resume=resume,
        games=num_games,
        json=json,
        name=name,
        agents=agent,
        epochs=epochs,
        hidden=hidden.split(",") if hidden else None,
        learning_rate=learning_rate,
        rows=rows,
        held_out=held_out,
        seed=seed,
        device=device,
    )


@commands.command(name="train-rllib")
def train_rllib(
    config: Annotated[
        str, typer.Argument(help="A TOML file, or a config that comes with the package: duel, skirmish.")
    ],
    resume: Annotated[bool, typer.Option("--resume", help="Go on from the newest checkpoint.")] = False,
    run_dir: Annotated[Path | None, typer.Option(help="Folder of the run; runs/NAME by default.")] = None,
    minutes: Annotated[float | None, typer.Option(help="Replaces the config's time limit.")] = None,
    seed: Annotated[int | None, typer.Option(help="Replaces the config's seed.")] = None,
    env_runners: Annotated[
        int | None, typer.Option(help="Processes that play; replaces the config's.")
    ] = None,
    learners: Annotated[int | None, typer.Option(help="Processes that learn; replaces the config's.")] = None,
    gpus_per_learner: Annotated[float | None, typer.Option(help="Replaces the config's.")] = None,
    address: Annotated[
        str | None,
        typer.Option(help="Train on this Ray cluster; `auto` finds the one around. None: this machine."),
    ] = None,
) -> None:
    """Train on Ray's RLlib, on one machine or many (extras `train` and `scale`)."""
    from training.rllib.command import train_rllib_command

    train_rllib_command(
        config,
        resume=resume,
        run_dir=run_dir,
        address=address,
        run_minutes=minutes,
        run_seed=seed,
        cluster_env_runners=env_runners,
        cluster_learners=learners,
        cluster_gpus_per_learner=gpus_per_learner,
    )

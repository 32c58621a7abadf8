"""Playing: in the terminal, over a network, over stdio, again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fm_env.cli.options import GameOption, ScenarioOption, SeedOption, SetOption, parse_options

commands = typer.Typer()


replay_app = typer.Typer(no_args_is_help=True, help="Whole games as files: show, verify, record.")
commands.add_typer(replay_app, name="replay")


@commands.command()
def play(
    game: GameOption = "fairy_meat",
    scenario: ScenarioOption = None,
    options: SetOption = None,
    seat: Annotated[int, typer.Option(help="Where you sit.")] = 0,
    agent: Annotated[
        str, typer.Option(help="Your opponents, in turn, separated by commas; the best one if left out.")
    ] = "",
    seed: Annotated[int | None, typer.Option(help="Names the luck; fresh luck if left out.")] = None,
    save: Annotated[Path | None, typer.Option(help="Where the game is kept as it is played.")] = None,
    resume: Annotated[Path | None, typer.Option(help="Go on with a game that was kept.")] = None,
) -> None:
    """Play against an agent in the terminal. `?` explains; the game is saved after every choice."""
    from agents.terminal import play_command
    from evaluation.command import parse_agents

    play_command(
        game,
        scenario,
        parse_options(options),
        seat=seat,
        agents=parse_agents(agent) if agent else [],
        seed=seed,
        save_to=save,
        resume=resume,
    )


@commands.command()
def serve(
    host: Annotated[str, typer.Option(help="Address to listen at; 0.0.0.0 for all.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="0 takes a free one.")] = 8000,
    db: Annotated[Path | None, typer.Option(help="File that keeps the hosted games.")] = None,
    allow: Annotated[
        list[str] | None, typer.Option(help="Lend this agent, too, e.g. engine:./my_bot; repeatable.")
    ] = None,
    max_games: Annotated[int, typer.Option(help="Unfinished games at most.")] = 2_000,
    rate: Annotated[float, typer.Option(help="Requests a second from one address; 0: any number.")] = 20.0,
    agent_seconds: Annotated[float, typer.Option(help="For one choice of an agent.")] = 5.0,
) -> None:
    """Serve agents and hosted games over HTTP and WebSocket, with a page to play at."""
    from agents.service.serve import serve_command

    serve_command(
        host=host,
        port=port,
        db=db,
        allow=allow or (),
        max_games=max_games,
        rate=rate,
        agent_seconds=agent_seconds,
    )


@commands.command()
def engine(
    agent: Annotated[str, typer.Option(help="Who chooses where a message names nobody.")] = "random",
    db: Annotated[Path | None, typer.Option(help="File that keeps the hosted games.")] = None,
) -> None:
    """Lend agents to another program and host games for it over stdio, one JSON message a line
    (docs/protocol.md).
    """
    from agents.service.engine import engine_command

    engine_command(agent, db)


@commands.command()
def schema(
    file: Annotated[Path | None, typer.Argument(help="Where to write it; printed if left out.")] = None,
) -> None:
    """Print the JSON Schema of the service's protocol."""
    from agents.service.schema import schema_command

    schema_command(file)


@replay_app.command("show")
def replay_show(
    file: Annotated[Path, typer.Argument(help="A replay, a saved match or a server's record.")],
    seat: Annotated[int | None, typer.Option(help="Tell only what this seat saw.")] = None,
) -> None:
    """Tell a game in words, step by step."""
    from agents.replay_command import show_command

    show_command(file, seat)


@replay_app.command("verify")
def replay_verify(files: Annotated[list[Path], typer.Argument(help="Replays.")]) -> None:
    """Play replays again; fail at the first step, or anything else, that doesn't come out as written."""
    from agents.replay_command import verify_command

    if not verify_command(files):
        raise typer.Exit(1)


@replay_app.command("record")
def replay_record(
    file: Annotated[Path, typer.Argument(help="Where to write the replay.")],
    agents: Annotated[
        str, typer.Option(help="Agents for the seats in turn, separated by commas; the best one if left out.")
    ] = "",
    game: GameOption = "fairy_meat",
    scenario: ScenarioOption = None,
    options: SetOption = None,
    seed: SeedOption = 1,
) -> None:
    """Let agents play a game and write its replay, with what they weighed."""
    from agents.replay_command import record_command
    from evaluation.command import parse_agents

    specs = parse_agents(agents) if agents else []
    record_command(file, game, scenario, parse_options(options), specs, seed)

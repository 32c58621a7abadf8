"""The command `fm-env`. Each command here only names its options and imports what it needs."""

from __future__ import annotations

import errno
import sys
from pathlib import Path
from typing import Annotated

import typer

from fm_env.errors import FmEnvError, SetupError
from fm_env.extras import advice

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS)
"""What a full or locked disk answers."""

app = typer.Typer(
    name="fm-env",
    help="Multi-agent reinforcement learning environments around the miniatures game Fairy Meat.",
    epilog="First steps: `fm-env doctor` looks whether all is well, `fm-env demo` trains and shows a"
    " duellist, `fm-env games` and `fm-env agents` list what there is.",
    no_args_is_help=True,
    pretty_exceptions_show_locals=False,
)

benchmark_app = typer.Typer(name="benchmark", help="Numbers that can be compared.", no_args_is_help=True)
app.add_typer(benchmark_app)

GameOption = Annotated[str, typer.Option("--game", help="Name of the game; `fm-env games` lists them.")]
ScenarioOption = Annotated[
    str | None, typer.Option("--scenario", "-s", help="Name of the scenario; the game's own by default.")
]
SetOption = Annotated[
    list[str] | None,
    typer.Option("--set", "--option", metavar="KEY=VALUE", help="Option of the scenario; repeatable."),
]
SeedOption = Annotated[int, typer.Option("--seed", help="Equal seeds give equal results.")]


@app.command()
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


@app.command("compile")
def compile_rules(game: GameOption = "fairy_meat", scenario: ScenarioOption = None) -> None:
    """Compile the rules and bots now; otherwise that happens at their first use."""
    from agents.registry import dispatcher
    from fm_env.match import load
    from fm_env.warm import warm

    handle = load(game)
    for name in [scenario] if scenario else handle.scenario_names():
        warm(handle, handle.scenario(name), dispatcher(game))
        typer.echo(f"{game} {name}: compiled")


@app.command()
def doctor() -> None:
    """Look at this installation: versions, compiled rules, cores, GPU, a self-test; say what to do."""
    from evaluation.doctor import doctor_command

    if not doctor_command():
        raise typer.Exit(1)


@app.command()
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

    bench_command(
        game,
        scenario,
        parse_options(options),
        num_games=num_games,
        seconds=seconds,
        seed=seed,
        as_json=as_json,
    )


@app.command()
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


@app.command()
def evaluate(
    agent: Annotated[str, typer.Argument(help="The agent in question; `fm-env agents` explains the texts.")],
    against: Annotated[
        str, typer.Option(help="Its opponents, separated by commas: random,bluffer:rate=0.3,policy:NAME.")
    ],
    game: GameOption = "fairy_meat",
    scenario: ScenarioOption = None,
    options: SetOption = None,
    num_games: Annotated[int, typer.Option("--games", help="Games against each opponent.")] = 10_000,
    seed: SeedOption = 1,
    mirror: Annotated[
        bool,
        typer.Option("--mirror", help="Compare points in each role with the opponent's mirror match, too."),
    ] = False,
    habits: Annotated[
        bool, typer.Option("--habits", help="Tell how they play, too: bluffs, lays, ...")
    ] = False,
    json: Annotated[Path | None, typer.Option(help="Write a report to this file.")] = None,
    plot: Annotated[Path | None, typer.Option(help="Write a picture (PNG) to this file.")] = None,
) -> None:
    """Play an agent against others, on all seats under the same luck; show win rates with intervals."""
    from evaluation.command import evaluate_command, parse_agents

    evaluate_command(
        agent,
        parse_agents(against),
        game=game,
        scenario=scenario,
        options=parse_options(options),
        games=num_games,
        seed=seed,
        mirror=mirror,
        habits=habits,
        json=json,
        plot=plot,
    )


@app.command()
def report(
    results: Annotated[Path, typer.Argument(help="A tournament's file, as `fm-env tournament` writes it.")],
    out: Annotated[Path | None, typer.Option(help="The page; report.html by default.")] = None,
    watch: Annotated[
        int, typer.Option(help="Deals to watch for each group: behaviour, estimates, replays; 0: none.")
    ] = 10,
    seed: SeedOption = 1,
    ladder: Annotated[Path | None, typer.Option(help="Write the ladder as Markdown to this file.")] = None,
) -> None:
    """Report a tournament as one HTML page, with JSON and replays beside it."""
    from evaluation.page.command import report_command

    report_command(results, out=out, watch=watch, seed=seed, ladder=ladder)


@app.command()
def tournament(
    agents: Annotated[list[str], typer.Argument(help="Two or more; `fm-env agents` explains the texts.")],
    out: Annotated[Path, typer.Option(help="File of results; a killed tournament goes on from it.")],
    game: GameOption = "fairy_meat",
    scenario: ScenarioOption = None,
    options: SetOption = None,
    num_games: Annotated[
        int | None,
        typer.Option(
            "--games",
            help="Games of each pair (with more seats: of each set of agents that sit together);"
            " by default as many as tell 55 from 45 apart.",
        ),
    ] = None,
    seed: SeedOption = 1,
    until: Annotated[
        str | None,
        typer.Option(help="Stop early when it is clear: all, best, or 'A>B' for two of the agents."),
    ] = None,
    error: Annotated[float, typer.Option(help="Chance that any claim of the tournament is wrong.")] = 0.05,
    move_seconds: Annotated[
        float | None, typer.Option(help="Time limit for a decision of an agent in Python.")
    ] = None,
    on_fault: Annotated[
        str, typer.Option(help="After a crash or an illegal answer: stop, or fallback (a random move).")
    ] = "stop",
    ray: Annotated[bool, typer.Option("--ray", help="Play on all processors through Ray.")] = False,
    ray_address: Annotated[
        str | None, typer.Option(help="Play on this Ray cluster; `auto` finds the one around.")
    ] = None,
    json: Annotated[Path | None, typer.Option(help="Write the analysis to this file.")] = None,
) -> None:
    """Play all agents against all under shared luck; show ratings and who is better than whom."""
    from evaluation.tournament.command import Cluster, tournament_command

    tournament_command(
        agents,
        game=game,
        scenario=scenario,
        options=parse_options(options),
        games=num_games,
        out=out,
        seed=seed,
        until=until,
        error=error,
        move_seconds=move_seconds,
        on_fault=on_fault,  # type: ignore[arg-type]  # checked there
        json=json,
        cluster=Cluster(ray, ray_address),
    )


@app.command()
def ratings(
    file: Annotated[Path, typer.Argument(help="What `fm-env tournament --out` wrote.")],
    json: Annotated[Path | None, typer.Option(help="Write the analysis to this file.")] = None,
) -> None:
    """Show the analysis of a tournament again."""
    from evaluation.tournament.command import ratings_command

    ratings_command(file, json)


@benchmark_app.command("list")
def benchmark_list() -> None:
    """List the benchmark tasks."""
    from evaluation.tournament.benchmark_command import list_command

    list_command()


@benchmark_app.command("ladder")
def benchmark_ladder(
    name: Annotated[str, typer.Argument(help="Of the task, e.g. fairy_meat/duel@1 (newest without @).")],
) -> None:
    """Show how a task's reference agents stand."""
    from evaluation.tournament.benchmark_command import ladder_command

    ladder_command(name)


@benchmark_app.command("run")
def benchmark_run(
    name: Annotated[str, typer.Argument(help="Of the task, e.g. fairy_meat/duel@1 (newest without @).")],
    agent: Annotated[str, typer.Option(help="Yours; `fm-env agents` explains the texts.")],
    out: Annotated[Path | None, typer.Option(help="File of results; a killed run goes on from it.")] = None,
    json: Annotated[Path | None, typer.Option(help="Write the row to this file.")] = None,
    move_seconds: Annotated[
        float | None, typer.Option(help="Time limit for a decision of an agent in Python.")
    ] = None,
) -> None:
    """Play an agent against a task's reference agents by its plan; show its row of the ladder."""
    from evaluation.tournament.benchmark_command import run_command

    run_command(name, agent, out=out, json=json, move_seconds=move_seconds)


@app.command()
def exploit(
    agent: Annotated[str, typer.Argument(help="The agent in question; `fm-env agents` explains the texts.")],
    game: GameOption = "fairy_meat",
    scenario: ScenarioOption = "clash",
    a: Annotated[int | None, typer.Option("--a", help="Cards of the attacker.")] = None,
    d: Annotated[int | None, typer.Option("--d", help="Cards of the defender.")] = None,
    options: SetOption = None,
    seed: SeedOption = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead.")] = False,
) -> None:
    """Say what a best response wins against an agent in a clash: exact up to hands of four."""
    from evaluation.solve.exploit import exploit_command

    sizes = {name: size for name, size in (("a", a), ("d", d)) if size is not None}
    exploit_command(
        agent,
        game=game,
        scenario=scenario,
        options=parse_options(options) | sizes,
        as_json=as_json,
        seed=seed,
    )


@app.command()
def exploiter(
    agent: Annotated[str, typer.Argument(help="The agent to beat; `fm-env agents` explains the texts.")],
    game: GameOption = "fairy_meat",
    scenario: ScenarioOption = None,
    options: SetOption = None,
    minutes: Annotated[
        float | None, typer.Option(help="Training time of all runs together; 10 by default.")
    ] = None,
    decisions: Annotated[
        int | None, typer.Option(help="Or: decisions of all runs together; repeats exactly.")
    ] = None,
    runs: Annotated[int, typer.Option(help="Training runs with different seeds; the best one counts.")] = 2,
    num_games: Annotated[int, typer.Option("--games", help="Games of the final measurement.")] = 20_000,
    seed: SeedOption = 1,
    config: Annotated[str | None, typer.Option(help="Training config to learn with.")] = None,
    teacher: Annotated[str | None, typer.Option(help="An agent to learn to play like first.")] = None,
    run_dir: Annotated[Path | None, typer.Option(help="Folder of the search; in runs/ by default.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a search that was killed.")] = False,
    exact: Annotated[
        bool, typer.Option("--exact", help="In a small clash: compare with an exact best response.")
    ] = False,
    json: Annotated[Path | None, typer.Option(help="Write the result to this file.")] = None,
) -> None:
    """Train a best response to a frozen agent: a lower bound on how badly the agent can be beaten."""
    from training.exploiter_command import exploiter_command

    exploiter_command(
        agent,
        game=game,
        scenario=scenario,
        options=parse_options(options),
        minutes=minutes,
        decisions=decisions,
        runs=runs,
        games=num_games,
        seed=seed,
        config=config,
        teacher=teacher,
        run_dir=run_dir,
        resume=resume,
        exact=exact,
        json_file=json,
    )


@app.command()
def solve(
    a: Annotated[int | None, typer.Option("--a", help="Cards of the attacker.")] = None,
    d: Annotated[int | None, typer.Option("--d", help="Cards of the defender.")] = None,
    options: SetOption = None,
    nash_conv: Annotated[float, typer.Option(help="How close to equilibrium, in points.")] = 1e-3,
    everything: Annotated[
        bool, typer.Option("--all", help="Work through all committed clashes instead; goes on after a kill.")
    ] = False,
    results: Annotated[Path, typer.Option(help="With --all: the file of values.")] = Path(
        "evaluation/results/clash_values.json"
    ),
    work: Annotated[Path, typer.Option(help="With --all: where profiles are kept.")] = Path("runs/solve"),
    tables: Annotated[
        Path | None, typer.Option(help="With --all: write the tables of `equilibrium` here.")
    ] = None,
) -> None:
    """Solve a clash: its value, how far from equilibrium the solution is, and how it plays."""
    from evaluation.solve.command import solve_all_command, solve_command

    if everything:
        solve_all_command(results, work, tables)
    else:
        sizes = {name: size for name, size in (("a", a), ("d", d)) if size is not None}
        solve_command(parse_options(options) | sizes, nash_conv)


@app.command()
def agents(game: GameOption = "fairy_meat") -> None:
    """List the agents of a game with a line about each."""
    from evaluation.command import agents_command

    agents_command(game)


@app.command()
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


@app.command()
def demo(
    minutes: Annotated[float | None, typer.Option(help="Training time; about three by default.")] = None,
    num_games: Annotated[int, typer.Option("--games", help="Games against each bot.")] = 10_000,
    run_dir: Annotated[Path | None, typer.Option(help="Folder of the run; a free one by default.")] = None,
) -> None:
    """Train a duellist for a few minutes, judge it against every bot, and show one of its games."""
    from training.demo import demo as run

    run(minutes=minutes, games=num_games, run_dir=run_dir)


@app.command()
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


@app.command()
def engine(
    agent: Annotated[str, typer.Option(help="Who chooses where a message names nobody.")] = "random",
) -> None:
    """Lend an agent to another program over stdio, one JSON message a line (docs/protocol.md)."""
    from agents.service.engine import engine_command

    engine_command(agent)


@app.command()
def schema(
    file: Annotated[Path | None, typer.Argument(help="Where to write it; printed if left out.")] = None,
) -> None:
    """Print the JSON Schema of the service's protocol."""
    from agents.service.schema import schema_command

    schema_command(file)


replay_app = typer.Typer(no_args_is_help=True, help="Whole games as files: show, verify, record.")
app.add_typer(replay_app, name="replay")


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


@app.command()
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


@app.command()
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


def parse_options(pairs: list[str] | None) -> dict[str, object]:
    """Scenario options from texts such as `a=4` or `combat=fast_play`.

    A value is read as JSON where it is JSON (numbers, true, lists), else taken as text.

    Raises:
        SetupError: a text without `=`.
    """
    import json

    options: dict[str, object] = {}
    for pair in pairs or ():
        key, equals, value = pair.partition("=")
        if not equals or not key:
            raise SetupError(f"--set: expected KEY=VALUE, got {pair!r}")
        try:
            options[key] = json.loads(value)
        except ValueError:
            options[key] = value
    return options


def main() -> None:
    """Run the command line; mistakes in what was asked for end in one line, not in a traceback."""
    try:
        app()
    except FmEnvError as error:
        _refuse(str(error))
    except OSError as error:
        if error.errno not in NO_ROOM:
            raise
        where = f"can't write {error.filename}" if error.filename else "can't write"
        _refuse(f"{where}: {error.strerror}; what was written before is whole, so make room and go on")
    except ModuleNotFoundError as error:
        how = advice(error.name or "")
        if how is None:
            raise
        _refuse(how)


def _refuse(why: str) -> None:
    typer.echo(f"fm-env: {why}", err=True)
    sys.exit(2)


if __name__ == "__main__":
    main()

"""Judging: match-ups, tournaments, reports, exact and learned best responses."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fm_env.cli.options import GameOption, ScenarioOption, SeedOption, SetOption, parse_options

commands = typer.Typer()


benchmark_app = typer.Typer(name="benchmark", help="Numbers that can be compared.", no_args_is_help=True)
commands.add_typer(benchmark_app)


@commands.command()
def agents(game: GameOption = "fairy_meat") -> None:
    """List the agents of a game with a line about each."""
    from evaluation.command import agents_command

    agents_command(game)


@commands.command()
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


@commands.command()
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


@commands.command()
def ratings(
    file: Annotated[Path, typer.Argument(help="What `fm-env tournament --out` wrote.")],
    json: Annotated[Path | None, typer.Option(help="Write the analysis to this file.")] = None,
) -> None:
    """Show the analysis of a tournament again."""
    from evaluation.tournament.command import ratings_command

    ratings_command(file, json)


@commands.command()
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


@commands.command()
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


@commands.command()
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


@commands.command()
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

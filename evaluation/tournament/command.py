"""What `fm-env tournament` and `fm-env ratings` do; `fm_env.cli` only declares their options."""

from __future__ import annotations

import contextlib
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from evaluation.command import allow_modules_here, check_target, progress_bar
from evaluation.faults import OnFault
from evaluation.report import write_report
from evaluation.tournament.analysis import Analysis, analyse
from evaluation.tournament.design import Group
from evaluation.tournament.files import ResultsFile, load_results
from evaluation.tournament.play import Executor, Field, play_tournament, prepare, seat_agents
from evaluation.tournament.question import ERROR, Question, looks_for, planned_rounds
from evaluation.tournament.results import Results
from evaluation.tournament.tables import all_tables
from fm_env import registry
from fm_env.errors import SetupError
from fm_env.views.table import find_scenario


@dataclass(frozen=True)
class Cluster:
    """Where to play."""

    ray: bool = False
    """On a Ray cluster instead of in this process."""
    address: str | None = None
    """Of a running cluster; None starts one on this machine."""


def tournament_command(
    agents: Sequence[str],
    *,
    game: str,
    scenario: str | None,
    options: Mapping[str, Any],
    games: int | None,
    out: Path,
    seed: int,
    until: str | None = None,
    error: float = ERROR,
    move_seconds: float | None = None,
    on_fault: OnFault = "stop",
    json: Path | None = None,
    cluster: Cluster | None = None,
    console: Console | None = None,
) -> Analysis:
    """Play all agents against all, or go on where a killed tournament stopped, and print the analysis.

    Args:
        agents: specs, at least two.
        game: name of the game.
        scenario: its name or TOML file; None for the game's own choice.
        options: options of the scenario.
        games: of each group of agents (with two seats: of each pair), rounded up to whole blocks; None:
            as many as tell 55 from 45 apart.
        out: the file of results.
        seed: equal seeds give equal results.
        until: stop early: `all`, `best`, or `A>B` (names of two agents). None: play all games.
        error: chance that any claim is wrong.
        move_seconds: time limit for a decision of an agent in Python.
        on_fault: `stop` or `fallback`: after a crash or an illegal answer.
        json: where the analysis goes, if anywhere.
        cluster: where to play; this process by default.
        console: where the tables go; standard output by default.

    Raises:
        fm_env.errors.FmEnvError: a mistake in what was asked for.
    """
    console = console or Console()
    if json is not None:
        check_target(json)
    if not 0 < error < 1:
        raise SetupError(f"error: expected a number between 0 and 1, got {error}")
    allow_modules_here()
    rules = registry.find(game)
    setting = find_scenario(rules, scenario, options=options)
    kind, of = _asked(until, agents, lambda: seat_agents(rules, setting, agents, None)[1])

    def question(rounds: int) -> Question:
        return Question(kind, of, error, looks_for(rounds) if until else ())

    field = prepare(
        rules,
        setting,
        agents,
        rounds=rounds_for(games, len(agents), question),
        seed=seed,
        question=question,
        move_seconds=move_seconds,
        on_fault=on_fault,
        command=" ".join(["fm-env", *sys.argv[1:]]),
    )
    with _executor(cluster) as executor, ResultsFile(out, field.header) as file:
        results = play_with_bar(field, file, executor)
    return show(results, console, json)


def ratings_command(file: Path, json: Path | None = None, console: Console | None = None) -> Analysis:
    """Print the analysis of a tournament's file again.

    Raises:
        LoadError: it isn't one.
    """
    if json is not None:
        check_target(json)
    return show(load_results(file), console or Console(), json)


def show(results: Results, console: Console, json: Path | None = None) -> Analysis:
    """Analyse, print and, if asked to, write."""
    if any(len(played.rounds) == 0 for played in results.played):
        raise SetupError("not every group of agents has played yet; run the tournament's command to go on")
    analysis = analyse(results)
    for shown in all_tables(analysis):
        console.print(shown, highlight=False)
        if isinstance(shown, str):  # tables end in an empty line
            console.print()
    if json is not None:
        write_report(json, analysis.to_json())
        console.print(f"analysis: {json}")
    return analysis


def play_with_bar(field: Field, file: ResultsFile | None = None, executor: Executor | None = None) -> Results:
    """`play_tournament` under a progress bar with the remaining time."""
    with progress_bar() as bar:
        game = field.header.game
        task = bar.add_task(f"{game.name} {game.scenario}", total=None)
        return play_tournament(
            field,
            file,
            executor=executor,
            progress=lambda count: bar.advance(task, count),
            expect=lambda total: bar.update(task, total=total),
        )


def rounds_for(
    games: int | None, num_agents: int, question: Callable[[int], Question]
) -> Callable[[Sequence[Group]], int]:
    """Rounds from the number of games of a group, or from the plan."""
    if games is not None and games < 1:
        raise SetupError(f"games: expected at least 1, got {games}")

    def rounds(groups: Sequence[Group]) -> int:
        if games is not None:
            return math.ceil(games / max(len(group.orders) for group in groups))
        return planned_rounds(groups, num_agents, question(10**6))

    return rounds


def _asked(
    until: str | None, specs: Sequence[str], entrants: Callable[[], Sequence[Any]]
) -> tuple[str, tuple[int, ...]]:
    """Kind of question and the pair asked about."""
    if until in (None, "all"):
        return "all", ()
    if until == "best":
        return "best", ()
    first, sign, second = (part.strip() for part in str(until).partition(">"))
    if not sign:
        raise SetupError(f"until: expected all, best or 'A>B' with the names of two agents, got {until!r}")
    known = [{entrant.name, entrant.spec, spec} for entrant, spec in zip(entrants(), specs, strict=True)]
    found = [[k for k, names in enumerate(known) if name in names] for name in (first, second)]
    for name, numbers in zip((first, second), found, strict=True):
        if not numbers:
            raise SetupError(f"until: {name!r} is none of the agents {', '.join(specs)}")
    if found[0] == found[1]:
        raise SetupError(f"until: {first!r} and {second!r} are the same agent")
    return "pair", (found[0][0], found[1][0])


@contextlib.contextmanager
def _executor(cluster: Cluster | None):
    if cluster is None or not (cluster.ray or cluster.address):
        yield None
        return
    from evaluation.tournament.rays import RayExecutor

    with RayExecutor(cluster.address) as executor:
        yield executor

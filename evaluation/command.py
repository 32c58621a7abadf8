"""What `fm-env evaluate` and `fm-env agents` do; `fm_env.cli` only declares their options."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from agents.api import Agent
from agents.levels import ladders
from agents.registry import describe, make
from evaluation.behaviour import Rates, behaviour, habits_of
from evaluation.compare import Matchup, RoleGain, blocks_for, play_pair, role_points
from evaluation.report import evaluation_report, write_report
from evaluation.table import behaviour_table, matchup_table, role_table, seat_table
from fm_env import registry
from fm_env.contract import Game, Scenario
from fm_env.errors import SetupError
from fm_env.views.table import find_scenario

HABIT_GAMES = 400
"""Enough for rates within a few per cent; watched bots play slower."""


def evaluate_command(
    agent: str,
    against: Sequence[str],
    *,
    game: str,
    scenario: str | None,
    options: Mapping[str, Any],
    games: int,
    seed: int,
    mirror: bool = False,
    habits: bool = False,
    json: Path | None = None,
    plot: Path | None = None,
    console: Console | None = None,
) -> list[Matchup]:
    """Play, print the tables, write the files.

    Args:
        agent: spec of the agent in question.
        against: specs of its opponents.
        game: name of the game.
        scenario: its name or TOML file; None for the game's own choice.
        options: options of the scenario.
        games: against each opponent, fixed in advance.
        seed: equal seeds give equal results.
        mirror: compare points with each opponent's mirror match, too, over as many deals.
        habits: tell how they play, too, as far as the game has something to say about it.
        json: where the report goes, if anywhere.
        plot: where the picture goes, if anywhere.
        console: where the tables go; standard output by default.

    Raises:
        fm_env.errors.FmEnvError: a mistake in what was asked for.
    """
    console = console or Console()
    _check_request(against, games, json, plot)
    allow_modules_here()
    rules = registry.find(game)
    setting = find_scenario(rules, scenario, options=options)
    player = make(agent, rules, setting)
    opponents = [make(spec, rules, setting) for spec in against]
    _tell_apart([player, *opponents])
    matchups, gains = _play(rules, setting, player, opponents, games, seed, mirror)
    title = f"{player.name} in {setting.spec.scenario} ({game})"
    console.print(matchup_table(title, matchups), "", seat_table(matchups))
    if gains:
        console.print("", role_table(f"{title}: points by role", gains))
    rates = _habits(rules, setting, player, opponents, seed) if habits else {}
    if rates:
        console.print("", behaviour_table(rates, habits_of(rules)))
    if json is not None:
        write_report(
            json,
            evaluation_report(
                setting, [player, *opponents], seed, matchups, gains, rates, ["fm-env", *sys.argv[1:]]
            ),
        )
        console.print(f"report: {json}")
    if plot is not None:
        from evaluation.plot import save_plot, win_rate_figure  # matplotlib takes a second to import

        save_plot(plot, win_rate_figure(title, matchups))
        console.print(f"plot: {plot}")
    return matchups


def agents_command(game: str, console: Console | None = None) -> None:
    """List the agents of a game, one line each."""
    registry.find(game)
    table = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
    table.add_column(no_wrap=True, style="bold")
    table.add_column()
    for name, line in describe(game).items():
        table.add_row(name, line)
    for ladder in ladders():
        if ladder.game == game:
            names = ", ".join(level.name for level in ladder.levels)
            table.add_row("level:NAME", f"difficulty levels of {', '.join(ladder.scenarios)}: {names}")
    table.add_row(
        "search:key=value",
        "a search on top of another agent: base=AGENT, simulations=N or seconds=S (docs/search.md)",
    )
    table.add_row(
        "engine:COMMAND", "an external program that speaks the protocol over stdio (docs/protocol.md)"
    )
    table.add_row("module.path:Class", "your own Python class with act(observation, action_mask)")
    (console or Console()).print(table)


def parse_agents(text: str) -> list[str]:
    """`"random,bluffer:rate=0.3,plain"` to its specs; an item `key=value` belongs to the spec before it.

    Semicolons separate specs, too, for whom that is clearer.
    """
    specs: list[str] = []
    for part in text.split(";"):
        first = True
        for item in filter(None, (word.strip() for word in part.split(","))):
            if specs and not first and "=" in item and ":" not in item:
                specs[-1] += f",{item}"
            else:
                specs.append(item)
            first = False
    return specs


def _check_request(against: Sequence[str], games: int, json: Path | None, plot: Path | None) -> None:
    """Notice before the first game what would fail after the last one."""
    if games < 2:
        raise SetupError(f"games: expected at least 2, got {games}")
    if not against:
        raise SetupError("against: expected at least one opponent")
    for path in filter(None, (json, plot)):
        check_target(path)
    if plot is not None and importlib.util.find_spec("matplotlib") is None:
        raise SetupError("plot: needs matplotlib; install it with: pip install 'fm-env[plot]'")


def check_target(path: Path) -> None:
    """Notice before the first game that a file can't be written after the last one."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        writable = os.access(path.parent, os.W_OK) and not path.is_dir()
    except OSError:
        writable = False
    if not writable:
        raise SetupError(f"can't write {path}: its folder can't be made or written, or it is a folder itself")


def _play(
    rules: Game,
    setting: Scenario,
    player: Agent,
    opponents: Sequence[Agent],
    games: int,
    seed: int,
    mirror: bool,
) -> tuple[list[Matchup], list[RoleGain]]:
    """All games, under a progress bar."""
    blocks, num_seats = blocks_for(games, setting.spec), setting.spec.num_seats
    matchups: list[Matchup] = []
    gains: list[RoleGain] = []
    with progress_bar() as bar:
        task = bar.add_task("", total=blocks * len(opponents) * (num_seats + (num_seats + 1) * mirror))

        def advance(count: int) -> None:
            bar.advance(task, count)

        for opponent in opponents:
            bar.update(task, description=opponent.name)
            matchups.append(play_pair(rules, setting, player, opponent, games, seed, advance))
        for opponent in opponents if mirror else ():
            bar.update(task, description=f"{opponent.name}, mirror")
            gains += role_points(rules, setting, player, opponent, blocks, seed, advance)
    return matchups, gains


def _habits(
    game: Game, scenario: Scenario, player: Agent, opponents: Sequence[Agent], seed: int
) -> dict[str, Rates]:
    found = behaviour(game, scenario, player, opponents, HABIT_GAMES, seed) or []
    players = [player, *opponents]
    return {players[k].name: rates for k, rates in enumerate(found) if rates}


def _tell_apart(players: Sequence[Agent]) -> None:
    """Agents that share a name (two policies, say) are shown under their specs."""
    shared = {name for name, count in Counter(agent.name for agent in players).items() if count > 1}
    for agent in players:
        if agent.name in shared:
            agent.name = agent.spec


def progress_bar() -> Progress:
    """On standard error: games done, and the time that remains."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("games, remaining"),
        TimeRemainingColumn(),
    )
    return Progress(*columns, console=Console(stderr=True), transient=True)


def allow_modules_here() -> None:
    """An installed command doesn't look for modules in the current folder; `python -m` does."""
    if "" not in sys.path and str(Path.cwd()) not in sys.path:
        sys.path.append(str(Path.cwd()))  # last: it must not hide installed modules

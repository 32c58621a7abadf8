"""What `fm-env clone` does."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Any

from rich.console import Console

from agents.registry import make
from evaluation.command import allow_modules_here, check_target, progress_bar
from evaluation.compare import Matchup, play_pair
from evaluation.report import evaluation_report, versions, write_report
from evaluation.table import matchup_table
from fm_env.errors import SetupError
from training.clone import CloneSettings, Cloning, Learned
from training.command import RUNS
from training.dataset import load
from training.settings import checked

SCHEMA = "fm-env-clone-1"


def clone_command(
    dataset: Path,
    *,
    run_dir: Path | None = None,
    resume: bool = False,
    games: int = 4000,
    json: Path | None = None,
    console: Console | None = None,
    **settings: Any,
) -> Path:
    """Learn, judge against the teachers, write the files; returns the path of the policy.

    Args:
        dataset: its folder.
        run_dir: the run's folder; None: `runs/NAME`.
        resume: go on after the newest checkpoint in the run's folder.
        games: against each teacher, seats balanced; 0: none.
        json: where the report goes, if anywhere.
        console: where words go; standard error by default.
        **settings: as `CloneSettings`; None stands for what is left out.

    Raises:
        fm_env.errors.FmEnvError: a mistake in what was asked for.
    """
    console = console or Console(stderr=True)
    given = {name: value for name, value in settings.items() if value is not None}
    chosen = checked(CloneSettings, given, "clone")
    if games < 0 or games == 1:
        raise SetupError(f"games: expected 0 or at least 2, got {games}")
    if json is not None:
        check_target(json)
    allow_modules_here()
    command = ["fm-env", *sys.argv[1:]]
    folder = run_dir or RUNS / chosen.name
    cloning = Cloning(load(dataset), chosen, folder, shlex.join(command), resume)
    lessons, aside = len(cloning.lessons.actions), len(cloning.held_out.actions)
    console.print(f"{lessons:,} decisions to learn from, {aside:,} held out, on {cloning.model.device}")
    if cloning.history:
        console.print(f"going on after pass {len(cloning.history)}")
    best = cloning.run(lambda learned: console.print(_line(len(cloning.history), learned)))
    floor = "" if cloning.floor is None else f" (the teachers themselves: {cloning.floor:.3f})"
    console.print(
        f"best: pass {cloning.best + 1}, agreement {100 * best.agreement:.1f} % of held-out choices,"
        f" cross-entropy {best.cross_entropy:.3f} nats{floor}\npolicy: {cloning.policy_path}"
    )
    matchups, players = _judge(cloning, games, console) if games else ([], [])
    if json is not None:
        judged = evaluation_report(
            cloning.scenario, players, chosen.seed, matchups, command=[shlex.join(command)]
        )
        report = {
            "schema": SCHEMA,
            "command": shlex.join(command),
            "versions": versions(),
            "clone": cloning.report(),
            "evaluation": judged,
        }
        write_report(json, report)
        console.print(f"report: {json}")
    return cloning.policy_path


def _line(epoch: int, learned: Learned) -> str:
    return (
        f"pass {epoch:>3}: agreement {100 * learned.agreement:.1f} %"
        f" (in training {100 * learned.training_agreement:.1f} %),"
        f" cross-entropy {learned.cross_entropy:.3f}, returns explained {100 * learned.explained:.0f} %"
    )


def _judge(cloning: Cloning, games: int, console: Console) -> tuple[list[Matchup], list[Any]]:
    """The clone against each teacher."""
    game, scenario = cloning.game, cloning.scenario
    clone = make(f"policy:{cloning.policy_path}", game, scenario)
    specs = dict.fromkeys(cloning.data.header.agents[k].spec for k in cloning.agents)
    teachers = [make(spec, game, scenario) for spec in specs]
    matchups: list[Matchup] = []
    with progress_bar() as bar:
        task = bar.add_task("", total=games * len(teachers))
        for teacher in teachers:
            bar.update(task, description=teacher.name)
            matchups.append(
                play_pair(
                    game,
                    scenario,
                    clone,
                    teacher,
                    games,
                    cloning.settings.seed,
                    lambda count: bar.advance(task, count),
                )
            )
    console.print(matchup_table(f"{clone.name} in {scenario.spec.scenario} ({game.name})", matchups))
    return matchups, [clone, *teachers]

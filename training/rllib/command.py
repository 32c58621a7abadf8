"""What `fm-env train-rllib` does."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from torch.utils.tensorboard import SummaryWriter

from evaluation.command import allow_modules_here
from evaluation.tournament.rays import RayExecutor
from training.command import RUNS
from training.progress import tensorboard_folder
from training.rllib.run import Metrics, RllibRun
from training.rllib.settings import RllibSettings, load_settings


def train_rllib_command(
    config: str,
    *,
    resume: bool = False,
    run_dir: Path | None = None,
    address: str | None = None,
    console: Console | None = None,
    **overrides: Any,
) -> list[Path]:
    """Train by a config until its limit; returns the paths of the policies.

    Args:
        config: a TOML file, or the name of one that comes with the package.
        resume: go on from the newest checkpoint in the run's folder.
        run_dir: the run's folder; None: `runs/NAME` of the config.
        address: of a running Ray cluster (`auto`: the one this machine belongs to); None starts Ray here.
        console: where progress is shown; standard error by default.
        **overrides: as `load_settings`.

    Raises:
        fm_env.errors.FmEnvError: a mistake in what was asked for.
    """
    console = console or Console(stderr=True)
    allow_modules_here()
    settings = load_settings(config, **overrides)
    cluster = settings.cluster
    needed = cluster.env_runners * cluster.cpus_per_runner + cluster.learners + 1
    os.environ.setdefault("RAY_DEDUP_LOGS", "0")
    with RayExecutor(address, max(round(needed), os.cpu_count() or 1)):
        run = RllibRun(
            settings,
            run_dir or RUNS / settings.run.name,
            command=shlex.join(["fm-env", *sys.argv[1:]]),
            resume=resume,
        )
        try:
            return run_to_end(run, settings, console)
        finally:
            run.stop()


def run_to_end(run: RllibRun, settings: RllibSettings, console: Console) -> list[Path]:
    """Iterate to the limit under a progress bar, saving on the way; returns the policies' paths."""
    if run.iterations:
        console.print(f"going on from iteration {run.iterations} ({run.decisions:,} decisions)")
    policies: list[Path] = []
    columns = (TextColumn("{task.description}"), BarColumn(bar_width=12), TimeRemainingColumn())
    columns += (TextColumn("{task.fields[shown]}"),)
    writer = SummaryWriter(str(tensorboard_folder(run.folder)), purge_step=run.decisions or None)
    with Progress(*columns, console=console) as bar:
        task = bar.add_task(f"training {settings.run.name}", total=1.0, shown="")
        while run.progress < 1.0:
            metrics = run.iterate()
            for name, value in metrics.values.items():
                writer.add_scalar(name, value, metrics.decisions)
            bar.update(task, completed=run.progress, shown=_shown(metrics))
            if run.iterations % settings.run.checkpoint_iterations == 0 and run.progress < 1.0:
                policies = run.save()
        policies = run.save()
    writer.close()
    console.print(
        f"{run.decisions:,} decisions in {run.iterations} iterations and {run.elapsed / 60:.1f} minutes"
        f" ({run.decisions / max(run.elapsed, 1e-9):,.0f}/s)"
    )
    for policy in policies:
        console.print(f"policy: {policy}")
    console.print(f"curves: tensorboard --logdir {tensorboard_folder(run.folder)}")
    return policies


def _shown(metrics: Metrics) -> str:
    """`12,300/s  past 50%  median 61%`."""
    rates = "  ".join(f"{label} {100 * rate:.0f}%" for label, rate in metrics.win_rates.items())
    return f"{metrics.values['speed/decisions_per_second']:,.0f}/s  {rates}"

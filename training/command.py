"""The commands `fm-env train` and `fm-env demo`."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from rich.console import Console

from training.config import TrainingConfig, load_config
from training.progress import Display, tensorboard_folder
from training.run import Run

RUNS = Path("runs")
"""Where runs go unless told otherwise, below the current folder."""


def train(
    config: str,
    resume: bool = False,
    run_dir: Path | None = None,
    minutes: float | None = None,
    seed: int | None = None,
    device: str | None = None,
    console: Console | None = None,
) -> Path:
    """Train by a config until its limit; returns the path of the policy.

    Args:
        config: a TOML file, or the name of one that comes with the package.
        resume: go on from the newest checkpoint in the run's folder.
        run_dir: the run's folder; None: `runs/NAME` of the config.
        minutes: replaces the config's own limits.
        seed: replaces the config's.
        device: "auto", "cpu" or "cuda", replaces the config's.
        console: where progress is shown.

    Raises:
        SetupError, UnknownNameError, LoadError: as `load_config` and `Run`.
    """
    settings = load_config(config, minutes=minutes, seed=seed, device=device)
    folder = run_dir or RUNS / settings.run.name
    return run_training(settings, folder, resume, console or Console(stderr=True))


def run_training(config: TrainingConfig, folder: Path, resume: bool, console: Console) -> Path:
    """Run to the end, saving on the way; returns the path of the policy."""
    run = Run(config, folder, command=shlex.join(["fm-env", *sys.argv[1:]]), resume=resume)
    console.print(f"learning on {run.model.device} with {run.threads} thread{'s' * (run.threads > 1)}")
    if resume:
        console.print(f"going on from update {run.updates} ({run.model.num_timesteps:,} decisions)")
    with Display(run, console) as display:
        while run.progress < 1.0:
            display.show(run.update())
            if run.updates % config.run.checkpoint_updates == 0:
                run.save()
        policy = run.save()
    shares = "  ".join(
        f"{part} {100 * s / max(run.elapsed, 1e-9):.0f}%" for part, s in run.model.seconds.items()
    )
    console.print(
        f"{run.model.num_timesteps:,} decisions in {run.elapsed / 60:.1f} minutes"
        f" ({run.model.num_timesteps / max(run.elapsed, 1e-9):,.0f}/s; {shares};"
        f" illegal actions {run.model.illegal_actions})"
    )
    console.print(f"policy: {policy}\ncurves: tensorboard --logdir {tensorboard_folder(folder)}")
    return policy

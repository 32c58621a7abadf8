"""An RLlib run in its folder: train, save, export, and go on after a crash.

RUN/config.json            the resolved settings
RUN/provenance.json        command, versions, cluster of each start
RUN/tensorboard/           curves
RUN/checkpoints/NUMBER/    RLlib's own checkpoint after that iteration, and `run.json`
RUN/NAME.safetensors .json the policy as of the newest checkpoint (one for each seat where each has its own)

RLlib's checkpoints hold pickles: go on with runs of your own only.
"""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from time import perf_counter
from typing import Any

from agents.policy import save_policy, write_atomically
from fm_env.errors import LoadError, SetupError
from training.export import provenance
from training.rllib.build import exported, learners, ppo_config
from training.rllib.callbacks import WIN_RATE
from training.rllib.settings import RllibSettings
from training.settings import check_same

MAY_CHANGE: dict[str, tuple[str, ...] | None] = {
    "run": ("minutes", "decisions", "checkpoint_iterations", "keep_checkpoints"),
    "cluster": None,
}
"""Entries that a resumed run may set anew (None: all of the section); they don't change what is learned."""


@dataclass
class Metrics:
    """What one iteration showed."""

    decisions: int
    """Of all seats so far."""
    values: dict[str, float]
    """TensorBoard name to value."""
    win_rates: dict[str, float]
    """Of the learner against each kind of opponent, over the last games."""


class RllibRun:
    """One run: `iterate` until `progress` is 1, `save` now and then, `stop` at the end."""

    def __init__(
        self, settings: RllibSettings, folder: Path, command: str = "", resume: bool = False
    ) -> None:
        """Start a run in a new folder, or go on with the newest checkpoint in an old one.

        Ray must be reachable (`ray.init`); without it RLlib starts it on this machine.

        Raises:
            SetupError: the folder holds a run already (or, for `resume`, one of other settings), a
                scenario, option or opponent that doesn't work, or a cluster that is too small.
            LoadError: `resume` without a sound checkpoint.
        """
        self.settings, self.folder, self.command = settings, folder, command
        self.elapsed, self.decisions, self.iterations = 0.0, 0, 0
        if resume:
            check_same(settings, folder, MAY_CHANGE)
        elif folder.exists() and any(folder.iterdir()):
            raise SetupError(
                f"run folder {folder.name!r} isn't empty: resume the run, or choose another folder"
            )
        config = ppo_config(settings)
        check_cluster(settings)
        self.algorithm: Any = config.build_algo()
        folder.mkdir(parents=True, exist_ok=True)
        try:
            if resume:
                self._restore()
        except BaseException:
            self.algorithm.stop()
            raise
        _write_json(folder / "config.json", settings.model_dump(mode="json"))
        self._note_start()

    @property
    def progress(self) -> float:
        """0 to 1: the part of the run that is done, by decisions or minutes, whichever is further."""
        run = self.settings.run
        by_time = self.elapsed / 60 / run.minutes if run.minutes else 0.0
        by_decisions = self.decisions / run.decisions if run.decisions else 0.0
        return min(1.0, max(by_time, by_decisions))

    def iterate(self) -> Metrics:
        """Play one batch and learn from it."""
        started, before = perf_counter(), self.decisions
        result = self.algorithm.train()
        took = perf_counter() - started
        self.elapsed += took
        self.iterations = int(self.algorithm.iteration)
        played = result["env_runners"]
        self.decisions = int(result["num_env_steps_sampled_lifetime"])
        values = {"speed/decisions_per_second": (self.decisions - before) / took}
        for module in learners(self.settings):
            learned = result["learners"].get(module, {})
            for name in ("entropy", "policy_loss", "vf_loss", "magnet_kl", "vf_explained_var"):
                if name in learned:
                    values[f"train/{name}/{module}"] = float(learned[name])
        win_rates = {label: float(rate) for label, rate in played.get(WIN_RATE, {}).items()}
        values |= {f"win_rate/{label}": rate for label, rate in win_rates.items()}
        return Metrics(self.decisions, values, win_rates)

    def save(self) -> list[Path]:
        """Write a checkpoint and the policies as they are now; returns the policies' paths."""
        folder = self.folder / "checkpoints"
        folder.mkdir(exist_ok=True)
        partial, final = folder / f".{self.iterations:08d}.part", folder / f"{self.iterations:08d}"
        shutil.rmtree(partial, ignore_errors=True)
        self.algorithm.save_to_path(str((partial / "rllib").absolute()))
        state = {"elapsed": self.elapsed, "decisions": self.decisions, "iterations": self.iterations}
        _write_json(partial / "run.json", state)
        shutil.rmtree(final, ignore_errors=True)
        partial.replace(final)
        for old in _checkpoints(folder)[: -self.settings.run.keep_checkpoints]:
            shutil.rmtree(old, ignore_errors=True)
        return self._export()

    def stop(self) -> None:
        """End the processes of the run."""
        self.algorithm.stop()

    def _export(self) -> list[Path]:
        training = {
            "command": self.command,
            "backend": f"ray[rllib] {version('ray')}",
            "seed": self.settings.run.seed,
            "decisions": self.decisions,
            "minutes": round(self.elapsed / 60, 2),
            "config": self.settings.model_dump(mode="json"),
        }
        return [
            save_policy(self.folder / name, *exported(self.algorithm, self.settings, module, training))
            for module, name in learners(self.settings).items()
        ]

    def _restore(self) -> None:
        complaint = f"no checkpoint in {self.folder.name}/checkpoints/"
        for checkpoint in reversed(_checkpoints(self.folder / "checkpoints")):
            try:
                state = json.loads((checkpoint / "run.json").read_text(encoding="utf-8"))
                elapsed, decisions = float(state["elapsed"]), int(state["decisions"])
                iterations = int(state["iterations"])
                self.algorithm.restore_from_path(str((checkpoint / "rllib").absolute()))
            except Exception as error:  # RLlib has many kinds; an older checkpoint may be sound
                complaint = f"checkpoint {checkpoint.name} is damaged: {type(error).__name__}: {error}"
                continue
            self.elapsed, self.decisions, self.iterations = elapsed, decisions, iterations
            return
        raise LoadError(f"cannot resume: {complaint:.500}")

    def _note_start(self) -> None:
        import ray

        file = self.folder / "provenance.json"
        starts = json.loads(file.read_text(encoding="utf-8")) if file.exists() else []
        entry = {"command": self.command, "iteration": self.iterations, "cluster": ray.cluster_resources()}
        _write_json(file, [*starts, entry | {"versions": provenance() | {"ray": version("ray")}}])


def check_cluster(settings: RllibSettings) -> None:
    """Refuse to wait for ever for processors or GPUs that a cluster hasn't.

    Raises:
        SetupError: names what is needed and what is there.
    """
    import ray

    if not ray.is_initialized():
        return
    cluster, there = settings.cluster, ray.cluster_resources()
    needed = {
        "CPU": cluster.env_runners * cluster.cpus_per_runner + cluster.learners,
        "GPU": max(1, cluster.learners) * cluster.gpus_per_learner,
    }
    for kind, count in needed.items():
        if count > there.get(kind, 0):
            raise SetupError(
                f"cluster: {cluster.env_runners} env_runners and {cluster.learners} learners need {count:g}"
                f" {kind}s, the Ray cluster has {there.get(kind, 0):g}"
            )


def _checkpoints(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob("[0-9]*") if path.is_dir())


def _write_json(file: Path, value: Any) -> None:
    write_atomically(file, (json.dumps(value, indent=1) + "\n").encode())

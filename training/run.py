"""A training run in its folder: play, learn, freeze past selves, save, and go on after a crash.

RUN/config.json            the resolved config
RUN/provenance.json        command, versions, git revision
RUN/tensorboard/           curves
RUN/league/KEY.*           frozen policies among the opponents (see `training.league`)
RUN/checkpoints/NUMBER/    all that is needed to go on (see `training.checkpoint`)
RUN/NAME.safetensors .json the policy as of the newest checkpoint
"""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import torch as th

from agents.policy import save_policy, write_atomically
from agents.registry import make
from fm_env.errors import SetupError
from fm_env.views.table import find_game
from training import checkpoint
from training.build import adviser_card, freeze, make_env, make_model
from training.config import TrainingConfig
from training.curriculum import Curriculum
from training.exploitability import ExploitabilityLog
from training.export import actor_weights, make_card, policy_weights, provenance
from training.imitation import imitate, lessons
from training.league import League
from training.opponents import PAST, Tally
from training.settings import check_same

BEHAVIOUR_ROWS = 8192
"""Decisions of a rollout that a game's `behaviour_counts` is shown."""

MAY_CHANGE = {"run": ("minutes", "decisions", "keep_checkpoints", "checkpoint_updates")}
"""Entries that a resumed run may set anew: they don't change what is learned."""


@dataclasses.dataclass
class Metrics:
    """What one update showed."""

    decisions: int
    """Of the learner so far."""
    values: dict[str, float]
    """TensorBoard name to value."""
    tallies: dict[str, Tally]
    """Results against each group of opponents, of the games that ended in this update."""
    news: tuple[str, ...] = ()
    """What else happened, a line each."""


class Run:
    """One training run: `update` until `progress` is 1, `save` now and then."""

    def __init__(self, config: TrainingConfig, folder: Path, command: str = "", resume: bool = False) -> None:
        """Start a run in a new folder, or go on with the newest checkpoint in an old one.

        Raises:
            SetupError: the folder holds a run already (or, for `resume`, one of another config),
                or the config names a scenario, option or opponent that doesn't work.
            LoadError: `resume` without a sound checkpoint.
        """
        self.config, self.folder, self.command = config, folder, command
        self.updates = 0
        self.elapsed = 0.0
        """Seconds spent in updates, over all resumed parts."""
        self.threads = config.run.threads or fastest_threads()
        if resume:
            check_same(config, folder, MAY_CHANGE)
        elif folder.exists() and any(folder.iterdir()):
            raise SetupError(
                f"run folder {folder.name!r} isn't empty: resume the run, or choose another folder"
            )
        game = find_game(config.game.name)
        self.curriculum = Curriculum(config, game)
        saved = checkpoint.read_newest(folder / "checkpoints") if resume else None
        if saved is not None:
            self.curriculum.part = saved[1].get("part", 0)
        self.env = make_env(config, game, self.curriculum.scenario, self.curriculum.lens)
        self.model = make_model(config, self.env)
        exploit = config.exploitability
        self._exploit = ExploitabilityLog(game, exploit.options, exploit.late) if exploit else None
        self._league = League(config, folder / "league")
        self.model.begin()
        folder.mkdir(parents=True, exist_ok=True)
        if saved is not None:
            self._restore(*saved)
        th.set_num_threads(self.threads)
        _write_json(folder / "config.json", config.model_dump(mode="json"))
        self._note_start()

    @property
    def progress(self) -> float:
        """0 to 1: the part of the run that is done, by decisions or minutes, whichever is further."""
        run = self.config.run
        by_time = self.elapsed / 60 / run.minutes if run.minutes else 0.0
        by_decisions = self.model.num_timesteps / run.decisions if run.decisions else 0.0
        return min(1.0, max(by_time, by_decisions))

    @property
    def share(self) -> float:
        """0 to 1: how far schedules and the curriculum are.

        They follow decisions where those are limited, so that a resumed run repeats them exactly.
        """
        decisions = self.config.run.decisions
        return min(1.0, self.model.num_timesteps / decisions) if decisions else self.progress

    def update(self) -> Metrics:
        """One rollout, one update of the network, and every so often a new past self or exploiter."""
        before, share = dict(self.model.seconds), self.share
        started = perf_counter()
        news = self._go_on() if self.curriculum.goes_on(share) else ()
        if self.updates == 0 and self.config.imitation is not None:
            self._imitate()
        values = self.model.update(share)
        self.updates += 1
        if PAST in self.env.pool.weights and self.updates % self.config.opponents.snapshot_updates == 0:
            self._league.remember(self.model, self.updates)
        news += self._challenge(values)
        if self.config.curriculum:
            values["curriculum/part"] = self.curriculum.part + 1.0
        took = perf_counter() - started
        self.elapsed += took
        tallies = self.env.pool.pop_tallies()
        if self.config.opponents.prioritise > 0:
            self.env.pool.prioritise(tallies, self.config.opponents.prioritise)
        values["speed/decisions_per_second"] = self.model.n_steps * self.env.num_envs / took
        for part, seconds in self.model.seconds.items():
            values[f"time/{part}"] = (seconds - before.get(part, 0.0)) / took
        for group, tally in tallies.items():
            if tally.games:
                values[f"win_rate/{group}"] = tally.win_rate
                values[f"return/{group}"] = tally.returned / tally.games
        values |= {f"behaviour/{name}": value for name, value in self._behaviour().items()}
        if self._exploit is not None and self._is_time_to_measure():
            values |= self._exploit.curves(freeze(self.model, "now"))
        return Metrics(self.model.num_timesteps, values, tallies, news)

    def _go_on(self) -> tuple[str, ...]:
        """In the games of the curriculum's next part; says so."""
        env = make_env(self.config, self.env.game, self.curriculum.scenario, self.env.lens)
        env.follow(self.env)
        self.model.move_to(env)
        self.env = env
        return (f"update {self.updates + 1} begins {self.curriculum}",)

    def _challenge(self, values: dict[str, float]) -> tuple[str, ...]:
        """An exploiter tries its strength when it's time; adds to `values` and says what came of it."""
        wanted = self.config.league
        if wanted is None or self.updates % wanted.exploiter_updates != 0:
            return ()
        started = perf_counter()
        trial = self._league.challenge(self.model, self.updates)
        spent = self.model.seconds.get("league", 0.0)
        self.model.seconds["league"] = spent + perf_counter() - started
        values |= {"league/exploiter_score": trial.score, "league/members": float(trial.members)}
        return (f"exploiter of update {self.updates}: {trial}",)

    def _is_time_to_measure(self) -> bool:
        wanted = self.config.exploitability
        return wanted is not None and self.updates % wanted.every_updates == 0

    def _imitate(self) -> None:
        """The head start, before the first update; a run killed in it begins anew."""
        wanted, seed = self.config.imitation, self.config.run.seed
        assert wanted is not None
        self.model.measure_inputs(self.env)
        teacher = make(wanted.teacher, self.env.game, self.env.scenario)
        data = lessons(self.env, teacher, wanted.rows, seed, wanted.share)
        imitate(self.model, data, wanted.epochs, wanted.learning_rate, seed, wanted.choices)

    def save(self) -> Path:
        """Write a checkpoint and the policy as it is now; returns the policy's path."""
        arrays, values = self.env.saved()
        arrays["episode_starts"] = np.asarray(self.model._last_episode_starts)
        state = {
            "updates": self.updates,
            "part": self.curriculum.part,
            "elapsed": self.elapsed,
            "threads": self.threads,
            "decisions": self.model.num_timesteps,
            "gradient_epochs": self.model._n_updates,
            "seconds": self.model.seconds,
            "illegal_actions": self.model.illegal_actions,
            "environment": values,
            "sampler": self.model.sampler.bit_generator.state,
            "league": self._league.luck.bit_generator.state,
            "standing": self.env.pool.standing,
            "priority": self.env.pool.priority,
            "members": [[m.group, m.key, m.retired, m.player is None] for m in self.env.pool.members],
        }
        tensors = {"learner": checkpoint.learner_arrays(self.model), "games": arrays}
        keep = self.config.run.keep_checkpoints
        checkpoint.write(self.folder / "checkpoints", self.updates, tensors, state, keep)
        return self._export()

    def _export(self) -> Path:
        training = {
            "command": self.command,
            "seed": self.config.run.seed,
            "decisions": self.model.num_timesteps,
            "minutes": round(self.elapsed / 60, 2),
            "config": self.config.model_dump(mode="json"),
        }
        policy, scenario, name = self.model.policy, self.curriculum.last, self.config.run.name
        values = not self.config.learner.informed  # else they need what no player sees
        adviser = adviser_card(self.env)
        card = make_card(policy, scenario, name, training, self.env.lens, values=values, adviser=adviser)
        export = policy_weights if values else actor_weights
        return save_policy(self.folder / name, export(policy, self.env.lens), card)

    def _restore(self, tensors: dict[str, checkpoint.Arrays], state: dict[str, Any]) -> None:
        checkpoint.restore_learner(self.model, tensors["learner"])
        pool = self.env.pool
        self._league.restore(self.env, state["members"][len(pool.members) :])
        pool.standing, pool.priority = state.get("standing", {}), state.get("priority", {})
        self.model._last_obs = self.env.restore(tensors["games"], state["environment"])
        self.model._last_episode_starts = tensors["games"]["episode_starts"]
        self.model.num_timesteps = state["decisions"]
        self.model._n_updates = state["gradient_epochs"]
        self.model.seconds = state["seconds"]
        self.model.illegal_actions = state["illegal_actions"]
        self.model.sampler.bit_generator.state = state["sampler"]
        self._league.luck.bit_generator.state = state["league"]
        self.updates, self.elapsed = state["updates"], state["elapsed"]
        self.threads = state["threads"]  # sums in another order would be other sums

    def _note_start(self) -> None:
        """Add this start (the first one or a resumption) to the run's provenance."""
        file = self.folder / "provenance.json"
        starts = json.loads(file.read_text(encoding="utf-8")) if file.exists() else []
        entry = {"command": self.command, "update": self.updates, "device": str(self.model.device)}
        _write_json(file, [*starts, entry | {"versions": provenance()}])

    def _behaviour(self) -> dict[str, float]:
        """What the game has to say about how the learner plays, e.g. how often it bluffs.

        The hook is that of `evaluation.behaviour`.
        """
        hook: Callable[..., Any] | None = getattr(self.env.game, "behaviour_counts", None)
        if hook is None:
            return {}
        flat = self.model.rollout_buffer.flat()
        rows = {name: flat[name][-BEHAVIOUR_ROWS:] for name in ("observations", "masks", "actions")}
        lens = self.env.lens
        own = rows["observations"][:, : len(lens.entries)]  # an informed learner is shown others', too
        shown = lens.unsee(own), lens.disallow(rows["masks"]), lens.ids(rows["actions"])
        return {name: float(rate) for name, (rate, _) in hook(self.env.spec, *shown).items()}


def fastest_threads() -> int:
    """One torch thread or one a core, whichever multiplies matrices faster here and now.

    A core that is busy with something else makes all threads wait for it.
    """
    cores = os.cpu_count() or 1
    rows, weights = th.rand(4096, 256), th.rand(256, 128)
    took: dict[int, float] = {}
    for threads in {1, cores}:
        th.set_num_threads(threads)
        th.mm(rows, weights)
        started = perf_counter()
        for _ in range(100):
            th.mm(rows, weights)
        took[threads] = perf_counter() - started
    return min(took, key=lambda threads: took[threads])


def _write_json(file: Path, value: Any) -> None:
    write_atomically(file, (json.dumps(value, indent=1) + "\n").encode())

"""Behaviour cloning: a policy that plays like whoever played the games of a dataset.

The choices are learned by cross-entropy and the ends of games by the value network, as in the head start
of a training run (`training.imitation`), here from recorded games. Some games are held out; what is
exported is the policy of the pass that told their choices best.

RUN/config.json            the resolved settings, and which dataset it was
RUN/provenance.json        command, versions
RUN/checkpoints/NUMBER/    all that is needed to go on after pass NUMBER
RUN/clone.json             what each pass learned
RUN/NAME.safetensors .json the policy of the best pass so far
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
import torch as th
from pydantic import Field
from torch.nn import functional

from agents.policy import save_policy, write_atomically
from fm_env import registry
from fm_env.errors import LoadError, SetupError
from training import checkpoint
from training.clone_lessons import numbers_of, split_lessons
from training.dataset.layout import HEADER
from training.dataset.load import Dataset
from training.export import ACTIVATIONS, make_card, policy_weights, provenance
from training.imitation import BATCH_SIZE, imitate
from training.inputs import StandardisedInputs
from training.ppo import MagnetMaskablePPO
from training.sb3 import SelfPlayVecEnv
from training.settings import Section, Widths

MEASURED_ROWS = 50_000
"""Inputs are standardised by so many rows of the lessons."""


class CloneSettings(Section):
    """How to clone."""

    name: Annotated[str, Field(min_length=1, pattern=r"^[^/\\]+$")]
    """Of the policy that comes out, and of the run's folder."""
    agents: tuple[str, ...] = ()
    """Specs of those whose choices are learned; none: of everybody who plays in the dataset."""
    held_out: Annotated[int, Field(ge=2)] = 10
    """Every so manieth game is held out."""
    rows: Annotated[int, Field(gt=0)] | None = None
    """Use the first games with about so many decisions; left out: all."""
    epochs: Annotated[int, Field(gt=0, le=10_000)] = 12
    """Passes over the lessons."""
    learning_rate: Annotated[float, Field(gt=0)] = 1e-3
    """Adam's step size, falling to 0 in a straight line."""
    hidden: Widths = (128, 128)
    """Widths of the hidden layers of both networks."""
    activation: Literal["tanh", "relu"] = "relu"
    """Between layers."""
    seed: Annotated[int, Field(ge=0, lt=2**32)] = 0
    """Settles first weights and the order of lessons."""
    device: Literal["auto", "cpu", "cuda"] = "auto"
    """Where the network learns; auto takes a GPU if there is one."""


@dataclasses.dataclass(frozen=True)
class Learned:
    """What one pass brought; the first three are of the held-out games."""

    agreement: float
    """Share of choices that were the policy's likeliest."""
    cross_entropy: float
    """Mean of -log(chance that the policy gave the choice), in nats."""
    explained: float
    """Share of the variance of returns that the value network explains."""
    training_agreement: float
    """Share in the games learned from."""


class Cloning:
    """One cloning in its folder: make it, then `run`."""

    def __init__(
        self, data: Dataset, settings: CloneSettings, folder: Path, command: str = "", resume: bool = False
    ) -> None:
        """Read the lessons, make the networks; with `resume` go on after the newest whole checkpoint.

        Raises:
            SetupError: settings that don't suit the dataset, too little memory, a folder that isn't empty
                (or, for `resume`, one of another cloning).
            LoadError: the dataset is damaged or of other rules; `resume` without a sound checkpoint.
        """
        self.data, self.settings, self.folder = data, settings, folder
        self.game = registry.find(data.header.game.name)
        self.scenario = self.game.scenario(**data.header.game.options)
        data.check(self.scenario.spec)
        self.config = settings.model_dump(mode="json") | {
            "dataset": {
                "sha256": hashlib.sha256((data.folder / HEADER).read_bytes()).hexdigest(),
                "games": data.num_games,
            }
        }
        if resume:
            _check_same(self.config, folder)
        elif folder.exists() and any(folder.iterdir()):
            raise SetupError(
                f"run folder {folder.name!r} isn't empty: resume the run, or choose another folder"
            )
        self.agents = numbers_of(data, settings.agents)
        self.lessons, self.held_out, self.floor = split_lessons(
            data, self.agents, settings.held_out, settings.rows
        )
        self.model = self._make_model()
        self.history: list[Learned] = []
        folder.mkdir(parents=True, exist_ok=True)
        if resume:
            self._restore()
        _write_json(folder / "config.json", self.config)
        _write_json(
            folder / "provenance.json",
            {"command": command, "dataset": str(data.folder), "versions": provenance()},
        )

    @property
    def best(self) -> int:
        """Index in `history` of the pass that told the held-out choices best."""
        return int(np.argmin([learned.cross_entropy for learned in self.history]))

    @property
    def policy_path(self) -> Path:
        """Where the policy is."""
        return self.folder / f"{self.settings.name}.safetensors"

    def run(self, progress: Callable[[Learned], None] | None = None) -> Learned:
        """Make the passes that are missing; returns what the best one brought."""
        settings = self.settings

        def after_epoch(epoch: int, agreed: float) -> None:
            learned = dataclasses.replace(self._judge(), training_agreement=agreed)
            self.history.append(learned)
            if self.best == epoch - 1:
                self._export(epoch)
            self._save(epoch)
            if progress is not None:
                progress(learned)

        imitate(
            self.model,
            self.lessons,
            settings.epochs,
            settings.learning_rate,
            settings.seed,
            optimizer=self.model.policy.optimizer,
            begin=len(self.history),
            after_epoch=after_epoch,
        )
        return self.history[self.best]

    def report(self) -> dict[str, Any]:
        """What was cloned from what, and how well; JSON-able."""
        header = self.data.header
        return {
            "settings": self.config,
            "dataset": {
                "game": header.game.model_dump(mode="json"),
                "agents": [agent.model_dump(mode="json") for agent in header.agents],
                "seed": header.seed,
                "games": self.data.num_games,
                "decisions": self.data.num_rows,
            },
            "lessons": len(self.lessons.actions),
            "held_out": len(self.held_out.actions),
            "teacher_cross_entropy": self.floor,
            "best_epoch": self.best + 1,
            "epochs": [dataclasses.asdict(learned) for learned in self.history],
        }

    # -- inside -----------------------------------------------------------------------------------

    def _make_model(self) -> MagnetMaskablePPO:
        settings, hidden = self.settings, list(self.settings.hidden)
        env = SelfPlayVecEnv(self.game, self.scenario, 2, seed=settings.seed)  # for its spaces; not played
        model = MagnetMaskablePPO(
            "MlpPolicy",
            env,
            n_steps=2,
            batch_size=2,
            policy_kwargs={
                "net_arch": {"pi": hidden, "vf": hidden},
                "activation_fn": ACTIVATIONS[settings.activation],
            },
            seed=settings.seed,
            device=settings.device,
        )
        for module in (model.policy.features_extractor, model.magnet.features_extractor):
            assert isinstance(module, StandardisedInputs)
            module.measure(self.lessons.observations[:MEASURED_ROWS])
        return model

    def _judge(self) -> Learned:
        """The policy of the moment on the held-out games."""
        model, data = self.model, self.held_out
        model.policy.set_training_mode(False)
        hits, surprise, values = 0.0, 0.0, []
        with th.no_grad():
            for k in range(0, len(data.actions), BATCH_SIZE):
                obs, mask, action = (
                    th.as_tensor(x[k : k + BATCH_SIZE], device=model.device)
                    for x in (data.observations, data.masks, data.actions)
                )
                logits, value = model.evaluate(obs, mask)
                hits += float((logits.argmax(1) == action).sum())
                surprise += float(functional.cross_entropy(logits, action, reduction="sum"))
                values.append(value.cpu().numpy())
        rest, spread = np.var(data.returns - np.concatenate(values)), np.var(data.returns)
        n = len(data.actions)
        return Learned(hits / n, surprise / n, float(1 - rest / spread) if spread else 0.0, float("nan"))

    def _export(self, epoch: int) -> None:
        policy, settings = self.model.policy, self.settings
        training = {"method": "behaviour cloning", "epoch": epoch, "config": self.config}
        training |= {"lessons": len(self.lessons.actions), **dataclasses.asdict(self.history[-1])}
        card = make_card(policy, self.scenario, settings.name, training, values=True)
        save_policy(self.folder / settings.name, policy_weights(policy), card)

    def _save(self, epoch: int) -> None:
        history = [dataclasses.asdict(learned) for learned in self.history]
        tensors = {"learner": checkpoint.learner_arrays(self.model)}
        checkpoint.write(self.folder / "checkpoints", epoch, tensors, {"history": history}, keep=2)
        _write_json(self.folder / "clone.json", self.report())

    def _restore(self) -> None:
        tensors, state = checkpoint.read_newest(self.folder / "checkpoints")
        checkpoint.restore_learner(self.model, tensors["learner"])
        self.history = [Learned(**learned) for learned in state["history"]]


def _check_same(config: dict[str, Any], folder: Path) -> None:
    try:
        old = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        assert isinstance(old, dict)
    except (OSError, ValueError, AssertionError):
        raise LoadError(
            f"cannot resume: no run in {folder.name!r} (config.json is missing or damaged)"
        ) from None
    for name in sorted(set(old) | set(config)):
        if old.get(name) != config.get(name):
            raise SetupError(
                f"cannot resume: {name} was {old.get(name)!r} in {folder.name!r}, now {config.get(name)!r}"
            )


def _write_json(file: Path, value: Any) -> None:
    write_atomically(file, (json.dumps(value, indent=1) + "\n").encode())

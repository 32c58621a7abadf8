"""What an RLlib run is told: a TOML file, checked as a whole before anything starts."""

from __future__ import annotations

import os
from typing import Annotated, Any, Literal

import pydantic
from pydantic import Field

from training.config import CONFIGS, GameSection, LayersSection, PpoSection, Weights
from training.opponents import PAST, SELF
from training.settings import Count, Positive, Section, checked, read_toml

SHIPPED = CONFIGS / "rllib"
"""Where the configs that come with the package live."""


class RunSection(Section):
    """When to stop, what to keep."""

    name: Annotated[str, Field(min_length=1, pattern=r"^[^/\\]+$")]
    """Name of the policy that comes out, and of the run's folder."""
    seed: Annotated[int, Field(ge=0, lt=2**31)] = 0
    """Of networks and games. RLlib's runs aren't repeatable to the bit."""
    minutes: Positive | None = None
    """Stop after this much training time (over all resumed parts together)."""
    decisions: Count | None = None
    """Stop after this many decisions of all seats together."""
    checkpoint_iterations: Count = 10
    """Iterations between checkpoints."""
    keep_checkpoints: Count = 3
    """Newest checkpoints that are kept."""


class LearnerSection(PpoSection):
    """How much is learned from at once. `final_learning_rate` needs `run.decisions`."""

    batch_size: Count = 16_384
    """Decisions of all seats in one iteration, for each learner."""
    minibatch_size: Count = 2048
    """Rows of one gradient step."""
    epochs: Count = 3
    """Passes over each batch."""


class PoliciesSection(Section):
    """Who learns, and who sits in the other seats."""

    mode: Literal["shared", "per_seat"] = "shared"
    """`shared`: one policy learns on all seats. `per_seat`: each seat has a policy of its own that learns."""
    opponents: Weights = Field(default_factory=lambda: {SELF: 0.6, PAST: 0.2})
    """For `shared`: weights of `self`, `past` and any agents for the seats that aren't the learner's."""
    snapshot_iterations: Count = 10
    """Iterations between two frozen copies of the learner."""
    past_members: Annotated[int, Field(gt=0, le=64)] = 3
    """Frozen copies in play; a new one takes the place of the oldest."""

    @pydantic.model_validator(mode="after")
    def _someone_to_play(self) -> PoliciesSection:
        if sum(self.opponents.values()) <= 0:
            raise ValueError("at least one weight of opponents must be above 0")
        return self


class ClusterSection(Section):
    """How the work is spread."""

    env_runners: Annotated[int, Field(ge=0, le=10_000)] = 0
    """Processes that play; 0 plays in the process that learns."""
    games_per_runner: Count = 32
    """Games side by side in each."""
    cpus_per_runner: Count = 1
    """Processors that each takes."""
    learners: Annotated[int, Field(ge=0, le=1000)] = 0
    """Processes that learn, each from a batch of its own; 0 learns in the driver."""
    gpus_per_learner: Annotated[float, Field(ge=0)] = 0
    """GPUs for each; the driver takes them where `learners` is 0."""


class RllibSettings(Section):
    """A whole run."""

    game: GameSection
    """What is played."""
    run: RunSection
    """When to stop, what to keep."""
    network: LayersSection = LayersSection()
    """The policy and value networks."""
    learner: LearnerSection = LearnerSection()
    """PPO and its magnet."""
    policies: PoliciesSection = PoliciesSection()
    """Who learns, and who sits in the other seats."""
    cluster: ClusterSection = ClusterSection()
    """How the work is spread."""

    @pydantic.model_validator(mode="after")
    def _consistent(self) -> RllibSettings:
        if self.run.minutes is None and self.run.decisions is None:
            raise ValueError("run.minutes or run.decisions must say when to stop")
        if self.learner.minibatch_size > self.learner.batch_size:
            raise ValueError(
                f"learner.minibatch_size = {self.learner.minibatch_size} is more than a batch holds"
                f" (learner.batch_size = {self.learner.batch_size})"
            )
        if self.learner.final_learning_rate < 1 and self.run.decisions is None:
            raise ValueError("learner.final_learning_rate needs run.decisions to say when the end is")
        return self


def load_settings(path: str | os.PathLike[str], **overrides: Any) -> RllibSettings:
    """Read and check a config.

    Args:
        path: a TOML file, or the name of one that comes with the package, e.g. `"duel"`.
        **overrides: `SECTION_ENTRY` = value replaces that of the file, e.g. `run_minutes`; None changes
            nothing.

    Raises:
        SetupError: names the field, what was given and what was expected.
    """
    table, name = read_toml(path, SHIPPED)
    for key, value in overrides.items():
        section, _, entry = key.partition("_")
        inner = table.setdefault(section, {})
        if value is not None and isinstance(inner, dict):
            inner[entry] = value
    return checked(RllibSettings, table, name)

"""What a training run is told: a TOML file, checked as a whole before anything starts."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any, Literal

import pydantic
from pydantic import Field

from training.opponents import EXPLOITER, FROZEN, PAST, SELF
from training.settings import Positive, Section, Share, Widths, checked, read_toml

CONFIGS = Path(__file__).parent / "configs"
"""Where the configs that come with the package live."""


class GameSection(Section):
    """What is played."""

    name: str = "fairy_meat"
    """Registry name of the game."""
    scenario: str
    """Scenario, e.g. "duel"."""
    options: dict[str, Any] = Field(default_factory=dict)
    """Options of the scenario, as `game.scenario` takes them."""


class RunSection(Section):
    """When to stop, what to keep."""

    name: str
    """Name of the policy that comes out, and of the run's folder."""
    seed: Annotated[int, Field(ge=0, lt=2**32)] = 0
    """The one seed that everything random in the run comes from."""
    minutes: Positive | None = None
    """Stop after this much training time (over all resumed parts together)."""
    decisions: Annotated[int, Field(gt=0)] | None = None
    """Stop after this many decisions of the learner."""
    checkpoint_updates: Annotated[int, Field(gt=0)] = 20
    """Updates between checkpoints."""
    keep_checkpoints: Annotated[int, Field(gt=0)] = 3
    """Newest checkpoints that are kept."""
    device: Literal["auto", "cpu", "cuda"] = "auto"
    """Where the network learns; auto takes a GPU if there is one."""
    threads: Annotated[int, Field(ge=0)] = 0
    """Torch threads on the CPU; 0 tries one and one a core and takes the faster."""


class LayersSection(Section):
    """Two plain networks, for policy and value."""

    hidden: Widths = (128, 128)
    """Widths of the hidden layers of the policy."""
    value_hidden: Widths | None = None
    """Widths of the hidden layers of the value network; left out: the same as `hidden`."""
    activation: Literal["tanh", "relu"] = "tanh"
    """Activation between layers."""


class NetworkSection(LayersSection):
    """The policy and value networks, and what they are shown."""

    lens: bool = False
    """Learn only on what can change and be legal (`training.lens`); much faster in small games."""
    adviser: str | None = None
    """A compiled bot, e.g. "tactician", whose choice the policy is told and starts from
    (`agents.adviser`): it learns where to do better."""
    advice: Annotated[float, Field(ge=0, le=30)] = 4.0
    """What the adviser's choice adds to its action's logit; with 4 and five legal actions, the untrained
    policy follows it in 93 of 100 choices."""


class PpoSection(Section):
    """PPO and its magnet, on whatever machines."""

    learning_rate: Positive = 1e-3
    """Adam's step size."""
    final_learning_rate: Share = 1.0
    """Fraction of `learning_rate` left at the end of the run, reached in a straight line."""
    gamma: Share = 1.0
    """Discount; games are short and end with their whole return, so none is needed."""
    gae_lambda: Share = 0.95
    """Weight of longer returns in the advantage."""
    clip: Positive = 0.2
    """PPO's clip range."""
    entropy: Annotated[float, Field(ge=0)] = 0.005
    """Entropy bonus beside a normalised advantage; small, the magnet does the regularising."""
    value: Annotated[float, Field(ge=0)] = 0.5
    """Weight of the value loss."""
    max_grad_norm: Positive = 0.5
    """Gradients are scaled down to this norm."""
    magnet: Annotated[float, Field(ge=0)] = 0.2
    """Weight of KL(policy || slow copy); 0.2 to 0.4 did well."""
    magnet_rate: Share = 0.03
    """Fraction of the way that the slow copy moves an update; 0.015 to 0.05 did well."""


class LearnerSection(PpoSection):
    """How much is played and learned in an update."""

    games: Annotated[int, Field(gt=1)] = 1024
    """Games played side by side."""
    steps: Annotated[int, Field(gt=0)] = 32
    """Decisions of the learner in each game between two updates."""
    batch_size: Annotated[int, Field(gt=1)] = 8192
    """Rows of a minibatch; large ones are what makes the learner fast."""
    epochs: Annotated[int, Field(gt=0)] = 2
    """Passes over each rollout."""
    final_entropy: Share = 1.0
    """Fraction of `entropy` left at the end of the run, reached in a straight line."""
    informed: bool = False
    """Show the value network what the other seats see, too (`training.informed`). It only takes luck
    out of what is learned from; the policy sees what it always sees."""


Weights = Annotated[dict[str, Annotated[float, Field(ge=0)]], Field(min_length=1)]


class OpponentsSection(Section):
    """Who sits in the other seats; drawn for each game anew in proportion to the weights."""

    weights: Weights = Field(default_factory=lambda: {SELF: 0.6, PAST: 0.2})
    """Weight of `self`, `past`, `exploiter` (with `[league]`) and any agent spec, e.g.
    `"bluffer:rate=0.3" = 0.1`."""
    snapshot_updates: Annotated[int, Field(gt=0)] = 25
    """Updates between two frozen copies of the policy."""
    past_members: Annotated[int, Field(gt=0, le=64)] = 6
    """Frozen copies in play; a new one takes the place of a random one."""
    prioritise: Annotated[float, Field(ge=0, le=8)] = 0.0
    """How much more often the learner meets groups that it loses to: their weights are multiplied by
    (1 - win rate) to this power (prioritised fictitious self-play, Vinyals et al. 2019; there 2)."""

    @pydantic.model_validator(mode="after")
    def _someone_to_play(self) -> OpponentsSection:
        if sum(self.weights.values()) <= 0:
            raise ValueError("at least one weight must be above 0")
        met = {name for name, weight in self.weights.items() if weight > 0}
        if met <= set(FROZEN):
            alone = " and ".join(repr(name) for name in sorted(met, reverse=True))
            raise ValueError(f"{alone} alone has no member at the start; add {SELF!r} or a bot")
        return self


class LeagueSection(Section):
    """Exploiters that learn to beat the current policy and join its opponents (`training.league`)."""

    exploiter_updates: Annotated[int, Field(gt=0)] = 200
    """Updates between two exploiters. Training them counts for `run.minutes`, not for `run.decisions`."""
    exploiter_decisions: Annotated[int, Field(gt=0)] = 1_000_000
    """Decisions that an exploiter learns from, rounded up to whole rollouts."""
    exploiter_games: Annotated[int, Field(gt=1)] | None = None
    """Games that it plays side by side; left out: as many as `learner.games`."""
    exploiter_magnet: Annotated[float, Field(ge=0)] = 0.0
    """`learner.magnet` of its training. Nobody runs in circles after an opponent that stands still: in a
    trial on one policy for clash (3,3) exploiters won more without it."""
    from_scratch: bool = False
    """It begins with an untrained network instead of the current policy's."""
    promotion_games: Annotated[int, Field(gt=1)] = 2000
    """Games of the match in which it has to prove itself, seats balanced; they count nowhere else."""
    promotion_score: Share = 0.55
    """Score against the policy from which on it joins (win rate, a draw counting half; with more than
    two seats the share of the others that it finishes ahead of). Where games are played for points, as in
    a clash, much can be won at a score near one half: ask for less there."""
    exploiter_members: Annotated[int, Field(gt=0, le=64)] = 4
    """Exploiters in play; a new one takes the place of a random one."""


class CurriculumSection(Section):
    """One part of a run, in which the scenario has other options (`training.curriculum`)."""

    until: Annotated[float, Field(gt=0, le=1)] = 1.0
    """Share of the run at which the part ends; left out in the last one."""
    options: dict[str, Any] = Field(default_factory=dict)
    """Options of the scenario in this part; they win over `game.options`."""


class ImitationSection(Section):
    """A head start by learning to play like a teacher (`training.imitation`)."""

    teacher: str
    """Agent spec, e.g. "counter"."""
    rows: Annotated[int, Field(gt=0, le=4_000_000)] = 400_000
    """Decisions of the teacher to learn from; each takes about 1.5 KB of memory."""
    epochs: Annotated[int, Field(gt=0)] = 8
    """Passes over them."""
    learning_rate: Positive = 1e-3
    """Adam's step size, falling to 0 in a straight line."""
    share: Annotated[float, Field(gt=0, le=1)] = 1.0
    """Share of the decisions of a game that are learned from; small where games are long."""
    choices: bool = True
    """Learn what it chooses; false: only how its games end, for the value network."""


class ExploitabilitySection(Section):
    """Measuring how exploitable the policy is as it learns (`training.exploitability`)."""

    options: dict[str, Any]
    """Options of the clash, e.g. `{ a = 2, d = 2 }`; hands up to four, and small ones are quick."""
    every_updates: Annotated[int, Field(gt=0)] = 100
    """Updates between measurements; their time doesn't count for the run's limit."""
    late: bool = False
    """Ask about uses of caught trumps and the like, too; otherwise those count as answered best."""


class TrainingConfig(Section):
    """A whole run."""

    game: GameSection
    """What is played."""
    run: RunSection
    """When to stop, what to keep."""
    network: NetworkSection = NetworkSection()
    """The policy and value networks."""
    learner: LearnerSection = LearnerSection()
    """PPO and its magnet."""
    opponents: OpponentsSection = OpponentsSection()
    """Who sits in the other seats."""
    league: LeagueSection | None = None
    """Exploiters; left out: none."""
    curriculum: tuple[CurriculumSection, ...] = ()
    """Parts of the run in their order, `[[curriculum]]` each; left out: all of it has `game.options`."""
    imitation: ImitationSection | None = None
    """A head start; left out: learning begins from nothing."""
    exploitability: ExploitabilitySection | None = None
    """Curves of exploitability; left out: none."""

    @pydantic.model_validator(mode="after")
    def _consistent(self) -> TrainingConfig:
        if self.run.minutes is None and self.run.decisions is None:
            raise ValueError("run.minutes or run.decisions must say when to stop")
        if self.learner.informed and self.network.adviser:
            raise ValueError("learner.informed and network.adviser can't be had together")
        exploiters_met = self.opponents.weights.get(EXPLOITER, 0.0) > 0
        if exploiters_met and self.league is None:
            raise ValueError(f"opponents.weights.{EXPLOITER} needs a section [league] that makes exploiters")
        if self.league is not None and not exploiters_met:
            given = self.opponents.weights.get(EXPLOITER)
            raise ValueError(
                f"league needs opponents.weights.{EXPLOITER} above 0, or nobody would meet its exploiters"
                f" (given: {given})"
            )
        ends = [part.until for part in self.curriculum]
        if ends and (sorted(set(ends)) != ends or ends[-1] != 1.0):
            raise ValueError(
                f"curriculum: until must rise and be 1.0 or left out in the last part (given: {ends})"
            )
        if self.learner.batch_size > self.learner.games * self.learner.steps:
            raise ValueError(
                f"learner.batch_size = {self.learner.batch_size} is more than a rollout holds"
                f" (games x steps = {self.learner.games * self.learner.steps})"
            )
        return self


def load_config(path: str | os.PathLike[str], **run_overrides: Any) -> TrainingConfig:
    """Read and check a config.

    Args:
        path: a TOML file, or the name of one that comes with the package, e.g. `"duel"`.
        **run_overrides: values for the `[run]` table that replace the file's; None changes nothing.

    Raises:
        SetupError: names the field, what was given and what was expected.
    """
    table, name = read_toml(path, CONFIGS)
    run = table.get("run")
    if isinstance(run, dict):
        run.update({name: value for name, value in run_overrides.items() if value is not None})
    return check_config(table, name)


def check_config(table: dict[str, Any], source: str = "training config") -> TrainingConfig:
    """Check a config given as a dict.

    Raises:
        SetupError: names every bad field, what was given and what was expected.
    """
    return checked(TrainingConfig, table, source)

"""Benchmark tasks: numbers that can be compared with other people's.

A task (`benchmarks.toml`) says what is played, against which reference agents, how many games, with which
seed. The reference agents have played each other; their ratings are the published ladder
(`evaluation/results/ladders/`). A new agent plays every group of reference agents once, by the same
plan, and is rated with the ladder held fixed, so that agents rated by different people, at
different times, stand on one scale.
"""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pydantic

from evaluation.ratings import ELO, fit
from evaluation.stats import Interval, mean_interval, scores
from evaluation.tournament.analysis import SCHEMA, Rating, around
from evaluation.tournament.play import Field, prepare
from evaluation.tournament.resampling import group_sums, resampled, summed
from evaluation.tournament.results import Results
from evaluation.tournament.stopping import PairScore, pair_scores
from fm_env import registry
from fm_env.errors import LoadError, SetupError, UnknownNameError

TASKS = Path(__file__).with_name("benchmarks.toml")
LADDERS = Path(__file__).parents[1] / "results" / "ladders"

SAMPLES = 1000
"""Bootstrap samples behind the interval of a rating."""


class Task(pydantic.BaseModel):
    """One entry of `benchmarks.toml`."""

    model_config = pydantic.ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)

    name: str
    """`GAME/TASK`."""
    version: int = pydantic.Field(ge=1)
    """Rises with every change."""
    about: str
    """A few words for the list."""
    scenario: dict[str, Any]
    """Options of the scenario."""
    agents: tuple[str, ...] = pydantic.Field(min_length=2)
    """Specs of the reference agents."""
    games: int = pydantic.Field(ge=1)
    """Of each group of agents, rounded up to whole blocks."""
    seed: int
    """Of all games."""

    @property
    def full_name(self) -> str:
        """`GAME/TASK@VERSION`."""
        return f"{self.name}@{self.version}"

    @property
    def game(self) -> str:
        """Name of the game."""
        return self.name.partition("/")[0]

    @property
    def ladder_file(self) -> Path:
        """Where its ladder is published."""
        return LADDERS / f"{self.full_name.replace('/', '-')}.json"


@dataclass(frozen=True)
class Row:
    """How an agent did on a task."""

    task: Task
    rating: Rating
    """On the scale of the published ladder, which is held fixed."""
    score: Interval
    """Mean score over all games: share of the others that it finished ahead of."""
    against: tuple[PairScore, ...]
    """The agent against each reference agent, in the task's order; the intervals hold together."""


@cache
def tasks() -> dict[str, Task]:
    """All tasks by `NAME@VERSION`."""
    entries = tomllib.loads(TASKS.read_text("utf-8"))["task"]
    found = [Task.model_validate(entry) for entry in entries]
    return {task.full_name: task for task in found}


def find_task(name: str) -> Task:
    """A task by `NAME@VERSION`, or the newest version of `NAME`.

    Raises:
        UnknownNameError: no such task.
    """
    if name in tasks():
        return tasks()[name]
    versions = [task for task in tasks().values() if task.name == name]
    if not versions:
        raise UnknownNameError("benchmark task", name, tasks())
    return max(versions, key=lambda task: task.version)


def reference_field(task: Task, command: str = "") -> Field:
    """The tournament of the reference agents, which makes the ladder."""
    return _field(task, task.agents, command)


def agent_field(task: Task, agent: str, command: str = "", move_seconds: float | None = None) -> Field:
    """The tournament of an agent (number 0) with the reference agents (numbers 1, 2, ...).

    Raises:
        SetupError: the agent is a reference agent.
        fm_env.errors.FmEnvError: it can't be made or can't play this.
    """
    if agent in task.agents:
        raise SetupError(f"agent: {agent!r} is a reference agent of {task.full_name}; the ladder has its row")
    return _field(task, (agent, *task.agents), command, having=0, move_seconds=move_seconds)


def published_ladder(task: Task) -> dict[str, Any]:
    """The analysis of the reference agents' tournament, as `Analysis.to_json` wrote it.

    Raises:
        LoadError: there is none, or the rules or the reference agents are others than it was made with.
    """
    try:
        ladder = json.loads(task.ladder_file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise LoadError(f"{task.full_name}: can't read its ladder {task.ladder_file.name}: {error}") from None
    if ladder.get("schema") != SCHEMA:
        raise LoadError(f"{task.ladder_file.name}: schema {ladder.get('schema')!r}, expected {SCHEMA!r}")
    header = ladder["tournament"]
    made = [agent["spec"] for agent in header["agents"]]
    if made != list(task.agents):
        raise LoadError(f"{task.full_name}: its ladder has the agents {made}, the task {list(task.agents)}")
    spec = registry.find(task.game).scenario(**task.scenario).spec
    for version in ("rules_version", "observation_version"):
        then, now = header["game"][version], getattr(spec, version)
        if then != now:
            raise LoadError(f"{task.full_name}: its ladder was made with {version} {then}, now it is {now}")
    return ladder


def changed_references(ladder: dict[str, Any], field: Field) -> list[str]:
    """Reference agents whose source or weights aren't those that the ladder was made with."""
    then = {agent["spec"]: agent["fingerprint"] for agent in ladder["tournament"]["agents"]}
    return [a.name for a in field.header.agents if then.get(a.spec, a.fingerprint) != a.fingerprint]


def rate_agent(task: Task, ladder: dict[str, Any], results: Results) -> Row:
    """An agent's row from the games of `agent_field`.

    The interval of the rating is about the luck of the agent's own games; the ladder is taken as it is.
    """
    header = results.header
    by_name = {row["agent"]: row["elo"] for row in ladder["ratings"]}
    elos = [by_name[agent["name"]] for agent in ladder["tournament"]["agents"]]
    fixed = {number: elo / ELO for number, elo in enumerate(elos, start=1)}
    sums, n = group_sums(results), len(header.agents)
    estimate = fit(summed(sums, n), fixed=fixed)[0] * ELO
    again = resampled(sums, n, SAMPLES, np.random.default_rng(21))
    low, high = around(np.array([estimate]), fit(again.choices, fixed=fixed)[:, :1] * ELO)[0]
    return Row(
        task,
        Rating(0, float(estimate), float(low), float(high)),
        mean_interval(_mean_scores(results), 0.0, 1.0),
        tuple(score for score in pair_scores(results) if score.pair[0] == 0),
    )


def _mean_scores(results: Results) -> npt.NDArray[np.float64]:
    """`[rounds]`, score of agent 0 in each round over all its games in all groups."""
    found = []
    for group, played in zip(results.header.groups, results.played, strict=True):
        at = np.array(group.orders) == 0
        score = (scores(played.returns) * at).sum(axis=(1, 2)) / at.sum()
        found.append(score)
    return np.mean(found, axis=0)


def _field(
    task: Task,
    specs: tuple[str, ...],
    command: str,
    *,
    having: int | None = None,
    move_seconds: float | None = None,
) -> Field:
    game = registry.find(task.game)
    return prepare(
        game,
        game.scenario(**task.scenario),
        specs,
        rounds=lambda groups: -(-task.games // max(len(group.orders) for group in groups)),
        seed=task.seed,
        having=having,
        move_seconds=move_seconds,
        command=command,
    )

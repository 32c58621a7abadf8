"""Teach a finished policy to say how it stands: `python -m training.value duel`; with `--measure`, only find
out what the estimates that it has are worth, beside the base rate and beside counting.

A policy file may hold a second network that estimates the return; runs write one, but a policy made
before that, or whose critic was shown more than a player sees, has none. Here the policy plays all
known bots of its game and itself, and a network of its own learns from how those games ended. The
policy's play, and so its fingerprint, stays as it is.
"""

from __future__ import annotations

import dataclasses
import json
import shlex
import sys
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import numpy.typing as npt
import typer

from agents.api import Agent
from agents.estimates import win_estimate
from agents.policy import MODELS, NetworkCard, NetworkPolicy, load_policy, save_policy, write_atomically
from agents.registry import table
from evaluation.calibration import Calibration, calibration
from evaluation.report import versions
from fm_env.errors import SetupError
from fm_env.match import load
from training.counting import beside_counting
from training.sb3 import SelfPlayVecEnv

GAMES = 512
HELD_OUT = 1
"""Seed of the games to judge by; those to learn from have seed 0."""
HIDDEN = 64
BATCH_SIZE = 2048

Floats = npt.NDArray[np.float32]


class Positions(NamedTuple):
    """Choices of the policy in games that ended."""

    observations: Floats
    """`[n, F]`"""
    scores: npt.NDArray[np.float64]
    """`[n]` how that game ended, 0 to 1: the return of a placement game from -1 to 1 brought there."""
    games: npt.NDArray[np.int64]
    """`[n]` which game that was."""


def positions(policy: NetworkPolicy, rows: int, seed: int) -> Positions:
    """At least `rows` choices of the policy, against all bots and itself, on all seats alike."""
    card = policy.card
    game = load(card.game).game
    options = {key: value for key, value in card.options.items() if key != "scenario"}
    opponents = dict.fromkeys([*table(card.game), "self"], 1.0)
    opponents["self"] = float(len(opponents))
    env = SelfPlayVecEnv(game, card.scenario, GAMES, opponents=opponents, seed=seed, **options)
    env.set_self(policy)
    rng = np.random.default_rng([seed, 1])
    running: list[list[Floats]] = [[] for _ in range(GAMES)]
    seen: list[Floats] = []
    scores: list[float] = []
    games: list[int] = []
    observations = env.reset()
    while len(scores) < rows:
        for k, row in enumerate(observations):
            running[k].append(row.copy())
        actions = policy.act_batch(observations, env.action_masks(), rng)
        observations, rewards, dones = env.step_arrays(actions)
        for k in np.flatnonzero(dones):
            seen += running[k]
            scores += [(float(rewards[k]) + 1) / 2] * len(running[k])
            games += [games[-1] + 1 if games else 0] * len(running[k])
            running[k] = []
    return Positions(np.array(seen), np.array(scores), np.array(games))


def learn(data: Positions, epochs: int) -> dict[str, Floats]:
    """A network with one hidden layer that says the return, -1 to 1; it standardises its inputs itself."""
    import torch

    torch.manual_seed(0)
    torch.set_num_threads(1)
    mean, deviation = data.observations.mean(0), data.observations.std(0)
    scale = np.where(deviation > 1e-6, np.minimum(1 / np.maximum(deviation, 1e-6), 8), 0).astype(np.float32)
    x = torch.from_numpy((data.observations - mean) * scale)
    y = torch.from_numpy((2 * data.scores - 1).astype(np.float32))
    first, last = torch.nn.Linear(x.shape[1], HIDDEN), torch.nn.Linear(HIDDEN, 1)
    net = torch.nn.Sequential(first, torch.nn.Tanh(), last)
    optimiser = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=1e-2)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, epochs)
    for _ in range(epochs):
        for rows in torch.randperm(len(x)).split(BATCH_SIZE):
            optimiser.zero_grad()
            torch.nn.functional.mse_loss(net(x[rows])[:, 0], y[rows]).backward()
            optimiser.step()
        schedule.step()
    weight, bias = first.weight.detach().numpy() * scale, first.bias.detach().numpy()
    return {
        "value.0.weight": np.ascontiguousarray(weight, np.float32),
        "value.0.bias": (bias - weight @ mean).astype(np.float32),
        "value.1.weight": last.weight.detach().numpy().copy(),
        "value.1.bias": last.bias.detach().numpy().copy(),
    }


def judge(policy: Agent, held_out: Positions) -> Calibration:
    """What the estimates are worth on games they weren't learned from, beside always saying the mean."""
    masks = np.ones((len(held_out.scores), 1), np.bool_)
    said = win_estimate(policy, held_out.observations, masks)
    assert said is not None
    found = calibration(said, held_out.scores, held_out.games)
    assert found is not None
    return found


def measure(policy: NetworkPolicy, rows: int, held_out: int) -> dict[str, Any]:
    """What a policy's estimates are worth, and what counting is that was fitted to games like those that the
    policy learned from.

    Raises:
        SetupError: it has none.
    """
    if policy.card.value_network is None:
        raise SetupError(f"policy {policy.name!r}: it makes no estimates; teach it without --measure")
    judged = positions(policy, held_out, seed=HELD_OUT)
    game = load(policy.card.game).game
    spec = game.scenario(policy.card.scenario, **_options(policy)).spec
    said = win_estimate(policy, judged.observations, np.ones((len(judged.scores), 1), np.bool_))
    assert said is not None
    learned_from = positions(policy, rows, seed=0)
    beside = beside_counting(spec.game, game.observation_labels(spec), learned_from, judged, said)
    return dataclasses.asdict(judge(policy, judged)) | {"counting": beside}


def teach(policy: NetworkPolicy, rows: int, held_out: int, epochs: int) -> tuple[NetworkPolicy, Calibration]:
    """The policy with a value network, and how good its estimates are.

    Raises:
        SetupError: its returns are points, which don't say who finishes ahead.
    """
    spec = load(policy.card.game).scenario(policy.card.scenario, **_options(policy)).spec
    if (spec.min_return, spec.max_return) != (-1.0, 1.0):
        raise SetupError(
            f"policy {policy.name!r}: returns of {spec.scenario!r} run from {spec.min_return:g} to"
            f" {spec.max_return:g}; an estimate needs placements from -1 to 1"
        )
    data = positions(policy, rows, seed=0)
    layers = learn(data, epochs)
    sizes = (spec.observation_size, HIDDEN, 1)
    card = policy.card.model_copy(
        update={"value_network": NetworkCard(activation="tanh", sizes=sizes), "return_range": (-1.0, 1.0)}
    )
    taught = NetworkPolicy(policy.acting_weights() | layers, card.model_copy(update={"weights_sha256": ""}))
    return taught, judge(taught, positions(policy, held_out, seed=HELD_OUT))


def _options(policy: NetworkPolicy) -> dict[str, Any]:
    return {key: value for key, value in policy.card.options.items() if key != "scenario"}


def main(
    names: Annotated[list[str], typer.Argument(help="Policies: shipped names or paths.")],
    rows: Annotated[int, typer.Option(help="Choices to learn from.")] = 300_000,
    held_out: Annotated[int, typer.Option(help="Choices to judge by.")] = 100_000,
    epochs: Annotated[int, typer.Option(help="Passes over them.")] = 6,
    only_measure: Annotated[bool, typer.Option("--measure", help="Teach nothing, write no policy.")] = False,
    json_file: Annotated[Path | None, typer.Option("--json", help="Where the result goes.")] = None,
) -> None:
    """Teach, judge on other games, and write each policy's files anew; or only judge."""
    results: dict[str, Any] = {}
    for name in names:
        before = load_policy(name)
        if not only_measure:
            _teach_and_save(before, name, rows, held_out, epochs)
        results[name] = found = measure(load_policy(name), rows, held_out)
        counted = ", ".join(f"{kind} {one['brier']:.4f}" for kind, one in found["counting"].items())
        typer.echo(
            f"{name}: Brier score {found['brier']:.4f}, always the mean {found['brier_base']:.4f}, counting"
            f" {counted}; {found['error']:.4f} away from what came true ({found['decisions']:,} choices)"
        )
    if json_file is not None:
        report = {
            "schema": "fm-env-value-3",
            "command": shlex.join(["python", "-m", "training.value", *sys.argv[1:]]),
            "versions": versions(),
            "policies": results,
        }
        write_atomically(json_file, (json.dumps(report, indent=1) + "\n").encode())


def _teach_and_save(before: NetworkPolicy, name: str, rows: int, held_out: int, epochs: int) -> None:
    taught, found = teach(before, rows, held_out, epochs)
    if found.skill <= 0:
        raise SetupError(f"policy {name!r}: its estimates are no better than always saying the mean")
    assert taught.fingerprint() == before.fingerprint()
    path = MODELS / name if (MODELS / f"{name}.json").exists() else Path(name)
    save_policy(path, taught.weights(), taught.card)


if __name__ == "__main__":
    typer.run(main)

"""Learn what to believe of an opponent's hidden cards in a duel: `python -m training.belief`.

Positions come from duels between shipped agents, seen from the seat that is to choose; the truth comes
from the state, which only this script looks at. Games for learning and for judging have different seeds.
"""

from __future__ import annotations

import hashlib
import json
import shlex
import sys
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import numpy.typing as npt
import safetensors.numpy
import typer
from rich.progress import track

from agents.api import Agent
from agents.policy import write_atomically
from agents.registry import make
from agents.service.belief import FOLDER, BeliefModel, counted, hidden_cards, inputs, load_model
from agents.service.running import RunningGame
from agents.service.setting import luck, setting_of
from evaluation.calibration import calibration, log_loss

PLAYERS = ("policy:duel", "counter", "bluffer", "highest", "plain")
"""Every pair of them plays, the policy most often."""
HELD_OUT = 1_000_000
"""Seeds of games for judging start here."""
KEPT = 0.4
"""Share of positions that are kept: those of one duel are much alike."""

Floats = npt.NDArray[np.float64]


class Positions(NamedTuple):
    """What seats saw, and how it was."""

    observations: npt.NDArray[np.float32]
    red: Floats
    """1 where most hidden cards of the opponent were red, 0.5 where half, else 0."""
    games: npt.NDArray[np.int64]
    """The seed of each position's game."""


def positions(duels: int, first_seed: int, show: bool = False) -> Positions:
    """Play duels and note every choice at which the opponent has hidden cards."""
    setting = setting_of("fairy_meat", "duel", "{}")
    agents = {spec: make(spec, setting.game, setting.scenario) for spec in PLAYERS}
    pairs = [*product(PLAYERS, PLAYERS), *[("policy:duel", "policy:duel")] * 10]
    seen: list[npt.NDArray[np.float32]] = []
    truth: list[float] = []
    games: list[int] = []
    seeds = range(first_seed, first_seed + duels)
    for seed in track(seeds, "playing") if show else seeds:
        game = RunningGame(setting, seed)
        players = [agents[spec] for spec in pairs[seed % len(pairs)]]
        while not game.is_over:
            _choose(game, players, seed, seen, truth)
        games += [seed] * (len(truth) - len(games))
    return Positions(np.array(seen, np.float32), np.array(truth), np.array(games))


def _choose(
    game: RunningGame,
    players: list[Agent],
    seed: int,
    seen: list[npt.NDArray[np.float32]],
    truth: list[float],
) -> None:
    seat = game.pending[0]
    observation, mask = game.observation(seat), game.mask(seat)
    generator = luck(seed, seat, game.choices)
    if hidden_cards(observation[None])[0] and generator.random() < KEPT:
        seen.append(observation)
        truth.append(share_of_red(game.state, 1 - seat))
    action = players[seat].act_batch(observation[None], mask[None], generator)[0]
    game.play(seat, int(action))


def share_of_red(state: Any, seat: int) -> float:
    """1, 0.5 or 0: most, half or fewer of the hidden cards of a seat's fairies are red."""
    red = black = 0
    for f in np.flatnonzero(state["owner"][: state["n_fairies"]] == seat).tolist():
        piles = [state["hand"][f]] + ([] if state["laid_up"][f] else [state["laid"][f]])
        red += sum(int(pile[:26:2].sum()) for pile in piles)
        black += sum(int(pile[1:26:2].sum()) for pile in piles)
    return 0.5 if red == black else float(red > black)


# ------------------------------------------------------------------------------------- judging
def judge(model: BeliefModel, held_out: Positions, base_rate: float) -> dict[str, Any]:
    """The model beside the base rate and beside counting cards."""
    truth, games = held_out.red, held_out.games
    said = calibration(model.red(held_out.observations), truth, games)
    count = calibration(counted(held_out.observations), truth, games)
    assert said is not None
    assert count is not None
    return {
        "positions": said.decisions,
        "log_loss": {
            "model": round(said.log_loss, 4),
            "counting_cards": round(count.log_loss, 4),
            "base_rate": round(log_loss(np.full(len(truth), base_rate), truth), 4),
        },
        "calibration_error": {"model": round(said.error, 4), "counting_cards": round(count.error, 4)},
        "base_rate": round(base_rate, 4),
    }


# ------------------------------------------------------------------------------------ learning
def learn(data: Positions, hidden: int, epochs: int, seed: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """A network with one hidden layer, by Adam with weight decay; the epoch with the best loss on a tenth
    of the data, games apart, is kept.
    """
    import torch

    torch.manual_seed(seed)
    torch.set_num_threads(1)
    x, y = torch.from_numpy(inputs(data.observations)), torch.from_numpy(data.red.astype(np.float32))
    cut = len(x) * 9 // 10
    last = torch.nn.Linear(hidden, 1)
    net = torch.nn.Sequential(torch.nn.Linear(x.shape[1], hidden), torch.nn.Tanh(), last)
    with torch.no_grad():  # begin as counting cards does
        last.weight.zero_()
        last.bias.zero_()
    loss_of = torch.nn.BCEWithLogitsLoss()
    optimiser = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=1e-2)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, epochs)
    best, kept = np.inf, None
    for _ in track(range(epochs), "learning"):
        for rows in torch.randperm(cut).split(1024):
            optimiser.zero_grad()
            loss_of(x[rows, -1] + net(x[rows])[:, 0], y[rows]).backward()
            optimiser.step()
        schedule.step()
        with torch.no_grad():
            loss = float(loss_of(x[cut:, -1] + net(x[cut:])[:, 0], y[cut:]))
        if loss < best:
            best = loss
            kept = [p.detach().numpy().copy() for p in net.parameters()]
    assert kept is not None
    return [(kept[0], kept[1]), (kept[2], kept[3])]


def save(base: Path, layers: list[tuple[np.ndarray, np.ndarray]], card: dict[str, Any]) -> BeliefModel:
    """Write the pair of files and read it back."""
    tensors = {}
    for k, (weight, bias) in enumerate(layers):
        tensors |= {f"layer.{k}.weight": np.ascontiguousarray(weight, np.float32), f"layer.{k}.bias": bias}
    data = safetensors.numpy.save(tensors)
    card = {**card, "weights_sha256": hashlib.sha256(data).hexdigest()}
    base.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(base.with_suffix(".safetensors"), data)
    write_atomically(base.with_suffix(".json"), (json.dumps(card, indent=1) + "\n").encode())
    return load_model(base)


def main(
    duels: Annotated[int, typer.Option(help="To learn from.")] = 6_000,
    held_out: Annotated[int, typer.Option(help="Duels to judge by; ten thousand positions or more.")] = 1_000,
    hidden: Annotated[int, typer.Option(help="Width of the hidden layer.")] = 48,
    epochs: Annotated[int, typer.Option(help="Passes over the positions.")] = 30,
    seed: Annotated[int, typer.Option(help="Of the network and the order of learning.")] = 1,
    out: Annotated[Path, typer.Option(help="The pair of files, without ending.")] = FOLDER / "duel",
    json_file: Annotated[Path | None, typer.Option("--json", help="Where the result goes.")] = None,
) -> None:
    """Learn, judge on held-out duels, write the model and what was measured."""
    spec = setting_of("fairy_meat", "duel", "{}").spec
    data = positions(duels, 0, show=True)
    judged = positions(held_out, HELD_OUT, show=True)
    card = {
        "format": "fm-env-belief-1",
        "game": spec.game,
        "scenario": spec.scenario,
        "observation_version": spec.observation_version,
        "rules_version": spec.rules_version,
        "players": list(PLAYERS),
        "positions": len(data.red),
        "command": shlex.join(["python", "-m", "training.belief", *sys.argv[1:]]),
    }
    model = save(out, learn(data, hidden, epochs, seed), card)
    result = {
        "schema": 1,
        "command": card["command"],
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "learnt_from": len(data.red),
        **judge(model, judged, float(data.red.mean())),
    }
    text = json.dumps(result, indent=1) + "\n"
    typer.echo(text)
    if json_file is not None:
        write_atomically(json_file, text.encode())


if __name__ == "__main__":
    typer.run(main)

"""What a seat may believe of the opponent's hidden cards, from its observation alone.

A small network tells the chance that most of the opponent's hidden cards in the fight (her hand, and
trumps that she laid face down) are red, half of them counting half. It starts from counting cards and
learns what the rest of the observation adds to that. `training/belief.py` makes it from duels of
the shipped agents; how far it beats the base rate and mere counting of cards is on its card and in
`evaluation/results/belief.json`.
"""

from __future__ import annotations

import functools
import hashlib
import json
from math import comb
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import safetensors.numpy

from agents.service.protocol import Belief
from agents.service.setting import Setting
from fm_env.contract import Observation
from fm_env.errors import LoadError

FOLDER = Path(__file__).with_name("beliefs")
FILES = {("fairy_meat", "duel"): "duel"}
"""Scenarios that have a model."""

Floats = npt.NDArray[np.float64]


class BeliefModel(NamedTuple):
    """Log odds of counting cards plus a network of linear layers with tanh between them."""

    name: str
    observation_version: int
    layers: tuple[tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]], ...]
    card: dict[str, Any]

    def red(self, observations: Observation) -> Floats:
        """`[B, F]` f4 to the chance of red, `[B]` f8."""
        x = inputs(observations)
        offset = x[:, -1].astype(np.float64)
        for weight, bias in self.layers[:-1]:
            x = np.tanh(x @ weight + bias)
        weight, bias = self.layers[-1]
        logits = offset + (x @ weight + bias)[:, 0].astype(np.float64)
        return 1.0 / (1.0 + np.exp(-np.clip(logits, -30.0, 30.0)))


@functools.cache
def model_of(game: str, scenario: str) -> BeliefModel | None:
    """The model that comes with a scenario, None where there is none.

    Raises:
        LoadError: its file is damaged or isn't the card's.
    """
    name = FILES.get((game, scenario))
    return None if name is None else load_model(FOLDER / name)


def load_model(base: Path) -> BeliefModel:
    """The pair `base.safetensors` and `base.json`.

    Raises:
        LoadError: a file is missing or damaged, or they don't belong together.
    """
    try:
        card = json.loads(base.with_suffix(".json").read_text("utf-8"))
        data = base.with_suffix(".safetensors").read_bytes()
        if hashlib.sha256(data).hexdigest() != card["weights_sha256"]:
            raise LoadError(f"belief {base.name}: the weights aren't those of its card")
        tensors = safetensors.numpy.load(data)
        layers = tuple(
            (tensors[f"layer.{k}.weight"].T.copy(), tensors[f"layer.{k}.bias"])
            for k in range(len(tensors) // 2)
        )
        return BeliefModel(base.name, card["observation_version"], layers, card)
    except (
        OSError,
        ValueError,
        LookupError,
        TypeError,
        AttributeError,
        safetensors.SafetensorError,
    ) as error:
        raise LoadError(f"belief {base.name}: {type(error).__name__}: {error}") from error


def belief_of(setting: Setting, observation: Observation) -> Belief | None:
    """The chance that most of the opponent's hidden hand is red; None where nothing is hidden there, and
    for scenarios without a model.
    """
    spec = setting.spec
    model = model_of(spec.game, spec.scenario)
    if model is None or model.observation_version != spec.observation_version:
        return None
    if hidden_cards(observation[None])[0] == 0:
        return None
    red = float(model.red(observation[None])[0])
    return Belief(red=red, source=f"belief-{model.name}")


# ------------------------------------------------------------------------- reading observations
@functools.cache
def _places() -> dict[str, Any]:
    """Where an observation of two fairies tells what is needed here."""
    from fm_env.games.fairy_meat.observe import observation_labels

    labels = observation_labels(2)
    unseen = {label.split()[1]: k for k, label in enumerate(labels) if label.startswith("unseen ")}
    return {
        "red": [k for card, k in unseen.items() if card.endswith("r")],
        "black": [k for card, k in unseen.items() if card.endswith("b")],
        "joker": [unseen["X"]],
        # Numbers are shown by the quarter, trumps and jokers by the sixteenth.
        "red scale": [scale(card) for card in unseen if card.endswith("r")],
        "black scale": [scale(card) for card in unseen if card.endswith("b")],
        "joker scale": [16.0],
        "hand": labels.index("fairy 1: hand /24"),
        "down": labels.index("fairy 1: trumps face down /16"),
    }


def scale(card: str) -> float:
    """What an entry of 1 stands for in cards."""
    return 4.0 if card[0] in "23456789" else 16.0


def hidden_cards(observations: Observation) -> npt.NDArray[np.int64]:
    """How many cards the opponent holds in the fight or has laid face down, `[B]`."""
    at = _places()
    hand, down = observations[:, at["hand"]] * 24, observations[:, at["down"]] * 16
    return (np.rint(hand) + np.rint(down)).astype(np.int64)


def counted(observations: Observation) -> Floats:
    """The chance of red by counting cards alone, `[B]`: the hidden cards as a fair draw from the unseen."""
    at = _places()
    unseen = {
        colour: np.rint(observations[:, at[colour]] @ at[f"{colour} scale"]).astype(np.int64)
        for colour in ("red", "black", "joker")
    }
    rows = zip(hidden_cards(observations), *unseen.values(), strict=True)
    return np.array([majority(*map(int, row)) for row in rows], np.float64)


def inputs(observations: Observation) -> npt.NDArray[np.float32]:
    """`[B, F + 1]`: observations with the log odds that counting cards gives."""
    chance = np.clip(counted(observations), 1e-4, 1 - 1e-4)
    odds = np.log(chance / (1 - chance)).astype(np.float32)
    return np.concatenate([observations, odds[:, None]], axis=1)


@functools.lru_cache(maxsize=100_000)
def majority(n: int, red: int, black: int, joker: int) -> float:
    """Chance that of `n` cards drawn from so many red, black and jokers more are red than black, ties
    counted half.
    """
    n = min(n, red + black + joker)
    ways = chance = 0
    for r in range(min(n, red) + 1):
        for b in range(max(0, n - r - joker), min(n - r, black) + 1):
            weight = comb(red, r) * comb(black, b) * comb(joker, n - r - b)
            ways += weight
            chance += weight * (1 + (r > b) - (r < b))
    return chance / (2 * ways)

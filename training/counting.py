"""How a game will end by counting alone: what estimates of policies have to beat.

A player who counts knows how many cards everybody holds, which of them are still unseen, which are her
own, and the counters and points that lie open. Two baselines are fitted to what she counts, by logistic
regression on games other than those they are judged by, so that they are as well calibrated as such a
thing can be: `cards`, and `counts`, which are the cards and all other counters.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from evaluation.calibration import Calibration, calibration
from evaluation.stats import LEVEL, t_quantile

DECAY = 1e-4
"""Weight of the squared coefficients, of standardised counts, beside the mean loss."""
STEPS = 60
"""Of L-BFGS; the loss stands still long before."""

Floats = npt.NDArray[np.float32]


class Countable(NamedTuple):
    """Which entries of an observation are counts, by their labels."""

    cards: re.Pattern[str] | None
    """Cards in hands, laid, unseen or in the deck; None: the game has none."""
    counters: re.Pattern[str]
    """Everything else that is counted: life, points, rounds."""


COUNTABLE = {
    "fairy_meat": Countable(
        re.compile(
            r"own \d+: (hand|order|\d\+|red numbers|black numbers)|unseen |deck /"
            r"|fairy \d+: (hand /|order cards|trumps face down|red trumps|black trumps|number|no card)"
        ),
        re.compile(
            r"fairy \d+: (alive|live|kill|twinkle|used twinkle|meat live|meat kill|attacks|has acted)( /|$)"
            r"|points won|round|attacks left|recasts"
        ),
    ),
    "sword_and_shield": Countable(
        re.compile(
            r"own hand /|unseen /|known of the other's /|deck /|(own|other) knight: hand"
            r"|(own|unseen|known) answers"
        ),
        re.compile(
            r"(own|other) knight: (strength|technique|chivalry|endurance|fatigue|fresh fatigue|hits taken)"
            r"|turn /|turns left|passes in a row"
        ),
    ),
    "angry_miniatures": Countable(
        None,
        re.compile(r"(my|their) health|figure \d+: (on board|health|max health|has acted|exists)|round"),
    ),
}
"""By game."""


@dataclass(frozen=True)
class Counted:
    """What a baseline is worth on games that it wasn't fitted to."""

    entries: int
    """Of the observation that it goes by."""
    brier: float
    log_loss: float
    error: float
    """Mean distance of a bin's mean estimate from its mean score."""
    gain: float
    """How much lower the policy's Brier score is on the same choices."""
    gain_low: float
    """A 95 % interval of that, over games."""
    gain_high: float


def entries(labels: Sequence[str], pattern: re.Pattern[str]) -> list[int]:
    """The entries whose label begins as `pattern` says."""
    return [k for k, label in enumerate(labels) if pattern.match(label)]


def fit(counts: Floats, scores: npt.NDArray[np.float64]) -> Any:
    """A function from counts `[n, k]` to the score to be expected, `[n]` in (0, 1)."""
    import torch

    torch.manual_seed(0)
    torch.set_num_threads(1)
    mean, deviation = counts.mean(0), counts.std(0)
    scale = np.where(deviation > 1e-6, 1 / np.maximum(deviation, 1e-6), 0).astype(np.float32)
    x = torch.from_numpy((counts - mean) * scale)
    y = torch.from_numpy(scores.astype(np.float32))
    weight = torch.zeros(x.shape[1], requires_grad=True)
    bias = torch.zeros(1, requires_grad=True)
    optimiser = torch.optim.LBFGS([weight, bias], max_iter=STEPS, line_search_fn="strong_wolfe")

    def loss() -> Any:
        optimiser.zero_grad()
        found = torch.nn.functional.binary_cross_entropy_with_logits(x @ weight + bias, y)
        found = found + DECAY * weight.square().sum()
        found.backward()
        return found

    optimiser.step(loss)
    slope, offset = weight.detach().numpy() * scale, float(bias.detach())

    def expect(given: Floats) -> npt.NDArray[np.float64]:
        logits = ((given - mean) @ slope + offset).astype(np.float64)
        return 1.0 / (1.0 + np.exp(-np.clip(logits, -30.0, 30.0)))

    return expect


def beside_counting(
    game: str,
    labels: Sequence[str],
    learned_from: Any,
    held_out: Any,
    said: npt.NDArray[np.float64],
) -> dict[str, dict[str, Any]]:
    """The baselines on the held-out games, and what a policy's estimates gain on each.

    Args:
        game: registry name.
        labels: of the observation.
        learned_from: `training.value.Positions` to fit to.
        held_out: ... to judge by, of other games.
        said: `[n]` the policy's estimates of the held-out ones.
    """
    countable = COUNTABLE[game]
    counters = entries(labels, countable.counters)
    cards = [] if countable.cards is None else entries(labels, countable.cards)
    found: dict[str, dict[str, Any]] = {}
    for name, columns in {"cards": cards, "counts": sorted({*cards, *counters})}.items():
        if columns:
            expect = fit(learned_from.observations[:, columns], learned_from.scores)
            told = expect(held_out.observations[:, columns])
            found[name] = asdict(_counted(len(columns), told, said, held_out))
    return found


def _counted(
    columns: int, told: npt.NDArray[np.float64], said: npt.NDArray[np.float64], held_out: Any
) -> Counted:
    worth = calibration(told, held_out.scores, held_out.games)
    assert isinstance(worth, Calibration)
    gains = (told - held_out.scores) ** 2 - (said - held_out.scores) ** 2
    _, game = np.unique(held_out.games, return_inverse=True)
    sums, sizes = np.bincount(game, weights=gains), np.bincount(game)
    gain = float(sums.sum() / sizes.sum())
    # The usual linearisation of a ratio of sums over games; there are thousands of them.
    error = float(np.sqrt(np.square(sums - gain * sizes).sum()) / sizes.sum())
    reach = t_quantile(LEVEL, len(sizes) - 1) * error
    return Counted(columns, worth.brier, worth.log_loss, worth.error, gain, gain - reach, gain + reach)

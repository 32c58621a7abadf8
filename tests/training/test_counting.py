"""What estimates are held against: counting finds what there is to be counted, and nothing else."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest
import typer
from typer.testing import CliRunner

import fm_env
from agents.policy import MODELS, load_policy
from evaluation.calibration import calibration
from training.counting import COUNTABLE, beside_counting, entries, fit
from training.value import Positions, main, measure

RESULTS = Path(__file__).parents[2] / "evaluation" / "results" / "estimates.json"
TAUGHT = ("duel", "joust", "miniatures")


def labels_of(name: str) -> tuple[str, tuple[str, ...]]:
    card = load_policy(name).card
    game = fm_env.load(card.game).game
    return card.game, tuple(game.observation_labels(game.scenario(card.scenario).spec))


@pytest.mark.parametrize("name", TAUGHT)
def test_what_is_counted_is_in_the_observation(name: str) -> None:
    game, labels = labels_of(name)
    countable = COUNTABLE[game]
    counters = entries(labels, countable.counters)
    cards = [] if countable.cards is None else entries(labels, countable.cards)
    assert not {*cards} & {*counters}
    assert len(counters) > 10
    assert len(cards) > 50 or game == "angry_miniatures"
    assert not any("phase" in labels[k] or "declared" in labels[k] for k in (*cards, *counters))


def test_a_fit_finds_the_chances_that_there_are() -> None:
    rng = np.random.default_rng(1)
    counts = rng.integers(0, 5, (40_000, 3)).astype(np.float32) / 4
    chance = 1 / (1 + np.exp(-(3 * counts[:, 0] - 2 * counts[:, 1])))
    expect = fit(counts, np.asarray(rng.random(40_000) < chance, np.float64))
    assert np.abs(expect(counts) - chance).max() < 0.03
    assert expect(counts[:1] * 0 + 1).shape == (1,)


def test_an_estimate_gains_on_counting_what_it_knows_more() -> None:
    """Cards that say half of what there is to know: the truth gains, the fit itself gains nothing."""
    game, labels = labels_of("duel")
    rng = np.random.default_rng(2)

    def played(n: int) -> Positions:
        seen = rng.integers(0, 3, (n, len(labels))).astype(np.float32) / 2
        logits = 4 * (seen[:, labels.index("fairy 0: hand /24")] - 0.5) + 4 * (seen[:, 0] - 0.5)
        scores = (rng.random(n) < 1 / (1 + np.exp(-logits))).astype(np.float64)
        return Positions(seen, scores, np.arange(n) // 4)

    learned, judged = played(20_000), played(20_000)
    pattern = COUNTABLE[game].cards
    assert pattern is not None
    cards = entries(labels, pattern)
    itself = fit(learned.observations[:, cards], learned.scores)(judged.observations[:, cards])
    known = 4 * (judged.observations[:, labels.index("fairy 0: hand /24")] - 0.5)
    truth = 1 / (1 + np.exp(-(known + 4 * (judged.observations[:, 0] - 0.5)).astype(np.float64)))
    for said, gains in ((itself, False), (truth, True)):
        found = beside_counting(game, labels, learned, judged, said)["cards"]
        assert (found["gain_low"] > 0) == gains
        worth = calibration(said, judged.scores, judged.games)
        assert worth is not None
        assert found["gain"] == pytest.approx(found["brier"] - worth.brier)


def test_measuring_leaves_the_policy_alone(tmp_path: Path) -> None:
    files = [MODELS / f"duel{ending}" for ending in (".json", ".safetensors")]
    before = [hashlib.sha256(file.read_bytes()).hexdigest() for file in files]
    app, out = typer.Typer(), tmp_path / "estimates.json"
    app.command()(main)
    arguments = ["duel", "--measure", "--rows", "1500", "--held-out", "1500", "--json", str(out)]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    assert [hashlib.sha256(file.read_bytes()).hexdigest() for file in files] == before
    found = json.loads(out.read_text())["policies"]["duel"]
    assert found["brier"] < found["counting"]["cards"]["brier"]
    assert found["decisions"] >= 1500


def test_what_makes_no_estimates_is_not_measured() -> None:
    with pytest.raises(fm_env.errors.SetupError, match="makes no estimates"):
        measure(load_policy("clash"), 10, 10)


@pytest.mark.parametrize("name", TAUGHT)
def test_published_estimates_beat_the_base_rate_and_counting_cards(name: str) -> None:
    found = json.loads(RESULTS.read_text("utf-8"))["policies"][name]
    assert found["decisions"] >= 10_000
    assert found["brier"] < found["brier_base"]
    assert found["error"] < 0.03
    assert set(found["counting"]) == ({"counts"} if name == "miniatures" else {"cards", "counts"})
    alone = found["counting"]["counts" if name == "miniatures" else "cards"]
    assert alone["gain_low"] > 0

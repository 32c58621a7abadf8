"""The payoff matrix of Sword and Shield, and what is claimed of it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from evaluation.knights import Entry, dominant, equilibrium, findings, payoffs
from evaluation.stats import Interval

RESULTS = Path(__file__).parents[2] / "evaluation" / "results" / "sword_and_shield_knights.json"


def test_equilibrium_of_rock_paper_scissors_mixes_evenly():
    rates = np.array([[0.5, 0.0, 1.0], [1.0, 0.5, 0.0], [0.0, 1.0, 0.5]])
    weights, exploitable = equilibrium(rates)
    assert weights == pytest.approx([1 / 3] * 3, abs=0.01) and exploitable < 0.01


def test_equilibrium_of_a_game_with_a_best_choice_is_that_choice():
    rates = np.array([[0.5, 0.6, 0.7], [0.4, 0.5, 0.9], [0.3, 0.1, 0.5]])
    weights, exploitable = equilibrium(rates)
    assert weights[0] > 0.99 and exploitable < 0.01


def test_equilibrium_of_uneven_scissors():
    """Winning with the first choice against the third is worth three times as much."""
    rates = np.array([[0.5, 0.4, 0.8], [0.6, 0.5, 0.4], [0.2, 0.6, 0.5]])
    weights, exploitable = equilibrium(rates)
    assert weights == pytest.approx([0.2, 0.6, 0.2], abs=0.01) and exploitable < 0.01


def test_who_is_dominant():
    def row(*rates):
        return [Interval(rate, rate - 0.02, rate + 0.02, 100) for rate in rates]

    table = [row(0.5, 0.6, 0.6), row(0.4, 0.5, 0.51), row(0.4, 0.49, 0.5)]
    assert dominant(table, range(3)) == [0]
    assert dominant(table, [1, 2]) == []


def test_a_small_matrix():
    entries = [Entry("bear", "random"), Entry("bear", "reader")]
    table = payoffs(entries, 60, seed=1)
    assert table[1][0].mean > 0.8 and table[0][1].mean == pytest.approx(1 - table[1][0].mean)
    found = findings(entries, table)
    assert found["dominant_entries"] == ["bear, reader"]
    assert found["equilibrium"] == {"bear, reader": 1.0}


def test_no_knight_and_no_style_dominates_in_the_shipped_matrix():
    report = json.loads(RESULTS.read_text(encoding="utf-8"))
    assert report["games"] >= 1000
    assert report["findings"]["dominant_entries"] == []
    assert not report["findings"]["dominant_knights"]["reader"]
    assert len(set(report["findings"]["best_knight_on_average"].values())) > 1
    assert len({entry.split(",")[0] for entry in report["findings"]["equilibrium"]}) > 1
    rates = report["win_rates"]
    ahead = [rates[f"{k}, hitter"][f"{k}, conserver"] for k in ("bear", "fox", "swan", "ox", "griffin")]
    assert any(low > 0.5 for _, low, _ in ahead) and any(high < 0.5 for _, _, high in ahead)

"""Intervals against hand-worked values, textbook tables and their promised coverage."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.stats import Interval, luck_saved, mean_interval, scores, t_quantile, verdict, wilson


@pytest.mark.parametrize(
    ("degrees", "table"),
    [(2, 4.303), (3, 3.182), (4, 2.776), (8, 2.306), (10, 2.228), (30, 2.042), (1000, 1.962)],
)
def test_t_quantile_agrees_with_the_printed_table(degrees, table):
    assert t_quantile(0.95, degrees) == pytest.approx(table, rel=0.008 if degrees < 4 else 0.001)


def test_wilson_agrees_with_published_values():
    """8 of 10: 0.490 to 0.943 (Newcombe 1998 gives 81/263: 0.2553 to 0.3662)."""
    assert wilson(8, 10) == pytest.approx((0.4902, 0.9433), abs=5e-5)
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)


def test_an_interval_worked_by_hand():
    """Pairs 1, 0.5, 0.5, 1 and the invented 0 and 1: mean 2/3, squares 5/6, t(5) = 2.571."""
    found = mean_interval(np.array([1.0, 0.5, 0.5, 1.0]), 0.0, 1.0)
    assert found.mean == 0.75
    half_width = 2.571 * math.sqrt(5 / 6 / 5 / 6)
    assert found.low == pytest.approx(2 / 3 - half_width, abs=1e-3)
    assert found.high == 1.0  # 2/3 + 0.4285 is beyond the bound
    assert found.blocks == 4


def test_many_observations_give_the_normal_interval():
    values = np.tile([0.0, 1.0, 1.0, 1.0], 25_000)
    found = mean_interval(values, 0.0, 1.0)
    half_width = 1.959964 * math.sqrt(0.75 * 0.25 / 100_000)
    assert found.low == pytest.approx(0.75 - half_width, abs=1e-5)
    assert found.high == pytest.approx(0.75 + half_width, abs=1e-5)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_a_few_wins_in_a_row_prove_nothing(n):
    assert verdict(mean_interval(np.ones(n), 0.0, 1.0)) == "undecided"


def test_enough_wins_in_a_row_prove_something():
    assert verdict(mean_interval(np.ones(12), 0.0, 1.0)) == "beats"
    assert verdict(mean_interval(np.zeros(12), 0.0, 1.0)) == "loses to"


@pytest.mark.parametrize(
    ("low", "high", "word"),
    [(0.5, 0.6, "undecided"), (0.5001, 0.6, "beats"), (0.4, 0.5, "undecided"), (0.4, 0.4999, "loses to")],
)
def test_the_verdict_needs_an_interval_clear_of_one_half(low, high, word):
    assert verdict(Interval((low + high) / 2, low, high, 100)) == word


@pytest.mark.parametrize("n", [1, 2, 5, 10, 30, 100, 400])
@pytest.mark.parametrize("rate", [0.5, 0.55, 0.7, 0.9, 0.98])
def test_coverage_is_kept_for_every_number_of_pairs(n, rate):
    """2,000 simulated results each: pairs of games, half of them decided by the cards alone.

    Binomial noise of the measured coverage has standard deviation 0.5 %; 93 % is four of them.
    """
    rng = np.random.default_rng([n, round(100 * rate)])
    repetitions = 2000
    games = (rng.random((repetitions, n, 2)) < rate).astype(float)
    cards_decide = rng.random((repetitions, n)) < 0.5
    pairs = np.where(cards_decide, 0.5, games.mean(axis=2))
    true = 0.5 * 0.5 + 0.5 * rate
    covered = 0
    for values in pairs:
        found = mean_interval(values, 0.0, 1.0)
        covered += found.low <= true <= found.high
    assert covered / repetitions >= 0.93


@pytest.mark.parametrize("n", [20, 200])
def test_coverage_of_points_of_a_skewed_game(n):
    """Points of -6 to 6, mostly 0 and -1, rarely 6."""
    rng = np.random.default_rng(n)
    outcomes, weights = np.array([-1.0, 0.0, 2.0, 6.0]), np.array([0.45, 0.35, 0.15, 0.05])
    true = float(outcomes @ weights)
    covered = 0
    for _ in range(2000):
        found = mean_interval(rng.choice(outcomes, size=n, p=weights), -6.0, 6.0)
        covered += found.low <= true <= found.high
    assert covered / 2000 >= 0.93


def test_false_verdicts_between_equals_are_rare():
    """At most 5 % of 2,000 comparisons of equals (plus four standard deviations) name a winner."""
    rng = np.random.default_rng(7)
    named = sum(
        verdict(mean_interval(rng.choice([0.0, 0.25, 0.5, 0.75, 1.0], size=50), 0.0, 1.0)) != "undecided"
        for _ in range(2000)
    )
    assert named / 2000 <= 0.07


@given(st.lists(st.floats(-2, 3, allow_nan=False), min_size=1, max_size=50))
def test_an_interval_holds_its_mean_and_stays_within_the_bounds(values):
    found = mean_interval(np.array(values), -2.0, 3.0)
    assert -2.0 <= found.low <= found.mean <= found.high <= 3.0


def test_an_interval_of_nothing_is_refused():
    with pytest.raises(ValueError, match="at least one"):
        mean_interval(np.array([]), 0.0, 1.0)


def test_scores_count_ties_half():
    assert scores(np.array([[1.0, -1.0], [0.0, 0.0]])).tolist() == [[1.0, 0.0], [0.5, 0.5]]
    three = scores(np.array([3.0, 1.0, 1.0]))
    assert three.tolist() == [1.0, 0.25, 0.25]
    assert scores(np.array([2.0, 7.0, 2.0, -1.0])).sum() == pytest.approx(2.0)


def test_luck_saved_for_known_dependence():
    rng = np.random.default_rng(1)
    luck, skill = rng.normal(size=(20_000, 1)), rng.normal(size=(20_000, 2))
    opposite = np.concatenate([luck, -luck], axis=1)
    assert luck_saved(skill) == pytest.approx(1.0, abs=0.05)  # nothing in common: nothing saved
    assert luck_saved(opposite + skill) == pytest.approx(2.0, abs=0.1)  # half the variance was luck
    assert luck_saved(luck + 0 * skill) == pytest.approx(0.5, abs=0.02)  # the same game twice: half lost
    assert luck_saved(opposite) is None  # nothing left but 0: no finite number
    assert luck_saved(skill[:1]) is None

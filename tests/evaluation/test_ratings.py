"""Ratings against cases that can be checked by hand."""

import itertools
import math

import numpy as np
import pytest
from scipy.optimize import minimize

from evaluation.ratings import ELO, Choices, count_choices, fit, places, win_chance


def elo(placements, num_agents, **options):
    return fit(count_choices(placements, num_agents), **options) * ELO


def test_three_wins_of_four_are_191_points():
    found = elo({((0, 1), (1.0, -1.0)): 3, ((0, 1), (-1.0, 1.0)): 1}, 2, prior=0)
    assert found[0] - found[1] == pytest.approx(400 * math.log10(3), abs=1e-6)  # 190.85
    assert found.sum() == pytest.approx(0, abs=1e-9)


def test_a_draw_is_half_a_win():
    drawn = elo({((0, 1), (1.0, -1.0)): 2, ((0, 1), (0.0, 0.0)): 2}, 2, prior=0)
    split = elo({((0, 1), (1.0, -1.0)): 3, ((1, 0), (1.0, -1.0)): 1}, 2, prior=0)
    assert drawn == pytest.approx(split, abs=1e-8)


def test_odds_multiply_along_a_chain():
    """A beats B 2 to 1 and B beats C 3 to 1; A and C never meet: 2, 1 and 1/3 as strengths."""
    games = {
        ((0, 1), (1.0, 0.0)): 2,
        ((0, 1), (0.0, 1.0)): 1,
        ((1, 2), (1.0, 0.0)): 3,
        ((1, 2), (0.0, 1.0)): 1,
    }
    found = elo(games, 3, prior=0)
    assert found[0] - found[1] == pytest.approx(400 * math.log10(2), abs=1e-6)
    assert found[1] - found[2] == pytest.approx(400 * math.log10(3), abs=1e-6)


def test_who_always_wins_gets_a_finite_rating_that_the_prior_explains():
    """Ten wins and no loss: at the optimum 10 / (1 + e^2r) + 1/2 = 1 / (1 + e^-r), which is r = ln(x)."""
    found = elo({((0, 1), (1.0, 0.0)): 10}, 2)
    r = found[0] / ELO
    assert 10 / (1 + math.exp(2 * r)) + 0.5 == pytest.approx(1 / (1 + math.exp(-r)), abs=1e-9)
    more = elo({((0, 1), (1.0, 0.0)): 1000}, 2)
    assert found[0] < more[0] < 2000


def test_the_prior_is_forgotten_with_many_games():
    found = elo({((0, 1), (1.0, 0.0)): 3_000_000, ((0, 1), (0.0, 1.0)): 1_000_000}, 2)
    assert found[0] - found[1] == pytest.approx(400 * math.log10(3), abs=1e-3)


def test_three_seats_agree_with_a_direct_maximum_of_plackett_and_luce():
    games = {
        ((0, 1, 2), (3.0, 2.0, 1.0)): 4,
        ((2, 0, 1), (2.0, 1.0, 3.0)): 2,  # 1, then 2, then 0
        ((1, 0, 2), (1.0, 2.0, 3.0)): 1,  # 2, then 0, then 1
    }
    orders = [((0, 1, 2), 4), ((1, 2, 0), 2), ((2, 0, 1), 1)]

    def minus_log_likelihood(free):
        r = np.array([*free, 0.0])
        return sum(
            -games * (r[order[k]] - np.log(np.exp(r[list(order[k:])]).sum()))
            for order, games in orders
            for k in range(3)
        )

    direct = np.append(minimize(minus_log_likelihood, [0.0, 0.0], tol=1e-12).x, 0.0)
    assert fit(count_choices(games, 3), prior=0) == pytest.approx(direct - direct.mean(), abs=1e-5)


def test_tied_places_count_once_in_each_order_of_the_tied():
    shared = elo({((0, 1, 2), (5.0, 5.0, 1.0)): 2, ((0, 1, 2), (1.0, 2.0, 3.0)): 1}, 3, prior=0)
    orders = elo(
        {
            ((0, 1, 2), (3.0, 2.0, 1.0)): 1,
            ((0, 1, 2), (2.0, 3.0, 1.0)): 1,
            ((0, 1, 2), (1.0, 2.0, 3.0)): 1,
        },
        3,
        prior=0,
    )
    assert shared == pytest.approx(orders, abs=1e-7)


def test_a_game_in_which_all_tie_makes_all_alike():
    assert elo({((0, 1, 2, 3), (0.0,) * 4): 5}, 4) == pytest.approx(np.zeros(4), abs=1e-9)


def test_copies_of_one_agent_are_not_compared():
    assert places((0, 0), (1.0, 0.0)) == []
    found = places((0, 0, 1), (3.0, 2.0, 1.0))
    assert found == [(0, (0, 0, 1), 1.0), (0, (0, 1), 1.0)]


def test_places_of_a_tie_weigh_as_much_as_places_of_an_order():
    for returns in itertools.product((0.0, 1.0, 2.0), repeat=4):
        weights = [weight for _, _, weight in places((0, 1, 2, 3), returns)]
        assert sum(weights) == pytest.approx(3.0)


def test_shuffled_games_change_no_rating():
    rng = np.random.default_rng(3)
    games = [
        (tuple(rng.permutation(6)[:3].tolist()), tuple(rng.integers(0, 3, 3).astype(float).tolist()))
        for _ in range(400)
    ]

    def rated(order):
        counts = {}
        for k in order:
            counts[games[k]] = counts.get(games[k], 0) + 1
        return elo(counts, 6)

    first = rated(range(400))
    for _ in range(5):
        assert np.abs(rated(rng.permutation(400)) - first).max() < 1e-6


def test_samples_are_fitted_side_by_side_as_one_by_one():
    rng = np.random.default_rng(5)
    tables = list(itertools.combinations(range(4), 2))
    wins = rng.integers(0, 50, (20, len(tables), 2)).astype(float)
    won = np.zeros((20, 4))
    for k, pair in enumerate(tables):
        won[:, pair] += wins[:, k]
    together = fit(Choices(tables, won, wins.sum(axis=2)))
    for k in range(20):
        assert fit(Choices(tables, won[k], wins[k].sum(axis=1))) == pytest.approx(together[k], abs=1e-8)


def test_twenty_agents_of_which_each_always_beats_the_next_are_in_order():
    tables = list(itertools.combinations(range(20), 2))
    won = np.array([1000.0 * (19 - k) for k in range(20)])
    found = fit(Choices(tables, won, np.full(len(tables), 1000.0)))
    assert np.isfinite(found).all()
    assert (np.diff(found) < -1).all()
    assert found == pytest.approx(-found[::-1], abs=1e-6)


def test_known_agents_stay_and_the_new_one_is_found_between_them():
    tables = [(0, 1), (0, 2)]
    choices = Choices(tables, np.array([60.0, 25.0, 15.0]), np.array([50.0, 50.0]))
    found = fit(choices, fixed={1: 1.0, 2: -1.0}, prior=0)
    assert found[1:].tolist() == [1.0, -1.0]
    expected = 50 / (1 + math.exp(1.0 - found[0])) + 50 / (1 + math.exp(-1.0 - found[0]))
    assert expected == pytest.approx(60.0, abs=1e-7)


def test_four_hundred_points_are_ten_to_one():
    assert win_chance(400, 0) == pytest.approx(10 / 11)

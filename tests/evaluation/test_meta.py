"""Alpha-rank and the Nash average where the answer is known, and against OpenSpiel."""

import numpy as np
import pytest

from evaluation.meta import alpha_rank, nash_average

ROCK_PAPER_SCISSORS = np.array([[0.5, 0.0, 1.0], [1.0, 0.5, 0.0], [0.0, 1.0, 0.5]])


def random_payoffs(n, seed, size=0.4):
    edge = np.random.default_rng(seed).uniform(-size, size, (n, n))
    return 0.5 + (edge - edge.T) / 2


def test_a_cycle_shares_evenly():
    assert alpha_rank(ROCK_PAPER_SCISSORS) == pytest.approx([1 / 3] * 3)
    assert nash_average(ROCK_PAPER_SCISSORS) == pytest.approx([1 / 3] * 3)


def test_who_beats_all_has_everything():
    payoffs = np.array([[0.5, 0.8, 0.7], [0.2, 0.5, 0.6], [0.3, 0.4, 0.5]])
    assert nash_average(payoffs) == pytest.approx([1, 0, 0])
    assert alpha_rank(payoffs) == pytest.approx([1, 0, 0], abs=1e-6)


def test_copies_share_what_one_would_have():
    rows = [0, 0, 1, 2]
    assert nash_average(ROCK_PAPER_SCISSORS[np.ix_(rows, rows)]) == pytest.approx(
        [1 / 6, 1 / 6, 1 / 3, 1 / 3], abs=1e-5
    )


def test_an_uneven_cycle_has_its_known_mixture():
    """Each is played as often as the other two beat each other by (.3, .2, .1 over .6)."""
    payoffs = np.array([[0.5, 0.6, 0.3], [0.4, 0.5, 0.8], [0.7, 0.2, 0.5]])
    assert nash_average(payoffs) == pytest.approx([0.5, 1 / 3, 1 / 6], abs=1e-5)


def test_equals_share_evenly():
    payoffs = np.full((7, 7), 0.5)
    assert nash_average(payoffs) == pytest.approx([1 / 7] * 7)
    assert alpha_rank(payoffs) == pytest.approx([1 / 7] * 7)


@pytest.mark.parametrize("seed", range(8))
def test_nothing_beats_the_nash_average(seed):
    payoffs = random_payoffs(2 + seed, seed)
    mixture = nash_average(payoffs)
    assert mixture.sum() == pytest.approx(1)
    assert (payoffs @ mixture).max() < 0.5 + 1e-5


@pytest.mark.parametrize("n", [2, 3, 6])
def test_alpha_rank_is_that_of_open_spiel(n):
    oracle = pytest.importorskip("open_spiel.python.egt.alpharank")
    payoffs = random_payoffs(n, n, size=0.1)
    expected = oracle.compute([payoffs], m=50, alpha=10.0)[2]
    assert alpha_rank(payoffs, intensity=10.0, population=50) == pytest.approx(expected, abs=1e-9)


def test_alpha_rank_takes_chances_too_small_for_floats():
    payoffs = np.array([[0.5, 1.0, 1.0], [0.0, 0.5, 1.0], [0.0, 0.0, 0.5]])
    assert alpha_rank(payoffs, intensity=100.0) == pytest.approx([1, 0, 0])

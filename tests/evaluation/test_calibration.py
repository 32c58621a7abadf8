"""Calibration on data whose answer is known."""

import numpy as np
import pytest

import agents
from agents.api import Agent
from agents.estimates import win_estimate
from evaluation.calibration import CalibrationWatcher, calibration, log_loss
from evaluation.watch import Programme, watch
from fm_env.errors import SetupError


def drawn(n=40_000, seed=1):
    """True chances, and what came of them; four decisions in each block."""
    rng = np.random.default_rng(seed)
    chances = rng.random(n)
    return chances, (rng.random(n) < chances).astype(float), np.arange(n) // 4


def test_true_chances_are_calibrated():
    chances, outcomes, blocks = drawn()
    found = calibration(chances, outcomes, blocks)
    assert found.error < 0.02
    assert found.brier == pytest.approx(1 / 6, abs=0.005)  # mean of p (1 - p)
    assert found.brier_base == pytest.approx(1 / 4, abs=0.002)
    assert found.skill == pytest.approx(1 / 3, abs=0.02)
    assert found.log_loss == pytest.approx(0.5, abs=0.01)  # mean entropy of p, in nats
    assert found.log_loss_base == pytest.approx(np.log(2), abs=0.002)
    assert [b.n for b in found.bins] == pytest.approx([4000] * 10, rel=0.1)
    assert sum(b.score.low <= b.estimate <= b.score.high for b in found.bins) >= 9
    assert (found.decisions, found.blocks) == (40_000, 10_000)


def test_overconfidence_shows_in_the_bins_and_in_the_loss():
    chances, outcomes, blocks = drawn()
    bold = np.where(chances > 0.5, 0.95, 0.05)
    found = calibration(bold, outcomes, blocks)
    assert [(b.low, b.high) for b in found.bins] == [(0.0, 0.1), (0.9, 1.0)]
    assert [b.score.mean for b in found.bins] == pytest.approx([0.25, 0.75], abs=0.01)
    assert found.error == pytest.approx(0.2, abs=0.01)
    assert all(not b.score.low <= b.estimate <= b.score.high for b in found.bins)
    assert found.log_loss > calibration(chances, outcomes, blocks).log_loss


def test_knowing_only_the_average_is_no_skill():
    _, outcomes, blocks = drawn()
    found = calibration(np.full(len(outcomes), outcomes.mean()), outcomes, blocks)
    assert found.skill == pytest.approx(0, abs=1e-12)
    assert found.log_loss == pytest.approx(found.log_loss_base)


def test_certainty_that_is_wrong_costs_much_but_not_everything():
    found = calibration(np.array([1.0, 0.0]), np.array([0.0, 0.0]), np.array([0, 1]))
    assert 5 < found.log_loss < 10
    assert found.brier == 0.5
    assert calibration(np.zeros(0), np.zeros(0), np.zeros(0, int)) is None


class Seer(Agent):
    """Bets and says that it will win if it holds the king."""

    def act_batch(self, observations, masks, rng):
        return np.ones(len(masks), np.int64)

    def win_estimate(self, observations, masks):
        return observations[:, 2].astype(float)


class Wild(Seer):
    def win_estimate(self, observations, masks):
        return observations[:, 2] + 1


class Mute(Seer):
    def win_estimate(self, observations, masks):
        return None


class OneByOne(Agent):
    """Remembers its game, and thinks that it will win half of them."""

    def act(self, observation, action_mask):
        return 1

    def win_estimate(self, observations, masks):
        return np.full(len(masks), 0.5)


def test_agents_are_asked_in_their_games(game, scenario):
    players = [Seer(), agents.make("eager", game, scenario), OneByOne(), Mute()]
    watcher = CalibrationWatcher(4)
    for k, line_ups in enumerate(([[0, 1], [1, 0]], [[2, 3], [3, 2]])):
        watch(game, scenario, players, [Programme(line_ups, 300, k, 300 * k)], [watcher])
    seer, eager, half, mute = (watcher.calibration(k) for k in range(4))
    assert eager is None
    assert mute is None
    # Everything is called, so the king always wins, the jack never, and the queen half the time.
    assert (seer.decisions, seer.blocks) == (600, 300)
    assert seer.bins[-1].score.mean == 1.0
    assert seer.bins[0].score.mean == pytest.approx(0.25, abs=0.06)
    assert seer.brier == pytest.approx(1 / 6, abs=0.04)
    assert half.brier == 0.25


def test_an_estimate_must_be_a_chance(game, scenario):
    wild = Wild()
    with pytest.raises(SetupError, match="numbers from 0 to 1"):
        watch(game, scenario, [wild], [Programme([[0, 0]], 50, 1)], [CalibrationWatcher(1)])
    points = agents.make("policy:clash", "fairy_meat")  # knows nothing of who finishes ahead
    assert win_estimate(points, np.zeros((1, 301)), np.ones((1, 183))) is None


def test_log_loss_of_a_coin_is_a_bit():
    truth = np.array([1.0, 0.0] * 50)
    assert log_loss(np.full(100, 0.5), truth) == pytest.approx(np.log(2))

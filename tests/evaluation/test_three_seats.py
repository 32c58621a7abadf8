"""The arena with more than two seats: one agent against a table of opponents, on each seat in turn."""

import numpy as np
import pytest

import agents
from agents.api import Agent
from evaluation import play_pair, role_points
from tests.evaluation.highest_card import DROP, GAME, KEEP


class Constant(Agent):
    def __init__(self, action):
        self.action = action
        self.name = f"constant {action}"

    def act_batch(self, observations, masks, rng):
        return np.full(len(masks), self.action, np.int64)


class Careful(Agent):
    """Keeps the upper half of the cards."""

    name = "careful"

    def act_batch(self, observations, masks, rng):
        return np.where(observations[:, 0] * 6 > 2.5, KEEP, DROP)


SCENARIO = GAME.scenario("highest_card")


def test_whoever_keeps_beats_two_who_drop():
    found = play_pair(GAME, SCENARIO, Constant(KEEP), Constant(DROP), 300, seed=1)
    assert (found.games, found.wins, found.draws, found.losses) == (300, 300, 0, 0)
    assert (found.score.mean, found.points.mean, found.verdict) == (1.0, 2.0, "beats")
    assert [(s.seat, s.games, s.score.mean) for s in found.seats] == [
        (0, 100, 1.0),
        (1, 100, 1.0),
        (2, 100, 1.0),
    ]


def test_whoever_drops_shares_the_last_place():
    found = play_pair(GAME, SCENARIO, Constant(DROP), Constant(KEEP), 300, seed=1)
    assert (found.wins, found.draws, found.losses) == (0, 0, 300)
    assert found.score.mean == 0.25  # level with one of two others
    assert found.points.mean == -1.0


def test_nobody_keeping_is_a_draw():
    found = play_pair(GAME, SCENARIO, Constant(DROP), Constant(DROP), 30, seed=1)
    assert (found.wins, found.draws, found.losses, found.score.mean) == (0, 30, 0, 0.5)


def test_equals_share_the_points_and_the_cards_move_with_the_seat():
    """All keep: under one deal exactly one of the three seats wins, so every block is the same."""
    found = play_pair(GAME, SCENARIO, Constant(KEEP), Constant(KEEP), 300, seed=1)
    assert (found.wins, found.draws, found.losses) == (100, 0, 200)
    assert found.verdict == "undecided"
    assert found.points.mean == 0.0
    assert found.luck_saved is None  # nothing is left to luck


def test_games_are_rounded_up_to_whole_blocks():
    assert play_pair(GAME, SCENARIO, Careful(), Constant(KEEP), 100, seed=1).games == 102


def test_role_gains_of_three_seats():
    """Alone in keeping earns 2; in the mirror match all drop and nobody earns anything."""
    gains = role_points(GAME, SCENARIO, Constant(KEEP), Constant(DROP), 100, seed=1)
    assert [(g.role, g.points.mean, g.mirror.mean, g.gain.mean) for g in gains] == [
        (0, 2.0, 0.0, 2.0), (1, 2.0, 0.0, 2.0), (2, 2.0, 0.0, 2.0),
    ]  # fmt: skip


def test_the_built_in_random_bot_plays_here_too():
    found = play_pair(GAME, SCENARIO, agents.make("random", GAME), Constant(KEEP), 3000, seed=1)
    # P(wins) = P(keeps) * P(highest of three) = 1/6, else both others keep: 2 * 1/6 - 5/6 = -1/2
    assert found.points.mean == pytest.approx(-0.5, abs=3 * (found.points.high - found.points.mean))
    assert found.verdict == "loses to"

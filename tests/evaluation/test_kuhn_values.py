"""Measured results agree with exact values, and so does every part of them."""

from fractions import Fraction

import numpy as np
import pytest

import agents
from agents.api import Agent
from evaluation import play_pair, role_points
from evaluation.arena import play
from tests.evaluation.exact_kuhn import at_random, eager, mixed, outcomes, passive, value, win_rate

BOTS = {
    "random": at_random,
    "passive": passive,
    "eager": eager,
    "mixed:bluff=0.3333333333333333,call=0.3333333333333333": mixed(Fraction(1, 3), Fraction(1, 3)),
    "mixed:bluff=1": mixed(Fraction(1), Fraction(0)),
}
GAMES = 20_000


def test_the_oracle_knows_kuhns_value():
    """-1/18 for the first seat: bluff 1/3 and call 2/3 against the second seat's 1/3 and 1/3.

    (The first seat's family: bets the king three times as often as the jack; with a certain bet
    of the king the bluff is 1/3 and the queen calls with 1/3 + 1/3.)
    """
    assert value(mixed(Fraction(1, 3), Fraction(2, 3)), mixed(Fraction(1, 3), Fraction(1, 3))) == Fraction(
        -1, 18
    )
    assert sum(outcomes(at_random, eager).values()) == 1


@pytest.mark.parametrize("mine", BOTS)
@pytest.mark.parametrize("other", BOTS)
def test_match_ups_agree_with_exact_values(game, scenario, mine, other):
    a, b = agents.make(mine, game, scenario), agents.make(other, game, scenario)
    found = play_pair(game, scenario, a, b, GAMES, seed=11)
    exact = [value(BOTS[mine], BOTS[other]), -value(BOTS[other], BOTS[mine])]
    rates = [win_rate(BOTS[mine], BOTS[other]), 1 - win_rate(BOTS[other], BOTS[mine])]
    # 25 match-ups of 6 checks: four half-widths (about 8 standard deviations) never fail by chance
    for interval, true in [
        (found.points, sum(exact) / 2),
        (found.score, sum(rates) / 2),
        *((seat.points, exact[seat.seat]) for seat in found.seats),
        *((seat.score, rates[seat.seat]) for seat in found.seats),
    ]:
        width = max(interval.high - interval.mean, interval.mean - interval.low, 1e-3)
        assert abs(interval.mean - true) < 2 * width
    assert found.games == GAMES
    assert found.wins + found.draws + found.losses == GAMES
    assert found.score.mean == pytest.approx((found.wins + found.draws / 2) / GAMES)
    assert all(seat.games == GAMES // 2 for seat in found.seats)


def test_a_certain_result_is_exact(game, scenario):
    """Eager against passive: everyone else folds, so every game is won for 1 point."""
    eager_bot, passive_bot = agents.make("eager", game), agents.make("passive", game)
    found = play_pair(game, scenario, eager_bot, passive_bot, 1000, seed=3)
    assert (found.wins, found.draws, found.losses, found.points.mean) == (1000, 0, 0, 1.0)
    assert found.verdict == "beats"
    reverse = play_pair(game, scenario, passive_bot, eager_bot, 1000, seed=3)
    assert (reverse.wins, reverse.verdict) == (0, "loses to")


@pytest.mark.parametrize("spec", ["random", "passive", "eager", "mixed:bluff=0.5,call=0.5"])
def test_identical_agents_are_undecided(game, scenario, spec):
    a, b = agents.make(spec, game), agents.make(spec, game)
    found = play_pair(game, scenario, a, b, 2000, seed=5)
    assert found.verdict == "undecided"
    assert found.score.low <= 0.5 <= found.score.high


def test_equals_with_different_luck_are_rarely_told_apart(game, scenario):
    """A random player of another kind, so that nothing cancels: at most 9 of 80 verdicts at 5 %."""

    class AnotherRandom(Agent):
        def act_batch(self, observations, masks, rng):
            return (rng.random(len(masks)) < 0.5).astype(np.int64)

    a, b = AnotherRandom(), agents.make("random", game)
    verdicts = [play_pair(game, scenario, a, b, 400, seed).verdict for seed in range(80)]
    assert sum(word != "undecided" for word in verdicts) <= 9


def test_role_gains_agree_with_exact_values(game, scenario):
    """Eager's points over passive's own in each role are known: 1 - value(passive, passive) = 1."""
    gains = role_points(
        game, scenario, agents.make("eager", game), agents.make("passive", game), 4000, seed=2
    )
    assert [g.role for g in gains] == [0, 1]
    assert all(g.points.mean == 1.0 and g.is_clear for g in gains)
    assert all(abs(g.mirror.mean) < 0.05 for g in gains)
    own, bot = mixed(Fraction(1), Fraction(0)), at_random
    gains = role_points(
        game, scenario, agents.make("mixed:bluff=1", game), agents.make("random", game), 20_000, seed=2
    )
    exact = [value(own, bot) - value(bot, bot), -value(bot, own) + value(bot, bot)]
    for g, true in zip(gains, exact, strict=True):
        assert abs(g.gain.mean - float(true)) < 2 * (g.gain.high - g.gain.mean)
        assert g.gain.mean == pytest.approx(g.points.mean - g.mirror.mean)
        assert g.gain.blocks == 20_000


def test_a_bot_gains_nothing_over_itself(game, scenario):
    gains = role_points(
        game, scenario, agents.make("random", game), agents.make("random", game), 2000, seed=2
    )
    assert not any(g.is_clear for g in gains)
    assert all(g.gain.low <= 0 <= g.gain.high for g in gains)


def test_shared_luck_narrows_the_interval(game, scenario):
    """With fixed play, swapping seats under one deal gives each agent both hands."""
    found = play_pair(game, scenario, agents.make("eager", game), agents.make("mixed", game), 4000, seed=9)
    assert found.luck_saved is not None
    assert found.luck_saved > 1.5


def test_both_line_ups_of_a_block_get_the_same_cards(game, scenario):
    """Passive players show down every hand: what one seat wins depends on the cards alone."""
    a, b = agents.make("passive", game), agents.make("passive", game)
    returns = play(game, scenario, [[a, b], [b, a]], 500, seed=1)
    assert returns.shape == (500, 2, 2)
    assert np.array_equal(returns[:, 0], returns[:, 1])
    assert 0.4 < (returns[:, 0, 0] > 0).mean() < 0.6

"""A batch plays exactly the games that single matches play, each alone."""

from __future__ import annotations

import numpy as np
import pytest

from fm_env.batch import Batch
from fm_env.batch_loop import NOT_ASKED, nth_true
from fm_env.compiled import rule
from fm_env.contract import TERMINAL
from fm_env.errors import IllegalActionError, SetupError
from fm_env.match import Match
from tests import kuhn

GAME, SCENARIO = kuhn.GAME, kuhn.GAME.scenario("kuhn")


def _batch(n: int = 64, seed: int = 1, **options) -> Batch:
    batch = Batch(GAME, SCENARIO, n, seed=seed, **options)
    batch.reset()
    batch.advance()
    return batch


@rule
def _always_last(bot_id, obs, mask, params, rng):
    """A dispatcher: bot 1 takes the last legal action, bot 2 the one its first parameter names."""
    if bot_id == 2:
        return int(params[0])
    return nth_true(mask, mask.sum() - 1)


def test_matches_with_the_same_seeds_are_the_same_games() -> None:
    batch = _batch(16)
    matches = [Match(GAME, SCENARIO, seed=int(seed)) for seed in batch.seeds]
    rng = np.random.default_rng(1)
    while batch.asked.any():
        actions = rng.integers(0, 2, 16)
        for i, match in enumerate(matches):
            assert (match.pending[0] if not match.is_over else TERMINAL) == batch.seat[i]
            if not match.is_over:
                assert np.array_equal(match.observation(batch.seat[i]), batch.obs[i])
                assert np.array_equal(match.mask(batch.seat[i]), batch.mask[i])
                match.play(int(batch.seat[i]), int(actions[i]))
        batch.step(actions)
    for i, match in enumerate(matches):
        assert match.returns() == tuple(batch.returns[i])
        assert match.state.tobytes() == batch.states[i].tobytes()


def test_a_game_doesn_t_depend_on_its_neighbours() -> None:
    whole = _batch(8)
    alone = Batch(GAME, SCENARIO, 1, seed=99)
    for i in (0, 3, 7):
        alone.reset(seeds=whole.seeds[i : i + 1])
        alone.advance()
        assert alone.states[0].tobytes() == whole.states[i].tobytes()
        assert np.array_equal(alone.obs[0], whole.obs[i])


def test_equal_seeds_give_equal_batches_and_fresh_games_each_reset() -> None:
    one, two = _batch(seed=7), _batch(seed=7)
    assert one.states.tobytes() == two.states.tobytes()
    first = one.seeds.copy()
    one.reset()
    assert not np.isin(one.seeds, first).any()
    assert len(set(_batch(2000).seeds.tolist())) == 2000


def test_only_the_named_games_are_reset_and_advanced() -> None:
    batch = _batch(4)
    batch.step(np.ones(4, int))
    before = batch.states.copy()
    batch.reset(np.array([2]), seeds=np.array([5]))
    assert batch.seat.tolist()[2] == NOT_ASKED
    batch.advance(np.array([2]))
    assert batch.seeds[2] == 5
    for i in (0, 1, 3):
        assert batch.states[i].tobytes() == before[i].tobytes()
    assert batch.seat[2] == 0


def test_bots_play_inside_and_only_outside_seats_are_asked() -> None:
    batch = Batch(GAME, SCENARIO, 200, seed=1, bots=_always_last)
    batch.controllers[:, 1] = 1
    batch.reset()
    batch.advance()
    assert (batch.seat == 0).all()
    batch.step(np.zeros(200, int))  # pass; the bot bets; seat 0 is asked again
    assert (batch.seat == 0).all()
    batch.step(np.zeros(200, int))
    assert batch.over.all()
    assert (batch.returns == [-1, 1]).all()
    assert not batch.mask.any()
    assert batch.counters == {"decisions": 600, "forced": 0, "chance_events": 400, "games": 200}


def test_parameters_reach_the_bots_of_their_seat_and_game() -> None:
    batch = Batch(GAME, SCENARIO, 10, seed=1, bots=_always_last)
    batch.controllers[:] = 2
    batch.bot_params[5:, 0, 0] = 1
    batch.reset()
    batch.advance()
    assert batch.over.all()
    assert (batch.states["bets"][:5, :2] == [0, 0]).all()
    assert (batch.states["bets"][5:, :2] == [1, 0]).all()


def test_random_bots_play_uniformly_and_independently_per_seat() -> None:
    batch = Batch(GAME, SCENARIO, 4000, seed=1)
    batch.controllers[:] = 0
    batch.reset()
    batch.advance()
    first, second = batch.states["bets"][:, 0], batch.states["bets"][:, 1]
    for mean in (first.mean(), second[first == 0].mean(), second[first == 1].mean()):
        assert abs(mean - 0.5) < 0.05
    # The luck of the bot in seat 0 doesn't depend on who sits in seat 1.
    batch.controllers[:, 1] = -1
    seeds = batch.seeds.copy()
    batch.reset(seeds=seeds)
    batch.advance()
    assert np.array_equal(batch.states["bets"][:, 0], first)


def test_an_illegal_action_is_refused_before_anything_changes() -> None:
    batch = _batch(3)
    before = batch.states.tobytes()
    for bad in (np.array([0, 2, 0]), np.array([0, 0, -1])):
        with pytest.raises(IllegalActionError, match="legal: \\[0, 1\\]"):
            batch.step(bad)
    with pytest.raises(IllegalActionError, match="shape"):
        batch.step(np.zeros(2, int))
    assert batch.states.tobytes() == before


def test_steps_ignore_games_that_are_over() -> None:
    batch = _batch(2)
    batch.step(np.array([0, 1]))
    batch.step(np.array([0, 1]))
    assert batch.over.all()
    ends = batch.returns.copy(), batch.states.tobytes()
    batch.step(np.array([7, -5]))
    batch.advance()
    assert np.array_equal(batch.returns, ends[0])
    assert batch.states.tobytes() == ends[1]
    assert batch.counters["games"] == 2


def test_going_on_from_a_position_that_was_written() -> None:
    source = _batch(1)
    target = _batch(3)
    target.states[1] = source.states[0]
    target.seat[1] = NOT_ASKED
    target.advance(np.array([1]))
    assert np.array_equal(target.obs[1], source.obs[0])


def test_keyed_games_share_their_luck() -> None:
    batch = Batch(GAME, SCENARIO, 300, seed=1, keyed=True)
    batch.reset(seeds=np.repeat(np.arange(150), 2))
    batch.advance()
    cards = batch.states["cards"]
    assert np.array_equal(cards[::2], cards[1::2])
    counts = np.bincount(3 * cards[::2, 0] + cards[::2, 1], minlength=9)
    assert (np.flatnonzero(counts) == [1, 2, 3, 5, 6, 7]).all()


def test_bad_sizes_and_seeds_are_named() -> None:
    with pytest.raises(SetupError, match="num_games"):
        Batch(GAME, SCENARIO, 0, seed=1)
    batch = _batch(2)
    with pytest.raises(SetupError, match="seeds"):
        batch.reset(seeds=np.array([1]))
    with pytest.raises(SetupError, match="seeds"):
        batch.reset(seeds=np.array([1, -1]))


def test_random_rollouts_count_real_decisions() -> None:
    batch = Batch(GAME, SCENARIO, 32, seed=1)
    n = batch.random_rollouts(1000)
    assert 1000 <= n < 1100
    assert batch.counters["decisions"] == n
    assert batch.counters["games"] > 300

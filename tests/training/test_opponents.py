"""Whom the learner meets."""

from collections import Counter

import numpy as np
import pytest

from fm_env import registry
from training.opponents import NEVER_FORGOTTEN, Pool, Tally

GAME = registry.find("fairy_meat")
SCENARIO = GAME.scenario("duel")


def shares(pool: Pool) -> dict[str, float]:
    drawn = pool.draw((200, 100), np.random.default_rng(0))
    counts = Counter(pool.members[k].group for k in drawn.ravel().tolist())
    return {group: n / drawn.size for group, n in counts.items()}


def test_groups_are_met_by_their_weights() -> None:
    met = shares(Pool.of({"median": 3.0, "counter": 1.0, "plain": 0.0}, GAME, SCENARIO))
    assert met["median"] == pytest.approx(0.75, abs=0.01)
    assert set(met) == {"median", "counter"}


def test_groups_that_win_are_met_more_often() -> None:
    pool = Pool.of({"median": 1.0, "counter": 1.0, "bluffer": 1.0}, GAME, SCENARIO)
    lost = {"median": Tally(games=10**6, wins=750_000), "counter": Tally(games=10**6, wins=500_000)}
    pool.prioritise(lost, 2.0)
    met = shares(pool)
    assert met["counter"] / met["median"] == pytest.approx(4.0, rel=0.1)  # (1/2)^2 to (1/4)^2
    assert met["bluffer"] == pytest.approx(met["counter"], rel=0.1)  # never met yet: as the hardest


def test_who_always_loses_is_not_forgotten_and_old_results_fade() -> None:
    pool = Pool.of({"median": 1.0, "counter": 1.0}, GAME, SCENARIO)
    for _ in range(20):
        pool.prioritise({"median": Tally(games=1000, wins=1000), "counter": Tally(games=1000)}, 1.0)
    assert shares(pool)["median"] == pytest.approx(NEVER_FORGOTTEN, rel=0.5)
    for _ in range(20):
        pool.prioritise({"median": Tally(games=1000), "counter": Tally(games=1000, draws=1000)}, 1.0)
    assert pool.standing["counter"] == pytest.approx(0.5, abs=0.01)
    assert shares(pool)["median"] == pytest.approx(2 / 3, abs=0.02)


def test_power_zero_changes_nothing() -> None:
    pool = Pool.of({"median": 1.0, "counter": 1.0}, GAME, SCENARIO)
    pool.prioritise({"median": Tally(games=1000, wins=1000)}, 0.0)
    assert shares(pool)["median"] == pytest.approx(0.5, abs=0.01)

"""Whole games are the same for the same seed and actions: again, in every view, in every process."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from fm_env import views
from fm_env.views.gym_env import SeatGame
from tests.views.cases import CASES, Case
from tests.views.play import Scripted, aec_steps, aec_total, digest, parallel_steps, parallel_total, scripted

SEEDS = range(12)


def whole_games(case: Case, seeds: range = range(4)) -> str:
    """Digest of everything the AEC and parallel views show in whole games, terminal steps included."""
    game, options = case
    env, parallel = views.makers(game).env(**options), views.makers(game).parallel_env(**options)
    traces = []
    for seed in seeds:
        env.reset(seed=seed)
        observations, _ = parallel.reset(seed=seed)
        traces += [aec_steps(env, seed), parallel_steps(parallel, seed, observations, {})]
    return digest(traces)


def test_whole_games_repeat(case: Case) -> None:
    assert whole_games(case) == whole_games(case)
    assert whole_games(case, range(4)) != whole_games(case, range(10, 14))


def test_whole_games_are_the_same_in_other_processes() -> None:
    """Two processes with different hash seeds, so that no order of a set or dict can matter."""
    code = "from tests.views.test_determinism import *; print(*[whole_games(c) for c in CASES])"
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": str(hash_seed)},
            stdout=subprocess.PIPE,
            text=True,
        )
        for hash_seed in (1, 2)
    ]
    answers = [process.communicate(timeout=300)[0].split() for process in processes]
    assert answers[0] == answers[1] == [whole_games(case) for case in CASES]


def gym_total(case: Case, seed: int, seat: int) -> float:
    """The learner's reward in the Gymnasium view."""
    game, options = case
    env = SeatGame(game, opponent=Scripted(seed), seat=seat, **options)
    _, info = env.reset(seed=seed)
    total, k, over = 0.0, 0, False
    while not over:
        _, reward, over, _, info = env.step(scripted(seed, seat, k, info["action_mask"]))
        total, k = total + reward, k + 1
    return total


def vector_total(case: Case, seed: int, seat: int, mode: str) -> float:
    """The learner's reward in the vector view."""
    game, options = case
    envs = views.makers(game).vec_env(
        1, opponents=Scripted(seed), seat=seat, skip_forced=False, autoreset_mode=mode, **options
    )
    _, infos = envs.reset(seed=seed)
    total, k, over = 0.0, 0, [False]
    while not over[0]:
        action = scripted(seed, seat, k, infos["action_mask"][0])
        _, rewards, over, _, infos = envs.step(np.array([action]))
        total, k = total + float(rewards[0]), k + 1
    return total


def test_rewards_are_the_same_in_every_view(case: Case) -> None:
    """Each agent gets the same sum wherever the same actions are played under the same seed."""
    game, options = case
    env, parallel = views.makers(game).env(**options), views.makers(game).parallel_env(**options)
    totals = []
    for seed in SEEDS:
        total = aec_total(env, seed)
        assert parallel_total(parallel, seed) == total
        for seat, agent in enumerate(total):
            assert gym_total(case, seed, seat) == pytest.approx(total[agent])
            assert vector_total(case, seed, seat, ("SameStep", "NextStep")[seed % 2]) == pytest.approx(
                total[agent]
            )
        totals += total.values()
    assert min(totals) < 0 < max(totals)

"""Whole games are the same for the same seed and actions: again, in every view, in every process."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from fm_env import views
from fm_env.views.gym_env import SeatGame
from tests.views.cases import CASES, Case
from tests.views.play import Scripted, aec_steps, aec_total, digest, parallel_steps, parallel_total, scripted

SEEDS = range(10)


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


def gym_total(env: SeatGame, seed: int, seat: int) -> float:
    """The learner's reward in a game of the Gymnasium view."""
    env.opponents[0].seed = seed
    _, info = env.reset(seed=seed, options={"seat": seat})
    total, k, over = 0.0, 0, False
    while not over:
        _, reward, over, _, info = env.step(scripted(seed, seat, k, info["action_mask"]))
        total, k = total + float(reward), k + 1
    return total


def vector_total(envs: Any, seed: int, seat: int) -> float:
    """The learner's reward in a game of the vector view."""
    envs.runner.opponents[0].seed = seed
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
    make = views.makers(game)
    env, parallel = make.env(**options), make.parallel_env(**options)
    seat_env = SeatGame(game, opponent=Scripted(0), **options)
    vectors = [
        make.vec_env(1, opponents=Scripted(0), seat=seat, skip_forced=False, autoreset_mode=mode, **options)
        for seat, mode in zip(
            range(len(env.possible_agents)), ("SameStep", "NextStep", "SameStep"), strict=False
        )
    ]
    totals = []
    for seed in SEEDS:
        total = aec_total(env, seed)
        assert parallel_total(parallel, seed) == total
        for seat, (agent, envs) in enumerate(zip(total, vectors, strict=False)):
            assert gym_total(seat_env, seed, seat) == pytest.approx(total[agent])
            assert vector_total(envs, seed, seat) == pytest.approx(total[agent])
        totals += total.values()
    assert min(totals) < 0 < max(totals)

"""The VecEnv: masks, losses, balanced seats, opponents that stay, and exact continuation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from scipy.stats import chisquare

from agents.api import Agent
from fm_env.contract import TERMINAL
from fm_env.errors import IllegalActionError, SetupError, UnknownNameError
from tests.kuhn import GAME
from training.opponents import LEARNER, Member
from training.ppo import MagnetMaskablePPO, SelfPlayer
from training.sb3 import SelfPlayVecEnv


class RandomPlayer:
    """Uniform over legal actions, answering many games at once."""

    def act_batch(self, observations: np.ndarray, masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        return (masks * rng.random(masks.shape)).argmax(axis=1)


class Remembering(Agent):
    """Bets in its first game choice only; would go wrong if games shared one object."""

    def reset(self, spec: Any, seat: int, seed: int) -> None:
        self.asked = 0

    def act(self, observation: np.ndarray, action_mask: np.ndarray) -> int:
        self.asked += 1
        assert self.asked <= 2
        return 1 if self.asked == 1 else 0


def make_env(num_envs: int = 64, seed: int = 1, **weights: float) -> SelfPlayVecEnv:
    env = SelfPlayVecEnv(
        "kuhn", num_envs=num_envs, opponents=weights or {"self": 0.5, "random": 0.5}, seed=seed
    )
    env.set_self(RandomPlayer())
    return env


def play(env: SelfPlayVecEnv, steps: int, seed: int = 0) -> list[tuple[np.ndarray, ...]]:
    """Random legal play; `(observations, rewards, dones)` of each step."""
    rng, trace = np.random.default_rng(seed), []
    for _ in range(steps):
        observations, rewards, dones = env.step_arrays(
            RandomPlayer().act_batch(env.batch.obs, env.action_masks(), rng)
        )
        trace.append((observations.copy(), rewards, dones))
    return trace


def test_every_step_asks_the_learner_with_a_choice() -> None:
    env = make_env(random=1.0)
    assert env.reset().shape == (64, 10)
    for _ in range(50):
        assert (env.batch.seat == env.learner_seats()).all()
        assert (env.action_masks().sum(axis=1) >= 2).all()
        play(env, 1)


def test_rewards_are_the_engines_returns_with_every_loss() -> None:
    env = make_env()
    env.reset()
    ended: list[tuple[int, float]] = []
    end = env._end

    def spy(rows: np.ndarray, *rest: Any) -> None:
        assert (env.batch.seat[rows] == TERMINAL).all()
        ended.extend((int(row), float(env.batch.returns[row, env.learner_seats()[row]])) for row in rows)
        end(rows, *rest)

    env._end = spy  # type: ignore[method-assign]
    seen: set[float] = set()
    for _ in range(200):
        ended.clear()
        ((_, rewards, dones),) = play(env, 1)
        assert sorted(ended) == [(int(row), float(rewards[row])) for row in np.flatnonzero(dones)]
        assert (rewards[~dones] == 0).all()
        seen |= set(rewards[dones].tolist())
    assert seen == {-2.0, -1.0, 1.0, 2.0}


def test_rewards_add_up_to_the_tallies() -> None:
    env = make_env()
    env.reset()
    env.pool.pop_tallies()
    trace = play(env, 300, seed=4)
    tallies = env.pool.pop_tallies()
    assert set(tallies) == {"self", "random"}
    assert sum(t.returned for t in tallies.values()) == sum(rewards.sum() for _, rewards, _ in trace)
    assert sum(t.games for t in tallies.values()) == sum(dones.sum() for _, _, dones in trace)
    assert all(0 < t.wins < t.games and 0 < t.win_rate < 1 for t in tallies.values())


def test_seats_are_balanced() -> None:
    env = make_env(128)
    env.reset()
    play(env, 200)
    assert chisquare(env.game_counts).pvalue > 0.01
    games = env.game_counts.sum()
    assert games > 5000 and abs(env.game_counts[0] / games - 0.5) < 0.01


def test_opponents_follow_the_weights_and_stay_for_a_whole_game() -> None:
    env = make_env(256, self=0.25, random=0.75)
    env.reset()
    drawn = []
    for _ in range(60):
        members, seats = env.members.copy(), env.learner_seats().copy()
        ((_, _, dones),) = play(env, 1)
        assert (env.members[~dones] == members[~dones]).all() and (
            env.learner_seats()[~dones] == seats[~dones]
        ).all()
        drawn.append(env.members[dones][env.members[dones] != LEARNER])
    share = np.mean(np.concatenate(drawn) == 0)
    assert abs(share - 0.25) < 0.02


def test_retired_members_finish_their_games() -> None:
    env = make_env(64, self=0.5, past=0.5)
    env.pool.add(Member("past", RandomPlayer(), "old"))
    env.reset()
    env.pool.retire(1)
    env.pool.let_go(env.members)
    assert env.pool.members[1].player is not None
    for _ in range(10):
        play(env, 1)
    assert (env.members != 1).all()
    env.pool.let_go(env.members)
    assert env.pool.members[1].player is None
    play(env, 5)


def test_an_agent_with_memory_gets_a_copy_for_each_game() -> None:
    env = make_env(**{"tests.training.test_sb3:Remembering": 1.0})
    env.reset()
    play(env, 40)
    assert env.pool.pop_tallies()["tests.training.test_sb3:Remembering"].games > 500


def test_equal_seeds_play_equal_games() -> None:
    traces = []
    for seed in (3, 3, 4):
        env = make_env(seed=seed)
        first = env.reset()
        traces.append([first, *(part for step in play(env, 20) for part in step)])
    assert all((a == b).all() for a, b in zip(traces[0], traces[1], strict=True))
    assert any((a != b).any() for a, b in zip(traces[0], traces[2], strict=True))


def test_seed_makes_reset_repeatable() -> None:
    env = make_env()
    env.seed(9)
    first = env.reset()
    play(env, 3)
    env.seed(9)
    assert (env.reset() == first).all()


def test_saved_games_go_on_exactly() -> None:
    env = make_env()
    env.reset()
    play(env, 17)
    arrays, values = env.saved()
    expected = play(env, 30, seed=2)
    other = make_env(seed=77)
    other.reset()
    other.restore(arrays, values)
    got = play(other, 30, seed=2)
    assert all((a == b).all() for x, y in zip(expected, got, strict=True) for a, b in zip(x, y, strict=True))


def test_illegal_actions_are_refused() -> None:
    env = make_env()
    env.reset()
    with pytest.raises(IllegalActionError):
        env.step_arrays(np.full(64, 2))


def test_self_must_be_set_and_opponents_must_exist() -> None:
    with pytest.raises(SetupError, match="set_self"):
        SelfPlayVecEnv("kuhn", num_envs=4).reset()
    with pytest.raises(UnknownNameError, match="gandalf"):
        SelfPlayVecEnv("kuhn", num_envs=4, opponents={"gandalf": 1.0})
    with pytest.raises(SetupError, match="opponents"):
        SelfPlayVecEnv("kuhn", num_envs=4, opponents={"random": -1.0})


def test_plain_maskable_ppo_trains() -> None:
    env = SelfPlayVecEnv(GAME, num_envs=16, opponents={"self": 0.5, "random": 0.5}, seed=0)
    assert is_masking_supported(env)
    model = MaskablePPO("MlpPolicy", env, n_steps=32, batch_size=256, n_epochs=1, seed=0, device="cpu")
    env.set_self(SelfPlayer(model.policy))
    model.learn(2048)
    assert (get_action_masks(env) == env.action_masks()).all()
    assert model.ep_info_buffer and {"r", "l"} <= set(model.ep_info_buffer[0])
    assert min(info["r"] for info in model.ep_info_buffer) < 0


def test_infos_describe_games_that_ended() -> None:
    env = make_env(random=1.0)
    env.reset()
    for _ in range(10):
        _, rewards, dones, infos = env.step(env.action_masks().argmax(axis=1))
        for row, info in enumerate(infos):
            if dones[row]:
                assert info["episode"]["r"] == rewards[row]
                assert info["opponent"] == ["random"] and info["seat"] in (0, 1)
                assert env.observation_space.contains(info["terminal_observation"])
            else:
                assert info == {}


def test_magnet_ppo_wants_this_environment() -> None:
    with pytest.raises(TypeError, match="SelfPlayVecEnv"):
        MagnetMaskablePPO("MlpPolicy", "CartPole-v1")  # type: ignore[arg-type]

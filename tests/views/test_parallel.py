"""The parallel view: everybody acts, and those who owe nothing wait."""

from __future__ import annotations

import numpy as np
import pytest

from fm_env import views
from fm_env.errors import FmEnvError, IllegalActionError, SetupError
from tests.views.cases import Case, random_legal


def test_wait_is_legal_exactly_for_those_who_owe_nothing(case: Case) -> None:
    game, options = case
    env = views.makers(game).parallel_env(illegal="raise", **options)
    rng = np.random.default_rng(0)
    env.reset(seed=0)
    for _ in range(4):
        observations, infos = env.reset()
        while env.agents:
            pending = env.table.pending()
            actions = {}
            for seat, agent in enumerate(env.agents):
                mask = observations[agent]["action_mask"]
                assert mask.dtype == np.int8 and mask[env.wait] == (seat not in pending)
                assert mask.sum() == 1 or seat in pending
                actions[agent] = random_legal(mask, rng)
            agents = env.agents
            observations, rewards, terminations, truncations, infos = env.step(actions)
            assert list(observations) == list(infos) == list(rewards) == agents
            for agent in agents:
                assert env.observation_space(agent).contains(observations[agent])
                assert np.array_equal(observations[agent]["action_mask"], infos[agent]["action_mask"])
                assert observations[agent]["action_mask"].sum() >= 1
            assert not any(truncations.values())
            over = env.table.seat < 0
            assert all(ended == over for ended in terminations.values())
            assert list(rewards.values()) == (env.table.returns() if over else [0.0] * len(agents))
        with pytest.raises(FmEnvError, match="call reset"):
            env.step({})


def test_several_seats_are_asked_in_one_step() -> None:
    env = views.makers("sealed").parallel_env()
    observations, _ = env.reset(seed=0)
    assert all(o["action_mask"].tolist() == [0, 0, 0, 0, 1, 1, 0] for o in observations.values())
    observations, *_ = env.step(dict.fromkeys(env.agents, 4))
    assert env.table.record()["colour"].tolist() == [0, 0, 0]
    steps = 1
    while env.agents:
        masks = {agent: observations[agent]["action_mask"] for agent in env.agents}
        observations, *_ = env.step({agent: int(mask.argmax()) for agent, mask in masks.items()})
        steps += 1
    assert steps == 4


def test_missing_action_is_named() -> None:
    env = views.makers("kuhn").parallel_env()
    env.reset(seed=0)
    with pytest.raises(FmEnvError, match="no action for player_1"):
        env.step({"player_0": 1})


def test_illegal_actions_end_the_game_at_the_offenders_cost(case: Case) -> None:
    game, options = case
    env = views.makers(game).parallel_env(**options)
    observations, _ = env.reset(seed=0)
    spec = env.table.spec
    actions = {agent: int(observations[agent]["action_mask"].argmax()) for agent in env.agents}
    actions["player_0"] = int(observations["player_0"]["action_mask"].argmin())
    observations, rewards, terminations, truncations, infos = env.step(actions)
    assert rewards["player_0"] == spec.min_return and sum(rewards.values()) == spec.min_return
    assert all(terminations.values()) and not any(truncations.values()) and env.agents == []
    assert infos["player_0"]["illegal_action"] == actions["player_0"]
    assert "illegal_action" not in infos["player_1"]
    assert all(env.observation_space(agent).contains(o) for agent, o in observations.items())


def test_illegal_action_is_refused_and_changes_nothing(case: Case) -> None:
    game, options = case
    env = views.makers(game).parallel_env(illegal="raise", **options)
    observations, _ = env.reset(seed=0)
    before = env.to_json()
    actions = {agent: int(observations[agent]["action_mask"].argmax()) for agent in env.agents}
    with pytest.raises(IllegalActionError, match="player_1, action"):
        env.step({**actions, "player_1": int(observations["player_1"]["action_mask"].argmin())})
    assert env.to_json() == before
    env.step(actions)


def test_skip_forced_is_refused() -> None:
    with pytest.raises(SetupError, match="skip_forced"):
        views.makers("kuhn").parallel_env(skip_forced=True)

"""A running game copied, pickled or written as JSON goes on as the original does."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from fm_env import views
from fm_env.errors import LoadError
from tests.views.cases import Case, random_legal
from tests.views.play import aec_steps, digest, parallel_steps

WAYS: dict[str, Callable[[Any], Any]] = {
    "clone": lambda env: env.clone(),
    "deepcopy": copy.deepcopy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
    "json": lambda env: views.from_json(env.to_json()),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("maker", ["env", "raw_env"])
def test_aec_copy_goes_on_alike(case: Case, maker: str, way: str) -> None:
    game, options = case
    env = getattr(views.makers(game), maker)(**options)
    rng = np.random.default_rng(5)
    for seed in range(8):
        env.reset(seed=seed)
        for _ in range(int(rng.integers(0, 12))):
            if not env.agents:
                break
            observation, _, terminated, *_ = env.last()
            env.step(None if terminated else random_legal(observation["action_mask"], rng))
        twin = WAYS[way](env)
        assert type(twin) is type(env) and twin.agents == env.agents
        before = twin.to_json()
        ahead = aec_steps(env, seed)
        env.reset()
        assert twin.to_json() == before  # what the original did leaves the copy alone
        assert aec_steps(twin, seed) == ahead
        twin.reset()
        assert twin.to_json() == env.to_json()  # and the generators stayed in step


@pytest.mark.parametrize("way", WAYS)
def test_parallel_copy_goes_on_alike(case: Case, way: str) -> None:
    game, options = case
    env = views.makers(game).parallel_env(**options)
    rng = np.random.default_rng(6)
    for seed in range(8):
        observations, _ = env.reset(seed=seed)
        for _ in range(int(rng.integers(0, 5))):
            if env.agents:
                actions = {a: random_legal(observations[a]["action_mask"], rng) for a in env.agents}
                observations, *_ = env.step(actions)
        twin = WAYS[way](env)
        ahead = parallel_steps(env, seed, observations, {})
        assert parallel_steps(twin, seed, observations, {}) == ahead
        assert digest(*env.reset()[0]["player_0"].values()) == digest(*twin.reset()[0]["player_0"].values())


def test_an_ended_game_is_saved_with_its_last_words() -> None:
    env = views.makers("kuhn").env()
    env.reset(seed=0)
    env.step(2)  # wait: illegal for the seat that must speak
    twin = views.from_json(env.to_json())
    assert twin.infos["player_0"]["illegal_action"] == 2
    assert aec_steps(twin, 0) == aec_steps(env, 0)


def test_copied_spaces_sample_alike_and_apart() -> None:
    env = views.makers("kuhn").env()
    env.reset(seed=0)
    env.action_space("player_0").seed(3)
    twin = env.clone()
    drawn = [env.action_space("player_0").sample() for _ in range(20)]
    assert [twin.action_space("player_0").sample() for _ in range(20)] == drawn


@pytest.mark.parametrize("render_mode", ["ansi", "rgb_array"])
def test_copies_keep_their_render_mode(render_mode: str) -> None:
    env = views.makers("kuhn").env(render_mode=render_mode)
    env.reset(seed=0)
    for way in WAYS.values():
        assert np.array_equal(way(env).render(), env.render())


def _changed(text: str, **changes: Any) -> str:
    saved = json.loads(text)
    for key, value in changes.items():
        target = saved["table"] if key in saved["table"] else saved
        target[key] = value
    return json.dumps(saved)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"schema": 0}, "schema 0, expected 1"),
        ({"view": "nonsense"}, "view 'nonsense'"),
        ({"rules_version": 0}, "rules version 0"),
        ({"state": "AAAA"}, "state of 3 bytes"),
        ({"state": "?"}, "saved game"),
        ({"generator": [1, 2]}, "generator of shape"),
        ({"game": "chess"}, "chess"),
        ({"options": {"scenario": "nowhere"}}, "nowhere"),
        ({"agents": ["player_7"]}, "player_7"),
    ],
)
def test_unfit_json_is_refused(changes: dict[str, Any], message: str) -> None:
    env = views.makers("kuhn").env()
    env.reset(seed=0)
    with pytest.raises(LoadError, match=message):
        views.from_json(_changed(env.to_json(), **changes))


@pytest.mark.parametrize("text", ["", "[]", "{}", "null", '{"schema": 1, "view": "aec"}'])
def test_other_json_is_refused(text: str) -> None:
    with pytest.raises(LoadError, match="saved game"):
        views.from_json(text)


def test_unsound_position_is_refused() -> None:
    env = views.makers("kuhn").env()
    env.reset(seed=0)
    env.unwrapped.table.record()["cards"][:] = 2
    with pytest.raises(LoadError, match="unsound"):
        views.from_json(env.to_json())

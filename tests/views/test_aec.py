"""The AEC view: who is asked, what is shown, how a game ends."""

from __future__ import annotations

import numpy as np
import pytest

from fm_env import views
from fm_env.errors import FmEnvError, IllegalActionError, SetupError
from tests.views.cases import Case, random_legal


def test_every_observation_fits_its_space_and_masks_agree(case: Case) -> None:
    game, options = case
    env = views.makers(game).raw_env(**options)
    rng = np.random.default_rng(0)
    env.reset(seed=0)
    for _ in range(4):
        env.reset()
        for agent in env.agent_iter():
            for other in env.agents:
                observation = env.observe(other)
                assert env.observation_space(other).contains(observation)
                mask = observation["action_mask"]
                assert mask.dtype == np.int8
                assert np.array_equal(mask, env.infos[other]["action_mask"])
                asked = other == agent and not env.terminations[agent]
                assert mask[env.wait] == (not asked)
                assert mask.sum() == 1 or asked
            observation, _, terminated, truncated, info = env.last()
            assert not truncated
            assert np.array_equal(observation["action_mask"], info["action_mask"])
            if terminated:
                env.step(None)
            else:
                assert observation["action_mask"].sum() >= 1
                env.step(random_legal(observation["action_mask"], rng))


def test_all_end_together_and_are_credited_once(case: Case) -> None:
    game, options = case
    env = views.makers(game).env(**options)
    rng = np.random.default_rng(1)
    for seed in range(6):
        env.reset(seed=seed)
        total = dict.fromkeys(env.possible_agents, 0.0)
        while not any(env.terminations.values()):
            assert env.agents == env.possible_agents
            observation, reward, *_ = env.last()
            total[env.agent_selection] += reward
            env.step(random_legal(observation["action_mask"], rng))
        assert all(env.terminations.values())
        returns = env.unwrapped.table.returns()
        assert list(env.rewards.values()) == returns
        left = list(env.agents)
        for agent in env.agent_iter():
            total[agent] += env.last()[1]
            env.step(None)
            left.remove(agent)
            assert env.agents == left
        assert env.agents == [] and list(total.values()) == returns
        with pytest.raises(FmEnvError, match="call reset"):
            env.step(None)
        with pytest.raises(FmEnvError, match="call reset"):
            env.unwrapped.step(0)


def test_only_none_after_the_end() -> None:
    env = views.makers("kuhn").env()
    env.reset(seed=0)
    env.step(1)
    env.step(0)
    with pytest.raises(ValueError, match="None"):
        env.unwrapped.step(0)


def test_illegal_action_ends_the_game_at_the_offenders_cost(case: Case) -> None:
    game, options = case
    env = views.makers(game).env(**options)
    rng = np.random.default_rng(2)
    for seed in range(8):
        env.reset(seed=seed)
        for _ in range(seed):
            observation, _, terminated, *_ = env.last()
            if terminated:
                break
            env.step(random_legal(observation["action_mask"], rng))
        if env.last()[2]:
            continue
        offender = env.agent_selection
        illegal = int(np.flatnonzero(env.last()[0]["action_mask"] == 0)[0])
        env.step(np.int64(illegal))
        worst = env.unwrapped.table.spec.min_return
        assert env.infos[offender]["illegal_action"] == illegal
        for agent in env.agent_iter():
            observation, reward, terminated, truncated, info = env.last()
            assert terminated and not truncated
            assert reward == (worst if agent == offender else 0.0)
            assert env.observation_space(agent).contains(observation)
            assert np.array_equal(observation["action_mask"], info["action_mask"])
            env.step(None)
        env.reset(seed=seed)
        assert not any(env.terminations.values()) and "illegal_action" not in env.infos[offender]


@pytest.mark.parametrize("action", [-1, 10**9, None, "pass", 0.0, np.array([0])])
def test_illegal_action_is_refused_and_changes_nothing(case: Case, action: object) -> None:
    game, options = case
    env = views.makers(game).raw_env(**options)
    env.reset(seed=5)
    before = env.to_json()
    with pytest.raises(IllegalActionError, match=f"{env.agent_selection}, action .*expected an id"):
        env.step(action)
    with pytest.raises(IllegalActionError, match="can't wait"):
        env.step(env.wait)
    assert env.to_json() == before
    env.step(random_legal(env.last()[0]["action_mask"], np.random.default_rng(0)))


def test_simultaneous_choices_stay_hidden() -> None:
    """Whatever the first seats choose, the last one sees the same until all have chosen."""
    seen = set()
    for colours in ([4, 4], [4, 5], [5, 4], [5, 5]):
        env = views.makers("sealed").raw_env()
        env.reset(seed=0)
        before = env.observe("player_2")["observation"]
        for colour in colours:
            env.step(colour)
        assert env.agent_selection == "player_2"
        now = env.observe("player_2")
        assert np.array_equal(now["observation"], before)
        seen.add((now["observation"].tobytes(), now["action_mask"].tobytes()))
    assert len(seen) == 1


def test_eliminated_seats_stay_and_are_not_asked() -> None:
    env = views.makers("sealed").env()
    rng = np.random.default_rng(0)
    for seed in range(10):
        env.reset(seed=seed)
        asked = []
        while not any(env.terminations.values()):
            if env.unwrapped.table.record()["round"] == 1:
                asked.append(env.agent_selection)
            assert env.num_agents == 3
            env.step(random_legal(env.last()[0]["action_mask"], rng))
        out = int(np.flatnonzero(env.unwrapped.table.record()["past"][1] == -1)[0])
        assert f"player_{out}" not in asked and len(asked) == 4


def test_skip_forced_asks_real_choices_only(case: Case) -> None:
    game, options = case
    env = views.makers(game).env(skip_forced=True, **options)
    rng = np.random.default_rng(3)
    for seed in range(5):
        env.reset(seed=seed)
        for _ in env.agent_iter():
            observation, _, terminated, *_ = env.last()
            assert terminated or observation["action_mask"].sum() >= 2
            env.step(None if terminated else random_legal(observation["action_mask"], rng))


def test_spaces_are_the_same_in_both_views(case: Case) -> None:
    game, options = case
    aec, parallel = views.makers(game).env(**options), views.makers(game).parallel_env(**options)
    assert aec.possible_agents == parallel.possible_agents
    for agent in aec.possible_agents:
        assert aec.observation_space(agent) == parallel.observation_space(agent)
        assert aec.action_space(agent) == parallel.action_space(agent)
    aec.reset(seed=1)
    parallel.reset(seed=1)
    assert aec.state_space.contains(aec.state())
    assert np.array_equal(aec.state(), parallel.state())


def test_unseeded_resets_follow_from_the_last_seed(case: Case) -> None:
    game, options = case
    env = views.makers(game).raw_env(**options)
    traces = []
    for _ in range(2):
        env.reset(seed=11)
        games = []
        for _ in range(3):
            env.reset()
            games.append(env.table.states.tobytes())
        traces.append(games)
    assert traces[0] == traces[1]


def test_a_match_with_the_same_seed_has_the_same_luck(case: Case) -> None:
    import fm_env

    game, options = case
    env = views.makers(game).raw_env(**options)
    env.reset(seed=21)
    match = fm_env.load(game).new_match(**options, seed=21)
    assert match.state.tobytes() == env.table.states.tobytes()


def test_scenario_from_a_dict_and_a_file(tmp_path) -> None:
    env = views.makers("kuhn").raw_env
    path = tmp_path / "second.toml"
    path.write_text('scenario = "kuhn"\nfirst = 1\n')
    for given in ({"scenario": "kuhn", "first": 1}, path, str(path)):
        made = env(given)
        made.reset(seed=0)
        assert made.agent_selection == "player_1"
    made = env(path, first=0, setup={"cards": ["J", "K"]})
    made.reset(seed=0)
    assert made.agent_selection == "player_0" and made.table.record()["cards"].tolist() == [0, 2]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"illegal": "ignore"}, "illegal: 'ignore', expected one of 'raise', 'lose'"),
        ({"scenario": "nowhere.toml"}, "can't read nowhere.toml"),
        ({"first": 3}, "first"),
    ],
)
def test_bad_arguments_are_named(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(SetupError, match=message):
        views.makers("kuhn").env(**arguments)


def test_use_before_reset() -> None:
    env = views.makers("kuhn").env()
    with pytest.raises(AttributeError, match="before reset"):
        _ = env.agents
    with pytest.raises(FmEnvError, match="call reset"):
        env.to_json()

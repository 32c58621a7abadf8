"""The vector view: many games, opponents inside, autoreset."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from fm_env import views
from fm_env.errors import FmEnvError, IllegalActionError, SetupError
from fm_env.views.seats import LEARNER
from tests.views.cases import Case
from tests.views.test_gymnasium import First

N = 8
MODES = ["SameStep", "NextStep"]


def chosen(mask: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A random legal action in every game."""
    return np.array([rng.choice(np.flatnonzero(row)) for row in mask])


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("opponents", ["random", First()], ids=["compiled", "python"])
@pytest.mark.parametrize("flat", [False, True])
def test_spaces_masks_and_autoreset(case: Case, mode: str, opponents: Any, flat: bool) -> None:
    game, options = case
    envs = views.makers(game).vec_env(N, opponents=opponents, autoreset_mode=mode, flat=flat, **options)
    assert envs.metadata["autoreset_mode"] == AutoresetMode(mode)
    rng = np.random.default_rng(0)
    observations, infos = envs.reset(seed=1)
    ended = np.zeros(N, bool)
    returned: list[float] = []
    for _ in range(250):
        assert envs.observation_space.contains(observations)
        mask = infos["action_mask"]
        assert infos["_action_mask"].all() and mask.dtype == np.int8 and mask.any(axis=1).all()
        assert np.array_equal(envs.action_masks(), mask.astype(bool))
        if not flat:
            assert np.array_equal(observations["action_mask"], mask)
        seats = infos["seat"]
        previous = ended
        observations, rewards, ended, truncated, infos = envs.step(chosen(mask, rng))
        assert not truncated.any() and not rewards[~ended].any()
        if mode == "NextStep":
            assert not ended[previous].any()  # that step began the next game
            assert not rewards[previous].any()
            assert (infos["action_mask"][ended] == 1).all()
        if ended.any():
            assert np.array_equal(infos["_opponents"], ended)
            assert all(
                (name is not None) == over for name, over in zip(infos["opponents"], ended, strict=True)
            )
            if mode == "SameStep":
                check_final(envs, infos, ended, seats, flat)
        returned += rewards[ended].tolist()
    assert any(returned)


def check_final(envs: Any, infos: dict[str, Any], ended: np.ndarray, seats: np.ndarray, flat: bool) -> None:
    """Final observations fit their space and belong to the learner's seat in the game that ended."""
    assert np.array_equal(infos["_final_obs"], ended) and np.array_equal(infos["_final_info"], ended)
    assert np.array_equal(infos["final_info"]["seat"][ended], seats[ended])
    for row in range(envs.num_envs):
        final = infos["final_obs"][row]
        assert (final is not None) == ended[row]
        if final is not None:
            assert envs.single_observation_space.contains(final)
            if not flat:
                assert final["action_mask"].all()
            assert infos["final_info"]["action_mask"][row].all()


def test_final_observation_is_the_learners_and_next_game_starts() -> None:
    """Kuhn: seat 1's final observation has its own card, not the opponent's (who sits lower)."""
    envs = views.makers("kuhn").vec_env(
        2, opponents=First(), seat=1, setup={"cards": ["J", "K"]}, flat=True, autoreset_mode="SameStep"
    )
    observations, _ = envs.reset(seed=0)
    assert observations[:, :3].tolist() == [[0, 0, 1]] * 2
    observations, rewards, ended, _, infos = envs.step(np.array([0, 0]))
    assert ended.all() and rewards.tolist() == [1.0, 1.0]
    assert infos["final_obs"][0][:3].tolist() == [0, 0, 1]
    assert infos["final_obs"][0][5] == 1 and observations[0][5] == 0  # the answer is only in the old game


@pytest.mark.parametrize("mode", MODES)
def test_same_seed_same_games(case: Case, mode: str) -> None:
    game, options = case
    traces = []
    envs = views.makers(game).vec_env(
        N, opponents=["random", First()], autoreset_mode=mode, flat=True, **options
    )
    for _ in range(2):
        rng = np.random.default_rng(3)
        _, infos = envs.reset(seed=5)
        trace = []
        for _ in range(25):
            observations, rewards, ended, _, infos = envs.step(chosen(infos["action_mask"], rng))
            trace.append(
                (observations.tobytes(), rewards.tobytes(), ended.tobytes(), infos["seat"].tobytes())
            )
        traces.append(trace)
    assert traces[0] == traces[1]
    _, infos = envs.reset()
    assert envs.runner.games.min() > 1


def test_modes_play_the_same_games(case: Case) -> None:
    """The step that NEXT_STEP spends on a reset is the only difference between the modes."""
    game, options = case
    sums = []
    for mode in MODES:
        envs = views.makers(game).vec_env(1, opponents=First(), seat=0, autoreset_mode=mode, **options)
        _, infos = envs.reset(seed=2)
        rewards_of_games: list[float] = []
        while len(rewards_of_games) < 6:
            action = np.array([infos["action_mask"][0].argmax()])
            _, rewards, ended, _, infos = envs.step(action)
            if ended[0]:
                rewards_of_games.append(float(rewards[0]))
        sums.append(rewards_of_games)
    assert sums[0] == sums[1]


def test_rows_do_not_depend_on_their_neighbours(case: Case) -> None:
    """Row i of a batch begins the game that a batch of its own would begin with seed + i."""
    game, options = case
    wide = views.makers(game).vec_env(N, opponents=First(), seat=0, skip_forced=False, flat=True, **options)
    observations, _ = wide.reset(seed=40)
    for row in (0, 3, N - 1):
        narrow = views.makers(game).vec_env(
            1, opponents=First(), seat=0, skip_forced=False, flat=True, **options
        )
        assert np.array_equal(narrow.reset(seed=40 + row)[0][0], observations[row])


def test_seats_alternate_and_opponents_stay() -> None:
    envs = views.makers("sealed").vec_env(
        6, opponents=["random", First()], weights=[1, 3], autoreset_mode="SameStep"
    )
    runner = envs.runner
    rng = np.random.default_rng(4)
    _, infos = envs.reset(seed=0)
    assert infos["seat"].tolist() == [0, 1, 2, 0, 1, 2]
    drawn: list[int] = []
    for _ in range(200):
        cast, games = runner.cast.copy(), runner.games.copy()
        assert (runner.cast[runner.all_rows, runner.seat] == LEARNER).all()
        _, _, ended, _, infos = envs.step(chosen(infos["action_mask"], rng))
        same = runner.games == games
        assert np.array_equal(same, ~ended)
        assert np.array_equal(runner.cast[same], cast[same])
        drawn += cast[ended][cast[ended] != LEARNER].tolist()
        assert np.array_equal(infos["seat"], (runner.all_rows + runner.games - 1) % 3)
    assert 0.6 < np.mean(drawn) < 0.9  # three quarters of the draws


def test_agents_with_memory_have_a_copy_in_every_game() -> None:
    agent = First()
    envs = views.makers("sealed").vec_env(3, opponents=agent, seat=1)
    envs.reset(seed=0)
    copies = envs.runner._copies
    assert set(copies) == {(row, seat) for row in range(3) for seat in (0, 2)}
    assert len({id(copy) for copy in copies.values()}) == 6 and agent.games == 0


def test_illegal_action_changes_nothing(case: Case) -> None:
    game, options = case
    envs = views.makers(game).vec_env(3, opponents="random", skip_forced=False, **options)
    _, infos = envs.reset(seed=0)
    before = envs.runner._batch.states.tobytes()
    legal = infos["action_mask"].argmax(axis=1)
    for bad in (-1, envs.runner.spec.num_actions):
        with pytest.raises(IllegalActionError, match=f"game 1: action {bad} is not legal, expected one of"):
            envs.step(np.array([legal[0], bad, legal[2]]))
    with pytest.raises(IllegalActionError, match="shape"):
        envs.step(legal[:2])
    assert envs.runner._batch.states.tobytes() == before
    envs.step(legal)


def test_step_before_reset() -> None:
    with pytest.raises(FmEnvError, match="call reset"):
        views.makers("kuhn").vec_env(2).step(np.zeros(2, int))


def test_compiled_and_python_opponents_mix() -> None:
    """Kuhn's own compiled bots next to a function: every pairing turns up."""
    envs = views.makers("kuhn").vec_env(16, opponents=["random", First(), lambda observation, mask: 1])
    rng = np.random.default_rng(0)
    _, infos = envs.reset(seed=1)
    seen = set()
    for _ in range(30):
        _, _, ended, _, infos = envs.step(chosen(infos["action_mask"], rng))
        if ended.any():
            seen |= {name for name in infos["opponents"] if name is not None}
    assert seen == {"random", "first", "<lambda>"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"num_envs": 0}, "num_envs: 0"),
        (
            {"autoreset_mode": AutoresetMode.DISABLED},
            "autoreset_mode: .*expected one of 'SameStep', 'NextStep'",
        ),
        ({"weights": [1, 2]}, r"weights: \[1, 2\], expected 1 numbers"),
        ({"weights": [0]}, "one of them above 0"),
        ({"seat": 5}, "seat: 5, expected 'alternate', 'random' or 0 to 1"),
        ({"render_mode": "ansi"}, "render_mode"),
    ],
)
def test_bad_arguments_are_named(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(SetupError, match=message):
        views.makers("kuhn").vec_env(**{"num_envs": 2, **arguments})


def test_make_vec() -> None:
    name = "fm_env/TestVector-v0"
    if name not in gymnasium.registry:
        gymnasium.register(name, vector_entry_point="fm_env.views.vector:VectorGame", kwargs={"game": "kuhn"})
    envs = gymnasium.make_vec(name, num_envs=4, opponents="random")
    statistics = gymnasium.wrappers.vector.RecordEpisodeStatistics(envs)
    _, infos = statistics.reset(seed=0)
    lengths: list[int] = []
    for _ in range(20):
        *_, infos = statistics.step(infos["action_mask"].argmax(axis=1))
        if "episode" in infos:
            lengths += infos["episode"]["l"][infos["_episode"]].tolist()
    assert lengths and set(lengths) <= {1, 2}

"""The Gymnasium view: one seat, opponents inside, every reward seen."""

from __future__ import annotations

import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from agents.api import Agent
from fm_env.errors import FmEnvError, IllegalActionError, SetupError, UnknownNameError
from fm_env.views.gym_env import SeatGame
from fm_env.views.registration import NAMES
from tests.views.cases import Case, random_legal


class First(Agent):
    """Takes the first legal action and notes what it was asked."""

    def __init__(self) -> None:
        self.games = 0

    def reset(self, spec: Any, seat: int, seed: int) -> None:
        self.games += 1

    def act(self, observation: np.ndarray, action_mask: np.ndarray) -> int:
        return int(action_mask.argmax())


def made(case: Case, **more: Any) -> SeatGame:
    """The view of a case through `gymnasium.make`, so that it has a spec; unwrapped."""
    game, options = case
    name = f"fm_env/Test{game.title().replace('_', '')}-v0"
    if name not in gymnasium.registry:
        gymnasium.register(name, entry_point="fm_env.views.gym_env:SeatGame", kwargs={"game": game})
    return gymnasium.make(name, **options, **more).unwrapped


@pytest.mark.parametrize("flat", [False, True])
@pytest.mark.parametrize("seat", ["random", 1])
def test_check_env(case: Case, flat: bool, seat: int | str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(made(case, flat=flat, seat=seat))


@pytest.mark.parametrize("flat", [False, True])
def test_check_env_of_sb3(case: Case, flat: bool) -> None:
    checker = pytest.importorskip("stable_baselines3.common.env_checker")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        checker.check_env(made(case, flat=flat), skip_render_check=False)


@pytest.mark.parametrize("name", sorted(NAMES))
def test_every_game_is_registered(name: str) -> None:
    import fm_env  # noqa: F401  (importing it registers)

    assert name in gymnasium.registry
    env = gymnasium.make(f"fm_env:{name}", opponent="random", seat=0)
    _, info = env.reset(seed=0)
    assert info["seat"] == 0 and set(info["opponents"].split(", ")) == {"random"}


@pytest.mark.parametrize("flat", [False, True])
def test_observations_masks_and_rewards(case: Case, flat: bool) -> None:
    env = made(case, flat=flat)
    rng = np.random.default_rng(0)
    rewards, seats = [], set()
    for seed in range(25):
        observation, info = env.reset(seed=seed)
        seats.add(info["seat"])
        over = False
        while not over:
            assert env.observation_space.contains(observation)
            assert info["action_mask"].dtype == np.int8 and env.action_masks().dtype == np.bool_
            assert np.array_equal(info["action_mask"], env.action_masks())
            assert env.table.seat == info["seat"] and info["action_mask"].any()
            if not flat:
                assert np.array_equal(observation["action_mask"], info["action_mask"])
            observation, reward, over, truncated, info = env.step(random_legal(info["action_mask"], rng))
            assert not truncated and (over or reward == 0.0)
        assert env.observation_space.contains(observation)
        assert env.action_masks().all() and info["action_mask"].all()
        assert reward == env.table.returns()[info["seat"]]
        rewards.append(reward)
        with pytest.raises(FmEnvError, match="call reset"):
            env.step(0)
    assert min(rewards) < 0 < max(rewards)
    assert len(seats) == env.table.spec.num_seats


def test_loss_made_by_the_opponents_last_move_is_seen() -> None:
    """In Kuhn poker the learner bets the worst card and the opponent calls: -2 comes with the bet."""
    env = SeatGame("kuhn", opponent=lambda observation, mask: 1, seat=0, setup={"cards": ["J", "K"]})
    env.reset(seed=0)
    _, reward, terminated, _, _ = env.step(1)
    assert terminated and reward == -2.0


def test_illegal_action(case: Case) -> None:
    env = made(case)
    _, info = env.reset(seed=1)
    if info["action_mask"].all():
        return
    illegal = int(info["action_mask"].argmin())
    observation, reward, terminated, truncated, info = env.step(illegal)
    assert terminated and not truncated and reward == env.table.spec.min_return
    assert info["illegal_action"] == illegal and env.observation_space.contains(observation)
    strict = made(case, illegal="raise")
    _, info = strict.reset(seed=1)
    before = strict.table.states.tobytes()
    for action in (illegal, -1, strict.table.spec.num_actions, None, 0.5):
        with pytest.raises(IllegalActionError, match="player_"):
            strict.step(action)
    assert strict.table.states.tobytes() == before
    strict.step(random_legal(info["action_mask"], np.random.default_rng(0)))


def test_seat_and_opponent_are_chosen_per_game() -> None:
    env = SeatGame("sealed", opponent=["random", First()], seat=1)
    names = set()
    for seed in range(20):
        _, info = env.reset(seed=seed)
        assert info["seat"] == 1
        names.add(info["opponents"])
    assert names == {"random, random", "random, first", "first, random", "first, first"}
    _, info = env.reset(seed=0, options={"seat": 2})
    assert info["seat"] == 2


def test_an_agent_with_memory_gets_a_fresh_copy_per_game() -> None:
    agent = First()
    env = SeatGame("kuhn", opponent=agent, seat=0)
    for _ in range(3):
        env.reset()
        assert next(iter(env._players.values())).games == 1
    assert agent.games == 0


def test_same_seed_same_game(case: Case) -> None:
    traces = []
    for _ in range(2):
        env = made(case, opponent="random")
        rng = np.random.default_rng(2)
        trace = []
        _, info = env.reset(seed=9)
        for _ in range(3):
            over = False
            while not over:
                observation, reward, over, _, info = env.step(random_legal(info["action_mask"], rng))
                trace.append((observation["observation"].tobytes(), reward))
            _, info = env.reset()
        traces.append(trace)
    assert traces[0] == traces[1]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"seat": 2}, SetupError, "seat: 2, expected 'random' or 0 to 1"),
        ({"seat": "first"}, SetupError, "seat: 'first'"),
        ({"opponent": []}, SetupError, "opponents: an empty list"),
        ({"opponent": 3}, SetupError, "opponents: 3, expected a spec"),
        ({"opponent": "nobody"}, UnknownNameError, "nobody"),
    ],
)
def test_bad_arguments_are_named(arguments: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        SeatGame("kuhn", **arguments)


def test_an_opponent_that_cheats_is_named() -> None:
    def cheat(observation: np.ndarray, mask: np.ndarray) -> int:
        return 17

    env = SeatGame("kuhn", opponent=cheat, seat=1)
    with pytest.raises(SetupError, match=r"opponent 'cheat' chose 17, expected one of \[0, 1\]"):
        env.reset(seed=0)


def test_action_masks_reach_sb3_contrib() -> None:
    masking = pytest.importorskip("sb3_contrib.common.maskable.utils")
    vec = pytest.importorskip("stable_baselines3.common.vec_env")
    env = vec.DummyVecEnv([lambda: gymnasium.wrappers.RecordEpisodeStatistics(made(("sealed", {})))])
    env.reset()
    masks = masking.get_action_masks(env)
    assert masks.shape == (1, 6) and masks.dtype == np.bool_ and masks.tolist() == [[False] * 4 + [True] * 2]

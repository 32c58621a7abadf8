"""Two games that differ only in what a seat can't see treat it alike until they show it something."""

from __future__ import annotations

from typing import Any

import numpy as np

from fm_env import views
from fm_env.rng import row_for
from tests.views.cases import Case, random_legal
from tests.views.play import digest

NUM_PAIRS = 25


def test_parallel_view_gives_the_same_calls_and_waits(case: Case) -> None:
    game, options = case
    env = views.makers(game).parallel_env(illegal="raise", **options)
    rng = np.random.default_rng(7)
    compared = 0
    length = 1
    for pair in range(NUM_PAIRS):
        observations, _ = env.reset(seed=pair)
        for _ in range(int(rng.integers(0, length))):
            if env.table.seat >= 0:
                observations, *_ = env.step(_choices(observations, rng))
        if env.table.seat < 0:
            length = (length + 1) // 2
            continue
        length += 3
        seat = int(rng.integers(len(env.agents)))
        compared += _compare_parallel(env, _guess(env, seat, pair), f"player_{seat}", rng)
    assert compared >= NUM_PAIRS // 3


def _guess(env: Any, seat: int, seed: int) -> Any:
    """A copy of the game in which everything `seat` can't see is something else."""
    twin = env.clone()
    twin.table.engine.resample(twin.table.states, 0, seat, row_for(seed, 1000))
    twin.table.rng[:] = row_for(seed, 1001)
    twin.table._settle()
    return twin


def _choices(observations: Any, rng: np.random.Generator) -> dict[str, int]:
    return {agent: random_legal(o["action_mask"], rng) for agent, o in observations.items()}


def _compare_parallel(env: Any, twin: Any, agent: str, rng: np.random.Generator) -> int:
    twin._refresh_masks()
    games = [env, twin]
    shown = [game._observations()[0] for game in games]
    steps = 0
    while all(game.agents for game in games):
        seen = [observations[agent] for observations in shown]
        if not np.array_equal(seen[0]["observation"], seen[1]["observation"]):
            return max(steps, 1)
        assert np.array_equal(seen[0]["action_mask"], seen[1]["action_mask"]), env.table.text()
        mine = random_legal(seen[0]["action_mask"], rng)
        results = [
            game.step({**_choices(observations, rng), agent: mine})
            for game, observations in zip(games, shown, strict=True)
        ]
        shown = [result[0] for result in results]
        steps += 1
    assert steps > 0
    seen = [digest(*observations[agent].values()) for observations in shown]
    assert seen[0] != seen[1] or env.agents == twin.agents
    return 1


def test_aec_view_shows_the_same_to_the_seat(case: Case) -> None:
    game, options = case
    env = views.makers(game).raw_env(**options)
    rng = np.random.default_rng(8)
    compared = 0
    length = 1
    for pair in range(NUM_PAIRS):
        env.reset(seed=pair)
        for _ in range(int(rng.integers(0, length))):
            if env.table.seat >= 0:
                env.step(random_legal(env.last()[0]["action_mask"], rng))
        if env.table.seat < 0:
            length = (length + 1) // 2
            continue
        length += 5
        for seat, agent in enumerate(env.agents):
            twin = _guess(env, seat, pair)
            twin._select()
            seen, guessed = env.observe(agent), twin.observe(agent)
            assert np.array_equal(seen["observation"], guessed["observation"])
            if agent in (env.agent_selection, twin.agent_selection):
                # Whose turn it is at a simultaneous node is nobody's business but the asked one's.
                bits = [game.table.engine.pending(game.table.states, 0) >> seat & 1 for game in (env, twin)]
                assert bits == [1, 1]
                assert np.array_equal(_legal(env, seat), _legal(twin, seat))
                compared += 1
    assert compared >= NUM_PAIRS // 3


def _legal(env: Any, seat: int) -> np.ndarray:
    mask = np.zeros(env.wait, np.bool_)
    env.table.legal_mask(seat, mask)
    return mask


def test_nothing_shown_holds_the_game(case: Case) -> None:
    """Observations and infos are plain arrays that own their memory: no way back to the state."""
    game, options = case
    env = views.makers(game).env(**options)
    env.reset(seed=0)
    observation, *_, info = env.last()
    for array in [*observation.values(), info["action_mask"]]:
        assert type(array) is np.ndarray and array.base is None and array.dtype in (np.float32, np.int8)
    observation["observation"][:] = 7
    observation["action_mask"][:] = 0
    assert not np.array_equal(env.last()[0]["observation"], observation["observation"])
    assert env.last()[0]["action_mask"].sum() >= 1

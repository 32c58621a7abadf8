"""Games through the wrappers of other libraries: TorchRL and Ray's RLlib, with masks, to the end.

Only what needs no rules of its own is asked of them: each seat gets the rewards that it gets in the
parallel view for the same choices, and the eliminated stay to the end.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from fm_env import views
from tests.views.cases import Case, meals
from tests.views.play import parallel_total, scripted

BARE: dict[str, Any] = {"terrain": {"size": 48, "pieces": []}}
SKIRMISH: Case = (
    "fairy_meat",
    {"scenario": "skirmish", "num_players": 3, "rounds": 2, "setup": meals(3), **BARE},
)
GAMES: list[Case] = [("fairy_meat", {"scenario": "clash"}), SKIRMISH]
SEEDS = range(3)


def choices(env: Any, seed: int, masks: dict[str, np.ndarray], counts: dict[str, int]) -> dict[str, int]:
    """What `parallel_steps` plays where the agents have these masks."""
    wait = env.unwrapped.wait
    chosen: dict[str, int] = {}
    for agent, mask in masks.items():
        if mask[wait]:
            chosen[agent] = wait
        else:
            counts[agent] = counts.get(agent, -1) + 1
            chosen[agent] = scripted(seed, int(agent[-1]), counts[agent], mask)
    return chosen


@pytest.mark.parametrize("game", GAMES, ids=["clash", "skirmish"])
def test_torchrl(game: Case) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from torchrl.envs import PettingZooWrapper

        name, options = game
        plain = views.makers(name).parallel_env(**options)
        inner = views.makers(name).parallel_env(**options)
        env = PettingZooWrapper(inner, use_mask=True, group_map={"players": inner.possible_agents})
        for seed in SEEDS:
            counts: dict[str, int] = {}
            total = np.zeros(len(inner.possible_agents))
            state = env.reset(seed=seed)
            while not state["done"].any():
                masks = state["players", "action_mask"].numpy()
                chosen = choices(inner, seed, dict(zip(inner.possible_agents, masks, strict=True)), counts)
                state["players", "action"] = state["players", "action_mask"].new_tensor(
                    list(chosen.values()), dtype=int
                )
                state = env.step(state)["next"]
                assert state["players", "mask"].all() or state["done"].all()
                total += state["players", "reward"].numpy()[:, 0]
            assert total == pytest.approx(list(parallel_total(plain, seed).values()))


@pytest.mark.parametrize("game", GAMES, ids=["clash", "skirmish"])
def test_rllib(game: Case) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from ray.rllib.env.multi_agent_episode import MultiAgentEpisode
        from ray.rllib.env.wrappers.pettingzoo_env import ParallelPettingZooEnv

        name, options = game
        plain = views.makers(name).parallel_env(**options)
        env = ParallelPettingZooEnv(views.makers(name).parallel_env(**options))
        for seed in SEEDS:
            observations, infos = env.reset(seed=seed)
            episode = MultiAgentEpisode(
                observation_space=env.observation_space, action_space=env.action_space
            )
            episode.add_env_reset(observations=observations, infos=infos)
            counts: dict[str, int] = {}
            while not episode.is_done:
                masks = {agent: seen["action_mask"] for agent, seen in observations.items()}
                actions = choices(env.par_env, seed, masks, counts)
                observations, rewards, terminated, truncated, infos = env.step(actions)
                episode.add_env_step(
                    observations,
                    actions,
                    rewards,
                    infos,
                    terminateds=terminated,
                    truncateds=truncated,
                )
            returned = {agent: one.get_return() for agent, one in episode.agent_episodes.items()}
            assert returned == pytest.approx(parallel_total(plain, seed))
            lengths = {len(one) for one in episode.agent_episodes.values()}
            assert len(lengths) == 1, "an agent left before the others"

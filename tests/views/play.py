"""Playing whole games through the views, by players whose choices depend on nothing but their own game."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from agents.api import Agent


def scripted(seed: int, seat: int, k: int, mask: np.ndarray) -> int:
    """The k-th choice of `seat` in the game `seed`: even among the legal ones, the same in every view."""
    rng = np.random.default_rng([seed, seat, k])
    return int(rng.choice(np.flatnonzero(mask)))


class Scripted(Agent):
    """`scripted` as an agent, which has to remember how often it was asked."""

    def __init__(self, seed: int) -> None:
        self.seed, self.seat, self.k = seed, -1, 0

    def reset(self, spec: Any, seat: int, seed: int) -> None:
        self.seat, self.k = seat, 0

    def act(self, observation: np.ndarray, action_mask: np.ndarray) -> int:
        self.k += 1
        return scripted(self.seed, self.seat, self.k - 1, action_mask)


def digest(*parts: Any) -> str:
    """Short hash of arrays and anything with a repr."""
    out = hashlib.sha256()
    for part in parts:
        out.update(part.tobytes() if isinstance(part, np.ndarray) else repr(part).encode())
    return out.hexdigest()[:16]


def parts_of(observation: Any, info: dict[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    """Observation and mask, from a dict or flat view."""
    if isinstance(observation, dict):
        return observation["observation"], observation["action_mask"]
    return observation, info["action_mask"]


def aec_steps(env: Any, seed: int, counts: dict[str, int] | None = None) -> list[tuple[Any, ...]]:
    """Play a started game to its end; one entry per `last()`."""
    counts = {} if counts is None else counts
    trace = []
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        seen, mask = parts_of(observation, info)
        trace.append((agent, digest(seen, mask), float(reward), terminated, truncated))
        if terminated or truncated:
            env.step(None)
            continue
        k = counts[agent] = counts.get(agent, -1) + 1
        env.step(scripted(seed, int(agent[-1]), k, mask))
    return trace


def aec_total(env: Any, seed: int) -> dict[str, float]:
    """Rewards of a whole AEC game, by agent."""
    env.reset(seed=seed)
    total = dict.fromkeys(env.possible_agents, 0.0)
    for agent, _, reward, *_ in aec_steps(env, seed):
        total[agent] += reward
    return total


def parallel_steps(env: Any, seed: int, observations: Any, counts: dict[str, int]) -> list[tuple[Any, ...]]:
    """Play a parallel game on to its end; one entry per step."""
    trace = []
    while env.agents:
        actions = {}
        for agent in env.agents:
            mask = observations[agent]["action_mask"]
            if mask[env.unwrapped.wait]:
                actions[agent] = env.unwrapped.wait
            else:
                k = counts[agent] = counts.get(agent, -1) + 1
                actions[agent] = scripted(seed, int(agent[-1]), k, mask)
        observations, rewards, terminations, truncations, _ = env.step(actions)
        seen = [digest(o["observation"], o["action_mask"]) for o in observations.values()]
        trace.append((actions, seen, rewards, terminations, truncations))
    return trace


def parallel_total(env: Any, seed: int) -> dict[str, float]:
    """Rewards of a whole parallel game, by agent."""
    observations, _ = env.reset(seed=seed)
    total = dict.fromkeys(env.possible_agents, 0.0)
    for _, _, rewards, *_ in parallel_steps(env, seed, observations, {}):
        for agent, reward in rewards.items():
            total[agent] += reward
    return total

"""Frozen policies among a run's opponents: its own past, and exploiters.

Self-play forgets what it no longer meets, and a policy that beats all its past selves may still have
holes. So now and then an exploiter is trained that meets nobody but the policy as it is at that
moment, and if it has found a way to win, it stays among the opponents until the hole is mended (the
league of Vinyals et al. 2019, in small). Whether it has is seen in a match of its own, whose games
count nowhere else.

RUN/league/KEY.*    the frozen policies, named by the hash of their weights
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from agents.policy import NetworkPolicy, load_policy, save_policy
from evaluation.compare import play_pair
from training.build import freeze, make_env, make_model
from training.config import LeagueSection, TrainingConfig
from training.opponents import EXPLOITER, PAST, SELF, Member
from training.ppo import MagnetMaskablePPO
from training.sb3 import SelfPlayVecEnv

LEAGUE_STREAM, EXPLOITER_STREAM = 4, 5
"""Keep the random numbers of who leaves, and those of exploiters, apart from the run's others."""


@dataclass(frozen=True)
class Trial:
    """What came of an exploiter."""

    score: float
    """Its score in the promotion match: win rate, a draw counting half (with more than two seats the
    share of the others that it finished ahead of)."""
    joined: bool
    members: int
    """Exploiters that now get new games."""

    def __str__(self) -> str:
        """A line for those who watch the run."""
        outcome = "joined" if self.joined else "didn't join"
        return f"score {self.score:.3f}, {outcome} ({self.members} in play)"


class League:
    """Lets frozen policies into the pool of a run, and makes some that are hard to play."""

    def __init__(self, config: TrainingConfig, folder: Path) -> None:
        """Take the run's config and the folder of the frozen policies."""
        self.config, self.folder = config, folder
        self.luck = np.random.default_rng([config.run.seed, LEAGUE_STREAM])
        """Settles who leaves."""

    def remember(self, model: MagnetMaskablePPO, update: int) -> None:
        """A copy of the policy joins its past selves."""
        copy = freeze(model, f"{self.config.run.name}-{update}")
        self._admit(model.self_play_env, PAST, copy, self.config.opponents.past_members)

    def challenge(self, model: MagnetMaskablePPO, update: int) -> Trial:
        """Train an exploiter against the policy as it is, and let it in if it wins enough.

        All is settled by the run's seed and `update`, so a run that was killed meanwhile does the same again.
        """
        settings, env = self.config.league, model.self_play_env
        assert settings is not None
        seed = [self.config.run.seed, EXPLOITER_STREAM, update]
        learning, match = (int(part) for part in np.random.default_rng(seed).integers(2**31, size=2))
        target = freeze(model, f"{self.config.run.name}-{update}")
        found = _trained(model, target, _exploiting(self.config, settings, learning), settings)
        games = settings.promotion_games
        score = play_pair(env.game, env.scenario, found, target, games, match).score.mean
        joined = score >= settings.promotion_score
        if joined:
            self._admit(env, EXPLOITER, found, settings.exploiter_members)
        return Trial(score, joined, len(env.pool.in_play(EXPLOITER)))

    def restore(self, env: SelfPlayVecEnv, members: Iterable[tuple[str, str, bool, bool]]) -> None:
        """Put those who had joined back into a new pool: group, key, retired and gone of each.

        Raises:
            LoadError, UnknownNameError: a policy's file is missing or damaged.
        """
        for group, key, retired, gone in members:
            player = None if gone else load_policy(self.folder / key, env.spec)
            env.pool.add(Member(group, player, key, retired))

    def _admit(self, env: SelfPlayVecEnv, group: str, policy: NetworkPolicy, most: int) -> None:
        """A frozen policy joins a group; with `most` of them in play, a random one gets no new games."""
        pool, there = env.pool, env.pool.in_play(group)
        if len(there) >= most:
            pool.retire(there[int(self.luck.integers(len(there)))])
        key = policy.fingerprint()
        save_policy(self.folder / key, policy.weights(), policy.card)
        pool.add(Member(group, policy, key))
        pool.let_go(env.members)


def _exploiting(config: TrainingConfig, settings: LeagueSection, seed: int) -> TrainingConfig:
    """The run's config with an exploiter's seed, games, magnet and opponent."""
    learner = config.learner
    games = settings.exploiter_games or learner.games
    changed: dict[str, Any] = {
        "run": {"seed": seed},
        "learner": {
            "games": games,
            "batch_size": min(learner.batch_size, games * learner.steps),
            "magnet": settings.exploiter_magnet,
        },
        "opponents": {"weights": {SELF: 1.0}},
    }
    return config.model_copy(
        update={name: getattr(config, name).model_copy(update=new) for name, new in changed.items()}
    )


def _trained(
    model: MagnetMaskablePPO, target: NetworkPolicy, config: TrainingConfig, settings: LeagueSection
) -> NetworkPolicy:
    """The exploiter after its training, frozen."""
    table = model.self_play_env
    env = make_env(config, table.game, table.scenario, table.lens)
    exploiter = make_model(config, env)
    env.set_self(target)  # all other seats are the policy's that is to be beaten
    if not settings.from_scratch:
        exploiter.policy.load_state_dict(model.policy.state_dict())
        exploiter.settle_magnet()
    exploiter.begin()
    while exploiter.num_timesteps < settings.exploiter_decisions:
        exploiter.update(exploiter.num_timesteps / settings.exploiter_decisions)
    return freeze(exploiter, f"{target.name}-exploiter")

"""A head start: learn to play like a teacher before learning by play.

Games between copies of the teacher give observations, its choices and how the games ended. The
policy learns the choices (cross-entropy), the value network the ends, and the magnet starts where
the policy then stands. Luck hides small advantages for millions of decisions in a card game; a
policy that starts as good as the best hand-written player spends them on becoming better.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch as th
from torch.nn import functional

from agents.api import Agent
from fm_env.batch import Batch
from training.lens import Lens
from training.ppo import MagnetMaskablePPO
from training.sb3 import SelfPlayVecEnv

IMITATION_STREAM = 3
"""Keeps the teacher's games apart from all else that shares the run's seed."""

GAMES = 1024
BATCH_SIZE = 2048


@dataclass(frozen=True)
class Lessons:
    """What the teacher saw and did; rows are decisions with two or more legal actions."""

    observations: npt.NDArray[np.float32]
    """`[n, F]`"""
    masks: npt.NDArray[np.bool_]
    """`[n, A]`"""
    actions: npt.NDArray[np.int64]
    """`[n]`"""
    returns: npt.NDArray[np.float32]
    """`[n]`, what the seat had at the end of that game."""


def lessons(env: SelfPlayVecEnv, teacher: Agent, rows: int, seed: int, share: float = 1.0) -> Lessons:
    """About `rows` decisions, or some more, of games in which `teacher` plays every seat, all finished.

    Args:
        env: the learner's games, for what it is shown.
        teacher: who plays.
        rows: how many decisions to keep.
        seed: settles the games.
        share: of the decisions of a game, which are kept; where games are long, a small share of many games
            says more about how games end than all of a few.
    """
    batch = Batch(env.game, env.scenario, GAMES, seed=np.random.SeedSequence([seed, IMITATION_STREAM]))
    rng = np.random.default_rng([seed, IMITATION_STREAM])
    teacher.reset(env.spec, 0, seed)
    started = np.zeros(GAMES, np.int64)  # which game of its slot is running
    steps: list[tuple[npt.NDArray[Any], ...]] = []  # observations, masks, actions
    keys: list[npt.NDArray[Any]] = []  # slot, game of the slot, seat
    ends: dict[tuple[int, int], npt.NDArray[np.float64]] = {}
    taken = 0
    batch.reset()
    batch.advance()
    while taken < rows:
        asked = np.flatnonzero(batch.asked)
        actions = np.zeros(GAMES, np.int64)
        actions[asked] = teacher.act_batch(batch.obs[asked], batch.mask[asked], rng)
        kept = asked[rng.random(len(asked)) < share] if share < 1.0 else asked
        steps.append((env.shown(batch, kept), batch.mask[kept].copy(), actions[kept].copy()))
        keys.append(np.stack([kept, started[kept], batch.seat[kept]], axis=1))
        batch.step(actions)
        over = np.flatnonzero(batch.over)
        for slot in over:
            ends[int(slot), int(started[slot])] = batch.returns[slot].copy()
        started[over] += 1
        taken += len(kept)
        if len(over):
            batch.reset(over)
            batch.advance(over)
    return _through(env.lens, _with_ends(steps, np.concatenate(keys), ends))


def _through(lens: Lens, data: Lessons) -> Lessons:
    """The lessons with the learner's actions; those are dropped whose action it can't choose."""
    if lens.is_whole:
        return data
    own = np.isin(data.actions, lens.actions)
    return Lessons(
        data.observations[own],
        lens.allow(data.masks[own]),
        np.searchsorted(lens.actions, data.actions[own]),
        data.returns[own],
    )


def _with_ends(
    steps: list[tuple[npt.NDArray[Any], ...]],
    keys: npt.NDArray[Any],
    ends: dict[tuple[int, int], npt.NDArray[np.float64]],
) -> Lessons:
    """Join decisions with the ends of their games; drop those of unfinished games."""
    observations, masks, actions = (np.concatenate(parts) for parts in zip(*steps, strict=True))
    finished = np.array([(slot, game) in ends for slot, game, _ in keys.tolist()])
    returns = [ends[slot, game][seat] for slot, game, seat in keys[finished].tolist()]
    return Lessons(observations[finished], masks[finished], actions[finished], np.array(returns, np.float32))


def imitate(
    model: MagnetMaskablePPO,
    data: Lessons,
    epochs: int,
    learning_rate: float,
    seed: int,
    choices: bool = True,
) -> float:
    """Teach the model; returns the share of the last pass's choices that it would most likely take too.

    With `choices` False it learns only to tell how games will end.
    """
    policy = model.policy
    optimizer = th.optim.Adam(policy.parameters(), lr=learning_rate)
    rng = np.random.default_rng([seed, IMITATION_STREAM, 1])
    tensors = [
        th.as_tensor(x, device=model.device)
        for x in (data.observations, data.masks, data.actions, data.returns)
    ]
    agreed = 0.0
    policy.set_training_mode(True)
    for epoch in range(epochs):
        for group in optimizer.param_groups:
            group["lr"] = learning_rate * (1 - epoch / epochs)
        order = th.as_tensor(rng.permutation(len(data.actions)), device=model.device)
        hits: list[th.Tensor] = []
        for pick in order.split(BATCH_SIZE):
            obs, mask, action, end = (x.index_select(0, pick) for x in tensors)
            logits, values = model.evaluate(obs, mask)
            loss = 0.5 * functional.mse_loss(values, end)
            if choices:
                loss = loss + functional.cross_entropy(logits, action)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            hits.append((logits.argmax(1) == action).float().mean().detach())
        agreed = float(th.stack(hits).mean())
    model.settle_magnet()
    return agreed

"""Playing the games of one shard side by side, and keeping every decision."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from agents.api import Agent
from evaluation.arena import check_actions
from fm_env.batch import Batch
from fm_env.contract import Game, Mask, Observation, Scenario
from fm_env.errors import SetupError
from fm_env.sampler import lend
from training.dataset.layout import Arrays, fields_of, game_part, pack_masks

Ints = npt.NDArray[np.int64]

Progress = Callable[[int], None]
"""Called with the number of games just finished."""


class Deal(NamedTuple):
    """The games of one shard."""

    first: int
    """Number of its first game."""
    seeds: Ints
    """`[g]` the luck of each."""
    seated: Ints
    """`[g, S]` which agent has the seat."""
    luck: tuple[int, ...]
    """Names the generators that the agents draw from."""


def play_deal(
    game: Game,
    scenario: Scenario,
    agents: Sequence[Agent],
    deal: Deal,
    *,
    forced: bool = False,
    chances: bool = False,
    progress: Progress | None = None,
) -> Arrays:
    """Play the games to their ends; returns the arrays of a shard (`training.dataset.layout`).

    Args:
        game: the game.
        scenario: a scenario of it.
        agents: who plays; `deal.seated` says where.
        deal: which games.
        forced: keep choices with one legal action, too.
        chances: keep the chance of every action.
        progress: told whenever games end.

    Raises:
        IllegalActionError: an agent chose something that its mask forbids.
    """
    return _Players(game, scenario, agents, deal, forced, chances).play(progress)


class _Players:
    """A batch with the agents at its tables."""

    def __init__(
        self,
        game: Game,
        scenario: Scenario,
        agents: Sequence[Agent],
        deal: Deal,
        forced: bool,
        chances: bool,
    ) -> None:
        self.spec, self.agents, self.deal, self.forced = scenario.spec, agents, deal, forced
        self.part = game_part(scenario.spec, scenario.options)
        self.fields = fields_of(self.part, chances)
        self.keep_chances = chances
        self.rngs = [np.random.default_rng([*deal.luck, k]) for k in range(len(agents))]
        self.silent: set[int] = set()
        """Agents that don't tell their chances."""
        self.copies: dict[tuple[int, int], Agent] = {}
        for (i, seat), k in np.ndenumerate(deal.seated):
            agent = agents[int(k)]
            if not agent.plays_batches:  # it may remember, so each of its games has a copy
                copy = self.copies[i, seat] = agent.spawn()
                copy.reset(self.spec, seat, int(deal.seeds[i]) + seat)
        self.batch = Batch(game, scenario, len(deal.seeds), seed=0)

    def play(self, progress: Progress | None) -> Arrays:
        batch, num_games = self.batch, len(self.deal.seeds)
        batch.reset(seeds=self.deal.seeds)
        batch.advance(skip_forced=not self.forced)
        steps = np.zeros(num_games, np.int64)
        kept: list[Arrays] = []
        actions = np.zeros(num_games, np.int64)
        running = num_games
        while batch.asked.any():
            asked = np.flatnonzero(batch.asked)
            agent = self.deal.seated[asked, batch.seat[asked]]
            for k in np.unique(agent).tolist():
                rows = asked[agent == k]
                kept.append(self._decide(k, rows, steps[rows]))
                actions[rows] = kept[-1]["action"]
            steps[asked] += 1
            batch.step(actions, skip_forced=not self.forced)
            left = int(batch.asked.sum())
            if progress is not None and left < running:
                progress(running - left)
            running = left
        return self._sorted(kept, steps)

    def _decide(self, k: int, rows: Ints, steps: Ints) -> Arrays:
        """What agent k chooses in the games `rows`, as rows of a shard."""
        observations, masks = self.batch.obs[rows], self.batch.mask[rows]
        seats = self.batch.seat[rows].astype(np.int64)
        told = self._chances(k, observations, masks)
        actions = self._ask(k, rows, seats, observations, masks)
        decided = {
            "observation": observations,
            "mask": pack_masks(masks),
            "action": actions,
            "seat": seats,
            "agent": np.full(len(rows), k),
            "game": self.deal.first + rows,
            "step": steps,
            "probability": told[np.arange(len(rows)), actions],
        }
        return decided | ({"chances": told} if self.keep_chances else {})

    def _ask(self, k: int, rows: Ints, seats: Ints, observations: Observation, masks: Mask) -> Ints:
        agent = self.agents[k]
        if agent.plays_batches:
            chosen = np.asarray(agent.act_batch(observations, masks, self.rngs[k]))
        else:
            answers: list[int] = []
            for at, (i, seat) in enumerate(zip(rows.tolist(), seats.tolist(), strict=True)):
                player = self.copies[i, seat]
                lend(player, self.batch.game, self.spec, self.batch.states, i, seat)
                answers.append(player.act(observations[at], masks[at]))
            chosen = np.array(answers)
        check_actions(agent, chosen, self.batch.mask[rows])
        return chosen.astype(np.int64)

    def _chances(self, k: int, observations: Observation, masks: Mask) -> npt.NDArray[np.float32]:
        """`[n, A]`, NaN where the agent doesn't tell; one that once didn't isn't asked again."""
        if k not in self.silent:
            try:
                return np.asarray(self.agents[k].probabilities(observations, masks), np.float32)
            except SetupError:
                self.silent.add(k)
        return np.full(masks.shape, np.nan, np.float32)

    def _sorted(self, kept: list[Arrays], steps: Ints) -> Arrays:
        """All rows by game and step, with the ends of their games."""
        deal, returns = self.deal, self.batch.returns
        row_names = [name for name, field in self.fields.items() if field.shape[0] == "rows"]
        columns: dict[str, Any] = {}
        if kept:  # else nobody ever had a choice
            at = {name: np.concatenate([part[name] for part in kept]) for name in ("game", "step")}
            order = np.lexsort((at["step"], at["game"]))
            for name in row_names:
                if name != "return":
                    columns[name] = np.concatenate([part.pop(name) for part in kept])[order]
            columns["return"] = returns[columns["game"] - deal.first, columns["seat"]]
        columns |= {
            "game_seed": deal.seeds,
            "game_agent": deal.seated,
            "game_return": returns,
            "game_rows": steps,
        }
        out: Arrays = {}
        for name, field in self.fields.items():
            shape = tuple(n for n in field.shape[1:] if isinstance(n, int))
            out[name] = np.asarray(columns.get(name, np.zeros((0, *shape)))).astype(field.dtype)
        return out

"""What a search asks its base agent: how likely each action is, and how a position will end.

Positions come as rows of a batch's arrays. A judge without values (`has_values` False) leaves the search to
play on to the end of the game, by a compiled bot at engine speed where the base is one.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt

from agents.api import Agent
from agents.compiled import CompiledAgent
from agents.estimates import win_estimate
from agents.policy import NetworkPolicy
from agents.search.network import Network
from fm_env.contract import GameSpec, Mask, Observation
from fm_env.errors import SetupError

Rows = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]
Values = npt.NDArray[np.float64]

DOUBT = 0.1
"""Chance that a bot is believed to do something else than it says, spread evenly."""
ASKED = 4
"""Times a bot that draws its choices is asked what it would do."""


class Judge(Protocol):
    """How a search sees its base agent."""

    has_values: bool
    bot: CompiledAgent | None
    """Who plays on to the end where there are no values; None: whoever has the chances."""

    def chances(self, rows: Rows, observations: Observation, masks: Mask) -> Floats:
        """`[k, A]` chances of the legal actions."""
        ...

    def values(self, rows: Rows, observations: Observation, masks: Mask) -> Values:
        """`[k]` returns expected by the seats whose observations they are."""
        ...


def judge_of(base: Agent, spec: GameSpec) -> Judge:
    """The quickest judge for an agent.

    Raises:
        SetupError: the agent tells neither chances nor is a compiled bot (noticed when first asked).
    """
    if isinstance(base, NetworkPolicy):
        return NetworkJudge(base)
    if isinstance(base, CompiledAgent):
        return BotJudge(base)
    return AgentJudge(base, spec)


class NetworkJudge:
    """A policy file."""

    bot: CompiledAgent | None = None

    def __init__(self, policy: NetworkPolicy) -> None:
        """Copy its layers into compiled networks."""
        card = policy.card
        self._acting = Network(policy._layers, card.network.activation)
        self._adviser = policy.adviser
        self.has_values = card.value_network is not None
        self._value = (
            Network(policy._value_layers, card.value_network.activation) if card.value_network else None
        )

    def chances(self, rows: Rows, observations: Observation, masks: Mask) -> Floats:
        """By its network, advised if it has an adviser."""
        if self._adviser is None:
            return self._acting.chances(rows, observations, masks, np.full(len(rows), -1), 0.0)
        advised = self._adviser.bot.advise(observations[rows], masks[rows]).astype(np.int64)
        return self._acting.chances(rows, observations, masks, advised, self._adviser.weight)

    def values(self, rows: Rows, observations: Observation, masks: Mask) -> Values:
        """By its value network."""
        assert self._value is not None
        return self._value.values(rows, observations)


class BotJudge:
    """A compiled bot: what it does, with some doubt; and it can play on by itself."""

    has_values = False

    def __init__(self, bot: CompiledAgent) -> None:
        """Take it."""
        self.bot: CompiledAgent | None = bot
        self._asked = bot

    def chances(self, rows: Rows, observations: Observation, masks: Mask) -> Floats:
        """What it does when asked a few times, and a little of everything."""
        seen, legal = observations[rows], masks[rows]
        out = np.zeros(legal.shape, np.float32)
        for k in range(ASKED):
            chosen = self._asked.act_batch(seen, legal, np.random.default_rng(k))
            out[np.arange(len(rows)), chosen] += (1.0 - DOUBT) / ASKED
        return out + DOUBT * legal / legal.sum(axis=1, keepdims=True, dtype=np.float32)

    def values(self, rows: Rows, observations: Observation, masks: Mask) -> Values:
        """It has none."""
        raise AssertionError("a bot has no values")


class AgentJudge:
    """Any agent that tells its chances; if it says how positions will end, that is used, too."""

    bot: CompiledAgent | None = None

    def __init__(self, agent: Agent, spec: GameSpec) -> None:
        """Take it."""
        self._agent, self._spec = agent, spec
        self.has_values = False
        blank = np.zeros((1, spec.observation_size), np.float32)
        all_legal = np.ones((1, spec.num_actions), np.bool_)
        try:
            self.has_values = win_estimate(agent, blank, all_legal) is not None
        except SetupError as error:
            raise SetupError(f"search: base agent {agent.name!r}: {error}") from None

    def chances(self, rows: Rows, observations: Observation, masks: Mask) -> Floats:
        """As it tells them."""
        return np.asarray(self._agent.probabilities(observations[rows], masks[rows]), np.float32)

    def values(self, rows: Rows, observations: Observation, masks: Mask) -> Values:
        """The score it expects as a return."""
        scores = win_estimate(self._agent, observations[rows], masks[rows])
        assert scores is not None
        return self._spec.min_return + scores * (self._spec.max_return - self._spec.min_return)

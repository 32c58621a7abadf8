"""What an agent says of a position: the score that it expects and the chances of its actions, checked."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from agents.api import Agent
from fm_env.contract import Mask, Observation
from fm_env.errors import SetupError

Estimates = npt.NDArray[np.float64]


def win_estimate(agent: Agent, observations: Observation, masks: Mask) -> Estimates | None:
    """The scores that an agent expects, `[B]` in [0, 1]; None if it doesn't say.

    Args:
        agent: any agent.
        observations: `[B, F]` f4.
        masks: `[B, A]` bool.

    Raises:
        SetupError: its answer isn't one number in [0, 1] for each position.
    """
    found: Any = agent.win_estimate(observations, masks)
    if found is None:
        return None
    estimates = np.asarray(found, np.float64)
    if estimates.shape != (len(masks),) or not ((estimates >= 0) & (estimates <= 1)).all():
        raise SetupError(
            f"agent {agent.name!r}: win_estimate gave {estimates.dtype} of shape {estimates.shape},"
            f" expected {len(masks)} numbers from 0 to 1"
        )
    return estimates


def expected(agent: Agent, observations: Observation, masks: Mask) -> float | None:
    """The score that an agent expects from the first position; None if it doesn't say, or says nonsense."""
    try:
        told = win_estimate(agent, observations, masks)
    except SetupError:
        return None
    return None if told is None else float(told[0])


def chances(agent: Agent, observations: Observation, masks: Mask) -> npt.NDArray[np.float64] | None:
    """`[A]` chances of its actions in the first position; None if it doesn't tell."""
    try:
        return np.asarray(agent.probabilities(observations, masks), np.float64)[0]
    except SetupError:
        return None

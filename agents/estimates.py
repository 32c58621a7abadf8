"""What an agent expects of a game in progress, where it can tell.

An agent may offer `win_estimate(observations, masks)`: for `[B, F]` f4 and `[B, A]` bool the score that
it expects from each position, `[B]` in [0, 1]. The score is the share of the other seats it will finish
ahead of, ties counting half; with two seats that is the chance of a win plus half that of a draw.
"""

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
    # A foreign object stands behind a wrapper; what it offers counts as its agent's.
    offered: Any = getattr(agent, "win_estimate", None) or getattr(
        getattr(agent, "player", None), "win_estimate", None
    )
    if offered is None or (found := offered(observations, masks)) is None:
        return None
    estimates = np.asarray(found, np.float64)
    if estimates.shape != (len(masks),) or not ((estimates >= 0) & (estimates <= 1)).all():
        raise SetupError(
            f"agent {agent.name!r}: win_estimate gave {estimates.dtype} of shape {estimates.shape},"
            f" expected {len(masks)} numbers from 0 to 1"
        )
    return estimates

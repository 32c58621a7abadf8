"""What a seat may believe of the opponent's hidden cards, from its observation alone."""

from __future__ import annotations

from agents.service.protocol import Belief
from agents.service.setting import Setting
from fm_env.contract import Observation


def belief_of(setting: Setting, observation: Observation) -> Belief | None:
    """The chance that most of the opponent's hand is red; None where there is no model of it."""
    return None

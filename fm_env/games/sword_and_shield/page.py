"""What the generated tables of RULES.md show (`fm_env.games.rules_page`)."""

from __future__ import annotations

from fm_env.games.rules_page import Page, first_ids
from fm_env.games.sword_and_shield import GAME
from fm_env.games.sword_and_shield import actions as act


def section(label: str) -> str:
    """The part of the observation that a label belongs to."""
    if ": " in label:
        return label.split(": ")[0]
    return "phase" if label.startswith("phase ") else "situation"


PAGE = Page(
    game=GAME,
    scenarios=(("joust", {}),),
    action_starts=first_ids(act),
    section=section,
    actions_of="joust",
    observation_of="joust",
)

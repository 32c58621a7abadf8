"""What RULES.md shows in its generated tables (`fm_env.games.rules_page`)."""

from __future__ import annotations

from fm_env.games.angry_miniatures import GAME, actions
from fm_env.games.rules_page import Page, first_ids


def section(label: str) -> str:
    """The part of the observation that a label belongs to."""
    if ": " in label:
        return label.partition(": ")[0]
    return "phase" if label.startswith("phase ") else "situation"


PAGE = Page(
    game=GAME,
    scenarios=(("duel", {}), ("skirmish", {}), ("skirmish", {"teams": "build"})),
    action_starts=first_ids(actions) - {actions.NUM_ACTIONS},
    section=section,
    actions_of="skirmish",
    observation_of="skirmish",
)

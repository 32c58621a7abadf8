"""What the generated tables of RULES.md show (`fm_env.games.rules_page`)."""

from __future__ import annotations

from fm_env.games.fairy_tale import GAME
from fm_env.games.fairy_tale.actions import NUM_VERBS
from fm_env.games.rules_page import Page


def section(label: str) -> str:
    """The part of the observation that a label belongs to."""
    return label.partition(": ")[0] if ": " in label else "situation"


TYPES = GAME.scenario("expert").spec.num_actions // NUM_VERBS

PAGE = Page(
    game=GAME,
    scenarios=(
        ("basic", {"num_players": 2}),
        ("basic", {"num_players": 4}),
        ("expert", {"num_players": 2}),
        ("expert", {"num_players": 3}),
        ("expert", {"num_players": 5}),
    ),
    action_starts=[verb * TYPES for verb in range(NUM_VERBS)],
    section=section,
    actions_of="expert",
    observation_of="expert",
)

"""What the generated tables of RULES.md show (`fm_env.games.rules_page`)."""

from __future__ import annotations

from fm_env.games.fairy_meat import GAME
from fm_env.games.fairy_meat import actions as act
from fm_env.games.fairy_meat.observe_fight import FIGHT
from fm_env.games.rules_page import Page, first_ids


def section(label: str) -> str:
    """The part of the observation that a label belongs to."""
    if ": " in label:
        part = label.split(": ")[0]
        return f"{part} cards" if part.startswith("own") else part
    for start in ("phase", "unseen"):
        if label.startswith(f"{start} "):
            return start
    return "situation and rules"


PAGE = Page(
    game=GAME,
    scenarios=(
        ("clash", {}),
        ("duel", {}),
        ("scuffle", {"num_players": 2}),
        ("scuffle", {"num_players": 3}),
        ("scuffle", {"num_players": 4}),
        ("skirmish-1v1", {}),
        ("skirmish-2v2", {}),
        ("skirmish", {"num_players": 2}),
        ("skirmish", {"num_players": 3}),
        ("skirmish", {"num_players": 6}),
    ),
    # `trumps r1` is 1 after TRUMPS_RED, which is the id of `trumps none`; and black ones likewise.
    action_starts=first_ids(act) - {act.TRUMPS_BLACK} | {act.TRUMPS_RED + 1, act.TRUMPS_BLACK + 1},
    section=section,
    actions_of="skirmish",
    observation_of="duel",
    table_of=("skirmish", FIGHT),
)

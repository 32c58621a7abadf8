"""Texts of actions, one to one with their ids."""

from __future__ import annotations

from functools import cache

from fm_env.games.angry_miniatures import actions as act
from fm_env.games.angry_miniatures.constants import (
    ATTACK_NAMES,
    CELLS,
    CRIT_NAMES,
    FLAW_NAMES,
    MAX_STAT,
    PERK_NAMES,
    SIDE,
)
from fm_env.games.angry_miniatures.observe import square_name


def words(name: str) -> str:
    """`defence_melee` as `defence melee`."""
    return name.replace("_", " ")


@cache
def action_texts() -> tuple[str, ...]:
    """The text of every action id; squares and figures as the seat that acts sees them."""
    texts = [square_name(c) for c in range(CELLS)]
    texts += [f"own {k + 1}" for k in range(SIDE)] + [f"enemy {k + 1}" for k in range(SIDE)]
    texts += ["end", "stand up", "go first", "go second", "use crit", "decline"]
    texts += [f"body {n + 1}" for n in range(MAX_STAT)] + [f"mind {n + 1}" for n in range(MAX_STAT)]
    texts += list(ATTACK_NAMES)
    texts += [f"perk {words(name)}" for name in PERK_NAMES]
    texts += [f"flaw {words(name)}" for name in FLAW_NAMES]
    texts += [f"crit {words(name)}" for name in CRIT_NAMES]
    if len(texts) != act.NUM_ACTIONS:
        raise AssertionError("action ids and texts disagree")
    return tuple(texts)

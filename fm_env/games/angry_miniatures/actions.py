"""Action ids. Squares and figures are named as the seat that chooses sees them (`board.turned`)."""

from __future__ import annotations

from fm_env.games.angry_miniatures.constants import (
    ATTACK_NAMES,
    CELLS,
    CRIT_NAMES,
    FIGURES,
    FLAW_NAMES,
    MAX_STAT,
    PERK_NAMES,
)

CELL = 0
"""+ square: deploy there, move there."""
FIGURE = CELL + CELLS
"""+ place (own figures 0 to 2, then the other seat's): deploy, activate, attack, aim a Crit at."""
END = FIGURE + FIGURES
"""End the activation."""
STAND_UP = END + 1
GO_FIRST = STAND_UP + 1
GO_SECOND = GO_FIRST + 1
USE_CRIT = GO_SECOND + 1
"""A Crit that needs no aim."""
DECLINE = USE_CRIT + 1
"""Save the Crit; leave the commanded friend where she is."""
BODY = DECLINE + 1
"""+ value - 1."""
MIND = BODY + MAX_STAT
ATTACK = MIND + MAX_STAT
"""+ attack type."""
PERK = ATTACK + len(ATTACK_NAMES)
FLAW = PERK + len(PERK_NAMES)
CRIT = FLAW + len(FLAW_NAMES)
NUM_ACTIONS = CRIT + len(CRIT_NAMES)

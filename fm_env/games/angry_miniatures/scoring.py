"""Who has won (A-08)."""

from __future__ import annotations

from fm_env.compiled import rule
from fm_env.games.angry_miniatures.combat import side_health
from fm_env.games.angry_miniatures.constants import Phase


@rule
def returns(s, out):
    """+1, 0 or -1: more Health left wins; the side without figures has none (A-08)."""
    out[:] = 0
    if s.phase == Phase.OVER:
        mine, theirs = side_health(s, 0), side_health(s, 1)
        out[0] = int(mine > theirs) - int(mine < theirs)
        out[1] = int(theirs > mine) - int(theirs < mine)

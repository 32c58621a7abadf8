"""Who has won: points of a clash; the ranking by Fairy Points left in a bout.

A player whose fairies are all dead has no Fairy Points, so a kill beats everything else.
"""

from __future__ import annotations

from fm_env.compiled import rule
from fm_env.games.fairy_meat.constants import Phase, Play


@rule
def fairy_points(s, seat):
    """Live and Kill left in the Life sections of a player's fairies; 0 when all are dead."""
    n = 0
    for f in range(s.n_fairies):
        if s.owner[f] == seat:
            n += s.live[f] + s.kill[f]
    return n


@rule
def returns(s, out):
    """Clash: points to fairy 0's player, as many from the other's. Bout: placement, from +1 for
    beating everybody to -1 for losing to everybody; the sum is zero.

    Equal totals are a draw (F-68); who has lost all her fairies has no Fairy Points (F-75).
    """
    for seat in range(len(out)):
        out[seat] = 0.0
    if s.phase != Phase.OVER:
        return
    if s.play == Play.CLASH:
        out[s.owner[0]] = s.score
        out[s.owner[1]] = -s.score
        return
    for seat in range(s.n_seats):
        better = 0
        for other in range(s.n_seats):
            mine, hers = fairy_points(s, seat), fairy_points(s, other)
            if mine > hers:
                better += 1
            elif mine < hers:
                better -= 1
        out[seat] = better / (s.n_seats - 1)

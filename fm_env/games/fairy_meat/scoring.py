"""Who has won: points of a clash; the ranking by Fairy Points left in a bout, by points on the table.

A player whose fairies are all dead has no Fairy Points, so a kill beats everything else.
"""

from __future__ import annotations

from fm_env.compiled import rule
from fm_env.games.fairy_meat.constants import KILL_SCORE, Phase, Play


@rule
def fairy_points(s, seat):
    """Live and Kill left in the Life sections of a player's fairies; 0 when all are dead."""
    n = 0
    for f in range(s.n_fairies):
        if s.owner[f] == seat:
            n += s.live[f] + s.kill[f]
    return n


@rule
def table_points(s, seat):
    """Four for each kill, one for each point of meat eaten (rulebook, Scenario; F-67, F-72)."""
    return KILL_SCORE * s.kills[seat] + s.eaten[seat]


@rule
def standing(s, seat):
    """What players are ranked by."""
    return table_points(s, seat) if s.play == Play.SKIRMISH else fairy_points(s, seat)


@rule
def returns(s, out):
    """Clash: points to fairy 0's player, as many from the other's. Else: placement, from +1 for
    beating everybody to -1 for losing to everybody; the sum is zero.

    Equal totals are a draw (F-68); in a bout who has lost all her fairies has no Fairy Points (F-75).
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
            mine, hers = standing(s, seat), standing(s, other)
            if mine > hers:
                better += 1
            elif mine < hers:
                better -= 1
        out[seat] = better / (s.n_seats - 1)

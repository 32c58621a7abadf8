"""Achievement cards: what may still be done when an attack would hit (K-13).

What each card does is data of the deck (`scenario.Achievement`); the base deck has none.
"""

from __future__ import annotations

from fm_env.compiled import rule
from fm_env.games.sword_and_shield.cards import discard


@rule
def can_achieve(s, seat, c):
    """An Achievement whose price the knight can pay (K-11, K-13)."""
    return s.is_achievement[c] and s.price[c] <= s.fatigue[seat]


@rule
def on_would_be_hit(s, seat, c):
    """Play Achievement `c` as `seat` is about to be hit; True if the hit doesn't count (K-13).

    The price is paid first, then the knight regains what the card gives, never above a fresh pool,
    then the attacker pays; who is worn out by it is counted after the exchange (K-22).
    """
    discard(s, seat, c)
    s.fatigue[seat] = min(s.fatigue_max[seat], s.fatigue[seat] - s.price[c] + s.refreshes[c])
    s.fatigue[1 - seat] = max(0, s.fatigue[1 - seat] - s.strikes_back[c])
    return s.saves[c] == 1

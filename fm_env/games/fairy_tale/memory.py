"""What a seat knows of packets that it has seen in this round (T-12).

A seat sees packet `p` first as pick `first_sight`, then again every `n_seats` picks. Between two
sights it knows which cards are missing besides its own, but not who took which. A packet is looked
at here as five places: place `t` holds what was taken as pick `t`, the places from `drafted` on
hold what is left.
"""

from __future__ import annotations

from fm_env.compiled import rule
from fm_env.games.fairy_tale.constants import PACKET


@rule
def first_sight(s, seat, p):
    """The pick as which a seat sees packet `p` first."""
    k = seat - p if s.round_number % 2 == 0 else p - seat
    return int(k + s.n_seats if k < 0 else k)


@rule
def card_at(s, p, t):
    """The card in place `t` of packet `p`, or NO_CARD while it isn't dealt."""
    if t < s.drafted:
        return int(s.took[t, p])
    return int(s.packet[p, t - s.drafted])


@rule
def group_start(s, sight):
    """First place of what a seat learnt by the sight `sight`, its own pick left out.

    Before it has picked, the whole of what lies before it.
    """
    return sight + 1 if sight < s.drafted else sight


@rule
def group_end(s, sight):
    """Behind the last place of that group: the next sight if it has come, else the packet's end."""
    following = int(sight + s.n_seats)
    return following if following <= s.drafted and following < PACKET else PACKET


@rule
def is_away(s, seat, p, t):
    """Whether place `t` of packet `p` holds a card known to be in others' hands or under way (T-12)."""
    sight = first_sight(s, seat, p)
    if sight > s.drafted or t <= sight:
        return False
    return (min(t, s.drafted) - sight) % s.n_seats != 0

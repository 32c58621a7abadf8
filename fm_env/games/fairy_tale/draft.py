"""Drafting: five cards each, one kept and the rest passed on, until all are picked (T:22-28)."""

from __future__ import annotations

from fm_env.compiled import rule
from fm_env.games.fairy_tale.constants import NO_CARD, PACKET, Phase


@rule
def insert(pile, card):
    """Put a card into a sorted list."""
    k = len(pile) - 1
    while k > 0 and (pile[k - 1] == NO_CARD or pile[k - 1] > card):
        pile[k] = pile[k - 1]
        k -= 1
    pile[k] = card


@rule
def remove(pile, card):
    """Take one such card out of a sorted list."""
    k = 0
    while pile[k] != card:
        k += 1
    while k + 1 < len(pile):
        pile[k] = pile[k + 1]
        k += 1
    pile[k] = NO_CARD


@rule
def lead(s):
    """The seat that leads this round (T-07): the first seat moves on by one each round."""
    return int((s.first_seat + s.round_number) % s.n_seats)


@rule
def direction(s):
    """+1 where packets go clockwise (rounds 1 and 3), -1 where they go back (T-10)."""
    return 1 if s.round_number % 2 == 0 else -1


@rule
def seat_at(s, p, t):
    """Who picks from packet `p` as pick `t`: every pick it is one seat further (T-10)."""
    k = p + t if s.round_number % 2 == 0 else p - t + PACKET * s.n_seats
    return int(k % s.n_seats)


@rule
def packet_of(s, seat):
    """The packet that a seat looks at now (T-10)."""
    t = s.drafted
    k = seat - t + PACKET * s.n_seats if s.round_number % 2 == 0 else seat + t
    return int(k % s.n_seats)


@rule
def deal(s, card):
    """The next card from the deck, to the leading seat first, five to each (T-26)."""
    p = (lead(s) + s.dealt // PACKET) % s.n_seats
    insert(s.packet[p], card)
    s.deck[card] -= 1
    s.n_deck -= 1
    s.dealt += 1
    if s.dealt == PACKET * s.n_seats:
        s.phase = Phase.DRAFT


@rule
def pass_on(s):
    """All have picked: each keeps her card, the packets move on; the fifth pick is forced (T-10)."""
    take_picks(s)
    if s.drafted == PACKET - 1:
        for p in range(s.n_seats):
            s.choice[seat_at(s, p, s.drafted)] = s.packet[p, 0]
        take_picks(s)
        s.phase = Phase.PLAY


@rule
def take_picks(s):
    for p in range(s.n_seats):
        seat = seat_at(s, p, s.drafted)
        card = s.choice[seat]
        remove(s.packet[p], card)
        insert(s.hand[seat], card)
        s.took[s.drafted, p] = card
        s.choice[seat] = NO_CARD
    s.drafted += 1

"""The deck, the discard pile and the hands (K-15, K-18, K-19).

The deck has no order: a draw is a chance event over what is left in it.
"""

from __future__ import annotations

from fm_env.compiled import rule
from fm_env.games.sword_and_shield.constants import ATTACKS_A_WORD, COUNT_BITS, NUM_ATTACKS


@rule
def is_covered(s, c, a):
    """Whether the scroll of card `c` shows a defence against attack `a` (K-05)."""
    return (s.covers[c, a // ATTACKS_A_WORD] >> (COUNT_BITS * (a % ATTACKS_A_WORD))) & 1


@rule
def can_draw(s):
    """Whether a card can be had; an empty deck is made anew from the discards first (K-15)."""
    if s.n_deck > 0:
        return True
    if s.n_discard == 0:
        return False
    shuffle_discards(s)
    return True


@rule
def shuffle_discards(s):
    """The discards become the deck (K-15).

    While the deck was empty, whatever a seat had not seen lay in the other's hand: both hands are
    known now, and stay known card by card until they are played (K-19).
    """
    s.n_deck = s.n_discard
    s.n_discard = 0
    for c in range(s.n_types):
        s.deck[c] = s.discard[c]
        s.shuffled[c] = s.discard[c]
        s.discard[c] = 0
        for seat in range(2):
            s.known[seat, c] = s.hand[seat, c]
    s.shuffles += 1


@rule
def draw(s, seat, c):
    s.deck[c] -= 1
    s.n_deck -= 1
    s.hand[seat, c] += 1
    s.n_hand[seat] += 1


@rule
def leave_hand(s, seat, c):
    """A card is shown and leaves the hand; of equal cards a known one goes first (K-19).

    Of the cards that once took a hit no more can be left than are held (K-20).
    """
    s.hand[seat, c] -= 1
    s.n_hand[seat] -= 1
    if s.known[seat, c] > 0:
        s.known[seat, c] -= 1
    for a in range(NUM_ATTACKS):
        if s.bare[seat, a] > s.n_hand[seat]:
            s.bare[seat, a] = s.n_hand[seat]


@rule
def put_on_discards(s, c):
    """Discards lie open (K-18)."""
    s.discard[c] += 1
    s.n_discard += 1


@rule
def discard(s, seat, c):
    """Discard from a hand, openly (K-18)."""
    leave_hand(s, seat, c)
    put_on_discards(s, c)

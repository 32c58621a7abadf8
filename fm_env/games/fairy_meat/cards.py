"""The Fairy Deck, the Spoils Heap and hands (rulebook, The Fairy Deck; F-01 to F-05, U-29 to U-31).

Every card is in exactly one pile: the deck, a hand, an Order Card, the table, or the heap. The
deck has no order: a draw is a chance event over what is left.
"""

from __future__ import annotations

from fm_env.compiled import rule
from fm_env.games.fairy_meat.constants import FIRST_TRUMP, JOKER, NO_CARD, NUM_CARDS, RED


@rule
def is_number(card):
    return 0 <= card < FIRST_TRUMP


@rule
def is_trump(card):
    return FIRST_TRUMP <= card < JOKER


@rule
def colour_of(card):
    """0 red, 1 black; of a number or trump."""
    return card & 1


@rule
def value_of(card):
    """Face value of a number, 2 to 10."""
    return card // 2 + 2


@rule
def call_rank(card):
    """Rank in the countdown: A 1, 2 .. 10, J 11, Q 12, K 13, joker 14 (F-08, F-11)."""
    if card == JOKER:
        return 14
    rank = card // 2 + 2
    return 1 if rank == 14 else rank


@rule
def n_numbers(s, f):
    n = 0
    for c in range(FIRST_TRUMP):
        n += s.hand[f, c]
    return n


@rule
def n_trumps(s, f, colour):
    """Trumps of one colour in a hand."""
    n = 0
    for c in range(FIRST_TRUMP + colour, JOKER, 2):
        n += s.hand[f, c]
    return n


@rule
def lowest_trump(s, f, colour):
    """The trump of that colour that leaves the hand first: lowest rank, J to A (U-38); or NO_CARD."""
    for c in range(FIRST_TRUMP + colour, JOKER, 2):
        if s.hand[f, c] > 0:
            return c
    return NO_CARD


# ------------------------------------------------------------------------------------- the deck
@rule
def shuffle_heap(s):
    """Shuffle the Spoils Heap into the deck (F-03, U-29); all knowledge of the heap ends (U-35)."""
    for c in range(NUM_CARDS):
        n = s.heap_up[c]
        s.heap_up[c] = 0
        for seat in range(s.n_seats):
            n += s.heap_down[seat, c]
            s.heap_down[seat, c] = 0
        s.deck[c] += n
        s.n_deck += n
        s.shuffled[c] = s.deck[c]
    s.shuffles += 1


@rule
def is_heap_empty(s):
    for c in range(NUM_CARDS):
        if s.heap_up[c] > 0:
            return False
        for seat in range(s.n_seats):
            if s.heap_down[seat, c] > 0:
                return False
    return True


@rule
def can_draw(s):
    """Whether a card can be had: from the deck, or from the heap that would become it."""
    return s.n_deck > 0 or not is_heap_empty(s)


@rule
def renew_deck(s):
    """A card is to be drawn: an empty deck is made anew from the heap first (F-03, U-29)."""
    if s.n_deck == 0:
        shuffle_heap(s)


@rule
def take_from_deck(s, card):
    s.deck[card] -= 1
    s.n_deck -= 1


@rule
def put_in_hand(s, f, card):
    s.hand[f, card] += 1
    s.n_hand[f] += 1


# ------------------------------------------------------------------------------------- the heap
@rule
def discard_up(s, card):
    s.heap_up[card] += 1


@rule
def discard_down(s, f, card):
    """Face down: known to the owner of `f` alone until the next shuffle (F-69, U-35)."""
    s.heap_down[s.owner[f], card] += 1


@rule
def discard_hand(s, f):
    """What a fairy did not play goes to the heap face down (F-04, U-31)."""
    if s.n_hand[f] == 0:
        return
    for c in range(NUM_CARDS):
        n = s.hand[f, c]
        if n > 0:
            s.heap_down[s.owner[f], c] += n
            s.hand[f, c] = 0
    s.n_hand[f] = 0


@rule
def discard_order_cards(s, f):
    """All her Order Cards go to the heap; only the one she turned up is seen (F-13, U-30)."""
    if s.shown[f] != NO_CARD:
        s.order[f, s.shown[f]] -= 1
        discard_up(s, s.shown[f])
        s.shown[f] = NO_CARD
    for c in range(NUM_CARDS):
        n = s.order[f, c]
        if n > 0:
            s.heap_down[s.owner[f], c] += n
            s.order[f, c] = 0
    s.n_order[f] = 0


# ------------------------------------------------------------------------------------ the table
@rule
def lay_trumps(s, f, colour, n):
    """Lay `n` trumps of a colour face down, lowest rank first (U-07, U-38)."""
    for _ in range(n):
        card = lowest_trump(s, f, colour)
        s.hand[f, card] -= 1
        s.n_hand[f] -= 1
        s.laid[f, card] += 1
        s.n_laid[f] += 1


@rule
def lay_supports(s, f, n):
    """Lay `n` trumps of any colour behind the main card (F-39): red first, low first (F-78)."""
    red = min(n, n_trumps(s, f, RED))
    lay_trumps(s, f, RED, red)
    lay_trumps(s, f, 1 - RED, n - red)


@rule
def clear_table(s, f):
    """Her cards of this exchange go to the heap, face up if they were turned up (U-09, U-32)."""
    if s.n_laid[f] > 0:
        for c in range(FIRST_TRUMP, JOKER):
            n = s.laid[f, c]
            if n > 0:
                if s.laid_up[f]:
                    s.heap_up[c] += n
                else:
                    s.heap_down[s.owner[f], c] += n
                s.laid[f, c] = 0
        s.n_laid[f] = 0
    if s.n_wild[f] > 0:
        for c in range(FIRST_TRUMP, JOKER):
            s.heap_up[c] += s.wild[f, c]
            s.wild[f, c] = 0
        s.n_wild[f] = 0
    if s.main[f] >= 0:
        discard_up(s, s.main[f])
    s.main[f] = -1
    s.main_up[f] = 0
    s.laid_up[f] = 0
    s.points_wild[f] = 0
    s.shift[f] = 0
    s.boost_on[f] = 0

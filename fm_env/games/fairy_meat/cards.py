"""The Fairy Deck, the Spoils Heap and hands (rulebook, The Fairy Deck; F-01 to F-05, U-29 to U-31).

Every card is in exactly one pile: the deck, a hand, an Order Card, the table, or the heap. The
deck has no order: a draw is a chance event over what is left.
"""

from __future__ import annotations

from fm_env.compiled import rule
from fm_env.games.fairy_meat.constants import FIRST_TRUMP, HAND, JOKER, NO_CARD, NUM_CARDS, ORDER, RED


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
    """Shuffle the Spoils Heap into the deck (F-03, U-29); all knowledge of the heap ends (U-35).

    What was known of the cards still held outlives it (U-48).
    """
    remember_held(s)
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
def remember_held(s):
    """Start the record of a shuffle: what is held through it, and who knew what right before (U-48).

    A deck that is shuffled in the middle of a round has run out, so the cards that a seat hasn't
    seen are then the others' unseen cards and what only they have seen go to the heap. An earlier
    shuffle is forgotten.
    """
    s.held[:] = 0
    s.mixed_in[:] = 0
    s.joined[:] = 0
    s.dropped[:] = 0
    s.exposed[:] = 0
    total = 0
    for f in range(len(s.alive)):
        s.kept[f, HAND] = s.n_hand[f] + (0 if s.laid_up[f] else s.n_laid[f])
        s.kept[f, ORDER] = s.n_order[f] - (s.shown[f] != NO_CARD)
        for pile in range(2):
            s.open[f, pile] = s.kept[f, pile] > 0
            total += s.kept[f, pile]
    if total == 0:
        return
    for f in range(s.n_fairies):
        for c in range(NUM_CARDS):
            n = s.hand[f, c] + s.order[f, c] - (s.shown[f] == c)
            if not s.laid_up[f]:
                n += s.laid[f, c]
            s.held[s.owner[f], c] += n
    for seat in range(s.n_seats):
        for c in range(NUM_CARDS):
            s.mixed_in[seat, c] = s.heap_down[seat, c]


@rule
def note_joined(s, f, pile):
    """A card came to a pile that was held through the shuffle."""
    if s.open[f, pile]:
        s.joined[f, pile] += 1


@rule
def note_dropped(s, f, pile, n):
    """Cards of such a pile went to the heap face down."""
    if s.open[f, pile]:
        s.dropped[f, pile] += n


@rule
def note_exposed(s, f, pile, card):
    """A card of such a pile was shown."""
    if s.open[f, pile]:
        s.exposed[f, pile, card] += 1


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
    note_joined(s, f, HAND)


@rule
def show_from_hand(s, f, card):
    """A card leaves the hand for all to see."""
    s.hand[f, card] -= 1
    s.n_hand[f] -= 1
    note_exposed(s, f, HAND, card)


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
    note_dropped(s, f, HAND, s.n_hand[f])
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
        s.n_order[f] -= 1
        discard_up(s, s.shown[f])
        s.shown[f] = NO_CARD
    note_dropped(s, f, ORDER, s.n_order[f])
    s.open[f, ORDER] = 0
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
def turn_up_laid(s, f):
    """The trumps she laid are turned up."""
    s.laid_up[f] = 1
    if s.open[f, HAND]:
        for c in range(FIRST_TRUMP, JOKER):
            s.exposed[f, HAND, c] += s.laid[f, c]


@rule
def clear_table(s, f):
    """Her cards of this exchange go to the heap, face up if they were turned up (U-09, U-32)."""
    if s.n_laid[f] > 0:
        if not s.laid_up[f]:
            note_dropped(s, f, HAND, s.n_laid[f])
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

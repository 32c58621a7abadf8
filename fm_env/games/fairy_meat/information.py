"""Who knows what: the key of an information set, and a fair guess at what is hidden.

F-69 and U-35: cards never turned up are known to their owner alone, and a shuffle ends all
knowledge of the heap. `resample` deals the cards that a seat has not seen anew over the places
that it can't see into, uniformly over the deals that fit the record:

- trumps laid face down in UnclEvl's combat share a colour (U-07);
- a fairy who laid a wild trump holds no number, one who used points holds no trump either, and
  nobody holds a joker in a spell (F-58);
- an Order Card that had to be used by now is not held any more (F-09);
- choices already laid face down by others are some choice that their new cards allow;
- what others hold since before the last shuffle was unseen then (`held_over`, U-48).
"""

from __future__ import annotations

import numpy as np

from fm_env.compiled import allocating_rule, rule
from fm_env.games.fairy_meat.actions import NUM_TABLE
from fm_env.games.fairy_meat.choices import is_secret, legal_actions
from fm_env.games.fairy_meat.combat_fast_play import legal_main
from fm_env.games.fairy_meat.constants import (
    BLACK,
    END_SLOT,
    FIRST_TRUMP,
    JOKER,
    NO_CARD,
    NUM_CARDS,
    RED,
    Phase,
    Play,
)
from fm_env.games.fairy_meat.guesswork import guess_table
from fm_env.games.fairy_meat.held_over import (
    KINDS,
    deal_held_over,
    end_of_types,
    first_type,
    hand_admits,
    remembers_shuffle,
    write_known_before,
)
from fm_env.games.fairy_meat.observe import observe
from fm_env.games.fairy_meat.order import last_slot
from fm_env.rng import random_below


@rule
def info_key(s, seat, out):
    """Bytes of what `seat` knows: its observation, and what outlives a shuffle in mid-round (U-48)."""
    seen = len(out) - record_key_size(s.live.shape[0], s.held.shape[0])
    observe(s, seat, out[:seen].view(np.float32))
    write_record_key(s, seat, out[seen:])


@rule
def record_key_size(max_fairies, max_seats):
    """Bytes of `write_record_key`."""
    return 4 * NUM_CARDS + max_seats + max_fairies * 2 * (4 + NUM_CARDS)


@rule
def write_record_key(s, seat, out):
    """The record of the last shuffle as `seat` knows it: all 0 if nobody held a card through it."""
    out[:] = 0
    if not remembers_shuffle(s):
        return
    write_known_before(s, seat, out[:NUM_CARDS], out[NUM_CARDS : 2 * NUM_CARDS])
    for c in range(NUM_CARDS):
        out[2 * NUM_CARDS + c] = s.held[seat, c]
        out[3 * NUM_CARDS + c] = s.mixed_in[seat, c]
    i = 4 * NUM_CARDS
    for k in range(s.n_seats):
        for c in range(NUM_CARDS):
            out[i] += s.mixed_in[(seat + k) % s.n_seats, c]
        i += 1
    i = 4 * NUM_CARDS + s.held.shape[0]
    for place in range(s.n_fairies):
        f = s.roster[seat, place]
        for pile in range(2):
            out[i] = s.kept[f, pile]
            out[i + 1] = s.joined[f, pile]
            out[i + 2] = s.dropped[f, pile]
            out[i + 3] = s.open[f, pile]
            for c in range(NUM_CARDS):
                out[i + 4 + c] = s.exposed[f, pile, c]
            i += 4 + NUM_CARDS


@allocating_rule
def resample(s, seat, rng):
    """Replace what `seat` can't see by a random guess that fits all it has seen."""
    pool = np.zeros(NUM_CARDS, np.int64)
    while True:
        gather_hidden(s, seat, pool)
        if remembers_shuffle(s):
            deal_held_over(s, seat, pool, rng)
        else:
            deal_hidden(s, seat, pool, rng)
        for c in range(NUM_CARDS):
            s.deck[c] = pool[c]
        if are_order_cards_possible(s, seat):
            break
    rechoose(s, seat, rng)
    if s.play == Play.SKIRMISH:
        guess_table(s, seat, rng)


@rule
def hides_hand(s, seat, f):
    return s.owner[f] != seat


@rule
def gather_hidden(s, seat, pool):
    """Collect every card whose place `seat` doesn't know; the counts of each place stay."""
    for c in range(NUM_CARDS):
        n = s.deck[c]
        s.deck[c] = 0
        for other in range(s.n_seats):
            if other != seat:
                n += s.heap_down[other, c]
        for f in range(s.n_fairies):
            if hides_hand(s, seat, f):
                n += s.hand[f, c] + s.order[f, c]
                s.hand[f, c] = 0
                s.order[f, c] = 0
                if s.shown[f] == c:
                    n -= 1
                    s.order[f, c] = 1
                if not s.laid_up[f]:
                    n += s.laid[f, c]
                    s.laid[f, c] = 0
        pool[c] = n


@rule
def deal_hidden(s, seat, pool, rng):
    """Deal the pool to the hidden places, the most restricted first; what is left is the deck.

    The sets of cards that places admit are nested or disjoint, so dealing place after place,
    each uniformly, gives every whole deal the same chance.
    """
    for f in range(s.n_fairies):
        if hides_hand(s, seat, f) and s.n_laid[f] > 0 and not s.laid_up[f]:
            colour = guess_colour(pool, s.n_laid[f], rng)
            for _ in range(s.n_laid[f]):
                s.laid[f, draw_from(pool, FIRST_TRUMP + colour, JOKER, 2, rng)] += 1
    for admits in range(KINDS):
        for f in range(s.n_fairies):
            if hides_hand(s, seat, f) and s.n_hand[f] > 0 and hand_admits(s, f) == admits:
                first, end = first_type(admits, RED), end_of_types(admits)
                for _ in range(s.n_hand[f]):
                    s.hand[f, draw_from(pool, first, end, 1, rng)] += 1
    for f in range(s.n_fairies):
        if hides_hand(s, seat, f):
            for _ in range(s.n_order[f] - (s.shown[f] != NO_CARD)):
                s.order[f, draw_from(pool, 0, NUM_CARDS, 1, rng)] += 1
    for other in range(s.n_seats):
        if other != seat:
            n = 0
            for c in range(NUM_CARDS):
                n += s.heap_down[other, c]
                s.heap_down[other, c] = 0
            for _ in range(n):
                s.heap_down[other, draw_from(pool, 0, NUM_CARDS, 1, rng)] += 1


@rule
def guess_colour(pool, n, rng):
    """Colour of `n` trumps laid face down, in proportion to the ways of laying them."""
    red = ways(count(pool, RED), n)
    black = ways(count(pool, BLACK), n)
    return RED if random_below(rng, red + black) < red else BLACK


@rule
def count(pool, colour):
    n = 0
    for c in range(FIRST_TRUMP + colour, JOKER, 2):
        n += pool[c]
    return n


@rule
def ways(n, k):
    """Binomial coefficient; at most C(32, 16), far below 2**62."""
    if k > n:
        return 0
    w = 1
    for j in range(k):
        w = w * (n - j) // (j + 1)
    return w


@rule
def draw_from(pool, first, end, step, rng):
    """Take a uniformly random card of the types `first, first + step, .. < end` from the pool."""
    total = 0
    for c in range(first, end, step):
        total += pool[c]
    k = random_below(rng, total)
    for c in range(first, end, step):
        k -= pool[c]
        if k < 0:
            pool[c] -= 1
            return c
    return NO_CARD


@rule
def are_order_cards_possible(s, seat):
    """Nobody holds on to a card past the poll at which she must act (F-09)."""
    due = s.slot + s.slot % 2
    for f in range(s.n_fairies):
        unseen = hides_hand(s, seat, f) and s.n_order[f] > 0 and s.shown[f] == NO_CARD
        if unseen and not s.acted[f] and last_slot(s, f) < min(due, END_SLOT):
            return False
    return True


@allocating_rule
def rechoose(s, seat, rng):
    """Others' choices of this secret phase: any that their new cards allow, each equally likely."""
    if not is_secret(s.phase):
        return
    mask = np.zeros(NUM_TABLE, np.bool_)
    for f in range(s.n_fairies):
        if not hides_hand(s, seat, f):
            continue
        if s.phase == Phase.SUPPORTS and s.main_choice[f] >= 0:
            mask[:] = False
            s.main_choice[f] = nth_legal(mask, random_below(rng, legal_main(s, f, mask)))
        if s.choice[f] >= 0:
            mask[:] = False
            s.choice[f] = nth_legal(mask, random_below(rng, legal_actions(s, f, mask)))


@rule
def nth_legal(mask, n):
    for a in range(len(mask)):
        if mask[a]:
            if n == 0:
                return a
            n -= 1
    return -1

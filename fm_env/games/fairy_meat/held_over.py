"""A fair guess at what is hidden when cards were held through the last shuffle (U-48).

A card held since before the shuffle is one that the guessing seat had not seen by then; a card
that came since may be any of the new deck. Let `before` count the cards that the seat had not
seen right before the shuffle and `through` those and the heap's together, by type, and let `a`
count the guessed cards that were held through it, whether hidden still or shown since. Among all
deals of the unseen cards to the hidden places (the uniform ones of `information.deal_hidden`), a
deal then has the weight

    product over types of  before (before - 1) .. (a factors) / through (through - 1) .. (a factors):

the chance that all `a` copies are copies that the seat had not seen. The cards that it has seen
since cancel out: each of them is one of `through`, wherever it had been.

Of a hand that was drawn partly before and partly after the shuffle nobody can tell which of its
cards left it since, so each of its cards is as likely as any other to be an old one.

Cards are drawn place by place with these weights. Where the sum of the weights depends on what
was drawn earlier, the whole deal is kept with the probability sum / its largest value, so that
the deals that are kept have exactly the weights above.
"""

from __future__ import annotations

import numpy as np

from fm_env.compiled import allocating_rule, rule
from fm_env.games.fairy_meat.constants import (
    BLACK,
    FIRST_TRUMP,
    HAND,
    JOKER,
    NO_CARD,
    NUM_CARDS,
    ORDER,
    RED,
    Kind,
)
from fm_env.rng import random_below, random_float

SCALE = 720720
"""Weights are whole multiples of 1 / SCALE: it divides by every number of equal cards, 1 to 16."""

# What a place admits, the most restricted first.
LOT = 0
"""Trumps of one colour, laid face down (U-07)."""
JOKERS = 1
TRUMPS = 2
NO_NUMBER = 3
NO_JOKER = 4
"""A hand of a spell, which any joker would have ended (F-58)."""
ANY = 5
KINDS = 6

# Columns of a table with one row for each hidden card.
PILE = 0
"""`IN_HAND`, `IN_ORDER`, `LAID` or `IN_HEAP`."""
WHOSE = 1
"""Fairy; seat for the heap."""
ADMITS = 2
RECORD = 3
"""`2 * fairy + HAND or ORDER` if the card belongs to what was held through the shuffle, or -1."""
MIXED = 4
"""1: that is both old and new cards."""
OLD = 5
"""1: this one was held through the shuffle."""
CARD = 6
COLUMNS = 7

IN_HAND = HAND
IN_ORDER = ORDER
LAID = 2
IN_HEAP = 3


@rule
def remembers_shuffle(s):
    """Whether somebody held a card through the last shuffle."""
    for f in range(s.n_fairies):
        if s.kept[f, HAND] + s.kept[f, ORDER] > 0:
            return True
    return False


@rule
def write_known_before(s, seat, before, through):
    """What `seat` had not seen right before the last shuffle; that and what it knew of the heap."""
    for c in range(NUM_CARDS):
        before[c] = 0
        through[c] = s.shuffled[c]
        for other in range(s.n_seats):
            if other != seat:
                before[c] += s.held[other, c] + s.mixed_in[other, c]
                through[c] += s.held[other, c]


# ---------------------------------------------------------------------------- the hidden cards
@rule
def list_hidden(s, seat, rows):
    """One row for each card that `seat` can't see outside the deck; returns how many."""
    n = 0
    for f in range(s.n_fairies):
        if s.owner[f] != seat:
            if not s.laid_up[f]:
                n = add_rows(s, rows, n, s.n_laid[f], LAID, f, LOT, f, HAND, s.open[f, HAND] == 1)
            n = add_rows(
                s, rows, n, s.n_hand[f], IN_HAND, f, hand_admits(s, f), f, HAND, s.open[f, HAND] == 1
            )
            unshown = s.n_order[f] - (s.shown[f] != NO_CARD)
            n = add_rows(s, rows, n, unshown, IN_ORDER, f, ANY, f, ORDER, s.open[f, ORDER] == 1)
    for other in range(s.n_seats):
        if other != seat:
            new = 0
            for c in range(NUM_CARDS):
                new += s.heap_down[other, c]
            for f in range(s.n_fairies):
                if s.owner[f] == other:
                    for pile in (HAND, ORDER):
                        dropped = s.dropped[f, pile]
                        n = add_rows(s, rows, n, dropped, IN_HEAP, other, ANY, f, pile, True)
                        new -= dropped
            n = add_rows(s, rows, n, new, IN_HEAP, other, ANY, 0, HAND, False)
    return n


@rule
def hand_admits(s, f):
    """What can be left in her hand as all know it: after a wild trump no number (U-20), after points
    no trump either (U-27), in a spell no joker (F-58).
    """
    if s.no_trump[f]:
        return JOKERS
    if s.kind == Kind.PRICK:
        return TRUMPS if s.no_number[f] else NO_JOKER
    return NO_NUMBER if s.no_number[f] else ANY


@rule
def add_rows(s, rows, n, count, pile, whose, admits, f, kind, recorded):
    for i in range(n, n + count):
        rows[i, PILE] = pile
        rows[i, WHOSE] = whose
        rows[i, ADMITS] = admits
        rows[i, RECORD] = 2 * f + kind if recorded else -1
        rows[i, MIXED] = recorded and s.joined[f, kind] > 0
        rows[i, OLD] = recorded and s.joined[f, kind] == 0
        rows[i, CARD] = NO_CARD
    return n + count


# --------------------------------------------------------------------------------- one draw
@rule
def weight(unseen, before, through, c, old):
    """Weight of type `c` for the next card, times SCALE."""
    if not old:
        return unseen[c] * SCALE
    return unseen[c] * before[c] * (SCALE // through[c]) if before[c] > 0 else 0


@rule
def total_weight(unseen, before, through, admits, colour, old):
    total = 0
    for c in range(first_type(admits, colour), end_of_types(admits), step_of_types(admits)):
        total += weight(unseen, before, through, c, old)
    return total


@rule
def draw(unseen, before, through, admits, colour, old, total, rng):
    """Take a card with these weights."""
    k = random_below(rng, total)
    for c in range(first_type(admits, colour), end_of_types(admits), step_of_types(admits)):
        k -= weight(unseen, before, through, c, old)
        if k < 0:
            unseen[c] -= 1
            before[c] -= old
            through[c] -= old
            return c
    return NO_CARD


@rule
def first_type(admits, colour):
    if admits == LOT:
        return FIRST_TRUMP + colour
    if admits == JOKERS:
        return JOKER
    return FIRST_TRUMP if admits == TRUMPS or admits == NO_NUMBER else 0


@rule
def end_of_types(admits):
    return JOKER if admits == LOT or admits == TRUMPS or admits == NO_JOKER else NUM_CARDS


@rule
def step_of_types(admits):
    return 2 if admits == LOT else 1


@rule
def write_largest_weights(unseen, before, through, most):
    """`most[old, admits]`: bounds of `total_weight` while cards leave."""
    for old in range(2):
        for admits in range(KINDS):
            red = total_weight(unseen, before, through, admits, RED, old)
            black = total_weight(unseen, before, through, admits, BLACK, old)
            most[old, admits] = max(red, black)


@rule
def least_fall(unseen, before, through):
    """By how much the sum of the weights of old cards falls at least with each that is drawn."""
    least = 1.0
    for c in range(NUM_CARDS):
        u, o, t = unseen[c], before[c], through[c]
        while u > 0 and o > 0 and t > 1:
            least = min(least, (t * (u + o - 1) - u * o) / (t * (t - 1)))
            u -= 1
            o -= 1
            t -= 1
    return least * SCALE


# ---------------------------------------------------------------------------------- one guess
@allocating_rule
def deal_held_over(s, seat, pool, rng):
    """Deal the pool of unseen cards to the hidden places with the weights above (U-48).

    What is left in the pool is the deck. The piles of the other seats must be empty but for the
    heap (`information.gather_hidden`); their part of the record is written anew with them.
    """
    counts = np.zeros((6, NUM_CARDS), np.int64)
    unseen, before, through = counts[0], counts[1], counts[2]
    first_before, first_through, first_unseen = counts[3], counts[4], counts[5]
    write_known_before(s, seat, first_before, first_through)
    first_unseen[:] = pool
    n = 0
    for c in range(NUM_CARDS):
        n += pool[c]
    rows = np.zeros((n, COLUMNS), np.int64)
    n = list_hidden(s, seat, rows)
    most = np.zeros((2, KINDS))
    share = np.zeros(NUM_CARDS)
    ratios = np.zeros(np.sum(s.pack))
    old_shown = np.zeros((s.held.shape[0], NUM_CARDS), np.int64)
    while True:
        unseen[:] = first_unseen
        before[:] = first_before
        through[:] = first_through
        old_shown[:] = 0
        take_old_shown(s, seat, before, through, old_shown)
        write_largest_weights(unseen, before, through, most)
        for c in range(NUM_CARDS):
            share[c] = before[c] / through[c] if through[c] > 0 else 0.0
        chance = label_mixed(s, seat, rows[:n], before, through, most, share, ratios, old_shown, rng)
        if chance > 0.0:
            chance *= fill(rows[:n], unseen, before, through, most, rng)
        if random_float(rng) < chance:
            break
    for i in range(n):
        if rows[i, CARD] == NO_CARD:
            total = total_weight(unseen, before, through, ANY, RED, 0)
            rows[i, CARD] = draw(unseen, before, through, ANY, RED, 0, total, rng)
    write_piles(s, seat, rows[:n])
    write_record(s, seat, rows[:n], first_before, first_through, old_shown, rng)
    pool[:] = unseen


@rule
def take_old_shown(s, seat, before, through, old_shown):
    """Cards shown from what is wholly old were held through the shuffle for certain."""
    for f in range(s.n_fairies):
        if s.owner[f] != seat:
            for pile in (HAND, ORDER):
                if s.joined[f, pile] == 0:
                    for c in range(NUM_CARDS):
                        before[c] -= s.exposed[f, pile, c]
                        through[c] -= s.exposed[f, pile, c]
                        old_shown[s.owner[f], c] += s.exposed[f, pile, c]


@rule
def label_mixed(s, seat, rows, before, through, most, share, ratios, old_shown, rng):
    """Say which cards of each mixed hand are old, every choice alike.

    Returns the chance to keep the choice: how much less it weighs than the best one could.
    """
    chance = 1.0
    for f in range(s.n_fairies):
        if s.owner[f] != seat:
            for pile in (HAND, ORDER):
                if s.joined[f, pile] > 0:
                    chance *= label(s, f, pile, rows, before, through, most, share, ratios, old_shown, rng)
    return chance


@rule
def label(s, f, pile, rows, before, through, most, share, ratios, old_shown, rng):
    old_left = int(s.kept[f, pile])
    left = old_left + s.joined[f, pile]
    chance = 1.0
    n = 0
    for c in range(NUM_CARDS):
        for _ in range(s.exposed[f, pile, c]):
            ratios[n] = share[c]
            n += 1
            old = random_below(rng, left) < old_left
            left -= 1
            if old:
                old_left -= 1
                if before[c] <= 0:
                    return 0.0
                chance *= before[c] / through[c]
                before[c] -= 1
                through[c] -= 1
                old_shown[s.owner[f], c] += 1
    for i in range(len(rows)):
        if rows[i, RECORD] == 2 * f + pile:
            admits = rows[i, ADMITS]
            ratios[n] = most[1, admits] / most[0, admits]
            n += 1
            rows[i, OLD] = random_below(rng, left) < old_left
            left -= 1
            old_left -= rows[i, OLD]
    return chance / best_product(ratios, n, s.kept[f, pile])


@rule
def best_product(ratios, n, k):
    """Product of the `k` largest of `n` ratios, which it sorts to the front."""
    product = 1.0
    for i in range(k):
        for j in range(i + 1, n):
            if ratios[j] > ratios[i]:
                ratios[i], ratios[j] = ratios[j], ratios[i]
        product *= ratios[i]
    return product


@rule
def fill(rows, unseen, before, through, most, rng):
    """Draw for every place but new cards without restriction; returns the chance to keep the deal.

    Old cards come first, since they have fewest to come from; within each kind the most
    restricted. Sums of weights are compared with their bounds: for old cards of wholly old piles
    of their own kind, for a mixed pile always those of new cards (`label` has the rest).
    """
    colour = random_below(rng, 2)
    fall = least_fall(unseen, before, through)
    chance = 1.0
    drawn = 0
    for stage in range(3):
        for admits in range(KINDS):
            for i in range(len(rows)):
                if rows[i, ADMITS] != admits or stage_of(rows, i) != stage:
                    continue
                old = rows[i, OLD]
                total = total_weight(unseen, before, through, admits, colour, old)
                if total == 0:
                    return 0.0
                bound = most[old if stage == 0 else 0, admits]
                if stage == 0 and admits == ANY:
                    bound -= fall * drawn
                drawn += stage == 0
                chance *= total / bound
                rows[i, CARD] = draw(unseen, before, through, admits, colour, old, total, rng)
    return chance


@rule
def stage_of(rows, i):
    """0: wholly old, 1: old card of a mixed pile, 2: new one of it, or restricted; 3: the rest."""
    if rows[i, OLD]:
        return 1 if rows[i, MIXED] else 0
    return 2 if rows[i, MIXED] or rows[i, ADMITS] != ANY else 3


# ------------------------------------------------------------------------------ written down
@rule
def write_piles(s, seat, rows):
    for other in range(s.n_seats):
        if other != seat:
            for c in range(NUM_CARDS):
                s.heap_down[other, c] = 0
    for i in range(len(rows)):
        whose, card = rows[i, WHOSE], rows[i, CARD]
        if rows[i, PILE] == IN_HAND:
            s.hand[whose, card] += 1
        elif rows[i, PILE] == IN_ORDER:
            s.order[whose, card] += 1
        elif rows[i, PILE] == LAID:
            s.laid[whose, card] += 1
        else:
            s.heap_down[whose, card] += 1


@rule
def write_record(s, seat, rows, before, through, old_shown, rng):
    """What the others held and knew, as it follows from the guess; the rest of `before` was theirs."""
    for other in range(s.n_seats):
        if other != seat:
            for c in range(NUM_CARDS):
                s.held[other, c] = old_shown[other, c]
    for i in range(len(rows)):
        if rows[i, OLD]:
            s.held[s.owner[rows[i, RECORD] // 2], rows[i, CARD]] += 1
    rest = 0
    for c in range(NUM_CARDS):
        s.shuffled[c] = through[c]
        for other in range(s.n_seats):
            if other != seat:
                s.shuffled[c] -= s.held[other, c]
                before[c] -= s.held[other, c]
        rest += before[c]
    for other in range(s.n_seats):
        if other != seat:
            n = 0
            for c in range(NUM_CARDS):
                n += s.mixed_in[other, c]
                s.mixed_in[other, c] = 0
            for _ in range(n):
                card = draw(before, before, through, ANY, RED, 0, rest * SCALE, rng)
                s.mixed_in[other, card] += 1
                rest -= 1

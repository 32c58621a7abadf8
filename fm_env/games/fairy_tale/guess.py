"""The hidden part of a round, guessed fairly: who took which of the cards that a seat saw pass.

Copies of a card are told apart here. A guess puts every copy of each group of `memory` into one of
the group's places, fills the places that the seat never saw from the pool of unseen copies, and says
which place each card came from that others have played. All guesses that fit are equally likely.

The plays are what makes that hard: a revealed card must come from a place of its player. So each
play gets its place first, one after the other, with the weight that this place has given those
before: `copies left / places left` of its group, or of the pool. The product of these weights is the
number of ways to fill the rest. Since the sums of the weights may depend on earlier choices, a whole
guess is kept with a chance in proportion to their product, and else begun anew.
"""

from __future__ import annotations

import numpy as np

from fm_env.compiled import allocating_rule, rule
from fm_env.games.fairy_tale.constants import MAX_SEATS, NO_CARD, PACKET, PLAYS
from fm_env.games.fairy_tale.draft import seat_at
from fm_env.games.fairy_tale.memory import card_at, first_sight, group_end, group_start
from fm_env.rng import random_below, random_float

POOL = -1
"""`group` of a place that the seat never saw."""
OWN = -2
"""`group` of a place that is known."""
NO_PLACE = -3
"""`group` of a place that holds nothing yet."""
MAX_GROUPS = MAX_SEATS * PACKET


@allocating_rule
def guess_places(s, seat, pool, places, rng):
    """Fill `places[p, t]` with what lies there in the guess; NO_CARD where nothing is dealt yet.

    Args:
        s: the state; not changed.
        seat: whose knowledge counts.
        pool: `[C]` copies of each card that it has not seen; those placed are taken out.
        places: `[5, 5]`, written.
        rng: generator row.
    """
    types = len(pool)
    group = np.full((MAX_SEATS, PACKET), NO_PLACE, np.int64)
    copies = np.zeros((MAX_GROUPS, types), np.int64)
    size = np.zeros(MAX_GROUPS, np.int64)
    find_groups(s, seat, group, copies, size, places)
    if s.played[0, 0] != NO_CARD:
        while not place_plays(s, seat, group, copies, size, pool, places, rng):
            pass
    for p in range(s.n_seats):
        for t in range(PACKET):
            if places[p, t] == NO_CARD and group[p, t] >= POOL:
                g = group[p, t]
                places[p, t] = take_from(pool if g == POOL else copies[g], rng)


@rule
def take_from(counts, rng):
    """Take a random copy out of counts, evenly over copies."""
    total = 0
    for c in range(len(counts)):
        total += counts[c]
    k = random_below(rng, total)
    c = 0
    while k >= counts[c]:
        k -= counts[c]
        c += 1
    counts[c] -= 1
    return c


@rule
def find_groups(s, seat, group, copies, size, places):
    """Sort the places of this round: own picks, groups seen in passing, places never seen."""
    n = 0
    for p in range(s.n_seats):
        sight = first_sight(s, seat, p)
        for t in range(PACKET):
            if card_at(s, p, t) != NO_CARD and (t < sight or sight > s.drafted):
                group[p, t] = POOL
        while sight < PACKET and sight <= s.drafted:
            start, end = group_start(s, sight), group_end(s, sight)
            if start > sight:
                group[p, sight] = OWN
                places[p, sight] = s.took[sight, p]
            for t in range(start, end):
                card = card_at(s, p, t)
                if card != NO_CARD:
                    group[p, t] = n
                    copies[n, card] += 1
                    size[n] += 1
            n += 1
            sight += s.n_seats


@allocating_rule
def place_plays(s, seat, group, copies, size, pool, places, rng):
    """Try to give every play of the others a place; False (and nothing changed) if the try is refused.

    For each play the sum of its weights is held against a bound that no earlier choice can lift it
    above: earlier plays may all have drawn from the same group or pool, or not.
    """
    now_places, now_copies, now_pool = places.copy(), copies.copy(), pool.copy()
    used = np.zeros(MAX_GROUPS, np.int64)  # places of each group that plays have taken
    could = np.zeros((MAX_GROUPS, MAX_SEATS), np.int64)  # plays by seat that might have
    sure = np.zeros(len(pool), np.int64)  # copies that were taken from the pool for want of a group
    sure_of = np.zeros(MAX_SEATS, np.int64)  # ... by seat
    weight = np.zeros((MAX_SEATS, PACKET), np.float64)
    unseen, drawn, could_draw = pool.sum(), 0, 0
    kept = 1.0
    # Plays that can only come from the pool go first: they narrow the rest.
    for later in range(2):
        for step in range(PLAYS):
            for j in range(s.n_seats):
                card = s.played[step, j]
                if j == seat or card == NO_CARD or has_group(s, group, copies, j, card) != later:
                    continue
                total, bound, from_pool = 0.0, 0.0, 0
                weight[:] = 0.0
                for p in range(s.n_seats):
                    t = first_sight(s, j, p)
                    while t < PACKET:
                        g = group[p, t]
                        free = now_places[p, t] == NO_CARD
                        if g == POOL:
                            from_pool += 1
                            if free:
                                weight[p, t] = now_pool[card] / (unseen - drawn)
                        elif copies[g, card] > 0:
                            most = could[g].sum() - could[g, j]
                            bound += min(1.0, copies[g, card] / max(1, size[g] - most))
                            could[g, j] += 1
                            if free:
                                weight[p, t] = now_copies[g, card] / (size[g] - used[g])
                        total += weight[p, t]
                        t += s.n_seats
                if from_pool > 0:
                    share = (pool[card] - sure[card]) / max(1, unseen - could_draw)
                    bound += (from_pool - sure_of[j]) * min(1.0, share)
                    could_draw += 1
                if total <= 0.0:
                    return False
                kept *= total / bound
                p, t = choose_place(weight, total, rng)
                now_places[p, t] = card
                if group[p, t] == POOL:
                    now_pool[card] -= 1
                    drawn += 1
                else:
                    now_copies[group[p, t], card] -= 1
                    used[group[p, t]] += 1
                if later == 0:
                    sure[card] += 1
                    sure_of[j] += 1
    if random_float(rng) >= kept:
        return False
    places[:] = now_places
    copies[:] = now_copies
    pool[:] = now_pool
    return True


@rule
def has_group(s, group, copies, j, card):
    """1 if a group that `j` has picked from holds such a card, else 0."""
    for p in range(s.n_seats):
        for t in range(PACKET):
            if group[p, t] >= 0 and copies[group[p, t], card] > 0 and seat_at(s, p, t) == j:
                return 1
    return 0


@rule
def choose_place(weight, total, rng):
    """A place with a chance in proportion to its weight."""
    left = random_float(rng) * total
    best_p, best_t = 0, 0
    for p in range(weight.shape[0]):
        for t in range(weight.shape[1]):
            if weight[p, t] > 0.0 and left >= 0.0:
                best_p, best_t = p, t
                left -= weight[p, t]
    return best_p, best_t

"""Who knows what: the key of an information set, and a fair guess at what is hidden (T-11, T-12).

The key holds the table, the seat's own cards and, for this round, all it has seen of each packet
(`memory`). Of earlier rounds it holds the seat's own unused cards and those of the others that it can
be sure of (`playing.remember_unused`); more than that is forgotten.

`resample` deals, drafts and plays the hidden cards anew, so that every way of dealing and choosing
single cards (copies told apart) that fits what the seat knows is equally likely.
"""

from __future__ import annotations

import numpy as np

from fm_env.compiled import allocating_rule, rule
from fm_env.games.fairy_tale.constants import MAX_SEATS, MAX_TURNED, NO_CARD, PACKET, PLAYS, Phase
from fm_env.games.fairy_tale.decisions import legal_actions
from fm_env.games.fairy_tale.draft import insert, packet_of, remove, seat_at
from fm_env.games.fairy_tale.guess import guess_places, take_from
from fm_env.games.fairy_tale.memory import card_at, first_sight, group_end, group_start
from fm_env.rng import random_below

HEADER = 12 + MAX_TURNED
ROUND = PACKET + PACKET * MAX_SEATS + PLAYS * MAX_SEATS + 3 * MAX_SEATS


def info_key_size(types: int) -> int:
    """Bytes of a key."""
    return HEADER + ROUND + (2 * MAX_SEATS + 2) * types


@rule
def info_key(s, seat, out):
    """Bytes of what `seat` knows."""
    write_header(s, seat, out[:HEADER])
    i = HEADER
    for k in range(PACKET):
        out[i + k] = s.hand[seat, k] + 1
    i += PACKET
    for p in range(MAX_SEATS):
        if p < s.n_seats:
            write_packet(s, seat, p, out[i : i + PACKET])
        else:
            out[i : i + PACKET] = 0
        i += PACKET
    for step in range(PLAYS):
        for j in range(MAX_SEATS):
            out[i] = s.played[step, j] + 1
            i += 1
    for j in range(MAX_SEATS):
        out[i] = s.fires[j]
        out[i + 1] = s.owes[j]
        out[i + 2] = 0
        i += 3
    types = s.pack.shape[0]
    for j in range(MAX_SEATS):
        for c in range(types):
            out[i + c] = s.up[j, c]
            out[i + types + c] = s.down[j, c]
        i += 2 * types
    for c in range(types):
        out[i + c] = s.out[seat, c]
        out[i + types + c] = s.known_out[seat, c]


@rule
def write_header(s, seat, out):
    out[:] = 0
    out[0] = s.n_seats
    out[1] = s.first_seat
    out[2] = s.rounds
    out[3] = s.strict_most
    out[4] = s.phase
    out[5] = s.round_number
    out[6] = s.dealt
    out[7] = s.drafted
    out[8] = s.step
    out[9] = s.turn
    out[10] = s.choice[seat] + 1
    out[11] = s.n_turned[seat]
    for k in range(MAX_TURNED):
        out[12 + k] = s.turned[seat, k] + 1


@rule
def write_packet(s, seat, p, out):
    """Five bytes of what the seat knows of a packet: own picks, and sorted groups of what it saw."""
    out[:] = 0
    sight = first_sight(s, seat, p)
    while sight < PACKET and sight <= s.drafted:
        start, end = group_start(s, sight), group_end(s, sight)
        if start > sight:
            out[sight] = s.took[sight, p] + 1
        for t in range(start, end):
            card = card_at(s, p, t) + 1
            k = t
            while k > start and out[k - 1] > card:
                out[k] = out[k - 1]
                k -= 1
            out[k] = card
        sight += s.n_seats


# ------------------------------------------------------------------------------------ the guess
@allocating_rule
def resample(s, seat, rng):
    """Replace what `seat` can't see by a random guess that fits all it has seen.

    In a guess the other seats remember nothing of earlier rounds but their own unused cards.
    """
    pool = np.zeros(s.pack.shape[0], np.int64)
    places = np.full((MAX_SEATS, PACKET), NO_CARD, np.int64)
    gather_hidden(s, seat, pool)
    guess_places(s, seat, pool, places, rng)
    put_back_round(s, seat, places)
    guess_unused(s, seat, pool, rng)
    for c in range(len(pool)):
        s.deck[c] = pool[c]
    rechoose(s, seat, rng)


@rule
def gather_hidden(s, seat, pool):
    """Count the cards whose place `seat` doesn't know, as far as no group of a packet holds them."""
    for c in range(len(pool)):
        n = s.deck[c] - s.known_out[seat, c]
        for j in range(s.n_seats):
            if j != seat:
                n += s.out[j, c]
        pool[c] = n
    for p in range(s.n_seats):
        sight = first_sight(s, seat, p)
        for t in range(PACKET):
            if t < sight or sight > s.drafted:
                card = card_at(s, p, t)
                if card != NO_CARD:
                    pool[card] += 1


@rule
def put_back_round(s, seat, places):
    """Write guessed places as picks, packets and hands."""
    for j in range(s.n_seats):
        if j != seat:
            s.hand[j, :] = NO_CARD
    for p in range(s.n_seats):
        s.packet[p, :] = NO_CARD
        for t in range(PACKET):
            card = places[p, t]
            if card == NO_CARD:
                continue
            if t >= s.drafted:
                insert(s.packet[p], card)
                continue
            s.took[t, p] = card
            picker = seat_at(s, p, t)
            if picker != seat:
                insert(s.hand[picker], card)
    for step in range(PLAYS):
        for j in range(s.n_seats):
            if j != seat and s.played[step, j] != NO_CARD:
                remove(s.hand[j], s.played[step, j])


@allocating_rule
def guess_unused(s, seat, pool, rng):
    """Others' unused cards of earlier rounds: those known for sure in random places, the rest drawn."""
    known = 0
    for c in range(len(pool)):
        known += s.known_out[seat, c]
    sure = s.known_out[seat].copy()
    left = (PACKET - PLAYS) * s.round_number * (s.n_seats - 1)
    for j in range(s.n_seats):
        if j == seat:
            continue
        s.out[j, :] = 0
        s.known_out[j, :] = 0
        for _ in range((PACKET - PLAYS) * s.round_number):
            if random_below(rng, left) < known:
                s.out[j, take_from(sure, rng)] += 1
                known -= 1
            else:
                s.out[j, take_from(pool, rng)] += 1
            left -= 1


@allocating_rule
def rechoose(s, seat, rng):
    """Others' choices of this secret moment: any of the cards they may choose, evenly."""
    types = s.pack.shape[0]
    for j in range(s.n_seats):
        if j == seat:
            continue
        if s.choice[j] != NO_CARD:
            pile = s.packet[packet_of(s, j)] if s.phase == Phase.DRAFT else s.hand[j]
            n = 0
            while n < PACKET and pile[n] != NO_CARD:
                n += 1
            s.choice[j] = pile[random_below(rng, n)]
        chosen = s.n_turned[j]
        if chosen > 0:
            mask = np.zeros(4 * types, np.bool_)
            s.n_turned[j] = 0
            s.turned[j, :] = NO_CARD
            for k in range(chosen):
                mask[:] = False
                n = random_below(rng, legal_actions(s, j, mask))
                for c in range(types):
                    if mask[(int(s.phase) - 1) * types + c]:
                        if n == 0:
                            s.turned[j, k] = c
                        n -= 1
                s.n_turned[j] += 1

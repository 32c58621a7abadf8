"""Everything that must be true of a state, checked from outside the rules (`state.Fault`)."""

from __future__ import annotations

from fm_env.compiled import rule
from fm_env.games.sword_and_shield.constants import (
    HITS_TO_LOSE,
    MAX_CARDS,
    NO_CARD,
    NO_SEAT,
    NUM_ATTACKS,
    Phase,
)
from fm_env.games.sword_and_shield.state import Fault

# Numba combines integers, not enumeration members.
CARDS = int(Fault.CARDS)
NEGATIVE = int(Fault.NEGATIVE)
COUNTS = int(Fault.COUNTS)
FATIGUE = int(Fault.FATIGUE)
HITS = int(Fault.HITS)
PHASE = int(Fault.PHASE)
SEAT = int(Fault.SEAT)
KNOWN = int(Fault.KNOWN)


@rule
def faults(s):
    return card_faults(s) | count_faults(s) | knight_faults(s) | phase_faults(s)


@rule
def card_faults(s):
    """Every card of the pack is in exactly one pile, and no pile holds fewer than none."""
    found = 0
    for c in range(MAX_CARDS):
        n = s.deck[c] + s.discard[c] + s.hand[0, c] + s.hand[1, c] + (s.card == c)
        if n != s.pack[c]:
            found |= CARDS
        if min(min(s.deck[c], s.discard[c]), min(s.hand[0, c], s.hand[1, c])) < 0:
            found |= NEGATIVE
        if s.shuffled[c] < s.deck[c]:
            found |= CARDS
        for seat in range(2):
            if s.known[seat, c] < 0 or s.known[seat, c] > s.hand[seat, c]:
                found |= KNOWN
    return found


@rule
def count_faults(s):
    """The counts kept beside the piles agree with them."""
    deck = 0
    discards = 0
    wrong = False
    for c in range(MAX_CARDS):
        deck += s.deck[c]
        discards += s.discard[c]
    for seat in range(2):
        hand = 0
        for c in range(MAX_CARDS):
            hand += s.hand[seat, c]
        wrong |= hand != s.n_hand[seat] or hand > s.hand_limit
        for a in range(NUM_ATTACKS):
            wrong |= s.bare[seat, a] < 0 or s.bare[seat, a] > hand
    return COUNTS if wrong or deck != s.n_deck or discards != s.n_discard else 0


@rule
def knight_faults(s):
    """Pools and hits within bounds; an empty pool is fresh again before the next turn (K-10)."""
    found = 0
    for seat in range(2):
        between = s.phase != Phase.DEFEND
        if s.fatigue[seat] < between or s.fatigue[seat] > s.fatigue_max[seat]:
            found |= FATIGUE
        # A hit and a wearing out may meet in the last exchange.
        if s.hits[seat] < 0 or s.hits[seat] > HITS_TO_LOSE + 1:
            found |= HITS
        if s.hits[seat] >= HITS_TO_LOSE and s.phase != Phase.OVER:
            found |= HITS
    return found


@rule
def phase_faults(s):
    """The phase is known and fits the table: a card lies there while it is to be answered."""
    found = 0
    if s.phase < 0 or s.phase > Phase.OVER or (s.phase == Phase.DEFEND) != (s.card != NO_CARD):
        found |= PHASE
    if (s.phase == Phase.FIRST) != (s.attacker == NO_SEAT) or s.attacker < NO_SEAT or s.attacker > 1:
        found |= SEAT
    if (s.phase == Phase.DRAW) != (s.drawing != NO_SEAT) or s.drawing < NO_SEAT or s.drawing > 1:
        found |= SEAT
    if s.phase == Phase.DRAW and s.n_deck <= 0:
        found |= PHASE
    return found

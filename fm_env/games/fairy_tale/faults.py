"""Everything that must be true of a state, checked from outside the rules (`state.Fault`)."""

from __future__ import annotations

from fm_env.compiled import rule
from fm_env.games.fairy_tale.constants import (
    MAX_SEATS,
    NO_CARD,
    NUM_KINDS,
    NUM_RACES,
    PACKET,
    PLAYS,
    ROUNDS,
    Kind,
    Phase,
    Race,
)
from fm_env.games.fairy_tale.decisions import is_anyone_asked
from fm_env.games.fairy_tale.scoring import count_points, gain_of
from fm_env.games.fairy_tale.state import Fault

# Numba combines integers, not enumeration members.
CARDS = int(Fault.CARDS)
NEGATIVE = int(Fault.NEGATIVE)
COUNTS = int(Fault.COUNTS)
PILES = int(Fault.PILES)
PHASE = int(Fault.PHASE)
PLACE = int(Fault.PLACE)
OPTION = int(Fault.OPTION)
MEMORY = int(Fault.MEMORY)
POINTS = int(Fault.POINTS)


@rule
def faults(s):
    # Everything else trusts these to stay inside the record.
    found = place_faults(s)
    if found != 0:
        return found
    return card_faults(s) | count_faults(s) | pile_faults(s) | memory_faults(s) | point_faults(s)


@rule
def place_faults(s):
    right = 2 <= s.n_seats <= MAX_SEATS and 0 <= s.first_seat < s.n_seats and 1 <= s.rounds <= ROUNDS
    right = right and 0 <= s.strict_most <= 1 and 0 < s.n_types <= s.pack.shape[0]
    if not right:
        return OPTION
    right = 0 <= s.round_number <= s.rounds and 0 <= s.drafted <= PACKET and 0 <= s.step < PLAYS
    right = right and 0 <= s.dealt <= PACKET * s.n_seats and 0 <= s.turn < s.n_seats
    for seat in range(s.n_seats):
        right = right and NO_CARD <= s.choice[seat] < s.n_types and 0 <= s.n_turned[seat] <= s.owes[seat]
        for k in range(PACKET):
            right = right and NO_CARD <= s.packet[seat, k] < s.n_types
            right = right and NO_CARD <= s.hand[seat, k] < s.n_types
    if not right:
        return PLACE
    known = Phase.DEAL <= s.phase <= Phase.OVER
    waiting = s.phase == Phase.DEAL or s.phase == Phase.OVER
    if not known or waiting == is_anyone_asked(s) or (s.phase == Phase.OVER) != (s.round_number == s.rounds):
        return PHASE
    return 0


@rule
def card_faults(s):
    """Every card of the pack is in exactly one place, and no pile holds fewer than none."""
    found = 0
    for c in range(s.pack.shape[0]):
        n = int(s.deck[c])
        lowest = int(s.deck[c])
        for seat in range(MAX_SEATS):
            n += s.up[seat, c] + s.down[seat, c] + s.out[seat, c]
            lowest = min(lowest, min(int(s.up[seat, c]), min(int(s.down[seat, c]), int(s.out[seat, c]))))
            for k in range(PACKET):
                n += 1 if s.packet[seat, k] == c else 0
                n += 1 if s.hand[seat, k] == c else 0
        if n != s.pack[c]:
            found |= CARDS
        if lowest < 0:
            found |= NEGATIVE
    return found


@rule
def count_faults(s):
    """The counts kept beside the piles agree with them."""
    n_deck = 0
    wrong = False
    for c in range(s.n_types):
        n_deck += s.deck[c]
        n = 0
        for seat in range(s.n_seats):
            n += s.up[seat, c] + s.down[seat, c]
        wrong |= n != s.shown[c]
    wrong |= n_deck != s.n_deck
    for seat in range(s.n_seats):
        for race in range(NUM_RACES):
            for kind in range(NUM_KINDS):
                n = 0
                for c in range(s.n_types):
                    if s.up[seat, c] != 0 and s.race[c] == race and s.kind[c] == kind:
                        n += s.up[seat, c]
                wrong |= n != s.tally[seat, race, kind]
        for race in range(NUM_RACES):
            n = 0
            for kind in range(NUM_KINDS):
                n += s.tally[seat, race, kind]
            wrong |= n != s.tally[seat, race, Kind.ANY]
        for kind in range(NUM_KINDS):
            n = 0
            for race in range(NUM_RACES):
                n += s.tally[seat, race, kind]
            wrong |= n != s.tally[seat, Race.ANY, kind]
    return COUNTS if wrong else 0


@rule
def pile_faults(s):
    """Packets and hands have the sizes of the moment and are sorted."""
    wrong = False
    for seat in range(s.n_seats):
        left = PACKET - s.drafted
        held = s.drafted
        if s.phase == Phase.DEAL:
            left = 0
            for k in range(PACKET):
                left += s.packet[seat, k] != NO_CARD
        elif s.phase == Phase.OVER:
            left = 0
        elif s.phase > Phase.DRAFT:
            held = PACKET - s.step - (s.phase != Phase.PLAY)
        wrong |= not is_sorted(s.packet[seat], left) or not is_sorted(s.hand[seat], held)
    return PILES if wrong else 0


@rule
def is_sorted(pile, n):
    """Whether a list holds `n` cards in order and nothing behind them."""
    for k in range(len(pile)):
        if (pile[k] == NO_CARD) != (k >= n):
            return False
        if 0 < k < n and pile[k] < pile[k - 1]:
            return False
    return True


@rule
def memory_faults(s):
    """What a seat is sure of is there: others' unused cards of earlier rounds."""
    for seat in range(s.n_seats):
        for c in range(s.n_types):
            n = 0
            for other in range(s.n_seats):
                if other != seat:
                    n += s.out[other, c]
            if s.known_out[seat, c] < 0 or s.known_out[seat, c] > n:
                return MEMORY
    return 0


@rule
def point_faults(s):
    """Points and gains are those of the tableaux, gains counted the slow way."""
    for seat in range(s.n_seats):
        if s.points[seat] != count_points(s, seat):
            return POINTS
        for c in range(s.n_types):
            if s.gain[seat, c] != gain_of(s, seat, c, 1):
                return POINTS
    return 0

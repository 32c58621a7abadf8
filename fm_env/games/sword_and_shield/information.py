"""Who knows what: the key of an information set, and a fair guess at what is hidden.

Hidden from a seat are the deck and, of the other's hand, all cards but those it is sure of (K-19).
Discards lie open (K-18), so every other card's place is known.
"""

from __future__ import annotations

import numpy as np

from fm_env.compiled import rule
from fm_env.games.sword_and_shield.observe import observe
from fm_env.rng import random_below


@rule
def info_key(s, seat, out):
    """Bytes of what `seat` knows: its observation, which holds every fact once."""
    observe(s, seat, out.view(np.float32))


@rule
def resample(s, seat, rng):
    """Deal the unknown part of the other's hand anew from all cards that it may consist of.

    Uniform over the deals of physical cards that fit what `seat` has seen: the unknown cards were
    drawn from the deck that now holds the rest.
    """
    other = 1 - seat
    unknown = 0
    for c in range(s.n_types):
        n = s.hand[other, c] - s.known[other, c]
        s.deck[c] += n
        s.hand[other, c] = s.known[other, c]
        unknown += n
    hidden = s.n_deck + unknown
    for _ in range(unknown):
        ticket = random_below(rng, hidden)
        for c in range(s.n_types):
            ticket -= s.deck[c]
            if ticket < 0:
                s.deck[c] -= 1
                s.hand[other, c] += 1
                break
        hidden -= 1

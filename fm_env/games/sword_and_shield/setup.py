"""From a set-up record to the first state of a joust.

A set-up record has the layout of a state: it is the state before the first card is drawn.
"""

from __future__ import annotations

from fm_env.compiled import rule
from fm_env.games.sword_and_shield.constants import MAX_CARDS, MAX_NAME, NUM_ATTACKS, NUM_TACTICS, NUM_WORDS


@rule
def lay_out(s, setup):
    """Copy every field; nothing is drawn yet."""
    s.n_types = setup.n_types
    s.hand_limit = setup.hand_limit
    s.max_turns = setup.max_turns
    s.n_deck = setup.n_deck
    s.shuffles = setup.shuffles
    s.n_discard = setup.n_discard
    s.turn = setup.turn
    s.passes = setup.passes
    s.attacker = setup.attacker
    s.drawing = setup.drawing
    s.phase = setup.phase
    s.card = setup.card
    s.by = setup.by
    s.number = setup.number
    lay_out_cards(s, setup)
    lay_out_seats(s, setup)


@rule
def lay_out_cards(s, setup):
    for c in range(MAX_CARDS):
        s.pack[c] = setup.pack[c]
        s.attack[c] = setup.attack[c]
        s.breadth[c] = setup.breadth[c]
        s.manoeuvre[c] = setup.manoeuvre[c]
        s.is_achievement[c] = setup.is_achievement[c]
        s.price[c] = setup.price[c]
        s.saves[c] = setup.saves[c]
        s.refreshes[c] = setup.refreshes[c]
        s.strikes_back[c] = setup.strikes_back[c]
        s.deck[c] = setup.deck[c]
        s.shuffled[c] = setup.shuffled[c]
        s.discard[c] = setup.discard[c]
        for k in range(MAX_NAME):
            s.name[c, k] = setup.name[c, k]
        for t in range(NUM_TACTICS):
            s.tactic[c, t] = setup.tactic[c, t]
        for w in range(NUM_WORDS):
            s.covers[c, w] = setup.covers[c, w]


@rule
def lay_out_seats(s, setup):
    for seat in range(2):
        s.fatigue_max[seat] = setup.fatigue_max[seat]
        s.n_hand[seat] = setup.n_hand[seat]
        s.fatigue[seat] = setup.fatigue[seat]
        s.hits[seat] = setup.hits[seat]
        for k in range(NUM_TACTICS + 1):
            s.knight[seat, k] = setup.knight[seat, k]
        for c in range(MAX_CARDS):
            s.hand[seat, c] = setup.hand[seat, c]
            s.known[seat, c] = setup.known[seat, c]
        for a in range(NUM_ATTACKS):
            s.bare[seat, a] = setup.bare[seat, a]

"""Attacks and defences: Modified Combat Numbers, what they cost, and when there is a hit."""

from __future__ import annotations

from fm_env.compiled import rule
from fm_env.games.sword_and_shield import achievements
from fm_env.games.sword_and_shield.cards import leave_hand, put_on_discards
from fm_env.games.sword_and_shield.constants import MANOEUVRE_COST, NO_CARD


@rule
def combat_number(s, seat, c, t):
    """Modified Combat Number: the tactic's value on the knight and on the card, added up (K-02)."""
    return s.knight[seat, t] + s.tactic[c, t]


@rule
def cost(s, seat, c, t):
    """Fatigue for playing above the knight's own skill (K-03)."""
    return max(0, s.tactic[c, t] - s.knight[seat, t])


@rule
def can_play(s, seat, c, t):
    """The card prints the tactic (K-02) and the knight has the Fatigue it costs (K-11)."""
    return s.tactic[c, t] > 0 and s.tactic[c, t] - s.knight[seat, t] <= s.fatigue[seat]


@rule
def can_manoeuvre(s, seat, c):
    """Any card with the symbol will do, whatever else is held; it takes five points (K-12)."""
    return s.manoeuvre[c] and s.fatigue[seat] >= MANOEUVRE_COST


@rule
def pay(s, seat, points):
    """Points leave the pool; of a forced cost what the pool doesn't hold is lost (K-09, K-10, K-11)."""
    s.fatigue[seat] = max(0, s.fatigue[seat] - points)


@rule
def attack(s, seat, c, t):
    """Play a card as an attack: pay its cost (K-03), announce attack and number (K-04)."""
    pay(s, seat, cost(s, seat, c, t))
    leave_hand(s, seat, c)
    s.card = c
    s.by = t
    s.number = combat_number(s, seat, c, t)


@rule
def defend(s, seat, c, t):
    """Answer with a card whose scroll covers the attack (K-05): pay its cost, compare, settle.

    A defended attack never hits (K-06).
    """
    pay(s, seat, cost(s, seat, c, t))
    leave_hand(s, seat, c)
    put_on_discards(s, c)
    settle_difference(s, seat, combat_number(s, seat, c, t))


@rule
def settle_difference(s, seat, number):
    """Whoever has the lower number pays the difference (K-08)."""
    difference = s.number - number
    if difference > 0:
        pay(s, seat, difference)
    else:
        pay(s, 1 - seat, -difference)


@rule
def manoeuvre(s, seat, c):
    """Step aside: five points in all, no number, no tactic, and nobody pays more (K-12)."""
    pay(s, seat, MANOEUVRE_COST)
    leave_hand(s, seat, c)
    put_on_discards(s, c)


@rule
def fail_to_defend(s, seat, c):
    """No proper defence, or none wanted (K-06, K-07): an Achievement may help, else it is a hit (K-13).

    What a hit tells of the hand is remembered for both to see (K-20).

    Args:
        s: the state.
        seat: the defender.
        c: the Achievement played, or NO_CARD.
    """
    if c != NO_CARD and achievements.on_would_be_hit(s, seat, c):
        return
    s.hits[seat] += 1
    s.bare[seat, s.attack[s.card]] = s.n_hand[seat]


@rule
def clear_table(s):
    """The attack's card goes to the discards."""
    put_on_discards(s, s.card)
    s.card = NO_CARD
    s.by = 0
    s.number = 0

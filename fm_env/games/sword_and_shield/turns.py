"""Turns, refills, wearing out and the end of a joust (K-10, K-14 to K-16)."""

from __future__ import annotations

from fm_env.compiled import rule
from fm_env.games.sword_and_shield.cards import can_draw
from fm_env.games.sword_and_shield.combat import pay
from fm_env.games.sword_and_shield.constants import HITS_TO_LOSE, NO_SEAT, Phase


@rule
def begin(s):
    """Draw for the first attack unless the set-up names who has it (K-14), then deal the hands."""
    if s.attacker == NO_SEAT:
        s.phase = Phase.FIRST
    else:
        refill(s, s.attacker)


@rule
def refill(s, first):
    """Ask chance for the next card that a hand lacks, `first` being served first (K-15).

    When nobody lacks a card, or none is left anywhere, the next turn starts.
    """
    for k in range(2):
        seat = first if k == 0 else 1 - first
        if s.n_hand[seat] < s.hand_limit and can_draw(s):
            s.drawing = seat
            s.phase = Phase.DRAW
            return
    s.drawing = NO_SEAT
    s.turn += 1
    s.phase = Phase.ATTACK


@rule
def server(s):
    """Who is served first in the refill going on: the attacker of the exchange just over (K-15).

    Turns alternate, so that is the seat whose turn isn't next; before the first turn, the attacker.
    """
    return s.attacker if s.turn == 0 else 1 - s.attacker


@rule
def end_pass(s):
    """A turn passed ends as an exchange does, with the passer served first (K-21).

    When both knights have passed in a row each pays a point (K-14); then the count starts anew (K-21).
    """
    if s.passes == 2:
        s.passes = 0
        pay(s, 0, 1)
        pay(s, 1, 1)
    end_exchange(s)


@rule
def end_exchange(s):
    """Wear out the defender, then the attacker (K-16); then the joust ends or the turn goes over (K-14)."""
    wear_out(s, 1 - s.attacker)
    wear_out(s, s.attacker)
    if s.hits[0] >= HITS_TO_LOSE or s.hits[1] >= HITS_TO_LOSE or s.turn >= s.max_turns:
        s.phase = Phase.OVER
        return
    s.attacker = 1 - s.attacker
    refill(s, 1 - s.attacker)


@rule
def wear_out(s, seat):
    """A knight with an empty pool is worn out: a hit for the other, and the pool is fresh (K-10)."""
    if s.fatigue[seat] == 0:
        s.hits[seat] += 1
        s.fatigue[seat] = s.fatigue_max[seat]


@rule
def returns(s, out):
    """+1 for the winner, -1 for the loser, 0 each for a draw or before the end (K-14, K-16)."""
    out[0] = 0.0
    out[1] = 0.0
    if s.phase == Phase.OVER:
        winner = leader(s)
        if winner != NO_SEAT:
            out[winner] = 1.0
            out[1 - winner] = -1.0


@rule
def leader(s):
    """Who is ahead: five hits decide, both having taken five is a draw (K-16); when the turns are used
    up fewer hits taken, then more Fatigue left (K-14). NO_SEAT if nobody is.
    """
    both = s.hits[0] >= HITS_TO_LOSE and s.hits[1] >= HITS_TO_LOSE
    if both:
        return NO_SEAT
    if s.hits[0] != s.hits[1]:
        return 0 if s.hits[0] < s.hits[1] else 1
    if s.fatigue[0] != s.fatigue[1]:
        return 0 if s.fatigue[0] > s.fatigue[1] else 1
    return NO_SEAT

"""Whose choice it is, what may be chosen, and what a choice does."""

from __future__ import annotations

from fm_env.compiled import rule
from fm_env.games.sword_and_shield import actions as act
from fm_env.games.sword_and_shield import cards, combat, turns
from fm_env.games.sword_and_shield.achievements import can_achieve
from fm_env.games.sword_and_shield.constants import MAX_CARDS, NO_CARD, NO_SEAT, NUM_TACTICS, Phase


@rule
def asked_seat(s):
    """Who owes a choice now, or NO_SEAT."""
    if s.phase == Phase.DEFEND:
        return 1 - s.attacker
    if s.phase == Phase.ATTACK or s.phase == Phase.DISCARD:
        return s.attacker
    return NO_SEAT


@rule
def legal_actions(s, seat, out):
    """Mark what the asked seat may do; returns how many things (`out` is all False before)."""
    if s.phase == Phase.ATTACK:
        return legal_attacks(s, seat, out)
    if s.phase == Phase.DEFEND:
        return legal_defences(s, seat, out)
    return legal_discards(s, seat, out)


@rule
def legal_attacks(s, seat, out):
    """Any combat card by any tactic it prints and the knight can pay for (K-02, K-11), or a pass (K-14)."""
    n = 1
    out[act.PASS] = True
    for c in range(s.n_types):
        if s.hand[seat, c] > 0:
            for t in range(NUM_TACTICS):
                if combat.can_play(s, seat, c, t):
                    out[act.ATTACK + NUM_TACTICS * c + t] = True
                    n += 1
    return n


@rule
def legal_defences(s, seat, out):
    """A covering card (K-05), a Manoeuvre (K-12), an Achievement (K-13), or taking the hit (K-07)."""
    n = 1
    out[act.TAKE_HIT] = True
    against = s.attack[s.card]
    for c in range(s.n_types):
        if s.hand[seat, c] > 0:
            if cards.is_covered(s, c, against):
                for t in range(NUM_TACTICS):
                    if combat.can_play(s, seat, c, t):
                        out[act.DEFEND + NUM_TACTICS * c + t] = True
                        n += 1
            if combat.can_manoeuvre(s, seat, c):
                out[act.MANOEUVRE + c] = True
                n += 1
            if can_achieve(s, seat, c):
                out[act.ACHIEVE + c] = True
                n += 1
    return n


@rule
def legal_discards(s, seat, out):
    """Who has passed may discard card after card (K-14)."""
    n = 1
    out[act.END_TURN] = True
    for c in range(s.n_types):
        if s.hand[seat, c] > 0:
            out[act.DISCARD + c] = True
            n += 1
    return n


@rule
def take_action(s, seat, action):
    """What a legal choice does, up to the next choice or chance event."""
    if action < act.DEFEND:
        s.passes = 0
        combat.attack(s, seat, action // NUM_TACTICS, action % NUM_TACTICS)
        s.phase = Phase.DEFEND
    elif action < act.DISCARD:
        answer(s, seat, action)
    elif action == act.TAKE_HIT:
        combat.fail_to_defend(s, seat, NO_CARD)
        combat.clear_table(s)
        turns.end_exchange(s)
    elif action == act.PASS:
        s.passes += 1
        s.phase = Phase.DISCARD
    elif action == act.END_TURN:
        turns.end_pass(s)
    else:
        cards.discard(s, seat, action - act.DISCARD)


@rule
def answer(s, seat, action):
    """Defend, manoeuvre or play an Achievement; then the exchange is over."""
    if action < act.MANOEUVRE:
        combat.defend(s, seat, (action - act.DEFEND) // NUM_TACTICS, (action - act.DEFEND) % NUM_TACTICS)
    elif action < act.ACHIEVE:
        combat.manoeuvre(s, seat, action - act.MANOEUVRE)
    else:
        combat.fail_to_defend(s, seat, action - act.ACHIEVE)
    combat.clear_table(s)
    turns.end_exchange(s)


@rule
def take_outcome(s, outcome):
    """Chance: the first attacker (K-14), or a card for the hand that lacks one (K-15)."""
    if s.phase == Phase.FIRST:
        s.attacker = outcome - MAX_CARDS
        turns.refill(s, s.attacker)
    else:
        cards.draw(s, s.drawing, outcome)
        turns.refill(s, turns.server(s))

"""Whose choice comes next, what may be chosen, and what a choice does."""

from __future__ import annotations

from fm_env.compiled import rule
from fm_env.games.fairy_tale.constants import NO_CARD, PACKET, Phase
from fm_env.games.fairy_tale.draft import packet_of, pass_on
from fm_env.games.fairy_tale.playing import acting_effect, finish_effect, is_target, reveal
from fm_env.games.fairy_tale.scoring import count_table


@rule
def is_asked(s, seat):
    """Whether a seat owes a choice: a pick or a play in secret (T-10), or cards for an effect (T-07)."""
    if s.phase == Phase.DRAFT or s.phase == Phase.PLAY:
        return s.choice[seat] == NO_CARD
    if s.phase == Phase.OPEN or s.phase == Phase.CLOSE:
        return s.n_turned[seat] < s.owes[seat]
    return False


@rule
def is_anyone_asked(s):
    for seat in range(s.n_seats):
        if is_asked(s, seat):
            return True
    return False


@rule
def legal_actions(s, seat, out):
    """Mark what an asked seat may choose in `out` (all False before); returns how many."""
    types = s.pack.shape[0]
    first = (int(s.phase) - 1) * types
    n = 0
    if s.phase == Phase.DRAFT or s.phase == Phase.PLAY:
        pile = s.packet[packet_of(s, seat)] if s.phase == Phase.DRAFT else s.hand[seat]
        last = NO_CARD
        for k in range(PACKET):
            card = int(pile[k])
            if card == NO_CARD:
                break
            n += card != last  # the pile is sorted
            out[first + card] = True
            last = card
    else:
        effect = acting_effect(s)
        for card in range(s.n_types):
            if is_target(s, effect, seat, card):
                out[first + card] = True
                n += 1
    return n


@rule
def take_action(s, seat, action):
    """An asked seat takes a legal action; when nobody owes one any more, the game goes on."""
    card = action - (int(s.phase) - 1) * s.pack.shape[0]
    if s.phase == Phase.OPEN or s.phase == Phase.CLOSE:
        s.turned[seat, s.n_turned[seat]] = card
        s.n_turned[seat] += 1
    else:
        s.choice[seat] = card
    if is_anyone_asked(s):
        return
    if s.phase == Phase.DRAFT:
        pass_on(s)
        return
    if s.phase == Phase.PLAY:
        reveal(s)
    else:
        finish_effect(s)
    count_table(s)

"""The contract's functions for Fairy Tale (`fm_env.contract.GameKernel`)."""

from __future__ import annotations

from fm_env.compiled import rule
from fm_env.contract import CHANCE, TERMINAL, GameKernel
from fm_env.games.fairy_tale import decisions
from fm_env.games.fairy_tale.constants import Phase
from fm_env.games.fairy_tale.draft import deal
from fm_env.games.fairy_tale.faults import faults
from fm_env.games.fairy_tale.information import info_key, resample
from fm_env.games.fairy_tale.observe import observe
from fm_env.games.fairy_tale.scoring import returns
from fm_env.games.fairy_tale.setup import lay_out


@rule
def reset(s, setup):
    lay_out(s, setup)


@rule
def to_act(s):
    if s.phase == Phase.DEAL:
        return CHANCE
    for seat in range(s.n_seats):
        if decisions.is_asked(s, seat):
            return seat
    return TERMINAL


@rule
def pending(s):
    seats = 0
    for seat in range(s.n_seats):
        if decisions.is_asked(s, seat):
            seats |= 1 << seat
    return seats


@rule
def legal_mask(s, seat, out):
    out[:] = False
    if not decisions.is_asked(s, seat):
        return 0
    return decisions.legal_actions(s, seat, out)


@rule
def chance_weights(s, out):
    out[:] = 0
    if s.phase != Phase.DEAL:
        return 0
    for c in range(len(s.deck)):
        out[c] = s.deck[c]
    return int(s.n_deck)


@rule
def chance_stream(s, out):
    """One shuffle for the whole game, and how many of each card it has dealt."""
    out[:] = 0
    for c in range(len(s.deck)):
        out[c] = s.pack[c] - s.deck[c]
    return 0


@rule
def apply(s, seat, action):
    decisions.take_action(s, seat, action)


@rule
def apply_chance(s, card):
    deal(s, card)


KERNEL = GameKernel(
    reset=reset,
    to_act=to_act,
    pending=pending,
    legal_mask=legal_mask,
    chance_weights=chance_weights,
    chance_stream=chance_stream,
    apply=apply,
    apply_chance=apply_chance,
    returns=returns,
    observe=observe,
    info_key=info_key,
    faults=faults,
    resample=resample,
)

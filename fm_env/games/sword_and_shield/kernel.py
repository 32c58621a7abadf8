"""The contract's functions for Sword and Shield (`fm_env.contract.GameKernel`)."""

from __future__ import annotations

from fm_env.compiled import rule
from fm_env.contract import CHANCE, TERMINAL, GameKernel
from fm_env.games.sword_and_shield import decisions, turns
from fm_env.games.sword_and_shield.constants import MAX_CARDS, NO_SEAT, Phase
from fm_env.games.sword_and_shield.faults import faults
from fm_env.games.sword_and_shield.information import info_key, resample
from fm_env.games.sword_and_shield.observe import observe
from fm_env.games.sword_and_shield.setup import lay_out
from fm_env.games.sword_and_shield.turns import returns


@rule
def reset(s, setup):
    lay_out(s, setup)
    turns.begin(s)


@rule
def to_act(s):
    if s.phase == Phase.OVER:
        return TERMINAL
    seat = decisions.asked_seat(s)
    return CHANCE if seat == NO_SEAT else seat


@rule
def pending(s):
    seat = decisions.asked_seat(s)
    return 0 if seat == NO_SEAT else 1 << seat


@rule
def legal_mask(s, seat, out):
    out[:] = False
    if decisions.asked_seat(s) != seat:
        return 0
    return decisions.legal_actions(s, seat, out)


@rule
def chance_weights(s, out):
    out[:] = 0
    if s.phase == Phase.DRAW:
        for c in range(MAX_CARDS):
            out[c] = s.deck[c]
        return s.n_deck
    if s.phase == Phase.FIRST:
        out[MAX_CARDS] = 1
        out[MAX_CARDS + 1] = 1
        return 2
    return 0


@rule
def chance_stream(s, out):
    """Stream 0 is the draw for the first attack, k > 0 the k-th shuffle of the deck."""
    out[:] = 0
    if s.phase == Phase.FIRST:
        return 0
    for c in range(MAX_CARDS):
        out[c] = s.shuffled[c] - s.deck[c]
    return int(s.shuffles)


@rule
def apply(s, seat, action):
    decisions.take_action(s, seat, action)


@rule
def apply_chance(s, outcome):
    decisions.take_outcome(s, outcome)


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

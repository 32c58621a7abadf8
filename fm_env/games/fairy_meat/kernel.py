"""The contract's functions for Fairy Meat (`fm_env.contract.GameKernel`)."""

from __future__ import annotations

from fm_env.compiled import rule
from fm_env.contract import CHANCE, TERMINAL, GameKernel
from fm_env.games.fairy_meat import choices, decisions
from fm_env.games.fairy_meat.constants import (
    FIRST_CHANCE,
    NO_FAIRY,
    NUM_CARDS,
    TABLE_OUTCOME,
    WARBAND_OUTCOME,
    Phase,
)
from fm_env.games.fairy_meat.faults import faults
from fm_env.games.fairy_meat.information import info_key, resample
from fm_env.games.fairy_meat.observe import observe
from fm_env.games.fairy_meat.scoring import returns
from fm_env.games.fairy_meat.setup import lay_out
from fm_env.games.fairy_meat.warband import next_to_draw_for, preset_weights

HATS = 1 << 20
"""Streams of luck that are no shuffle."""


@rule
def reset(s, setup):
    lay_out(s, setup)
    decisions.settle(s)


@rule
def to_act(s):
    if s.phase == Phase.OVER:
        return TERMINAL
    if s.phase >= FIRST_CHANCE:
        return CHANCE
    for seat in range(s.n_seats):
        if choices.asked_fairy(s, seat) != NO_FAIRY:
            return seat
    return TERMINAL


@rule
def pending(s):
    seats = 0
    for seat in range(s.n_seats):
        if choices.asked_fairy(s, seat) != NO_FAIRY:
            seats |= 1 << seat
    return seats


@rule
def legal_mask(s, seat, out):
    out[:] = False
    f = choices.asked_fairy(s, seat)
    if f == NO_FAIRY:
        return 0
    return choices.legal_actions(s, f, out)


@rule
def chance_weights(s, out):
    out[NUM_CARDS:] = 0
    if s.phase < FIRST_CHANCE or s.phase == Phase.OVER:
        out[:NUM_CARDS] = 0
        return 0
    if s.phase == Phase.DRAW_TABLE or s.phase == Phase.DRAW_WARBAND:
        return setting_weights(s, out)
    for c in range(NUM_CARDS):
        out[c] = s.deck[c]
    return s.n_deck


@rule
def setting_weights(s, out):
    """Which table, or which warband: all are equally likely (F-97)."""
    out[:NUM_CARDS] = 0
    if s.phase == Phase.DRAW_WARBAND:
        return preset_weights(s, out, WARBAND_OUTCOME)
    for k in range(s.n_tables):
        out[TABLE_OUTCOME + k] = 1
    return s.n_tables


@rule
def chance_stream(s, out):
    """The shuffle that the deck comes from, and how many of each type it has dealt.

    The table and each player's warband are drawn from a hat of their own.
    """
    out[NUM_CARDS:] = 0
    if s.phase == Phase.DRAW_TABLE or s.phase == Phase.DRAW_WARBAND:
        out[:] = 0
        return HATS + 1 + (next_to_draw_for(s) if s.phase == Phase.DRAW_WARBAND else -1)
    for c in range(NUM_CARDS):
        out[c] = s.shuffled[c] - s.deck[c]
    return int(s.shuffles)


@rule
def apply(s, seat, action):
    decisions.take_action(s, choices.asked_fairy(s, seat), action)
    decisions.settle(s)


@rule
def apply_chance(s, card):
    decisions.take_card(s, card)
    decisions.settle(s)


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

"""A game for three seats: one card each from 0 to 5, keep it or drop it; the highest kept card wins.

The winner gets 2 points, the others lose 1; if all drop, nobody gets anything.
"""

from __future__ import annotations

import numpy as np

from fm_env.compiled import rule
from fm_env.contract import CHANCE, TERMINAL, GameKernel, GameSpec, Scenario

KEEP, DROP = 0, 1
SEATS, CARDS = 3, 6
STATE = np.dtype(
    [("cards", "i1", (SEATS,)), ("dropped", "i1", (SEATS,)), ("n_dealt", "i1"), ("n_acted", "i1")]
)
SETUP = np.dtype([("unused", "i1")])


@rule
def reset(s, setup):
    s.n_dealt = 0
    s.n_acted = 0
    for seat in range(SEATS):
        s.cards[seat] = -1
        s.dropped[seat] = 0


@rule
def to_act(s):
    if s.n_dealt < SEATS:
        return CHANCE
    if s.n_acted < SEATS:
        return s.n_acted
    return TERMINAL


@rule
def pending(s):
    who = to_act(s)
    return 1 << who if who >= 0 else 0


@rule
def legal_mask(s, seat, out):
    out[:] = to_act(s) == seat
    return 2 if to_act(s) == seat else 0


@rule
def chance_weights(s, out):
    out[:] = 1
    for seat in range(s.n_dealt):
        out[s.cards[seat]] = 0
    return CARDS - s.n_dealt


@rule
def chance_stream(s, out):
    out[:] = 0
    for seat in range(s.n_dealt):
        out[s.cards[seat]] = 1
    return 0


@rule
def apply(s, seat, action):
    s.dropped[seat] = action
    s.n_acted += 1


@rule
def apply_chance(s, outcome):
    s.cards[s.n_dealt] = outcome
    s.n_dealt += 1


@rule
def returns(s, out):
    out[:] = 0
    best = -1
    for seat in range(SEATS):
        if s.dropped[seat] == 0 and (best < 0 or s.cards[seat] > s.cards[best]):
            best = seat
    if to_act(s) == TERMINAL and best >= 0:
        for seat in range(SEATS):
            out[seat] = 2 if seat == best else -1


@rule
def observe(s, seat, out):
    out[0] = s.cards[seat] / CARDS


@rule
def info_key(s, seat, out):
    out[0] = s.cards[seat] + 1


@rule
def faults(s):
    return 0


@rule
def resample(s, seat, rng):
    return


class HighestCard:
    name = "highest_card"
    kernel = GameKernel(
        reset, to_act, pending, legal_mask, chance_weights, chance_stream, apply, apply_chance, returns,
        observe, info_key, faults, resample,
    )  # fmt: skip
    default_scenario = "highest_card"

    def scenario(self, scenario, **options):
        spec = GameSpec(
            game="highest_card",
            scenario="highest_card",
            rules_version=1,
            observation_version=1,
            num_seats=SEATS,
            num_actions=2,
            num_chance_outcomes=CARDS,
            observation_size=1,
            info_key_size=1,
            max_decisions=SEATS,
            max_chance_events=SEATS,
            min_return=-1.0,
            max_return=2.0,
            return_sum=0.0,
            state_dtype=STATE,
        )
        return Scenario(spec, np.zeros(1, np.dtype((np.record, SETUP)))[0], {})


GAME = HighestCard()

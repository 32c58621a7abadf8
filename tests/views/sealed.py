"""Sealed bids, against the contract: three seats that choose at the same time, and elimination.

Each of three seats gets one of the cards 0 to 3. In each of two rounds every seat still in picks,
unseen by the others, a colour and then an amount up to its card; then the amounts are shown, the
lowest bidder is out and a coin breaks ties. The last seat in wins 2, the others lose 1. A seat with
card 0 has only one amount to choose, which is how forced choices come about.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fm_env.compiled import rule
from fm_env.contract import CHANCE, TERMINAL, GameKernel, GameSpec, Scenario
from fm_env.rng import random_below

NUM_SEATS, NUM_CARDS, NUM_ROUNDS, NUM_AMOUNTS = 3, 4, 2, 4
RED = NUM_AMOUNTS
NUM_ACTIONS = NUM_AMOUNTS + 2
NONE = -1

STATE = np.dtype(
    [
        ("card", "i1", (NUM_SEATS,)),
        ("alive", "i1", (NUM_SEATS,)),
        ("colour", "i1", (NUM_SEATS,)),  # this round's, NONE until chosen
        ("amount", "i1", (NUM_SEATS,)),  # this round's, NONE until chosen
        ("past", "i1", (NUM_ROUNDS, NUM_SEATS)),  # amounts shown, NONE for none
        ("round", "i1"),
    ]
)
SETUP = np.dtype([("unused", "i1")])
OBSERVATION_SIZE = NUM_CARDS + NUM_SEATS + NUM_ROUNDS * NUM_SEATS * NUM_AMOUNTS + 2 + NUM_AMOUNTS + NUM_ROUNDS
KEY_SIZE = 1 + NUM_SEATS + NUM_ROUNDS * NUM_SEATS + 3


@rule
def reset(s, setup):
    s.round = 0
    for k in range(NUM_SEATS):
        s.card[k] = NONE
        s.alive[k] = 1
        s.colour[k] = NONE
        s.amount[k] = NONE
        for r in range(NUM_ROUNDS):
            s.past[r, k] = NONE


@rule
def is_dealt(s):
    return s.card[NUM_SEATS - 1] != NONE


@rule
def pending(s):
    if not is_dealt(s) or s.round == NUM_ROUNDS:
        return 0
    bits = 0
    for k in range(NUM_SEATS):
        if s.alive[k] and s.amount[k] == NONE:
            bits |= 1 << k
    return bits


@rule
def to_act(s):
    if s.round == NUM_ROUNDS:
        return TERMINAL
    bits = pending(s)
    # The seats alternate, so that colours come before amounts for all.
    for k in range(NUM_SEATS):
        if bits >> k & 1 and s.colour[k] == NONE:
            return k
    for k in range(NUM_SEATS):
        if bits >> k & 1:
            return k
    return CHANCE


@rule
def legal_mask(s, seat, out):
    owes = pending(s) >> seat & 1
    n = 0
    for a in range(NUM_ACTIONS):
        if s.colour[seat] == NONE:
            legal = a >= RED
        else:
            legal = a <= s.card[seat] and a < RED
        out[a] = owes == 1 and legal
        n += out[a]
    return n


@rule
def chance_weights(s, out):
    total = 0
    for c in range(NUM_CARDS):
        free = c < 2 if is_dealt(s) else True
        if not is_dealt(s):
            for k in range(NUM_SEATS):
                free = free and s.card[k] != c
        out[c] = 1 if free else 0
        total += out[c]
    return total


@rule
def chance_stream(s, out):
    for c in range(NUM_CARDS):
        out[c] = 0
        if not is_dealt(s):
            for k in range(NUM_SEATS):
                if s.card[k] == c:
                    out[c] = 1
    return s.round + 1 if is_dealt(s) else 0


@rule
def apply(s, seat, action):
    if action >= RED:
        s.colour[seat] = action - RED
    else:
        s.amount[seat] = action


@rule
def apply_chance(s, outcome):
    if not is_dealt(s):
        for k in range(NUM_SEATS):
            if s.card[k] == NONE:
                s.card[k] = outcome
                return
    lowest = NUM_AMOUNTS
    loser = NONE
    for k in range(NUM_SEATS):
        if s.alive[k] and (s.amount[k] < lowest or (s.amount[k] == lowest and outcome == 1)):
            lowest = s.amount[k]
            loser = k
    s.alive[loser] = 0
    for k in range(NUM_SEATS):
        s.past[s.round, k] = s.amount[k]
        s.colour[k] = NONE
        s.amount[k] = NONE
    s.round += 1


@rule
def returns(s, out):
    for k in range(NUM_SEATS):
        out[k] = 0.0
        if s.round == NUM_ROUNDS:
            out[k] = 2.0 if s.alive[k] else -1.0


@rule
def observe(s, seat, out):
    for i in range(len(out)):
        out[i] = 0.0
    if s.card[seat] != NONE:
        out[s.card[seat]] = 1.0
    at = NUM_CARDS
    for k in range(NUM_SEATS):
        out[at + k] = s.alive[(seat + k) % NUM_SEATS]
    at += NUM_SEATS
    for r in range(NUM_ROUNDS):
        for k in range(NUM_SEATS):
            shown = s.past[r, (seat + k) % NUM_SEATS]
            if shown != NONE:
                out[at + shown] = 1.0
            at += NUM_AMOUNTS
    if s.colour[seat] != NONE:
        out[at + s.colour[seat]] = 1.0
    at += 2
    if s.amount[seat] != NONE:
        out[at + s.amount[seat]] = 1.0
    at += NUM_AMOUNTS
    if s.round < NUM_ROUNDS:
        out[at + s.round] = 1.0


@rule
def info_key(s, seat, out):
    out[0] = s.card[seat] + 1
    out[1] = s.colour[seat] + 1
    out[2] = s.amount[seat] + 1
    out[3] = s.round
    at = 4
    for k in range(NUM_SEATS):
        out[at] = s.alive[k]
        at += 1
        for r in range(NUM_ROUNDS):
            out[at] = s.past[r, k] + 1
            at += 1


@rule
def faults(s):
    return 1 if s.round < 0 or s.round > NUM_ROUNDS else 0


@rule
def fits(s):
    """No seat has shown more than its card, and no card is held twice."""
    for k in range(NUM_SEATS):
        for r in range(NUM_ROUNDS):
            if s.past[r, k] > s.card[k]:
                return False
        for j in range(k):
            if s.card[j] == s.card[k]:
                return False
    return True


@rule
def resample(s, seat, rng):
    if not is_dealt(s):
        return
    while True:
        for k in range(NUM_SEATS):
            if k != seat:
                s.card[k] = random_below(rng, NUM_CARDS)
        if fits(s):
            break
    for k in range(NUM_SEATS):
        if k != seat and s.colour[k] != NONE:
            s.colour[k] = random_below(rng, 2)
        if k != seat and s.amount[k] != NONE:
            s.amount[k] = random_below(rng, s.card[k] + 1)


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

SPEC = GameSpec(
    game="sealed",
    scenario="sealed",
    rules_version=1,
    observation_version=1,
    num_seats=NUM_SEATS,
    num_actions=NUM_ACTIONS,
    num_chance_outcomes=NUM_CARDS,
    observation_size=OBSERVATION_SIZE,
    info_key_size=KEY_SIZE,
    max_decisions=2 * (3 + 2),
    max_chance_events=NUM_SEATS + NUM_ROUNDS,
    min_return=-1.0,
    max_return=2.0,
    return_sum=0.0,
    state_dtype=STATE,
)


class Sealed:
    """The registry object."""

    name = "sealed"
    kernel = KERNEL
    default_scenario = "sealed"

    def scenario_names(self) -> tuple[str, ...]:
        return ("sealed",)

    def scenario(self, scenario: str, **options: Any) -> Scenario:
        return Scenario(SPEC, np.zeros(1, np.dtype((np.record, SETUP)))[0], {"scenario": scenario, **options})

    def action_text(self, spec: GameSpec, action: int) -> str:
        return ("red", "blue")[action - RED] if action >= RED else f"bid {action}"

    def outcome_text(self, spec: GameSpec, outcome: int) -> str:
        return str(outcome)

    def state_text(self, state: np.record, seat: int | None) -> str:
        cards = [str(c) if seat in (None, k) else "?" for k, c in enumerate(state["card"])]
        return f"round {state['round']}; cards {' '.join(cards)}; in: {state['alive'].tolist()}"

    def event_text(self, before: np.record, seat: int, action: int, after: np.record) -> str:
        return (
            f"chance gives {action}" if seat == CHANCE else f"seat {seat}: {self.action_text(SPEC, action)}"
        )

    def observation_labels(self, spec: GameSpec) -> tuple[str, ...]:
        return tuple(f"entry {i}" for i in range(OBSERVATION_SIZE))


GAME = Sealed()

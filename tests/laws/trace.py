"""Hashes of whole games, to compare compiled, plain and bounds-checked runs.

`python -m tests.laws.trace [CASE ...]` prints one line per case: its name and a hash of every byte that the
rules wrote or answered in a few random games.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from fm_env.chance import draw_keyed, draw_plain
from fm_env.compiled import rule
from fm_env.contract import CHANCE, TERMINAL
from fm_env.engine import specialise_for
from fm_env.records import new_states, rows_of
from fm_env.rng import WORD, mix, random_below, row_for
from tests.laws.cases import CASES, Case

# `specialise_for` puts a game's kernel in the place of these.
reset: Any = None
to_act: Any = None
pending: Any = None
legal_mask: Any = None
chance_weights: Any = None
chance_stream: Any = None
apply: Any = None
apply_chance: Any = None
returns: Any = None
observe: Any = None
info_key: Any = None
faults: Any = None
resample: Any = None


def trace_game(states, raw, setups, rng, mask, seen, seen_bits, key, luck, gains, gains_bits):
    """Play one random game in `states[0]`; `states[1]` is scratch for guesses. Returns the hash.

    `raw`, `seen_bits` and `gains_bits` are the same memory as `states`, `seen` and `gains`.
    """
    total = 1
    reset(states[0], setups[0])
    while True:
        s = states[0]
        total = absorb(total, raw[0])
        total = absorb_word(total, faults(s))
        returns(s, gains)
        total = absorb(total, gains_bits)
        for seat in range(len(gains)):
            legal_mask(s, seat, mask)
            total = absorb(total, mask)
            observe(s, seat, seen)
            total = absorb(total, seen_bits)
            info_key(s, seat, key)
            total = absorb(total, key)
            for k in range(raw.shape[1]):
                raw[1, k] = raw[0, k]
            resample(states[1], seat, rng)
            total = absorb(total, raw[1])
        total = absorb_word(total, pending(s))
        who = to_act(s)
        if who == TERMINAL:
            return total
        if who == CHANCE:
            weight = chance_weights(s, luck[0])
            stream = chance_stream(s, luck[1])
            total = absorb(absorb(absorb_word(total, stream), luck[0]), luck[1])
            total = absorb_word(total, draw_keyed(luck[0], luck[1], stream, rng))
            apply_chance(s, draw_plain(luck[0], weight, rng))
            continue
        n = legal_mask(s, who, mask)
        left = random_below(rng, n)
        action = 0
        while left > 0 or not mask[action]:
            left -= mask[action]
            action += 1
        apply(s, who, action)


@rule
def absorb_word(total, value):
    return mix((total * 3 + (int(value) & WORD)) & WORD)


@rule
def absorb(total, values):
    for k in range(len(values)):
        total = absorb_word(total, values[k])
    return total


def trace(case: Case) -> list[int]:
    """Hashes of the case's first random games."""
    game = case.game()
    scenario = game.scenario(case.scenario, **case.options)
    spec = scenario.spec
    play = specialise_for(trace_game, game)
    states = new_states(spec, 2)
    seen = np.zeros(spec.observation_size, np.float32)
    gains = np.zeros(spec.num_seats, np.float64)
    buffers = (
        np.zeros(spec.num_actions, np.bool_),
        seen,
        seen.view(np.int32),
        np.zeros(spec.info_key_size, np.uint8),
        np.zeros((2, spec.num_chance_outcomes), np.int64),
        gains,
        gains.view(np.int64),
    )
    raw = states.view(np.uint8).reshape(2, -1)
    return [
        int(play(states, raw, rows_of(scenario.setup), row_for(seed), *buffers))
        for seed in range(case.traced)
    ]


if __name__ == "__main__":
    wanted = sys.argv[1:]
    for case in CASES:
        if case.traced and (not wanted or case.name in wanted):
            print(case.name, *trace(case), sep="\t")

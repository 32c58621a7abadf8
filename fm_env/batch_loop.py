"""The inner loop of `fm_env.batch`: templates that `specialise` fills with a game's kernel."""

from __future__ import annotations

from typing import Any

from fm_env.chance import draw_keyed, draw_plain
from fm_env.compiled import rule
from fm_env.contract import CHANCE, TERMINAL
from fm_env.rng import CHANCE_PURPOSE, SEAT_PURPOSE, child_seed, fill_row, random_below

NOT_ASKED = -3
"""`seat` of a game that was reset and not yet played on."""

DECISIONS, FORCED, CHANCE_EVENTS, GAMES = range(4)
NUM_COUNTERS = 4

BLOCK = 16
"""Entries of a mask that are counted at once."""

# `specialise` puts a game's kernel, and its bots, in the place of these.
reset: Any = None
to_act: Any = None
legal_mask: Any = None
chance_weights: Any = None
chance_stream: Any = None
apply: Any = None
apply_chance: Any = None
returns: Any = None
observe: Any = None
bots: Any = None


def restart(states, setups, games, given, master, seeds, rngs, seat, returns_out):
    """Reset the games listed; a seed of -1 stands for the next one of the batch's own.

    `master[4]`: two key words and the number of seeds drawn so far.
    """
    for k in range(len(games)):
        i = games[k]
        seed = given[k]
        if seed < 0:
            seed = child_seed(master[0] << 30 ^ master[1], master[2] & 0xFFFFFFFF, master[2] >> 32)
            master[2] += 1
        seeds[i] = seed
        for purpose in range(rngs.shape[1]):
            fill_row(seed, purpose, rngs[i, purpose])
        reset(states[i], setups[i])
        seat[i] = NOT_ASKED
        for p in range(returns_out.shape[1]):
            returns_out[i, p] = 0.0


def play(
    states, controllers, bot_params, rngs, games, actions, skip_forced, keyed,
    seat, obs, mask, num_legal, returns_out, weights, counters,
):  # fmt: skip
    """Take `actions[i]` (if not negative and a seat is asked) in each game listed, then play on."""
    decisions = 0
    forced = 0
    events = 0
    ended = 0
    for k in range(len(games)):
        i = games[k]
        s = states[i]
        if actions[i] >= 0 and seat[i] >= 0:
            apply(s, seat[i], actions[i])
            if num_legal[i] > 1:
                decisions += 1
            else:
                forced += 1
        elif seat[i] == TERMINAL:
            continue
        while True:
            who = to_act(s)
            if who == CHANCE:
                total = chance_weights(s, weights[0])
                if keyed:
                    stream = chance_stream(s, weights[1])
                    outcome = draw_keyed(weights[0], weights[1], stream, rngs[i, CHANCE_PURPOSE])
                else:
                    outcome = draw_plain(weights[0], total, rngs[i, CHANCE_PURPOSE])
                apply_chance(s, outcome)
                events += 1
                continue
            if who == TERMINAL:
                returns(s, returns_out[i])
                observe(s, first_outside(controllers[i]), obs[i])
                mask[i, :] = False
                num_legal[i] = 0
                ended += 1
                break
            n = legal_mask(s, who, mask[i])
            bot = controllers[i, who]
            if bot < 0 and (n > 1 or not skip_forced):
                observe(s, who, obs[i])
                num_legal[i] = n
                break
            if n == 1:
                action = first_true(mask[i])
                forced += 1
            else:
                observe(s, who, obs[i])
                action = bots(bot, obs[i], mask[i], bot_params[i, who], rngs[i, SEAT_PURPOSE + who])
                decisions += 1
            apply(s, who, action)
        seat[i] = who
    counters[DECISIONS] += decisions
    counters[FORCED] += forced
    counters[CHANCE_EVENTS] += events
    counters[GAMES] += ended


@rule
def first_outside(controllers):
    """The lowest seat that is asked from outside, else 0."""
    for seat in range(len(controllers)):
        if controllers[seat] < 0:
            return seat
    return 0


@rule
def random_bot(bot_id, obs, mask, params, rng):
    """Bot 0 of a game without bots of its own: uniformly random."""
    n = 0
    for a in range(len(mask)):
        n += mask[a]
    return nth_true(mask, random_below(rng, n))


@rule
def random_actions(seat, mask, num_legal, rng, out):
    """A uniformly random legal action for each game that is asked, else -1."""
    for i in range(len(seat)):
        if seat[i] >= 0:
            out[i] = nth_true(mask[i], random_below(rng, num_legal[i]))
        else:
            out[i] = -1


@rule
def first_illegal(seat, mask, actions):
    """The first game whose asked seat chose a masked action, or -1."""
    for i in range(len(seat)):
        if seat[i] >= 0:
            a = actions[i]
            if a < 0 or a >= mask.shape[1] or not mask[i, a]:
                return i
    return -1


@rule
def nth_true(mask, n):
    """Index of the `n`-th True, counted from 0; -1 if there are fewer."""
    begin = 0
    while begin + BLOCK <= len(mask):
        inside = 0
        for k in range(BLOCK):  # one vector instruction or two
            inside += mask[begin + k]
        if n < inside:
            break
        n -= inside
        begin += BLOCK
    for a in range(begin, len(mask)):
        if mask[a]:
            if n == 0:
                return a
            n -= 1
    return -1


@rule
def first_true(mask):
    """Index of the first True."""
    for a in range(len(mask)):
        if mask[a]:
            return a
    return -1

"""Kuhn poker has its published counts and values when it is walked through the contract."""

from __future__ import annotations

import itertools
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from fm_env.contract import CHANCE, TERMINAL
from fm_env.engine import engine_of
from fm_env.records import new_states
from tests import kuhn

ENGINE = engine_of(kuhn.GAME)
SCENARIO = kuhn.GAME.scenario("kuhn")


def _start():
    states = new_states(SCENARIO.spec, 1)
    ENGINE.reset(states, 0, SCENARIO.setup)
    return states


def _children(states, who):
    """Pairs of (probability, next states); chance has exact fractions."""
    if who == CHANCE:
        weights = np.zeros(3, np.int64)
        total = ENGINE.chance_weights(states, 0, weights)
        moves = [(Fraction(int(weights[c]), total), c) for c in np.flatnonzero(weights)]
    else:
        moves = [(Fraction(1, 2), a) for a in range(2)]
    for probability, move in moves:
        after = states.copy()
        if who == CHANCE:
            ENGINE.apply_chance(after, 0, move)
        else:
            ENGINE.apply(after, 0, who, move)
        yield probability, after


def _key(states, seat):
    out = np.zeros(SCENARIO.spec.info_key_size, np.uint8)
    ENGINE.info_key(states, 0, seat, out)
    return seat, out.tobytes()


def test_published_counts() -> None:
    counts, keys = Counter(), set()

    def walk(states):
        who = ENGINE.to_act(states, 0)
        counts[min(who, 0)] += 1
        if who >= 0:
            keys.add(_key(states, who))
        if who != TERMINAL:
            for _, after in _children(states, who):
                walk(after)

    walk(_start())
    assert counts == {CHANCE: 4, 0: 24, TERMINAL: 30}
    assert len(keys) == 12


def test_nash_conv_of_uniform_play_is_11_twelfths() -> None:
    """Best response by trying all 2**6 pure policies of each seat against uniform play."""
    assert _value(_start(), None, {})[0] == Fraction(1, 8)
    gain = sum(_best(seat) - _value(_start(), None, {})[seat] for seat in range(2))
    assert gain == Fraction(11, 12)


def _best(seat):
    keys = sorted(_own_keys(_start(), seat))
    policies = itertools.product(range(2), repeat=len(keys))
    return max(_value(_start(), seat, dict(zip(keys, policy, strict=True)))[seat] for policy in policies)


def _own_keys(states, seat):
    who = ENGINE.to_act(states, 0)
    found = {_key(states, seat)} if who == seat else set()
    if who != TERMINAL:
        for _, after in _children(states, who):
            found |= _own_keys(after, seat)
    return found


def _value(states, seat, policy):
    """Expected returns when `seat` follows `policy` and everyone else plays uniformly."""
    who = ENGINE.to_act(states, 0)
    if who == TERMINAL:
        out = np.zeros(2)
        ENGINE.returns(states, 0, out)
        return [Fraction(x) for x in out]
    children = list(_children(states, who))
    if who == seat:
        children = [(Fraction(1), children[policy[_key(states, who)]][1])]
    parts = [[p * x for x in _value(after, seat, policy)] for p, after in children]
    return [sum(column, Fraction(0)) for column in zip(*parts, strict=True)]


def test_bad_options_are_named() -> None:
    with pytest.raises(ValueError, match="first"):
        kuhn.GAME.scenario("kuhn", first=7)

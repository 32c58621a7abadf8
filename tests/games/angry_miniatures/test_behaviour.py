"""The rates that training and evaluation show mean what they say."""

from __future__ import annotations

import numpy as np
import pytest

from fm_env.games.angry_miniatures import GAME
from tests.games.angry_miniatures.play import action_of, battle, figure, place_of, play, sheet

HURT = {"health": 2}


def rates(*decisions):
    """Rates of decisions given as (match, seat, action id or text)."""
    seen = np.stack([m.observation(seat) for m, seat, _ in decisions])
    masks = np.stack([m.mask(seat) for m, seat, _ in decisions])
    texts = [GAME.action_text(decisions[0][0].spec, a) for a in range(masks.shape[1])]
    actions = np.array([texts.index(a) if isinstance(a, str) else a for _, _, a in decisions])
    assert masks[np.arange(len(actions)), actions].all()
    return GAME.behaviour_counts(decisions[0][0].spec, seen, masks, actions)


def test_attacks_and_what_is_let_off():
    m = battle([(sheet(), "a1"), (sheet(), "b1")], [(sheet(), "a2"), (sheet(), "j10")])
    m.play(0, "own 1")
    far = battle([(sheet(), "a1")], [(sheet(), "a9")])
    far.play(0, "own 1")
    enemy, friend = place_of(0, figure("B1")), place_of(0, figure("A2"))
    step = action_of(m, 0, "to c1")
    found = rates((m, 0, enemy), (m, 0, "end"), (m, 0, step), (m, 0, friend), (far, 0, "end"))
    assert found["attacks"] == (0.25, 4)
    assert found["lets off"] == (0.25, 4), "nobody was open to the one far away"
    assert found["hits own"] == (0.5, 2)
    assert set(found) == {"attacks", "lets off", "hits own"}


def test_crits_and_initiative():
    m = battle([(sheet(), "a1", HURT)], [(sheet(), "a2")], "AAK J")
    play(m, "A1 at B1")
    assert rates((m, 0, "decline"), (m, 0, "use crit"), (m, 0, "use crit")) == {
        "saves crits": (pytest.approx(1 / 3), 3)
    }
    m = battle([(sheet(), "a1")], [(sheet(), "a9")], "second")
    play(m, "A1 end", "B1 end")
    assert GAME.behaviour(m.spec, m.observation(1)[None], m.mask(1)[None], np.array([109])) == {
        "goes first": 0
    }
    assert rates((m, 1, "go first")) == {"goes first": (1.0, 1)}

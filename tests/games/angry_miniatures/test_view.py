"""Observations, texts and pictures."""

from __future__ import annotations

import numpy as np
import pytest

from fm_env.games.angry_miniatures import GAME
from tests.games.angry_miniatures.play import battle, game, play, sheet, words

ARCHER = sheet("range", perk="defence_melee")


def entries(m, seat):
    labels = GAME.observation_labels(m.spec)
    return dict(zip(labels, m.observation(seat).tolist(), strict=True))


def test_labels_name_what_is_written():
    """A1 shoots from a1 at B1 over a hindering square; seat 1 sees the same board turned by half."""
    board = {
        "ground": "\n".join(["." * 10] * 9 + ['."........']),
        "levels": "\n".join(["0" * 10] * 9 + ["2" + "0" * 9]),
    }
    m = battle([(ARCHER, "a1")], [(sheet(), "c1", {"health": 3, "prone": True})], board=board)
    m.play(0, "own 1")
    seen = entries(m, 0)
    expected = {
        "phase act": 1, "I am asked": 1, "my turn": 1, "round /16": 1 / 16, "my health /21": 4 / 21,
        "their health /21": 3 / 21, "theirs to act /3": 1 / 3, "speed left /8": 5 / 8,
        "figure 0: range": 1, "figure 0: active": 1, "figure 0: has acted": 1, "figure 0: on board": 1,
        "figure 3: melee": 1, "figure 3: prone": 1, "figure 3: health /7": 3 / 7,
        "figure 3: column /9": 2 / 9,
        "figure 3: open to attack": 1, "figure 3: attack dice /12": 6 / 12,
        "figure 3: defence dice /12": 3 / 12, "figure 3: from active /9": 2 / 9,
        "figure 0: threatens 0": 1, "figure 3: threatens 0": 1,
        "plane cover: b1": 0.5, "plane cover: a1": 0, "plane level /4: a1": 0.5, "plane mine: a1": 1,
        "plane theirs: c1": 1, "plane reach /8: b2": 1 / 8, "plane reach /8: j1": -1 / 8,
        "plane targets 0: a1": 1, "plane targets 0: b2": 0, "plane targets 0: a3": 1,
        "plane nearness of enemies: c1": 1, "plane nearness of enemies: f1": 0.7,
    }  # fmt: skip
    assert {name: seen[name] for name in expected} == pytest.approx(expected)
    theirs = entries(m, 1)
    turned = {"plane mine: h10": 1, "plane theirs: j10": 1, "plane cover: i10": 0.5, "figure 3: active": 1,
              "figure 0: prone": 1, "plane reach /8: i9": 1 / 8, "their attack": 0, "my turn": 0}  # fmt: skip
    assert {name: theirs[name] for name in turned} == pytest.approx(turned)


def test_the_text_of_a_position():
    m = battle([(ARCHER, "a1")], [(sheet(), "c1")])
    text = m.text(0)
    assert "A1: a1, Health 4 of 4" in text and "B1: c1, Health 4 of 4" in text
    assert m.text(1).index("B1: h10") < m.text(1).index("A1: j10")
    assert text.endswith("Seat 0: name a figure to activate.")


def test_events_tell_what_followed():
    m = battle([(sheet(), "a1")], [(sheet(), "a2", {"health": 1}), (sheet(), "j10")], "KQ J")
    play(m, "A1 at B1")
    assert words(m, 3) == (
        "A1 attacks B1. A1 rolls 6 dice: K Q and 4 numbers to attack. "
        "B1 rolls 3 dice: J and 2 numbers to defend. 2 hits against 1. B1 takes 1 and dies."
    )


@pytest.mark.parametrize("teams", ["build", ("mixed", "playtest")])
def test_pictures_show_what_their_viewer_may_see(teams):
    pytest.importorskip("PIL")
    m = game().new_match(teams=teams, seed=4)
    rng = np.random.default_rng(4)
    changed = 0
    for _ in range(60):
        before = GAME.picture(m.state, 1)
        assert before.dtype == np.uint8 and before.shape == (588, 928, 3)
        seat = m.pending[0]
        m.play(seat, int(rng.choice(m.legal_ids(seat))))
        changed += bool((GAME.picture(m.state, 1) != before).any())
        if m.state.phase == 0 and seat == 0:
            assert not changed, "seat 1 sees what seat 0 writes"
    assert changed

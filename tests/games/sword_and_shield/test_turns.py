"""Whose turn it is, passing, refilling, wearing out, the end."""

from __future__ import annotations

import numpy as np
import pytest

from fm_env.records import new_states
from tests.games.sword_and_shield.play import PLAIN, fatigue, game, held, hits, joust, play, rule

A1A = "attack with A1a by strength"


@rule("K-14")
def test_the_first_attacker_is_drawn_and_turns_alternate():
    for first in (0, 1):
        m = game().new_match(hand=1, chance=[f"seat {first} attacks first", "A1a", "A2a", "A3a", "A3a"])
        assert m.pending == (first,)
        play(m, "pass", "end turn")
        assert m.pending == (1 - first,)


@rule("K-14")
def test_both_have_the_same_chance_to_attack_first():
    scenario, engine = game().scenario(), game().engine
    states = new_states(scenario.spec, 1)
    engine.reset(states, 0, scenario.setup)
    weights = np.zeros(scenario.spec.num_chance_outcomes, np.int64)
    assert engine.chance_weights(states, 0, weights) == 2
    assert weights[:-2].sum() == 0 and weights[-2:].tolist() == [1, 1]


@rule("K-14")
def test_the_defender_attacks_next():
    m = play(joust("A1a", "A4a"), A1A, "take the hit")
    assert m.pending == (1,) and "pass" in m.legal(1)


@rule("K-14", "K-18")
def test_who_passes_may_discard_any_number():
    m = joust("A1a A2a A3a", "A4b A5b A6b", draws="A4a A5a")
    play(m, "pass", "discard A2a", "discard A1a")
    assert held(m, 0) == ["A3a"]
    play(m, "end turn")
    assert held(m, 0) == ["A3a", "A4a", "A5a"]


@rule("K-14", "K-21")
@pytest.mark.parametrize(("turns", "paid"), [(1, 0), (2, 1), (3, 1), (4, 2)])
def test_two_passes_in_a_row_cost_each_a_point(turns, paid):
    m = play(joust("A1a", "A2a"), *["pass", "end turn"] * turns)
    assert fatigue(m) == (18 - paid, 18 - paid)


@rule("K-21")
def test_an_attack_breaks_the_row_of_passes():
    m = play(joust("A3b A3b", "A4a A4a", draws="A5b"), "pass", "end turn")
    play(m, "attack with A4a by strength", "take the hit")
    paid = fatigue(m)
    play(m, "pass", "end turn")
    assert fatigue(m) == paid


@rule("K-21", "K-10")
def test_passing_can_wear_out_both():
    m = play(joust("A1a", "A2a", fatigue=(1, 1)), *["pass", "end turn"] * 2)
    assert hits(m) == (1, 1) and fatigue(m) == (18, 18)


@rule("K-15")
def test_a_hand_is_six_cards_dealt_to_the_first_attacker_first():
    cards = ["A1a", "A1a", "A1b", "A1b", "A2a", "A2a", "A3a", "A3a", "A3b", "A3b", "A4a", "A4a"]
    m = game().new_match(chance=["seat 1 attacks first", *cards])
    assert held(m, 1) == cards[:6] and held(m, 0) == cards[6:]


@rule("K-15")
def test_after_an_exchange_both_are_refilled_the_attacker_first():
    m = joust("A1a", "A3a", draws="A5a A6a")
    play(m, A1A, "defend with A3a by chivalry")
    assert held(m, 0) == ["A5a"] and held(m, 1) == ["A6a"]


@rule("K-21")
def test_after_a_pass_the_passer_is_refilled_and_the_other_has_kept_all():
    m = play(joust("A1a", "A3a", draws="A5a"), "pass", "discard A1a", "end turn")
    assert held(m, 0) == ["A5a"] and held(m, 1) == ["A3a"]


@rule("K-10")
def test_an_empty_pool_is_a_hit_and_is_fresh_again():
    m = play(joust("A1a", "A4a", fatigue=(2, None)), A1A, "take the hit")
    assert hits(m) == (1, 1) and fatigue(m) == (18, 18)


@rule("K-10", "K-16")
def test_five_hits_lose():
    m = play(joust("A1a", "A4a", hits=(0, 4)), A1A, "take the hit")
    assert m.is_over and m.returns() == (1.0, -1.0)
    assert not play(joust("A1a", "A4a", hits=(0, 3)), A1A, "take the hit").is_over


@rule("K-16")
def test_the_exchange_is_finished_before_the_joust_ends():
    """The fifth hit is taken, and the attacker who paid its last points still takes one."""
    m = play(joust("A1a", "A4a", hits=(3, 4), fatigue=(2, None)), A1A, "take the hit")
    assert m.is_over and hits(m) == (4, 5) and m.returns() == (1.0, -1.0)


@rule("K-16")
def test_both_reaching_five_in_one_exchange_is_a_draw():
    m = play(joust("A1a", "A4a", hits=(4, 4), fatigue=(2, None)), A1A, "take the hit")
    assert m.is_over and hits(m) == (5, 5) and m.returns() == (0.0, 0.0)


@rule("K-14")
@pytest.mark.parametrize(
    ("position", "returns"),
    [
        ({"hits": (1, 2)}, (1.0, -1.0)),
        ({"hits": (2, 1)}, (-1.0, 1.0)),
        ({"hits": (1, 1), "fatigue": (9, 8)}, (1.0, -1.0)),
        ({"fatigue": (8, 9)}, (-1.0, 1.0)),
        ({}, (0.0, 0.0)),
    ],
)
def test_when_the_turns_are_used_up_hits_then_fatigue_decide(position, returns):
    m = play(joust("A1a", "A2a", max_turns=2, **position), *["pass", "end turn"] * 2)
    assert m.is_over and m.returns() == returns


@rule("K-14")
def test_a_joust_lasts_a_hundred_and_twenty_turns_at_most():
    m = game().new_match(seed=1, knights=[PLAIN, {**PLAIN, "endurance": 8}], hand=1)
    while not m.is_over:
        play(m, "pass", "end turn")
    assert m.state.turn == 120

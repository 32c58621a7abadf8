"""Achievements: what may still be done when an attack would hit."""

from __future__ import annotations

import pytest

from tests.games.sword_and_shield.play import fatigue, hits, joust, play, rule

A1A = "attack with A1a by strength"


def attacked(cards, **more):
    return play(joust("A1a", cards, deck="deeds", **more), A1A)


@rule("K-13")
def test_the_base_deck_has_none():
    m = play(joust("A1a", "A4a"), A1A)
    assert not any(m.state.is_achievement)


@rule("K-13")
def test_iron_will_saves_from_the_hit_for_its_price():
    m = attacked("iron_will")
    assert m.legal(1) == ("achieve iron_will", "take the hit")
    play(m, "achieve iron_will")
    assert hits(m) == (0, 0) and fatigue(m) == (16, 12)


@rule("K-13", "K-22")
def test_a_riposte_takes_the_hit_and_makes_the_attacker_pay():
    m = play(attacked("riposte"), "achieve riposte")
    assert hits(m) == (0, 1) and fatigue(m) == (16 - 7, 18 - 4)


@rule("K-13", "K-22")
@pytest.mark.parametrize(("before", "after"), [(3, 12), (15, 18)])
def test_cheers_refresh_up_to_a_fresh_pool(before, after):
    m = play(attacked("cheers", fatigue=(None, before)), "achieve cheers")
    assert hits(m) == (0, 1) and fatigue(m) == (16, after)


@rule("K-11", "K-13")
def test_the_price_has_to_be_there():
    assert attacked("iron_will", fatigue=(None, 5)).legal(1) == ("take the hit",)
    assert "achieve iron_will" in attacked("iron_will", fatigue=(None, 6)).legal(1)


@rule("K-22")
def test_wearing_out_follows_after_the_exchange():
    m = play(attacked("iron_will", fatigue=(None, 6)), "achieve iron_will")
    assert hits(m) == (0, 1) and fatigue(m) == (16, 18)
    m = play(attacked("riposte", fatigue=(9, None)), "achieve riposte")
    assert hits(m) == (1, 1) and fatigue(m) == (18, 14)


@rule("K-13")
def test_an_achievement_is_no_attack_and_no_other_defence():
    m = joust("iron_will", "A4a", deck="deeds")
    assert m.legal(0) == ("pass",)
    m = attacked("iron_will A4a A6b")  # and no other card is an Achievement
    assert [text for text in m.legal(1) if text.startswith("achieve")] == ["achieve iron_will"]


@rule("K-13")
def test_what_an_achievement_does_is_data():
    deck = {"extends": "base", "achievements": [{"name": "luck", "saves": True, "strikes_back": 20}]}
    m = play(joust("A1a", "luck", deck=deck), A1A, "achieve luck")
    assert hits(m) == (1, 0) and fatigue(m) == (18, 18)

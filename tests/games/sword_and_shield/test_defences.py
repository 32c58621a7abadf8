"""Proper defences, hits, settling the difference, the Manoeuvre."""

from __future__ import annotations

import pytest

from tests.games.sword_and_shield.play import fatigue, hits, joust, play, rule

A1A = "attack with A1a by strength"  # attack A1, costs 2, makes 10


@rule("K-05")
def test_only_a_card_whose_scroll_covers_the_attack_defends():
    """A1 is answered by S1 (A3a) and W1 (A6a), not by S2 (A7a) or W2 (A4a)."""
    m = play(joust("A1a", "A3a A6a A7a A4a"), A1A)
    defences = [text for text in m.legal(1) if text.startswith("defend")]
    assert defences == ["defend with A3a by chivalry", "defend with A6a by chivalry"]


@rule("K-05")
def test_coverage_is_data():
    deck = {"extends": "base", "coverage": {"S2": ["A1"], "S1": []}}
    m = play(joust("A1a", "A3a A7a", deck=deck), A1A)
    assert m.legal(1) == ("defend with A7a by strength", "take the hit")


@rule("K-06")
def test_a_defended_attack_never_hits_however_large_the_gap():
    weak = {"name": "weak", "strength": 1, "technique": 1, "chivalry": 1, "endurance": 1}
    strong = {"name": "strong", "strength": 8, "technique": 1, "chivalry": 1, "endurance": 1}
    m = joust("A4a", "A2a", knights=[strong, {**weak, "endurance": 4}])  # A2a: W4, Technique 6
    play(m, "attack with A4a by strength", "defend with A2a by technique")
    assert hits(m) == (0, 0)
    assert fatigue(m) == (12, 18 - 5 - (15 - 7))


@rule("K-06", "K-07")
def test_without_a_defence_it_is_a_hit():
    m = play(joust("A1a", "A4a"), A1A)
    assert m.legal(1) == ("take the hit",)
    assert hits(play(m, "take the hit")) == (0, 1)
    assert fatigue(m) == (16, 18)


@rule("K-07")
def test_a_defender_who_could_defend_may_decline():
    m = play(joust("A1a", "A3a"), A1A)
    assert set(m.legal(1)) == {"defend with A3a by chivalry", "take the hit"}
    assert hits(play(m, "take the hit")) == (0, 1)


@rule("K-08")
@pytest.mark.parametrize(
    ("defender", "after"),
    [
        ("A3a by chivalry", (16, 16)),  # 10 against 10: each has paid its own 2
        ("A4b by chivalry", (16, 16)),  # 8: the defender pays 2
        ("A4b by technique", (16, 14)),  # 6: the defender pays 4
    ],
)
def test_the_lower_number_pays_the_difference(defender, after):
    m = play(joust("A1a", defender.split()[0]), A1A, f"defend with {defender}")
    assert fatigue(m) == after and hits(m) == (0, 0)


@rule("K-08")
def test_an_attacker_who_is_lower_pays():
    m = play(joust("A5b", "A1a"), "attack with A5b by strength", "defend with A1a by strength")
    assert fatigue(m) == (18 - (10 - 7), 18 - 2)


@rule("K-08", "K-10", "K-11")
def test_what_the_pool_does_not_hold_is_lost():
    m = play(joust("A1a", "A4b", fatigue=(None, 1)), A1A, "defend with A4b by technique")
    assert fatigue(m) == (16, 18) and hits(m) == (0, 1)  # it owed 4, had 1, and starts anew


@rule("K-11")
def test_a_defence_above_the_knight_needs_the_points_too():
    m = play(joust("A1a", "A3a A4b", fatigue=(None, 1)), A1A)  # A3a: Chivalry 6
    assert [t for t in m.legal(1) if "A3a" in t] == []
    assert "defend with A4b by chivalry" in m.legal(1)


@rule("K-12")
def test_a_manoeuvre_costs_five_and_nobody_pays_more():
    m = play(joust("A1a", "A9b"), A1A, "manoeuvre with A9b")  # A9b answers A5 and A10 only
    assert fatigue(m) == (16, 13) and hits(m) == (0, 0)
    assert "A9b" in m.text(None).split("discards ")[1]


@rule("K-12")
def test_a_manoeuvre_is_allowed_though_a_card_could_defend():
    m = play(joust("A1a", "A6b"), A1A)  # W1 and the symbol
    assert set(m.legal(1)) == {
        "defend with A6b by strength",
        "defend with A6b by technique",
        "manoeuvre with A6b",
        "take the hit",
    }


@rule("K-12")
def test_a_manoeuvre_needs_five_points_and_the_symbol():
    assert play(joust("A1a", "A9b A4a", fatigue=(None, 4)), A1A).legal(1) == ("take the hit",)
    assert play(joust("A1a", "A9b A4a", fatigue=(None, 5)), A1A).legal(1) == (
        "manoeuvre with A9b",
        "take the hit",
    )


@rule("K-12", "K-11", "K-10")
def test_a_manoeuvre_with_the_last_points_wears_out():
    m = play(joust("A1a", "A9b", fatigue=(None, 5)), A1A, "manoeuvre with A9b")
    assert hits(m) == (0, 1) and fatigue(m) == (16, 18)

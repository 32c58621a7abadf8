"""Playing a card as an attack: tactics, Modified Combat Numbers, cost."""

from __future__ import annotations

import pytest

from tests.games.sword_and_shield.play import PLAIN, fatigue, held, joust, play, rule

STRONG = {**PLAIN, "name": "strong", "strength": 6, "endurance": 8}


@rule("K-01", "K-02")
def test_a_card_is_played_by_a_tactic_that_it_prints():
    m = joust("A1b A4a")  # Technique 3 and Chivalry 3; Strength 7
    assert [text for text in m.legal(0) if text.startswith("attack")] == [
        "attack with A1b by technique",
        "attack with A1b by chivalry",
        "attack with A4a by strength",
    ]
    assert not any("endurance" in text for text in m.legal(0))


@rule("K-02")
def test_the_combat_number_adds_knight_and_card_in_the_chosen_tactic():
    m = joust("A2b", knights=[{**PLAIN, "chivalry": 6, "strength": 3}, PLAIN])  # Chivalry 4, Strength 2
    assert play(m.clone(), "attack with A2b by chivalry").state.number == 6 + 4
    assert play(m.clone(), "attack with A2b by strength").state.number == 3 + 2


@rule("K-02")
def test_the_defender_picks_a_tactic_of_its_own():
    m = play(joust("A5a", "A5b A5a"), "attack with A5a by technique")  # A5a: Technique 5
    assert m.state.by == 1
    m = play(joust("A5b", "A1a"), "attack with A5b by chivalry", "defend with A1a by strength")  # S3
    assert fatigue(m) == (18 - 3, 18 - 2)  # A5b makes 7 for nothing, A1a makes 10 for 2


@rule("K-03")
@pytest.mark.parametrize(("strength", "cost"), [(3, 4), (5, 2), (7, 0), (8, 0)])
def test_what_the_card_prints_above_the_knight_is_paid(strength, cost):
    m = joust("A4a", knights=[{**PLAIN, "strength": strength}, PLAIN])  # Strength 7
    play(m, "attack with A4a by strength")
    assert fatigue(m) == (18 - cost, 18)


@rule("K-03")
def test_it_is_paid_whether_the_attack_hits_or_is_dodged_and_never_comes_back():
    attack = "attack with A1a by strength"  # Strength 6: costs 2, makes 10
    assert fatigue(play(joust("A1a"), attack, "take the hit")) == (16, 18)
    assert fatigue(play(joust("A1a", "A6b"), attack, "manoeuvre with A6b")) == (16, 13)


@rule("K-04")
def test_attack_and_number_are_announced_before_the_defence_is_chosen():
    m = play(joust("A1a A3b"), "attack with A1a by strength")
    seen = dict(zip(m.game.observation_labels(m.spec), m.observation(1), strict=True))
    assert seen["on the table: A1"] == 1 and seen["on the table: strength"] == 1
    assert seen["on the table: number /16"] == 10 / 16
    assert "A1a: A1 by strength, Modified Combat Number 10" in m.text(1)
    assert "A3b" not in m.text(1)


@rule("K-11")
def test_a_cost_needs_that_many_points():
    m = joust("A1a A3b", fatigue=(1, None))  # 2 points for A1a, none for A3b
    assert m.legal(0) == ("attack with A3b by strength", "attack with A3b by technique", "pass")
    assert "attack with A1a by strength" in joust("A1a", fatigue=(2, None)).legal(0)


@rule("K-11", "K-10")
def test_paying_down_to_nothing_is_allowed_and_counts_after_the_exchange():
    m = play(joust("A1a", fatigue=(2, None)), "attack with A1a by strength")
    assert fatigue(m) == (0, 18) and m.state.hits[0] == 0
    play(m, "take the hit")
    assert fatigue(m) == (18, 18) and tuple(m.state.hits) == (1, 1)


@rule("K-02", "K-03")
def test_the_example_of_the_rulings():
    """Strength 4 plays 6: cost 2, number 10. Technique 5 answers with 3: free, number 8. It pays 2."""
    knights = [PLAIN, {**PLAIN, "technique": 5}]
    deck = {"extends": "base", "coverage": {"S4": ["A1"]}}  # A3b shows S4
    m = play(joust("A1a", "A3b", knights=knights, deck=deck), "attack with A1a by strength")
    assert m.state.number == 10 and fatigue(m) == (16, 18)
    play(m, "defend with A3b by technique")
    assert fatigue(m) == (16, 16)


def test_the_card_leaves_the_hand():
    m = play(joust("A1a A3b"), "attack with A1a by strength")
    assert held(m, 0) == ["A3b"]


def test_an_attack_of_a_stronger_knight_is_cheaper():
    m = joust("A4a", knights=[STRONG, PLAIN])
    assert fatigue(m) == (26, 18)
    assert fatigue(play(m, "attack with A4a by strength")) == (25, 18)

"""Decks and knights as data, and what is said of mistakes in them."""

from __future__ import annotations

import json

import pytest

from fm_env.errors import SetupError
from fm_env.games.sword_and_shield.data import deck_names, deck_of, knight_of, knights, suggested_coverage
from fm_env.match import Match
from tests.games.sword_and_shield.play import PLAIN, fatigue, game, joust, rule

CARD = {"name": "a", "attack": "A1", "strength": 4}


@rule("K-17")
def test_every_attack_has_one_answer_of_each_kind():
    table = suggested_coverage()
    assert len(table) == 10
    for attack in [f"A{k}" for k in range(1, 12)]:
        answers = [defence for defence, covered in table.items() if attack in covered]
        assert sorted(answer[0] for answer in answers) == ["S", "W"], attack
    assert table["S2"] == ["A3", "A4"] and table["S5"] == ["A9", "A10", "A11"]
    assert table["W4"] == ["A4", "A9"] and table["W1"] == ["A1", "A6", "A11"]


@rule("K-17")
def test_the_base_deck_makes_every_attack_and_shows_every_defence():
    deck = deck_of("base")
    assert {card.attack for card in deck.cards} == {f"A{k}" for k in range(1, 12)}
    assert {defence for card in deck.cards for defence in card.defences} == set(suggested_coverage())


@rule("K-09")
@pytest.mark.parametrize(("endurance", "points"), [(1, 12), (4, 18), (8, 26)])
def test_a_fresh_pool_is_ten_and_twice_endurance(endurance, points):
    m = joust("A1a", knights=[PLAIN, {**PLAIN, "endurance": endurance}])
    assert fatigue(m) == (18, points)


@rule("K-09")
def test_a_pool_can_be_given_as_data():
    assert fatigue(joust("A1a", knights=[{**PLAIN, "fatigue_max": 7}, PLAIN])) == (7, 18)


@rule("K-01")
def test_a_knight_has_three_tactics_and_endurance():
    assert knight_of("bear").strength == 7
    with pytest.raises(SetupError, match="wisdom: no such option; known here: name, strength, technique"):
        knight_of({**PLAIN, "wisdom": 3})


def test_what_is_shipped():
    assert deck_names() == ("base", "deeds")
    assert tuple(knights()) == ("bear", "fox", "swan", "ox", "griffin")
    assert len(deck_of("deeds").achievements) >= 2


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"deck": {"cards": []}}, "deck: cards: .*at least 1"),
        ({"deck": {"cards": [{**CARD, "attack": "A12"}]}}, "deck: cards.0.attack: .*'A1'.*, got 'A12'"),
        ({"deck": {"cards": [{**CARD, "strength": 9}]}}, "deck: cards.0.strength: .*less than.* 8, got 9"),
        ({"deck": {"cards": [{"name": "a", "attack": "A1"}]}}, "a: expected a value for at least one of"),
        ({"deck": {"cards": [{**CARD, "defences": ["S6"]}]}}, "deck: cards.0.defences.0: .*got 'S6'"),
        ({"deck": {"cards": [CARD, CARD]}}, "deck: cards: 'a' is the name of more than one"),
        ({"deck": {"cards": [{**CARD, "name": f"a{k}"} for k in range(27)]}}, "expected at most 26"),
        ({"deck": {"cards": [{**CARD, "name": f"a{k}", "copies": 8} for k in range(13)]}}, "at most 96"),
        ({"deck": {"cards": [CARD], "coverage": {"S1": ["A0"]}}}, "deck: coverage.S1.0: .*got 'A0'"),
        ({"deck": "gold"}, "deck: unknown name 'gold'; expected base, deeds, a .toml file or a table"),
        ({"deck": {"extends": "gold"}}, "deck: extends: unknown name 'gold'"),
        ({"deck": "nowhere.toml"}, "nowhere.toml: No such file"),
        ({"knights": ["bear", "lion"]}, "knights.1: unknown name 'lion'; expected bear, fox"),
        ({"knights": ["bear", {**PLAIN, "endurance": 0}]}, "knights.1: endurance: .*got 0"),
        ({"knights": ["bear"]}, "joust: knights"),
        ({"hand": 9}, "joust: hand: .*got 9"),
        ({"armour": 1}, "joust: armour: no such option; known here: knights, deck"),
        ({"setup": {"hands": [["A1a"] * 7, []]}}, "joust: setup.hands.0: expected at most 6 cards, got 7"),
        ({"setup": {"hands": [["A1a"] * 3, []]}}, "setup.hands.0: 3 x A1a, but the deck has 2 left"),
        ({"setup": {"hands": [[], ["B1"]]}}, "setup.hands.1: unknown card 'B1'"),
        ({"setup": {"fatigue": [99, None]}}, "setup.fatigue.0: expected 1 to 18, got 99"),
        ({"setup": {"hits": [5, 0]}}, "joust: setup.hits.0: .*got 5"),
    ],
)
def test_a_mistake_is_named_with_its_field(options, said):
    with pytest.raises(SetupError, match=said):
        game().scenario("joust", **options)


def test_an_unknown_scenario_is_named():
    with pytest.raises(SetupError, match="unknown name 'melee'; expected one of joust"):
        game().scenario("melee")


def test_files_of_ones_own(tmp_path):
    deck = tmp_path / "mine.toml"
    deck.write_text('extends = "base"\n[[achievements]]\nname = "luck"\nsaves = true\n', encoding="utf-8")
    knight = tmp_path / "lion.toml"
    knight.write_text("\n".join(f"{k} = {json.dumps(v)}" for k, v in PLAIN.items()), encoding="utf-8")
    m = game().new_match(seed=1, deck=str(deck), knights=[str(knight), "ox"])
    saved = m.to_json()
    deck.unlink()  # a saved joust holds what the files said
    knight.unlink()
    assert Match.from_json(saved).state_hash == m.state_hash
    deck.write_text("cards = 3 4", encoding="utf-8")
    with pytest.raises(SetupError, match=r"mine\.toml: not valid TOML"):
        game().scenario("joust", deck=str(deck))

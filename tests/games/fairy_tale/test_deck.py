"""The deck as data: what the standard one is, and what a bad one is told."""

from __future__ import annotations

import copy
from collections import Counter

import pytest

from fm_env.errors import SetupError
from fm_env.games.fairy_tale.deck import STANDARD, load_deck
from tests.games.fairy_tale.play import game, rule

SMALL = {
    "name": "small",
    "card": [
        {"name": "Bard", "race": "fairywood", "kind": "character", "copies": 12, "points": 3},
        {"name": "Home", "race": "fairywood", "kind": "home", "copies": 12, "points": 2},
    ],
}


@rule("T-27")
def test_the_standard_deck_keeps_to_all_that_is_known():
    deck = load_deck("standard")
    copies = Counter(dict.fromkeys(("dragonvale", "holy_empire", "fairywood", "shadow"), 0))
    for card in deck.card:
        copies[card.race] += card.copies
    assert dict(copies) == {"dragonvale": 28, "holy_empire": 28, "fairywood": 28, "shadow": 16}
    assert (deck.copies(expert=False), deck.copies(expert=True)) == (80, 100)
    assert not any(card.effect and card.effect.do == "hunt" for card in deck.card if not card.expert)
    assert [card.name for card in deck.card if card.almighty] == ["Trickster"]
    for name in ("Children of the Dragon", "Homesteader", "Mischievous Fairy"):
        (card,) = [card for card in deck.card if card.name == name]
        assert (card.copies, card.points) == (7, "own count")
        assert {"name", "copies", "points"} <= set(card.known)


@rule("T-27")
def test_the_three_colours_are_alike_card_for_card():
    deck = load_deck("standard")
    by_name = {card.name: card for card in deck.card}
    ring = {"dragonvale": "holy_empire", "holy_empire": "fairywood", "fairywood": "dragonvale"}

    def shape(card, race):
        friend = getattr(card.points, "friend", None)
        points = ("friends", card.points.each, by_name[friend].race == ring[race]) if friend else card.points
        effect = card.effect and (card.effect.do, card.effect.who, card.effect.count)
        needs = [(n.least, n.most, n.kind, bool(n.card), n.race in ("any", race)) for n in card.needs]
        return card.kind, card.copies, points, effect, needs, card.expert

    shapes = [[shape(card, race) for card in deck.card if card.race == race] for race in ring]
    assert shapes[0] == shapes[1] == shapes[2]
    assert len(shapes[0]) == 11


def test_what_is_ours_is_labelled():
    text = STANDARD.read_text(encoding="utf-8")
    assert "RECONSTRUCTION" in text
    assert any(not card.known for card in load_deck("standard").card)


def test_a_deck_of_ones_own_by_file_or_dict(tmp_path):
    file = tmp_path / "small.toml"
    lines = ['name = "small"']
    for card in SMALL["card"]:
        lines += ["[[card]]", *(f"{key} = {value!r}".replace("'", '"') for key, value in card.items())]
    file.write_text("\n".join(lines), encoding="utf-8")
    by_dict = game().scenario("basic", num_players=2, rounds=2, deck=SMALL)
    by_file = game().scenario("basic", num_players=2, rounds=2, deck=str(file))
    assert by_dict.setup.tobytes() == by_file.setup.tobytes()
    assert by_dict.spec == by_file.spec
    file.unlink()  # a saved game holds the deck, not its path
    again = game().scenario(**by_file.options)
    assert again.setup.tobytes() == by_file.setup.tobytes()
    match = game().new_match(scenario="basic", num_players=2, rounds=2, deck=SMALL, seed=1)
    assert set(match.legal(0)) <= {"draft Bard", "draft Home"}


def change(path, value):
    deck = copy.deepcopy(SMALL)
    target = deck
    *way, last = path
    for part in way:
        target = target[part]
    target[last] = value
    return deck


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        (("card", 0, "race"), "elves", "card.0.race: known: .*dragonvale.* got 'elves'"),
        (("card", 0, "kind"), "place", "card.0.kind: .* got 'place'"),
        (("card", 0, "copies"), 0, "card.0.copies: .*greater than or equal to 1, got 0"),
        (("card", 0, "copies"), 13, "card.0.copies: .*less than or equal to 12, got 13"),
        (("card", 0, "points"), "many", "card.0.points"),
        (("card", 0, "points"), {"each": 3, "friend": "Nobody"}, "card.0.points.friend: 'Nobody' is no card"),
        (("card", 0, "points"), {"each": 3, "friend": "Bard"}, "card.0.points.friend: .*'own count'"),
        (("card", 0, "colour"), "red", "card.0.colour: no such option"),
        (("card", 0, "effect"), {"do": "burn"}, "card.0.effect.do: .* got 'burn'"),
        (("card", 0, "effect"), {"do": "hunt", "who": "you"}, "card.0.effect: a hunt takes every"),
        (("card", 0, "effect"), {"do": "open", "count": 4}, "card.0.effect.count: .* got 4"),
        (("card", 0, "needs"), [{"least": 1}], "card.0: needs: only a story"),
        (("card", 1, "name"), "Bard", "name 'Bard' is used 2 times"),
        (("card",), [], "card: .*at least 1"),
        (("name",), "", "name: .*at least 1"),
    ],
)
def test_a_bad_deck_is_told_which_field_is_wrong(path, value, said):
    with pytest.raises(SetupError, match=said):
        game().scenario("basic", num_players=2, rounds=2, deck=change(path, value))


def test_stories_have_one_measure_a_need():
    story = {"name": "Tale", "race": "shadow", "kind": "story", "copies": 1, "points": 7}
    for need, said in (
        ({}, "expected either least"),
        ({"least": 1, "most": True}, "expected either least"),
        ({"least": 1, "card": "Bard", "race": "shadow"}, "a name says it all"),
        ({"least": 1, "card": "Nobody"}, "needs.0.card: 'Nobody' is no card"),
    ):
        deck = {"name": "small", "card": [*SMALL["card"], {**story, "needs": [need]}]}
        with pytest.raises(SetupError, match=said):
            game().scenario("basic", num_players=2, rounds=2, deck=deck)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"deck": "no such file.toml"}, "deck: 'no such file.toml': .*expected 'standard', a TOML file"),
        ({"deck": {}}, "deck: name: .*; deck: card:"),
        ({"rounds": 5}, "rounds: .* got 5"),
        ({"first_seat": 3, "num_players": 3}, "first_seat: expected below 3, got 3"),
        ({"decks": 2}, "decks: no such option.*known here: num_players, deck, strict_most"),
        ({"setup": [{"up": ["Bard"]}]}, "setup.0: 1 cards, but a tableau ends with 12"),
        ({"setup": [{"up": ["Brad"]}], "rounds": 1}, "setup.0.up: 'Brad' is no card of the deck"),
        ({"setup": [{"up": ["Eclipse"] * 2}], "rounds": 1}, "setup: 2 x 'Eclipse', but the deck has 1"),
        ({"setup": [{}] * 4, "rounds": 1}, "setup: expected at most 3 tableaux, got 4"),
    ],
)
def test_bad_options_are_told_what_was_expected(options, said):
    with pytest.raises(SetupError, match=said):
        game().scenario("expert", **options)


def test_too_small_a_deck_is_refused_with_the_numbers():
    with pytest.raises(SetupError, match="2 players need 40 cards for 4 rounds, but the deck has 24"):
        game().scenario("basic", num_players=2, deck=SMALL)

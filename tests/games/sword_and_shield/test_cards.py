"""The deck, the discards, and what can be known of a hand."""

from __future__ import annotations

import random

import numpy as np
import pytest

from fm_env.engine import engine_of
from fm_env.games.sword_and_shield.constants import ATTACK_NAMES
from fm_env.games.sword_and_shield.data import deck_of
from fm_env.records import rows_of
from fm_env.rng import row_for
from tests.games.sword_and_shield.play import discards, game, held, joust, known, named, play, rule

FOUR = {
    "cards": [
        {"name": "a", "attack": "A1", "strength": 4, "defences": ["S1"]},
        {"name": "b", "attack": "A2", "strength": 4, "defences": ["S1"]},
    ]
}
"""Two cards of each of two types."""


def labelled(m, seat):
    return dict(zip(m.game.observation_labels(m.spec), m.observation(seat), strict=True))


@rule("K-18")
def test_discards_lie_open():
    m = play(joust("A1a A2a", "A4a"), "pass", "discard A2a")
    assert discards(m) == ["A2a"]
    for seat in (0, 1):
        assert "discards A2a" in m.text(seat)
    assert labelled(m, 1)["unseen /8: A2a"] == 1 / 8  # the other copy
    assert labelled(m, 1)["unseen /8: A1a"] == 2 / 8  # one of them in the hand it can't see


@rule("K-18")
def test_cards_played_are_discarded_after_the_exchange():
    m = play(joust("A1a", "A3a"), "attack with A1a by strength")
    assert discards(m) == []
    assert sorted(discards(play(m, "defend with A3a by chivalry"))) == ["A1a", "A3a"]


@rule("K-15", "K-19")
def test_an_empty_deck_is_made_from_the_discards_and_hands_are_known_then():
    m = joust("a", "b", draws="b a", deck=FOUR)
    play(m, "attack with a by strength", "take the hit")  # seat 0 draws b
    assert known(m, 0) == known(m, 1) == [] and m.state.n_deck == 1
    play(m, "attack with b by strength", "take the hit")  # seat 1 draws the last card, a
    assert m.state.n_deck == 0 and discards(m) == ["a", "b"]
    assert m.state.shuffles == 1
    m = joust("a", "b", draws="b a a", deck=FOUR)
    play(m, "attack with a by strength", "take the hit", "attack with b by strength", "take the hit")
    play(m, "pass", "discard b", "end turn")  # the discards a, b, b are shuffled; seat 0 draws a
    assert m.state.shuffles == 2 and m.state.n_deck == 2
    assert known(m, 1) == ["a"] == held(m, 1)
    assert known(m, 0) == [] and held(m, 0) == ["a"]
    assert "surely a" in m.text(0) and "surely" not in m.text(1)


@rule("K-19")
def test_a_known_card_is_forgotten_when_it_is_played():
    m = joust("a", "b", draws="b a a b", deck=FOUR)
    play(m, "attack with a by strength", "take the hit", "attack with b by strength", "take the hit")
    play(m, "pass", "discard b", "end turn", "attack with a by strength", "take the hit")
    assert known(m, 1) == [] and held(m, 1) == ["b"]


@rule("K-19")
def test_guesses_keep_what_is_known():
    m = joust("A1a A1b", "A2a A2b")
    engine, seen, rows = engine_of(m.game), set(), rows_of(m.state)
    rows["known"][0, 1, 2] = 1  # seat 0 is sure of A2a
    for seed in range(40):
        guess = rows.copy()
        engine.resample(guess, 0, 0, row_for(seed))
        assert guess["hand"][0, 1, 2] >= 1 and guess["hand"][0, 1].sum() == 2
        seen.add(guess.tobytes())
    assert len(seen) > 10


@rule("K-20")
def test_how_much_is_left_of_a_hand_that_took_a_hit_is_seen():
    m = joust("A1a A1b A1b", "A4a A4b A5a", draws="A6a A6b")
    play(m, "attack with A1a by strength", "take the hit")
    label = "other's cards that took it /8: A1"
    assert labelled(m, 0)[label] == 3 / 8
    assert labelled(m, 1)["own cards that took it /8: A1"] == 3 / 8
    assert labelled(m, 0)["other's cards that took it /8: A2"] == 0
    play(m, "attack with A4a by strength", "take the hit")  # plays one of them and draws another
    assert labelled(m, 0)[label] == 2 / 8
    assert np.array_equal(m.state.bare[0] > 0, np.arange(11) == 3)


@rule("K-15")
def test_nothing_left_to_draw_leaves_hands_small():
    deck = {"cards": [{"name": "a", "attack": "A1", "strength": 4, "copies": 3}]}
    m = joust("a a", "a", draws="", deck=deck)
    assert m.pending == (0,) and held(m, 1) == ["a"]


@pytest.mark.parametrize("seed", range(4))
def test_answers_are_counted_for_each_attack(seed):
    deck = deck_of("deeds")
    covered = {card.name: deck.covered_by(card) for card in deck.cards}
    m, luck = game().new_match(seed=seed, deck="deeds"), random.Random(seed)
    while not m.is_over:
        for seat in (0, 1):
            seen, other = labelled(m, seat), 1 - seat
            unseen = held(m, other) + named(m, m.state.deck)
            for attack in ATTACK_NAMES:
                for pile, cards, scale in (
                    ("own answers /32", held(m, seat), 32),
                    ("unseen answers /128", unseen, 128),
                    ("known answers /32", known(m, other), 32),
                ):
                    answers = sum(attack in covered.get(card, ()) for card in cards)
                    assert seen[f"{pile}: {attack}"] == answers / scale
        m.play(m.pending[0], luck.choice(m.legal(m.pending[0])))
    assert m.state.turn > 5

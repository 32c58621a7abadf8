"""The words: nothing hidden in them, nothing left unsaid."""

from __future__ import annotations

import random

import pytest

from fm_env.engine import engine_of
from fm_env.records import rows_of
from fm_env.rng import row_for
from tests.games.sword_and_shield.play import game, joust, play

OPTIONS = [{}, {"deck": "deeds", "knights": ["ox", "swan"], "hand": 3}]


def random_match(seed, options):
    m, luck, positions = game().new_match(seed=seed, **options), random.Random(seed), []
    while not m.is_over:
        positions.append(m.clone())
        m.play(m.pending[0], luck.choice(m.legal(m.pending[0])))
    return m, positions


@pytest.mark.parametrize("options", OPTIONS)
def test_every_event_has_words(options):
    for seed in range(3):
        m, _ = random_match(seed, options)
        assert all(event.words.endswith(".") for event in m.log)
        assert any(word in m.log[-1].words for word in ("wins", "draw"))


@pytest.mark.parametrize("options", OPTIONS)
def test_the_text_of_a_seat_stays_when_what_it_cannot_see_changes(options):
    engine = engine_of(game().game)
    changed = 0
    for seed in range(3):
        for m in random_match(seed, options)[1][::3]:
            for seat in (0, 1):
                guess = rows_of(m.state)
                engine.resample(guess, 0, seat, row_for(seed))
                assert game().state_text(guess[0], seat) == m.text(seat)
                changed += game().state_text(guess[0], None) != m.text(None)
    assert changed


def test_what_is_said_of_an_exchange():
    m = play(joust("A1a", "A4b", draws="A2a A2b"), "attack with A1a by strength")
    play(m, "defend with A4b by technique")
    words = [event.words for event in m.log if event.seat >= 0]
    assert words == [
        "Knight 0 attacks (A1) with A1a by strength for 10, paying 2.",
        "Knight 1 defends with A4b by technique for 6. Knight 1 pays the difference of 4.",
    ]


def test_what_is_said_of_hits_and_wearing_out():
    m = play(joust("A1a", "A4a", fatigue=(2, None)), "attack with A1a by strength", "take the hit")
    said = next(event.words for event in m.log if event.text == "take the hit")
    assert said == "Knight 1 takes the hit. Knight 0 is worn out: a hit, and a fresh pool."


def test_a_seat_reads_its_own_cards_as_printed():
    text = joust("A6b", "A4a").text(0)
    assert "A6b: A6, Strength 3, Technique 3; answers A1 A6 A11; Manoeuvre" in text
    assert "A4a" not in text

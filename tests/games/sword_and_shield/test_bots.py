"""What the bots of Sword and Shield promise, shown on positions set up by hand."""

from __future__ import annotations

import numpy as np
import pytest

from agents.registry import make, table
from agents.sword_and_shield import reader
from fm_env.compiled import python_of
from tests.games.sword_and_shield.play import PLAIN, joust, play


def choice(bot, m):
    """What a bot would do for the seat that is asked."""
    seat = m.pending[0]
    agent = make(bot, m.game, m.scenario)
    agent.reset(m.spec, seat, seed=1)
    return m.game.action_text(m.spec, int(agent.act(m.observation(seat), m.mask(seat))))


def test_every_bot_answers_every_question_legally():
    for bot in table("sword_and_shield"):
        m = joust("", hand=6, deck="deeds")
        while not m.is_over:
            assert choice(bot, m) in m.legal(m.pending[0])
            m.play(m.pending[0], choice(bot, m))


def test_the_hitter_plays_its_highest_number_whatever_it_costs():
    m = joust("A4a A3b A5b", "A7b A2a A4b")
    assert choice("hitter", m) == "attack with A4a by strength"  # 11 for 3
    play(m, "attack with A4a by strength")
    assert choice("hitter", m) == "defend with A2a by technique"  # 10 for 2, rather than 7 for nothing


def test_the_conserver_attacks_for_free_or_looks_for_better_cards():
    assert choice("conserver", joust("A4a A3b A10b")) == "attack with A10b by chivalry"  # 8 for nothing
    m = joust("A4a A1a")
    assert choice("conserver", m) == "pass"
    assert choice("conserver", play(m, "pass")) == "discard A1a"


def test_the_conserver_defends_as_cheaply_as_it_can():
    m = play(joust("A4a", "A7b A2a"), "attack with A4a by strength")  # 11 comes
    # 7 for nothing leaves 4 to pay; 10 for 2 leaves 1; a Manoeuvre takes 5.
    assert choice("conserver", m) == "defend with A2a by technique"
    weak = {**PLAIN, "technique": 1, "chivalry": 1}
    m = play(joust("A4a", "A7b", knights=[PLAIN, weak]), "attack with A4a by strength")  # 4: pays 7
    assert choice("conserver", m) == "manoeuvre with A7b"


def test_the_reader_attacks_where_all_answers_are_gone():
    """Both cards make the same number for the same cost; every answer to A3 lies on the discards."""
    answers = ["A4a", "A4b", "A8b", "A2a"]
    cards = [
        {"name": name, "attack": "A1", "strength": 4, "defences": ["S2"], "copies": 2} for name in answers
    ]
    cards += [
        {"name": f"B{k}", "attack": "A1", "strength": 4, "defences": ["S1"], "copies": 8} for k in (1, 2)
    ]
    cards += [
        {"name": "one", "attack": "A1", "strength": 4},
        {"name": "three", "attack": "A3", "strength": 4},
    ]
    deck = {"cards": cards}
    gone = [name for name in answers for _ in range(2)]
    m = joust("one three", "B1 B2", deck=deck, discards=gone)
    assert choice("reader", m) == "attack with three by strength"
    m = joust("one three", "B1 B2", deck=deck, discards=["B1"] * 7 + ["B2"] * 7)
    assert choice("reader", m) == "attack with one by strength"


def test_the_reader_attacks_again_where_a_hit_was_taken():
    cards = [
        {"name": "other", "attack": "A2", "strength": 4},
        {"name": "again", "attack": "A1", "strength": 4},
        {"name": "answer", "attack": "A2", "strength": 1, "defences": ["S1"], "copies": 8},  # to both
        {"name": "none", "attack": "A2", "strength": 1, "copies": 8},
    ]
    m = joust("again again other", "none none none", draws="none", deck={"cards": cards})
    play(m, "attack with again by strength", "take the hit", "pass", "end turn")
    assert choice("reader", m) == "attack with again by strength"
    assert choice("reader:trust=0", m) == "attack with other by strength"  # no better, but the first


@pytest.mark.parametrize(("hidden", "answers", "drawn"), [(10, 3, 4), (30, 8, 6), (5, 5, 2), (4, 0, 4)])
def test_the_reader_counts_right(hidden, answers, drawn):
    """Against a count of hands drawn at random."""
    rng = np.random.default_rng(1)
    none = [not (rng.permutation(hidden)[:drawn] < answers).any() for _ in range(4000)]
    chance = python_of(reader.chance_of_none)(hidden, answers, drawn)
    assert np.mean(none) == pytest.approx(chance, abs=0.03)

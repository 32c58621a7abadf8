"""What can be wrong with a fight's cards is noticed."""

from __future__ import annotations

import pytest

from fm_env.games.fairy_meat.constants import FIRST_TRUMP, JOKER
from fm_env.games.fairy_meat.state import Fault
from tests.games.broken import faults_with
from tests.games.fairy_meat.play import duel


@pytest.fixture
def m():
    """Two fairies at the start of a round, an Order Card each."""
    return duel({}, {}, "9r 8b", seed=1)


@pytest.mark.parametrize("f", [0, 1])
def test_a_trump_is_no_main_card_and_the_dead_hold_none(m, f):
    assert faults_with(m, ("main", (f,), FIRST_TRUMP)) & Fault.PILES
    assert faults_with(m, ("main", (f,), JOKER - 1)) & Fault.PILES
    assert not faults_with(m, ("main", (f,), JOKER)) & Fault.PILES
    assert faults_with(m, ("alive", (f,), 0)) & Fault.PILES


@pytest.mark.parametrize("pile", ["laid", "wild"])
def test_only_trumps_are_laid_beside_a_number(m, pile):
    for card, wrong in ((0, True), (FIRST_TRUMP - 1, True), (FIRST_TRUMP, False), (JOKER, True)):
        assert bool(faults_with(m, (pile, (0, card), 1)) & Fault.PILES) == wrong


def test_every_card_is_somewhere_and_none_twice(m):
    card = int(m.state.deck.argmax())
    assert faults_with(m, ("deck", (card,), m.state.deck[card] - 1)) & Fault.CARDS
    assert faults_with(m, ("heap_up", (card,), m.state.heap_up[card] + 1)) & Fault.CARDS
    assert faults_with(m, ("hand", (0, card), -1)) & Fault.NEGATIVE

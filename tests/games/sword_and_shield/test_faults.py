"""What can be wrong with a state is noticed at its edges."""

from __future__ import annotations

import pytest

from fm_env.games.sword_and_shield.constants import HITS_TO_LOSE, NO_CARD, NO_SEAT, Phase
from fm_env.games.sword_and_shield.state import Fault
from tests.games.broken import faults_with, outside
from tests.games.sword_and_shield.play import joust


@pytest.fixture
def m():
    """Seat 0 is to attack; either holds two cards."""
    return joust("A1a A3b", "A2a A3a")


@pytest.mark.parametrize("pile", [("deck",), ("discard",), ("hand", 0), ("hand", 1)], ids=str)
def test_a_pile_below_zero_or_a_card_too_many(m, pile):
    field, *index = pile
    assert faults_with(m, (field, (*index, 0), -1)) & Fault.NEGATIVE
    assert faults_with(m, (field, (*index, 0), 9)) & Fault.CARDS
    assert faults_with(m, (field, (*index, 25), 1)) & Fault.CARDS


def test_a_card_on_the_table_that_is_elsewhere(m):
    assert faults_with(m, ("card", (), 0)) == Fault.CARDS | Fault.PHASE


def test_more_in_the_deck_than_was_shuffled(m):
    c = int((m.state.deck > 0).argmax())
    assert faults_with(m, ("shuffled", (c,), m.state.deck[c] - 1)) == Fault.CARDS
    assert faults_with(m, ("shuffled", (c,), m.state.deck[c])) == 0


def test_knowing_more_than_is_held(m):
    for seat in range(2):
        c = int(m.state.hand[seat].argmax())
        n = m.state.hand[seat, c]
        assert faults_with(m, ("known", (seat, c), n)) == 0
        assert faults_with(m, ("known", (seat, c), n + 1)) == Fault.KNOWN
        assert faults_with(m, ("known", (seat, c), -1)) == Fault.KNOWN


def test_counts_that_disagree(m):
    for field, index in (("n_deck", ()), ("n_discard", ()), ("n_hand", (0,)), ("n_hand", (1,))):
        for by in (1, -1):
            assert faults_with(m, (field, index, m.state[field][index] + by)) == Fault.COUNTS
    assert faults_with(m, ("hand_limit", (), 1)) == Fault.COUNTS
    for seat in range(2):
        assert faults_with(m, *[("bare", (seat, a), 2) for a in range(11)]) == 0
        for a in range(11):
            assert [faults_with(m, change) for change in outside("bare", 0, 2, seat, a)] == [Fault.COUNTS] * 2


def test_pools_out_of_bounds(m):
    for seat in range(2):
        most = int(m.state.fatigue_max[seat])
        assert faults_with(m, ("fatigue", (seat,), 1)) == 0
        assert faults_with(m, ("fatigue", (seat,), most)) == 0
        assert [faults_with(m, c) for c in outside("fatigue", 1, most, seat)] == [Fault.FATIGUE] * 2


def test_only_between_turns_a_pool_has_to_be_fresh(m):
    m.play(0, m.legal(0)[0])
    assert m.state.phase == Phase.DEFEND
    assert faults_with(m, ("fatigue", (0,), 0)) == 0
    assert faults_with(m, ("fatigue", (0,), -1)) == Fault.FATIGUE


def test_hits_out_of_bounds(m):
    over = ("phase", (), Phase.OVER)
    for seat in range(2):
        assert faults_with(m, ("hits", (seat,), HITS_TO_LOSE - 1)) == 0
        assert faults_with(m, ("hits", (seat,), HITS_TO_LOSE)) == Fault.HITS
        assert faults_with(m, ("hits", (seat,), -1)) == Fault.HITS
        assert faults_with(m, over, ("hits", (seat,), HITS_TO_LOSE + 1)) == 0
        assert faults_with(m, over, ("hits", (seat,), HITS_TO_LOSE + 2)) == Fault.HITS


@pytest.mark.parametrize("phase", [-1, Phase.OVER + 1, Phase.DEFEND], ids=int)
def test_a_phase_that_doesnt_fit_the_table(m, phase):
    assert faults_with(m, ("phase", (), phase)) == Fault.PHASE


def test_seats_that_there_are_not(m):
    assert [faults_with(m, c) for c in outside("attacker", 0, 1)] == [Fault.SEAT] * 2
    assert faults_with(m, ("attacker", (), NO_SEAT - 1)) == Fault.SEAT
    assert faults_with(m, ("phase", (), Phase.FIRST)) == Fault.SEAT
    assert faults_with(m, ("phase", (), Phase.FIRST), ("attacker", (), NO_SEAT)) == 0
    assert faults_with(m, ("drawing", (), 0)) == Fault.SEAT
    draw = ("phase", (), Phase.DRAW)
    assert faults_with(m, draw) == Fault.SEAT
    assert faults_with(m, draw, ("drawing", (), 1)) == 0
    assert faults_with(m, draw, ("drawing", (), 2)) == Fault.SEAT
    assert faults_with(m, draw, ("drawing", (), NO_SEAT - 1)) == Fault.SEAT


def test_drawing_from_an_empty_deck(m):
    draw = [("phase", (), Phase.DRAW), ("drawing", (), 1)]
    assert faults_with(m, *draw, ("n_deck", (), 0)) == Fault.PHASE | Fault.COUNTS
    assert m.state.card == NO_CARD

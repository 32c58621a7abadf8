"""What can be wrong with a state is noticed at its edges."""

from __future__ import annotations

import pytest

from fm_env.games.fairy_tale.constants import MAX_SEATS, NO_CARD, PACKET, PLAYS, ROUNDS, Kind, Phase, Race
from fm_env.games.fairy_tale.state import Fault
from tests.games.broken import faults_with, outside
from tests.games.fairy_tale.play import round_of, step

BARD, HERE = "Bard", (0, 0)


@pytest.fixture
def m():
    """Two players between the first and the second play of a round."""
    return step(round_of([BARD], [BARD]), BARD, BARD)


OPTIONS = [
    *outside("n_seats", 2, MAX_SEATS),
    *outside("first_seat", 0, 1),
    *outside("rounds", 1, ROUNDS),
    *outside("strict_most", 0, 1),
    ("n_types", (), 0),
    ("n_types", (), 127),
]
PLACES = [
    *outside("round_number", 0, 1),
    *outside("drafted", 0, PACKET),
    *outside("step", 0, PLAYS - 1),
    *outside("dealt", 0, 2 * PACKET),
    *outside("turn", 0, 1),
    ("choice", (0,), NO_CARD - 1),
    ("choice", (1,), 127),
    *outside("n_turned", 0, 0, 0),
    *outside("n_turned", 0, 0, 1),
    ("packet", (0, 0), NO_CARD - 1),
    ("packet", (1, PACKET - 1), 127),
    ("hand", (0, 0), NO_CARD - 1),
    ("hand", (1, PACKET - 1), 127),
]


@pytest.mark.parametrize("change", OPTIONS, ids=str)
def test_an_option_out_of_range(m, change):
    assert faults_with(m, change) == Fault.OPTION


@pytest.mark.parametrize("change", PLACES, ids=str)
def test_a_place_out_of_range(m, change):
    assert faults_with(m, change) == Fault.PLACE


def test_types_beyond_those_of_the_deck(m):
    n = int(m.state.n_types)
    assert faults_with(m, ("choice", (0,), n)) == Fault.PLACE
    assert faults_with(m, ("choice", (0,), n - 1)) == 0
    assert faults_with(m, ("n_types", (), len(m.state.pack))) != Fault.OPTION


@pytest.mark.parametrize("phase", [Phase.DEAL - 1, Phase.OVER, Phase.OVER + 1, Phase.OPEN])
def test_a_phase_in_which_nobody_could_act(m, phase):
    assert faults_with(m, ("phase", (), phase)) == Fault.PHASE


def test_dealing_while_hands_are_held(m):
    assert faults_with(m, ("phase", (), Phase.DEAL)) == Fault.PILES


def test_all_rounds_played_and_not_over(m):
    assert faults_with(m, ("round_number", (), 1)) == Fault.PHASE


@pytest.mark.parametrize("pile", ["deck", "up", "down", "out"])
def test_a_pile_below_zero(m, pile):
    none = next(c for c in range(len(m.state.pack)) if m.state.pack[c] == 0 or not m.state.up[:, c].any())
    index = (none,) if pile == "deck" else (MAX_SEATS - 1, none)
    assert faults_with(m, (pile, index, -1)) & Fault.NEGATIVE
    assert faults_with(m, (pile, index, 9)) & Fault.CARDS


def test_counts_that_disagree(m):
    assert faults_with(m, ("n_deck", (), m.state.n_deck + 1)) == Fault.COUNTS
    assert faults_with(m, ("shown", (0,), 1 + m.state.shown[0])) == Fault.COUNTS
    for seat in range(2):
        for race in range(Race.ANY + 1):
            for kind in range(Kind.ANY + 1):
                if (race, kind) == (Race.ANY, Kind.ANY):  # no sum of others is compared with it
                    continue
                n = m.state.tally[seat, race, kind] + 1
                assert faults_with(m, ("tally", (seat, race, kind), n)) & Fault.COUNTS, (race, kind)


def test_unsorted_hands_and_holes(m):
    hand = m.state.hand[0].tolist()
    held = PACKET - 1
    assert hand[held:] == [NO_CARD]
    assert faults_with(m, ("hand", (0,), hand[:held][::-1] + hand[held:])) & Fault.PILES
    assert faults_with(m, ("hand", (0, held), hand[0])) & Fault.PILES
    assert faults_with(m, ("hand", (0, held - 1), NO_CARD)) & Fault.PILES
    assert faults_with(m, ("packet", (1, 0), hand[0])) & Fault.PILES


def test_being_sure_of_what_isnt_there(m):
    assert faults_with(m, ("known_out", (0, 0), -1)) == Fault.MEMORY
    assert faults_with(m, ("known_out", (1, 0), 1)) == Fault.MEMORY
    # One's own unused card is no other's.
    assert faults_with(m, ("known_out", (1, 0), 1), ("out", (1, 0), 1)) & Fault.MEMORY
    assert not faults_with(m, ("known_out", (1, 0), 1), ("out", (0, 0), 1)) & Fault.MEMORY


def test_points_and_gains_of_another_tableau(m):
    for seat in range(2):
        assert faults_with(m, ("points", (seat,), m.state.points[seat] + 1)) == Fault.POINTS
        assert faults_with(m, ("gain", (seat, 0), m.state.gain[seat, 0] + 1)) == Fault.POINTS


def test_the_same_card_open_before_one_seat_and_closed_again_counts_twice(m):
    c = int(m.state.up[0].argmax())
    assert m.state.deck[c] > 0 and m.state.up[0, c] == 1
    one_closed = [
        ("down", (0, c), 1),
        ("deck", (c,), m.state.deck[c] - 1),
        ("n_deck", (), m.state.n_deck - 1),
    ]
    assert faults_with(m, *one_closed, ("shown", (c,), m.state.shown[c] + 1)) == 0
    assert faults_with(m, *one_closed) == Fault.COUNTS

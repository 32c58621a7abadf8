"""What can be wrong with a state is noticed at its edges."""

from __future__ import annotations

import pytest

from fm_env.games.angry_miniatures.constants import SIZE
from fm_env.games.angry_miniatures.state import Fault
from tests.games.angry_miniatures.play import battle, field, sheet
from tests.games.broken import faults_with, outside


@pytest.fixture
def m():
    """One against one on a board of six columns."""
    return battle([(sheet(), "a1")], [(sheet(), "a2")], board=field(*["." * 6] * 10))


@pytest.mark.parametrize("name", ["slowed", "crit_used"])
@pytest.mark.parametrize("figure", [0, 3])
def test_marks_are_there_or_not(m, name, figure):
    assert faults_with(m, (name, (figure,), 1)) == 0
    for change in outside(name, 0, 1, figure):
        assert faults_with(m, change) == Fault.SHEET


def test_squares_outside_the_board_are_closed(m):
    outer = 6
    assert m.state.width == 6
    assert m.state.ground[outer] != 0
    assert faults_with(m, ("ground", (outer,), 0)) == Fault.BOARD
    assert faults_with(m, ("ground", (outer,), 16)) & Fault.BOARD
    assert faults_with(m, ("width", (), SIZE + 1)) & Fault.BOARD


def test_stats_add_up_to_nine_and_speed_follows(m):
    assert faults_with(m, ("stat", (0, 0), 4)) & Fault.SHEET
    assert faults_with(m, ("stat", (0, 0), 4), ("stat", (0, 1), 2)) == 0
    assert faults_with(m, ("speed", (0,), m.state.speed[0] + 1)) & Fault.SHEET


def test_a_figure_is_where_the_board_says(m):
    c = int(m.state.cell[0])
    assert faults_with(m, ("at", (c,), -1)) & Fault.PLACE
    assert faults_with(m, ("at", (c + 1,), 0)) & Fault.PLACE
    assert faults_with(m, ("health", (0,), m.state.max_health[0] + 1)) == Fault.HEALTH
    assert faults_with(m, ("health", (0,), 0)) == Fault.HEALTH

"""Squares, steps, ways, and what an activation holds."""

from __future__ import annotations

import pytest

from fm_env.games.angry_miniatures.board import find_ways
from fm_env.games.angry_miniatures.scenario import SQUARES
from tests.games.angry_miniatures.play import battle, can, field, goes, health, play, rule, sheet, square

SLOW = sheet(body=4, mind=4, perk="attack")
"""Spirit 1: Speed 4."""
FAR = [(sheet(), "j1")]


def active(a, board=None, b=FAR, **more):
    """A fight in which A1 has just been activated."""
    m = battle(a, b, board=board or field("." * 10), **more)
    m.play(0, "own 1")
    return m


@rule("A-10")
def test_a_diagonal_step_costs_one():
    m = active([(SLOW, "a1")])
    assert {"e5", "e1", "a5", "d4"} <= goes(m)
    assert "f1" not in goes(m) and "a6" not in goes(m)


@rule("A-10")
def test_no_step_between_two_blocking_squares_that_touch_at_the_corner():
    """From a9 to b8: between b9 and a8 nobody squeezes through, past one of them everybody does."""
    for below, spent in (("#.........", 3), ("..........", 1)):
        m = active([(SLOW, "a9")], field("." * 10, ".#........", below))
        assert m.state.reach[SQUARES["b8"]] == spent


@rule("A-11")
@pytest.mark.parametrize("sign", [",", "~", ";"])
def test_difficult_terrain_and_water_cost_two_to_enter(sign):
    column = [f"{sign}{sign}........"] * 10
    m = active([(SLOW, "a1")], {"ground": "\n".join(column)})
    assert "a3" in goes(m) and "a4" not in goes(m)


@rule("A-11")
def test_a_square_that_cannot_be_paid_cannot_be_entered():
    """Three open squares leave one Speed, a river costs two; on the far side nothing is reached."""
    rows = ["." * 10] * 6 + ["~" * 10] + ["." * 10] * 3
    m = active([(SLOW, "a1")], {"ground": "\n".join(rows)})
    assert "a3" in goes(m)
    assert "a4" in goes(m)  # two steps and two for the river
    assert "a5" not in goes(m)


@rule("A-11")
def test_leaving_water_costs_nothing_more():
    rows = ["." * 10] * 9 + ["~" * 10]
    m = active([(SLOW, "a1")], {"ground": "\n".join(rows)})
    assert "a5" in goes(m)


@rule("A-12")
def test_friends_are_passed_enemies_are_not():
    """A corridor one square wide."""
    board = {"ground": "\n".join(["." * 10] * 2 + ["#.########"] * 6 + ["." * 10] * 2)}
    friend = active([(SLOW, "b2"), (sheet(), "b3")], board)
    assert "b4" in goes(friend) and "b3" not in goes(friend)
    enemy = active([(SLOW, "b2"), (sheet(), "j1")], board, [(sheet(), "b3"), (sheet(), "j10")])
    assert "b4" not in goes(enemy) and "b3" not in goes(enemy)


@rule("A-13")
def test_one_move_and_one_attack_in_either_order():
    m = battle([(sheet(), "a1")], [(sheet(), "a3")], "K -", board=field("." * 10))
    play(m, "A1 to a2")
    assert not goes(m), "a second move"
    play(m, "A1 at B1")
    assert m.pending == (1,), "nothing is left to do"
    assert health(m) == [4, 3]

    m = battle([(sheet(), "a1")], [(sheet(), "a2")], "K -", board=field("." * 10))
    play(m, "A1 at B1")
    assert not can(m, "A1 at B1"), "a second attack"
    assert "a2" not in goes(m) and "c1" in goes(m), "leaving a melee is free"
    play(m, "A1 to c1")
    assert square(m, "A1") == "c1" and m.pending == (1,)


@rule("A-13")
def test_either_may_be_skipped():
    m = battle([(sheet(), "a1")], [(sheet(), "a2")], "first")
    play(m, "A1 end")
    assert m.pending == (1,)
    play(m, "B1 end")
    assert m.state.round_number == 2 and health(m) == [4, 4]


@rule("A-20")
def test_standing_up_costs_two_speed_before_a_prone_figure_moves():
    m = active([(SLOW, "a1", {"prone": True})])
    assert goes(m) == set() and can(m, "A1 stand up")
    m.play(0, "stand up")
    assert not m.state.prone[0]
    assert "c3" in goes(m) and "d4" not in goes(m)


@rule("A-13", "A-20")
def test_an_attack_ends_the_move_that_standing_up_began():
    m = battle([(SLOW, "a1", {"prone": True})], [(sheet(), "a2")], "K -")
    play(m, "A1 stand up", "A1 at B1")
    assert m.pending == (1,)
    m = battle([(SLOW, "a1", {"prone": True})], [(sheet(), "a2")], "K -")
    play(m, "A1 at B1", "A1 stand up", "A1 to b1")
    assert square(m, "A1") == "b1"


@rule("A-32")
@pytest.mark.parametrize(("direct", "cost", "squares"), [(".,.,......", 6, 6), (".,........", 5, 4)])
def test_the_way_is_the_cheapest_and_of_those_the_one_of_most_squares(direct, cost, squares):
    """a1 to e1 straight on takes four squares, around the wall above it six at one Speed each."""
    s = active([(sheet(), "a1")], {"ground": "\n".join(["." * 10] * 8 + [".###......", direct])}).state
    find_ways(s, 0, 6)
    assert int(s.reach[SQUARES["e1"]]) == cost
    assert int(s.way[SQUARES["e1"]]) == squares

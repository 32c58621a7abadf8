"""Deployment, initiative, and taking turns."""

from __future__ import annotations

import pytest

from tests.games.angry_miniatures.play import aims, battle, game, goes, health, play, rule, sheet


@rule("A-29")
@pytest.mark.parametrize(("roll", "first"), [("first higher", 1), ("second higher", 0)])
def test_the_loser_of_the_roll_places_first_and_sides_alternate(roll, first):
    m = game().new_match(chance=[roll, "first higher"])
    placed = []
    while m.state.round_number == 0:
        seat = m.pending[0]
        placed.append(seat)
        m.play(seat, m.legal(seat)[-1])
        m.play(seat, m.legal(seat)[0])
    assert placed == [first, 1 - first] * 3


@rule("A-29")
def test_the_first_two_rows_of_ones_own_edge():
    m = game().new_match(chance=["second higher", "first higher"])
    m.play(0, "own 2")
    bottom = {f"{column}{row}" for column in "abcdefghij" for row in (1, 2)}
    assert goes(m) == bottom
    m.play(0, "c2")
    m.play(1, "own 1")
    assert goes(m) == {f"{column}{row}" for column in "abcdefghij" for row in (9, 10)}
    assert set(m.legal(1)) == bottom, "each seat names squares from its own edge"
    m.play(1, "a1")
    assert "own 2" not in m.legal(0)
    m.play(0, "own 3")
    assert "c2" not in goes(m), "somebody stands there"


@rule("A-29")
def test_nobody_is_deployed_on_a_blocking_square():
    ground = "\n".join(["...", "...", "...", ".#."])
    m = game().new_match("duel", board={"ground": ground}, chance=["second higher"])
    m.play(0, "own 1")
    assert goes(m) == {"a1", "c1", "a2", "b2", "c2"}


@rule("A-26")
@pytest.mark.parametrize("winner", [0, 1])
@pytest.mark.parametrize("choice", ["go first", "go second"])
def test_the_winner_of_the_roll_says_who_starts(winner, choice):
    figures = [[{"at": "a1"}], [{"at": "f6"}]]
    roll = "first higher" if winner == 0 else "second higher"
    m = game().new_match("duel", setup={"figures": figures}, chance=[roll])
    assert m.pending == (winner,) and m.legal(winner) == ("go first", "go second")
    m.play(winner, choice)
    assert m.pending == (winner if choice == "go first" else 1 - winner,)


@rule("A-26")
def test_initiative_is_rolled_every_round():
    m = battle([(sheet(), "a1")], [(sheet(), "a9")], "second second")
    play(m, "A1 end", "B1 end")
    assert m.pending == (1,) and m.legal(1) == ("go first", "go second")
    m.play(1, "go second")
    play(m, "A1 end", "B1 end")
    assert m.state.round_number == 3


@rule("A-27")
def test_sides_take_turns_until_one_has_nobody_left():
    m = battle([(sheet(), "a1")], [(sheet(), "a9"), (sheet(), "b9"), (sheet(), "c9")], "first")
    turns = []
    while m.state.round_number == 1:
        seat = m.pending[0]
        turns.append(seat)
        m.play(seat, m.legal(seat)[0])
        m.play(seat, "end")
    assert turns == [0, 1, 1, 1]


@rule("A-27")
def test_the_activation_of_the_dead_is_lost():
    b = [(sheet(), "a2", {"health": 1}), (sheet(), "j10")]
    m = battle([(sheet(), "a1"), (sheet(), "a9")], b, "K - first")
    play(m, "A1 at B1", "A1 end")
    assert aims(m) == {"B2"}
    play(m, "B2 end", "A2 end")
    assert m.state.round_number == 2 and health(m)[3] == 0


@rule("A-27")
def test_each_figure_acts_once_a_round():
    m = battle([(sheet(), "a1"), (sheet(), "b1")], [(sheet(), "a9"), (sheet(), "b9")])
    play(m, "A2 end", "B1 end")
    assert aims(m) == {"A1"}


@rule("A-27")
def test_who_dies_of_her_own_attack_is_done():
    m = battle([(sheet(), "a1", {"health": 1}), (sheet(), "j1")], [(sheet(), "a2"), (sheet(), "j10")], "- K")
    play(m, "A1 at B1")
    assert m.pending == (1,) and m.state.active == -1


@rule("A-30")
def test_two_players():
    for name in game().scenario_names():
        assert game().spec(name).num_seats == 2

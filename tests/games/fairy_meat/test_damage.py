"""Wounds, mangling, death and who wins a bout."""

from __future__ import annotations

import pytest

from tests.games.fairy_meat.play import attack, duel, life, meat, play, rule, scuffle


@rule("F-51")
@pytest.mark.parametrize("b", [{"live": 0, "kill": 2}, {"live": 2, "kill": 0}])
def test_a_fairy_with_any_point_left_is_alive(b):
    m = duel({}, b, "Kr Kb")
    assert m.state.alive[1] and not m.is_over


@rule("F-51")
def test_dead_is_who_has_neither_live_nor_kill():
    m = attack("9r 8r", "5r", b={"live": 0, "kill": 2, "used_twinkle": 3})
    play(m, "A: add  B: add  A: 9r")
    assert not m.state.alive[1] and m.state.used_twinkle[1] == 3
    assert meat(m, 1) == (0, 2)  # what she was stays as loot


@rule("F-52")
@pytest.mark.parametrize(("weapon", "live", "meat_left"), [("ripper", 1, (0, 0)), ("moon_dagger", 0, (0, 2))])
def test_a_mangler_takes_the_points_out_of_the_game(weapon, live, meat_left):
    """Both weapons give two cards; the Ripper also takes one from the defender."""
    a = {"kill": 1, "weapons": [weapon]}
    m = attack("9r 8r 7r 6r", "5r", a=a, b={"live": live, "kill": 3}, act="attack with weapon 1")
    play(m, "A: add  B: add  A: 9r  B: lose kill  B: lose kill" if live else "A: add  B: add  A: 9r")
    assert life(m, 1) == (live, 1)
    assert meat(m, 1) == meat_left


@rule("U-15")
def test_points_replace_nasty_hits_and_the_owner_chooses_each():
    m = attack("9r 8r", "4r 5r", b={"live": 3, "kill": 3}, seed=1)
    play(m, "A: add  B: add  A: 9r  B: 4r")
    assert m.state.damage[1] == 3  # ceil(5 / 2); Fast Play would deal two
    play(m, "B: lose live  B: lose kill  B: lose live")
    assert life(m, 1) == (1, 2)


@rule("F-66")
def test_a_kill_ends_the_duel_after_the_turn_and_wins():
    m = attack("9r 8r", "5r", b={"live": 0, "kill": 2}, a={"live": 1, "kill": 1})
    play(m, "A: add  B: add  A: 9r")
    assert m.is_over and m.state.round_number == 1 and m.returns() == (1.0, -1.0)


@rule("F-68", "F-75")
def test_after_the_last_round_more_fairy_points_win():
    for live, kill, result in (
        (3, 3, 0.0),
        (2, 4, 0.0),
        (3, 4, 1.0),
        (4, 3, 1.0),
        (2, 3, -1.0),
        (3, 2, -1.0),
    ):
        m = duel({"live": live, "kill": kill, "meat_live": 3}, {"live": 3, "kill": 3}, "Kr Qb", rounds=1)
        play(m, "A: hold  B: hold  B: end turn  A: end turn")
        assert m.is_over and m.returns() == (result, -result)


@rule("F-14")
def test_a_duel_lasts_eight_rounds():
    m = duel({}, {}, seed=4)
    while not m.is_over:
        seat = m.pending[0]
        m.play(seat, "hold" if "hold" in m.legal(seat) else "end turn")
    assert m.state.round_number == m.state.rounds == 8


@rule("F-75")
def test_a_scuffle_ranks_all_players():
    m = scuffle(3, [{"live": 1}, {"live": 3}, {"live": 2}], "Kr Kb Qr", decks=1, rounds=1, seed=1)
    while not m.is_over:
        seat = m.pending[0]
        m.play(seat, "hold" if "hold" in m.legal(seat) else "end turn")
    assert m.returns() == (-1.0, 1.0, 0.0)

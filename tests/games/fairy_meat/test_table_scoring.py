"""Who scores what on the whole table, how a battle ends, who has won."""

from __future__ import annotations

import pytest

from fm_env.games.fairy_meat.constants import Place
from fm_env.games.fairy_meat.scoring import table_points
from tests.games.fairy_meat.play import rule
from tests.games.fairy_meat.table_play import act, box, corpse, does, fight, legal, named, turn

A = {"x": 10, "y": 24, "kill": 1}
B = {"x": 11, "y": 24, "live": 1, "kill": 0}
FAR = {"x": 40, "y": 40}
FRIEND = {"x": 44, "y": 40, "seat": 1}
BLOW = "attack bare-handed"
SHOT = "attack with weapon 1"


def points(m, n=2):
    return [int(table_points(m.state, seat)) for seat in range(n)]


# ----------------------------------------------------------------------------------------- kills
@rule("F-67", "F-51")
def test_a_kill_is_worth_four_points_and_leaves_a_body():
    m = turn(A, {**B, "kill": 1}, FRIEND, draws="9r 2r 3r")
    fight(does(m, BLOW, "frolic"), "2r")
    s = m.state
    assert s.alive[1] == 0 and s.whereabouts[1] == Place.TABLE and points(m) == [4, 0]
    assert (s.meat_live[1], s.meat_kill[1]) == (1, 1)
    assert not s.sees[0, 1] and BLOW not in legal(m), "a body is no figure to be seen or hit"


@rule("F-67")
def test_killing_ones_own_scores_nothing():
    m = turn(A, FAR, {**B, "seat": 0}, draws="9r 2r 3r")
    fight(does(m, BLOW, "frolic"))
    assert m.state.alive[2] == 0 and points(m) == [0, 0]


@rule("F-67")
@pytest.mark.parametrize("draws", ["9r X 2r", "X 2r 3r"])
def test_an_attacker_whom_a_joker_kills_is_the_opponents_kill(draws):
    """Whoever laid it."""
    m = turn({**A, "live": 0}, {**B, "kill": 1}, {**FAR, "seat": 0}, draws=draws)
    fight(does(m, BLOW, "frolic"), "joker", "joker hurts")
    assert m.state.alive[0] == 0 and points(m) == [0, 4]
    assert m.state.turn != 0, "the dead have no turn"


@rule("F-67")
def test_an_attacker_who_loses_a_wrestle_is_the_opponents_kill():
    m = turn({**A, "live": 0}, {**B, "kill": 1}, {**FAR, "seat": 0}, combat="unclevl", draws="2r 9r 8r")
    fight(does(m, "wrestle", "frolic"), "add", "trumps none", "9r", "deal damage")
    assert m.state.alive[0] == 0 and points(m) == [0, 4]


@rule("F-67", "F-68", "F-66")
def test_two_who_kill_each_other_end_it_in_a_draw():
    m = turn({**A, "live": 0}, {**B, "live": 0, "kill": 1}, combat="unclevl", draws="5r 5r 8r")
    fight(does(m, "wrestle", "frolic"), "add", "trumps none", "5r")
    assert points(m) == [4, 4] and m.is_over and m.returns() == (0, 0)


@rule("F-67", "F-46")
@pytest.mark.parametrize(("seat", "scores"), [(2, [4, 0, 0]), (1, [4, 0, 0]), (0, [0, 0, 0])])
def test_a_redirected_shot_is_the_attackers_owners_kill(seat, scores):
    """Far out of the bow's range: a redirected shot knows none. Not for a friend of the attacker."""
    third = {"x": 47, "y": 24, "live": 0, "kill": 1, "seat": seat}
    m = turn(
        {**A, "weapons": ["fairy_shot_bow"]}, B, third, {**FAR, "seat": 2}, num_players=3, draws="9r X 2r"
    )
    does(m, SHOT, "frolic", named(m, "A", "B"))
    fight(m, "joker", named(m, "B", "C"))
    assert m.state.alive[2] == 0 and points(m, 3) == scores


@rule("F-46")
def test_a_redirected_shot_hits_only_who_is_in_the_attackers_sight():
    hidden = {"x": 20, "y": 24, "seat": 1}
    m = turn({**A, "weapons": ["fairy_shot_bow"]}, {"x": 10, "y": 30, "live": 1}, hidden, {**FAR, "seat": 0},
             pieces=(box(15, 24, 1, 4, 9),), draws="9r X 2r")  # fmt: skip
    does(m, SHOT, "frolic", named(m, "A", "B"))
    while "decline" not in {text for seat in m.pending for text in m.legal(seat)}:
        seat = m.pending[0]
        options = m.legal(seat)
        m.play(seat, "joker" if "joker" in options else options[0])
    assert legal(m) == {"decline", named(m, "B", "D")}


@rule("F-67", "F-58")
def test_a_thorn_that_was_turned_round_is_its_new_casters_kill():
    caster = {**A, "live": 1, "kill": 0, "twinkle": 2, "magic": "mean"}
    m = turn(caster, {**B, "x": 20}, {**FAR, "seat": 0}, draws="X 9r 2r")
    does(m, "cast rose prick", named(m, "A", "B"))
    fight(m, named(m, "B", "A"))
    assert m.state.alive[0] == 0 and points(m) == [0, 4] and m.state.turn != 0


@rule("F-67", "F-57")
def test_a_thorn_that_kills_is_its_casters_kill():
    m = turn({**A, "kill": 0, "twinkle": 2, "magic": "mean"}, {**B, "x": 20}, FRIEND, draws="9r 2r 3r")
    fight(does(m, "cast rose prick", named(m, "A", "B")), "2r")
    assert m.state.alive[1] == 0 and points(m) == [4, 0]


@rule("F-73", "F-52")
@pytest.mark.parametrize(("meat", "where"), [(0, Place.GONE), (1, Place.TABLE)])
def test_a_fairy_mangled_to_nothing_leaves_no_body(meat, where):
    m = turn({**A, "weapons": ["ripper"]}, {**B, "meat_live": meat}, FRIEND, draws="9r 8r 8b 2r")
    fight(does(m, SHOT, "frolic"), "9r")
    assert m.state.alive[1] == 0 and m.state.whereabouts[1] == where and points(m) == [4, 0]


# ---------------------------------------------------------------------------------------- the end
@rule("F-66", "F-68")
def test_equal_points_are_a_draw():
    m = act(turn({**A, "kill": 3}, FAR, rounds=1), "B")
    does(m, "end turn")
    assert m.is_over and m.returns() == (0, 0)


@rule("F-66", "F-14")
def test_the_battle_lasts_as_many_rounds_as_set():
    m = turn(A, FAR, rounds=2)
    act(m, "B")
    does(m, "end turn")
    assert not m.is_over and m.state.round_number == 2
    act(m, "A"), act(m, "B"), does(m, "end turn")
    assert m.is_over
    assert turn(A, FAR).state.rounds == 8


@rule("F-67", "F-72", "F-75")
def test_a_point_of_meat_counts_one_and_players_are_ranked_by_points():
    """A eats one point, B kills a fairy of C, C has nothing: 1, 4 and 0."""
    m = turn(
        {"x": 10, "y": 10}, {"x": 20, "y": 24, "kill": 1}, {"x": 21, "y": 24, "live": 1, "kill": 0},
        {**FAR, "seat": 2}, corpse(11, 10, 1, 1, seat=2), num_players=3, rounds=1,
        draws="9r 8r 2r 3r",
    )  # fmt: skip
    does(m, "eat live instead of attacking", "end turn")
    act(m, "B")
    fight(does(m, BLOW, "pose"), "9r", "2r")
    act(m, "D")
    does(m, "end turn")
    assert m.is_over and points(m, 3) == [1, 4, 0] and m.returns() == (0, 1, -1)


@rule("F-66")
def test_a_player_without_fairies_waits_while_others_fight_on():
    m = turn(A, B, {**FAR, "seat": 2}, num_players=3, draws="9r 2r 3r")
    fight(does(m, BLOW, "frolic"))
    does(m, "end turn")
    assert not m.is_over and m.state.alive.tolist()[:3] == [1, 0, 1]
    while m.state.round_number == 1:
        assert 1 not in m.pending
        seat = m.pending[0]
        m.play(seat, m.legal(seat)[0])
    assert m.pending == (0, 2) and m.returns() == (0, 0, 0), "nobody is paid before the end"

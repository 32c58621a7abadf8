"""Eating the dead."""

from __future__ import annotations

import pytest

from fm_env.games.fairy_meat.constants import Place
from tests.games.fairy_meat.play import rule
from tests.games.fairy_meat.table_play import corpse, does, fight, hands, legal, named, turn

A = {"x": 10, "y": 24, "live": 3, "kill": 3}
B = {"x": 11, "y": 24}
FAR = {"x": 40, "y": 40}
BITES = {f"eat {point} instead of {part}" for point in ("live", "kill") for part in ("attacking", "moving")}
BLOW = "attack bare-handed"


def body(live=2, kill=2, **more):
    return corpse(10, 25, live, kill, **{"seat": 1, **more})


def life(m, f=0):
    return int(m.state.live[f]), int(m.state.kill[f])


def meat(m, f=2):
    return int(m.state.meat_live[f]), int(m.state.meat_kill[f])


@rule("F-62", "F-63")
def test_a_bite_takes_a_point_of_her_choice_from_the_corpse():
    m = turn(A, FAR, body())
    assert legal(m) >= BITES
    does(m, "eat live instead of attacking")
    assert life(m) == (4, 3) and meat(m) == (1, 2) and m.state.eaten[0] == 1
    does(m, "eat kill instead of moving")
    assert life(m) == (4, 4) and meat(m) == (1, 1) and m.state.eaten[0] == 2
    assert legal(m) == {"end turn"}, "two bites at most"


@rule("F-62")
def test_she_must_touch_the_body_at_that_moment():
    m = turn(A, FAR, corpse(10, 25.02, seat=1))
    assert not BITES & legal(m)
    m = turn(A, FAR, corpse(10, 28, seat=1))
    does(m, "frolic", "head N", '3"', "halt")
    assert BITES & legal(m) == {"eat live instead of attacking", "eat kill instead of attacking"}


@rule("F-62")
def test_only_points_that_are_there_are_eaten():
    m = turn(A, FAR, body(0, 1))
    assert BITES & legal(m) == {"eat kill instead of attacking", "eat kill instead of moving"}


@rule("F-62")
def test_with_several_bodies_she_names_one():
    m = turn(A, FAR, body(), corpse(10, 23, 1, 0, seat=1))
    does(m, "eat live instead of moving")
    assert legal(m) == {named(m, "A", "C"), named(m, "A", "D")}
    does(m, named(m, "A", "D"))
    assert meat(m, 3) == (0, 0) and meat(m, 2) == (2, 2)


@rule("F-63")
def test_no_bite_at_twelve_fairy_points():
    m = turn({**A, "live": 6, "kill": 6}, FAR, body())
    assert not BITES & legal(m)
    m = does(turn({**A, "live": 6, "kill": 5}, FAR, body()), "eat live instead of attacking")
    assert life(m) == (7, 5) and not BITES & legal(m)


@rule("F-63", "F-73")
def test_a_stripped_body_is_removed():
    m = does(turn(A, FAR, body(1, 0)), "eat live instead of attacking")
    assert m.state.whereabouts[2] == Place.GONE
    assert not BITES & legal(m) and "drag" not in legal(m)


@rule("F-63")
def test_a_load_that_was_eaten_up_is_no_load():
    """She takes hold of a body, eats it, and has nothing to leave the field with."""
    m = does(turn(A, FAR, body(1, 0)), "drag", "eat live instead of attacking")
    assert m.state.load == -1
    does(m, "frolic")
    assert "leave the field" not in legal(m)


@rule("F-63")
def test_an_attack_leaves_the_bite_for_the_move():
    m = turn({**A, "kill": 1}, {**B, "live": 1}, body(), draws="2r 9r 9b")
    does(m, BLOW, "frolic")
    fight(m)
    assert BITES & legal(m) == {"eat live instead of moving", "eat kill instead of moving"}
    does(m, "eat live instead of moving")
    assert "frolic" not in legal(m), "that was her move"


@rule("F-93")
def test_who_posed_for_her_attack_has_no_move_to_give_up():
    m = turn({**A, "kill": 1}, {**B, "live": 1}, body(), draws="2r 3r 9r 9b")
    does(m, BLOW, "pose")
    fight(m)
    assert not BITES & legal(m)


@rule("F-26")
def test_eating_instead_of_moving_is_no_pose():
    m = does(turn(A, B, body()), "eat live instead of moving", BLOW)
    assert hands(m)[0] == 3, "and no mode is asked for"
    m = does(turn(A, B, body()), "eat live instead of moving")
    assert not {"pose", "pounce", "frolic", "flutter"} & legal(m)


@rule("F-61")
def test_twinkle_is_never_eaten():
    m = turn({**A, "twinkle": 1, "used_twinkle": 1}, FAR, body(1, 1, used_twinkle=3))
    does(m, "eat live instead of attacking", "eat kill instead of moving")
    s = m.state
    assert (s.twinkle[0], s.used_twinkle[0]) == (1, 1) and s.used_twinkle[2] == 3
    assert s.whereabouts[2] == Place.GONE, "used Twinkle is no meat"


@rule("F-72")
@pytest.mark.parametrize(("options", "points"), [({}, 0), ({"score_own_meat": True}, 1)])
def test_ones_own_dead_feed_but_do_not_score(options, points):
    m = turn(A, FAR, body(seat=0), **options)
    does(m, "eat live instead of attacking")
    assert life(m) == (4, 3) and m.state.eaten[0] == points

"""Moving on the whole table: how far, how high, what is in the way, where a move ends, loot."""

from __future__ import annotations

import numpy as np
import pytest

from fm_env.games.fairy_meat import movement
from fm_env.games.fairy_meat.constants import Place
from tests.games.fairy_meat.play import rule
from tests.games.fairy_meat.table_play import (
    act,
    box,
    corpse,
    cylinder,
    does,
    fight,
    legal,
    named,
    place,
    touches,
    turn,
)

A = {"x": 10, "y": 24}
FAR = {"x": 40, "y": 40}
REACH = {"pounce": 3, "frolic": 6, "flutter": 12}
CEILING = {"pounce": 12, "frolic": 6, "flutter": 3}
ALL = "as far as she can"


def spent(m) -> float:
    """Inches that the fairy on the move has left."""
    return int(m.state.budget) / 1000


# ----------------------------------------------------------------------------- how far, how high
@rule("F-19")
@pytest.mark.parametrize("mode", REACH)
def test_each_mode_has_its_length(mode):
    m = does(turn(A, FAR), mode, "head E")
    lengths = {float(text[:-1]) for text in legal(m) if text.endswith('"')}
    assert max(lengths) == REACH[mode] and min(lengths) == 1
    does(m, ALL, "halt")
    assert place(m, "A") == (10 + REACH[mode], 24, 0)
    assert not legal(m) & set(REACH), "one move a turn"


@rule("F-20", "F-22")
@pytest.mark.parametrize("mode", CEILING)
@pytest.mark.parametrize("over", [0, 0.1])
def test_each_mode_has_its_height(mode, over):
    """She lands on what is as high as her ceiling; what is a little higher is a wall."""
    m = turn(A, FAR, pieces=(box(13, 24, 4, 4, CEILING[mode] + over),))
    does(m, mode, "head E", '3"', "halt")
    assert place(m, "A") == ((10.5, 24, 0) if over else (13, 24, CEILING[mode]))


@rule("F-20")
def test_height_is_counted_from_the_surface_she_starts_on():
    five, eight = box(13, 24, 4, 4, 5), box(18, 24, 4, 4, 8)
    m = does(turn({"x": 12, "y": 24}, FAR, pieces=(five, eight)), "flutter", "head E", '6"', "halt")
    assert place(m, "A") == (18, 24, 8)
    higher = box(18, 24, 4, 4, 8.1)
    m = does(turn({"x": 12, "y": 24}, FAR, pieces=(five, higher)), "flutter", "head E", '6"', "halt")
    assert place(m, "A") == (15.5, 24, 0), "from five inches a Flutter reaches eight and no more"
    m = does(turn(A, FAR, pieces=(five,)), "flutter", "head E", ALL, "halt")
    assert place(m, "A") == (10.5, 24, 0), "from the floor a Flutter doesn't cross five inches"
    m = does(turn({"x": 12, "y": 24}, FAR, pieces=(five,)), "flutter", "head E", ALL, "halt")
    assert place(m, "A") == (24, 24, 0), "going down is free"


@rule("F-20")
def test_the_ceiling_stays_that_of_the_start_for_the_whole_move():
    """A step up on the way doesn't lift it."""
    stairs = (box(13, 24, 4, 4, 3), box(17, 24, 4, 4, 6))
    m = does(turn(A, FAR, pieces=stairs), "flutter", "head E", '3"', "head E", '4"', "halt")
    assert place(m, "A") == (14.5, 24, 3)


# -------------------------------------------------------------------------------- where it ends
@rule("F-21")
def test_a_move_ends_on_the_last_place_that_holds_her_whole_base():
    m = does(turn(A, FAR, pieces=(box(15, 24, 4, 4, 2),)), "frolic", "head E", '3"')
    assert place(m, "A") == (12.5, 24, 0), "over the box's edge nothing holds her"
    does(m, "head E", '1"', "halt")
    assert place(m, "A") == (14, 24, 2), "but she flies on from where she was in the air"
    m = does(turn(A, FAR, pieces=(cylinder(14, 24, 0.4, 2),)), "frolic", "head E", '4"', "halt")
    assert place(m, "A")[0] == pytest.approx(14 - 0.9, abs=0.13), "too small a top"
    m = does(turn(A, FAR, pieces=(cylinder(14, 24, 0.5, 2),)), "frolic", "head E", '4"', "halt")
    assert place(m, "A") == (14, 24, 2)


@rule("F-21")
def test_without_a_place_on_the_last_leg_she_ends_on_an_earlier_one():
    m = turn(A, FAR, pieces=(box(15, 24, 4, 1.2, 2), box(15, 26, 4, 2.8, 3)))
    does(m, "frolic", "head E", '3"')
    before = place(m, "A")
    does(m, "head N", '1"', "halt")
    assert place(m, "A") == before == (12.5, 24, 0)


@rule("F-22", "F-21")
def test_figures_are_flown_over_but_not_landed_on():
    b = {"x": 13, "y": 24}
    assert place(does(turn(A, b), "frolic", "head E", '6"', "halt"), "A") == (16, 24, 0)
    m = does(turn(A, b), "frolic", "head E", '3"', "halt")
    assert place(m, "A") == (12, 24, 0) and touches(m, "A", "B")


@rule("F-73")
def test_corpses_are_no_obstacle_to_standing():
    m = turn(A, FAR, corpse(13, 24, seat=1))
    assert place(does(m, "frolic", "head E", '3"', "halt"), "A") == (13, 24, 0)


@rule("F-22", "F-24")
def test_the_tables_edge_stops_a_flight():
    m = does(turn({"x": 45, "y": 24}, FAR), "flutter", "head E", ALL, "halt")
    assert place(m, "A") == (47.5, 24, 0)
    m = does(turn({"x": 45, "y": 2}, FAR), "flutter", "head S", ALL)
    assert place(m, "A") == (45, 0.5, 0) and spent(m) == pytest.approx(10.5)
    assert "leave the field" not in legal(m), "only with loot"


@rule("F-22")
def test_terrain_that_is_grazed_does_not_stop_her():
    """Her base passes a wall that it only touches, and no other."""
    beside = box(16, 22.5, 4, 2, 9)
    assert place(does(turn(A, FAR, pieces=(beside,)), "frolic", "head E", ALL, "halt"), "A") == (16, 24, 0)
    nearer = box(16, 22.6, 4, 2, 9)
    x, _, _ = place(does(turn(A, FAR, pieces=(nearer,)), "frolic", "head E", ALL, "halt"), "A")
    assert x < 14


# --------------------------------------------------------------------------------------- the path
@rule("F-19")
def test_a_path_turns_and_its_legs_add_up():
    m = does(turn(A, FAR), "frolic", "head E", '2"', "head N", '2"', "head W", ALL)
    assert legal(m) == {"halt"}
    assert place(does(m, "halt"), "A") == (10, 26, 0)
    m = does(turn(A, FAR), "flutter", "head NE", '4"', "halt")
    assert place(m, "A") == (pytest.approx(10 + 8**0.5, abs=0.001), pytest.approx(24 + 8**0.5, abs=0.001), 0)


@rule("F-19")
def test_a_path_has_four_legs():
    m = does(turn(A, FAR), "flutter", *["head E", '1"'] * 3)
    assert "head E" in legal(m)
    does(m, "head E", '1"')
    assert spent(m) == 8 and legal(m) == {"halt"}


@rule("F-96")
def test_a_leg_has_sixteen_headings_and_whole_inches():
    m = does(turn(A, FAR), "flutter")
    assert len([text for text in legal(m) if text.startswith("head ")]) == 16
    does(m, "head ENE")
    assert legal(m) == {*(f'{n}"' for n in (1, 2, 3, 4, 5, 6, 8, 10, 12)), ALL}
    does(m, '4"', "halt")
    assert place(m, "A") == (pytest.approx(13.696, abs=0.001), pytest.approx(25.531, abs=0.001), 0)


@rule("F-89", "F-15")
def test_a_move_that_ends_where_it_began_is_counted_as_wasted():
    wall = box(12.5, 24, 4, 4, 9)
    m = does(turn(A, FAR, pieces=(wall,)), "frolic", "head E", ALL, "halt")
    assert m.state.wasted.tolist()[:2] == [1, 0] and place(m, "A") == (10, 24, 0)
    assert not legal(m) & set(REACH), "it was her move all the same"
    assert does(turn(A, FAR), "frolic", "head E", '1"', "halt").state.wasted[0] == 0


# ---------------------------------------------------------------------------------- destinations
@rule("F-94")
def test_she_flies_into_contact_by_herself_if_it_is_not_too_far():
    m = does(turn(A, {"x": 15, "y": 27}), "frolic", "go to")
    assert touches(m, "A", "B") and m.state.phase == 3
    m = does(turn(A, {"x": 30, "y": 24}), "frolic", "go to")
    assert place(m, "A") == (16, 24, 0), "as near as she gets"
    assert "frolic" not in legal(m)


@rule("F-94")
def test_a_destination_is_flown_to_round_one_corner():
    b = {"x": 18, "y": 26}
    m = turn({"x": 10, "y": 23}, b, pieces=(box(14, 22, 1, 4, 9),))
    assert touches(does(m, "flutter", "go to"), "A", "B")
    b, wall = {"x": 18, "y": 24}, box(14, 24, 1, 6, 9)
    m = does(turn(A, b, pieces=(wall,)), "flutter", "head E", ALL, "halt")
    assert place(m, "A") == (13, 24, 0), "straight on there is the wall"
    assert not touches(does(turn(A, b, pieces=(wall,)), "flutter", "go to"), "A", "B"), "it takes two corners"
    pocket = (wall, box(18, 20.6, 9, 0.8, 9), box(18, 27.4, 9, 0.8, 9), box(23, 24, 0.8, 7.6, 9))
    m = does(turn(A, b, pieces=pocket), "flutter", "go to")
    assert not touches(m, "A", "B"), "walled in on all sides"


@rule("F-94")
def test_contact_is_sought_on_the_side_that_is_free():
    m = does(turn(A, {"x": 14, "y": 24}, {"x": 13, "y": 24, "seat": 0}), "frolic", "go to", "fairy 6")
    assert touches(m, "A", "B")


@rule("F-94")
def test_onto_terrain_out_of_sight_and_into_sight():
    step = box(15, 24, 4, 4, 5)
    assert place(does(turn(A, FAR, pieces=(step,)), "frolic", "go onto"), "A") == (13.5, 24, 5)
    m = does(turn(A, {"x": 20, "y": 24}, pieces=(box(15, 28, 2, 4, 9),)), "frolic", "take cover from")
    assert m.state.sees[1, 0] == 0
    wall = box(15, 24, 1, 4, 9)
    m = turn({"x": 13, "y": 24}, {"x": 18, "y": 24}, pieces=(wall,))
    assert m.state.sees[0, 1] == 0
    assert does(m, "frolic", "go to see").state.sees[0, 1] > 0


# ------------------------------------------------------------------------------ no pre-measuring
@rule("F-15")
def test_what_may_be_done_never_depends_on_a_distance():
    """Near or far, the same moves and shots are legal."""
    bow = {"weapons": ["fairy_shot_bow"]}
    near, far = turn({**A, **bow}, {"x": 12, "y": 24}), turn({**A, **bow}, {"x": 47, "y": 24})
    assert legal(near) == legal(far)
    does(near, "pounce"), does(far, "pounce")
    assert legal(near) == legal(far)


# --------------------------------------------------------------------------------------- dragging
MINE = {"x": 10, "y": 24, "live": 3, "kill": 3}


@rule("F-27")
@pytest.mark.parametrize(
    ("dragger", "meat", "far"),
    [
        ({}, (2, 0), 6),  # 2 < 6 / 2
        ({}, (2, 1), 3),  # 3 is half of 6
        ({"kill": 4}, (2, 1), 6),  # 3 < 7 / 2 rounded up
        ({"kill": 4}, (2, 2), 3),
        ({"meat_live": 1, "meat_kill": 2}, (2, 2), 6),  # her own Meat counts: 4 < 9 / 2 rounded up
        ({"meat_live": 1, "meat_kill": 2}, (4, 1), 3),
    ],
)
def test_which_loads_are_free(dragger, meat, far):
    m = turn({**MINE, **dragger}, FAR, corpse(10, 25, *meat, seat=1))
    does(m, "drag", "frolic", "head W", ALL, "halt")
    assert place(m, "A")[0] == 10 - far


@rule("F-61", "F-27")
def test_twinkle_points_weigh_nothing():
    m = turn({**MINE, "used_twinkle": 4}, FAR, corpse(10, 25, 1, 1, seat=1, used_twinkle=4))
    assert place(does(m, "drag", "frolic", "head W", ALL, "halt"), "A")[0] == 4, "2 of 6: free"
    m = turn({**MINE, "used_twinkle": 4}, FAR, corpse(10, 25, 2, 1, seat=1))
    assert place(does(m, "drag", "frolic", "head W", ALL, "halt"), "A")[0] == 7, "3 of 6, not of 10"


@rule("F-27")
def test_a_heavy_load_halves_height_too():
    wall = box(8, 24, 2, 4, 3.1)
    m = turn(MINE, FAR, corpse(10, 25, 2, 1, seat=1), pieces=(wall,))
    assert place(does(m, "drag", "frolic", "head W", ALL, "halt"), "A") == (9.5, 24, 0)
    lower = box(8, 24, 2, 4, 3)
    m = turn(MINE, FAR, corpse(10, 25, 2, 1, seat=1), pieces=(lower,))
    assert place(does(m, "drag", "frolic", "head W", ALL, "halt"), "A")[2] == 3


@rule("F-29")
def test_halved_inches_are_not_rounded():
    m = turn(MINE, FAR, corpse(10, 25, 2, 1, seat=1))
    assert place(does(m, "drag", "pounce", "head W", ALL, "halt"), "A")[0] == 8.5


@rule("F-28", "F-92")
def test_a_load_is_taken_hold_of_in_contact_and_put_down_where_she_ends():
    m = turn(MINE, FAR, corpse(10, 25.02, 1, 1, seat=1))
    assert "drag" not in legal(m), "no contact"
    m = turn(MINE, FAR, corpse(10, 25, 1, 1, seat=1))
    does(m, "drag", "frolic", "head W", '4"', "halt")
    assert place(m, "C") == place(m, "A") == (6, 24, 0)
    m = turn(MINE, FAR, corpse(10, 25, 1, 1, seat=1))
    does(m, "frolic", "head W", '4"', "halt")
    assert place(m, "C") == (10, 25, 0), "without taking hold nothing comes along"
    assert "drag" not in legal(m), "she has moved"


@rule("F-28")
def test_one_load_at_a_time():
    m = turn(MINE, FAR, corpse(10, 25, 1, 1, seat=1), corpse(10, 23, 1, 1, seat=1))
    does(m, "drag")
    assert legal(m) == {named(m, "A", "C"), named(m, "A", "D")}
    does(m, named(m, "A", "D"))
    assert "drag" not in legal(m)
    does(m, "frolic", "head W", '2"', "halt")
    assert place(m, "D") == (8, 24, 0) and place(m, "C") == (10, 25, 0)


@rule("F-74")
def test_things_are_dragged_like_corpses():
    m = turn(MINE, FAR, start_items=[{"x": 10, "y": 25, "weight": 3}])
    does(m, "drag", "frolic", "head W", ALL, "halt")
    assert place(m, "A")[0] == 7, "as heavy as three points of meat"
    assert m.state.thing[0].tolist() == [7000, 24000, 0]
    m = turn(MINE, FAR, start_items=[{"x": 10, "y": 25, "weight": 2}])
    assert place(does(m, "drag", "frolic", "head W", ALL, "halt"), "A")[0] == 4


@rule("F-24", "F-95", "F-66")
def test_leaving_the_field_with_loot():
    m = turn(
        {"x": 4, "y": 24}, {**FAR, "seat": 0}, {"x": 44, "y": 44, "seat": 1}, corpse(4, 25, 1, 0, seat=1)
    )
    does(m, "drag", "frolic", "leave the field")
    s = m.state
    assert s.whereabouts[0] == s.whereabouts[3] == Place.LEFT
    assert s.kills.tolist()[:2] == [0, 0] and s.alive[0] == 0, "gone, not killed"
    assert not m.is_over and s.turn != 0, "her turn is over, a friend fights on"
    m = turn({"x": 4, "y": 24}, {"x": 44, "y": 44}, corpse(4, 25, 1, 0, seat=1))
    does(m, "drag", "frolic", "leave the field")
    assert m.is_over, "no fairy of hers is left on the field"
    assert m.returns() == (0, 0)


@rule("F-24")
def test_the_edge_may_be_too_far():
    m = turn({"x": 7, "y": 24}, FAR, corpse(7, 25, 1, 0, seat=1))
    does(m, "drag", "frolic", "leave the field")
    assert place(m, "A") == (1, 24, 0) == place(m, "C") and m.state.whereabouts[0] == Place.TABLE
    m = turn({"x": 6, "y": 24}, FAR, corpse(6, 25, 1, 0, seat=1))
    does(m, "drag", "frolic", "leave the field")
    assert m.state.whereabouts[0] == Place.LEFT
    m = turn({"x": 4, "y": 24}, FAR, corpse(4, 25, 3, 3, seat=1))
    does(m, "drag", "frolic", "leave the field")
    assert m.state.whereabouts[0] == Place.TABLE, "a heavy load halves her way"


@rule("F-74", "F-24")
def test_a_thing_that_was_dragged_off_is_gone():
    m = turn({"x": 4, "y": 24}, {**FAR, "seat": 0}, {"x": 44, "y": 44, "seat": 1},
             start_items=[{"x": 4, "y": 25, "weight": 1}])  # fmt: skip
    does(m, "drag", "frolic", "leave the field")
    assert m.state.weight[0] == 0 and m.state.whereabouts[0] == Place.LEFT


# -------------------------------------------------------------------------------- the escape
@rule("F-86", "U-32")
def test_an_escape_is_a_free_move_of_three_inches_as_high_as_a_pounce():
    tower = box(13, 24, 3, 4, 12)
    m = turn(
        {**A, "kill": 1}, {"x": 10, "y": 25, "kill": 1}, combat="unclevl", draws="9r 2r 3r 4r",
        pieces=(tower,), attacker_bonus=1,
    )  # fmt: skip
    fight(does(m, "wrestle", "pounce"), "add", "trumps none", "9r", "escape")
    assert m.state.mover == 0 and spent(m) == 3 and int(m.state.ceiling) == 12_000
    does(m, "head E", ALL, "halt")
    assert place(m, "A") == (13, 24, 12) and not touches(m, "A", "B")
    assert m.state.mover == -1 and m.state.turn == 0
    assert "pounce" in legal(m) and "flutter" not in legal(m), "her own move is still to come"


@rule("F-28")
def test_who_breaks_away_leaves_behind_what_she_had_taken_hold_of():
    m = turn(
        {**MINE, "kill": 1}, {"x": 10, "y": 25, "kill": 1}, corpse(10, 23, 1, 1, seat=1),
        combat="unclevl", draws="9r 2r 3r 4r", attacker_bonus=1,
    )  # fmt: skip
    fight(does(m, "drag", "wrestle", "frolic"), "add", "trumps none", "9r", "escape")
    does(m, "head W", ALL, "halt", "frolic", "head W", ALL, "halt")
    assert place(m, "A") == (1, 24, 0) and place(m, "C") == (10, 23, 0)


# ------------------------------------------------------------------------------- spells on moves
@rule("F-30", "F-31")
def test_wind_up_is_added_before_anything_halves():
    """B binds A; A winds herself up and drags a heavy load: (6 + 4) / 2 / 2."""
    a = {**MINE, "twinkle": 1, "magic": "sweet"}
    b = {**FAR, "twinkle": 1, "magic": "mean"}
    m = turn(a, b, corpse(10, 25, 2, 1, seat=1), who="B")
    does(m, "cast wing bind", named(m, "B", "A"))
    act(m, "A")
    does(m, "cast wind-up", named(m, "A", "A"), "drag", "frolic", "head W", ALL, "halt")
    assert place(m, "A")[0] == 7.5


# ------------------------------------------------------------------------------- what bars a way
@rule("F-20", "F-94")
def test_a_way_is_barred_where_a_slow_look_along_it_meets_terrain():
    pieces = (box(20, 24, 6, 3, 8), box(30, 14, 2, 12, 8), box(14, 34, 5, 5, 8), box(24, 36, 9, 9, 2))
    m = does(turn(A, FAR, pieces=pieces), "frolic")  # she flies six inches high
    s, rng, met = m.state, np.random.default_rng(3), []
    reach = 500 + s.half[: s.n_pieces].astype(np.float64)
    for _ in range(400):
        start, end = rng.uniform(5_000, 43_000, (2, 2))
        if rng.random() < 0.3:  # along an axis, too
            axis = rng.integers(2)
            end[axis] = start[axis]
        along = start + (end - start) * np.linspace(0, 1, 2_000)[:, None]
        inside = (np.abs(along[:, None] - s.centre[: s.n_pieces]) - reach).max(axis=2)  # below 0: within
        depth = -inside[:, s.top[: s.n_pieces] > 6_000].min()
        if abs(depth) > 30:  # closer calls are finer than the slow look
            met.append(depth > 0)
            assert movement.is_open_way(s, *start, *end) != met[-1]
    assert 50 < sum(met) < len(met) - 50


def test_loot_lies_as_high_as_what_is_below_it():
    start = [{"x": 20, "y": 24, "weight": 1}, {"x": 30, "y": 40, "weight": 1}]
    m = turn(A, FAR, pieces=(box(20, 24, 6, 6, 3),), start_items=start)
    assert m.state.thing[:2].tolist() == [[20_000, 24_000, 3_000], [30_000, 40_000, 0]]

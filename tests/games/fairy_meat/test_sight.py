"""Contact, range, line of sight and cover on the whole table."""

from __future__ import annotations

import math

import numpy as np
import pytest

from fm_env.engine import engine_of
from fm_env.games.fairy_meat.generators import GENERATORS, generate
from fm_env.games.fairy_meat.sight import view_between
from fm_env.games.fairy_meat.terrain import Terrain
from fm_env.records import rows_of
from fm_env.rng import row_for
from tests.games.fairy_meat import sight
from tests.games.fairy_meat.play import rule
from tests.games.fairy_meat.table_play import (
    act,
    box,
    corpse,
    cylinder,
    does,
    hands,
    legal,
    named,
    position,
    sees,
    touches,
    turn,
)

A = {"x": 6, "y": 24}
SHOT = "attack with weapon 1"
HIDDEN, PARTIAL, CLEAR = 0, 1, 2


def bow(name: str = "fairy_shot_bow", **where):
    return {**A, "weapons": [name], **where}


def hits(m) -> bool:
    """Whether a shot at the only other figure came so far that cards were drawn."""
    does(m, SHOT, "frolic")
    assert m.state.attacked, "it is used up either way"
    return bool(m.state.defender >= 0)


# ---------------------------------------------------------------------------------------- range
@rule("F-17", "F-15", "F-89")
@pytest.mark.parametrize(("weapon", "reach"), [("fairy_shot_bow", 24), ("brownie_bow", 36)])
def test_range_is_counted_from_edge_to_edge_and_includes_its_end(weapon, reach):
    assert hits(turn(bow(weapon), {"x": 6 + reach + 1, "y": 24}))
    m = turn(bow(weapon), {"x": 6 + reach + 1.01, "y": 24})
    before = int(m.state.n_deck)
    assert not hits(m)
    assert m.state.n_deck == before and m.state.wasted[0] == 1, "no card is drawn"
    assert SHOT not in legal(m)


@rule("F-17")
def test_range_counts_the_difference_in_height():
    """Seven inches up: 24 are left over 22.95 on the level, the hypotenuse of which is 24."""
    tower = box(6, 24, 4, 4, 7)
    level = math.sqrt(24**2 - 7**2)
    near, far = math.floor(level * 100) / 100, math.ceil(level * 100) / 100
    assert hits(turn(bow(), {"x": 7 + near, "y": 24}, pieces=(tower,)))
    assert not hits(turn(bow(), {"x": 7 + far, "y": 24}, pieces=(tower,)))


@rule("F-17")
def test_the_black_wand_reaches_everywhere():
    assert hits(turn({**bow("black_wand"), "x": 1, "y": 1}, {"x": 71, "y": 71}, size_in=72))


@rule("F-15")
def test_where_measuring_is_allowed_a_shot_too_far_is_no_choice():
    for x, may in ((31, True), (31.01, False)):
        m = turn(bow(), {"x": x, "y": 24}, measuring="allowed")
        assert (SHOT in legal(m)) == may


# -------------------------------------------------------------------------------------- contact
@rule("F-18")
def test_contact_is_a_gap_of_no_more_than_a_hundredth():
    assert touches(position(A, {"x": 7.01, "y": 24}), "A", "B")
    assert not touches(position(A, {"x": 7.02, "y": 24}), "A", "B")


@rule("F-18")
@pytest.mark.parametrize(("height", "near"), [(0.5, True), (0.51, False)])
def test_contact_bridges_half_an_inch_of_height(height, near):
    step = box(9, 24, 4, 4, height)
    assert touches(position({"x": 6.5, "y": 24}, {"x": 7.5, "y": 24}, pieces=(step,)), "A", "B") == near


@rule("F-16")
def test_bases_are_as_large_as_the_options_say():
    b = {"x": 7.5, "y": 24}
    assert touches(position(A, b, base_radius_in=0.75), "A", "B")
    assert not touches(position(A, b), "A", "B")
    assert hits(turn(bow(), {"x": 6 + 24 + 1.5, "y": 24}, base_radius_in=0.75))
    assert not hits(turn(bow(), {"x": 6 + 24 + 0.51, "y": 24}, base_radius_in=0.25))


# ------------------------------------------------------------------------------- line of sight
@rule("F-32", "F-33")
@pytest.mark.parametrize(
    ("piece", "view"),
    [
        (box(12, 24, 1, 4, 0.4), CLEAR),
        (box(12, 24, 1, 4, 0.9), PARTIAL),  # her head looks over it
        (box(12, 24, 1, 4, 1.0), PARTIAL),  # along the top is not through
        (box(12, 24, 1, 4, 1.1), HIDDEN),
        (box(12, 22, 1, 4, 3), PARTIAL),  # ends on the line between them: one edge shows
        (box(12, 21.8, 1, 4, 3), PARTIAL),
        (box(12, 21.7, 1, 4, 3), CLEAR),
        (box(12, 24, 1, 0.4, 3), PARTIAL),  # both edges show beside a post
        (cylinder(12, 24, 0.6, 3), HIDDEN),
        (cylinder(12, 24, 0.2, 3), PARTIAL),
        (cylinder(12, 25, 0.76, 3), PARTIAL),
        (cylinder(12, 25, 0.74, 3), CLEAR),
        (box(21, 24, 1, 4, 9), CLEAR),  # behind her
        (box(4, 24, 1, 4, 9), CLEAR),
    ],
)
def test_what_is_seen_past_one_piece(piece, view):
    """Six inches before a piece and six behind it, half of the base at either edge."""
    assert sees(position(A, {"x": 18, "y": 24}, pieces=(piece,)), "A", "B") == view


@rule("F-32")
def test_sight_goes_from_the_head_down_from_a_tower():
    tower, wall = box(6, 24, 4, 4, 9), box(12, 24, 1, 4, 4)
    b = {"x": 18, "y": 24}
    m = position({"x": 7.5, "y": 24}, b, pieces=(tower, wall))
    assert sees(m, "A", "B") == CLEAR
    assert sees(m, "B", "A") == PARTIAL, "the tower's edge hides her feet"
    assert sees(position(A, b, pieces=(tower, wall)), "A", "B") == HIDDEN, "from its middle she sees no floor"
    near = position({"x": 7.5, "y": 24}, {"x": 13, "y": 24}, pieces=(tower, wall))
    assert sees(near, "A", "B") == HIDDEN == sees(near, "B", "A"), "right behind the wall"


@rule("F-32", "F-73")
def test_figures_never_block_sight():
    m = position(A, {"x": 18, "y": 24}, {"x": 12, "y": 24, "seat": 0}, corpse(15, 24, seat=1))
    assert sees(m, "A", "B") == CLEAR


@rule("F-23")
def test_which_way_she_faces_changes_nothing():
    """She ends in one place, by two ways, looking east or west."""
    wall = box(18, 22.6, 1, 4, 9)
    ends = [
        does(turn({"x": 10, "y": 24}, {"x": 26, "y": 24}, pieces=(wall,)), "frolic", *legs, "halt")
        for legs in (("head E", '3"', "head W", '2"'), ("head W", '2"', "head E", '3"'))
    ]
    assert ends[0].state.pos.tobytes() == ends[1].state.pos.tobytes()
    assert ends[0].state.tobytes() == ends[1].state.tobytes()


@rule("F-34")
def test_a_fairy_sees_herself():
    m = turn({**A, "twinkle": 1, "magic": "sweet"}, {"x": 18, "y": 24}, pieces=(box(12, 24, 1, 4, 9),))
    assert sees(m, "A", "A") == CLEAR
    does(m, "cast wind-up")
    assert legal(m) == {named(m, "A", "A")}, "the only one she can see"


@rule("F-73")
def test_the_dead_are_seen_by_nobody_and_are_no_target():
    m = turn(bow(), {"x": 40, "y": 24}, corpse(7, 24, seat=1))
    assert sees(m, "A", "C") == sees(m, "C", "B") == 0
    assert touches(m, "A", "C") and "attack bare-handed" not in legal(m), "she can only eat or drag it"
    does(m, SHOT, "frolic")
    assert m.state.wasted[0] == 1, "the shot went at the only one alive"


@pytest.mark.parametrize("name", GENERATORS)
@rule("F-32", "F-33")
def test_sight_is_what_the_slow_oracle_says(name):
    rng = np.random.default_rng(7)
    counts = np.zeros(3, int)
    for seed in range(3):
        yard = generate(name, seed, 24.0)
        spots = sight.places(yard, rng)
        m = position({"x": 0.5, "y": 0.5}, {"x": 23.5, "y": 23.5}, terrain=open_corners(yard), size_in=24)
        s, yard = m.state, open_corners(yard)
        for _ in range(150):
            a, b = next(spots), next(spots)
            lines = sight.clear_lines(yard, a, b)
            view = int(view_between(s, *(1000 * v for v in (*a, *b))))
            assert view == (CLEAR if lines == 4 else PARTIAL if lines else HIDDEN), (seed, a, b)
            counts[view] += 1
    assert counts.min() > 5


def open_corners(yard: Terrain) -> Terrain:
    """The table without what stands in two of its corners, where two figures are put."""
    kept = [
        piece for piece in yard.pieces if not (piece.near(500, 500, 500) or piece.near(23_500, 23_500, 500))
    ]
    return Terrain(size=yard.size, pieces=kept)


# ---------------------------------------------------------------------------------------- cover
@rule("F-33")
def test_partial_cover_is_a_card_against_shots_only():
    """B has Live 3 and her Order Card: 4 cards, or 5 behind a low wall."""
    low = box(12, 24, 1, 4, 0.9)
    b = {"x": 18, "y": 24}
    assert hands(does(turn(bow(), b), SHOT, "frolic")) == (1, 4)
    assert hands(does(turn(bow(), b, pieces=(low,)), SHOT, "frolic")) == (1, 5)
    thorn = {**A, "twinkle": 2, "magic": "mean"}
    m = turn(thorn, b, pieces=(low,), draws="2r 2b 3r 3b 4r")
    assert hands(does(m, "cast rose prick", named(m, "A", "B"))) == (1, 4)


@rule("F-33")
def test_no_shot_at_who_is_wholly_hidden():
    m = turn(bow(), {"x": 18, "y": 24}, pieces=(box(12, 24, 1, 4, 9),))
    assert SHOT not in legal(m)


@rule("F-33")
def test_cover_is_no_help_in_a_blow():
    """A thin post in the corner between their bases hides an edge of hers."""
    post = box(6.5, 23.73, 0.1, 0.1, 3)
    m = turn({"x": 6, "y": 24}, {"x": 7, "y": 24}, pieces=(post,))
    assert sees(m, "A", "B") == PARTIAL and touches(m, "A", "B")
    assert hands(does(m, "attack bare-handed", "frolic"))[1] == 4


# -------------------------------------------------------------------------- what an eye can tell
def views(*figures, **options):
    m = turn(*figures, **options)
    return m, [m.observation(seat).tobytes() for seat in range(2)]


@rule("F-15")
def test_an_eye_tells_places_to_the_inch():
    """Two positions that lie in the same inches look the same to both; in other inches, not."""
    one, seen = views({"x": 10.1, "y": 24.2}, {"x": 20.3, "y": 30.4})
    two, same = views({"x": 10.8, "y": 24.9}, {"x": 20.6, "y": 30.5})
    assert one.state.pos.tobytes() != two.state.pos.tobytes() and seen == same
    for where in ({"x": 11.1, "y": 24.2}, {"x": 10.1, "y": 25.2}):
        assert views(where, {"x": 20.3, "y": 30.4})[1] != seen
    fine = {"eye_grain_in": 0.1}
    first = views({"x": 10.12, "y": 24.2}, {"x": 20.3, "y": 30.4}, **fine)[1]
    assert first == views({"x": 10.18, "y": 24.2}, {"x": 20.3, "y": 30.4}, **fine)[1]
    assert first != views({"x": 10.22, "y": 24.2}, {"x": 20.3, "y": 30.4}, **fine)[1]


@rule("F-15")
def test_items_and_the_flight_are_seen_to_the_inch_too():
    def flown(x: float):
        m = turn(
            {"x": x, "y": 24.2}, {"x": 30.3, "y": 30.4}, start_items=[{"x": x + 9, "y": 3.3, "weight": 2}]
        )
        does(m, "frolic", "head E", '2"')
        return [m.observation(seat).tobytes() for seat in range(2)]

    assert flown(10.1) == flown(10.8) != flown(11.1)


@rule("F-15")
def test_contact_and_sight_are_seen_exactly():
    """What can be seen is known: two figures in the same inch, touching or not, hidden or not."""
    touching = views({"x": 10.1, "y": 24.2}, {"x": 11.11, "y": 24.2})
    apart = views({"x": 10.1, "y": 24.2}, {"x": 11.12, "y": 24.2})
    assert touches(touching[0], "A", "B") and touching[1] != apart[1]
    wall = box(12, 22, 1, 4, 3)
    hidden = views({"x": 6.5, "y": 23.2}, {"x": 18.5, "y": 23.2}, pieces=(wall,))
    open_ = views({"x": 6.5, "y": 23.95}, {"x": 18.5, "y": 23.95}, pieces=(wall,))
    assert sees(hidden[0], "A", "B") != sees(open_[0], "A", "B") and hidden[1] != open_[1]


@rule("F-32")
def test_sight_is_looked_at_anew_for_both_after_a_move():
    m = turn({"x": 10, "y": 24}, {"x": 20, "y": 24}, pieces=(box(15, 24, 1, 4, 9),))
    assert sees(m, "A", "B") == sees(m, "B", "A") == HIDDEN
    does(m, "flutter", "head N", '8"', "halt")
    assert sees(m, "A", "B") == sees(m, "B", "A") == CLEAR
    act(m, "B")
    assert legal(m) >= {"pounce"} and named(m, "B", "A") == "fairy 6"


@rule("F-15")
def test_guesses_put_figures_and_loot_anywhere_in_what_the_eye_tells_apart():
    loot = [{"x": 33.3, "y": 9.9, "weight": 2}]
    m = turn(A, {"x": 20.3, "y": 20.7}, corpse(30.6, 30.2, seat=1), start_items=loot, eye_grain_in=1)
    engine, places = engine_of(m.game), []
    for seed in range(30):
        guess = rows_of(m.state)
        engine.resample(guess, 0, 0, row_for(seed))
        places.append(np.concatenate([guess["pos"][0, :3, :2], guess["thing"][0, :1, :2]]).astype(np.int64))
    at = np.array(places)
    assert (at[:, :3] // 1000 == m.state.pos[:3, :2] // 1000).all()
    assert (at[:, 3] // 1000 == m.state.thing[0, :2] // 1000).all()
    assert (at.max(axis=0) - at.min(axis=0) > 500).all()

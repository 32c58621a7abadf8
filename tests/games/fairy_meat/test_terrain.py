"""Tables: what a file may say, and what the generators make of a seed."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

from fm_env.errors import SetupError
from fm_env.games.fairy_meat.constants import MAX_FIGURES, MAX_PIECES
from fm_env.games.fairy_meat.generators import GENERATORS, generate
from fm_env.games.fairy_meat.scenario import make_scenario
from fm_env.games.fairy_meat.terrain import Terrain
from tests.games.fairy_meat.play import rule
from tests.games.fairy_meat.sight import clear_lines, crosses, places, share_unseen

SIZES = (24, 36, 48)
BOX = {"kind": "box", "x": 10, "y": 10, "width": 4, "depth": 2, "height": 3}
ROUND = {"kind": "cylinder", "x": 20, "y": 10, "radius": 2, "height": 4}


def table(*pieces, **more):
    return Terrain(size=48, pieces=list(pieces), **more)


# ---------------------------------------------------------------------------------------- files
@pytest.mark.parametrize(
    ("terrain", "message"),
    [
        ({"size": 48, "pieces": [{**BOX, "x": 1}]}, "pieces.0.x: the box reaches from -1 to 3; expected"),
        ({"size": 48, "pieces": [{**ROUND, "y": 47}]}, "pieces.0.y: the cylinder reaches from 45 to 49"),
        ({"size": 48, "pieces": [BOX, {**BOX, "x": 13}]}, "pieces.1: the box overlaps the box pieces.0"),
        ({"size": 48, "pieces": [BOX, {**ROUND, "x": 13.9}]}, "pieces.1: the cylinder overlaps the box"),
        ({"size": 48, "pieces": [ROUND, {**ROUND, "x": 17}]}, "pieces.1: the cylinder overlaps the cylinder"),
        ({"size": 48, "pieces": [{**BOX, "height": 30}]}, "terrain.pieces.0.box.height: Input should"),
        ({"size": 48, "pieces": [{**BOX, "radius": 3}]}, "terrain.pieces.0.box.radius: no such option"),
        ({"size": 48, "pieces": [{**BOX, "kind": "bx"}]}, "terrain.pieces.0: "),
        ({"size": 48, "pieces": [BOX] * 25}, "terrain.pieces: List should have at most 24 items"),
        ({"size": 48, "items": [{"x": 3, "y": 49, "weight": 2}]}, "items.0.y: expected 0 to 48, got 49"),
        ({"size": 48, "items": [{"x": 3, "y": 4, "weight": 0}]}, "terrain.items.0.weight: Input should"),
        ({"size": 24}, "terrain.size: expected size_in = 48, got 24"),
        ({"pieces": []}, "terrain.size: Field required"),
        ("meadw", "did you mean 'meadow'?"),
        ("nowhere.toml", "terrain: can't read the file: No such file or directory, got 'nowhere.toml'"),
    ],
)
def test_a_mistake_is_named_with_its_field(terrain, message):
    with pytest.raises(SetupError, match="skirmish: terrain") as error:
        make_scenario("skirmish", terrain=terrain)
    assert message in str(error.value)


def test_a_file_is_read_and_a_saved_scenario_needs_it_no_more(tmp_path):
    file = tmp_path / "yard.toml"
    file.write_text(
        'size = 48\n[[pieces]]\nkind = "box"\nx = 8\ny = 12\nwidth = 6\ndepth = 2.5\nheight = 3\n'
        '[[pieces]]\nkind = "cylinder"\nx = 16\ny = 5\nradius = 1.5\nheight = 4\n'
        "[[items]]\nx = 12\ny = 20\nweight = 3\n"
    )
    made = make_scenario("skirmish", terrain=str(file))
    file.unlink()
    again = make_scenario(**made.options)
    assert again.setup.tobytes() == made.setup.tobytes()
    setup = made.setup
    assert (setup.n_tables, setup.n_pieces[0], setup.n_items) == (1, 2, 1)
    assert setup.form[0, :2].tolist() == [1, 2]
    assert setup.centre[0, :2].tolist() == [[8000, 12000], [16000, 5000]]
    assert setup.half[0, :2].tolist() == [[3000, 1250], [1500, 1500]]
    assert setup.top[0, :2].tolist() == [3000, 4000]
    assert (setup.thing[0].tolist(), setup.weight[0]) == ([12000, 20000], 3)
    file.write_text("size = ")
    with pytest.raises(SetupError, match="terrain: not a TOML file: "):
        make_scenario("skirmish", terrain=str(file))


def test_pieces_may_touch():
    table(BOX, {**BOX, "x": 14}, {**ROUND, "x": 18})


# ------------------------------------------------------------------------------------- standing
@rule("F-21")
def test_a_base_stands_where_it_is_wholly_supported():
    yard = table(BOX, ROUND)
    for x, y, height in [
        (10, 10, 3000),  # in the middle of the box
        (8.5, 9.5, 3000),  # in its corner
        (8.4, 10, -1),  # over its edge
        (7.5, 10, 0),  # beside it
        (7.6, 10, -1),  # cutting into it
        (21.5, 10, 3000 + 1000),
        (21.6, 10, -1),
        (0.5, 0.5, 0),
        (0.4, 5, -1),  # over the table's edge
        (5, 47.6, -1),
    ]:
        assert yard.stands(round(x * 1000), round(y * 1000), 500) == height, (x, y)


@rule("F-21")
def test_a_base_on_two_pieces_of_one_height_is_on_neither():
    assert table(BOX, {**BOX, "x": 14}).stands(12_000, 10_000, 500) == -1


@rule("F-64")
def test_room_is_never_promised_where_figures_could_take_it():
    """However badly the first are placed, so many find a spot: played on crowded little tables."""
    rng = np.random.default_rng(3)
    for name in GENERATORS:
        for seed in range(3):
            yard = generate(name, seed, 12.0)
            middles = 12_000 * (2 * np.arange(48) + 1) // 96
            xs, ys = (axis.ravel() for axis in np.meshgrid(middles, middles))
            free = yard.stands(xs, ys, 500) >= 0
            placed = 0
            while free.any():
                k = rng.choice(np.flatnonzero(free))
                free &= (xs - xs[k]) ** 2 + (ys - ys[k]) ** 2 >= 1000**2
                placed += 1
            assert placed >= yard.room(500) >= MAX_FIGURES


# ----------------------------------------------------------------------------------- generators
@pytest.mark.parametrize("size", [12, 20, *SIZES, 55.5, 72])
@pytest.mark.parametrize("name", GENERATORS)
def test_any_seed_gives_a_table_with_room_and_tops_to_land_on(name, size):
    for seed in range(4):
        yard = generate(name, seed, float(size))
        assert len(yard.pieces) <= MAX_PIECES
        assert yard.room(500) >= MAX_FIGURES
        tops = [bool(piece.holds(*piece.centre, 500)) for piece in yard.pieces]
        assert sum(tops) == len(tops)
        assert len({piece.height for piece in yard.pieces}) >= min(3, len(tops))


def test_a_seed_gives_one_table_and_another_seed_another():
    assert generate("ruins", 5, 24.0) == generate.__wrapped__("ruins", 5, 24.0)
    assert (
        len({generate(name, seed, 36.0).model_dump_json() for name in GENERATORS for seed in range(8)}) == 32
    )


@pytest.mark.parametrize(
    ("name", "digest"),
    [
        ("meadow", "ca199e53288f"),
        ("garden", "6db5e3d0efd4"),
        ("kitchen", "8dc8bbf113d4"),
        ("ruins", "7eb15cb96d85"),
    ],
)
def test_tables_stay_the_same_for_ever(name, digest):
    """Saved games name a seed; changing a generator would change them (then raise RULES_VERSION)."""
    text = "".join(generate(name, seed, size).model_dump_json() for seed in range(4) for size in (24.0, 48.0))
    assert hashlib.sha256(text.encode()).hexdigest()[:12] == digest


@pytest.mark.parametrize("size", SIZES)
def test_the_share_of_lines_that_are_cut_tells_the_tables_apart(size):
    """Below 10 % of random pairs without line of sight in the meadow, above 40 % in the ruins."""
    share = {
        name: np.mean([share_unseen(generate(name, seed, float(size)), 60, seed) for seed in range(16)])
        for name in GENERATORS
    }
    assert share["meadow"] < 0.1
    assert share["ruins"] > 0.4
    assert share["meadow"] < share["garden"] < share["kitchen"] < share["ruins"]


@pytest.mark.parametrize("name", ["garden", "kitchen", "ruins"])
def test_heights_make_the_modes_of_moving_differ(name):
    """Some tops are within a Flutter's 3 inches, some only within a Frolic's 6 or a Pounce's 12."""
    heights = [piece.height for seed in range(16) for piece in generate(name, seed, 48.0).pieces]
    for low, high in ((0, 3), (3, 6)):
        assert np.mean([low < height <= high for height in heights]) > 0.1, (low, high)
    assert max(heights) > 6 or name == "garden"


# ---------------------------------------------------------------------------- the oracle itself
@rule("F-32")
def test_the_slow_oracle_of_sight():
    yard = table({"kind": "box", "x": 24, "y": 24, "width": 2, "depth": 10, "height": 3})
    (wall,) = yard.pieces
    left, right = (20.0, 24.0, 0.0), (28.0, 24.0, 0.0)
    assert clear_lines(yard, left, right) == clear_lines(yard, right, left) == 0
    assert clear_lines(yard, left, (20.0, 40.0, 0.0)) == 4
    assert clear_lines(yard, (24.0, 24.0, 3.0), right) == 4  # from the top of it
    assert clear_lines(yard, (20.0, 19.0, 0.0), (28.0, 19.0, 0.0)) == 3  # one edge of the base is hidden
    assert not crosses(wall, (20, 24, 3), (28, 24, 3))  # along the top is not through
    assert not crosses(wall, (20, 19, 1), (28, 19, 1))  # nor along a side
    assert crosses(wall, (20, 24, 2.9), (28, 24, 2.9))
    pot = table({"kind": "cylinder", "x": 24, "y": 24, "radius": 1, "height": 3}).pieces[0]
    assert crosses(pot, (20, 24, 1), (28, 24, 1))
    assert not crosses(pot, (20, 25, 1), (28, 25, 1))  # a tangent
    assert not crosses(pot, (20, 24, 1), (22, 24, 1))  # before it


def test_random_places_are_on_the_floor_and_on_tops():
    spot = places(generate("garden", 1, 24.0), np.random.default_rng(0))
    heights = [next(spot)[2] for _ in range(300)]
    assert 0.7 < np.mean([height == 0 for height in heights]) < 1

"""Setting up the whole table: lots, turns, sixteen inches, tops of terrain."""

from __future__ import annotations

import numpy as np
import pytest

from fm_env.games.fairy_meat.constants import CELLS, Place
from fm_env.games.fairy_meat.generators import GENERATORS, generate
from fm_env.games.fairy_meat.movement import ground
from fm_env.games.fairy_meat.placement import ANY_HEIGHT, holds_base, is_open_spot, spot_place
from fm_env.games.fairy_meat.terrain import Terrain
from tests.games.fairy_meat.play import game, rule
from tests.games.fairy_meat.table_play import box, does, legal, place

GLITTER = {"type": "glitter"}


def setting_up(numbers, lots, pieces=(), size=48, **options):
    """Before the first fairy is placed: so many glitter fairies a player, and the cards drawn for order."""
    return game().new_match(
        scenario="skirmish", num_players=len(numbers), warbands=[[GLITTER] * n for n in numbers],
        terrain={"size": size, "pieces": list(pieces)}, size_in=size, chance=lots.split(), seed=1,
        combat="fast_play", **options,
    )  # fmt: skip


def put(m, column, row, spot="0 0"):
    """The fairy to be placed stands on that spot. Of several the player takes the first."""
    (seat,) = m.pending
    if m.legal(seat)[0].startswith("fairy"):
        m.play(seat, m.legal(seat)[0])
    return does(m, f"column {column}", f"row {row}", f"spot {spot}")


def placers(m):
    """Whose turn it is to place, until all are placed anywhere."""
    order = []
    while m.state.round_number == 0:
        order.append(m.pending[0])
        placed = (m.state.whereabouts == Place.TABLE).sum()
        while m.state.round_number == 0 and (m.state.whereabouts == Place.TABLE).sum() == placed:
            m.play(m.pending[0], m.legal(m.pending[0])[0])
    return order


# ------------------------------------------------------------------------------------------ lots
@rule("F-64")
@pytest.mark.parametrize(
    ("lots", "order"),
    [
        ("5r 9b", [1, 0]),
        ("Tr 9b", [0, 1]),
        ("Ar 2b", [1, 0]),  # the Ace is lowest
        ("Kr X", [1, 0]),  # a joker is highest
        ("5r 5b 3r 9b", [1, 0]),  # equals draw again
        ("5r 5b 3r 3b 9r 8b", [0, 1]),
        ("9r 9b X 2r 3b", [2, 1, 0]),  # only the equals do
        ("9r 2r 9b Kr 3b", [0, 2, 1]),
        ("9r 9b 5r 5b 2r 2b 3r 4r 4b 3b Kr X", [1, 0, 2, 3, 5, 4]),
    ],
)
def test_cards_are_drawn_for_the_order_of_placing(lots, order):
    m = setting_up([1] * len(order), lots)
    assert sorted(range(len(order)), key=lambda seat: m.state.lot_rank[seat]) == order
    assert m.pending == (order[0],)
    assert int(m.state.heap_up.sum()) == len(lots.split())


@rule("F-64")
def test_players_place_one_fairy_at_a_time_in_that_order():
    assert placers(setting_up([2, 2], "5r 9b", size=24)) == [1, 0, 1, 0]
    assert placers(setting_up([1, 3], "9r 5b", size=24)) == [0, 1, 1, 1], "who has none left is passed over"


@rule("F-64")
def test_the_placer_says_which_of_her_fairies_comes():
    m = setting_up([2, 1], "9r 5b")
    assert legal(m) == {"fairy 0", "fairy 1"}
    does(m, "fairy 1", "column 0", "row 0", "spot 1 1")
    assert m.state.whereabouts.tolist()[:3] == [Place.AWAY, Place.TABLE, Place.AWAY]


# ---------------------------------------------------------------------------------------- places
@rule("F-64")
def test_spots_are_four_by_four_in_cells_of_twelve_by_twelve():
    m = setting_up([1, 1], "9r 5b")
    assert legal(m) == {f"column {k}" for k in range(12)}
    does(m, "column 3")
    assert legal(m) == {f"row {k}" for k in range(12)}
    does(m, "row 5")
    assert legal(m) == {f"spot {a} {b}" for a in range(4) for b in range(4)}
    does(m, "spot 2 1")
    assert place(m, "A") == (13.5, 22.5, 0)


@rule("F-64")
def test_fairies_may_start_on_tops_that_hold_their_base():
    """The box covers x 6 to 10 and y 6 to 8."""
    m = setting_up([1, 1], "9r 5b", pieces=(box(8, 7, 4, 2, 5),))
    does(m, "column 1", "row 1")
    expected = set()
    for a in range(4):
        for b in range(4):
            x, y = 4.5 + b, 4.5 + a
            on = 6.5 <= x <= 9.5 and 6.5 <= y <= 7.5
            beside = x <= 5.5 or y <= 5.5
            if on or beside:
                expected.add(f"spot {a} {b}")
    assert legal(m) == expected and "spot 2 2" in expected
    assert place(does(m, "spot 2 2"), "A") == (6.5, 6.5, 5)


def open_spots(m):
    return {k for k in range(CELLS * CELLS) if is_open_spot(m.state, k)}


def far_enough(yard, enemies, friends=(), least=16.0):
    """The same told by the table's own geometry: spots that hold a base, with their distances to enemies."""
    found = {}
    for k in range(CELLS * CELLS):
        x, y = ((2 * (k % CELLS) + 1) * yard.size / 96, (2 * (k // CELLS) + 1) * yard.size / 96)
        z = float(yard.stands(round(1000 * x), round(1000 * y), 500)) / 1000
        near = min(np.hypot(max(0.0, np.hypot(x - ex, y - ey) - 1), z - ez) for ex, ey, ez in enemies)
        free = all(np.hypot(x - ox, y - oy) >= 1 for ox, oy, _ in (*enemies, *friends))
        if z >= 0 and free and near >= least - 1e-9:
            found[k] = near
    return found


@rule("F-64", "F-65")
def test_no_fairy_starts_within_sixteen_inches_of_an_enemy_edge_to_edge():
    """Height counts: from the tower of 15 inches the floor is farther away."""
    tower = box(20, 20, 4, 4, 15)
    yard = Terrain(size=48, pieces=[tower])
    for column, row, spot in ((4, 4, "2 2"), (5, 8, "0 0")):
        m = put(setting_up([1, 1], "9r 5b", pieces=(tower,)), column, row, spot)
        enemy = place(m, "A")
        assert open_spots(m) == set(far_enough(yard, [enemy]))
    assert enemy[2] == 0


@rule("F-64")
def test_friends_may_stand_close_but_not_in_one_place():
    m = put(put(setting_up([2, 1], "9r 5b"), 0, 0), 11, 11)
    friend, enemy = place(m, "A"), place(m, "C")
    assert open_spots(m) == set(far_enough(Terrain(size=48), [enemy], [friend]))
    assert 1 in open_spots(m) and 0 not in open_spots(m)


@rule("F-64", "F-65")
def test_without_room_she_starts_at_the_farthest_spot():
    """On 14 inches with an enemy in the middle of one side and one of a third player in a corner."""
    m = setting_up([1, 1, 1], "9r 7b 5b", size=14)
    put(m, 0, 6, "2 2")
    put(m, *far_cell(m))
    enemies = [place(m, "A"), place(m, "B")]
    spots = far_enough(Terrain(size=14), enemies, least=0.0)
    assert max(spots.values()) < 16
    (only,) = open_spots(m)
    assert spots[only] == pytest.approx(max(spots.values()))
    for _ in range(3):
        assert len(legal(m)) == 1
        does(m, *legal(m))
    x, y = spot_place(m.state, only)
    assert m.state.pos[2, :2].tolist() == [x, y]


def far_cell(m):
    """The one place that is left to the second player, as column, row and spot."""
    (k,) = open_spots(m)
    column, row = k % CELLS, k // CELLS
    return column // 4, row // 4, f"{row % 4} {column % 4}"


@rule("F-88")
def test_places_may_be_measured_while_setting_up():
    """Two spots in one inch look different to the other player; from round 1 on they don't."""

    def seen(spot, then=False):
        m = put(setting_up([1, 1], "9r 5b", size=24), 2, 2, spot)
        if then:
            put(m, 11, 11)
            assert m.state.round_number == 1
        return m.observation(1).tobytes()

    assert seen("0 0") != seen("0 1")
    assert seen("0 0", then=True) == seen("0 1", then=True)


@rule("F-06")
def test_round_one_starts_when_all_are_placed():
    m = put(put(setting_up([1, 1], "9r 5b"), 0, 0), 11, 11)
    assert m.state.round_number == 1 and m.state.touch.sum() == 0 and m.state.sees[0, 1] == 2
    assert m.pending == (0, 1) and "think 0" in m.legal(0)


@rule("F-21", "F-64")
@pytest.mark.parametrize("name", sorted(GENERATORS))
def test_the_door_and_the_rules_agree_where_a_base_stands(name):
    """`Terrain.stands` looks at set-ups before there is a game; `ground` is the rule."""
    m = game().new_match(scenario="skirmish", terrain=name, tables=1, warbands="swarm", seed=1)
    yard = generate(name, 0, 48.0, 500)
    spots = [spot_place(m.state, k) for k in range(CELLS * CELLS)]
    heights = [int(ground(m.state, x, y, ANY_HEIGHT)) for x, y in spots]
    assert heights == [int(yard.stands(x, y, 500)) for x, y in spots]
    assert len(set(heights)) > 2, "tops hold figures, too"
    assert [bool(holds_base(m.state, k)) for k in range(len(spots))] == [z >= 0 for z in heights]

"""Options of the whole table: what the record gets, and what is refused in which words."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from fm_env.errors import SetupError
from fm_env.games.fairy_meat.constants import (
    MAX_PRESETS,
    NO_WEAPON,
    SIZE_OF_BAND,
    WEAPON_NAMES,
    WEAPON_STRENGTH,
    Magic,
    Place,
    Play,
)
from fm_env.games.fairy_meat.presets import (
    PRESET_ARMS,
    PRESET_NAMES,
    PRESET_RECRUIT,
    PRESETS,
    SIZE_POINTS,
    recruit_id,
)
from fm_env.games.fairy_meat.scenario import make_scenario
from fm_env.games.fairy_meat.skirmish import CHOSEN, DRAWN, GIVEN
from fm_env.games.fairy_meat.warbands import Recruit, fault_of, preset, preset_points
from tests.games.fairy_meat.play import rule

BARE = {"size": 48}
SIZES = ("skirmish-1v1", "skirmish-2v2", "skirmish")


def setup_of(scenario="skirmish", **options):
    return make_scenario(scenario, **options).setup


def start(*figures, terrain=BARE, **options):
    """A scenario that starts with these figures."""
    return make_scenario("skirmish", terrain=terrain, setup={"figures": list(figures)}, **options)


def figure(seat, x, y, **more):
    return {"seat": seat, "x": x, "y": y, **more}


# ---------------------------------------------------------------------------------------- sizes
def test_sizes_share_their_spaces():
    specs = [make_scenario(name).spec for name in SIZES] + [make_scenario("skirmish", num_players=6).spec]
    for field in ("num_actions", "num_chance_outcomes", "observation_size", "state_dtype"):
        assert len({getattr(spec, field) for spec in specs}) == 1
    assert [spec.num_seats for spec in specs] == [2, 2, 2, 6]
    assert all((spec.min_return, spec.max_return, spec.return_sum) == (-1, 1, 0) for spec in specs)


@pytest.mark.parametrize(
    ("scenario", "side", "points", "band"),
    [("skirmish-1v1", 24_000, 25, 1), ("skirmish-2v2", 36_000, 40, 2), ("skirmish", 48_000, 75, 6)],
)
def test_what_a_size_is(scenario, side, points, band):
    setup = setup_of(scenario)
    assert (setup.play, setup.side, setup.points, setup.band) == (Play.SKIRMISH, side, points, band)
    assert (setup.n_tables, setup.rounds, setup.n_seats) == (16, 8, 2)
    assert (setup.radius, setup.grain, setup.measuring, setup.score_own_meat) == (500, 1000, 0, 0)
    assert setup.n_pieces.min() > 0
    assert len({setup.centre[k].tobytes() for k in range(16)}) == 16
    assert setup.recruits.tolist() == [DRAWN] * 2 + [GIVEN] * 4
    assert (setup.recruit == -1).all() and (setup.arms == NO_WEAPON).all()


def test_options_reach_the_record():
    setup = setup_of(
        num_players=5,
        measuring="allowed",
        eye_grain_in=0.5,
        base_radius_in=0.6,
        score_own_meat=True,
        rounds=3,
        points=90,
        combat="fast_play",
        tables=3,
        size_in=60,
        terrain="ruins",
        first_seat=4,
    )
    assert (setup.n_seats, setup.measuring, setup.grain, setup.radius) == (5, 1, 0, 600)
    assert (setup.score_own_meat, setup.rounds, setup.points, setup.n_tables) == (1, 3, 90, 3)
    assert (setup.side, setup.first_seat, setup.combat) == (60_000, 4, 1)


@rule("F-01")
@pytest.mark.parametrize(("players", "cards"), [(2, 54), (3, 54), (4, 108), (6, 108)])
def test_one_deck_for_three_players_two_for_more(players, cards):
    assert setup_of(num_players=players).pack.sum() == cards


def test_a_terrain_seed_names_sixteen_tables_of_its_own():
    tables = [setup_of(terrain_seed=seed).centre.tobytes() for seed in (0, 0, 1)]
    assert tables[0] == tables[1] != tables[2]
    first, all_of_them = setup_of(tables=1), setup_of()
    assert first.n_tables == 1
    assert (first.centre[0] == all_of_them.centre[0]).all()


def test_a_saved_scenario_is_made_again_from_its_options():
    for options in (
        {"num_players": 3, "warbands": ["any", "swarm", [{"type": "wild", "weapons": ["ripper"]}]]},
        {
            "terrain": {
                "size": 48,
                "pieces": [{"kind": "box", "x": 9, "y": 9, "width": 4, "depth": 4, "height": 1}],
            }
        },
        {"setup": {"figures": [figure(0, 5, 5), figure(1, 30, 5)]}, "terrain": BARE},
    ):
        made = make_scenario("skirmish", **options)
        assert make_scenario(**made.options).setup.tobytes() == made.setup.tobytes()


# ------------------------------------------------------------------------------------- warbands
def test_warbands_are_given_chosen_or_drawn():
    mine = [
        {"type": "glitter", "magic": "mean", "weapons": ["fairy_shot_bow", "ripper"]},
        {"type": "seasoned"},
    ]
    setup = setup_of(num_players=4, warbands=["choose", "any", "heavies", mine])
    assert setup.recruits.tolist() == [CHOSEN, DRAWN, GIVEN, GIVEN, GIVEN, GIVEN]
    assert (setup.recruit[:2] == -1).all() and (setup.recruit[4:] == -1).all()
    heavies = PRESET_NAMES.index("heavies")
    assert (setup.recruit[2] == PRESET_RECRUIT[2, heavies]).all()
    assert (setup.arms[2] == PRESET_ARMS[2, heavies]).all()
    assert setup.recruit[3].tolist() == [3, 4, -1, -1, -1, -1]  # glitter mean, seasoned sweet
    bow, ripper = WEAPON_NAMES.index("fairy_shot_bow"), WEAPON_NAMES.index("ripper")
    assert setup.arms[3, :2].tolist() == [[bow, ripper, NO_WEAPON], [NO_WEAPON] * 3]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"warbands": "swam"}, "warbands: unknown name; did you mean 'swarm'?"),
        ({"warbands": ["any"]}, "warbands: expected one for each of 2 players, got 1"),
        ({"warbands": ["any", [{"type": "wild"}] * 6]}, "warbands.1: expected at most 75 points, got 84"),
        ({"warbands": ["any", []]}, "warbands.1: expected 1 to 6 fairies, got 0"),
        ({"warbands": ["any", [{"type": "wyld"}]]}, "warbands.1.0.type: did you mean 'wild'?"),
        (
            {"warbands": [[{"type": "wild", "magic": "kind"}], "any"]},
            "warbands.0.0.magic: known: sweet, mean",
        ),
        (
            {"warbands": [[{"type": "wild", "weapons": ["riper"]}], "any"]},
            "weapons.0: did you mean 'ripper'?",
        ),
        (
            {"warbands": [[{"type": "wild", "weapons": ["ripper"] * 2}], "any"]},
            "weapons: expected each weapon once",
        ),
        (
            {"warbands": [[{"type": "wild", "weapons": ["ripper", "black_wand", "moon_dagger"]}], "any"]},
            "at most 2",
        ),
        ({"warbands": [[{"weapons": []}], "any"]}, "warbands.0.0.type: Field required"),
        ({"points": 40}, "points: a warband by name needs 75 points, got 40"),
        ({"points": 5}, "points: Input should be greater than or equal to 11, got 5"),
        ({"num_players": 7}, "num_players: Input should be less than or equal to 6, got 7"),
        ({"first_seat": 2}, "first_seat: expected below 2, got 2"),
        ({"tables": 17}, "tables: Input should be less than or equal to 16, got 17"),
        ({"tables": 2, "terrain": BARE}, "tables: a given terrain is one table; expected 1, got 2"),
        ({"size_in": 12, "base_radius_in": 0.75, "num_players": 6}, "terrain: expected room for 36 fairies"),
        ({"size_in": 80}, "size_in: Input should be less than or equal to 72, got 80"),
        ({"measuring": "allow"}, "measuring: did you mean 'allowed'?"),
        ({"colour": 3}, "colour: no such option; known here: combat"),
        (
            {"combat": "fast_play", "warbands": [[{"type": "wild", "weapons": ["vibro_master"]}], "any"]},
            "warbands.0.0.weapons: vibro_master needs combat = 'unclevl'",
        ),
    ],
)
def test_a_mistake_is_named_with_its_field(options, message):
    with pytest.raises(SetupError) as error:
        make_scenario("skirmish", **options)
    assert message in str(error.value)


@pytest.mark.parametrize("name", ["skirmish-1v1", "skirmish-2v2"])
def test_small_sizes_are_for_two(name):
    with pytest.raises(SetupError, match="num_players"):
        make_scenario(name, num_players=3)
    band = 1 if name == "skirmish-1v1" else 2
    with pytest.raises(SetupError, match=f"warbands.0: expected 1 to {band} fairies, got {band + 1}"):
        make_scenario(name, warbands=[[{"type": "glitter"}] * (band + 1), "any"])


def test_an_unknown_scenario_is_answered_with_the_closest():
    with pytest.raises(SetupError, match="did you mean 'skirmish' or 'skirmish-2v2' or 'skirmish-1v1'"):
        make_scenario("skirmsh")


BAND_FILE = """
[[fairies]]
type = "glitter"
magic = "mean"
weapons = ["brownie_bow", "fairy_knife"]

[[fairies]]
type = "seasoned"
"""


def test_a_warband_comes_from_a_file(tmp_path: Path):
    """For everybody or for one seat; the saved game doesn't need the file."""
    file = tmp_path / "mine.toml"
    file.write_text(BAND_FILE, encoding="utf-8")
    written = [
        {"type": "glitter", "magic": "mean", "weapons": ["brownie_bow", "fairy_knife"]},
        {"type": "seasoned"},
    ]
    for given, same in (
        (str(file), [written, written, written]),
        ([str(file), "any", "swarm"], [written, "any", "swarm"]),
    ):
        made = make_scenario("skirmish", num_players=3, warbands=given)
        assert made.setup.tobytes() == setup_of(num_players=3, warbands=same).tobytes()
    assert made.setup.recruits.tolist()[:3] == [GIVEN, DRAWN, GIVEN]
    everybody = make_scenario("skirmish", num_players=3, warbands=str(file))
    file.unlink()
    for scenario in (made, everybody):
        assert "mine.toml" not in json.dumps(scenario.options)
        assert make_scenario(**scenario.options).setup.tobytes() == scenario.setup.tobytes()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "can't read the file: No such file or directory, got '"),
        ("fairies = [", "not a TOML file: "),
        (b"\xff\xfe", "not a TOML file: "),
        ("x = " + "[" * 9000, "not a TOML file: nested too deeply"),
        ("", "a warband file is a list of [[fairies]] and nothing else; it holds nothing"),
        (BAND_FILE + "[army]\nname = 'x'", "nothing else; it holds 'fairies', 'army'"),
        ("fairies = 'heavies'", "a warband file is a list of [[fairies]] and nothing else"),
        (BAND_FILE + "[[fairies]]\ntype = 'wyld'", "2.type: did you mean 'wild'?"),
        (BAND_FILE + "[[fairies]]\ntype = 'wild'\nwings = 2", "2.wings: no such option"),
        (BAND_FILE + "[[fairies]]\nmagic = 'mean'", "2.type: Field required"),
        ("fairies = []", "expected 1 to 6 fairies, got 0"),
        ("fairies = [3]", "0: Input should be a valid dictionary or instance of Recruit, got 3"),
        (BAND_FILE * 4, "expected 1 to 6 fairies, got 8"),
        ("[[fairies]]\ntype = 'seasoned'\n" * 5, "expected at most 75 points, got 85"),
    ],
)
def test_a_damaged_warband_file_is_told(tmp_path: Path, text: str | bytes | None, message: str):
    file = tmp_path / "mine.toml"
    if text is not None:
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
    for given, where in ((str(file), "warbands"), (["any", str(file)], "warbands.1")):
        with pytest.raises(SetupError) as error:
            make_scenario("skirmish", warbands=given)
        assert f"skirmish: {where}" in str(error.value) and message in str(error.value)


def test_a_file_of_one_warband_keeps_to_the_fighting_system(tmp_path: Path):
    file = tmp_path / "mine.toml"
    file.write_text("[[fairies]]\ntype = 'wild'\nweapons = ['vibro_master']\n", encoding="utf-8")
    assert make_scenario("skirmish", warbands=str(file)).setup.recruits.tolist()[:2] == [GIVEN] * 2
    with pytest.raises(SetupError, match=r"warbands\.fairies\.0\.weapons: vibro_master needs"):
        make_scenario("skirmish", warbands=str(file), combat="fast_play")


# -------------------------------------------------------------------------------------- presets
@rule("F-54")
@pytest.mark.parametrize("band", [1, 2, 6])
@pytest.mark.parametrize("name", PRESET_NAMES)
def test_a_preset_fits_its_size_and_uses_it(name, band):
    fairies = preset(name, band)
    assert fault_of(fairies, preset_points(band), band) is None
    assert sum(fairy.cost for fairy in fairies) >= 0.8 * preset_points(band)
    assert not any("vibro_master" in fairy.weapons for fairy in fairies)  # Fast Play has none (U-36)
    k, size = PRESET_NAMES.index(name), SIZE_OF_BAND[band]
    for f in range(6):
        ids = [] if f >= len(fairies) else [WEAPON_NAMES.index(w) for w in fairies[f].weapons]
        wanted = recruit_id(fairies[f].type, fairies[f].magic) if f < len(fairies) else -1
        assert PRESET_RECRUIT[size, k, f] == wanted
        assert PRESET_ARMS[size, k, f].tolist() == ids + [NO_WEAPON] * (3 - len(ids))
        assert ids == sorted(ids)  # in the order of the table, as a player chooses them


def test_presets_are_true_to_their_names():
    """Each leads in what its name says, at full size."""

    def most(count):
        return max(PRESET_NAMES, key=lambda name: sum(count(fairy) for fairy in preset(name, 6)))

    ranged = {name for name, strength in zip(WEAPON_NAMES, WEAPON_STRENGTH, strict=True) if strength}
    assert most(lambda fairy: bool(ranged & set(fairy.weapons))) == "archers"
    assert most(lambda fairy: fairy.type == "glitter") == "coven"
    assert most(lambda fairy: fairy.type == "seasoned") == "heavies"
    assert most(lambda fairy: fairy.type == "wild") == "swarm"
    assert most(lambda fairy: "sprite_carver" in fairy.weapons) == "blades"
    assert most(lambda fairy: "black_wand" in fairy.weapons) == "marksmen"
    manglers = {"ripper", "black_wand"}
    assert not any(manglers & set(fairy.weapons) for fairy in preset("scavengers", 6))
    assert len({fairy.type for fairy in preset("motley", 6)}) == 3
    assert 6 <= len(PRESET_NAMES) <= MAX_PRESETS
    assert all(PRESETS[name]["about"].endswith(".") for name in PRESET_NAMES)
    for size in range(len(SIZE_POINTS)):
        built = {
            PRESET_RECRUIT[size, k].tobytes() + PRESET_ARMS[size, k].tobytes() for k in range(len(PRESETS))
        }
        assert len(built) == len(PRESETS) == 8


@rule("F-48")
def test_what_fairies_and_weapons_cost():
    assert Recruit(type="wild", weapons=["fairy_knife", "black_wand"]).cost == 14 + 1 + 11
    assert Recruit(type="glitter", magic="mean").cost == 11  # spells are free
    assert Recruit(type="seasoned", weapons=["vibro_master", "sprite_carver"]).cost == 17 + 5 + 6


# ------------------------------------------------------------------------------------ positions
def test_figures_stand_in_the_record_in_their_order():
    made = start(
        figure(
            1, 10, 12.5, type="glitter", magic="mean", weapons=["brownie_bow", "ripper"], live=1, twinkle=2
        ),
        figure(0, 20, 20, live=0, kill=0, meat_live=2, meat_kill=1, twinkle=0, used_twinkle=3),
        figure(0, 30, 20),
    )
    s = made.setup
    assert s.n_fairies == 3 and s.n_tables == 1
    assert s.owner[:3].tolist() == [1, 0, 0]
    assert s.pos[:3].tolist() == [[10_000, 12_500], [20_000, 20_000], [30_000, 20_000]]
    assert s.whereabouts.tolist() == [Place.TABLE] * 3 + [Place.AWAY] * 33
    assert s.magic[:3].tolist() == [Magic.MEAN, Magic.SWEET, Magic.SWEET]
    assert (s.live[:3].tolist(), s.kill[:3].tolist(), s.twinkle[:3].tolist()) == (
        [1, 0, 3],
        [2, 0, 4],
        [2, 0, 3],
    )
    assert (s.meat_live[1], s.meat_kill[1], s.used_twinkle[1]) == (2, 1, 3)
    assert [WEAPON_NAMES[w] for w in s.weapon[0, :3]] == ["bare_hands", "brownie_bow", "ripper"]
    assert np.all(s.recruits == GIVEN)


@pytest.mark.parametrize(
    ("figures", "message"),
    [
        ([figure(0, 5, 5), figure(2, 9, 5)], "setup.figures.1.seat: expected below 2, got 2"),
        ([figure(0, 5, 5), figure(1, 5.9, 5)], "setup.figures.1: she overlaps setup.figures.0"),
        (
            [figure(0, 0.4, 5), figure(1, 9, 5)],
            "setup.figures.0: nothing supports her whole base at (0.4, 5)",
        ),
        (
            [figure(0, 22, 24), figure(1, 9, 5)],
            "setup.figures.0: nothing supports her whole base at (22, 24)",
        ),
        ([figure(0, 5, 5), figure(0, 9, 5)], "expected living fairies of at least two seats"),
        ([figure(0, 5, 5), figure(1, 9, 5, live=0, kill=0, meat_kill=1)], "living fairies of at least two"),
        ([figure(0, 5, 5), figure(1, 9, 5, live=0, kill=0)], "a corpse without meat is no figure"),
        ([figure(0, 5, 5), figure(1, 9, 5, live=9, kill=9)], "live + kill: expected at most 12, got 18"),
        (
            [figure(0, 5, 5), figure(1, 9, 5, used_twinkle=7)],
            "twinkle + used_twinkle: expected at most 8, got 10",
        ),
        ([figure(0, 5, 5), figure(1, 9, 5, weapons=["knife"])], "did you mean 'fairy_knife'?"),
        ([figure(0, 5 + 2 * k, 5) for k in range(7)] + [figure(1, 9, 9)], "at most 6 of a seat, got 7 of 0"),
        ([figure(0, 5, 5)], "setup.figures: List should have at least 2 items"),
    ],
)
def test_a_position_that_cannot_be_is_refused(figures, message):
    wall = {"kind": "box", "x": 24, "y": 24, "width": 4, "depth": 4, "height": 2}
    with pytest.raises(SetupError) as error:
        start(*figures, terrain={"size": 48, "pieces": [wall]})
    assert message in str(error.value)


@rule("F-73")
def test_corpses_may_lie_under_figures():
    start(figure(0, 5, 5), figure(1, 5.2, 5, live=0, kill=0, meat_live=1), figure(1, 9, 5))


def test_figures_stand_on_tops_of_a_generated_table():
    made = make_scenario("skirmish", terrain="meadow", setup={"figures": [figure(0, 1, 1), figure(1, 40, 1)]})
    assert made.setup.n_tables == 1
    with pytest.raises(SetupError, match="tables: a set-up stands on one table; expected 1, got 4"):
        make_scenario(
            "skirmish", tables=4, setup={"figures": [figure(0, 1, 1), figure(1, 40, 1)]}, terrain="meadow"
        )


def test_a_position_has_its_own_fairies_and_loot():
    with pytest.raises(SetupError, match="warbands: a set-up has its own fairies"):
        start(figure(0, 5, 5), figure(1, 9, 5), warbands="swarm")
    loot = {"figures": [figure(0, 5, 5), figure(1, 9, 5)], "items": [{"x": 7, "y": 7, "weight": 2}]}
    ground = {"size": 48, "items": [{"x": 3, "y": 4, "weight": 5}]}
    setup = setup_of(terrain=ground, setup=loot)
    assert setup.n_items == 2
    assert (setup.thing[:2].tolist(), setup.weight[:2].tolist()) == ([[3000, 4000], [7000, 7000]], [5, 2])
    with pytest.raises(SetupError, match=r"setup.items.0: \(50, 7\) is off the table"):
        setup_of(terrain=BARE, setup={**loot, "items": [{"x": 50, "y": 7, "weight": 2}]})

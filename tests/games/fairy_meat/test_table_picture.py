"""Pictures, maps and words of the whole table: right, complete, and nothing hidden in them."""

from __future__ import annotations

import copy
import random
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from fm_env import views
from fm_env.games.fairy_meat import GAME, narration
from fm_env.games.fairy_meat.picture_table import HEIGHT, WIDTH, table_svg
from tests.games.fairy_meat.play import game, rule

TERRAIN = {
    "size": 24,
    "pieces": [
        {"kind": "box", "x": 12, "y": 18, "width": 8, "depth": 4, "height": 3},
        {"kind": "cylinder", "x": 6, "y": 18, "radius": 2, "height": 12},
    ],
    "items": [{"x": 20, "y": 2, "weight": 5}],
}
FIGURES = [
    {"seat": 0, "type": "wild", "x": 12.3, "y": 18.2, "weapons": ["brownie_bow"], "magic": "mean"},
    {"seat": 1, "type": "glitter", "x": 3.1, "y": 3.2, "weapons": ["ripper"]},
    {"seat": 1, "x": 4.11, "y": 3.2, "live": 1, "used_twinkle": 2},
    {"seat": 0, "x": 20, "y": 8, "live": 0, "kill": 0, "meat_live": 2, "meat_kill": 1},
]


SPELLS = ("wind_up", "shimmer", "bound")
"""Fields that tell which spells a figure is under."""


def position(**options):
    """Four figures on a table of 24 inches."""
    options = {"terrain": TERRAIN, "size_in": 24, "setup": {"figures": FIGURES}, **options}
    return game().new_match(scenario="skirmish", seed=1, **options)


def random_match(seed, scenario, steps, **options):
    """A random game that likes to fight, and its positions."""
    m = game().new_match(scenario=scenario, seed=seed, **options)
    luck = random.Random(seed)
    positions = [m.clone()]
    while not m.is_over and len(positions) < steps:
        seat = luck.choice(m.pending)
        legal = m.legal(seat)
        keen = [
            text for text in legal if text.startswith(("attack", "wrestle", "fairy", "go", "eat", "drag"))
        ]
        m.play(seat, luck.choice(keen or legal))
        positions.append(m.clone())
    return m, positions


# ---------------------------------------------------------------------------------------- words
def test_the_map_shows_heights_figures_bodies_and_things():
    lines = position().text().splitlines()
    chart = [line[6:54] for line in lines if line[5:6] == "|"]
    assert len(chart) == 24 and all(len(row) == 48 for row in chart)
    assert chart[23 - 18][24] == "A"  # at (12.3, 18.2): half an inch a column, an inch a row
    assert chart[23 - 3][6] == "B" and chart[23 - 3][8] == "C"
    assert chart[23 - 8][40] == "%" and chart[23 - 2][40] == "*"
    assert chart[23 - 16][18] == "3" and chart[23 - 18][12] == "#" and chart[0][0] == "."


@rule("F-15")
def test_a_seat_sees_places_to_the_grain_of_an_eye_but_contact_exactly():
    m = position()
    assert "A (seat 0, wild, mean, brownie bow): at (12.3, 18.2) on piece 0, 3 inches up" in m.text()
    assert "A (seat 0, wild, mean, brownie bow): at (12.5, 18.5) on piece 0, 3 inches up" in m.text(0)
    for seat in (None, 0, 1):
        assert "touches C" in m.text(seat)
    assert "at (12.3, 18.2)" in position(measuring="allowed").text(1)


def test_facts_of_figures_are_told():
    text = position().text(1)
    assert "D (seat 0, seasoned, sweet, unarmed): dead, at (20.5, 8.5) on the floor" in text
    assert "item 0, weight 5: at (20.5, 2.5) on the floor" in text
    assert "Points: seat 0 has 0 (0 kills, 0 of meat), seat 1 has 0 (0 kills, 0 of meat)." in text


@rule("F-70")
def test_a_warband_is_shown_to_its_player_only():
    m = game().new_match(scenario="skirmish", warbands="choose", seed=1, tables=1)
    m.play(0, "recruit glitter mean")
    line = "Warband of seat 0 so far, 11 of 75 points: mean glitter (unarmed)"
    assert line in m.text(0) and line in m.text() and "Warband of seat 0" not in m.text(1)
    assert m.log[-1].words == "Seat 0 recruits a mean glitter fairy."


def turn_of(*figures):
    """A match in which the first figure's turn has begun, and a function that plays texts."""
    m = game().new_match(
        scenario="skirmish",
        terrain={"size": 48},
        setup={"figures": list(figures)},
        chance=["Kr", "2b"],
        seed=1,
    )
    while "act at K down" not in m.legal(0):
        m.play(m.pending[0], "think 0")
    m.play(0, "act at K down")
    m.play(1, "hold")

    def step(*texts):
        for text in texts:
            m.play(0, text)
        return m.log[-1].words

    return m, step


ARCHER = {"seat": 0, "type": "wild", "x": 2, "y": 2, "weapons": ["fairy_shot_bow"], "twinkle": 1}
BODY = {"seat": 1, "x": 3, "y": 2, "live": 0, "kill": 0, "meat_live": 1}
FAR = {"seat": 1, "x": 40, "y": 40}


def test_what_a_turn_says():
    """A wind-up, a bite, a flight round a corner: each with its effect."""
    m, step = turn_of(ARCHER, BODY, FAR)
    assert m.log[-1].words.endswith("A turns up Kr at K down. It is A's turn.")
    assert step("cast wind-up", "fairy 0") == "A casts it on A. A's next move is wound up by 4 inches."
    assert step("eat live instead of attacking") == (
        "A gives up her attack for a bite. A eats a Live Point of B. A has Live 4, Kill 3. "
        "Nothing is left of B. Seat 0 scores 1 for the meat."
    )
    assert step("frolic") == (
        "A sets off to frolic. She has 10 inches and gets over what is up to 10 inches high."
    )
    assert step("head E", '4"') == "A flies east, 4 inches. After 4 inches she is over (6, 2)."
    assert step("head N", '3"') == "A flies north, 3 inches. After 3 inches she is over (6, 5)."
    assert step("halt") == "A goes no farther. A lands at (6, 5) on the floor, 5 inches from where she began."


def test_a_move_says_what_is_meant_and_where_it_ends():
    """Two to choose from, so it is asked; bodies that she touches are told, for she may eat them."""
    _, step = turn_of(ARCHER, BODY | {"x": 7}, FAR | {"x": 7, "y": 12})
    step("frolic")
    assert step("go to") == "A means to touch someone or something."
    assert step("fairy 6") == (
        "A makes for the body of B. A lands at (6, 2) on the floor, 4 inches from where she began. "
        "She is in contact with the body of B."
    )


def test_wounds_and_death_are_told_before_the_points_for_them():
    m, step = turn_of(
        {"seat": 0, "x": 2, "y": 2, "weapons": ["moon_dagger"]},
        {"seat": 1, "x": 3, "y": 2, "live": 0, "kill": 1},
    )
    step("attack with weapon 1", "pose")
    while "Seat 0 scores" not in (said := m.log[-1].words):
        seat = m.pending[0]
        m.play(seat, m.legal(seat)[0])
    assert "B has Live 0, Kill 0. B dies. Seat 0 scores 4 for the kill." in said


@rule("F-24")
def test_leaving_the_field_with_a_load_is_told():
    _, step = turn_of(ARCHER, BODY, FAR)
    assert step("drag") == "A takes hold of the body of B. Her load is 1 point of meat."
    assert step("frolic", "leave the field").startswith(
        "A makes for the edge of the table. A leaves the field with the body of B."
    )


@rule("F-15")
def test_a_shot_out_of_range_is_told():
    _, step = turn_of(ARCHER, FAR)
    said = step("attack with weapon 1", "pose")
    assert said == "A poses this turn. Her target is B. Out of range: the shot is wasted."


@pytest.mark.parametrize(
    ("scenario", "options"),
    [("skirmish-1v1", {"warbands": "choose"}), ("skirmish", {"num_players": 3, "combat": "fast_play"})],
)
def test_every_event_of_random_games_has_words(scenario, options):
    for seed in range(2):
        m, positions = random_match(seed, scenario, 400, rounds=4, **options)
        assert all(event.words.endswith(".") or not event.words for event in m.log)
        silent = [event for event in m.log if not event.words]
        assert not silent
        for before in positions[::40]:
            for seat in before.pending:
                action = before.legal_ids(seat)[0]
                after = before.clone()
                after._happen(seat, action)
                last = list(narration.walk(before.state, seat, action))[-1]
                assert last.tobytes() == after.state.tobytes()


# ------------------------------------------------------------------------------------- pictures
def test_the_svg_is_well_formed_and_names_everything():
    m = position()
    root = ET.fromstring(table_svg(m.state, None))
    texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    for wanted in ("A", "B", "C", "D", "piece 0", '3"', '12"', "3 meat", "Seat 0", "Seat 1", "ripper", "5"):
        assert wanted in texts
    assert root.get("viewBox") == f"0 0 {WIDTH} {HEIGHT}"
    assert table_svg(m.state, 0) != table_svg(m.state, None)  # to the grain of an eye
    assert "Seat 0 (you)" in table_svg(m.state, 0)


def test_moves_since_an_earlier_position_are_arrows():
    m = position()
    later = m.clone()
    state = later.state.copy()
    state["pos"][1, 0] += 5000
    plain, arrow = table_svg(state, None), table_svg(state, None, m.state)
    assert arrow.count("<path") == plain.count("<path") + 1


def test_blows_and_spells_since_an_earlier_position_are_arrows():
    m = position()
    before, after = m.state, m.state
    assert not GAME.something_done(before, after)
    before["attacker"], before["defender"] = 0, 1
    plain = table_svg(after, None).count("<path")
    assert GAME.something_done(before, after)
    assert table_svg(after, None, before).count("<path") == plain + 1
    assert table_svg(before, None, before) == table_svg(before, None)  # it still goes on: drawn once
    before = m.state
    before["turn"] = 0
    after["wind_up"][[0, 1]] = 3000  # on herself, which has no line, and on another
    assert table_svg(after, None, before).count("<path") == plain + 1
    assert not GAME.something_done(after, before)  # a spell that ends isn't one that is cast
    assert not GAME.something_done(game().new_match("skirmish", seed=1).state, m.state)  # another table


def test_frames_keep_the_line_of_the_last_act(monkeypatch):
    """A frame shows what was done since the frame before the last act; of a new game, nothing."""
    drawn = []

    def noted(game, state, seat, before=None):
        drawn.append(None if before is None else before.copy())
        return np.zeros((4, 4, 3), np.uint8)

    monkeypatch.setattr(type(GAME), "picture", noted)
    setup = {"figures": [{"seat": k, "x": 12 + 2 * k, "y": 6, "weapons": ["brownie_bow"]} for k in (0, 1)]}
    options = {"scenario": "skirmish", "terrain": {"size": 48}, "setup": setup}
    env = views.makers("fairy_meat").raw_env(render_mode="rgb_array", **options)
    env.reset(seed=5)
    luck, moves, blows = random.Random(5), 0, 0
    env.render()
    before = kept = None
    for _ in range(250):
        if env.table.seat < 0:
            break
        former = env.table.record().copy()
        env.step(luck.choice(np.flatnonzero(env.table.legal).tolist()))
        now = env.table.record()
        moved = bool((former["pos"] != now["pos"]).any())
        struck = former["defender"] >= 0 and (now["attacker"], now["defender"]) != (
            former["attacker"],
            former["defender"],
        )
        others = [f for f in (0, 1) if f != former["turn"]]
        cast = any((now[spell][others] > former[spell][others]).any() for spell in SPELLS)
        if moved or struck or cast:
            kept = former
        moves, blows = moves + moved, blows + struck
        for _ in range(2):  # looking twice changes nothing
            env.render()
            before = drawn[-1]
            assert (before is None) == (kept is None)
            assert kept is None or before.tobytes() == kept.tobytes()
    assert moves > 2 and blows > 2 and kept is not None
    copy.deepcopy(env).render()
    assert drawn[-1].tobytes() == kept.tobytes()
    env.reset(seed=6)
    env.render()
    assert drawn[-1] is None


def test_pictures_and_words_never_show_what_a_seat_cannot_see():
    """Positions that differ only in cards and places beyond a seat's knowledge look the same to it."""
    from fm_env.engine import engine_of
    from fm_env.records import rows_of
    from fm_env.rng import row_for

    pytest.importorskip("PIL")
    engine = engine_of(GAME)
    _, positions = random_match(3, "skirmish-2v2", 300, terrain="kitchen", rounds=3)
    differ = 0
    former = next(m for m in positions if m.state.round_number).state
    for k, m in enumerate(positions[::12]):
        other = rows_of(m.state)
        engine.resample(other, 0, 0, row_for(k))
        assert table_svg(m.state, 0) == table_svg(other[0], 0)
        if k % 5 == 0:
            assert table_svg(m.state, 0, former) == table_svg(other[0], 0, former)
        assert GAME.state_text(m.state, 0) == GAME.state_text(other[0], 0)
        differ += table_svg(m.state, None) != table_svg(other[0], None)
    assert differ
    last = positions[-1].state
    picture = GAME.picture(last, 0)
    assert picture.shape == (HEIGHT, WIDTH, 3) and picture.dtype == np.uint8
    assert (GAME.picture(last, None) != GAME.picture(last, None, former)).any()  # somebody has moved since

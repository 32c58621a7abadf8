"""Character sheets: the tables, perks and flaws, the known characters, and building in play."""

from __future__ import annotations

import numpy as np
import pytest

from fm_env.engine import engine_of
from fm_env.games.angry_miniatures.characters import Character, characters, teams
from fm_env.games.angry_miniatures.constants import CRIT_NAMES, FLAW_NAMES, PERK_NAMES, Attack
from fm_env.records import rows_of
from fm_env.rng import row_for
from tests.games.angry_miniatures.play import battle, dice_rolled, game, play, rule, sheet


def made(character):
    """The state's first figure with this sheet."""
    m = game().new_match("duel", teams=[[character], [sheet()]], seed=1)
    names = ("max_health", "speed", "distance", "attack")
    return {name: int(m.state[name][0]) for name in names} | {"guard": m.state.guard[0].tolist()}


@rule("A-33")
@pytest.mark.parametrize(
    ("name", "health", "speed", "distance", "attack", "guard"),
    [
        ("sargon", 3, 6, 5, 5, [3, 2, 5]),
        ("mage_in_plate", 3, 5, 6, 5, [2, 3, 5]),
        ("dave", 5, 4, 6, 7, [5, 3, 0]),
        ("blood_scale", 5, 3, 5, 7, [6, 2, 2]),
    ],
)
def test_the_four_known_characters(name, health, speed, distance, attack, guard):
    """Health, Speed, attack and Distance as their published sheets say; a stat is the defence."""
    expected = {"max_health": health, "speed": speed, "distance": distance, "attack": attack}
    assert made(name) == {**expected, "guard": guard}


@rule("A-33")
@pytest.mark.parametrize(("value", "health", "speed"), [*zip(range(1, 8), "3344556", "4455667", strict=True)])
def test_health_by_body_and_speed_by_spirit(value, health, speed):
    plain = {"perk": "defence_melee", "flaw": "struck_slow"}
    assert made(sheet(body=value, mind=8 - value, **plain))["max_health"] == int(health)
    mind = min(7, 8 - value)
    assert made(sheet(body=9 - value - mind, mind=mind, **plain))["speed"] == int(speed)


@rule("A-33")
@pytest.mark.parametrize(("kind", "dice"), [("melee", "4556677"), ("range", "3445566"), ("magic", "2334455")])
def test_attacks_by_the_sum_of_two_stats(kind, dice):
    for total, expected in zip(range(2, 9), dice, strict=True):
        rest = 9 - total
        one, other = 1, total - 1
        stats = {"melee": (one, rest, other), "range": (one, other, rest), "magic": (rest, one, other)}[kind]
        character = sheet(kind, body=stats[0], mind=stats[1])
        assert made(character)["attack"] == int(expected), stats


@rule("A-33")
def test_distance_by_mind():
    for mind, expected in zip(range(1, 8), "5566778", strict=True):
        assert made(sheet("range", body=1, mind=mind))["distance"] == int(expected)


@rule("A-28")
@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize(
    ("what", "where"),
    [
        ("attack", "attack"),
        ("speed", "speed"),
        ("health", "max_health"),
        ("distance", "distance"),
        ("defence_melee", 0),
        ("defence_range", 1),
        ("defence_magic", 2),
    ],
)
def test_a_perk_adds_one_and_a_flaw_takes_one(what, where, sign):
    other = "attack" if what != "attack" else "speed"
    kinds = (what, other) if sign > 0 else (other, what)
    changed = made(sheet("range", perk=kinds[0], flaw=kinds[1]))
    base = {"attack": 5, "speed": 5, "max_health": 4, "distance": 6, "guard": [3, 3, 3]}
    value = changed["guard"][where] if isinstance(where, int) else changed[where]
    assert value == (3 if isinstance(where, int) else base[where]) + sign


@rule("A-28")
def test_the_struck_are_slow_at_their_next_activation_only():
    """B1 has Speed 6; struck in round 1 she has 5 in her activation, then 6 again."""
    m = battle([(sheet(), "a1")], [(sheet(), "a2")], "K - first")
    play(m, "A1 at B1", "A1 end")
    m.play(1, "own 1")
    assert m.state.speed_left == 5 and not m.state.slowed[3]
    m.play(1, "end")
    m.play(0, "go first")
    play(m, "A1 end")
    m.play(1, "own 1")
    assert m.state.speed_left == 6


@rule("A-28")
def test_other_flaws_do_not_slow_the_struck():
    m = battle([(sheet(), "a1")], [(sheet(flaw="defence_magic"), "a2")], "K -")
    play(m, "A1 at B1", "A1 end")
    m.play(1, "own 1")
    assert m.state.speed_left == 6


@rule("A-28")
@pytest.mark.parametrize(
    ("kind", "at", "expected"), [("melee", "a2", 4), ("range", "a3", 3), ("magic", "a3", 2)]
)
def test_defence_is_the_stat_of_the_attack_with_perk_and_flaw(kind, at, expected):
    """Body against melee, Mind against range, Spirit against magic (A:29-31)."""
    defender = sheet(perk="defence_melee", flaw="defence_magic")
    m = battle([(sheet(kind), "a1")], [(defender, at)], "- K")
    play(m, "A1 at B1")
    assert dice_rolled(m)[1] == ("B1", expected)


def test_names_of_sheets_and_of_the_code_agree():
    fields = Character.model_fields
    attack, perk, flaw, crit = (
        fields[name].annotation.__args__ for name in ("attack", "perk", "flaw", "crit")
    )
    assert attack == tuple(kind.name.lower() for kind in Attack)
    assert (perk, flaw, crit) == (PERK_NAMES, FLAW_NAMES, CRIT_NAMES)


def test_every_team_is_three_known_characters():
    assert set(teams()) >= {"mixed", "playtest"}
    for name, members in teams().items():
        assert len(set(members)) == 3 and set(members) <= set(characters()), name


# -------------------------------------------------------------------------------- building in play
def build(m, seat, *sheets):
    """Fill in sheets given as `"body 5, mind 3, melee, perk attack, flaw speed, crit regenerate"`."""
    for text in sheets:
        for entry in text.split(", "):
            m.play(seat, entry)


DAVE = "body 5, mind 3, melee, perk attack, flaw defence magic, crit commanding"
BOW = "body 3, mind 5, range, perk distance, flaw speed, crit knock down"


@rule("A-34")
def test_a_team_is_built_by_six_entries_a_figure():
    m = game().new_match(teams="build", seed=3)
    build(m, 0, DAVE, BOW, DAVE)
    assert m.pending == (1,), "seat 0 is ready"
    build(m, 1, BOW, DAVE, BOW)
    assert m.state.attack.tolist() == [7, 6, 7, 6, 7, 6]
    assert m.state.stat[0].tolist() == [5, 3, 1]
    assert m.state.phase == 1


@rule("A-34")
def test_teams_are_built_at_the_same_time_and_in_secret():
    m = game().new_match("duel", teams="build", seed=3)
    assert m.pending == (0, 1)
    before = m.observation(1).tobytes(), m.mask(1).tobytes(), m.text(1)
    build(m, 0, DAVE)
    assert (m.observation(1).tobytes(), m.mask(1).tobytes(), m.text(1)) == before
    build(m, 1, BOW)
    assert (m.observation(1)[:] != np.frombuffer(before[0], np.float32)).any()
    assert "Body 5" in m.text(1)


@rule("A-34")
def test_stats_are_one_to_seven_and_add_up_to_nine():
    m = game().new_match("duel", teams="build", seed=3)
    assert m.legal(0) == tuple(f"body {n}" for n in range(1, 8))
    m.play(0, "body 6")
    assert m.legal(0) == ("mind 1", "mind 2")
    m.play(0, "mind 2")
    assert m.state.stat[0].tolist() == [6, 2, 1]


@rule("A-34")
def test_an_entry_that_would_mean_nothing_is_refused():
    m = game().new_match("duel", teams="build", seed=3)
    for entry in ("body 5", "mind 3", "melee"):
        m.play(0, entry)
    assert "perk distance" not in m.legal(0)
    m.play(0, "perk speed")
    assert not {"flaw speed", "flaw distance"} & set(m.legal(0)) and "flaw attack" in m.legal(0)


@rule("A-34")
def test_guesses_of_secret_sheets_are_as_far_along_as_they_can_be():
    """Who still writes may face any number of entries; who is ready doesn't face one who is ready."""
    engine = engine_of(game())
    m = game().new_match("duel", teams="build", seed=3)
    m.play(1, "body 3")
    for ready, most in ((False, 6), (True, 5)):
        if ready:
            build(m, 0, DAVE)
        counts = np.zeros(most + 2, np.int64)
        for seed in range(300):
            guess = rows_of(m.state)
            engine.resample(guess, 0, 0, row_for(seed))
            assert engine.faults(guess, 0) == 0
            assert guess["built"][0].tolist()[0] == (6 if ready else 0)
            counts[guess["built"][0, 1]] += 1
        assert counts[most + 1] == 0
        assert (counts[: most + 1] > 300 / (most + 1) / 2).all(), "every number of entries is equally likely"

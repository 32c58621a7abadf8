"""Magic hits an area."""

from __future__ import annotations

from tests.games.angry_miniatures.play import battle, dice_rolled, field, health, play, rule, sheet, words

MAGE = sheet("magic", perk="defence_melee")
BESIDE = [(sheet(), "e5"), (sheet(), "e6"), (sheet(), "g7")]
"""B1 with B2 beside her, and B3 two squares off."""


@rule("A-17")
def test_magic_hits_everyone_beside_the_target_friends_and_caster_too():
    m = battle([(MAGE, "d4"), (sheet(), "f4"), (sheet(), "a1")], BESIDE, "KK - - - -")
    play(m, "A1 at B1")
    assert health(m) == [2, 2, 4, 2, 2, 4]


@rule("A-17")
def test_a_caster_can_be_immune():
    m = battle([(MAGE, "d4"), (sheet(), "f4")], BESIDE, "KK - - -", caster_immune=True)
    play(m, "A1 at B1")
    assert health(m) == [4, 2, 0, 2, 2, 4]


@rule("A-17")
def test_walls_in_the_area_protect_nobody():
    """B2 stands behind a corner from B1's square."""
    walls = ["..........", "..........", "..........", "..........", "....#.....", ".........."]
    m = battle(
        [(MAGE, "e3")], [(sheet(), "d6"), (sheet(), "f6"), (sheet(), "e7")], "KK - -", board=field(*walls)
    )
    play(m, "A1 at B1")
    assert health(m)[3:] == [2, 4, 2]


@rule("A-17")
def test_range_and_melee_hit_one_figure():
    m = battle([(sheet("range", perk="attack"), "e1")], BESIDE, "KK -")
    play(m, "A1 at B1")
    assert health(m)[3:] == [2, 4, 4]


@rule("A-18")
def test_main_target_first_then_clockwise_from_the_casters_north():
    around = [(sheet(), "e6"), (sheet(), "d5"), (sheet(), "e5")]
    m = battle([(MAGE, "e2"), (sheet(), "f5"), (sheet(), "e4")], around, "KK - - - - -")
    play(m, "A1 at B3")
    assert [name for name, _ in dice_rolled(m)[1:]] == ["B3", "B1", "A2", "A3", "B2"]
    # Seat 1's north is the other way.
    m = battle(around, [(MAGE, "e8"), (sheet(), "f5"), (sheet(), "e4")], "KK - - - - -")
    play(m, "A1 end", "B1 at A3")
    assert [name for name, _ in dice_rolled(m)[1:]] == ["A3", "B3", "A2", "A1", "B2"]


@rule("A-18")
def test_cover_helps_the_main_target_only_and_prone_counts_for_each():
    """A hindering square and a friend's stand between the caster and B1."""
    rows = ["." * 10] * 7 + ['....".....']
    b = [(sheet(), "e5"), (sheet(), "e6", {"prone": True}), (sheet(), "f6")]
    m = battle([(MAGE, "e1"), (sheet(), "e2")], b, "KK - - -", board=field(*rows))
    play(m, "A1 at B1")
    assert dict(dice_rolled(m)) == {"A1": 4, "B1": 3 + 2, "B2": 3 - 1, "B3": 3}


@rule("A-18")
def test_elevation_counts_against_the_main_target():
    levels = "\n".join(["0" * 10] * 4 + ["0000200000"] + ["0" * 10] * 4 + ["0000100000"])
    board = {"ground": "\n".join(["." * 10] * 10), "levels": levels}
    m = battle([(MAGE, "e1")], [(sheet(), "e6"), (sheet(), "e5"), (sheet(), "a10")], "KK - -", board=board)
    play(m, "A1 at B1")
    assert dice_rolled(m)[0] == ("A1", 4)
    m = battle([(MAGE, "e1")], [(sheet(), "e6"), (sheet(), "e5"), (sheet(), "a10")], "KK - -", board=board)
    play(m, "A1 at B2")
    assert dice_rolled(m)[0] == ("A1", 5)


@rule("A-19")
def test_each_defender_of_an_area_ties_by_herself():
    m = battle([(MAGE, "e1")], BESIDE, "K K first K second")
    play(m, "A1 at B1")
    assert health(m)[3:] == [3, 4, 4]
    assert "B2 rolls higher" in words(m)


@rule("A-06", "A-19")
def test_nobody_strikes_back_at_a_spell():
    m = battle([(MAGE, "e1")], BESIDE, "- KKK J")
    play(m, "A1 at B1")
    assert health(m) == [4, 0, 0, 4, 4, 4]


@rule("A-25")
def test_one_roll_of_an_area_triggers_one_crit():
    """The caster saves her Crit at the main target and isn't asked again for the second one."""
    caster = sheet("magic", perk="defence_melee", crit="regenerate")
    m = battle([(caster, "e1", {"health": 1})], BESIDE, "AA K K")
    play(m, "A1 at B1")
    assert m.legal(0) == ("use crit", "decline")
    play(m, "A1 decline")
    assert m.state.attacker == -1 and health(m)[0] == 1
    assert not m.state.crit_used[0]


@rule("A-25")
def test_each_defender_of_an_area_may_crit_with_her_own_roll():
    hurt = {"health": 2}
    m = battle([(MAGE, "e1")], [(sheet(), "e5", hurt), (sheet(), "e6", hurt), (sheet(), "j9")], "- AA AA")
    play(m, "A1 at B1", "B1 use crit", "B2 use crit")
    assert health(m)[3:] == [3, 3, 4]

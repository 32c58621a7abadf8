"""Lines, cover, walls, distance, elevation."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest

from fm_env.games.angry_miniatures.board import LINE, LINE_LENGTH, crossed
from tests.games.angry_miniatures.play import aims, battle, dice_rolled, field, play, rule, sheet

ARCHER = sheet("range", perk="defence_melee")
"""Distance 6."""
MAGE = sheet("magic", perk="defence_melee")
"""Distance 6."""


def active(a, b, **options):
    m = battle(a, b, **options)
    m.play(0, "own 1")
    return m


def crossed_by_walking(dx, dy):
    """Squares whose inside a point meets that walks from centre to centre in very small steps."""
    found = set()
    n = 8 * 3 * 5 * 7 * 9 * 11
    for k in range(0, n + 1, 997):
        x, y = Fraction(k * dx, n) + Fraction(1, 2), Fraction(k * dy, n) + Fraction(1, 2)
        if x.denominator > 1 and y.denominator > 1:
            found.add((int(x), int(y)))
    for x in range(1, dx + 1):  # and just beside every edge that it passes
        for side in (-1, 1):
            at = x + Fraction(side, 10**6)
            y = (at - Fraction(1, 2)) * Fraction(dy, dx) + Fraction(1, 2)
            if y.denominator > 1:
                found.add((int(at), int(y)))
    return found - {(0, 0), (dx, dy)}


@rule("A-14")
def test_lines_cross_the_squares_whose_inside_they_meet():
    for dx, dy in [(1, 0), (2, 1), (3, 1), (4, 2), (5, 3), (7, 4), (9, 1), (6, 6), (9, 8)]:
        walked = crossed_by_walking(dx, dy)
        assert walked <= set(crossed(dx, dy))
        assert len(crossed(dx, dy)) - len(walked) <= 1 or dx == dy


@rule("A-14")
def test_a_line_along_an_edge_or_through_a_corner_counts_no_neighbour():
    assert crossed(3, 3) == [(1, 1), (2, 2)]  # through corners only
    assert crossed(4, 0) == [(1, 0), (2, 0), (3, 0)]
    assert crossed(2, 1) == [(1, 0), (1, 1)]
    assert crossed(1, 0) == crossed(1, 1) == []
    assert crossed(3, 1) == [(1, 0), (2, 1)]  # leaves one row for the other at the middle of an edge


@rule("A-14")
def test_lines_are_the_same_both_ways_and_mirrored():
    for dx, dy in itertools.product(range(10), repeat=2):
        line = {tuple(square) for square in LINE[dx, dy, : LINE_LENGTH[dx, dy]].tolist()}
        assert line == {(dx - x, dy - y) for x, y in line}
        assert line == {(x, y) for y, x in LINE[dy, dx, : LINE_LENGTH[dy, dx]].tolist()}


@rule("A-14")
def test_hindering_and_occupied_squares_on_the_way_help_the_defender():
    """A:58-59: one die for each; the squares at both ends don't count."""
    board = field('"."..."...')
    m = battle([(ARCHER, "a10"), (sheet(), "d10")], [(sheet(), "g10"), (sheet(), "e10")], "K -", board=board)
    play(m, "A1 at B1")
    assert dice_rolled(m) == [("A1", 5), ("B1", 3 + 1 + 2)]


@rule("A-15")
@pytest.mark.parametrize("shooter", [ARCHER, MAGE])
def test_a_blocking_square_on_the_line_forbids_range_and_magic(shooter):
    open_field = active([(shooter, "a10")], [(sheet(), "e10")], board=field("." * 10))
    assert aims(open_field) == {"B1"}
    wall = active([(shooter, "a10")], [(sheet(), "e10")], board=field("..#......."))
    assert aims(wall) == set()
    beside = active([(shooter, "a10")], [(sheet(), "e10")], board=field("." * 10, "..#......."))
    assert aims(beside) == {"B1"}


@rule("A-15")
def test_a_blow_needs_no_line():
    m = active([(sheet(), "a9")], [(sheet(), "b8")], board=field("." * 10, ".#........", "#........."))
    assert aims(m) == {"B1"}


@rule("A-16")
def test_range_is_two_to_distance_and_magic_one_to_distance():
    for shooter, nearest in ((ARCHER, 2), (MAGE, 1)):
        for apart, square in enumerate("bcdefghi", start=1):
            m = active([(shooter, "a1")], [(sheet(), f"{square}1")])
            assert (aims(m) == {"B1"}) == (nearest <= apart <= 6), (shooter, apart)


@rule("A-16")
def test_melee_reaches_adjacent_squares_only():
    assert aims(active([(sheet(), "a1")], [(sheet(), "b2")])) == {"B1"}
    assert aims(active([(sheet(), "a1")], [(sheet(), "c1")])) == set()


@rule("A-16")
def test_friends_may_be_attacked_oneself_may_not():
    m = active([(sheet(), "a1"), (sheet(), "a2")], [(sheet(), "j1"), (sheet(), "j2")])
    assert aims(m) == {"A2"}


@rule("A-22")
@pytest.mark.parametrize(
    ("low", "high", "extra"), [("0", "0", 0), ("0", "1", 0), ("1", "0", 1), ("3", "0", 1)]
)
def test_a_higher_shooter_rolls_one_more_die(low, high, extra):
    levels = "\n".join(["0" * 10] * 9 + [f"{low}00{high}000000"])
    board = {"ground": "\n".join(["." * 10] * 10), "levels": levels}
    for shooter, base in ((ARCHER, 5), (MAGE, 4)):
        m = battle([(shooter, "a1")], [(sheet(), "d1")], "- K", board=board)
        play(m, "A1 at B1")
        assert dice_rolled(m)[0] == ("A1", base + extra)


@rule("A-22")
def test_height_is_nothing_in_melee():
    levels = "\n".join(["0" * 10] * 9 + ["2" + "0" * 9])
    board = {"ground": "\n".join(["." * 10] * 10), "levels": levels}
    m = battle([(sheet(), "a1")], [(sheet(), "b1")], "- K", board=board)
    play(m, "A1 at B1")
    assert dice_rolled(m)[0] == ("A1", 6)

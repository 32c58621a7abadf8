"""Damage, striking back, death, charges, and who wins."""

from __future__ import annotations

import pytest

from tests.games.angry_miniatures.play import battle, dice_rolled, health, play, rule, sheet, square

ARCHER = sheet("range", perk="defence_melee")


@rule("A-06")
def test_in_melee_a_better_defence_strikes_back():
    m = battle([(sheet(), "a1")], [(sheet(), "a2")], "K KQJ")
    play(m, "A1 at B1")
    assert health(m) == [2, 4]


@rule("A-06")
def test_at_range_a_better_defence_only_saves():
    m = battle([(ARCHER, "a1")], [(sheet(), "a3")], "K KQJ")
    play(m, "A1 at B1")
    assert health(m) == [4, 4]


@rule("A-04")
@pytest.mark.parametrize(
    ("attacker", "at", "defence", "left"),
    [
        (sheet(), "a2", "QJ", [4, 3]),  # K Q v. Q J: the attacker has the King
        (sheet(), "a2", "KK", [3, 4]),  # the defender has: she strikes back in melee
        (ARCHER, "a3", "QJ", [4, 3]),
        (ARCHER, "a3", "KK", [4, 4]),  # at range she doesn't
    ],
)
def test_a_won_tie_deals_exactly_one(attacker, at, defence, left):
    m = battle([(attacker, "a1")], [(sheet(), at)], f"KQ {defence}")
    play(m, "A1 at B1")
    assert health(m) == left


@rule("A-07")
def test_health_zero_is_death_at_once_and_more_is_lost():
    m = battle([(sheet(), "a1")], [(sheet(), "a2", {"health": 1}), (sheet(), "j10")], "KKKK -")
    play(m, "A1 at B1", "A1 end")
    assert health(m)[3] == 0 and square(m, "B1") == "-"
    m.play(1, "own 2")
    assert "own 1" not in m.legal(1)


@rule("A-07")
def test_the_square_of_the_dead_is_free():
    m = battle([(sheet(), "a1")], [(sheet(), "a2", {"health": 1}), (sheet(), "j10")], "KKKK -")
    play(m, "A1 at B1", "A1 to a2")
    assert square(m, "A1") == "a2"


@rule("A-08")
def test_the_last_side_standing_wins_at_once():
    m = battle([(sheet(), "a1")], [(sheet(), "a2", {"health": 1})], "K -")
    play(m, "A1 at B1")
    assert m.is_over and m.returns() == (1.0, -1.0)
    m = battle([(sheet(), "a1", {"health": 1})], [(sheet(), "a2")], "- K")
    play(m, "A1 at B1")
    assert m.is_over and m.returns() == (-1.0, 1.0)


@rule("A-08")
def test_if_both_sides_die_together_it_is_a_draw():
    caster = sheet("magic", perk="defence_melee")
    m = battle([(caster, "a1", {"health": 1})], [(sheet(), "a2", {"health": 1})], "KK - -")
    play(m, "A1 at B1")
    assert m.is_over and health(m) == [0, 0] and m.returns() == (0.0, 0.0)


@rule("A-08")
@pytest.mark.parametrize(("mine", "result"), [(4, 1.0), (3, 0.0), (2, -1.0)])
def test_after_the_last_round_more_health_wins(mine, result):
    m = battle([(sheet(), "a1", {"health": mine})], [(sheet(), "a9", {"health": 3})], "first", rounds=2)
    play(m, "A1 end", "B1 end")
    assert m.state.round_number == 2 and m.returns() == (0.0, 0.0)
    m.play(0, "go first")
    play(m, "A1 end", "B1 end")
    assert m.is_over and m.returns() == (result, -result)


@rule("A-08")
def test_a_skirmish_lasts_twelve_rounds():
    m = battle([(sheet(), "a1"), (sheet(), "b1")], [(sheet(), "a10")], "first " * 11)
    for number in range(12):
        assert m.state.round_number == number + 1
        if number:
            m.play(0, "go first")
        play(m, "A1 end", "B1 end", "A2 end")
    assert m.is_over and m.returns() == (1.0, -1.0)


# --------------------------------------------------------------------------------------- charges
@rule("A-21")
@pytest.mark.parametrize(
    ("to", "extra"),
    [("b1", 0), ("c1", 0), ("d1", 1), ("e2", 1)],
)
def test_a_charge_of_three_squares_into_contact_is_worth_a_die(to, extra):
    """B1 waits two squares to the right of where A1 arrives, or one."""
    enemy = {"b1": "c1", "c1": "d1", "d1": "e1", "e2": "f2"}[to]
    m = battle([(sheet(), "a1")], [(sheet(), enemy)], "- K")
    play(m, f"A1 to {to}", "A1 at B1")
    assert dice_rolled(m)[0] == ("A1", 6 + extra)


@rule("A-21")
def test_whoever_was_adjacent_at_the_start_is_not_charged():
    """Around B1 to the other side: three squares, but it began in contact."""
    m = battle([(sheet(), "a1")], [(sheet(), "b2")], "- K")
    play(m, "A1 to c3")
    assert m.state.squares == 3
    play(m, "A1 at B1")
    assert dice_rolled(m)[0] == ("A1", 6)


@rule("A-21")
def test_squares_are_counted_not_speed():
    """Two squares, the second of them water, cost three Speed and are no charge."""
    board = {"ground": "\n".join(["." * 10] * 9 + [".~~......."])}
    m = battle([(sheet(), "a1")], [(sheet(), "d1")], "- K", board=board)
    play(m, "A1 to c1", "A1 at B1")
    assert dice_rolled(m)[0] == ("A1", 6)


@rule("A-21")
def test_a_shot_is_no_charge():
    m = battle([(ARCHER, "a1")], [(sheet(), "f1")], "- K")
    play(m, "A1 to d1", "A1 at B1")
    assert dice_rolled(m)[0] == ("A1", 5)


@rule("A-23")
@pytest.mark.parametrize(
    ("guard", "kind", "extra"), [(False, "melee", 0), (True, "melee", 1), (True, "range", 0)]
)
def test_melee_characters_guard_by_the_experimental_rule_only(guard, kind, extra):
    m = battle([(sheet(), "a1")], [(sheet(kind), "a2")], "- K", melee_guard=guard)
    play(m, "A1 at B1")
    assert dice_rolled(m)[1] == ("B1", 3 + extra)


@rule("A-23")
def test_the_guard_is_against_melee_only():
    m = battle([(ARCHER, "a1")], [(sheet(), "a3")], "- K", melee_guard=True)
    play(m, "A1 at B1")
    assert dice_rolled(m)[1] == ("B1", 3)

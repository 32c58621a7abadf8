"""Crits: when they come, once a round, and what each does."""

from __future__ import annotations

import pytest

from tests.games.angry_miniatures.play import (
    aims,
    battle,
    can,
    dice_rolled,
    goes,
    health,
    play,
    rule,
    sheet,
    square,
    words,
)

HURT = {"health": 2}
FAR = (sheet(), "j10")


def having(crit, **more):
    return sheet(crit=crit, **more)


@rule("A-24")
@pytest.mark.parametrize(("attack", "asked"), [("A", False), ("AA", True), ("AAA", True), ("AAK", True)])
def test_two_aces_are_a_crit_whether_the_roll_hits_or_not(attack, asked):
    m = battle([(sheet(), "a1", HURT)], [(sheet(), "a2")], f"{attack} J")
    play(m, "A1 at B1")
    assert can(m, "A1 use crit") == asked


@rule("A-24")
def test_a_crit_comes_before_the_damage():
    """Health 1: she regenerates one, then loses one, and lives."""
    m = battle([(sheet(), "a1")], [(sheet(), "a2", {"health": 1})], "K AA")
    play(m, "A1 at B1")
    assert health(m) == [4, 1] and m.pending == (1,)
    play(m, "B1 use crit")
    assert health(m) == [4, 1] and not m.is_over


@rule("A-24")
def test_a_crit_may_be_saved_for_later_in_the_round():
    m = battle([(sheet(), "a1", HURT)], [(sheet(), "a2")], "AA J - AAA")
    play(m, "A1 at B1", "A1 decline", "A1 end")
    assert health(m) == [1, 4] and not m.state.crit_used[0]
    play(m, "B1 at A1", "A1 use crit")
    assert health(m)[0] == 2


@rule("A-24")
def test_one_crit_a_round():
    m = battle([(sheet(), "a1", HURT)], [(sheet(), "a2")], "AA - - AA first AA -")
    play(m, "A1 at B1", "A1 use crit", "A1 end", "B1 at A1")
    assert health(m)[0] == 3 and m.pending == (1,), "asked for a second Crit in this round"
    play(m, "B1 end")
    m.play(0, "go first")
    play(m, "A1 at B1", "A1 use crit")
    assert health(m)[0] == 4


@rule("A-31")
def test_regenerate_heals_one_of_her_own():
    m = battle([(sheet(), "a1", HURT)], [(sheet(), "a2")], "AAK Q")
    play(m, "A1 at B1", "A1 use crit")
    assert health(m) == [3, 3]


@rule("A-31")
def test_magic_heal_heals_a_friend_within_distance():
    """Mind 3: Distance 6. A2 is six squares away, A3 seven."""
    friends = [(sheet(), "g1", HURT), (sheet(), "h1", HURT)]
    m = battle([(having("magic_heal"), "a1"), *friends], [(sheet(), "a2"), FAR], "AA K")
    play(m, "A1 at B1")
    assert aims(m) == {"A2"}
    play(m, "A1 uses A2")
    assert health(m)[:3] == [3, 3, 2]


@rule("A-31")
def test_magic_buff_gives_a_friends_next_roll_a_die():
    m = battle([(having("magic_buff"), "a1"), (sheet(), "b1")], [(sheet(), "a2"), FAR], "AA K K - K - K -")
    play(m, "A1 at B1", "A1 uses A2", "A1 end", "B1 at A2", "B1 end", "A2 at B1", "A2 end")
    assert ("A2", 3 + 1) in dice_rolled(m)
    assert ("A2", 6) in dice_rolled(m), "the die is spent by the next roll"
    m = battle([(having("magic_buff"), "a1"), (sheet(), "b1")], [(sheet(), "a2"), FAR], "AA K K -")
    play(m, "A1 at B1", "A1 uses A2", "A1 end", "B1 end", "A2 at B1")
    assert dice_rolled(m)[2] == ("A2", 6 + 1)


@rule("A-31")
def test_commanding_moves_a_friend_who_has_acted_up_to_half_her_speed():
    friend = (sheet(perk="attack"), "e1")
    m = battle([friend, (having("commanding"), "a1")], [(sheet(), "a2"), FAR], "AA K")
    play(m, "A1 end", "B2 end", "A2 at B1")
    assert aims(m) == {"A1"}
    play(m, "A2 uses A1")
    assert "g3" in goes(m) and "h1" not in goes(m), "Speed 5, half rounded down is 2"
    play(m, "A1 to g3")
    assert square(m, "A1") == "g3" and health(m)[1] == 3


@rule("A-31", "A-36")
def test_commanding_needs_a_friend_who_has_acted_and_she_may_stay():
    friend = (sheet(), "e1")
    m = battle([(having("commanding"), "a1"), friend], [(sheet(), "a2"), FAR], "AA K")
    play(m, "A1 at B1")
    assert m.state.critter == -1 and not m.state.crit_used[0]
    m = battle([friend, (having("commanding"), "a1")], [(sheet(), "a2"), FAR], "AA K")
    play(m, "A1 end", "B2 end", "A2 at B1", "A2 uses A1", "A1 decline")
    assert square(m, "A1") == "e1" and m.state.crit_used[1]


@rule("A-35")
def test_knock_down_throws_the_other_figure_prone():
    m = battle([(having("knock_down"), "a1")], [(sheet(), "a2")], "AAK - - K")
    play(m, "A1 at B1", "A1 use crit")
    assert m.state.prone[3] and health(m) == [4, 3]
    assert "falls prone" in words(m)
    play(m, "A1 end", "B1 at A1")
    m = battle([(sheet(), "a1")], [(having("knock_down"), "a2")], "K AA")
    play(m, "A1 at B1", "B1 use crit")
    assert m.state.prone[0] and not m.state.prone[3]


@rule("A-20", "A-35")
def test_a_prone_figure_defends_with_one_die_less():
    m = battle([(sheet(), "a1")], [(sheet(), "a2", {"prone": True})], "K -")
    play(m, "A1 at B1")
    assert dice_rolled(m)[1] == ("B1", 2)


@rule("A-36")
def test_nobody_is_asked_for_a_crit_that_does_nothing():
    """Unhurt: nothing to regenerate. No hurt friend: nobody to heal. Already prone: stays so."""
    for mine, theirs in (
        ((sheet(), "a1"), (sheet(), "a2")),
        ((having("magic_heal"), "a1"), (sheet(), "a2")),
        ((having("knock_down"), "a1"), (sheet(), "a2", {"prone": True})),
    ):
        m = battle([mine], [theirs], "AA K")
        play(m, "A1 at B1")
        assert m.state.critter == -1 and m.state.attacker == -1


@rule("A-36")
def test_the_attacker_is_asked_before_the_defender():
    m = battle([(sheet(), "a1", HURT)], [(sheet(), "a2", HURT)], "AA AA first")
    play(m, "A1 at B1")
    assert m.pending == (0,)
    play(m, "A1 use crit")
    assert m.pending == (1,)
    play(m, "B1 use crit")
    assert health(m) == [3, 2]

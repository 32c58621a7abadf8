"""UnclEvl's comparison of two numbers: the worked rows, the colours, cheats, the points."""

from __future__ import annotations

import itertools

import pytest

from tests.games.fairy_meat.play import asks, clash, duel, play, points, rule

USES = [f"cheat own{own} hers{hers}" for own, hers in itertools.product("=+-", repeat=2)]


def after(m, steps):
    """Points once `steps` are played on a copy."""
    return points(play(m.clone(), steps))


# ------------------------------------------------------------------------ worked rows (section 6)
@rule("U-10", "U-13")
def test_same_colour_high_wins():
    m = clash("8r Jr Qr", "5r Kr")
    play(
        m,
        """
        A: add         B: subtract
        A: trumps r2   B: trumps r1
        A: 8r          B: 5r
    """,
    )
    assert points(m) == 3  # 10 v 4


@rule("U-10")
def test_different_colours_low_wins():
    m = clash("8r Jr Qr", "5b Kb")
    play(
        m,
        """
        A: add         B: subtract
        A: trumps r2   B: trumps b1
        A: 8r          B: 5b
    """,
    )
    assert points(m) == -3  # 10 v 4


@rule("U-08")
def test_trumps_may_stay_face_down_when_the_other_laid_none():
    m = clash("8r Jr Qr", "5b Kr")
    play(
        m,
        """
        A: add         B: add
        A: trumps r2   B: trumps none
        A: 8r          B: 5b
    """,
    )
    assert asks(m) == "A: turn up, leave down"
    assert after(m, "A: leave down") == -2  # 8 v 5
    assert after(m, "A: turn up") == -3  # 10 v 5, low wins


@rule("U-01")
def test_the_opponent_moves_a_cheats_card_and_her_own_as_she_likes():
    m = clash("9r Jb Qb", "6r Kr")
    play(
        m,
        """
        A: add         B: add
        A: trumps b2   B: trumps r1
        A: 9r          B: 6r
    """,
    )
    assert asks(m) == "B: " + ", ".join(USES)
    result = {use: after(m, f"B: {use}") for use in USES}
    assert result["cheat own+ hers-"] == -1  # 7 v 9: the worked row
    assert min(result.values()) == -1 and list(result.values()).count(-1) == 1
    # Every use is free in both cards, whatever was declared: 9 + {0, 2, -2} against 7 + {0, 2, -2}.
    assert result == {
        "cheat own= hers=": 1, "cheat own= hers+": 2, "cheat own= hers-": 0,
        "cheat own+ hers=": 0, "cheat own+ hers+": 1, "cheat own+ hers-": -1,
        "cheat own- hers=": 2, "cheat own- hers+": 3, "cheat own- hers-": 1,
    }  # fmt: skip


@rule("U-02")
def test_two_cheats_use_each_others_trumps_the_attacker_choosing_first():
    m = clash("9r Jb Qb", "6r Kb")
    play(
        m,
        """
        A: add         B: add
        A: trumps b2   B: trumps b1
        A: 9r          B: 6r
    """,
    )
    assert asks(m) == "A: " + ", ".join(USES)  # A uses B's one black trump
    best = {}
    for use in USES:
        ours = play(m.clone(), f"A: {use}")
        assert asks(ours) == "B: " + ", ".join(USES)  # then B uses A's two
        answers = {answer: after(ours, f"B: {answer}") for answer in USES}
        best[use] = min(answers.values())
        if use == "cheat own+ hers-":
            assert answers["cheat own+ hers-"] == best[use] == 1  # 8 v 7: the worked row
    assert max(best.values()) == best["cheat own+ hers-"] == 1


@rule("U-01")
def test_the_continuation_of_the_example():
    """4b with both black trumps, subtracting, against 2r with a black trump."""
    m = clash("4b Qb Kb", "2r Kb")
    play(
        m,
        """
        A: subtract    B: add
        A: trumps b2   B: trumps b1
        A: 4b          B: 2r
    """,
    )
    result = {use: after(m, f"A: {use}") for use in USES}
    assert result["cheat own- hers+"] == max(result.values()) == 1  # 1 v 3, low wins


@rule("U-08", "U-11")
def test_values_below_zero_are_not_lifted():
    m = clash("2b Jb Qb Kb", "3r Kr")
    play(
        m,
        """
        A: subtract    B: add
        A: trumps b3   B: trumps none
        A: 2b          B: 3r
        A: turn up
    """,
    )
    assert points(m) == 2  # -1 v 3, low wins


@rule("U-11")
def test_values_above_ten_are_not_cut():
    m = clash("Tr Jr Qr Kr", "2r Jr")
    play(
        m,
        """
        A: add         B: subtract
        A: trumps r3   B: trumps r1
        A: Tr          B: 2r
    """,
    )
    assert points(m) == 6  # 13 v 1


# ------------------------------------------------------------------------------- colours, points
@rule("U-10")
@pytest.mark.parametrize(
    ("a", "b", "result"),
    [("9r", "4r", 3), ("9b", "4b", 3), ("9r", "4b", -3), ("9b", "4r", -3), ("4r", "9b", 3), ("4r", "9r", -3)],
)
def test_the_two_numbers_alone_decide_whether_high_or_low_wins(a, b, result):
    m = play(clash(a, b), f"A: add  B: add  A: {a}  B: {b}")
    assert points(m) == result


@rule("U-12")
@pytest.mark.parametrize("b", ["7r", "7b"])
def test_equal_values_win_nothing(b):
    assert points(play(clash("7r", b), f"A: add  B: add  A: 7r  B: {b}")) == 0


@rule("U-13")
@pytest.mark.parametrize(("low", "won"), [(9, 1), (8, 1), (7, 2), (6, 2), (5, 3), (4, 3), (3, 4), (2, 4)])
@pytest.mark.parametrize("winner", ["A", "B"])
def test_points_are_half_the_difference_rounded_up(low, won, winner):
    a, b = ("Tr", f"{low}r") if winner == "A" else (f"{low}r", "Tr")
    m = play(clash(a, b), f"A: add  B: add  A: {a}  B: {b}")
    assert points(m) == (won if winner == "A" else -won)


@rule("U-14")
@pytest.mark.parametrize(("low", "damage"), [(9, 1), (6, 1), (5, 2), (2, 2)])
def test_damage_by_levels_is_for_the_attacker_only(low, damage):
    won = play(clash("Tr", f"{low}r", damage="levels"), f"A: add  B: add  A: Tr  B: {low}r")
    assert points(won) == damage
    lost = play(clash(f"{low}r", "Tr", damage="levels"), f"A: add  B: add  A: {low}r  B: Tr")
    assert points(lost) == -((10 - low + 1) // 2)


@rule("U-14")
def test_damage_by_levels_reaches_three_at_nine():
    m = clash("Tr Jr Qr", "3r Jr", damage="levels")
    play(
        m,
        """
        A: add         B: subtract
        A: trumps r2   B: trumps r1
        A: Tr          B: 3r
    """,
    )
    assert points(m) == 3  # 12 v 2


@rule("U-14", "U-22")
def test_against_no_card_the_difference_is_the_attackers_value():
    m = play(clash("9r", "", damage="levels"), "A: add  A: 9r")
    assert points(m) == 3


# ------------------------------------------------------------------------------ laying and declaring
@rule("U-05")
def test_the_defender_declares_after_the_attacker_and_knows_it():
    m = clash("8r", "5r")
    assert asks(m) == "A: add, subtract"
    m.play(0, "subtract")
    assert asks(m) == "B: add, subtract"
    assert "A holds 1 card, declared subtract" in m.text(1)


@rule("U-07")
def test_trumps_laid_together_share_a_colour():
    m = clash("8r Jr Qr Kb", "5r")
    play(m, "A: add  B: add")
    assert m.legal(0) == ("trumps none", "trumps r1", "trumps r2", "trumps b1")


@rule("U-07")
def test_trumps_are_chosen_at_the_same_time():
    m = clash("8r Jr", "5r Qr")
    play(m, "A: add  B: add")
    assert m.pending == (0, 1)
    before = m.observation(1).tobytes()
    m.play(0, "trumps r1")
    assert m.observation(1).tobytes() == before
    assert "face down" not in m.text(1)


@rule("U-07", "U-08")
@pytest.mark.parametrize("table", ["A: trumps r1  B: trumps none", "A: trumps none  B: trumps r1"])
def test_against_none_the_others_trumps_stay_face_down(table):
    m = play(clash("8r Jr", "5r Jr"), "A: add  B: add " + table)
    owner, other = (0, 1) if "A: trumps r1" in table else (1, 0)
    assert "1 trump face down (Jr)" in m.text(owner)
    assert "1 trump face down" in m.text(other) and "(Jr)" not in m.text(other)


@rule("U-08")
def test_an_off_colour_trump_left_face_down_is_no_cheat():
    m = clash("8r Jb", "5r")
    play(
        m,
        """
        A: add         B: add
        A: trumps b1   B: trumps none
        A: 8r          B: 5r
        A: leave down
    """,
    )
    assert points(m) == 2  # 8 v 5, and nobody was asked about a caught trump


@rule("U-08")
def test_an_off_colour_trump_turned_up_by_choice_is_caught():
    m = clash("8r Jb", "5r")
    play(
        m,
        """
        A: add         B: add
        A: trumps b1   B: trumps none
        A: 8r          B: 5r
        A: turn up
    """,
    )
    assert asks(m).startswith("B: cheat")
    assert after(m, "B: cheat own+ hers-") == 1  # 7 v 6


@rule("U-09", "U-35")
def test_trumps_left_face_down_are_spent_and_stay_unseen():
    m = clash("8r Jb", "5r")
    play(
        m,
        """
        A: add         B: add
        A: trumps b1   B: trumps none
        A: 8r          B: 5r
        A: leave down
    """,
    )
    assert "Spoils Heap 3, seen there: 5r 8r" in m.text(1)
    assert m.state.n_hand.tolist() == [0, 0]


@rule("U-38")
def test_equal_coloured_trumps_leave_the_hand_lowest_first():
    m = clash("8r 9r Ar Jr Qr", "5r Kr")
    play(m, "A: add  B: add  A: trumps r2  B: trumps r1")
    assert "trumps Jr Qr" in m.text(1)


@rule("U-38")
def test_the_deck_of_a_clash_has_trumps_of_one_rank():
    m = clash("8r", "5r", deck="clash")
    counts = m.state.pack
    assert counts[:18].tolist() == [2] * 18
    assert counts[18:26].tolist() == [8, 8, 0, 0, 0, 0, 0, 0] and counts[26] == 2


# --------------------------------------------------------------------- the opening of the example
@rule("U-03", "U-04", "U-36")
def test_hands_of_the_example():
    """Dizzytwig, 4 Kill, Vibro-Master, fluttered: 5 cards. Sparklespaz, 2 Live, Order Card: 2 cards."""
    m = example()
    assert (m.state.n_hand[0], m.state.n_hand[1]) == (5, 2)
    assert m.state.attacks_left == 1  # the first of two is being made


@rule("U-05", "U-07")
def test_opening_of_the_example():
    m = example()
    assert "A holds 5 cards, declared subtract" in m.text(1)
    play(m, "B: add  A: trumps b2  B: trumps b1")
    for seat in (0, 1):  # both showed before any number is chosen
        assert "trumps Qb Kb" in m.text(seat)
        assert "trumps Kb" in m.text(seat)
    assert m.legal(0) == ("3r", "4b", "5b")
    assert m.legal(1) == ("2r",)


def example():
    """Up to Sparklespaz's declaration (UnclEvl's worked example)."""
    m = duel(
        {"kill": 4, "weapons": ["vibro_master"], "stance": "flutter"},
        {"live": 2},
        "Kr 2b  Kb Qb 5b 4b 3r  2r Kb",
    )
    return play(m, "A: act at K down  B: hold  A: attack with weapon 1  A: subtract")

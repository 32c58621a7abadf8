"""What may lie as the main card in UnclEvl's combat: jokers, wild trumps, nothing."""

from __future__ import annotations

import pytest

from tests.games.fairy_meat.play import asks, attack, clash, life, play, points, rule


# -------------------------------------------------------------------------------------- jokers
@rule("U-16")
def test_a_joker_may_be_laid_beside_numbers():
    m = play(clash("8r X", "5r"), "A: add  B: add")
    assert m.legal(0) == ("8r", "joker")


@rule("U-16")
def test_option_joker_only_without_a_number():
    m = clash("8r 7r X", "5r 4r X", joker_main="no_number")
    play(m, "A: add  B: add")
    assert m.legal(0) == ("7r", "8r")
    m = play(clash("X Jr", "5r", joker_main="no_number"), "A: add  B: add  A: trumps none")
    assert m.legal(0) == ("joker", "wild r")


@rule("U-16")
def test_an_only_card_that_is_a_joker_must_be_laid():
    m = clash("8r", "X")
    for seat, text in ((0, "add"), (1, "add"), (0, "trumps none"), (1, "trumps none")):
        m.play(seat, text)
    assert m.legal(1) == ("joker",)


@rule("U-16")
def test_a_joker_replaces_the_comparison_and_nobody_wins_points():
    m = clash("Tr Jr Qr", "X Jr")
    play(m, "A: add  B: add  A: trumps r2  B: trumps r1  A: Tr  B: joker")
    assert points(m) == 0
    assert m.state.heap_up.sum() == 5  # the trumps were spent for nothing


@rule("U-16")
def test_a_joker_is_no_trump():
    m = play(clash("8r X", "5r"), "A: add  B: add")
    assert m.state.n_laid[0] == 0  # "trumps none" was all she could say
    assert [event.text for event in m.log if event.seat == 0] == ["add", "trumps none"]


@rule("U-16")
def test_option_joker_points_in_a_clash():
    m = play(clash("8r", "X", joker_points=True), "A: add  B: add  A: 8r  B: joker")
    assert asks(m) == "B: joker hurts, joker heals"
    assert points(play(m.clone(), "B: joker hurts")) == -1
    assert points(play(m.clone(), "B: joker heals")) == 0


@rule("U-16", "F-45")
def test_a_defenders_joker_hurts_the_attacker_or_heals_herself():
    m = attack("8r 7r", "X 5r", b={"live": 1, "meat_live": 1, "meat_kill": 1})
    play(m, "A: add  B: add  A: 8r  B: joker")
    assert asks(m) == "B: joker hurts, joker heals"
    hurt = play(m.clone(), "B: joker hurts")
    assert asks(hurt) == "A: lose live, lose kill"
    healed = play(m.clone(), "B: joker heals")
    assert asks(healed) == "B: heal live, heal kill"
    assert life(play(healed, "B: heal kill"), 1) == (1, 4)


@pytest.mark.parametrize(("joker_main", "shows_it"), [("no_number", 1), ("free", 0)])
@rule("U-16")
def test_a_joker_that_needs_a_hand_without_numbers_says_that_there_is_none(joker_main, shows_it):
    m = play(clash("8r 7r", "X", joker_points=True, joker_main=joker_main), "A: add  B: add  A: 8r  B: joker")
    assert asks(m) == "B: joker hurts, joker heals"
    assert m.state.no_number[1] == shows_it
    assert m.state.no_number[0] == 0


# --------------------------------------------------------------------------------- wild trumps
@rule("U-20")
def test_no_wild_trump_beside_a_number():
    m = play(clash("2r 3b Kr Qb", "5r"), "A: add  B: add  A: trumps none")
    assert m.legal(0) == ("2r", "3b")


@rule("U-18")
def test_without_a_number_a_trump_left_must_be_laid_wild():
    m = play(clash("Kr Qb", "5r", "9r"), "A: add  B: add  A: trumps none")
    assert m.legal(0) == ("wild r", "wild b")


@rule("U-18", "U-19")
def test_a_wild_trump_draws_until_a_number_comes_and_counts_itself():
    m = clash("Kr", "2r", "Qr Jr 6r")
    play(m, "A: add  B: add  A: trumps none  A: wild r  B: 2r")
    assert points(m) == 4  # 6 + 3 = 9 v 2


@rule("U-19")
def test_each_trump_of_a_wild_pile_is_judged_by_itself():
    """K red wild, J black drawn, then 6 black: J matches (+1), K is the opponent's."""
    m = clash("Kr", "9b", "Jb 6b")
    play(m, "A: add  B: add  A: trumps none  A: wild r  B: 9b")
    assert asks(m).startswith("B: cheat")
    assert points(play(m.clone(), "B: cheat own= hers=")) == -1  # 7 v 9
    assert points(play(m.clone(), "B: cheat own+ hers-")) == -2  # 6 v 10


@rule("U-19")
def test_all_mismatched_trumps_move_as_one_block():
    """Two red laid at step 4, a red wild and a red draw under a black number: a block of four."""
    m = clash("Jr Qr Kr", "9b Kb", "Ar 6b")
    play(m, "A: add  B: add  A: trumps r2  B: trumps b1  A: wild r  B: 9b")
    assert points(play(m, "B: cheat own+ hers-")) == -6  # 2 v 10 + 4


@rule("U-08")
def test_trumps_laid_before_a_wild_may_stay_down_beside_it():
    m = clash("Jr Kr", "2r", "5r")
    play(m, "A: add  B: add  A: trumps r1  B: trumps none  A: wild r  B: 2r")
    assert asks(m) == "A: turn up, leave down"
    assert points(play(m.clone(), "A: leave down")) == 2  # 5 + 1 v 2
    assert points(play(m.clone(), "A: turn up")) == 3  # 5 + 2 v 2


@rule("U-18", "F-41")
def test_the_attackers_wild_is_finished_before_the_defenders():
    m = clash("Kr", "Kb", "Qr 9r  2r")
    play(m, "A: add  B: add  A: trumps none  B: trumps none  A: wild r  B: wild b")
    assert m.state.score == 0 and asks(m).startswith("A: cheat")  # B's black K under 2r
    assert [event.text for event in m.log if event.seat == -1] == ["Qr", "9r", "2r"]
    assert "wild Qr Kr, number 9r" in m.text(1) and "wild Kb, number 2r" in m.text(0)


@rule("U-17", "F-42")
def test_a_joker_drawn_for_a_wild_trump_becomes_the_main_card():
    m = attack("Kr Qr", "9r 8r", "X")
    play(m, "A: add  B: add  A: trumps none  A: wild r  B: 9r")
    assert asks(m) == "A: joker hurts, joker heals"


@rule("U-18")
def test_the_other_wild_is_drawn_even_beside_a_joker():
    m = clash("X", "Kb", "9b")
    play(m, "A: add  B: add  B: trumps none  A: joker  B: wild b")
    assert points(m) == 0
    assert m.state.heap_up.sum() == 3


# -------------------------------------------------------------------------------- without a card
@rule("U-21")
def test_an_attacker_without_a_card_does_not_attack():
    m = clash("Kr", "5r Kr")
    play(m, "A: add  B: add  A: trumps r1  B: trumps r1  A: no card  B: 5r")
    assert points(m) == 0
    assert m.state.heap_up.sum() == 3  # what the defender laid is spent too


@rule("U-21")
def test_when_the_attack_is_called_off_the_defenders_wild_is_not_drawn():
    m = clash("Kr", "Qb")  # no draw is scripted
    play(m, "A: add  B: add  A: trumps r1  B: trumps none  A: no card  B: wild b")
    assert points(m) == 0


@rule("U-21")
def test_calling_off_ends_further_attacks():
    m = attack("Kr Qr", "5r 4r", a={"attacks": 2})
    play(m, "A: add  B: add  A: trumps r2  B: trumps none  A: no card  B: 5r")
    assert m.state.acted[0] and m.state.attacker == -1
    assert life(m, 1) == (1, 3) and m.state.bank.sum() == 0


@rule("U-21")
@pytest.mark.parametrize("hand", ["Kr", "Kr Qr", "Kr Qb", "Kr X", "Kr 5r"])
def test_option_call_off_false_keeps_a_trump_back(hand):
    m = clash(hand, "5r", "9r", call_off=False)
    m.play(0, "add")
    m.play(1, "add")
    kept_back = {"Kr": (), "Kr Qr": ("trumps r1",), "Kr Qb": ("trumps r1", "trumps b1")}
    assert m.legal(0) == ("trumps none", *kept_back.get(hand, ("trumps r1",)))


@rule("U-21")
def test_an_attack_without_a_hand_fails():
    m = attack("", "5r 4r", a={"kill": 1, "stance": "flutter"}, attacker_bonus=0)
    assert m.state.acted[0] and not m.state.drawn[1]
    assert m.state.n_deck == 52  # the defender never drew


@rule("U-22")
def test_a_defender_without_a_card_counts_zero_in_the_attackers_colour():
    m = play(clash("2b", ""), "A: add  A: 2b")
    assert points(m) == 1  # 2 v 0, high wins


@rule("U-22")
def test_an_attackers_value_of_zero_or_less_wins_and_loses_nothing():
    m = clash("2b Jb Qb Kb", "")
    play(m, "A: subtract  A: trumps b3  A: 2b")
    assert asks(m) == "A: turn up, leave down"
    assert points(play(m, "A: turn up")) == 0


@rule("U-22")
def test_trumps_of_a_defender_without_a_card_do_nothing_but_caught_ones_can_be_turned():
    m = clash("9r Jb Qb", "Kr")
    play(m, "A: add  B: add  A: trumps b2  B: trumps r1  A: 9r")
    assert asks(m) == "B: cheat own= hers=, cheat own= hers+, cheat own= hers-"
    assert points(play(m, "B: cheat own= hers-")) == 4  # 7 v 0


@rule("U-29", "U-21")
def test_a_wild_that_cannot_be_finished_is_no_card():
    pack = {"Kr": 1, "Qb": 1, "5r": 1, "4r": 1, "Jr": 1}
    m = clash("Kr", "5r 4r", "Qb Jr", deck=pack)
    play(m, "A: add  B: add  A: trumps none  A: wild r  B: 5r")
    assert points(m) == 0
    m = clash("5r 4r", "Kr", "Qb Jr", deck=pack)
    play(m, "A: add  B: add  B: trumps none  A: 5r  B: wild r")
    assert points(m) == 3  # 5 v nothing

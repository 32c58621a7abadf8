"""One hand for several attacks, and what a winning defender gets for her points (UnclEvl)."""

from __future__ import annotations

import pytest

from fm_env.games.fairy_meat import decisions
from fm_env.records import as_record, rows_of
from tests.games.fairy_meat.play import asks, attack, duel, held, life, play, rule, scuffle

TWO = {"attacks": 2}
THREE = {"attacks": 3}


@rule("U-23")
def test_one_hand_serves_all_attacks():
    m = attack("9r 8r 7r", "5r 4r", a=TWO)
    play(m, "A: add  B: add  A: 9r  B: 5r  B: lose kill  B: lose kill")
    assert asks(m) == "A: stop, fairy 1"
    assert (held(m, 0), held(m, 1)) == ("7r 8r", "4r")
    play(m, "A: fairy 1")
    assert asks(m) == "A: 7r, 8r | B: 4r"  # nobody drew or declared again
    assert "B holds 4r, declared add" in m.text()


@rule("U-23", "U-34")
def test_damage_is_taken_before_the_next_attack_but_hands_stay():
    m = attack("9r 8r 7r", "5r 4r 3r", a=TWO)
    play(m, "A: add  B: add  A: 9r  B: 5r  B: lose live  B: lose live")
    assert life(m, 1) == (0, 3)
    play(m, "A: fairy 1  A: 8r")
    assert held(m, 1) == "3r 4r"


@rule("U-34", "U-23")
def test_a_dead_defender_is_attacked_no_further():
    m = attack("9r 8r", "5r 4r", a=TWO, b={"live": 1, "kill": 0})
    play(m, "A: add  B: add  A: 9r  B: 5r")
    assert m.is_over and m.returns() == (1.0, -1.0)


@rule("U-23")
def test_targets_are_named_one_attack_at_a_time_and_each_draws_when_first_attacked():
    m = scuffle(
        3,
        [{"kill": 3, "attacks": 2}, {"live": 1}, {"live": 1}],
        "Kr 2b 3b  9r 8r 7r 6r  5r 4r  5b 4b",
        decks=1,
    )
    play(m, "A: act at K down  B: hold  C: hold  A: attack bare-handed")
    assert asks(m) == "A: fairy 1, fairy 2"
    play(m, "A: fairy 1  A: add  B: subtract")
    assert m.state.n_hand.tolist() == [4, 2, 0, 0]
    play(m, "A: 9r  B: 5r  B: lose kill")
    assert asks(m) == "B: lose live, lose kill"
    play(m, "B: lose kill")
    assert asks(m) == "A: stop, fairy 1, fairy 2"
    play(m, "A: fairy 2")
    assert asks(m) == "C: add, subtract"  # C draws and declares now; A's declaration stands
    assert m.state.n_hand.tolist() == [3, 1, 2, 0]


@rule("U-36")
@pytest.mark.parametrize(
    ("fairy", "attacks"),
    [({}, 1), ({"weapons": ["vibro_master"]}, 2), ({"weapons": ["moon_dagger"]}, 1), ({"attacks": 3}, 3)],
)
def test_as_many_attacks_as_the_weapon_has(fairy, attacks):
    act = "attack with weapon 1" if "weapons" in fairy else "attack bare-handed"
    m = duel({"kill": 4, **fairy}, {"live": 2}, "Kr 2b", seed=1)
    play(m, f"A: act at K down  B: hold  A: {act}")
    assert m.state.attacks_left + m.state.drawn[1] == attacks  # one is under way once B drew


@rule("U-40")
def test_a_further_attack_is_optional():
    m = attack("9r 8r", "9b 5r", a=TWO)
    play(m, "A: add  B: add  A: 9r  B: 9b  A: stop")
    assert m.state.acted[0] and asks(m).startswith("B: ")


@rule("U-41")
def test_a_further_attack_needs_a_kill_point_still():
    m = attack("9r 8r", "X 5r", a={**TWO, "kill": 1, "live": 2})
    play(m, "A: add  B: add  A: 9r  B: joker  B: joker hurts  A: lose kill")
    assert m.state.acted[0] and m.state.attacker == -1


# ------------------------------------------------------------------------------ extra cards, boost
@rule("U-24")
def test_the_defender_chooses_where_both_are_open_to_her():
    m = attack("2r 8r", "6r 5r 4r", a=TWO)
    play(m, "A: add  B: add  A: 2r  B: 6r")
    assert asks(m) == "B: take cards, take boost"
    assert play(m.clone(), "B: take cards").state.bank[1, 0] == 2
    assert play(m.clone(), "B: take boost").state.boost[1] == 2


@rule("U-24")
def test_without_a_further_attack_she_takes_cards_unasked():
    m = attack("2r 8r", "6r 5r 4r")
    play(m, "A: add  B: add  A: 2r  B: 6r")
    assert m.state.bank[1, 0] == 2 and m.state.turn != 0


@rule("U-24")
def test_having_acted_she_takes_the_boost_unasked_and_without_a_next_attack_nothing():
    def later(attacks):
        m = duel({"kill": 2, "attacks": attacks}, {"live": 3}, "Kr Kb  2b 3r 8r  6b 5r 4r", seed=1)
        return play(m, "A: hold  B: act at K down  B: end turn  A: attack bare-handed  A: add  B: add")

    assert play(later(2), "A: 2b  B: 6b").state.boost[1] == 2
    m = play(later(1), "A: 2b  B: 6b")
    assert m.state.boost[1] == 0 and m.state.bank.sum() == 0


@rule("U-25")
def test_extra_cards_enlarge_her_own_hand_against_that_fairy_once():
    m = attack("2r 8r", "6r 5r 4r", "9b 8b 7b 6b  3r 3b", b={"kill": 1})
    play(m, "A: add  B: add  A: 2r  B: 6r")
    assert m.state.bank[1, 0] == 2
    play(m, "B: attack bare-handed")
    assert held(m, 1) == "6b 7b 8b 9b"  # 1 Kill + 1 for attacking + 2 won
    assert m.state.bank.sum() == 0


@rule("U-25")
def test_several_wins_add_up():
    m = attack("2r 8r 2b", "6r 5r Tr 6b", a=TWO)
    play(m, "A: add  B: add  A: 2r  B: 6r  B: take cards  A: fairy 1  A: 8r  B: Tr")
    assert m.state.bank[1, 0] == 3


@rule("U-25")
def test_extra_cards_are_gone_at_the_end_of_the_round():
    m = attack("2r 8r", "6r 5r 4r", "Kr 2b")
    play(m, "A: add  B: add  A: 2r  B: 6r  B: end turn")
    assert m.state.round_number == 2 and m.state.bank.sum() == 0


@rule("U-25")
def test_extra_cards_serve_only_against_the_fairy_they_were_won_from():
    m = scuffle(
        3,
        [{"kill": 1}, {"live": 1, "kill": 1}, {}],
        "Kr 3b 2b  2r 8r  6r 5r  9b 8b 7b",
        decks=1,
        seed=3,
    )
    play(m, "A: act at K down  B: hold  C: hold  A: attack bare-handed  A: fairy 1")
    play(m, "A: add  B: add  A: 2r  B: 6r")
    assert m.state.bank[1, 0] == 2
    play(m, "B: act at 3 down  C: hold  B: attack bare-handed  B: fairy 1")  # C, from where B sits
    assert m.state.defender == 2 and m.state.n_hand[1] == 2
    assert m.state.bank[1, 0] == 2


@rule("U-26")
def test_a_boost_moves_her_next_number_the_way_she_declared():
    m = attack("2r 8r", "6r 5b 4r", a=TWO)
    play(m, "A: add  B: subtract  A: 2r  B: 6r  B: take boost  A: fairy 1  A: 8r  B: 5b")
    assert asks(m) == "B: boost, no boost"  # after the numbers are shown
    assert play(m.clone(), "B: boost").state.bank[1, 0] == 3  # 8 v 5 - 2, low wins
    assert play(m.clone(), "B: no boost").state.bank[1, 0] == 2


@rule("U-26")
def test_a_boost_serves_the_very_next_attack_only():
    m = attack("2r 8r 7r", "6r 5b 4r", a=THREE)
    play(m, "A: add  B: subtract  A: 2r  B: 6r  B: take boost  A: fairy 1  A: 8r  B: 4r  B: no boost")
    play(m, "B: lose kill  B: lose kill  A: fairy 1")
    assert m.state.boost[1] == 0 and "boost" not in asks(m)


@rule("U-26")
def test_a_boost_is_lost_when_a_joker_is_laid_against_it():
    m = attack("2r X 7r", "6r 5b 4r", a=THREE)
    play(m, "A: add  B: subtract  A: 2r  B: 6r  B: take boost  A: fairy 1  A: joker  B: 5b  A: joker heals")
    play(m, "A: fairy 1  A: 7r  B: 4r")
    assert "boost" not in asks(m)
    assert "boost" not in [event.text for event in m.log]


@rule("U-26")
def test_a_boost_is_lost_when_another_is_attacked_next():
    m = scuffle(
        3,
        [{"kill": 3, "attacks": 3}, {"live": 2}, {"live": 1}],
        "Kr 2b 3b  2r 8r 7r 9r  6r 5b 4r  9b 3b",
        decks=1,
    )
    play(m, "A: act at K down  B: hold  C: hold  A: attack bare-handed  A: fairy 1  A: add  B: subtract")
    play(m, "A: 2r  B: 6r  B: take boost  A: fairy 2  C: add  A: 9r  C: 9b")
    assert m.state.boost.sum() == 0 and m.state.prev_points.sum() == 0


# --------------------------------------------------------------------------- points as wild trumps
@rule("U-27")
def test_points_of_the_attack_before_serve_as_wild_trumps_when_her_hand_is_empty():
    m = attack("2r 8r", "6r", "Jr Qb 5r", a=TWO, b={"live": 0})
    play(m, "A: subtract  B: add  A: 2r  B: 6r  B: take cards  A: fairy 1")
    assert asks(m) == "A: trumps none | B: trumps none, points r, points b"
    play(m, "B: points r  A: 8r")
    # 2 points and a drawn J match her red 5: 8. The drawn black Q is caught.
    assert asks(m) == "A: " + ", ".join(f"cheat own{a} hers{b}" for a in "=+-" for b in "=+-")
    assert m.state.bank[1, 0] == 0  # they left the bank
    play(m, "A: cheat own+ hers-")
    assert life(m, 1) == (0, 2)  # 9 v 7


@rule("U-27")
def test_points_of_an_earlier_attack_do_not_serve():
    m = attack("2r 8r 9r", "6r 5r", a=THREE, b={"live": 1})
    play(m, "A: add  B: add  A: 2r  B: 6r  B: take cards  A: fairy 1  A: 9r  B: 5r")
    play(m, "B: lose kill  B: lose kill  A: fairy 1")
    assert m.state.n_hand[1] == 0
    assert "points r" not in asks(m) and life(m, 1)[1] < 2


@rule("U-27")
@pytest.mark.parametrize(
    ("left", "lays", "may"),
    [
        ("5b", "B: 6r", ("trumps none",)),
        ("Kb", "B: trumps none  A: 2r  B: 6r", ("trumps none", "trumps b1")),
        ("X", "B: 6r", ("trumps none", "points r", "points b")),
    ],
)
def test_points_need_a_hand_without_number_and_trump(left, lays, may):
    m = attack("2r 8r", f"6r {left}", a=TWO, b={"live": 1})
    play(m, f"A: subtract  B: add  {lays}")
    if "A: 2r" not in lays:
        play(m, "A: 2r")
    play(m, "B: take cards")
    m.play(0, "fairy 1")
    assert m.legal(1) == may


@rule("U-27")
def test_points_kept_as_a_boost_can_be_used_as_wild_trumps_and_leave_the_bank_alone():
    """Two points banked in the first attack, one kept as a boost in the second, named in the third."""
    m = attack("2r 5r 8r", "6r 7r", "4r", a=THREE, b={"live": 1})
    play(m, "A: add  B: add  A: 2r  B: 6r  B: take cards  A: fairy 1  A: 5r  B: 7r  B: take boost")
    assert (m.state.bank[1, 0], m.state.boost[1]) == (2, 1)
    play(m, "A: fairy 1  B: points r")
    assert life(m, 1) == (1, 3)  # 8 v 4 + 1 deals two: B has to choose
    assert asks(m) == "B: lose live, lose kill"
    assert (m.state.bank[1, 0], m.state.boost[1]) == (2, 0)


@rule("U-28")
def test_with_a_joker_left_she_chooses_joker_or_points():
    m = attack("2r 8r", "6r X", a=TWO, b={"live": 1})
    play(m, "A: add  B: add  A: 2r  B: 6r  B: take cards  A: fairy 1")
    assert asks(m) == "A: trumps none | B: trumps none, points r, points b"
    m = play(m, "B: trumps none  A: 8r  B: joker")
    assert asks(m) == "B: joker hurts, joker heals"


@rule("U-39")
def test_points_named_as_wild_trumps_turn_the_attackers_trumps_up():
    m = attack("2r 8r Kb", "6r", "5r", a=TWO, b={"live": 0})
    play(m, "A: add  B: add  A: trumps none  A: 2r  B: 6r  B: take cards  A: fairy 1")
    play(m, "A: trumps b1  B: points r")
    assert asks(m).startswith("B: cheat")  # nobody asked A whether to turn her off-colour K up


@rule("U-42")
def test_open_questions_after_the_numbers_have_an_order():
    """Trumps left down, the boost, the defender's caught trumps, the attacker's."""
    m = attack("2r 8r Jb", "6r 5r 9r", a=TWO)
    play(
        m,
        "A: add  B: add  A: trumps none  A: 2r  B: 6r  B: take boost  A: fairy 1  A: trumps b1  A: 8r  B: 5r",
    )
    assert asks(m) == "A: turn up, leave down"
    play(m, "A: turn up")
    assert asks(m) == "B: boost, no boost"
    play(m, "B: boost")
    assert asks(m).startswith("B: cheat")
    m = attack("2r 8r Jb", "6r 5r 9r Qb", a=TWO)
    play(m, "A: add  B: add  A: trumps none  B: trumps none  A: 2r  B: 6r  B: take boost  A: fairy 1")
    play(m, "A: trumps b1  B: trumps b1  A: 8r  B: 5r  B: no boost")
    assert asks(m).startswith("A: cheat")
    play(m, "A: cheat own= hers=")
    assert asks(m).startswith("B: cheat")


@rule("U-47")
def test_a_fairy_without_card_and_points_is_not_asked():
    m = duel({"kill": 2}, {"live": 0}, "Kr Kb  2b 3r 8r", seed=1)
    play(m, "A: hold  B: act at K down  B: end turn  A: attack bare-handed")
    m.play(0, "add")
    assert m.state.n_hand[1] == 0 and m.pending == (0,)
    m.play(0, "trumps none")
    assert m.pending == (0,)


@rule("U-21", "U-29")
def test_a_wild_that_cannot_be_finished_ends_further_attacks_though_a_trump_is_left():
    """A duel has cards enough, so the piles are emptied by hand."""
    m = play(attack("Kr Qr", "5r 4r", a=TWO, seed=1), "A: add  B: add  A: trumps none")
    s = as_record(rows_of(m.state), 0)
    s.deck[:] = s.heap_up[:] = 0
    s.heap_down[:] = 0
    s.n_deck = 0
    texts = [m.game.action_text(m.spec, action) for action in range(m.spec.num_actions)]
    decisions.take_action(s, 0, texts.index("wild r"))
    decisions.take_action(s, 1, texts.index("5r"))
    decisions.settle(s)
    assert s.acted[0] and s.attacker == -1 and s.damage.sum() == 0

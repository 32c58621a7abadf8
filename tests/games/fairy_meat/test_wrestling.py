"""Wrestling under UnclEvl's combat: Kill against Kill, escapes, closing in again."""

from __future__ import annotations

from tests.games.fairy_meat.play import asks, attack, clash, duel, held, life, meat, play, points, rule


def brawl(a_hand: str, b_hand: str, draws: str = "", **more):
    """Both hold these hands for a wrestle that A began."""
    n_a, n_b = len(a_hand.split()), len(b_hand.split())
    a = {"kill": n_a - 1, "live": 3, **more.pop("a", {})}
    b = {"kill": n_b - 1, "live": 3, **more.pop("b", {})}
    return attack(a_hand, b_hand, draws, act="wrestle", a=a, b=b, **more)


@rule("U-32")
def test_both_draw_by_kill_with_the_cards_for_attacking_and_for_the_order_card():
    m = duel({"kill": 4, "live": 1}, {"kill": 1, "live": 6}, "Kr Kb 9r 8r 7r 6r 5r 9b 8b")
    play(m, "A: act at K down  B: hold  A: wrestle  A: add")
    assert (m.state.n_hand[0], m.state.n_hand[1]) == (5, 2)


@rule("U-32")
def test_weapons_without_the_riot_tag_do_not_count():
    m = duel({"kill": 2, "weapons": ["ripper"]}, {"kill": 2}, "Kr Kb 9r 8r 7r 9b 8b 7b")
    play(m, "A: act at K down  B: hold  A: wrestle  A: add")
    assert (m.state.n_hand[0], m.state.n_hand[1]) == (3, 3)


@rule("U-43")
def test_a_pose_counts_in_wrestling():
    m = duel({"kill": 2, "stance": "pose"}, {"kill": 2}, "Kr Kb 9r 8r 7r 6r 9b 8b 7b")
    play(m, "A: act at K down  B: hold  A: wrestle  A: add")
    assert m.state.n_hand[0] == 4


@rule("U-33")
def test_wrestling_takes_the_place_of_an_attack_and_needs_kill():
    m = play(duel(draws="Kr Kb"), "A: act at K down  B: hold")
    assert m.legal(0) == ("attack bare-handed", "wrestle", "end turn")
    m = play(duel({"kill": 0}, draws="Kr Kb"), "A: act at K down  B: hold")
    assert m.legal(0) == ()  # nothing but ending the turn was left, and it is B's already
    assert m.state.turn == 1


@rule("U-32")
def test_the_winner_hurts_the_loser_whoever_it_is():
    m = play(
        brawl("9r 8r", "5r 4r"), "A: add  B: add  A: 9r  B: 5r  A: deal damage  B: lose live  B: lose kill"
    )
    assert life(m, 1) == (2, 0) and meat(m, 1) == (1, 1)
    m = play(
        brawl("5r 4r", "9r 8r"), "A: add  B: add  A: 5r  B: 9r  B: deal damage  A: lose live  A: lose live"
    )
    assert life(m, 0) == (1, 1)


@rule("U-32")
def test_damage_is_half_the_difference_even_under_levels():
    m = brawl("Tr 8r", "3r 4r", damage="levels", b={"live": 6})
    play(m, "A: add  B: add  A: Tr  B: 3r  A: deal damage")
    assert m.state.damage[1] == 4


@rule("U-12", "U-32", "F-83")
def test_a_draw_hurts_both():
    m = play(brawl("9r 8r", "9b 4r"), "A: add  B: add  A: 9r  B: 9b")
    assert asks(m) == "A: lose live, lose kill"
    play(m, "A: lose live  B: lose kill")
    assert (life(m, 0), life(m, 1)) == ((2, 1), (3, 0))


@rule("F-83")
def test_the_attacker_chooses_her_loss_first_whoever_she_is():
    m = duel({"kill": 1}, {"kill": 1}, "Kr Kb  9r 8r 9b 5b")
    play(m, "A: hold  B: act at K down  B: wrestle  B: add  A: add  B: 9r  A: 9b")
    assert asks(m) == "B: lose live, lose kill"
    play(m, "B: lose live")
    assert asks(m) == "A: lose live, lose kill"


@rule("U-32")
def test_a_draw_can_kill_both_and_is_then_a_draw():
    m = brawl("9r 8r", "9b 4r", a={"live": 0}, b={"live": 0})
    play(m, "A: add  B: add  A: 9r  B: 9b")
    assert m.is_over and m.returns() == (0.0, 0.0) and not m.state.alive.any()


@rule("U-32", "U-22")
def test_against_no_card_a_value_of_zero_or_less_hurts_nobody():
    m = duel({"kill": 4}, {"kill": 0, "live": 2}, "Kr Kb 2r Jr Qr Kr 3r 3b", decks=1, seed=1)
    play(m, "A: hold  B: act at K down  B: end turn  A: wrestle")
    assert m.state.n_hand[1] == 0  # no Kill, and her Order Card is gone
    play(m, "A: subtract  A: trumps r3  A: 2r  A: turn up")
    assert (life(m, 0), life(m, 1)) == ((3, 4), (2, 0))


@rule("U-32")
def test_no_points_to_keep_in_a_wrestle():
    m = play(brawl("5r 4r", "9r 8r"), "A: add  B: add  A: 5r  B: 9r  B: deal damage")
    assert m.state.bank.sum() == m.state.boost.sum() == 0


@rule("U-44")
def test_extra_cards_won_before_wait_for_a_blow_and_are_not_drawn_in_a_wrestle():
    m = attack("2r 8r", "6r 5r 4r", "9b 8b  3r 3b 4b", b={"kill": 1})
    play(m, "A: add  B: add  A: 2r  B: 6r  B: wrestle  B: add")
    assert held(m, 1) == "8b 9b" and m.state.bank[1, 0] == 2


@rule("U-32")
def test_a_joker_as_main_card_makes_the_exchange_do_nothing():
    m = play(brawl("X 8r", "9b 4r"), "A: add  B: add  A: joker  B: 9b")
    assert (life(m, 0), life(m, 1)) == ((3, 1), (3, 1))
    assert m.state.acted[0] and m.state.attacker != 0


@rule("U-32", "U-21")
def test_who_attacks_without_a_card_wrestles_not():
    m = brawl("Kr Qr", "9b 4r")
    play(m, "A: add  B: add  A: trumps r2  B: 9b")
    assert (life(m, 0), life(m, 1)) == ((3, 1), (3, 1))


@rule("U-32", "U-36")
def test_one_exchange_a_turn():
    m = brawl("9r 8r", "5r 4r", a={"attacks": 3})
    play(m, "A: add  B: add  A: 9r  B: 5r  A: escape")
    assert m.state.acted[0] and m.state.attacker == -1


@rule("U-32")
def test_either_winner_may_break_away_instead():
    for a, b, winner in (("9r 8r", "5r 4r", "A"), ("5r 4r", "9r 8r", "B")):
        m = play(brawl(a, b), f"A: add  B: add  A: {a[:2]}  B: {b[:2]}")
        assert asks(m) == f"{winner}: deal damage, escape"
        play(m, f"{winner}: escape")
        assert (life(m, 0), life(m, 1)) == ((3, 1), (3, 1))
        assert m.state.apart[0, 1] and m.state.apart[1, 0]


@rule("U-45")
def test_closing_in_after_an_escape_costs_the_pose():
    """A posed B draws 1 Kill + 1 attack; her +1 goes for coming back into contact."""
    for act, cards in (("attack bare-handed", 2), ("wrestle", 2)):
        m = brawl("9r 8r", "5r 4r", b={"stance": "pose"}, seed=1)
        play(m, f"A: add  B: add  A: 9r  B: 5r  A: escape  B: {act}")
        assert m.state.n_hand[1] == cards
        assert not m.state.apart.any()


@rule("U-45")
def test_a_shot_needs_no_closing_in():
    m = brawl("9r 8r", "5r 4r", b={"stance": "pose", "weapons": ["fairy_shot_bow"]}, seed=1)
    play(m, "A: add  B: add  A: 9r  B: 5r  A: escape  B: attack with weapon 1")
    assert m.state.n_hand[1] == 3  # Strength 1 + pose + attack
    assert m.state.apart[0, 1]


@rule("U-32")
def test_a_wrestle_as_a_clash_scores_what_the_winner_would_deal():
    assert points(play(clash("9r", "4r", kind="wrestle"), "A: add  B: add")) == 3
    assert points(play(clash("4r", "9r", kind="wrestle"), "A: add  B: add")) == -3
    assert points(play(clash("4r", "4b", kind="wrestle"), "A: add  B: add")) == 0

"""Twinkle Points regained in fights, and Rose Prick as a fight."""

from __future__ import annotations

import pytest

from tests.games.fairy_meat.play import asks, attack, duel, game, held, play, points, rule


@rule("F-59")
def test_trumps_are_discarded_for_used_twinkle_openly_the_attacker_first():
    m = attack("9r Kr", "5r Qb", combat="fast_play", a={"used_twinkle": 1}, b={"used_twinkle": 2})
    assert asks(m) == "A: trade r, keep trumps"
    m.play(0, "trade r")
    assert (m.state.twinkle[0], m.state.used_twinkle[0]) == (1, 0)
    assert "seen there: Kr" in m.text(1)
    assert asks(m) == "B: trade b, keep trumps"  # after the attacker
    m.play(1, "trade b")
    assert (m.state.twinkle[1], m.state.used_twinkle[1]) == (1, 1)
    assert held(m, 1) == "5r"


@rule("F-59")
def test_no_more_trumps_than_used_twinkle_points():
    m = attack("9r Kr Qr", "5r 4r", combat="fast_play", a={"used_twinkle": 2})
    play(m, "A: trade r  A: trade r")
    assert m.state.used_twinkle[0] == 0 and held(m, 0) == "9r"
    m = attack("9r Kr Qr", "5r 4r", combat="fast_play", a={"used_twinkle": 1})
    play(m, "A: trade r")
    assert held(m, 0) == "9r Kr"  # the lower one went


@rule("F-77")
def test_being_asked_does_not_tell_that_she_holds_trumps():
    m = duel({"kill": 2, "used_twinkle": 1}, {"live": 1}, "Kr Kb 9r 8r 5r 4r", combat="fast_play")
    for seat, text in ((0, "act at K down"), (1, "hold"), (0, "attack bare-handed")):
        m.play(seat, text)
    assert m.legal(0) == ("keep trumps",)


@rule("F-59")
def test_nobody_is_asked_without_used_twinkle():
    m = attack("9r Kr", "5r Qb", combat="fast_play", a={"twinkle": 0})
    assert asks(m).startswith("A: 9r")


@rule("U-06")
def test_in_unclevls_combat_trumps_are_traded_before_declaring():
    m = attack("9r Kr", "5r Qb", a={"used_twinkle": 1}, b={"used_twinkle": 1})
    assert asks(m) == "A: trade r, keep trumps"
    play(m, "A: keep trumps")
    assert asks(m) == "A: add, subtract" and not m.state.drawn[1]
    play(m, "A: add")
    assert asks(m) == "B: trade b, keep trumps"
    play(m, "B: keep trumps")
    assert asks(m) == "B: add, subtract"


@rule("U-06", "U-21")
def test_who_trades_her_whole_hand_makes_no_attack():
    m = attack("Kr Qr", "5r 4r", a={"used_twinkle": 2}, seed=1)
    play(m, "A: trade r  A: trade r")
    assert m.state.attacker == 0 and m.state.n_hand[0] == 0
    play(m, "B: add  B: 5r")
    assert m.state.acted[0] and m.state.damage.sum() == 0


@rule("F-60")
def test_giving_up_the_attack_regains_one_point_and_ends_the_turn():
    m = play(duel({"used_twinkle": 2}, {}, "Kr Kb"), "A: act at K down  B: hold  A: rest")
    assert (m.state.twinkle[0], m.state.used_twinkle[0]) == (1, 1)
    assert m.state.turn == 1
    m = play(duel({}, {}, "Kr Kb"), "A: act at K down  B: hold")
    assert "rest" not in m.legal(0)


# ------------------------------------------------------------------------------------- Rose Prick
def prick(draws, a=2, d=2, **options):
    options.setdefault("deck", "full")
    return game().new_match(scenario="clash", kind="rose_prick", a=a, d=d, chance=draws.split(), **options)


@rule("F-57")
def test_a_rose_prick_draws_cards_and_hits_like_an_attack():
    m = prick("9r 8r 4r 3r", combat="fast_play")
    assert points(play(m, "A: 9r  B: 4r")) == 2


@rule("U-37")
def test_under_unclevls_rules_it_is_an_exchange_of_its_own():
    m = prick("9r 8r 4r 3r")
    assert asks(m) == "A: add, subtract"
    assert points(play(m, "A: add  B: add  A: 9r  B: 4r")) == 3


@rule("U-37")
def test_a_duels_modifiers_do_not_touch_it():
    m = prick("9r 4r 3r", a=1)
    assert m.state.n_hand[0] == 1  # its strength, no card for attacking


@rule("F-58", "U-37")
@pytest.mark.parametrize("combat", ["unclevl", "fast_play"])
def test_a_joker_drawn_turns_the_spell_round_before_anything_is_declared(combat):
    m = prick("9r X", combat=combat)
    assert asks(m) == "B: decline, fairy 1"  # the old target's player casts; A is fairy 1 for her
    assert m.state.n_hand.sum() == 0 and m.state.heap_down[0].sum() == 1


@rule("F-58")
def test_the_target_drawing_a_joker_turns_it_round_as_well():
    m = prick("9r 8r 4r X", combat="fast_play")
    assert asks(m) == "B: decline, fairy 1"
    assert m.state.heap_down[0].sum() == 2 and m.state.heap_down[1].sum() == 1


@rule("U-46")
def test_the_casters_declaration_is_void_when_the_target_draws_the_joker():
    m = prick("9r 8r 4r X  Tr 2r 6r 5r", seed=1)
    play(m, "A: subtract")
    assert asks(m) == "B: decline, fairy 1"
    play(m, "B: fairy 1")
    assert asks(m) == "B: add, subtract"


@rule("F-58")
def test_the_recast_spell_has_the_same_strength_and_its_own_points():
    m = prick("9r X  Tr 2r  6r 5r")
    play(m, "B: fairy 1  B: add  A: add  B: Tr  A: 6r")
    assert points(m) == -2  # Tr v 6r, for B who cast it


@rule("F-58")
def test_a_further_joker_passes_it_on_again():
    m = prick("9r X  X  9b 8b  6r 5r")
    play(m, "B: fairy 1")
    assert asks(m) == "A: decline, fairy 1"
    play(m, "A: fairy 1  A: add")
    assert (held(m, 0), held(m, 1)) == ("8b 9b", "5r 6r")


@rule("F-58")
def test_she_may_decline():
    m = play(prick("9r X"), "B: decline")
    assert points(m) == 0


@rule("F-58")
def test_a_joker_drawn_for_a_wild_trump_turns_the_spell_round_too():
    for combat, steps in (
        ("fast_play", "A: wild r  B: 4r"),
        ("unclevl", "A: add  B: add  A: trumps none  A: wild r  B: 4r"),
    ):
        m = prick("Kr Qr 4r 3r X", combat=combat)
        play(m, steps + ("  A: supports 0" if combat == "fast_play" else ""))
        assert asks(m) == "B: decline, fairy 1"
        assert m.state.heap_up.sum() == 3 and m.state.heap_down.sum() == 2
        assert points(play(m, "B: decline")) == 0


@rule("F-79")
def test_nobody_casts_a_spell_at_herself():
    m = prick("9r X")
    assert m.legal(1) == ("decline", "fairy 1")


@rule("F-58")
def test_ten_recasts_are_the_end():
    m = prick("X " * 11, a=1, d=1, deck={"X": 12, "5r": 2})
    for _ in range(10):
        assert not m.is_over
        m.play(m.pending[0], "fairy 1")
    assert points(m) == 0

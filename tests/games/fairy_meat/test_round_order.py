"""Thinking, Order Cards, the countdown, ties."""

from __future__ import annotations

import numpy as np
import pytest

from fm_env.compiled import python_of
from fm_env.games.fairy_meat import order
from fm_env.games.fairy_meat.constants import NO_CARD, Phase
from fm_env.records import as_record, rows_of
from tests.games.fairy_meat.play import asks, duel, play, rule, scuffle

THINKER = {"twinkle": 2}


def acts(m):
    """The order in which fairies began turns, by letter."""
    return [e.words[0] for e in m.log if e.text in ("end turn", "rest")]


# -------------------------------------------------------------------------------------- Thinking
@rule("F-06")
def test_thinking_is_bought_before_any_order_card_is_dealt():
    m = duel(THINKER, {}, "Kr Kb 2r 3r")
    assert asks(m) == "A: think 0, think 1, think 2"
    assert m.state.n_order.sum() == 0
    play(m, "A: think 2")
    assert m.state.n_order.tolist() == [3, 1]


@rule("F-06")
def test_a_glitter_fairy_regains_one_point_after_thinking():
    glitter = {"type": "glitter", "twinkle": 4, "live": 2, "kill": 2}
    m = play(duel(glitter, {}, "Kr Kb 2r"), "A: think 1")
    assert (m.state.twinkle[0], m.state.used_twinkle[0], m.state.n_order[0]) == (4, 0, 2)
    m = play(duel({"twinkle": 3}, {}, "Kr Kb 2r"), "A: think 1")
    assert (m.state.twinkle[0], m.state.used_twinkle[0]) == (2, 1)


@rule("F-06")
def test_glitter_regains_used_points_only_and_every_round():
    glitter = {"type": "glitter", "twinkle": 0, "used_twinkle": 1}
    m = duel(glitter, {}, "Kr Kb  Qr Qb  ", seed=1)
    assert (m.state.twinkle[0], m.state.used_twinkle[0]) == (1, 0)
    m = duel({"type": "glitter", "twinkle": 1}, {}, "Kr Kb")
    play(m, "A: think 0")
    assert (m.state.twinkle[0], m.state.used_twinkle[0]) == (1, 0)


@rule("F-07")
def test_all_think_in_secret_and_show_together():
    m = duel(THINKER, THINKER, "Kr Kb 2r 3b", seed=1)
    assert m.pending == (0, 1)
    before = m.observation(1).tobytes(), m.text(1)
    m.play(0, "think 2")
    assert (m.observation(1).tobytes(), m.text(1)) == before


@rule("F-71")
def test_bought_cards_are_dealt_in_rotation_after_one_for_each():
    m = duel(THINKER, THINKER, "Kr Kb Qr Qb Jr Jb")
    play(m, "A: think 2  B: think 2")
    dealt = [e.words[0] + " " + e.text for e in m.log if e.seat == -1]
    assert dealt == ["A Kr", "B Kb", "A Qr", "B Qb", "A Jr", "B Jb"]


@rule("F-71")
def test_bought_cards_leave_twelve_in_the_deck_and_the_rest_is_refunded():
    """15 cards in the deck: two first cards, then bought ones while twelve remain."""
    m = duel(THINKER, THINKER, "2r 2b 3r 3b", heap=heap_leaving(15))
    play(m, "A: think 2  B: think 2")
    assert m.state.n_order.tolist() == [2, 2] and m.state.n_deck == 11
    assert m.state.twinkle.tolist() == [1, 1] and m.state.used_twinkle.tolist() == [1, 1]


@rule("F-71", "F-82")
def test_a_refund_after_a_regained_point_makes_no_points():
    glitter = {"type": "glitter", "twinkle": 2}
    m = play(duel(glitter, {}, "2r 2b", heap=heap_leaving(13)), "A: think 2")
    assert m.state.n_order.tolist() == [1, 1]
    assert (m.state.twinkle[0], m.state.used_twinkle[0]) == (2, 0)


def heap_leaving(n):
    """Texts of cards that lie in the Spoils Heap so that the deck holds `n`: all twos, threes, ..."""
    cards = [rank + colour for rank in "23456789TJQKA" for colour in "rb" for _ in range(2)] + ["X", "X"]
    return " ".join(cards[n:])


@rule("F-71")
def test_fairies_without_an_order_card_act_after_the_last_king():
    """Every card but one is in somebody's hand or order: not to be had in a duel, so set by hand."""
    m = duel({}, {}, "Kr Kb", seed=1)
    s = as_record(rows_of(m.state), 0)
    s.order[:] = 0
    s.n_order[:] = 0
    assert order.planned_slot(s, 0) == order.END_SLOT
    assert not order.has_plan_to_make(s, 0)


# ------------------------------------------------------------------------------------- countdown
@rule("F-08")
def test_the_countdown_goes_down_to_the_ace_and_up_again():
    ranks = [python_of(order.rank_of_call)(call) for call in range(26)]
    assert ranks == [*range(13, 0, -1), *range(1, 14)]


@rule("F-08")
def test_a_waiting_ace_and_a_king_are_called_again():
    m = duel({}, {}, "Ar Kb", seed=1)
    assert m.legal(0) == ("hold", "act at A down") and m.legal(1) == ("hold", "act at K down")
    play(m, "A: hold  B: hold")
    assert m.state.turn == 0 and m.state.slot == 2 * 13 + 1  # A going up comes right after A going down
    play(m, "A: end turn")
    assert m.state.turn == 1 and m.state.slot == 2 * 25 + 1


@rule("F-09")
def test_holding_ends_at_the_ascending_call():
    m = play(duel({}, {}, "5r 9b"), "A: hold  B: hold")
    assert m.state.turn == 0 and m.state.slot == 2 * (12 + 5) + 1


@rule("F-09")
def test_with_several_cards_she_may_wait_for_the_last_of_them():
    m = duel(THINKER, {}, "5r 9b 7r Jr")
    play(m, "A: think 2")
    assert m.legal(0) == (
        "hold", "act at J down", "act at 7 down", "act at 5 down", "act at 5 up", "act at 7 up",
    )  # fmt: skip
    play(m, "A: hold  B: hold")
    assert m.state.turn == 1
    play(m, "B: end turn")
    assert m.state.turn == 0 and m.state.slot == 2 * (12 + 11) + 1


@rule("F-09")
def test_acting_may_be_doing_nothing():
    m = play(duel({}, {}, "5r 9b"), "A: hold  B: hold")
    assert "end turn" in m.legal(0)


@rule("F-09")
def test_a_call_that_is_over_does_not_come_back():
    m = play(duel({}, {}, "5r Kb", seed=1), "A: hold  B: act at K down  B: end turn")
    assert m.legal(0) == ("hold", "act at 5 down")
    m = duel(THINKER, {}, "Kr Qb 5r 4r", seed=1)
    play(m, "A: think 2  A: act at 5 down  B: act at Q down  B: end turn")
    assert m.legal(0) == ("hold", "act at 5 down", "act at 4 down", "act at 4 up", "act at 5 up")


@rule("F-80")
def test_plans_are_secret_and_asked_again_after_every_turn():
    m = duel({}, {}, "5r Kb", seed=1)
    assert m.pending == (0, 1)
    before = m.observation(0).tobytes(), m.text(0)
    m.play(1, "act at K down")
    assert (m.observation(0).tobytes(), m.text(0)) == before
    play(m, "A: act at 5 down  B: end turn")
    assert m.legal(0) == ("hold", "act at 5 down")  # she may think again


# --------------------------------------------------------------------------------------- jokers
@rule("F-10")
def test_a_joker_may_be_shown_before_any_call():
    m = duel({}, {}, "X Kb", seed=1)
    assert m.legal(0)[:3] == ("hold", "joker before K down", "joker before Q down")
    assert len(m.legal(0)) == 1 + 26
    play(m, "A: joker before K down  B: act at K down")
    assert m.state.turn == 0


@rule("F-10")
def test_a_joker_may_be_shown_after_a_finished_turn():
    m = play(duel({}, {}, "X Kb", seed=1), "A: hold  B: act at K down  B: end turn")
    assert m.legal(0)[:2] == ("hold", "joker before Q down") and len(m.legal(0)) == 26


@rule("F-10")
def test_an_unused_joker_acts_after_the_last_king_or_not_at_all():
    m = play(duel({}, {}, "X Kb"), "A: hold  B: hold  B: end turn")
    assert m.state.turn == 0 and m.state.slot == order.END_SLOT
    assert "end turn" in m.legal(0)


@rule("F-10")
def test_a_joker_beside_a_card_leaves_both_ways_open():
    m = play(duel({"twinkle": 1}, {}, "X Kb 5r", seed=1), "A: think 1")
    assert "act at 5 down" in m.legal(0) and "act at 5 up" in m.legal(0) and "joker before 5 up" in m.legal(0)


# ------------------------------------------------------------------------------------------ ties
@rule("F-11")
def test_equal_ranks_are_drawn_for_and_the_higher_card_acts_first():
    m = duel({}, {}, "9r 9b  2r Qb")
    play(m, "A: act at 9 down  B: act at 9 down")
    assert m.state.turn == 1
    assert m.state.heap_up.sum() == 3  # both tie cards, and B's Order Card


@rule("F-11")
@pytest.mark.parametrize(
    ("a", "b", "first"), [("X", "Kr", 0), ("Kr", "Qr", 0), ("Ar", "2r", 1), ("Ar", "Kr", 1), ("Tr", "Jr", 1)]
)
def test_the_tie_ranks_as_the_countdown_does(a, b, first):
    m = play(duel({}, {}, f"9r 9b {a} {b}"), "A: act at 9 down  B: act at 9 down")
    assert m.state.turn == first


@rule("F-11")
def test_equal_draws_are_drawn_again_among_the_equals_only():
    m = scuffle(3, [{}, {}, {}], "9r 9b 9r  5r 5b 8r  3r 4r", decks=1, seed=1)
    play(m, "A: act at 9 down  B: act at 9 down  C: act at 9 down  C: end turn  B: end turn  A: end turn")
    assert acts(m)[:3] == ["C", "B", "A"]


@rule("F-11")
def test_two_jokers_at_the_same_poll_tie_as_well():
    m = play(duel({}, {}, "X X 2r 3r"), "A: joker before K down  B: joker before K down")
    assert m.state.turn == 1


@rule("F-11")
def test_one_of_two_equal_cards_may_be_held():
    m = play(duel({}, {}, "9r 9b"), "A: hold  B: act at 9 down")
    assert m.state.turn == 1 and m.state.n_deck == 52


@rule("F-11")
def test_own_fairies_at_the_same_call_are_the_players_choice():
    m = scuffle(2, [{}, {}, {}, {}], "9r 9b 2b 3b", decks=1)
    play(m, "A: act at 9 down  C: act at 9 down  B: hold  D: hold")
    assert asks(m) == "A: fairy 0, fairy 1"
    play(m, "A: fairy 1")
    assert m.state.turn == 2
    play(m, "C: end turn")
    assert m.state.turn == 0


@rule("F-12")
def test_losers_of_the_tie_are_committed_and_act_next():
    m = duel({}, {}, "9r 9b  2r Qb", seed=1)
    play(m, "A: act at 9 down  B: act at 9 down  B: end turn")
    assert m.state.turn == 0 and m.state.slot == 2 * 4 + 1


@rule("F-12")
def test_who_dies_while_waiting_loses_her_turn():
    roster = [{"live": 0, "kill": 1}, {"kill": 2}, {}]
    m = scuffle(3, roster, "9r 9b 2r  2b Qb  Tr 8r 7r  5r", decks=1)
    play(m, "A: act at 9 down  B: act at 9 down  C: hold  B: attack bare-handed  B: fairy 2")
    assert m.state.attacker == 1 and m.state.defender == 0 and m.state.revealed[0]
    play(m, "B: add  A: add  B: Tr")
    assert not m.state.alive[0] and not m.state.acted[0]
    assert asks(m) == "C: hold, act at 2 down"


@rule("F-71")
def test_without_cards_to_draw_a_tie_goes_by_seat_rotation():
    """Set by hand: A and B committed at one place, no card left anywhere to draw."""
    m = duel({}, {}, "9r 9b", seed=1)
    for first in (0, 1):
        s = as_record(rows_of(m.state), 0)
        s.first_seat = first
        s.deck[:] = s.heap_up[:] = 0
        s.heap_down[:] = 0
        s.n_deck = 0
        s.choice[:] = -1
        s.revealed[:] = 1
        s.standing[:] = 0
        s.tie_card[:] = NO_CARD
        s.tie_card[1 - first] = 5  # drawn before the cards ran out
        s.phase = Phase.TIE_DRAW
        assert not order.draw_for_tie(s)
        assert np.argmin(s.standing) == first and sorted(s.standing) == [0, 1]
        assert (s.tie_card == NO_CARD).all() and s.heap_up[5] == 1


@rule("F-81")
def test_the_lead_of_the_rotation_moves_on_one_seat_a_round():
    m = duel({}, {}, "9r 9b  8r 8b", seed=1)
    play(m, "A: hold  B: act at 9 down  B: end turn  A: hold  A: end turn")
    dealt = [e.words[0] for e in m.log if "Order Card" in e.words and e.seat == -1]
    assert dealt[:4] == ["A", "B", "B", "A"]


# ---------------------------------------------------------------------------------- used cards
@rule("F-13")
def test_all_order_cards_go_when_the_turn_starts_and_only_the_one_used_is_seen():
    m = play(duel(THINKER, {}, "9r Kb 5r 4r"), "A: think 2  A: act at 9 down  B: hold")
    assert m.state.turn == 0 and m.state.n_order.tolist() == [0, 1]
    assert "Spoils Heap 3, seen there: 9r" in m.text(1)


@rule("F-69")
def test_unused_order_cards_are_known_to_their_owner_only():
    m = play(duel(THINKER, {}, "9r Kb 5r 4r"), "A: think 2  A: act at 9 down  B: hold")
    unseen = [m.game.observation_labels(m.spec).index(f"unseen {card}") for card in ("5r", "4r", "9r")]
    assert m.observation(0)[unseen].tolist() == [0.25, 0.25, 0.25]
    assert m.observation(1)[unseen].tolist() == [0.5, 0.5, 0.25]


@rule("F-14")
def test_the_round_ends_after_the_last_turn():
    m = duel({}, {}, "9r Kb", seed=1)
    play(m, "A: act at 9 down  B: hold  A: end turn")
    assert m.state.round_number == 1
    play(m, "B: end turn")
    assert m.state.round_number == 2 and m.state.acted.sum() == 0

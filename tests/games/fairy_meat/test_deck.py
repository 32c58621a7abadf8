"""The Fairy Deck and the Spoils Heap: what is in them, when they are shuffled, who has seen what."""

from __future__ import annotations

import pytest

from fm_env.games.fairy_meat import decisions
from fm_env.games.fairy_meat.constants import Phase
from fm_env.records import as_record, rows_of
from tests.games.fairy_meat.play import (
    asks,
    attack,
    clash,
    duel,
    game,
    held,
    life,
    play,
    points,
    rule,
    scuffle,
)

FAST = {"combat": "fast_play"}


def cards(s):
    """All cards outside the deck."""
    return int(
        s.hand.sum() + s.order.sum() + s.heap_up.sum() + s.heap_down.sum() + s.laid.sum() + s.wild.sum()
    )


def leaving(*texts):
    """A heap that leaves exactly these cards in the deck, as a text."""
    pack = [rank + colour for rank in "23456789TJQKA" for colour in "rb" for _ in range(2)] + ["X", "X"]
    for text in texts:
        pack.remove(text)
    return " ".join(pack)


@rule("F-01")
def test_a_deck_has_52_cards_and_two_jokers():
    m = duel({"twinkle": 1}, {})
    assert m.state.n_deck == 54 and m.state.deck.tolist() == [2] * 27
    m = duel({"twinkle": 1}, {}, jokers=False)
    assert m.state.n_deck == 52 and m.state.deck[26] == 0


@rule("F-01")
@pytest.mark.parametrize(
    ("players", "decks", "n"), [(2, "auto", 54), (3, "auto", 54), (4, "auto", 108), (3, 2, 108)]
)
def test_decks_by_number_of_players(players, decks, n):
    m = scuffle(players, [{"twinkle": 1}] * 4, "", decks=decks)
    assert m.state.pack.sum() == n


@rule("F-02")
def test_fast_play_shuffles_everything_every_round():
    m = duel({}, {}, "Kr Kb  Qr Qb", **FAST)
    play(m, "A: act at K down  B: hold  A: end turn  B: end turn")
    assert m.state.round_number == 2 and m.state.shuffles == 1
    assert m.state.n_deck == 52 and m.state.heap_up.sum() == 0  # all but the two Order Cards just dealt


@rule("U-30")
def test_unclevls_rounds_go_on_with_the_same_deck():
    m = duel({}, {}, "Kr Kb  Qr Qb")
    play(m, "A: act at K down  B: hold  A: end turn  B: end turn")
    assert m.state.round_number == 2 and m.state.shuffles == 0
    assert m.state.n_deck == 50 and m.state.heap_up.sum() == 2  # the Order Cards went to the heap


@rule("F-02")
def test_fast_play_shuffles_a_heap_of_the_set_up_in_before_round_1():
    m = duel({}, {}, "9r 9r", heap="9r 9r 8b", **FAST)
    assert m.state.round_number == 1 and m.state.shuffles == 1
    assert m.state.n_deck == 52 and m.state.heap_up.sum() == 0
    m = duel({}, {}, "Kr Kb", **FAST)
    assert m.state.shuffles == 0  # without a heap the deck lies ready


@rule("U-30")
def test_unclevls_bout_starts_with_the_heap_of_the_set_up():
    m = duel({}, {}, "Kr Kb", heap="9r 9r 8b")
    assert m.state.shuffles == 0 and m.state.n_deck == 49 and m.state.heap_up.sum() == 3


@rule("F-03", "U-29")
@pytest.mark.parametrize("combat", ["fast_play", "unclevl"])
def test_an_empty_deck_is_made_anew_from_the_heap_when_a_card_is_needed(combat):
    """A joker turns a spell round: both hands are the heap when the new target has to draw."""
    pack = {"9r": 1, "8r": 1, "2b": 1, "3b": 1, "X": 1}
    draws = ["9r", "8r", "X", "2b", "3b", "9r"]
    m = game().new_match("clash", kind="rose_prick", a=2, d=1, deck=pack, combat=combat, chance=draws)
    play(m, "B: fairy 1" if combat == "fast_play" else "A: add  B: fairy 1  B: add")
    assert m.state.shuffles == 1
    assert (held(m, 1), held(m, 0)) == ("2b 3b", "9r")  # what is in hand stays there
    assert m.state.n_deck == 2 and m.state.heap_up.sum() == m.state.heap_down.sum() == 0


@rule("U-29")
def test_an_empty_deck_is_made_anew_from_the_heap_in_the_middle_of_a_draw():
    """Two Order Cards and two of A's four cards are left; the others come from the shuffled heap."""
    m = duel(
        {"kill": 4},
        {"live": 1},
        "Kr Kb 9r 8r 2b 3b 4b 5b 6b",
        heap=leaving("Kr", "Kb", "9r", "8r"),
    )
    m.play(0, "act at K down")
    m.play(1, "hold")
    assert m.state.shuffles == 0
    m.play(0, "attack bare-handed")
    assert m.state.shuffles == 1
    assert "2b 3b" in held(m, 0)
    # Cards in hands and Order Cards stayed out of it: K red was discarded when A's turn began.
    assert cards(m.state) + m.state.n_deck == 54 and m.state.order[1].sum() == 1


@rule("F-03", "U-29")
def test_with_both_piles_empty_a_fairy_draws_what_there_is():
    """A duel never gets there (two hands are too small), so the piles are emptied by hand."""
    s = as_record(rows_of(attack("9r 8r", "5r 4r").state), 0)
    s.phase, s.to_draw = Phase.DRAW_ATTACKER, 3
    assert decisions.is_card_wanted(s)
    s.deck[:] = s.heap_up[:] = 0
    s.heap_down[:] = 0
    s.n_deck = 0
    assert not decisions.is_card_wanted(s)
    assert s.to_draw == 0 and s.n_hand[0] == 2


@rule("U-29")
def test_the_deck_may_run_out_in_the_middle_of_a_wild_trump():
    pack = {"Kr": 1, "Qb": 1, "5r": 1, "7r": 1}
    m = clash("Kr Qb", "5r", "7r", deck=pack)
    play(m, "A: add  B: add  A: trumps none  A: wild r")
    assert points(m) == 2  # 7 + 1 v 5; the deck's last card was enough


@rule("U-29", "U-35")
def test_a_shuffle_ends_all_knowledge_of_the_heap():
    m = duel(
        {"kill": 3}, {"live": 1}, "Kr Kb 9r 8r 2b 3b 4b 5b", heap=leaving("Kr", "Kb", "9r", "8r"), seed=1
    )
    play(m, "A: act at K down  B: hold  A: attack bare-handed")
    assert m.state.heap_up.sum() == m.state.heap_down.sum() == 0
    assert "seen there: -" in m.text(0)


@rule("F-04")
def test_all_cards_of_both_hands_are_discarded():
    m = attack("9r 8r 7r", "5r 4r 3r", **FAST, b={"live": 2})
    play(m, "A: 9r  B: 5r  B: lose live")
    assert m.state.hand.sum() == 0 and m.state.n_deck == 54 - 8
    assert "seen there: 5r 9r" in m.text() and "face down: 3r 4r 7r 8r" in m.text()


@rule("U-31", "F-69")
def test_leftovers_go_to_the_heap_face_down_when_the_combat_ends():
    m = attack("9r 8r 7r", "5r 4r", a={"attacks": 2})
    play(m, "A: add  B: add  A: 9r  B: 5r  B: lose kill  B: lose kill")
    assert held(m, 0) == "7r 8r"  # not before
    play(m, "A: stop")
    assert "seen there: 5r 9r Kr Kb, face down: 7r 8r" in m.text(0)
    assert "seen there: 5r 9r Kr Kb, face down: 4r" in m.text(1)


@rule("U-35", "F-69")
def test_what_each_player_counts_as_unseen():
    m = attack("9r 8r 7r", "5r 4r")
    play(m, "A: add  B: add  A: 9r  B: 5r  B: lose kill  B: lose kill")
    labels = m.game.observation_labels(m.spec)

    def unseen(seat, card):
        return float(m.observation(seat)[labels.index(f"unseen {card}")]) * 4

    assert [unseen(0, card) for card in ("9r", "8r", "5r", "4r")] == [1, 1, 1, 2]
    assert [unseen(1, card) for card in ("9r", "8r", "5r", "4r")] == [1, 2, 1, 1]


@rule("U-35", "F-59")
def test_trumps_discarded_for_twinkle_are_shown():
    m = attack("9r Kr", "5r 4r", a={"used_twinkle": 1})
    m.play(0, "trade r")
    assert "seen there: Kr" in m.text(1)


@rule("U-35")
def test_trumps_turned_up_are_public_and_those_left_down_are_not():
    m = clash("9r 8r Jb", "5r 4r Qr")
    play(m, "A: add  B: add  A: trumps b1  B: trumps none  A: 9r  B: 5r")
    assert asks(m).startswith("A: turn up")
    up = play(m.clone(), "A: turn up  B: cheat own= hers=")
    assert "Jb" in up.text(1).split("seen there: ")[1]
    down = play(m.clone(), "A: leave down")
    assert "Jb" not in down.text(1) and "Jb" in down.text(0)


@rule("F-13", "U-30")
def test_a_dead_fairys_order_cards_go_to_the_heap():
    m = attack("9r 8r", "5r", b={"live": 0, "kill": 2})
    play(m, "A: add  B: add  A: 9r")
    assert life(m, 1) == (0, 0) and m.state.n_order[1] == 0
    assert "face down: Kb" in m.text(1) and "Kb" not in m.text(0)

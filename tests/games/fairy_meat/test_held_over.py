"""Cards held while the heap is shuffled: what the others can still tell about them."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from fm_env.errors import SetupError
from fm_env.games.fairy_meat.constants import ORDER
from fm_env.games.fairy_meat.notation import cards_text
from fm_env.records import as_record, rows_of
from fm_env.rng import row_for
from tests.games.fairy_meat.play import clash, duel, game, held, play, rule
from tests.games.fairy_meat.test_deck import leaving


def guesses(m, seat, n=300):
    """States as `seat` may guess them."""
    engine, row = game().engine, row_for(7)
    for _ in range(n):
        states = rows_of(m.state).copy()
        engine.resample(states, 0, seat, row)
        assert engine.faults(states, 0) == 0
        yield as_record(states, 0)


def key(m, seat):
    out = np.zeros(m.spec.info_key_size, np.uint8)
    game().engine.info_key(rows_of(m.state), 0, seat, out)
    return out.tobytes()


def turned_round(draws):
    """A spell that B's joker turns round: what both had goes to the heap, and B casts it at A."""
    pack = dict.fromkeys(("9r", "8r", "7r", "2b", "3b", "4b", "X"), 1)
    options = {"kind": "rose_prick", "combat": "fast_play", "a": 2, "d": 2, "deck": pack}
    m = game().new_match("clash", chance=draws.split(), **options)
    return play(m, "B: fairy 1")


@rule("U-48")
def test_a_card_held_through_the_shuffle_is_none_that_had_been_seen():
    """A knows 8r and 7r in the heap and draws 4b herself, the deck's last card: B's cards, drawn
    before it, are of 2b, 3b and the 9r that B had put into the heap. And that one A draws next.
    """
    m = turned_round("8r 7r 9r X  2b 3b  4b 9r")
    assert m.state.shuffles == 1 and (held(m, 0), held(m, 1)) == ("4b 9r", "2b 3b")
    assert {cards_text(s.hand[1]) for s in guesses(m, 0)} == {"2b 3b"}


@rule("U-48")
def test_a_hand_drawn_before_and_after_may_hold_both():
    """A's old card is one of 8r, 7r, 4b, which B had not seen; her new one may be 9r as well, which
    B had put into the heap. Of the nine ways two make each pair without 9r, one each pair with it.
    """
    m = turned_round("8r 7r 9r X  2b 3b  4b 9r")
    n = 1800
    counts = Counter(cards_text(s.hand[0]) for s in guesses(m, 1, n))
    ways = {pair: 1 if "9r" in pair else 2 for pair in counts}
    assert len(counts) == 6 and sum(ways.values()) == 9
    for pair, count in counts.items():
        expected = n * ways[pair] / 9
        assert abs(count - expected) < 5 * expected**0.5


@rule("U-48")
def test_order_cards_and_hands_held_through_the_shuffle():
    """All but four cards lie seen in the heap of the set-up; A draws 9r and 8r before the shuffle."""
    m = duel(
        {"kill": 4}, {"live": 1}, "Kr Kb 9r 8r 2b 3b 4b 5b 6b", heap=leaving("Kr", "Kb", "9r", "8r"), seed=1
    )
    play(m, "A: act at K down  B: hold  A: attack bare-handed")
    assert m.state.shuffles == 1 and m.state.kept[1, ORDER] == 1
    assert {cards_text(s.order[1]) for s in guesses(m, 0)} == {"Kb"}
    old = {tuple(np.flatnonzero(m.state.held[0]))}
    assert {tuple(np.flatnonzero(s.held[0])) for s in guesses(m, 1)} == old
    assert all((s.hand[0] >= s.held[0]).all() for s in guesses(m, 1))


@rule("U-48")
def test_what_was_known_before_the_shuffle_is_part_of_the_key():
    """B sees the same, but has seen 9r go to the heap in one game and 8r in the other."""
    one = turned_round("8r 7r 9r X  2b 3b  4b 7r")
    two = turned_round("9r 7r 8r X  2b 3b  4b 7r")
    assert one.observation(1).tobytes() == two.observation(1).tobytes()
    assert key(one, 1) != key(two, 1)


@rule("F-58")
def test_no_joker_is_guessed_in_the_hand_of_a_spell():
    m = clash("9r 8r", "5r", kind="rose_prick", seed=1, combat="fast_play")
    assert not any(s.hand[0, -1] for s in guesses(m, 1))
    assert any(s.hand[0, -1] for s in guesses(clash("9r 8r", "5r", seed=1, combat="fast_play"), 1))


@rule("F-58")
def test_no_spell_is_set_up_with_a_joker_in_hand():
    with pytest.raises(SetupError, match="joker"):
        clash("9r X", "5r", kind="rose_prick")

"""Poker dice: exact pools, hits, superiority, ties."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest

from fm_env.games.angry_miniatures import dice
from tests.games.angry_miniatures.play import battle, dice_rolled, field, health, play, rule, sheet, words

LETTERS = {"A": "A", "K": "K", "Q": "Q", "J": "J", "10": "", "9": ""}


@pytest.mark.parametrize("n", range(7))
def test_pools_are_as_likely_as_all_throws_listed_one_by_one(n):
    listed = Counter()
    for throw in itertools.product(dice.SIDES, repeat=n):
        listed["".join(sorted((LETTERS[side] for side in throw), key="AKQJ".find)) or "-"] += 1
    out = np.full(dice.NUM_OUTCOMES, -1, np.int64)
    assert dice.pool_weights(n, out) == 6**n == out.sum()
    assert {dice.outcome_text(int(c)): int(out[c]) for c in np.flatnonzero(out)} == listed


@pytest.mark.parametrize("n", range(13))
def test_pools_add_up_exactly_up_to_twelve_dice(n):
    out = np.zeros(dice.NUM_OUTCOMES, np.int64)
    assert dice.pool_weights(n, out) == 6**n == sum(map(int, out))
    assert (out > 0).sum() == dice.POOL_ENDS[n]
    faces = sum(int(w) * int(t[1:].sum()) for w, t in zip(out[: dice.NUM_THROWS], dice.THROWS, strict=True))
    assert 2 * faces == n * 6**n  # half of the sides are faces


@rule("A-05", "A-26")
def test_two_dice_thrown_until_they_differ_are_even():
    pairs = list(itertools.product(range(6), repeat=2))
    first = sum(a < b for a, b in pairs)
    assert first == sum(a > b for a, b in pairs) == 15
    out = np.full(dice.NUM_OUTCOMES, -1, np.int64)
    assert dice.contest_weights(out) == 2 * first == out.sum()
    assert out[dice.FIRST_HIGHER] == out[dice.SECOND_HIGHER] == first


@rule("A-02")
def test_jacks_never_decide_a_tie_and_numbers_are_one_class():
    """With equal hits, Kings and Queens the Jacks are equal, so four letters say all that counts."""
    ties = 0
    for a, b in itertools.product(dice.THROWS[:126], repeat=2):
        if dice.hits(a) == dice.hits(b) and a[1] == b[1] and a[2] == b[2]:
            ties += 1
            assert a[3] == b[3]
            assert dice.superior(a, b) == np.sign(int(a[0]) - int(b[0]))
    assert ties > 126
    assert dice.outcome_text(0) == "-"


def test_the_throws_are_numbered_by_their_letters():
    sums = dice.THROWS.sum(axis=1)
    assert (np.diff(sums) >= 0).all()
    assert [int((sums <= n).sum()) for n in range(13)] == dice.POOL_ENDS.tolist()


# ---------------------------------------------------------------------------- the four test vectors
@pytest.mark.parametrize(
    ("attack", "defence", "lost"),
    [
        ("AKQ", "J", (0, 1)),  # K Q 9 A v. J 10: 2 to 1
        ("-", "KJ", (2, 0)),  # 9 10 v. K J: the defender deals 2
        ("K", "AJ", (1, 0)),  # K 9 v. J A: a tie, the defender has more Aces
    ],
)
@rule("A-03", "A-06")
def test_the_published_examples(attack, defence, lost):
    m = battle([(sheet(body=5), "a1")], [(sheet(body=5), "a2")], f"{attack} {defence}")
    play(m, "A1 at B1")
    assert health(m) == [5 - lost[0], 5 - lost[1]]


@rule("A-01")
@pytest.mark.parametrize(("winner", "left"), [("first", [4, 3]), ("second", [3, 4])])
def test_equal_rolls_go_to_a_super_tie_breaker(winner, left):
    """9 9 v. 10: no hits on either side, nothing superior."""
    m = battle([(sheet(), "a1")], [(sheet(), "a2")], f"- - {winner}")
    play(m, "A1 at B1")
    assert health(m) == left
    assert "SuperTieBreaker" in words(m)


@rule("A-01", "A-03")
@pytest.mark.parametrize(
    ("attack", "defence", "ahead"),
    [
        ("AKJ", "KJ", 1),
        ("KJ", "AKJ", -1),
        ("KJ", "QJ", 1),
        ("KKJ", "KQQ", 1),
        ("QQ", "QJ", 1),
        ("JJ", "QJ", -1),
    ],
)
def test_superiority_goes_by_aces_kings_queens(attack, defence, ahead):
    number = {dice.outcome_text(c): dice.THROWS[c] for c in range(dice.NUM_THROWS)}
    assert dice.hits(number[attack]) == dice.hits(number[defence])
    assert dice.superior(number[attack], number[defence]) == ahead


@rule("A-05")
def test_a_super_tie_breaker_triggers_no_crit():
    """Both are hurt and could regenerate, but one Ace each and a tie-break die are no two Aces."""
    wounded = {"health": 2}
    m = battle([(sheet(), "a1", wounded)], [(sheet(), "a2", wounded)], "AK AK first")
    play(m, "A1 at B1")
    assert health(m) == [2, 1]


# ------------------------------------------------------------------------------------- pool sizes
@rule("A-09")
def test_a_pool_never_has_less_than_no_dice():
    """Body 1, a flaw against melee, prone: -1 becomes 0; the roll shows nothing and is decided as ever."""
    weak = sheet(body=1, mind=4, flaw="defence_melee")
    m = battle([(sheet(), "a1")], [(weak, "a2", {"prone": True})], "J -")
    play(m, "A1 at B1")
    assert dice_rolled(m) == [("A1", 6), ("B1", 0)]
    assert health(m) == [4, 2]


@rule("A-09")
def test_a_pool_is_cut_to_twelve():
    """Mind 7, a perk against range, five hindering squares on the way: 13."""
    hard = sheet("range", body=1, mind=7, perk="defence_range")
    m = battle([(sheet("range"), "a10")], [(hard, "g10")], "K -", board=field('.""""".' + "..."))
    play(m, "A1 at B1")
    assert dice_rolled(m) == [("A1", 5), ("B1", 12)]

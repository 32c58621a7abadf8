"""Random numbers are fair, repeatable and exact; both ways of drawing chance follow the weights."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from fm_env.chance import draw_keyed, draw_plain
from fm_env.errors import SetupError
from fm_env.rng import (
    MAX_SEED,
    as_seed,
    child_seed,
    fill_row,
    hash_words,
    next_u32,
    random_below,
    random_float,
    row_for,
    seed_rows,
)


def _fair(counts, expected=None) -> bool:
    return chisquare(counts, expected).pvalue > 1e-4


def test_words_are_uniform_bit_by_bit_and_byte_by_byte() -> None:
    row = row_for(1)
    words = np.array([next_u32(row) for _ in range(20_000)], np.uint64)
    assert words.max() < 2**32
    for bit in range(32):
        ones = int(((words >> np.uint64(bit)) & np.uint64(1)).sum())
        assert _fair([ones, 20_000 - ones])
    for shift in (0, 8, 16, 24):
        assert _fair(np.bincount(((words >> np.uint64(shift)) & np.uint64(255)).astype(int), minlength=256))


def test_neighbouring_words_and_rows_are_independent() -> None:
    """Pairs of (word n, word n + 1) and of (seed k, seed k + 1) fill a 16 x 16 table evenly."""
    row = row_for(5)
    words = [next_u32(row) >> 28 for _ in range(20_001)]
    assert _fair(np.bincount([16 * a + b for a, b in pairwise(words)], minlength=256))
    first = [next_u32(row_for(seed)) >> 28 for seed in range(20_001)]
    assert _fair(np.bincount([16 * a + b for a, b in pairwise(first)], minlength=256))
    other = [next_u32(row_for(seed, purpose=1)) >> 28 for seed in range(20_001)]
    assert _fair(np.bincount([16 * a + b for a, b in zip(first, other, strict=False)], minlength=256))


@pytest.mark.parametrize("n", [1, 2, 3, 7, 54, 1000, 2**30, 2**30 + 1, 3 * 2**40, 2**62])
def test_random_below_is_uniform(n: int) -> None:
    row = row_for(n % 1000)
    drawn = [random_below(row, n) for _ in range(4000)]
    assert 0 <= min(drawn) <= max(drawn) < n
    bins = min(n, 8)
    assert bins == 1 or _fair(
        np.bincount([x * bins // n for x in drawn], minlength=bins), _even(n, bins, 4000)
    )


def _even(n, bins, total):
    if n < 1000:
        sizes = np.bincount([x * bins // n for x in range(n)], minlength=bins)
        return sizes * (total / n)
    return np.full(bins, total / bins)


def test_random_float_is_uniform() -> None:
    row = row_for(3)
    drawn = np.array([random_float(row) for _ in range(10_000)])
    assert 0 <= drawn.min() < drawn.max() < 1
    assert _fair(np.bincount((drawn * 20).astype(int), minlength=20))


def test_a_row_is_its_bytes() -> None:
    row = row_for(11)
    for _ in range(5):
        next_u32(row)
    copy = row.copy()
    assert [next_u32(row) for _ in range(9)] == [next_u32(copy) for _ in range(9)]


def test_long_streams_go_on_past_32_bits_of_counter() -> None:
    row = row_for(11)
    early = [next_u32(row) for _ in range(4)]
    row[2] = 2**32
    assert [next_u32(row) for _ in range(4)] != early


@given(st.integers(0, MAX_SEED - 1), st.integers(0, 2**20), st.integers(0, 2**20))
def test_child_seeds_are_seeds(seed: int, a: int, b: int) -> None:
    assert 0 <= child_seed(seed, a, b) < MAX_SEED


def test_child_seeds_differ() -> None:
    assert len({child_seed(7, a, b) for a in range(100) for b in range(100)}) == 10_000


def test_rows_of_purposes_differ() -> None:
    rows = np.zeros((50, 4), np.int64)
    for purpose in range(50):
        fill_row(7, purpose, rows[purpose])
    assert len({row.tobytes() for row in rows}) == 50


def test_seeds_of_all_kinds() -> None:
    assert as_seed(np.int32(5)) == 5
    assert 0 <= as_seed(None) < MAX_SEED
    assert as_seed(None) != as_seed(None)
    assert 0 <= as_seed(2**100) < MAX_SEED
    assert as_seed(np.random.SeedSequence(1)) == as_seed(np.random.SeedSequence(1))
    for bad in (-1, "7", 1.5, True):
        with pytest.raises(SetupError, match="seed"):
            as_seed(bad)


def test_seed_rows_are_repeatable_and_distinct() -> None:
    assert np.array_equal(seed_rows(3, 5), seed_rows(3, 5))
    assert len(np.unique(seed_rows(3, 500)[:, :2], axis=0)) == 500


def test_hash_words_depends_on_every_word() -> None:
    base = (1, 2, 3, 4, 5)
    hashes = {hash_words(*base)}
    for k in range(5):
        hashes.add(hash_words(*(x + 2**31 * (i == k) for i, x in enumerate(base))))
    assert len(hashes) == 6


WEIGHTS = np.array([4, 0, 1, 7, 2, 0])


def test_plain_draws_follow_the_weights() -> None:
    row = row_for(1)
    counts = np.bincount([draw_plain(WEIGHTS, 14, row) for _ in range(7000)], minlength=6)
    assert not counts[WEIGHTS == 0].any()
    assert _fair(counts[WEIGHTS > 0], 500 * WEIGHTS[WEIGHTS > 0])


def _deal(key, stream=0, skip=()):
    """All outcomes that a shuffle gives, in order; those in `skip` are taken out by hand first."""
    left, used, order = WEIGHTS.copy(), np.zeros(6, np.int64), []
    for c in skip:
        left[c] -= 1
    while left.any():
        c = draw_keyed(left, used, stream, key)
        assert left[c] > 0
        left[c] -= 1
        used[c] += 1
        order.append(int(c))
    return order


def test_keyed_draws_follow_the_weights_at_every_place() -> None:
    deals = [_deal(row_for(seed)) for seed in range(2800)]
    for place in (0, 1, 6, 13):
        counts = np.bincount([deal[place] for deal in deals], minlength=6)
        assert _fair(counts[WEIGHTS > 0], 200 * WEIGHTS[WEIGHTS > 0])


def test_keyed_pairs_are_as_likely_as_without_replacement() -> None:
    deals = [_deal(row_for(seed)) for seed in range(5600)]
    counts, expected = np.zeros(36), np.zeros(36)
    for deal in deals:
        counts[6 * deal[0] + deal[1]] += 1
    for a in range(6):
        for b in range(6):
            expected[6 * a + b] = WEIGHTS[a] * (WEIGHTS[b] - (a == b)) / (14 * 13) * 5600
    assert not counts[expected == 0].any()
    assert _fair(counts[expected > 0], expected[expected > 0])


def test_keyed_draws_are_shared_as_far_as_the_play_allows() -> None:
    """The deck order is fixed by the key: stopping, asking late or elsewhere changes nothing."""
    key = row_for(4)
    assert _deal(key) == _deal(key.copy())
    assert _deal(key) != _deal(row_for(5))
    assert _deal(key) != _deal(key, stream=1)
    left, used = np.array([1, 1, 1, 1, 1, 1]), np.zeros(6, np.int64)
    whole = draw_keyed(left, used, 3, key)
    without = left.copy()
    without[(whole + 1) % 6] = 0
    assert draw_keyed(without, used, 3, key) == whole, "a lesser outcome's absence changed the draw"


def test_keyed_throws_of_many_dice_follow_the_weights_and_are_shared() -> None:
    """Faces among five dice, out of 6**5 = 7776 throws: more than can be ranked one by one."""
    weights, none = np.array([243, 1215, 2430, 2430, 1215, 243]), np.zeros(6, int)
    total = int(weights.sum())
    counts = np.bincount([draw_keyed(weights, none, 3, row_for(seed)) for seed in range(6000)], minlength=6)
    assert _fair(counts, weights * (6000 / total))
    by_stream = [[draw_keyed(weights, none, stream, row_for(9)) for stream in range(40)] for _ in range(2)]
    assert by_stream[0] == by_stream[1] and len(set(by_stream[0])) > 2

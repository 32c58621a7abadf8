"""Random numbers for compiled rules, equal bit for bit with and without the compiler.

A generator is a row of four `int64`: two 32-bit key words, a counter, and a spare that stays 0.
Output number `c` of a row is a fixed function of its keys and `c`, so a row can be copied, saved
and compared like any state. All arithmetic stays below 2**63: no overflow, hence no difference
between compiled and plain runs and no warnings.
"""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np
import numpy.typing as npt

from fm_env.compiled import rule
from fm_env.errors import SetupError

Rows = npt.NDArray[np.int64]

ROW_SIZE = 4
MAX_SEED = 2**62
"""Seeds of games are integers below this; larger ones are hashed to fit."""

CHANCE_PURPOSE = 0
"""The stream of cards and dice of a game."""
SEAT_PURPOSE = 1
"""The stream of the bot in seat `i` is `SEAT_PURPOSE + i`."""
RESAMPLE_PURPOSE = 1000
"""The stream for guesses at hidden information made on behalf of a whole game."""

WORD = 0xFFFFFFFF


@rule
def mix(x):
    """Scramble a 32-bit word, one to one (`0x21f0aaad` family of H. Mueller's search)."""
    x ^= x >> 16
    x = (x * 0x21F0AAAD) & WORD
    x ^= x >> 15
    x = (x * 0x735A2D97) & WORD
    return x ^ (x >> 15)


@rule
def hash_words(k0, k1, a, b, c):
    """A 32-bit hash of five non-negative integers, each counted modulo 2**32."""
    x = mix((k0 + 0x1E3779B9) & WORD)
    x = mix(((x ^ k1) + (a & WORD)) & WORD)
    x = mix((x + (b & WORD) + 0x3C6EF372) & WORD)
    x = mix((x + (c & WORD) + 0x5A5A5A5A) & WORD)
    return mix(x ^ (k1 & WORD))


@rule
def next_u32(rng):
    """Next 32-bit word of a generator row."""
    counter = int(rng[2])
    rng[2] = counter + 1
    low = counter & WORD
    # The sum of two different keyed permutations has no birthday defect, unlike one alone.
    a = mix((low + int(rng[0])) & WORD)
    b = mix(((low ^ int(rng[1])) + (counter >> 32) * 7 + 0x165667B1) & WORD)
    return mix((a + b) & WORD)


@rule
def random_below(rng, n):
    """A uniform integer in `[0, n)`, exactly; `1 <= n <= 2**62`."""
    n = int(n)
    if n <= 0x40000000:
        # Lemire's multiply: the high word of u * n, with the few uneven low words redrawn.
        product = next_u32(rng) * n
        if (product & WORD) < n:
            uneven = (0x100000000 - n) % n
            while (product & WORD) < uneven:
                product = next_u32(rng) * n
        return product >> 32
    bits = 0x3FFFFFFFFFFFFFFF
    while bits >> 1 >= n - 1 and bits > 1:
        bits >>= 1
    while True:
        word = (((next_u32(rng) >> 2) << 32) | next_u32(rng)) & bits
        if word < n:
            return word


@rule
def random_float(rng):
    """A uniform float in `[0, 1)` with 53 random bits."""
    high = next_u32(rng) >> 5
    low = next_u32(rng) >> 6
    return (high * 67108864 + low) / 9007199254740992.0


@rule
def fill_row(seed, purpose, out):
    """Start the generator row `out[4]` for one purpose of the game with this seed."""
    seed = int(seed)
    low = seed & WORD
    high = seed >> 32
    out[0] = hash_words(low, high, purpose, 0x0A11CE, 1)
    out[1] = hash_words(high, low, purpose, 0x0B0B, 2)
    out[2] = 0
    out[3] = 0


@rule
def child_seed(seed, a, b):
    """A seed for item `(a, b)` of whatever has `seed`, e.g. game `b` of slot `a` of a batch."""
    seed = int(seed)
    low = seed & WORD
    high = seed >> 32
    return (hash_words(low, high, a, b, 3) >> 2) << 32 | hash_words(high, low, a, b, 4)


def row_for(seed: int, purpose: int = CHANCE_PURPOSE) -> Rows:
    """The generator row `[4]` that a game with this seed uses for `purpose`."""
    row = np.zeros(ROW_SIZE, np.int64)
    fill_row(seed, purpose, row)
    return row


def as_seed(seed: Any) -> int:
    """Make a seed in `[0, 2**62)` of None (fresh entropy), an integer or a SeedSequence.

    Raises:
        SetupError: for anything else, or a negative integer.
    """
    if seed is None:
        return secrets.randbelow(MAX_SEED)
    if isinstance(seed, np.random.SeedSequence):
        return int(seed.generate_state(1, np.uint64)[0] >> np.uint64(2))
    if isinstance(seed, (int, np.integer)) and not isinstance(seed, bool) and seed >= 0:
        seed = int(seed)
        return seed if seed < MAX_SEED else as_seed(np.random.SeedSequence(seed))
    raise SetupError(f"seed: expected a non-negative integer, a SeedSequence or None, got {seed!r}")


def seed_rows(seed: int | np.random.SeedSequence | None, n: int) -> Rows:
    """`[n, 4]` independent generator rows from one seed; None takes fresh entropy."""
    if not isinstance(seed, np.random.SeedSequence):
        seed = np.random.SeedSequence(as_seed(seed))
    rows = np.zeros((n, ROW_SIZE), np.int64)
    rows[:, :2] = seed.generate_state(2 * n, np.uint32).reshape(n, 2)
    return rows

"""How chance is drawn: in order from a generator, or by a key that similar games share.

The rules only say what may happen and with which integer weights; these functions choose.
"""

from __future__ import annotations

from fm_env.compiled import rule
from fm_env.rng import hash_words, random_below


@rule
def draw_plain(weights, total, rng):
    """An outcome with probability `weights[c] / total`, exactly.

    Args:
        weights: `[C]` i8, not negative.
        total: their sum, at least 1.
        rng: generator row.
    """
    return outcome_at(weights, random_below(rng, total))


BLOCK = 64
"""Weights that are summed up at once while looking for a ticket."""


@rule
def outcome_at(weights, ticket):
    """The outcome whose share of the weights, laid end to end, holds number `ticket`."""
    begin = 0
    while begin + BLOCK <= len(weights):
        inside = 0
        for k in range(BLOCK):  # vector instructions: a pool of dice has 1,822 outcomes
            inside += weights[begin + k]
        if ticket < inside:
            break
        ticket -= inside
        begin += BLOCK
    passed = 0
    outcome = begin
    # Counting the sums up to the ticket needs no branch that a processor could guess wrong, which
    # makes it three times as fast as stopping at the right one.
    for c in range(begin, min(begin + BLOCK, len(weights))):
        passed += weights[c]
        outcome += passed <= ticket
    return outcome


MOST_COPIES = 1024
"""Sources with more copies than this are throws of dice, drawn at once; several decks have fewer."""


@rule
def draw_keyed(weights, used, stream, key):
    """The outcome that the source `stream` of the luck named by `key` gives next.

    Every physical copy j of outcome c has a fixed priority, a hash of (key, stream, c, j), and
    the copies leave in the order of their priorities, like cards from the top of a shuffled
    deck. Two games with the same key therefore see the same deck order for as long as they draw
    from the same stream, whatever was chosen in between, and seen alone each draw is as fair as
    `draw_plain`.

    A throw of several dice has up to billions of equally likely ends, far too many to rank. Where
    the weights add up to more than `MOST_COPIES`, one ticket hashed from (key, stream) is looked up
    in them: equal throws of equal streams then fall alike.

    Args:
        weights: `[C]` i8, copies of each outcome still in the source.
        used: `[C]` i8, copies of each outcome that this source has already given.
        stream: number of the source (see `chance_stream` of the contract).
        key: `[>=2]` i8, two 32-bit words.
    """
    total = 0
    for c in range(len(weights)):
        total += int(weights[c])
    if total > MOST_COPIES:
        return _thrown(weights, total, stream, key)
    best_outcome = -1
    best = -1
    for c in range(len(weights)):
        if weights[c] > 0:
            priority = _priority_of_next(c, int(weights[c]) + int(used[c]), int(used[c]), stream, key)
            if priority > best:
                best = priority
                best_outcome = c
    return best_outcome


@rule
def _thrown(weights, total, stream, key):
    """The outcome under a ticket below `total`; a remainder of 62 bits, even to `total / 2**62`."""
    return outcome_at(weights, _priority(0, 0, stream, key) % total)


@rule
def _priority_of_next(c, copies, gone, stream, key):
    """The `gone + 1`-th highest priority among the copies of outcome `c`."""
    ceiling = 0x7FFFFFFFFFFFFFFF
    for _ in range(gone + 1):
        highest = -1
        for j in range(copies):
            priority = _priority(c, j, stream, key)
            if highest < priority < ceiling:
                highest = priority
        ceiling = highest
    return ceiling


@rule
def _priority(c, j, stream, key):
    """62 bits, so that ties between copies don't happen in practice."""
    k0 = int(key[0])
    k1 = int(key[1])
    return (hash_words(k0, k1, stream, c, j) >> 2) << 32 | hash_words(k1, k0, stream, c, j)

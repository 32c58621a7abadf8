"""The trees of a search: for each seat, what was tried where that seat knew the same things.

A node stands for all that one seat can tell apart: it is found by a hash of the seat and its
observation, so plays that reach it from different hidden cards share it. Edges hold a prior
chance, visits and the sum of the seat's returns. All of it is in flat arrays; the functions below
are compiled once for all games.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fm_env.compiled import rule

Arrays = npt.NDArray[np.generic]

ABSENT = -1


class Nodes:
    """Growing arrays of nodes and edges."""

    def __init__(self, capacity: int = 1024) -> None:
        """Make room for `capacity` nodes; more is made where needed."""
        self.first = np.zeros(capacity + 1, np.int64)
        """`[n + 1]`: edges of node k are `first[k] .. first[k + 1] - 1`."""
        self.keys = np.zeros(capacity, np.uint64)
        self.visits = np.zeros(capacity, np.int64)
        self.slots = np.full(4 * capacity, ABSENT, np.int64)
        """Open addressing: node numbers by key."""
        self.action = np.zeros(8 * capacity, np.int64)
        self.prior = np.zeros(8 * capacity, np.float64)
        self.count = np.zeros(8 * capacity, np.float64)
        self.total = np.zeros(8 * capacity, np.float64)
        self.size = np.zeros(1, np.int64)
        """`[1]`: how many nodes there are."""

    def clear(self) -> None:
        """Forget everything."""
        self.size[0] = 0
        self.slots[:] = ABSENT

    def reserve(self, nodes: int, edges: int) -> None:
        """Make room for that many more."""
        size = int(self.size[0])
        if size + nodes > len(self.keys):
            grown = max(2 * len(self.keys), size + nodes)
            self.first = _grown(self.first, grown + 1)
            self.keys = _grown(self.keys, grown)
            self.visits = _grown(self.visits, grown)
            self.slots = np.full(4 * grown, ABSENT, np.int64)
            place_all(self.keys, size, self.slots)
        used = int(self.first[size])
        if used + edges > len(self.action):
            grown = max(2 * len(self.action), used + edges)
            for name in ("action", "prior", "count", "total"):
                setattr(self, name, _grown(getattr(self, name), grown))


def _grown(array: Arrays, length: int) -> Arrays:
    longer = np.zeros(length, array.dtype)
    longer[: len(array)] = array
    return longer


@rule
def place_all(keys, size, slots):
    for k in range(size):
        i = slot_of(keys, slots, keys[k])
        slots[i] = k


@rule
def slot_of(keys, slots, key):
    """Where `key` is, or would be."""
    i = np.int64(key % np.uint64(len(slots)))
    while slots[i] != -1 and keys[slots[i]] != key:
        i += 1
        if i == len(slots):
            i = 0
    return i


@rule
def hash_of(words, salt):
    """A 64-bit hash of 32-bit words (FNV-1a over words, mixed at the end)."""
    h = np.uint64(0xCBF29CE484222325) ^ np.uint64(salt)
    for k in range(len(words)):
        h = (h ^ np.uint64(words[k])) * np.uint64(0x100000001B3)
        h ^= h >> np.uint64(32)
    h = (h ^ (h >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    return h ^ (h >> np.uint64(32))


@rule
def find(words, seats, live, keys, slots, size, node_of, key_of, fresh):
    """Nodes where rows stand; unknown ones are added without edges.

    Args:
        words: `[W, F]` u4, the bytes of observations.
        seats: `[W]`, who is asked.
        live: `[W]` bool, rows to look at.
        keys, slots, size: of `Nodes`.
        node_of: `[W]` out, node of each live row.
        fresh: `[W]` out: rows that made a node.

    Returns:
        How many rows are in `fresh`.
    """
    n = 0
    for w in range(len(live)):
        if not live[w]:
            continue
        key = hash_of(words[w], seats[w])
        i = slot_of(keys, slots, key)
        if slots[i] == -1:
            k = size[0]
            size[0] = k + 1
            keys[k] = key
            slots[i] = k
            fresh[n] = w
            n += 1
        node_of[w] = slots[i]
    return n


@rule
def expand(rows, node_of, masks, priors, first, action, prior, count, total, visits):
    """Give the nodes of `rows` (in the order they were made) their edges; `priors[j]` is of `rows[j]`."""
    for j in range(len(rows)):
        w = rows[j]
        k = node_of[w]
        e = first[k]
        for a in range(masks.shape[1]):
            if masks[w, a]:
                action[e] = a
                prior[e] = priors[j, a]
                count[e] = 0.0
                total[e] = 0.0
                e += 1
        first[k + 1] = e
        visits[k] = 0


@rule
def choose(live, node_of, uniforms, tilts, patience, temperature, first, action, prior, count, total,
           scratch, edges, actions):  # fmt: skip
    """Draw an edge for each live row from prior * exp(evidence / temperature).

    `tilts[w]` False: by the prior alone. The evidence for an edge is its mean return less the node's,
    shrunk by `n / (n + patience)`.
    """
    for w in range(len(live)):
        if not live[w]:
            continue
        k = node_of[w]
        low = first[k]
        n = first[k + 1] - low
        weigh(low, n, tilts[w], patience, temperature, prior, count, total, scratch)
        mass = 0.0
        for j in range(n):
            mass += scratch[j]
        u = uniforms[w] * mass
        pick = n - 1
        for j in range(n):
            u -= scratch[j]
            if u < 0.0:
                pick = j
                break
        edges[w] = low + pick
        actions[w] = action[low + pick]


@rule
def weigh(low, n, tilt, patience, temperature, prior, count, total, out):
    """Unnormalised chances of the edges `low .. low + n - 1`."""
    for j in range(n):
        out[j] = prior[low + j]
    if not tilt:
        return
    visits = 0.0
    sums = 0.0
    for j in range(n):
        visits += count[low + j]
        sums += total[low + j]
    if visits == 0.0:
        return
    mean = sums / visits
    best = -1e300
    for j in range(n):
        c = count[low + j]
        gain = (total[low + j] - mean * c) / (c + patience) / temperature
        out[j] = np.log(max(out[j], 1e-12)) + gain
        best = max(best, out[j])
    for j in range(n):
        out[j] = np.exp(out[j] - best)


@rule
def back_up(depths, path_nodes, path_edges, path_seats, values, count, total, visits):
    """Add each row's returns `values[w, seat]` to the edges on its path."""
    for w in range(len(depths)):
        for d in range(depths[w]):
            e = path_edges[w, d]
            count[e] += 1.0
            total[e] += values[w, path_seats[w, d]]
            visits[path_nodes[w, d]] += 1

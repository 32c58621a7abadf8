"""What a search has tried, by what the seat that chose knew there.

A node stands for all that one seat can't tell apart: it is found by a hash of the seat and its
observation, so plays that reach it under different hidden cards share it, and each seat has a tree of
its own. Edges hold a prior chance, a count and the sum of that seat's returns. All of it is in flat
arrays; the functions below are compiled once for all games.
"""

from __future__ import annotations

from typing import TypeVar

import numpy as np
import numpy.typing as npt

from fm_env.compiled import rule

Scalar = TypeVar("Scalar", bound=np.generic)

ABSENT = -1

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]


class Nodes:
    """Growing arrays of nodes and edges."""

    def __init__(self, capacity: int = 1024) -> None:
        """Make room for `capacity` nodes; more is made where needed."""
        self.first = np.zeros(capacity + 1, np.int64)
        """`[n + 1]`: edges of node k are `first[k] .. first[k + 1] - 1`."""
        self.keys = np.zeros(capacity, np.uint64)
        self.visits = np.zeros(capacity, np.int64)
        """`[n]`: imagined games that were judged there."""
        self.slots = np.full(4 * capacity, ABSENT, np.int64)
        """Open addressing: node numbers by key."""
        self.action = np.zeros(8 * capacity, np.int64)
        self.prior = np.zeros(8 * capacity)
        self.count = np.zeros(8 * capacity)
        self.total = np.zeros(8 * capacity)
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
            self.first, self.keys = _grown(self.first, grown + 1), _grown(self.keys, grown)
            self.visits = _grown(self.visits, grown)
            self.slots = np.full(4 * grown, ABSENT, np.int64)
            _place_all(self.keys, size, self.slots)
        used = int(self.first[size])
        if used + edges > len(self.action):
            grown = max(2 * len(self.action), used + edges)
            self.action = _grown(self.action, grown)
            self.prior, self.count = _grown(self.prior, grown), _grown(self.count, grown)
            self.total = _grown(self.total, grown)

    def find(self, observations: npt.NDArray[np.float32], seats: npt.NDArray[np.int32], live: Bools,
             node_of: Ints) -> Ints:  # fmt: skip
        """Put the nodes of all live rows into `node_of[W]`; returns the rows that made a new node.

        New ones have to be given to `expand` before anything else is done with them.
        """
        fresh = np.zeros(len(live), np.int64)
        words = observations.view(np.uint32)
        n = _find(words, seats, live, self.keys, self.slots, self.size, node_of, fresh)
        return fresh[:n]

    def expand(self, rows: Ints, node_of: Ints, masks: Bools, priors: npt.NDArray[np.float32]) -> None:
        """Give the nodes that `find` made their edges; `priors[j]` is of row `rows[j]`."""
        self.visits[node_of[rows]] = 0
        _expand(rows, node_of, masks, priors, self.first, self.action, self.prior, self.count, self.total)

    def choose(self, live: Bools, node_of: Ints, uniforms: Floats, tilted: Bools, patience: float,
               temperature: float, edges: Ints, actions: Ints) -> None:  # fmt: skip
        """Draw an edge and its action for each live row; see `weigh` for the chances."""
        _choose(
            live, node_of, uniforms, tilted, patience, temperature, self.first, self.action, self.prior,
            self.count, self.total, np.zeros(512), edges, actions,
        )  # fmt: skip

    def back_up(self, edges: Ints, returns: Floats) -> None:
        """Add a return to each of the edges."""
        _back_up(edges, returns, self.count, self.total)


def _grown(array: npt.NDArray[Scalar], length: int) -> npt.NDArray[Scalar]:
    longer = np.zeros(length, array.dtype)
    longer[: len(array)] = array
    return longer


@rule
def _place_all(keys, size, slots):
    for k in range(size):
        slots[slot_of(keys, slots, keys[k])] = k


@rule
def slot_of(keys, slots, key):
    """Where a key is, or would be."""
    i = np.int64(key % np.uint64(len(slots)))
    while slots[i] != ABSENT and keys[slots[i]] != key:
        i += 1
        if i == len(slots):
            i = 0
    return i


@rule
def hash_of(words, salt):
    """A 64-bit hash of 32-bit words: FNV-1a, word by word, with the high half folded in at each."""
    h = np.uint64(0xCBF29CE484222325) ^ np.uint64(salt)
    for k in range(len(words)):
        h = (h ^ np.uint64(words[k])) * np.uint64(0x100000001B3)
        h ^= h >> np.uint64(32)
    return h


@rule
def _find(words, seats, live, keys, slots, size, node_of, fresh):
    n = 0
    for w in range(len(live)):
        if not live[w]:
            continue
        key = hash_of(words[w], seats[w])
        i = slot_of(keys, slots, key)
        if slots[i] == ABSENT:
            keys[size[0]] = key
            slots[i] = size[0]
            size[0] += 1
            fresh[n] = w
            n += 1
        node_of[w] = slots[i]
    return n


@rule
def _expand(rows, node_of, masks, priors, first, action, prior, count, total):
    for j in range(len(rows)):
        w = rows[j]
        e = first[node_of[w]]
        for a in range(masks.shape[1]):
            if masks[w, a]:
                action[e] = a
                prior[e] = priors[j, a]
                count[e] = 0.0
                total[e] = 0.0
                e += 1
        first[node_of[w] + 1] = e


@rule
def _choose(live, node_of, uniforms, tilted, patience, temperature, first, action, prior, count, total,
            scratch, edges, actions):  # fmt: skip
    for w in range(len(live)):
        if not live[w]:
            continue
        low = first[node_of[w]]
        n = first[node_of[w] + 1] - low
        weigh(low, n, tilted[w], patience, temperature, prior, count, total, scratch)
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
def weigh(low, n, is_tilted, patience, temperature, prior, count, total, out):
    """Chances, up to a factor, of the edges `low .. low + n - 1`: `prior * exp(evidence / temperature)`.

    The evidence for an edge is its mean return less the node's, shrunk by `count / (count + patience)`:
    what was tried rarely stays as likely as the prior has it. Not tilted: the prior alone.
    """
    visits = 0.0
    sums = 0.0
    for j in range(n):
        out[j] = prior[low + j]
        visits += count[low + j]
        sums += total[low + j]
    if not is_tilted or visits == 0.0:
        return
    best = -np.inf
    for j in range(n):
        c = count[low + j]
        gain = (total[low + j] - sums / visits * c) / (c + patience)
        out[j] = np.log(max(out[j], 1e-12)) + gain / temperature
        best = max(best, out[j])
    for j in range(n):
        out[j] = np.exp(out[j] - best)


@rule
def _back_up(edges, returns, count, total):
    for k in range(len(edges)):
        count[edges[k]] += 1.0
        total[edges[k]] += returns[k]

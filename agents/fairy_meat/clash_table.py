"""Solved clashes as files: the weight of every declaration, lay and main card, in a byte each.

`NAME.npz` holds arrays of integers only and is read without pickle; `NAME.json` (the card) says which
clashes they are, how far from equilibrium, and the hash of the former. For hands of `a` and `d` cards
and each role there are

    aXdY.R.declare      `[1 or 2, H]` chance of adding, in 255ths
    aXdY.R.lay.*        sets before the trumps are laid
    aXdY.R.main.*       sets before the main card: `keys` (differences of sorted keys), `counts`
                        (legal actions) and `chances` (of each, by ascending id; the largest is 255)

Sets with one action, and those that the strategy itself never comes to, are left out.
"""

from __future__ import annotations

import hashlib
import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from fm_env.errors import LoadError
from fm_env.games.fairy_meat.constants import FIRST_TRUMP, JOKER

TABLES = Path(__file__).parent.parent / "tables"
"""Where the shipped tables live."""

FORMAT = "fm-env-clash-table-1"
MAX_BYTES = 32 * 2**20
TYPES = 21
"""18 numbers by value and colour, red trump, black trump, joker."""
PARTS = ("keys", "counts", "chances")

Counts = npt.NDArray[np.int8]
Ints = npt.NDArray[np.int64]


def multisets(pack: Ints, size: int) -> Counts:
    """All hands of `size` cards out of `pack[21]`, `[H, 21]`, in lexicographic order of their counts."""
    found: list[tuple[int, ...]] = []
    counts = [0] * len(pack)

    def fill(kind: int, left: int) -> None:
        if left == 0:
            found.append(tuple(counts))
            return
        if kind == len(pack) or left > int(pack[kind:].sum()):
            return
        for n in range(min(left, int(pack[kind])) + 1):
            counts[kind] = n
            fill(kind + 1, left - n)
        counts[kind] = 0

    fill(0, size)
    return np.array(sorted(found), np.int8).reshape(-1, len(pack))


def types_in(cards: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """`[B, 27]` counts of cards to `[B, 21]` counts of types."""
    trumps = [cards[:, FIRST_TRUMP + colour : JOKER : 2].sum(1, keepdims=True) for colour in range(2)]
    return np.concatenate([cards[:, :FIRST_TRUMP], *trumps, cards[:, JOKER:]], axis=1)


def set_key(hand: Any, signs: Any, lay: Any, other: Any, most: int) -> Any:
    """Number of an information set after the declarations.

    Args:
        hand: row of `multisets`.
        signs: 2 * (attacker subtracts) + (defender subtracts).
        lay: 0 before the lay or for None, else `1 + colour * most + n - 1`.
        other: what is seen of the other's lay: as `lay` where both laid, else `2 * most + n`.
        most: largest lay of the table.
    """
    return ((hand * 4 + signs) * (2 * most + 1) + lay) * (3 * most + 1) + other


@dataclass(frozen=True)
class Sets:
    """Chances at many sets of one stage."""

    keys: Ints
    """Sorted."""
    first: Ints
    """`[n + 1]` where the chances of each begin."""
    chances: npt.NDArray[np.uint8]

    def find(self, keys: Ints) -> Ints:
        """Row of each key, or -1."""
        if len(self.keys) == 0:
            return np.full(len(keys), -1, np.int64)
        at = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.where(self.keys[at] == keys, at, -1)


@dataclass(frozen=True)
class Solved:
    """One role of one pair of hand sizes."""

    declare: npt.NDArray[np.uint8]
    lay: Sets
    main: Sets
    most: int
    """Largest lay, as in `set_key`."""


class Tables:
    """A file of solved clashes."""

    def __init__(self, card: dict[str, Any], arrays: dict[str, npt.NDArray[Any]]) -> None:
        """Take what `load_tables` read.

        Raises:
            LoadError: an array is missing or isn't what it should be.
        """
        self.card = card
        self.pack = np.array(card["pack"], np.int64)
        self.solved: dict[tuple[int, int, int], Solved] = {}
        for a, d in card["sizes"]:
            for role in range(2):
                self.solved[a, d, role] = _solved(arrays, f"a{a}d{d}.{role}", int(card["most"][f"a{a}d{d}"]))
        self._rows: dict[int, dict[bytes, int]] = {}

    def rows(self, hands: npt.NDArray[Any], size: int) -> Ints:
        """Row in `multisets` of each of the hands `[B, 21]` of `size` cards; -1 if not in the pack."""
        if size not in self._rows:
            known = multisets(self.pack, size)
            self._rows[size] = {row.tobytes(): k for k, row in enumerate(known)}
        table = self._rows[size]
        return np.array([table.get(row.tobytes(), -1) for row in hands.astype(np.int8)], np.int64)


def save_tables(path: Path, card: dict[str, Any], arrays: dict[str, npt.NDArray[Any]]) -> None:
    """Write `path.npz` and `path.json`; the card gets the format and the hash."""
    from agents.policy import write_atomically

    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)  # type: ignore[arg-type]
    data = buffer.getvalue()
    card = {"format": FORMAT} | card | {"sha256": hashlib.sha256(data).hexdigest()}
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path.with_suffix(".npz"), data)
    write_atomically(path.with_suffix(".json"), (json.dumps(card, indent=1) + "\n").encode())


def load_tables(path: Path, rules_version: int) -> Tables:
    """Read a pair of files.

    Raises:
        LoadError: missing, damaged, too big, of another format or made under other rules.
    """
    file, card_file = path.with_suffix(".npz"), path.with_suffix(".json")
    try:
        card = json.loads(card_file.read_text(encoding="utf-8"))
        if file.stat().st_size > MAX_BYTES:
            raise LoadError(f"{file.name} is bigger than the {MAX_BYTES:,} bytes allowed")
        data = file.read_bytes()
    except (OSError, ValueError) as error:
        raise LoadError(f"cannot read table {path.name!r}: {error}") from None
    if not isinstance(card, dict) or card.get("format") != FORMAT:
        raise LoadError(f"{card_file.name} is not the card of a clash table ({FORMAT})")
    if card.get("rules_version") != rules_version:
        raise LoadError(
            f"table {path.name!r} was solved under rules version {card.get('rules_version')},"
            f" now at {rules_version}"
        )
    if hashlib.sha256(data).hexdigest() != card.get("sha256"):
        raise LoadError(f"{file.name} is damaged or doesn't belong to {card_file.name}: its hash differs")
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as found:
            return Tables(card, {name: found[name] for name in found.files})
    except (ValueError, KeyError, OSError, TypeError) as error:
        raise LoadError(f"{file.name} is not a clash table: {error}") from None


def _solved(arrays: dict[str, npt.NDArray[Any]], name: str, most: int) -> Solved:
    sets: list[Sets] = []
    for stage in ("lay", "main"):
        keys, counts, chances = (arrays[f"{name}.{stage}.{part}"] for part in PARTS)
        first = np.concatenate([[0], np.cumsum(counts.astype(np.int64))])
        if len(keys) != len(counts) or first[-1] != len(chances) or chances.dtype != np.uint8:
            raise LoadError(f"table entry {name}.{stage}: its arrays don't fit each other")
        sets.append(Sets(np.cumsum(keys.astype(np.int64)), first, chances))
    return Solved(arrays[f"{name}.declare"], sets[0], sets[1], most)

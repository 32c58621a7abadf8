"""Damage to documents by plain random numbers, for `tests.fuzz.guided`; hypothesis has `damage.py`."""

from __future__ import annotations

import copy
import json
import random
import re
from collections.abc import Iterable, Sequence
from typing import Any

from tests.fuzz.damage import places

JUNK: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 3, 7, 48, 255, 256, 2**31, 2**63, -(2**70), 0.5, -0.0, 1e308,
    float("nan"), float("inf"), "", "0", "random", "\x00", "é" * 40, "../../etc/passwd", "x" * 300,
    [], {}, [0], [[]], {"": 0}, [None, None],
)  # fmt: skip
"""What is put in the place of something."""


def inside(document: Any, path: Sequence[str | int]) -> Any:
    """What lies at a place."""
    for key in path:
        document = document[key]
    return document


def mutated(data: bytes, rng: random.Random, others: Sequence[bytes]) -> bytes | None:
    """The JSON document with one to three entries replaced, removed, doubled or taken from another place;
    None if it isn't JSON (lines of JSON are one document).
    """
    document, is_lines = parsed(data)
    if document is None:
        return None
    document: Any = [document]  # so that the whole has a place, too
    for _ in range(rng.randint(1, 3)):
        known = places(document)
        if not known:
            return None
        *above, last = rng.choice(known)
        inner: Any = inside(document, above)
        how = rng.choice(["junk", "near", "remove", "double", "other", "swap"])
        if how == "near":
            inner[last] = near(inner[last], rng)
        elif how == "remove" and above:
            del inner[last]
        elif how == "double" and isinstance(inner, list):
            inner.insert(int(last), copy.deepcopy(inner[last]))
        elif how == "other":
            other = parsed(rng.choice(others))[0]
            paths = places(other)
            inner[last] = copy.deepcopy(inside(other, rng.choice(paths))) if paths else other
        elif how == "swap":
            inner[last] = copy.deepcopy(inside(document, rng.choice(known)))
        else:
            inner[last] = copy.deepcopy(rng.choice(JUNK))
    text = "\n".join(map(json.dumps, document[0])) if is_lines and isinstance(document[0], list) else None
    return (json.dumps(document[0]) if text is None else text + "\n").encode()


def parsed(data: bytes) -> tuple[Any, bool]:
    """A JSON document, and whether it is one of lines; `(None, False)` if it is neither."""
    try:
        return json.loads(data), False
    except (ValueError, RecursionError):
        pass
    try:
        return [json.loads(line) for line in data.splitlines()] or None, True
    except (ValueError, RecursionError):
        return None, False


def near(value: Any, rng: random.Random) -> Any:
    """Something a little different."""
    if isinstance(value, bool) or value is None:
        return not value
    if isinstance(value, int | float):
        return rng.choice([value + 1, value - 1, -value, value * 2, str(value), [value]])
    if isinstance(value, str):
        at = rng.randint(0, len(value))
        return rng.choice(
            [value[:at], value + value, value[:at] + rng.choice("0 :/\x7f") + value[at:], value.upper()]
        )
    if isinstance(value, list):
        return rng.choice([value[::-1], value[: len(value) // 2], value * 2])
    if isinstance(value, dict):
        return dict(list(value.items())[: len(value) // 2])
    return value


def words(documents: Iterable[bytes]) -> list[str]:
    """Names and numbers that stand in the documents, for libFuzzer's dictionary."""
    found: set[str] = set()
    for document in documents:
        found |= set(
            re.findall(r"[A-Za-z_][A-Za-z0-9_]{2,30}|-?\d+\.?\d*", document.decode("ascii", "ignore"))
        )
    return sorted(found)[:400]

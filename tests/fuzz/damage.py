"""Damaged documents: a sound one with something put out of place, as hypothesis strategies."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.sampled_from([-1, 0, 1, 2, 3, 7, 48, 255, 256, 2**31, 2**63]),
    st.floats(allow_nan=True, allow_infinity=True),
    st.text(max_size=12),
    st.sampled_from(["duel", "fast_play", "random", "7r", "", "0", "../../etc/passwd", "\x00", "é" * 40]),
    st.lists(st.integers(-3, 300), max_size=4),
    st.dictionaries(st.text(max_size=6), st.integers(), max_size=2),
)

Path = tuple[str | int, ...]


def places(document: Any, path: Path = ()) -> list[Path]:
    """Paths of everything inside a document of dicts and lists."""
    found: list[Path] = [path] if path else []
    if isinstance(document, dict):
        for key, value in document.items():
            found += places(value, (*path, key))
    elif isinstance(document, list):
        for k, value in enumerate(document[:40]):
            found += places(value, (*path, k))
    return found


@st.composite
def damaged(draw: Callable[[Any], Any], document: Any) -> Any:
    """A copy with one to three entries replaced, removed, doubled or added."""
    broken = copy.deepcopy(document)
    for _ in range(draw(st.integers(1, 3))):
        known = places(broken)
        if not known:
            return draw(JUNK)
        *above, last = draw(st.sampled_from(known))
        inner = broken
        for key in above:
            inner = inner[key]
        how = draw(st.sampled_from(["replace", "replace", "remove", "add", "double"]))
        if how == "replace":
            inner[last] = draw(JUNK)
        elif how == "remove":
            del inner[last]
        elif how == "add" and isinstance(inner, dict):
            inner[draw(st.text(max_size=8))] = draw(JUNK)
        elif isinstance(inner, list):
            inner.append(copy.deepcopy(inner[last]))
    return broken


@st.composite
def torn(draw: Callable[[Any], Any], text: bytes) -> bytes:
    """Bytes cut off, overwritten or put in somewhere."""
    at = draw(st.integers(0, len(text)))
    how = draw(st.sampled_from(["cut", "flip", "insert"]))
    if how == "cut":
        return text[:at]
    junk = draw(st.binary(min_size=1, max_size=8))
    return text[:at] + junk + text[at + (len(junk) if how == "flip" else 0) :]

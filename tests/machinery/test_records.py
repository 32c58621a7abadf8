"""Records: packed, saved, compared."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fm_env import records
from fm_env.errors import LoadError

PAIR = np.dtype([("a", "i1"), ("b", "<i4")])
NESTED = np.dtype([("x", "<i2", (2, 2)), ("pairs", PAIR, (2,)), ("one", PAIR), ("flag", "?"), ("r", "<f4")])


def test_packed_records_pass_and_padding_is_named() -> None:
    records.require_packed(NESTED)
    for dtype, where in (
        (np.dtype([("a", "i1"), ("b", "i4")], align=True), "state.b"),
        (np.dtype([("b", "i4"), ("a", "i1")], align=True), "3 bytes of padding"),
        (np.dtype([("q", np.dtype([("a", "i1"), ("b", "i4")], align=True), (3,))]), "state.q.b"),
    ):
        with pytest.raises(ValueError, match=where):
            records.require_packed(dtype)


@given(st.binary(min_size=NESTED.itemsize, max_size=NESTED.itemsize))
def test_json_round_trip(data: bytes) -> None:
    rows = np.frombuffer(bytearray(data), NESTED)
    rows["flag"] = rows["flag"].view(np.uint8) & 1
    rows["r"] = np.nan_to_num(rows["r"])
    again = records.from_json(records.to_json(rows[0]), NESTED)
    assert again.tobytes() == rows[0].tobytes()


@pytest.mark.parametrize(
    ("change", "where"),
    [
        (lambda d: d.pop("flag"), "flag"),
        (lambda d: d.update(extra=1), "extra"),
        (lambda d: d["one"].update(a=300), "state.one.a"),
        (lambda d: d["one"].update(b="five"), "state.one.b"),
        (lambda d: d.update(x=[1, 2]), "state.x"),
        (lambda d: d.update(pairs=[]), "state.pairs"),
        (lambda d: d["pairs"][1].pop("a"), r"state.pairs\[1\]"),
    ],
)
def test_wrong_json_is_named(change, where: str) -> None:
    data = records.to_json(np.zeros(1, NESTED)[0])
    change(data)
    with pytest.raises(LoadError, match=where):
        records.from_json(data, NESTED)


def test_records_are_views_and_rows_are_copies() -> None:
    rows = records.new_rows(PAIR, 2)
    records.as_record(rows, 1).b = 7
    assert rows["b"].tolist() == [0, 7]
    copies = records.rows_of(rows[1], 3)
    copies["b"][0] = 1
    assert rows["b"].tolist() == [0, 7]
    assert copies["b"].tolist() == [1, 7, 7]
    assert records.state_hash(rows[0]) != records.state_hash(rows[1])
    assert records.state_hash(copies[2]) == records.state_hash(rows[1:2])

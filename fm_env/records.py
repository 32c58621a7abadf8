"""States as NumPy records: making them, checking their layout, saving and comparing them."""

from __future__ import annotations

import functools
import hashlib
from typing import Any

import numpy as np
import numpy.typing as npt

from fm_env.contract import GameSpec
from fm_env.errors import LoadError

States = npt.NDArray[np.void]
"""`[N]` records of a game's `state_dtype`."""


class Fields(np.record):  # type: ignore[misc]
    """A record whose fields are looked up by NumPy itself; `np.record` does so in Python, several times as
    slowly, which is most of the time of uncompiled rules and of telling an event.
    """

    __getattribute__ = np.void.__getattribute__
    __setattr__ = np.void.__setitem__  # type: ignore[assignment]
    __getitem__ = np.void.__getitem__  # type: ignore[assignment]

    def __getattr__(self, name: str) -> Any:
        try:
            value = np.void.__getitem__(self, name)
        except (KeyError, ValueError):
            raise AttributeError(name) from None
        return value.view(np.dtype((Fields, value.dtype))) if type(value) is np.void else value


def new_rows(dtype: np.dtype[Any], n: int) -> States:
    """`n` zeroed records that kernels can work on, compiled or not.

    Uncompiled rules read `s.field`, which needs records of class `Fields`. Compiled rules take
    either kind, but a call with plain ones is several microseconds faster.
    """
    from fm_env.compiled import JIT_DISABLED

    return np.zeros(n, _kind(dtype, JIT_DISABLED))


@functools.cache
def _kind(dtype: np.dtype[Any], plain: bool) -> np.dtype[Any]:
    """One dtype object for all equal ones: a compiled call tells the kind of its arguments at once
    by identity (1 us), but by comparing field after field where it must (13 us for a duel).
    """
    return np.dtype((Fields if plain else np.void, dtype))


def new_states(spec: GameSpec, n: int) -> States:
    """`n` zeroed states for the games of `spec`; `reset` makes real ones of them."""
    return new_rows(spec.state_dtype, n)


def rows_of(record: np.void | np.record, n: int = 1) -> States:
    """`n` copies of one record as an array that kernels can work on."""
    rows = new_rows(record.dtype, n)
    rows[:] = np.frombuffer(record.tobytes(), rows.dtype)[0]
    return rows


def as_record(states: States, i: int) -> np.record:
    """State `i` with its fields as attributes; a view: writing to a field changes the state."""
    return states.view(np.dtype((Fields, states.dtype)))[i]


def require_packed(dtype: np.dtype[Any], name: str = "state") -> None:
    """Check that a record type has no padding bytes, at any depth.

    Raises:
        ValueError: names the field before which bytes are missing.
    """
    if dtype.subdtype is not None:
        require_packed(dtype.subdtype[0], name)
        return
    if dtype.names is None or dtype.fields is None:
        return
    expected = 0
    fields: Any = dtype.fields
    for field in dtype.names:
        kind, offset = fields[field][:2]
        if offset != expected:
            raise ValueError(
                f"{name}.{field} starts at byte {offset}, not {expected}: the record is not packed"
            )
        require_packed(kind, f"{name}.{field}")
        expected = offset + kind.itemsize
    if expected != dtype.itemsize:
        raise ValueError(f"{name} has {dtype.itemsize - expected} bytes of padding at its end")


def state_hash(state: np.void | np.record | States) -> str:
    """32 hex digits that tell states apart, the same on every machine of the same byte order."""
    return hashlib.blake2b(state.tobytes(), digest_size=16).hexdigest()


def to_json(record: np.void | np.record) -> dict[str, Any]:
    """A record as plain numbers, lists and dicts."""
    return {name: _plain(record[name]) for name in record.dtype.names or ()}


def from_json(data: dict[str, Any], dtype: np.dtype[Any]) -> np.record:
    """The record that `to_json` wrote.

    Raises:
        LoadError: a field is missing, unknown or doesn't hold what it should.
    """
    rows = np.zeros(1, dtype)
    _fill(rows[0], data, "state")
    return as_record(rows, 0)


def _plain(value: Any) -> Any:
    if isinstance(value, np.void):
        return to_json(value)
    if isinstance(value, np.ndarray) and value.dtype.names:
        return [_plain(item) for item in value]
    return value.tolist()


def _fill(target: np.void, data: Any, where: str) -> None:
    names = set(target.dtype.names or ())
    if not isinstance(data, dict) or set(data) != names:
        odd = sorted(names.symmetric_difference(data)) if isinstance(data, dict) else data
        raise LoadError(f"{where}: expected the fields {sorted(names)}; missing or unknown: {odd}")
    for name in target.dtype.names or ():
        _fill_field(target, name, data[name], f"{where}.{name}")


def _fill_field(target: np.void, name: str, value: Any, where: str) -> None:
    field = target[name]
    if isinstance(field, np.void):
        _fill(field, value, where)
    elif isinstance(field, np.ndarray) and field.dtype.names:
        if not isinstance(value, list) or len(value) != len(field):
            raise LoadError(f"{where}: expected {len(field)} records")
        for k, item in enumerate(value):
            _fill(field[k], item, f"{where}[{k}]")
    else:
        try:
            target[name] = np.array(value).astype(field.dtype, casting="unsafe")
            same = np.array_equal(target[name], np.array(value))
        except (ValueError, TypeError, OverflowError):
            same = False
        if not same or np.shape(value) != field.shape:
            raise LoadError(f"{where}: expected {field.dtype} of shape {field.shape}, got {value!r}")

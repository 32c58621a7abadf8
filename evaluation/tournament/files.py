"""Reading and writing the file of a tournament; `evaluation.tournament.results` says what is in it."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Annotated, Any

import numpy as np
import pydantic

from evaluation.tournament.question import Question
from evaluation.tournament.results import SCHEMA, Block, Header, Limits, Results, Setting, make_results
from fm_env.errors import LoadError, SetupError
from fm_env.rng import MAX_SEED


def load_results(path: str | os.PathLike[str]) -> Results:
    """Read a tournament's file, finished or not.

    Raises:
        LoadError: no such file, another schema, or a line that isn't what it should be; a torn last
            line is only left out.
    """
    header, blocks, _ = _read(Path(path))
    return make_results(header, blocks)


BEGINNING = b'{"game": {'
"""Of every header; a file that holds anything else is somebody's and is left alone."""


class ResultsFile:
    """A tournament's file, open for more. One process at a time may hold it."""

    def __init__(self, path: str | os.PathLike[str], header: Header) -> None:
        """Open the file, or make it; `results` then holds what was played before.

        Raises:
            LoadError: the file is of another tournament; the message says what differs.
            SetupError: another process is writing it, or it can't be written.
        """
        self.path = Path(path)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self.path.open("a+b")
        except OSError as error:
            raise SetupError(f"can't write {self.path}: {error.strerror}") from None
        _lock(self._file, self.path)
        try:
            self.results = self._begin(header)
        except BaseException:
            self._file.close()
            raise

    def _begin(self, header: Header) -> Results:
        if self._is_fresh():
            self._file.truncate(0)
            self._write(json.dumps(header.to_json(), allow_nan=False) + "\n")
            return make_results(header, ())
        before, blocks, whole = _read(self.path)
        _compare(self.path, before, header)
        self._file.truncate(whole)  # what a kill left of the last line
        return make_results(before, blocks)

    def _is_fresh(self) -> bool:
        """Nothing was written, or only a part of a header."""
        self._file.seek(0)
        first = self._file.readline()
        return not first.endswith(b"\n") and (first.startswith(BEGINNING) or BEGINNING.startswith(first))

    def add(self, blocks: Sequence[Block]) -> None:
        """Append blocks; they are on the disk when this returns."""
        self._write("".join(block.line() + "\n" for block in blocks))

    def _write(self, text: str) -> None:
        self._file.write(text.encode())
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def __enter__(self) -> ResultsFile:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


_HEADER = pydantic.TypeAdapter(Header)

Number = Annotated[int, pydantic.Field(ge=0, lt=2**31)]
"""Of a group or a round."""


class _Line(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="forbid")

    group: Number
    round: Number
    seed: Annotated[int, pydantic.Field(ge=0, lt=MAX_SEED)]
    returns: list[list[float]]
    faults: tuple[tuple[int, str, int], ...] = ()


def _read(path: Path) -> tuple[Header, list[Block], int]:
    """Header, blocks in the file's order, and the number of bytes up to the last whole line."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise LoadError(f"can't read {path}: {error.strerror}") from None
    whole = data.rfind(b"\n") + 1
    lines = data[:whole].splitlines()
    if not lines:
        found = "not the results of a tournament" if data else "is empty, expected a tournament's results"
        raise LoadError(f"{path}: {found}")
    header = _read_header(path, lines[0])
    blocks: list[Block] = []
    for number, text in enumerate(lines[1:], start=2):
        try:
            line = _Line.model_validate_json(text)
            returns = np.array(line.returns, np.float64)
        except (pydantic.ValidationError, ValueError) as error:
            raise LoadError(f"{path}, line {number}: not a block of a tournament: {_short(error)}") from None
        blocks.append(Block(line.group, line.round, line.seed, returns, line.faults))
    return header, blocks, whole


def _read_header(path: Path, text: bytes) -> Header:
    try:
        entry = json.loads(text)
        schema = entry.get("schema")
    except (ValueError, AttributeError):
        raise LoadError(f"{path}, line 1: not the header of a tournament") from None
    if schema != SCHEMA:
        raise LoadError(f"{path}: schema {schema!r}, expected {SCHEMA!r}")
    try:
        return _HEADER.validate_python(entry)
    except pydantic.ValidationError as error:
        raise LoadError(f"{path}, line 1: {_short(error)}") from None


def _short(error: Exception) -> str:
    if isinstance(error, pydantic.ValidationError):
        first = error.errors()[0]
        return f"{'.'.join(str(part) for part in first['loc']) or 'the line'}: {first['msg']}"
    return str(error)


def _compare(path: Path, before: Header, now: Header) -> None:
    """Refuse to go on with other games than those in the file."""
    for agent, again in zip(before.agents, now.agents, strict=False):
        if agent.spec == again.spec and agent.fingerprint != again.fingerprint:
            raise LoadError(
                f"{path}: agent {agent.spec!r} has changed (fingerprint {agent.fingerprint},"
                f" now {again.fingerprint}); take another file, or the agent as it was"
            )
    fields = ("game", "agents", "seed", "rounds", "question", "limits", "groups", "waves")
    for name in fields:
        old, new = getattr(before, name), getattr(now, name)
        if old != new:
            raise LoadError(
                f"{path}: holds another tournament: {_difference(name, old, new)}; take another file"
            )


def _difference(name: str, old: Any, new: Any) -> str:
    if name == "agents":
        return f"agents = {_brief([a.spec for a in old])} there, now {_brief([a.spec for a in new])}"
    if isinstance(old, Setting | Limits | Question):
        for part in vars(old):
            one, two = getattr(old, part), getattr(new, part)
            if one != two:
                return f"{name}.{part} is {_brief(one)} there, now {_brief(two)}"
    return f"{name} = {_brief(old)} there, now {_brief(new)}"


def _brief(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 120 else text[:117] + "..."


def _lock(file: IO[bytes], path: Path) -> None:
    try:
        import fcntl
    except ImportError:  # Windows opens files for one writer anyway
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise SetupError(f"{path}: another process is writing this tournament") from None

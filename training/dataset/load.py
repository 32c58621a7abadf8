"""Reading datasets, checked shard by shard: as rows, or as one seat's course of a game.

    data = load("runs/counter")
    rows = data.read()  # arrays by name; masks unpacked
    for episode in data.episodes():  # one seat of one game: observations, actions, rewards
        ...

Nothing is unpickled, and no array is made that a shard's own list of fields doesn't announce.
"""

from __future__ import annotations

import hashlib
import json
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pydantic

from fm_env.contract import GameSpec, Mask
from fm_env.errors import LoadError, UnknownNameError
from training.dataset.layout import (
    HEADER,
    MAX_HEADER_BYTES,
    MAX_SHARD_BYTES,
    SCHEMA,
    Arrays,
    Header,
    ShardPart,
    fields_of,
    unpack_masks,
    unpack_shard,
)

Rows = Arrays
"""Arrays by field; all have the same length. `mask` is `[n, A]` bool here."""


@dataclass(frozen=True)
class Episode:
    """What one seat went through in one game."""

    game: int
    seat: int
    agent: int
    """Who sat there; counted as in the header."""
    observations: npt.NDArray[np.float32]
    """`[T, F]`, at the seat's own decisions."""
    masks: Mask
    """`[T, A]`"""
    actions: npt.NDArray[np.int64]
    """`[T]`"""
    rewards: npt.NDArray[np.float32]
    """`[T]`: 0, and at the last decision the return of the game."""
    probabilities: npt.NDArray[np.float32]
    """`[T]`, NaN where the agent didn't tell."""


class Dataset:
    """A folder of recorded games; make it with `load`. Nothing but the header is kept in memory."""

    def __init__(self, folder: Path, header: Header) -> None:
        """Args are checked by `load`."""
        self.folder, self.header = folder, header

    @property
    def num_games(self) -> int:
        """Games that are there."""
        return sum(shard.games for shard in self.header.shards)

    @property
    def num_rows(self) -> int:
        """Decisions that are there."""
        return sum(shard.rows for shard in self.header.shards)

    def check(self, spec: GameSpec) -> None:
        """Refuse a game whose observations or actions mean something else.

        Raises:
            LoadError: names the entry that disagrees.
        """
        game = self.header.game
        for entry in ("name", "observation_version", "observation_size", "num_actions"):
            have, want = getattr(game, entry), getattr(spec, "game" if entry == "name" else entry)
            if have != want:
                raise LoadError(
                    f"dataset {self.folder}: recorded with {entry} = {have!r},"
                    f" but scenario {spec.scenario!r} of {spec.game!r} has {want!r}"
                )
        if game.rules_version != spec.rules_version:
            warnings.warn(
                f"dataset {self.folder} was recorded under rules version {game.rules_version} of"
                f" {game.name!r}, now at {spec.rules_version}: its games would go differently now",
                stacklevel=2,
            )

    def shards(self, fields: Iterable[str] | None = None) -> Iterator[Rows]:
        """The shards in order, each as arrays by name.

        Args:
            fields: names of arrays; None: all. `mask` comes unpacked, `[n, A]` bool.

        Raises:
            UnknownNameError: no such field.
            LoadError: a shard is missing or damaged.
        """
        names = self._checked(fields)
        for shard in self.header.shards:
            yield self._read(shard, names)

    def read(
        self, fields: Iterable[str] | None = None, keep: Callable[[Rows], npt.NDArray[np.bool_]] | None = None
    ) -> Rows:
        """All decisions in memory.

        Args:
            fields: names of arrays of decisions; None: all of those.
            keep: given a shard's arrays, says `[n]` which decisions to keep; None: all.

        Raises:
            As `shards`.
        """
        rows = [name for name, field in self.header.fields.items() if field.shape[0] == "rows"]
        names = rows if fields is None else list(fields)
        wrong = [name for name in names if name not in rows]
        if wrong:
            raise UnknownNameError("field of a decision", wrong[0], rows)
        parts: list[Rows] = []
        for shard in self.shards(names if keep is None else None):
            kept = slice(None) if keep is None else keep(shard)
            parts.append({name: shard[name][kept] for name in names})
        if not parts:
            raise LoadError(f"dataset {self.folder}: no shard is finished yet")
        return {name: np.concatenate([part[name] for part in parts]) for name in names}

    def episodes(self) -> Iterator[Episode]:
        """Each seat's course of each game, game by game; seats that never had a choice are left out.

        Raises:
            As `shards`.
        """
        for shard in self.shards():
            first = 0
            for count in shard["game_rows"].tolist():
                for seat in np.unique(shard["seat"][first : first + count]).tolist():
                    at = first + np.flatnonzero(shard["seat"][first : first + count] == seat)
                    rewards = np.zeros(len(at), np.float32)
                    rewards[-1] = shard["return"][at[-1]]
                    yield Episode(
                        game=int(shard["game"][at[0]]),
                        seat=seat,
                        agent=int(shard["agent"][at[0]]),
                        observations=shard["observation"][at],
                        masks=shard["mask"][at],
                        actions=shard["action"][at].astype(np.int64),
                        rewards=rewards,
                        probabilities=shard["probability"][at],
                    )
                first += count

    def verify(self) -> None:
        """Read every shard and hold its contents against each other.

        Raises:
            LoadError: the first thing that is wrong.
        """
        for _ in self.shards():
            pass

    def _checked(self, fields: Iterable[str] | None) -> list[str]:
        known = self.header.fields
        names = list(known if fields is None else fields)
        for name in names:
            if name not in known:
                raise UnknownNameError("field of a dataset", name, known)
        return names

    def _read(self, shard: ShardPart, names: list[str]) -> Rows:
        data = _bytes_of(self.folder / shard.file, MAX_SHARD_BYTES)
        if hashlib.sha256(data).hexdigest() != shard.sha256:
            raise LoadError(
                f"dataset {self.folder}: {shard.file} is damaged (its hash differs from that in {HEADER});"
                " `fm-env record` into the same folder plays it anew"
            )
        needed = {name: self.header.fields[name] for name in dict.fromkeys([*names, *CHECKED])}
        arrays = unpack_shard(data, shard, needed)
        if "mask" in arrays:
            arrays["mask"] = unpack_masks(arrays["mask"], self.header.game.num_actions)
        self._check_contents(shard, arrays)
        return {name: arrays[name] for name in names}

    def _check_contents(self, shard: ShardPart, arrays: Rows) -> None:
        """A hash says that a file is what was written; this, that what was written makes sense."""
        game = self.header.game
        bounds = {"action": game.num_actions, "seat": game.num_seats, "agent": len(self.header.agents)}
        for name, bound in bounds.items():
            values = arrays[name]
            if len(values) and (values.min() < 0 or values.max() >= bound):
                raise LoadError(f"{shard.file}: {name} outside of 0 .. {bound - 1}")
        if arrays["game_rows"].sum() != shard.rows or (arrays["game_rows"] < 0).any():
            raise LoadError(f"{shard.file}: game_rows don't add up to its {shard.rows} decisions")
        if "mask" in arrays and not arrays["mask"][np.arange(shard.rows), arrays["action"]].all():
            raise LoadError(f"{shard.file}: an action that its mask forbids")


CHECKED = ("action", "seat", "agent", "game_rows")
"""Small fields that are read with every shard, for its check."""


def load(folder: str | Path) -> Dataset:
    """Open a dataset, finished or not.

    Raises:
        LoadError: no dataset there, one of another schema, or one whose files are damaged or missing.
    """
    folder = Path(folder)
    header = read_header(folder)
    for shard in header.shards:
        file = folder / shard.file
        size = file.stat().st_size if file.is_file() else None
        if size != shard.bytes:
            found = "is missing" if size is None else f"has {size:,} bytes, expected {shard.bytes:,}"
            raise LoadError(
                f"dataset {folder}: {shard.file} {found}; `fm-env record` into the same folder plays it anew"
            )
    return Dataset(folder, header)


def is_whole(folder: Path, shard: ShardPart) -> bool:
    """A shard's file is there and is what was written."""
    file = folder / shard.file
    if not file.is_file() or file.stat().st_size != shard.bytes:
        return False
    return hashlib.sha256(file.read_bytes()).hexdigest() == shard.sha256


def read_header(folder: Path) -> Header:
    """The header of a dataset.

    Raises:
        LoadError: no dataset there, one of another schema, or a damaged header.
    """
    data = _bytes_of(folder / HEADER, MAX_HEADER_BYTES)
    try:
        document: Any = json.loads(data)
        schema = document.get("schema") if isinstance(document, dict) else None
    except (ValueError, RecursionError):
        raise LoadError(f"dataset {folder}: {HEADER} is damaged: not JSON") from None
    if schema != SCHEMA:
        raise LoadError(f"dataset {folder}: schema {schema!r}, expected {SCHEMA!r}")
    try:
        header = Header.model_validate(document)
    except pydantic.ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise LoadError(f"dataset {folder}: {HEADER}: {where[:200]}: {first['msg'][:200]}") from None
    if header.fields != fields_of(header.game, header.chances):
        raise LoadError(f"dataset {folder}: {HEADER}: fields aren't those of schema {SCHEMA!r}")
    return header


def _bytes_of(file: Path, limit: int) -> bytes:
    try:
        size = file.stat().st_size
        if size > limit:
            raise LoadError(f"{file}: {size:,} bytes, expected at most {limit:,}")
        return file.read_bytes()
    except OSError as error:
        raise LoadError(f"can't read {file}: {error.strerror}") from None

"""What a dataset is made of: a folder with `dataset.json` and shards that NumPy reads.

DATASET/dataset.json        what was recorded (`Header`), and the list of finished shards with their hashes
DATASET/shard-00000.npz     whole games, as compressed arrays without pickle (`row_fields`, `game_fields`)
DATASET/provenance.json     command, versions and time of each start; not part of what a seed determines

The rows of a shard are decisions, sorted by game and then by step. Observations repeat themselves so much
that compression makes them 15 to 30 times smaller, hence `.npz` and not a format that is mapped into memory.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import numpy as np
import numpy.typing as npt
import pydantic
from numpy.lib import format as npy
from pydantic import Field

from fm_env.contract import GameSpec, Mask
from fm_env.errors import LoadError

SCHEMA = "fm-env-dataset-1"
"""Version of this layout."""

HEADER = "dataset.json"
PROVENANCE = "provenance.json"

MAX_HEADER_BYTES = 64 * 2**20
MAX_SHARD_BYTES = 2**30
"""Of a compressed shard; those that `fm-env record` writes are a hundred times smaller."""

MAX_FIELD_BYTES = 2**33
"""Of one array of a shard in memory."""

MAX_WIDTH = 1_000_000

ZIP_LEVEL = 3
"""Half the size of level 1 in the same time; level 6 takes three times as long for a quarter less."""

ZIP_DATE = (1980, 1, 1, 0, 0, 0)
"""Of every member: a shard's bytes must not depend on when it was written."""

NPY_OVERHEAD = 4096
"""What an array's own header may take."""

Arrays = dict[str, npt.NDArray[Any]]
Count = Annotated[int, Field(ge=0, lt=2**62)]
Size = Annotated[int, Field(ge=1, le=MAX_WIDTH)]


class _Part(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)


class GamePart(_Part):
    """What was played; as `GameSpec` has it."""

    name: str
    scenario: str
    options: dict[str, Any]
    rules_version: int
    observation_version: int
    num_seats: Annotated[int, Field(ge=1, le=64)]
    num_actions: Size
    observation_size: Size
    return_range: tuple[float, float]
    """Lowest and highest return of a seat."""


class AgentPart(_Part):
    """Who played."""

    spec: str
    """The text it was made from."""
    name: str
    fingerprint: str
    """Changes when the agent does."""


class FieldPart(_Part):
    """One array of every shard."""

    dtype: str
    """As NumPy writes it, e.g. `<f4`."""
    shape: tuple[int | Literal["rows", "games"], ...]
    """Its first length is the shard's number of decisions or of games."""
    meaning: str


class ShardPart(_Part):
    """One finished shard."""

    file: Annotated[str, Field(pattern=r"^shard-\d{5,}\.npz$")]
    games: Annotated[int, Field(ge=1, le=2**31)]
    rows: Annotated[int, Field(ge=0, le=2**31)]
    bytes: Count
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class Header(_Part):
    """All of `dataset.json`."""

    dataset_schema: Annotated[Literal["fm-env-dataset-1"], Field(alias="schema")] = SCHEMA
    game: GamePart
    agents: Annotated[tuple[AgentPart, ...], Field(min_length=1)]
    seed: Count
    games: Annotated[int, Field(ge=1, le=2**40)]
    """How many were asked for; the shards say how many there are."""
    games_per_shard: Annotated[int, Field(ge=1, le=2**31)]
    forced: bool
    """Choices with one legal action only are rows, too."""
    chances: bool
    """The field `chances` is there."""
    fields: dict[str, FieldPart]
    shards: tuple[ShardPart, ...] = ()

    @property
    def is_complete(self) -> bool:
        """All games that were asked for are there."""
        return sum(shard.games for shard in self.shards) >= self.games


def fields_of(game: GamePart, chances: bool) -> dict[str, FieldPart]:
    """Every array of a shard: its type, its shape and what it means."""
    seats, width = game.num_seats, game.observation_size

    def rows(dtype: str, meaning: str, *more: int) -> FieldPart:
        return FieldPart(dtype=dtype, shape=("rows", *more), meaning=meaning)

    def games(dtype: str, meaning: str, *more: int) -> FieldPart:
        return FieldPart(dtype=dtype, shape=("games", *more), meaning=meaning)

    fields = {
        "observation": rows("<f4", "what the seat saw, within [-1, 1]", width),
        "mask": rows(
            "|u1", "legal actions, bit a % 8 of byte a // 8 is action a (little)", packed_width(game)
        ),
        "action": rows("<i4", "what it chose"),
        "seat": rows("|i1", "who chose"),
        "agent": rows("<i2", "which agent that is, counted from 0 as in dataset.json"),
        "game": rows("<i8", "number of the game in the dataset, from 0"),
        "step": rows("<i4", "number of the decision in its game, over all seats, from 0"),
        "probability": rows("<f4", "chance with which the agent took this action, NaN where it doesn't tell"),
        "return": rows("<f4", "what the seat had at the end of the game"),
        "game_seed": games("<i8", "seed of the game's luck, as `new_match(seed=...)` takes it"),
        "game_agent": games("<i2", "agent on each seat", seats),
        "game_return": games("<f8", "return of each seat", seats),
        "game_rows": games("<i4", "number of the game's rows; they stand together"),
    }
    if chances:
        meaning = "chance with which the agent takes each action, NaN where it doesn't tell"
        fields["chances"] = rows("<f4", meaning, game.num_actions)
    return fields


def game_part(spec: GameSpec, options: Mapping[str, Any]) -> GamePart:
    """What a header says of a scenario."""
    return GamePart(
        name=spec.game,
        scenario=spec.scenario,
        options=dict(options),
        rules_version=spec.rules_version,
        observation_version=spec.observation_version,
        num_seats=spec.num_seats,
        num_actions=spec.num_actions,
        observation_size=spec.observation_size,
        return_range=(spec.min_return, spec.max_return),
    )


def packed_width(game: GamePart) -> int:
    """Bytes of a packed mask."""
    return (game.num_actions + 7) // 8


def pack_masks(masks: Mask) -> npt.NDArray[np.uint8]:
    """`[n, A]` bool to `[n, ceil(A / 8)]` bytes."""
    return np.packbits(masks, axis=1, bitorder="little")


def unpack_masks(packed: npt.NDArray[np.uint8], num_actions: int) -> Mask:
    """`[n, ceil(A / 8)]` bytes back to `[n, A]` bool."""
    return np.unpackbits(packed, axis=1, count=num_actions, bitorder="little").view(np.bool_)


def shape_in(field: FieldPart, rows: int, games: int) -> tuple[int, ...]:
    """The shape of a field in a shard of so many decisions and games."""
    named = {"rows": rows, "games": games}
    return tuple(named[n] if isinstance(n, str) else n for n in field.shape)


def pack_shard(arrays: Mapping[str, npt.NDArray[Any]]) -> bytes:
    """Arrays as the bytes of an `.npz` file; equal arrays give equal bytes (with equal zlibs)."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=ZIP_LEVEL) as archive:
        for name, array in arrays.items():
            member = io.BytesIO()
            npy.write_array(member, np.ascontiguousarray(array), allow_pickle=False)
            info = zipfile.ZipInfo(f"{name}.npy", ZIP_DATE)
            info.external_attr = 0o644 << 16
            archive.writestr(info, member.getvalue(), zipfile.ZIP_DEFLATED, ZIP_LEVEL)
    return out.getvalue()


def unpack_shard(data: bytes, shard: ShardPart, fields: Mapping[str, FieldPart]) -> Arrays:
    """The named fields of a shard, each held against its type and shape before it is unpacked.

    Raises:
        LoadError: names the shard, the field, what it is and what was expected.
    """
    arrays: Arrays = {}
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for name, field in fields.items():
                arrays[name] = _member(archive, name, shard, field)
    except LoadError:
        raise
    except Exception as error:  # zipfile has many kinds for archives that were tampered with
        raise LoadError(f"{shard.file} is damaged: {type(error).__name__}: {str(error)[:200]}") from None
    return arrays


def _member(archive: zipfile.ZipFile, name: str, shard: ShardPart, field: FieldPart) -> npt.NDArray[Any]:
    shape, dtype = shape_in(field, shard.rows, shard.games), np.dtype(field.dtype)
    try:
        info = archive.getinfo(f"{name}.npy")
    except KeyError:
        raise LoadError(f"{shard.file}: has no field {name!r}") from None
    expected = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
    if expected > MAX_FIELD_BYTES:
        raise LoadError(
            f"{shard.file}: {name} takes {expected:,} bytes, expected at most {MAX_FIELD_BYTES:,}"
        )
    if info.file_size > expected + NPY_OVERHEAD:
        raise LoadError(f"{shard.file}: {name} has {info.file_size:,} bytes, expected {expected:,}")
    with archive.open(info) as member:
        array = npy.read_array(member, allow_pickle=False)
    if array.shape != shape or array.dtype != dtype:
        raise LoadError(f"{shard.file}: {name} is {array.dtype} {array.shape}, expected {dtype} {shape}")
    return array

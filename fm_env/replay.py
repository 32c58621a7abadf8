"""Replays: a game as one JSON file that can be watched step by step and proves itself.

    {"replay": 1,
     "match": {...},               what `Match.to_json` writes: setup, luck, events, rules version
     "hashes": ["...", ...],       of the first position and after each event
     "players": [{"seat": 0, "name": "Ann", "agent": null}, ...],
     "thoughts": [{"event": 12, "seat": 1, "win_estimate": 0.6, "alternatives": [...]}, ...],
     "returns": [1.0, -1.0],       null while the game isn't over
     "checksum": "..."}            of everything else

`fm_env.replay_check` plays the file again and fails on anything that disagrees, naming the step.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Literal, cast

import pydantic

from fm_env.contract import CHANCE
from fm_env.engine import engine_of
from fm_env.errors import LoadError, SetupError
from fm_env.match import Match
from fm_env.records import new_states, state_hash

MAX_BYTES = 16 * 2**20
"""A long game for six players takes about 1 MB; a file beyond this is refused before it is read."""


class Alternative(pydantic.BaseModel):
    """An action that an agent weighed."""

    model_config = pydantic.ConfigDict(extra="forbid")

    text: Annotated[str, pydantic.Field(max_length=200)]
    probability: Annotated[float, pydantic.Field(ge=0, le=1)]


class Thought(pydantic.BaseModel):
    """What an agent thought before a choice of its own, where it tells."""

    model_config = pydantic.ConfigDict(extra="forbid", use_attribute_docstrings=True)

    event: Annotated[int, pydantic.Field(ge=0)]
    """Number of the choice among the match's events, from 0."""
    seat: Annotated[int, pydantic.Field(ge=0)]
    """Whose choice."""
    win_estimate: Annotated[float, pydantic.Field(ge=0, le=1)] | None = None
    """Chance of winning that it saw."""
    alternatives: Annotated[list[Alternative], pydantic.Field(max_length=16)] = []
    """The likeliest actions first."""


class Player(pydantic.BaseModel):
    """Who sat at a seat."""

    model_config = pydantic.ConfigDict(extra="forbid", use_attribute_docstrings=True)

    seat: Annotated[int, pydantic.Field(ge=0)]
    name: Annotated[str, pydantic.Field(max_length=200)]
    """Shown to people."""
    agent: Annotated[str, pydantic.Field(max_length=500)] | None = None
    """Spec of an agent; None for a person."""


class Replay(pydantic.BaseModel):
    """The file."""

    model_config = pydantic.ConfigDict(extra="forbid", use_attribute_docstrings=True)

    replay: Literal[1] = 1
    """Version of this layout."""
    match: dict[str, Any]
    """As `fm_env.saved` describes."""
    hashes: list[str]
    """`[number of events + 1]` hashes of positions, the first before any event."""
    players: list[Player] = []
    """Of the seats, as far as known."""
    thoughts: list[Thought] = []
    """In the order of their events."""
    returns: list[float] | None = None
    """Of all seats once the game is over."""
    checksum: str = ""
    """32 hex digits over everything else."""


def record(match: Match, players: Sequence[Player] = (), thoughts: Sequence[Thought] = ()) -> Replay:
    """The replay of a match as far as it has been played."""
    replay = Replay(
        match=json.loads(match.to_json()),
        hashes=list(hashes_of(match)),
        players=list(players),
        thoughts=list(thoughts),
        returns=list(match.returns()) if match.is_over else None,
    )
    return replay.model_copy(update={"checksum": checksum(replay)})


def save(file: str | os.PathLike[str], replay: Replay) -> None:
    """Write the file as a whole or not at all.

    Raises:
        SetupError: it can't be written there.
    """
    path = Path(file)
    partial = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with partial.open("w", encoding="utf-8") as out:
            out.write(json.dumps(replay.model_dump(mode="json"), separators=(",", ":")) + "\n")
            out.flush()
            os.fsync(out.fileno())
        partial.replace(path)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise SetupError(f"replay: can't write {path}: {error.strerror}") from None


def load(file: str | os.PathLike[str]) -> Replay:
    """Read a file; whether its game holds is for `verify` to say.

    Raises:
        LoadError: not readable, too big, or no replay.
    """
    path = Path(file)
    try:
        with path.open("rb") as opened:
            data = opened.read(MAX_BYTES + 1)
    except OSError as error:
        raise LoadError(f"replay: can't read {path}: {error.strerror}") from None
    return parse(data, str(path))


def parse(data: bytes | str, name: str = "replay") -> Replay:
    """A replay from its text; also from a saved match, or the `record` that a server gives of a game.

    Raises:
        LoadError: names the field that doesn't fit.
    """
    if len(data) > MAX_BYTES:
        raise LoadError(f"{name}: bigger than the {MAX_BYTES:,} bytes allowed")
    try:
        content = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise LoadError(f"{name}: not JSON: {error}") from None
    if not isinstance(content, dict):
        raise LoadError(f"{name}: not a replay: expected an object, got {type(content).__name__}")
    content = cast("dict[str, Any]", content)
    if content.get("type") == "record":
        return from_record(content, name)
    if "replay" not in content and "events" in content:
        return record(Match.from_json(json.dumps(content)))
    if "replay" not in content:
        raise LoadError(f"{name}: not a replay: the field 'replay' (its version) is missing")
    return _validated(content, name)


def from_record(content: dict[str, Any], name: str = "record") -> Replay:
    """The replay in a server's record of a finished game, held against the hashes of its moves.

    Raises:
        LoadError: it isn't such a record, or its game doesn't hold.
    """
    try:
        match = Match.from_json(json.dumps(content["match"]))
        choices = [k for k, (seat, _) in enumerate(match.events) if seat != CHANCE]
        hashes = list(hashes_of(match))
        for move, (first, end) in zip(content["moves"], pairwise([*choices, len(match.events)]), strict=True):
            if move["state_hash"] not in hashes[first + 1 : end + 1]:
                raise LoadError(f"{name}: move {move['n']} ({move['text']!r}): leads to another position")
        given = {
            "match": content["match"],
            "hashes": hashes,
            "players": [{key: one.get(key) for key in ("seat", "name", "agent")} for one in content["seats"]],
            "thoughts": [_thought(one, choices) for one in content.get("thoughts") or []],
            "returns": list(match.returns()) if match.is_over else None,
        }
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        if isinstance(error, LoadError):
            raise
        raise LoadError(f"{name}: not a server's record: {type(error).__name__}: {error}") from None
    replay = _validated(given, name)
    return replay.model_copy(update={"checksum": checksum(replay)})


def _thought(given: dict[str, Any], choices: list[int]) -> dict[str, Any]:
    alternatives = [
        {"text": one["text"], "probability": one["probability"]} for one in given.get("alternatives") or []
    ]
    return {
        "event": choices[given["move"]],
        "seat": given["seat"],
        "win_estimate": given.get("win_estimate"),
        "alternatives": alternatives[:16],
    }


def _validated(content: dict[str, Any], name: str) -> Replay:
    try:
        return Replay.model_validate(content)
    except pydantic.ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise LoadError(f"{name}: {where}: {first['msg']}") from None


def checksum(replay: Replay) -> str:
    """Over all fields but itself."""
    data = replay.model_dump(mode="json", exclude={"checksum"})
    text = json.dumps(data, sort_keys=True, separators=(",", ":"))
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def hashes_of(match: Match) -> Iterator[str]:
    """Of the first position and of the one after each event."""
    engine, states = engine_of(match.game), new_states(match.spec, 1)
    engine.reset(states, 0, match.scenario.setup)
    yield state_hash(states)
    for seat, action in match.events:
        if seat == CHANCE:
            engine.apply_chance(states, 0, action)
        else:
            engine.apply(states, 0, seat, action)
        yield state_hash(states)

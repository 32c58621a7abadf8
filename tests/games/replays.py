"""Whole games kept as files: played again they must come out the same, to the byte and the word.

A game's `test_replays.py` calls `assert_comes_out_the_same` for each file; run as a module it calls
`write_anew`, which keeps the choices and cards and writes hashes and words anew: only for a change
that was meant.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import fm_env
from fm_env.engine import engine_of
from fm_env.match import Match
from fm_env.records import rows_of


def files(folder: Path) -> list[Path]:
    """The replays beside a game's tests."""
    return sorted((folder / "replays").glob("*.json"))


def assert_comes_out_the_same(path: Path) -> None:
    """The saved match has the same events, hash, returns, end and words as its file."""
    data = json.loads(path.read_text(encoding="utf-8"))
    m = Match.from_json(json.dumps(data["match"]))  # compares events and hash
    assert list(m.returns()) == data["returns"]
    assert m.is_over
    assert m.text().splitlines() == data["end"]
    assert [[event.text, event.words] for event in m.log] == data["log"]


def assert_seats_saw_the_same(path: Path) -> None:
    """At every choice each seat was given what the file beside the replay has hashes of.

    Policies and benchmarks rest on what the entries mean, so whoever changes any raises a version.
    """
    was = path.with_suffix(".seen").read_text(encoding="utf-8").splitlines()
    now = list(seen(path))
    assert len(now) == len(was)
    changed = [line for line in zip(range(1, len(was) + 1), was, now, strict=True) if line[1] != line[2]]
    assert not changed, f"{len(changed)} lines differ, the first: line, was, now: {changed[0]}"


def seen(path: Path) -> Iterator[str]:
    """The versions, then a line for each choice of a replay: of all that each seat was given, a hash."""
    saved = json.loads(path.read_text(encoding="utf-8"))["match"]
    m = fm_env.load(saved["game"]).new_match(chance=saved["script"], **saved["options"])
    yield f"rules {m.spec.rules_version} observation {m.spec.observation_version}"
    yield _seen_now(m)
    for seat, text in saved["events"]:
        if seat != "chance":
            m.play(seat, text)
            yield _seen_now(m)


def _seen_now(m: Match) -> str:
    key, hashes = np.zeros(m.spec.info_key_size, np.uint8), []
    for seat in range(m.spec.num_seats):
        engine_of(m.game).info_key(rows_of(m.state), 0, seat, key)
        given = m.observation(seat).tobytes() + m.mask(seat).tobytes() + key.tobytes()
        hashes.append(hashlib.sha256(given).hexdigest()[:8])
    return " ".join(hashes)


def options_of(path: Path) -> dict[str, Any]:
    """Options of the scenario that a file was played in."""
    return json.loads(path.read_text(encoding="utf-8"))["match"]["options"]


def record(m: Match) -> dict[str, Any]:
    """What a file holds: the saved match and all that was said."""
    return {
        "match": json.loads(m.to_json()),
        "returns": m.returns(),
        "end": m.text().splitlines(),
        "log": [[event.text, event.words] for event in m.log],
    }


def written(data: dict[str, Any]) -> str:
    """One line for each event, so that a change shows where it is."""
    parts = [f'"{key}": {json.dumps(data[key])}' for key in ("match", "returns")]
    for key in ("end", "log"):
        lines = ",\n".join("  " + json.dumps(line) for line in data[key])
        parts.append(f'"{key}": [\n{lines}\n]')
    return "{\n" + ",\n".join(parts) + "\n}\n"


def write_anew(paths: Sequence[Path]) -> None:
    """Play each file's choices and cards, whatever hashes it holds, and write what comes out."""
    for path in paths:
        saved = json.loads(path.read_text(encoding="utf-8"))["match"]
        m = fm_env.load(saved["game"]).new_match(chance=saved["script"], **saved["options"])
        for seat, text in saved["events"]:
            if seat != "chance":
                m.play(seat, text)
        path.write_text(written(record(m)), encoding="utf-8")
        path.with_suffix(".seen").write_text("\n".join(seen(path)) + "\n", encoding="utf-8")

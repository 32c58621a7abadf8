"""Whole games kept as files: played again they must come out the same, to the byte and the word.

A game's `test_replays.py` calls `assert_comes_out_the_same` for each file; run as a module it calls
`write_anew`, which keeps the choices and cards and writes hashes and words anew: only for a change
that was meant.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import fm_env
from fm_env.match import Match


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

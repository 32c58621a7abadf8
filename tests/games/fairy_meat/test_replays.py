"""Two whole duels kept as files: played again they must come out the same, to the byte and the word.

`python -m tests.games.fairy_meat.test_replays` writes hashes and words anew, from the same choices
and cards; do that only for a change that was meant.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fm_env.match import Match
from tests.games.fairy_meat.play import game

FILES = sorted((Path(__file__).parent / "replays").glob("*.json"))


def record(m):
    """What a file holds: the saved match and all that was said."""
    said = [[event.text, event.words] for event in m.log]
    return {
        "match": json.loads(m.to_json()),
        "returns": m.returns(),
        "end": m.text().splitlines(),
        "log": said,
    }


def played_again(data):
    """The match made of a file's choices and cards, whatever hashes the file holds."""
    saved = data["match"]
    m = game().new_match(chance=saved["script"], **saved["options"])
    for seat, text in saved["events"]:
        if seat != "chance":
            m.play(seat, text)
    return m


def written(data):
    """One line for each event, so that a change shows where it is."""
    parts = [f'"{key}": {json.dumps(data[key])}' for key in ("match", "returns")]
    for key in ("end", "log"):
        lines = ",\n".join("  " + json.dumps(line) for line in data[key])
        parts.append(f'"{key}": [\n{lines}\n]')
    return "{\n" + ",\n".join(parts) + "\n}\n"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_it_comes_out_the_same(path):
    data = json.loads(path.read_text(encoding="utf-8"))
    m = Match.from_json(json.dumps(data["match"]))  # compares events and hash
    assert list(m.returns()) == data["returns"]
    assert m.is_over and m.text().splitlines() == data["end"]
    assert [[event.text, event.words] for event in m.log] == data["log"]


def test_both_fighting_systems_have_one():
    options = [json.loads(path.read_text(encoding="utf-8"))["match"]["options"] for path in FILES]
    assert {o["scenario"] for o in options} == {"duel"}
    assert {o.get("combat", "unclevl") for o in options} == {"unclevl", "fast_play"}


if __name__ == "__main__":
    for file in FILES:
        again = record(played_again(json.loads(file.read_text(encoding="utf-8"))))
        file.write_text(written(again), encoding="utf-8")

"""Whole games kept as files. `python -m tests.games.angry_miniatures.test_replays` writes them anew."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.games.replays import (
    assert_comes_out_the_same,
    assert_seats_saw_the_same,
    files,
    options_of,
    write_anew,
)

FILES = files(Path(__file__).parent)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_it_comes_out_the_same(path):
    assert_comes_out_the_same(path)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_seats_saw_the_same(path):
    assert_seats_saw_the_same(path)


def test_there_is_a_skirmish_and_a_duel_whose_teams_are_built():
    assert sorted(options_of(path)["scenario"] for path in FILES) == ["duel", "skirmish"]
    assert [options_of(path).get("teams") for path in FILES if path.stem == "built_duel"] == ["build"]


def test_the_skirmish_shows_ties_crits_and_areas():
    log = json.loads((Path(__file__).parent / "replays" / "skirmish.json").read_text(encoding="utf-8"))["log"]
    said = " ".join(words for _, words in log)
    for sight in ("A tie at", "Crits", "dies", "falls prone", "SuperTieBreaker", "wins, Health"):
        assert sight in said, sight


if __name__ == "__main__":
    write_anew(FILES)

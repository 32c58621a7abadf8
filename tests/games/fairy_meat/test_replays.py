"""Whole duels and a skirmish as files. `python -m tests.games.fairy_meat.test_replays` writes them anew."""

from __future__ import annotations

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


def test_both_fighting_systems_have_one():
    options = [options_of(path) for path in FILES]
    assert {o["scenario"] for o in options} == {"duel", "skirmish-1v1"}
    assert {o.get("combat", "unclevl") for o in options} == {"unclevl", "fast_play"}


if __name__ == "__main__":
    write_anew(FILES)

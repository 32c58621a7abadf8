"""Whole jousts kept as files. `python -m tests.games.sword_and_shield.test_replays` writes them anew."""

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


def test_both_decks_have_one():
    assert {options_of(path).get("deck", "base") for path in FILES} == {"base", "deeds"}


if __name__ == "__main__":
    write_anew(FILES)

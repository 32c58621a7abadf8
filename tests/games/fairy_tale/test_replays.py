"""Whole games kept as files. `python -m tests.games.fairy_tale.test_replays` writes them anew."""

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


def test_both_scenarios_have_one():
    assert {options_of(path)["scenario"] for path in FILES} == {"basic", "expert"}


if __name__ == "__main__":
    write_anew(FILES)

"""What concepts and tutorials show works, as it stands there (see `tests.pages`)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fm_env import registry
from tests.pages import PageRun, blocks, compare, replaced

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "docs" / "concepts.md", *sorted((ROOT / "docs" / "tutorials").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_can_be_followed_by_copy_and_paste(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "_places", dict(registry._places))
    reader = PageRun(tmp_path, monkeypatch)
    try:
        done = reader.run(page)
    finally:
        reader.leave()
    assert done > 0 or page.stem == "index"


def test_pages_are_compared_with_what_is_printed() -> None:
    compare("win rate 0.53 ...\n...\ntotal  3", "win   rate 0.53 [0.5, 0.6]\nmore\ntotal 3\n")
    with pytest.raises(AssertionError, match="the page shows"):
        compare("total 3", "total 4")
    with pytest.raises(AssertionError, match="the page shows"):
        compare("b\na", "a\nb")


def test_smaller_numbers_replace_those_of_a_command() -> None:
    words = ["fm-env", "train", "duel", "--minutes", "3"]
    assert replaced(words, ["--minutes", "0.1", "--seed", "2"]) == [*words[:-1], "0.1", "--seed", "2"]


def test_every_page_says_why_a_block_is_not_run() -> None:
    for page in PAGES:
        for block in blocks(page):
            if block.note.startswith("not run"):
                assert re.match(r"not run: \w", block.note), (page.name, block.note)

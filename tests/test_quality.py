"""docs/quality.md names proofs that exist."""

from __future__ import annotations

import json
import re
from pathlib import Path

from tests.packaging.extras import extras

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "quality.md").read_text(encoding="utf-8")
TARGETS = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)


def test_every_test_that_it_names_exists() -> None:
    for row in PAGE.splitlines():
        folder = ""
        for name in re.findall(r"`((?:tests/[\w./*]+)|test_\w+\.py)`", row):
            path = name if name.startswith("tests/") else f"{folder}/{name}"
            folder = path.rpartition("/")[0]
            assert list(ROOT.glob(path)), path


def test_every_target_that_it_names_exists() -> None:
    named = re.findall(r"`make ([\w-]+)`", PAGE)
    assert named
    assert set(named) <= set(TARGETS)


def test_every_result_that_it_links_is_committed() -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", PAGE):
        assert (ROOT / "docs" / target).exists(), target


def test_every_extra_worked_when_last_tried() -> None:
    rows = json.loads((ROOT / "docs" / "quality" / "packaging.json").read_text(encoding="utf-8"))["extras"]
    assert {row["extra"] for row in rows} == {extra or "none" for extra in extras()}
    assert all(row["works"] for row in rows)

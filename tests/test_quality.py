"""docs/quality.md names proofs that exist."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.packaging.extras import extras
from tests.packaging.pythons import PYTHONS

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


def recorded(name: str) -> Any:
    if name == "pythons" and not (ROOT / "docs" / "quality" / f"{name}.json").exists():
        pytest.skip(f"make {name} has not been run to its end yet")
    return json.loads((ROOT / "docs" / "quality" / f"{name}.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", ["drills", "fuzz", "fuzz_guided", "newest"])
def test_what_was_last_recorded_passed(name: str) -> None:
    found = recorded(name)
    assert (
        found["passed"] is True
        and found["versions"]["git"]
        and found["command"].startswith(("python", "HYPO"))
    )
    assert all(test["outcome"] == "passed" for test in found.get("tests", []))
    assert all(door["works"] and door["executions"] > 0 for door in found.get("doors", []))


def test_every_drill_was_tried_and_says_what_it_is() -> None:
    marked = {
        name
        for file in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(
            r"@pytest\.mark\.drill\(.*?\n\)\n.*?def (\w+)", file.read_text("utf-8"), re.DOTALL
        )
    }
    rows = {row["test"].rpartition(":")[2]: row for row in recorded("drills")["tests"]}
    assert len(marked) >= 12 and rows.keys() == marked
    assert all(row["done"] and row["expected"] for row in rows.values())


def test_five_thousand_examples_of_each_were_tried() -> None:
    tried = [row for row in recorded("fuzz")["tests"] if "examples" in row]
    assert len(tried) >= 7
    assert all(row["examples"] <= 5000 * row["cases"] for row in tried)
    assert sum(row["examples"] for row in tried) > 100_000


def test_every_python_worked_when_last_tried() -> None:
    rows = recorded("pythons")["pythons"]
    assert [row["python"] for row in rows] == list(PYTHONS)
    assert all(row["here"] and row["works"] and row["tests"].get("passed", 0) > 100 for row in rows)


def test_nine_in_ten_mutants_that_matter_are_noticed_and_every_survivor_has_a_reason() -> None:
    found = recorded("mutation")
    assert found["all"]["mutants"] >= 200
    assert found["all"]["score"] >= 0.9
    assert all(row["reason"] for row in found["survivors"])
    assert len(found["survivors"]) == found["all"]["survived"]

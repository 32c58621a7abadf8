"""RULES.md, the code and the tests of a game name the same rules.

A game's `test_traceability.py` derives a test class from `Traceability` and says which rules it
must have; the tests here are inherited.
"""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path
from typing import ClassVar, NamedTuple

import pytest

from fm_env.games import rules_page
from fm_env.games.rules_page import Page

rule = pytest.mark.rule
"""`@rule("U-01")`: the test fails if that rule is broken."""


class Row(NamedTuple):
    """One line of the table of rules."""

    rule: str
    words: str
    source: str
    functions: list[str]
    tests: list[str]


class Traceability:
    """The checks; a derived class fills in what they are about."""

    page: ClassVar[Page]
    tests: ClassVar[Path]
    """Folder of the game's tests."""
    letters: ClassVar[str]
    """An id is one of these, a hyphen and two digits; a line of a source one of them, `:` and a number."""
    required: ClassVar[Collection[str]]
    """Ids of the rulings that the game keeps."""
    last_ruling: ClassVar[Mapping[str, int]]
    """For each letter the last number that the rulings use; the ids after it are ours."""

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        if "row" in metafunc.fixturenames:
            rows = rows_of(self.page.path, self.letters)
            metafunc.parametrize("row", rows, ids=[row.rule for row in rows])

    def known(self) -> set[str]:
        """Ids of the table."""
        return {row.rule for row in rows_of(self.page.path, self.letters)}

    def test_the_table_names_each_rule_once(self):
        assert len(rows_of(self.page.path, self.letters)) == len(self.known())
        assert set(self.required) <= self.known()

    def test_the_rule_has_words_and_a_source(self, row):
        assert row.words.endswith(".")
        assert re.search(rf"\b[{self.letters}]:\d+", row.source) or row.source in ("ruling", "ours")

    def test_the_named_functions_keep_the_rule_and_say_so(self, row):
        assert row.functions
        package = type(self.page.game).__module__
        for name in row.functions:
            module, _, function = name.partition(":")
            path = importlib.import_module(f"{package}.{module}").__file__
            cited = ids_in(functions_of(path)[function], self.letters)
            assert row.rule in cited, f"{name} doesn't cite {row.rule}"

    def test_the_named_tests_are_marked_with_the_rule(self, row):
        assert row.tests
        for name in row.tests:
            assert row.rule in marks(self.tests)[name], f"{name} isn't marked with {row.rule}"

    def test_tests_and_code_cite_only_rules_of_the_table(self):
        assert {rule for ids in marks(self.tests).values() for rule in ids} <= self.known()
        for path in self.page.path.parent.glob("*.py"):
            for name, source in functions_of(path).items():
                unknown = ids_in(source, self.letters) - self.known()
                assert not unknown, f"{path.stem}:{name} cites {unknown}, which the table doesn't have"

    def test_what_is_ours_is_marked_ours(self):
        for row in rows_of(self.page.path, self.letters):
            is_ours = int(row.rule[2:]) > self.last_ruling[row.rule[0]]
            assert row.source.endswith("ours") == is_ours, row.rule

    def test_the_generated_tables_are_up_to_date(self):
        text = self.page.path.read_text(encoding="utf-8")
        assert rules_page.updated(self.page, text) == text, "run: python -m fm_env.games.rules_page"

    def test_the_history_knows_the_present_versions(self):
        history = self.page.path.read_text(encoding="utf-8").partition("## Versions")[2]
        for name, options in self.page.scenarios:
            spec = self.page.game.scenario(name, **options).spec
            assert f"\n| {spec.rules_version} | {spec.observation_version} |" in history


def ids(letter: str, *numbers: int) -> set[str]:
    """`ids("K", 1, 2)`: K-01 and K-02."""
    return {f"{letter}-{number:02d}" for number in numbers}


def ids_in(text: str, letters: str) -> set[str]:
    """All rule ids that a text names."""
    return set(re.findall(rf"\b[{letters}]-\d\d\b", text))


@cache
def rows_of(path: Path, letters: str) -> list[Row]:
    """The table of rules of a RULES.md, all its sections together."""
    rows = []
    for line in path.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if re.fullmatch(rf"[{letters}]-\d\d", cells[0]) and len(cells) == 5:
            functions, tests = (re.findall(r"`([^`]+)`", cell) for cell in cells[3:])
            rows.append(Row(cells[0], cells[1], cells[2], functions, tests))
    return rows


@cache
def functions_of(path: Path | str) -> dict[str, str]:
    """Source of every function and class at the top of a file, by name."""
    text = Path(path).read_text(encoding="utf-8")
    nodes = [n for n in ast.parse(text).body if isinstance(n, (ast.FunctionDef, ast.ClassDef))]
    return {node.name: "\n".join(text.splitlines()[node.lineno - 1 : node.end_lineno]) for node in nodes}


@cache
def marks(folder: Path) -> dict[str, list[str]]:
    """For every test function of a folder the rules it is marked with."""
    found = {}
    for path in sorted(folder.glob("test_*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef):
                found[f"{path.stem}:{node.name}"] = [
                    argument.value
                    for call in node.decorator_list
                    if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "rule"
                    for argument in call.args
                    if isinstance(argument, ast.Constant)
                ]
    return found

"""RULES.md, the code and the tests name the same rules."""

from __future__ import annotations

import ast
import importlib
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from fm_env.games.fairy_meat import rules_page
from fm_env.games.fairy_meat.scenario import OBSERVATION_VERSION, RULES_VERSION

HERE = Path(__file__).parent
RULES = rules_page.PAGE.read_text(encoding="utf-8")
ID = re.compile(r"\b[FU]-\d\d\b")


class Row(NamedTuple):
    rule: str
    words: str
    source: str
    functions: list[str]
    tests: list[str]


def rows():
    """The table of rules, all its sections together."""
    for line in RULES.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if ID.fullmatch(cells[0]) and len(cells) == 5:
            yield Row(*cells[:3], re.findall(r"`([^`]+)`", cells[3]), re.findall(r"`([^`]+)`", cells[4]))


ROWS = list(rows())
BY_ID = {row.rule: row for row in ROWS}


@cache
def functions_of(path):
    """Source of every function and class at the top of a file, by name."""
    text = Path(path).read_text(encoding="utf-8")
    nodes = [n for n in ast.parse(text).body if isinstance(n, (ast.FunctionDef, ast.ClassDef))]
    return {node.name: "\n".join(text.splitlines()[node.lineno - 1 : node.end_lineno]) for node in nodes}


@cache
def marks():
    """For every test of this folder the rules it is marked with."""
    found = {}
    for path in sorted(HERE.glob("test_*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef):
                ids = [
                    argument.value
                    for call in node.decorator_list
                    if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "rule"
                    for argument in call.args
                ]
                found[f"{path.stem}:{node.name}"] = ids
    return found


def test_the_table_names_each_rule_once():
    assert len(ROWS) == len(BY_ID) > 140
    rulings = {f"F-{k:02d}" for k in range(1, 75)} | {f"U-{k:02d}" for k in range(1, 39)}
    assert rulings <= set(BY_ID), f"no row for {sorted(rulings - set(BY_ID))}"


@pytest.mark.parametrize("row", ROWS, ids=BY_ID)
def test_the_rule_has_words_and_a_source(row):
    assert row.words.endswith(".")
    assert re.search(r"\b[UF]:\d+", row.source) or row.source == "ours"


@pytest.mark.parametrize("row", ROWS, ids=BY_ID)
def test_the_named_functions_keep_the_rule_and_say_so(row):
    assert row.functions
    for name in row.functions:
        module, _, function = name.partition(":")
        path = importlib.import_module(f"fm_env.games.fairy_meat.{module}").__file__
        assert row.rule in ID.findall(functions_of(path)[function]), f"{name} doesn't cite {row.rule}"


@pytest.mark.parametrize("row", ROWS, ids=BY_ID)
def test_the_named_tests_are_marked_with_the_rule(row):
    assert row.tests
    for name in row.tests:
        assert row.rule in marks()[name], f"{name} isn't marked with {row.rule}"


def test_tests_and_code_cite_only_rules_of_the_table():
    assert {rule for ids in marks().values() for rule in ids} <= set(BY_ID)
    for path in rules_page.PAGE.parent.glob("*.py"):
        for name, source in functions_of(path).items():
            assert set(ID.findall(source)) <= set(BY_ID), f"{path.stem}:{name} cites a rule without a row"


def test_what_is_ours_is_marked_ours():
    for row in ROWS:
        number = int(row.rule[2:])
        is_ours = number > (74 if row.rule[0] == "F" else 38)
        assert row.source.endswith("ours") == is_ours, row.rule


def test_the_generated_tables_are_up_to_date():
    assert rules_page.updated(RULES) == RULES, "run: python -m fm_env.games.fairy_meat.rules_page"


def test_the_history_knows_the_present_versions():
    assert f"\n| {RULES_VERSION} | {OBSERVATION_VERSION} |" in RULES.partition("## Versions")[2]

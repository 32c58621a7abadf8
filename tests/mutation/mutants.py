"""What can be changed in the rule files, a sample of it, and how a change gets into a process."""

from __future__ import annotations

import ast
import gc
import hashlib
import json
import sys
import types
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

from agents.policy import write_atomically

ROOT = Path(__file__).resolve().parents[2]
GAMES = ("angry_miniatures", "fairy_meat", "fairy_tale", "sword_and_shield")

LEFT_OUT = ("RemoveDecorator", "_Is", "_IsNot")
"""Ends of operators' names: `@rule` does nothing where nothing is compiled, and rules compare numbers,
for which `is` means something else once they are compiled."""

KINDS_OF_NODES = {"core/ReplaceBinaryOperator": "operator", "core/ReplaceComparisonOperator": "comparison"}


@dataclass(frozen=True)
class Mutant:
    """One small change of one rule file."""

    file: str
    """Path from the root of the checkout."""
    operator: str
    """Cosmic Ray's name of it, e.g. `core/NumberReplacer`."""
    occurrence: int
    """Cosmic Ray's number of it: which of the places that the operator fits."""
    line: int
    column: int
    lines: tuple[int, ...]
    """All lines of the statement; for an `if` or a loop those of its head."""
    inside: str
    """Name of the function; empty for what stands in none."""
    before: str
    """The changed lines as they are."""
    after: str

    @property
    def id(self) -> str:
        """Stays the same while the file's other lines change."""
        said = f"{self.file}|{self.inside}|{self.operator}|{self.before}|{self.after}|{self.column}"
        return hashlib.sha256(said.encode()).hexdigest()[:12]

    @property
    def game(self) -> str:
        return self.file.split("/")[2]

    def source(self) -> str:
        """The whole file with the change."""
        return mutated(self.file, self.operator, self.occurrence)


def rule_files() -> list[str]:
    """Every file of a game that holds a rule."""
    found = [
        path.relative_to(ROOT).as_posix()
        for game in GAMES
        for path in sorted((ROOT / "fm_env/games" / game).glob("*.py"))
        if "\n@rule\n" in path.read_text("utf-8") or "\n@allocating_rule\n" in path.read_text("utf-8")
    ]
    assert found, "no rule files found"
    return found


def mutant_of(row: dict[str, Any]) -> Mutant:
    """A mutant from what JSON made of it."""
    return Mutant(**{**row, "lines": tuple(row["lines"])})


def known_sample(file: str, size: int, seed: int, folder: Path) -> list[Mutant]:
    """`sample`, kept in a folder, since drawing it takes a while."""
    said = f"{text_of(file)}|{size}|{seed}|{version('cosmic-ray')}"
    kept = folder / "samples" / f"{hashlib.sha256(said.encode()).hexdigest()[:16]}.json"
    if kept.exists():
        return [mutant_of(row) for row in json.loads(kept.read_text("utf-8"))]
    drawn = sample(file, size, seed)
    kept.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(kept, json.dumps([asdict(mutant) for mutant in drawn]).encode())
    return drawn


def sample(file: str, size: int, seed: int) -> list[Mutant]:
    """Mutants of a file at `size` places of it, or at all of them if there are fewer.

    Places are drawn, not mutants, and one mutant for each: `a + b` can be changed in eleven ways and
    `a and b` in one. A larger sample of the same seed begins with the smaller one. A change that
    compiles to the same code is no mutant, and the next place is taken instead.
    """
    places = places_of(file)
    rng = np.random.default_rng([seed, *hashlib.sha256(file.encode()).digest()[:8]])
    chosen: list[Mutant] = []
    original = compile(text_of(file), file, "exec")
    for k in rng.permutation(len(places)):
        operator, occurrence, line, column = places[k][int(rng.integers(len(places[k])))]
        if len(chosen) == size:
            break
        if compile(mutated(file, operator, occurrence), file, "exec") != original:
            chosen.append(_mutant(file, operator, occurrence, line, column))
    return chosen


Variant = tuple[str, int, int, int]
"""Operator, occurrence, line, column."""


@cache
def places_of(file: str) -> list[list[Variant]]:
    """All mutants of a file, those of one kind at one place together, in order of the places."""
    nodes, found = list(ast_nodes(get_ast(text_of(file)))), defaultdict[Any, list[Variant]](list)
    skipped = set(_annotations(_tree(file)))
    for name in operator_names():
        operator_class = get_operator(name)
        if name.endswith(LEFT_OUT) or operator_class.arguments():
            continue
        operator, family = operator_class(), name.partition("_")[0]
        fitting = nodes
        if family in KINDS_OF_NODES:  # the eleven dozen operators for which looking everywhere takes long
            fitting = [node for node in nodes if node.type == KINDS_OF_NODES[family]]
        positions = (at for node in fitting for at in operator.mutation_positions(node))
        for occurrence, ((line, column), _) in enumerate(positions):
            if (line, column) not in skipped:
                found[line, column, family].append((name, occurrence, line, column))
    return [found[key] for key in sorted(found)]


@cache
def mutated(file: str, operator: str, occurrence: int) -> str:
    """The text of a file with one change."""
    text = mutate_code(text_of(file), get_operator(operator)(), occurrence)
    if text is None:
        raise ValueError(f"{file}: {operator} has no occurrence {occurrence}")
    return text


@cache
def text_of(file: str) -> str:
    return (ROOT / file).read_text("utf-8")


def swap(file: str, source: str) -> int:
    """Give the functions of a loaded file the code of another text of it; how many have changed.

    Rules call each other by name and are imported by name, so the function objects must stay.
    """
    path = str(ROOT / file)
    new = dict(_codes(compile(source, path, "exec")))
    changed = 0
    for function in gc.get_objects():
        # `isinstance` would ask `__class__` of every object there is, and some warn when they are asked.
        if type(function) is types.FunctionType and function.__code__.co_filename == path:
            code = new.get(function.__code__.co_qualname, function.__code__)
            if code != function.__code__:
                function.__code__ = code
                changed += 1
    return changed


class Instead:
    """Finder for `sys.meta_path`: one file is imported with another text."""

    def __init__(self, file: str, source: str) -> None:
        self.name = file.removesuffix(".py").replace("/", ".")
        self.path, self.source = str(ROOT / file), source

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        from importlib.machinery import ModuleSpec

        if name != self.name:
            return None
        spec = ModuleSpec(name, self, origin=self.path)
        spec.has_location = True
        return spec

    def create_module(self, spec: Any) -> None:
        return None

    def exec_module(self, module: Any) -> None:
        exec(compile(self.source, self.path, "exec"), module.__dict__)


def import_instead(file: str, source: str) -> None:
    """From now on `file`, which must not be loaded yet, means `source`."""
    finder = Instead(file, source)
    assert finder.name not in sys.modules, f"{finder.name} is loaded already"
    sys.meta_path.insert(0, finder)


def _mutant(file: str, operator: str, occurrence: int, line: int, column: int) -> Mutant:
    old, new = (text.splitlines() for text in (text_of(file), mutated(file, operator, occurrence)))
    differ = [k for k, (a, b) in enumerate(zip(old, new, strict=False)) if a != b] or [line - 1]
    first, last = differ[0], differ[-1] + 1
    if len(old) != len(new):
        first, last = line - 1, line
    before, after = (" ".join(part.strip() for part in lines[first:last]) for lines in (old, new))
    tree = _tree(file)
    lines = _statement(tree, line)
    return Mutant(file, operator, occurrence, line, column, lines, _inside(tree, line), before, after)


@cache
def _tree(file: str) -> ast.Module:
    return ast.parse(text_of(file))


def _statement(tree: ast.Module, line: int) -> tuple[int, ...]:
    """Lines of the innermost statement around a line, without its body."""
    best = (line,)
    size = sys.maxsize
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or line):
            end = node.end_lineno or line
            body = getattr(node, "body", None)
            if body:
                end = max(node.lineno, body[0].lineno - 1)
            if node.lineno <= line <= end and end - node.lineno < size:
                best, size = tuple(range(node.lineno, end + 1)), end - node.lineno
    return best


def _inside(tree: ast.Module, line: int) -> str:
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.lineno <= line <= (
            node.end_lineno or 0
        ):
            return node.name
    return ""


def _annotations(tree: ast.Module) -> Iterator[tuple[int, int]]:
    """Where types are written, which mean nothing when a program runs."""
    for node in ast.walk(tree):
        for name in ("annotation", "returns"):
            part = getattr(node, name, None)
            if isinstance(part, ast.AST):
                for inner in range(part.lineno, (part.end_lineno or part.lineno) + 1):
                    yield from (
                        (inner, column) for column in range(part.col_offset, part.end_col_offset or 0)
                    )


def _codes(code: types.CodeType) -> Iterator[tuple[str, types.CodeType]]:
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield constant.co_qualname, constant
            yield from _codes(constant)

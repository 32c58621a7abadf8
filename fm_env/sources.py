"""Which source files a compiled rule depends on: its own file, the rule files that imports, and
what stands in a TOML file of the same name beside one of them, which rules may hold as constants.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OWN_PACKAGES = ("fm_env", "agents")
"""Where rules live; imports of other libraries are pinned by their version instead."""

MACHINERY = tuple(ROOT / "fm_env" / name for name in ("compiled.py", "errors.py", "sources.py"))
"""Imported by rules without being part of them."""

_IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+(?P<base>[\w.]+)[ \t]+import[ \t]+(?P<names>\([^)]*\)|[^\n#]*)"
    r"|import[ \t]+(?P<modules>[\w., \t]+))",
    re.MULTILINE,
)


def rule_sources(files: Iterable[str]) -> tuple[Path, ...]:
    """All files, sorted, whose text can change what the functions in `files` compile to.

    Empty if one of `files` isn't a file (a notebook cell, a prompt). How rules are compiled and where the
    result is kept isn't among them: the options of the compiler are part of a folder's name.
    """
    found: set[Path] = set()
    waiting = [Path(name) for name in files]
    if not all(path.is_file() for path in waiting):
        return ()
    waiting = [path.resolve() for path in waiting]
    while waiting:
        path = waiting.pop()
        if path not in found and path not in MACHINERY:
            found.add(path)
            found.update(data for data in [path.with_suffix(".toml")] if data.is_file())
            waiting.extend(_imported(path))
    return tuple(sorted(found))


@functools.cache
def _imported(path: Path) -> tuple[Path, ...]:
    found: dict[Path, None] = {}
    for base, parts in _imports(path):
        modules = [list(_resolve(path, part)) for part in parts]
        for files in modules:
            found.update(dict.fromkeys(files))
        if not all(modules):  # something that stands in `base` itself, not a module beside it
            found.update(dict.fromkeys(_resolve(path, base)))
    return tuple(found)


def _imports(path: Path) -> Iterator[tuple[str, list[str]]]:
    """Every import of a file: the dotted name it imports from, with its leading dots, and the dotted
    names that it may mean. `from package import module` doesn't depend on all that the package
    imports for its users.
    """
    for match in _IMPORT.finditer(path.read_text("utf-8")):
        if match["modules"]:
            for part in match["modules"].split(","):
                if part.split():
                    yield part.split()[0], [part.split()[0]]
            continue
        base = match["base"]
        names = re.sub(r"#[^\n]*", "", match["names"]).strip("()").split(",")
        joint = "" if base.endswith(".") else "."  # `from . import x` has its dot already
        yield base, [f"{base}{joint}{name.split()[0]}" for name in names if name.split()]


def _resolve(path: Path, name: str) -> Iterator[Path]:
    """The file of a module or package that `path` may import by that name."""
    own = _package_root(path)
    bare = name.lstrip(".")
    up = len(name) - len(bare)
    if up:
        root = path.parents[up - 1]
    elif bare.partition(".")[0] in OWN_PACKAGES:
        root = ROOT
    elif own is not None and bare.partition(".")[0] == own.name:
        root = own.parent
    elif own is None:
        root = path.parent
    else:
        return
    for candidate in (root.joinpath(*bare.split(".")), root.joinpath(*bare.split("."), "__init__")):
        file = candidate.with_suffix(".py")
        if bare and file.is_file():
            yield file.resolve()


def _package_root(path: Path) -> Path | None:
    """Folder of the outermost package that `path` belongs to; None for a lone module."""
    root = None
    folder = path.parent
    while (folder / "__init__.py").is_file():
        root, folder = folder, folder.parent
    return root

"""Settings from TOML or the command line, checked as a whole; every mistake is named at once."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Annotated, Any, TypeVar

import pydantic
from pydantic import Field

from fm_env.errors import SetupError

Positive = Annotated[float, Field(gt=0)]
Share = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(gt=0)]
Width = Annotated[int, Field(gt=0, le=16_384)]
Widths = Annotated[tuple[Width, ...], Field(min_length=1, max_length=16)]
"""Of hidden layers."""


class Section(pydantic.BaseModel):
    """A table of a config: what isn't known is refused, and nothing changes later."""

    model_config = pydantic.ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)


Settings = TypeVar("Settings", bound=pydantic.BaseModel)


def checked(model: type[Settings], table: dict[str, Any], source: str) -> Settings:
    """Settings from a dict.

    Args:
        model: what they are.
        table: as TOML gives it.
        source: where it comes from, for messages.

    Raises:
        SetupError: names every bad entry, what was given and what was expected.
    """
    try:
        return model.model_validate(table)
    except pydantic.ValidationError as error:
        lines: list[str] = []
        for problem in error.errors():
            where = ".".join(str(part) for part in problem["loc"])
            given = f" (given: {problem['input']!r:.200})" if where and problem["type"] != "missing" else ""
            said = problem["msg"].removeprefix("Value error, ")
            lines.append(f"{where + ': ' if where else ''}{said}{given}")
        raise SetupError(f"{source}: " + "; ".join(lines)) from None


def read_toml(path: str | os.PathLike[str], shipped: Path) -> tuple[dict[str, Any], str]:
    """The table in a TOML file, and the file's name.

    Args:
        path: a file, or the name (without ending) of one in `shipped`.
        shipped: folder of files that come with the package.

    Raises:
        SetupError: no such file, or not TOML.
    """
    file = Path(path)
    if not file.is_file() and file.parent == Path() and (shipped / f"{file.name}.toml").is_file():
        file = shipped / f"{file.name}.toml"
    try:
        return tomllib.loads(file.read_text(encoding="utf-8")), file.name
    except OSError as error:
        known = ", ".join(sorted(found.stem for found in shipped.glob("*.toml")))
        raise SetupError(f"config {os.fspath(path)!r}: {error.strerror} (shipped configs: {known})") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SetupError(f"config {file.name}: not valid TOML: {error}") from None


def check_same(
    settings: pydantic.BaseModel, folder: Path, may_change: Mapping[str, Collection[str] | None]
) -> None:
    """Refuse to resume the run in a folder with settings that would have made another one.

    What an older version's settings don't say, it couldn't do otherwise: there the default counts.

    Args:
        settings: the new ones.
        folder: with the old ones in `config.json`.
        may_change: by section, entries that may be others (None: all of them).

    Raises:
        SetupError: no run there, or an entry differs.
    """
    try:
        old = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        earlier = type(settings).model_validate(old).model_dump(mode="json")
    except (OSError, ValueError):
        raise SetupError(
            f"cannot resume: no run in {folder.name!r} (config.json is missing or damaged)"
        ) from None
    for section, now in settings.model_dump(mode="json").items():
        free = may_change.get(section, ())
        if free is None:
            continue
        if isinstance(now, list):  # tables without names are compared as a whole
            before, wanted = {section: earlier[section]}, {section: now}
        else:  # a section that may be left out is None then
            before, wanted = (
                {f"{section}.{name}": value for name, value in (entries or {}).items() if name not in free}
                for entries in (earlier[section], now)
            )
        for name in sorted({*before, *wanted}):
            if before.get(name) != wanted.get(name):
                raise SetupError(
                    f"cannot resume: {name} was {before.get(name)!r} in {folder.name!r},"
                    f" now {wanted.get(name)!r}"
                )

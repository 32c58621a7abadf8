"""Settings from TOML or the command line, checked as a whole; every mistake is named at once."""

from __future__ import annotations

import os
import tomllib
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

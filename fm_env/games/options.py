"""Mistakes in options and data, said in one line each. Used by the games' `scenario.py`."""

from __future__ import annotations

import re
from typing import Any

from pydantic import BaseModel, ValidationError

from fm_env.errors import suggestion


def explain(where: str, error: ValidationError, model: type[BaseModel]) -> str:
    """One line per mistake: the field, what was given, what was expected.

    Args:
        where: what was being made, e.g. a scenario's name.
        error: what pydantic found.
        model: what it was checked against; its fields are named where an unknown one was given.
    """
    lines = []
    for entry in error.errors():
        # Parts with a space are tags of options that take a name or a table.
        field = ".".join(str(part) for part in entry["loc"] if " " not in str(part))
        message = entry["msg"].removeprefix("Value error, ")
        given = entry["input"]
        expected = re.findall(r"'([^']+)'", entry.get("ctx", {}).get("expected", ""))
        if entry["type"] == "literal_error" and isinstance(given, str):
            message = suggestion(given, expected)
        if entry["type"] == "extra_forbidden":
            known = f"; known here: {_fields(model)}" if len(entry["loc"]) == 1 else ""
            lines.append(f"{where}: {field}: no such option{known}")
        elif not field or message.startswith(f"{field}: "):
            lines.append(f"{where}: {message}")
        elif isinstance(given, (dict, list, tuple)):  # too long to repeat
            lines.append(f"{where}: {field}: {message}")
        else:
            lines.append(f"{where}: {field}: {message}, got {_short(given)}")
    return "; ".join(lines)


def _fields(model: type[BaseModel]) -> str:
    return ", ".join(name for name in model.model_fields if name != "scenario")


def _short(given: Any) -> str:
    text = repr(given)
    return text if len(text) <= 200 else text[:197] + "..."

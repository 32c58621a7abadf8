"""Mistakes in options and data, said in one line each. Used by the games' `scenario.py`."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from pydantic import BaseModel, ValidationError

from fm_env.errors import suggestion


def explain(where: str, error: ValidationError, model: type[BaseModel], forms: Collection[str] = ()) -> str:
    """One line per mistake: the field, what was given, what was expected.

    Args:
        where: what was being made, e.g. a scenario's name.
        error: what pydantic found.
        model: what it was checked against; its fields are named where an unknown one was given.
        forms: names of the types of which a value may have either; where it has the mistakes of several,
            those of plain text and fixed words are left out, since the other's tell more.
    """
    lines = []
    for entry in error.errors():
        places = [str(part) for part in entry["loc"]]
        if forms and places and (places[-1] == "str" or places[-1].startswith("literal[")):
            continue
        # Parts with a space or brackets are tags of the forms that a value may have.
        field = ".".join(part for part in places if not set(part) & set(" [") and part not in forms)
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
    return "; ".join(dict.fromkeys(lines))


def _fields(model: type[BaseModel]) -> str:
    return ", ".join(name for name in model.model_fields if name != "scenario")


def _short(given: Any) -> str:
    text = repr(given)
    return text if len(text) <= 200 else text[:197] + "..."

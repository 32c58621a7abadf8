"""The protocol as one JSON Schema document, committed as `docs/protocol.schema.json`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pydantic
from pydantic.json_schema import models_json_schema

from agents.service import protocol, protocol_hosted, protocol_stdio, protocol_view
from agents.service.protocol import PROTOCOL


def messages() -> tuple[type[pydantic.BaseModel], ...]:
    """Every model of the protocol, in the order of the files."""
    found: dict[str, type[pydantic.BaseModel]] = {}
    for module in (protocol, protocol_hosted, protocol_stdio, protocol_view):
        for name, value in vars(module).items():
            if (
                isinstance(value, type)
                and issubclass(value, pydantic.BaseModel)
                and value.__module__ == module.__name__
            ):
                found[name] = value
    return tuple(found.values())


def schema() -> dict[str, Any]:
    """A JSON Schema (draft 2020-12) whose `$defs` hold every message by its name."""
    _, definitions = models_json_schema(
        [(model, "validation") for model in messages()],
        title="fm-env protocol",
        description="Messages between frontends, servers and engines; see docs/protocol.md.",
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"https://fm-env.invalid/protocol-{PROTOCOL}.schema.json",
        **definitions,
    }


def schema_text() -> str:
    """As it stands in the file."""
    return json.dumps(schema(), indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def schema_command(file: Path | None) -> None:
    """Print the schema, or write it to a file."""
    from agents.policy import write_atomically

    if file is None:
        print(schema_text(), end="")
    else:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(file, schema_text().encode())

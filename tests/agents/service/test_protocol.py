"""The messages, and the schema that is published of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pydantic
import pytest

from agents.service.protocol import PROTOCOL, ChooseRequest
from agents.service.protocol_hosted import CreateRequest
from agents.service.schema import messages, schema, schema_text
from tests.agents.service.conftest import PEOPLE, Client

FILE = Path(__file__).parents[3] / "docs" / "protocol.schema.json"


def validator(name: str) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator({**schema(), "$ref": f"#/$defs/{name}"})


def test_the_published_schema_is_that_of_the_messages() -> None:
    assert FILE.read_text("utf-8") == schema_text(), "run: fm-env schema docs/protocol.schema.json"
    jsonschema.Draft202012Validator.check_schema(json.loads(FILE.read_text("utf-8")))
    assert {model.__name__ for model in messages()} <= set(schema()["$defs"])


def test_every_reply_names_the_version_of_the_protocol() -> None:
    assert schema()["$defs"]["View"]["properties"]["protocol"]["const"] == PROTOCOL == 1


@pytest.mark.parametrize("name", ["View", "Catalog", "AgentList", "GameList", "Created"])
def test_what_a_server_says_fits_the_schema(client: Client, name: str) -> None:
    created = client.create(PEOPLE)
    token = created["tokens"]["0"]
    said: dict[str, Any] = {
        "View": client.view(created["game_id"], token, "text,events,actions,words,table,observation"),
        "Catalog": client.get("catalog"),
        "AgentList": client.get("agents", game="fairy_meat", scenario="duel"),
        "GameList": client.get("games"),
        "Created": created,
    }
    validator(name).validate(said[name])


@pytest.mark.parametrize(
    "broken",
    [
        {"extra": 1},
        {"seed": -1},
        {"seed": 2**53},
        {"game": "../x"},
        {"legal": []},
        {"alternatives": 10_000},
        {"observation": [float("nan")]},
        {"options": {str(k): 0 for k in range(100)}},
    ],
    ids=str,
)
def test_messages_of_another_shape_are_refused(broken: dict[str, Any]) -> None:
    with pytest.raises(pydantic.ValidationError):
        ChooseRequest.model_validate({"type": "choose", "observation": [0.0], "legal": [0]} | broken)


def test_a_game_needs_between_one_and_six_seats() -> None:
    for seats in ([], PEOPLE * 4):
        with pytest.raises(pydantic.ValidationError):
            CreateRequest.model_validate({"seats": seats})

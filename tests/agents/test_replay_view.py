"""What a viewer gets of a replay: frames that add up to the positions a seat may see, and nothing more."""

from __future__ import annotations

import json
from typing import Any

import pytest

import fm_env
from agents.service.replay_view import changes, replay_view
from agents.sitting import Sitting
from fm_env import shown
from fm_env.errors import LoadError, SetupError


def played(game: str, scenario: str, agents: dict[int, str], **options: Any) -> tuple[Any, str]:
    match = fm_env.load(game).new_match(scenario, seed=5, **options)
    sitting = Sitting(match, agents)
    sitting.let_agents_choose()
    return match, sitting.replay().model_dump_json()


@pytest.fixture(scope="module")
def duel() -> tuple[Any, str]:
    return played("fairy_meat", "duel", {0: "bluffer", 1: "policy:duel"}, rounds=1)


def unfolded(frames: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """As the page does it."""
    table: dict[str, Any] = {}
    tables = []
    for frame in frames:
        fields = dict(frame["table"])
        fairies = [dict(fairy) for fairy in table.get("fairies", [])]
        for k, change in fields.pop("fairies", {}).items():
            if int(k) == len(fairies):
                fairies.append({})
            fairies[int(k)].update(change)
        table = {**table, **fields, "fairies": fairies}
        tables.append(table)
    return tables


@pytest.mark.parametrize("seat", [None, 0, 1])
def test_frames_add_up_to_the_last_position(duel: tuple[Any, str], seat: int | None) -> None:
    match, text = duel
    film = replay_view(text, seat)
    tables = unfolded(film["frames"])
    assert tables[-1] == json.loads(json.dumps(shown.position(match.game, match.state, seat)))
    assert film["returns"] == list(match.returns())
    assert [player["name"] for player in film["players"]] == ["bluffer", "policy:duel"]
    assert all(frame["words"] for frame in film["frames"][1:])


def test_a_seat_sees_neither_cards_nor_thoughts_of_others(duel: tuple[Any, str]) -> None:
    film = replay_view(duel[1], 0)
    for table in unfolded(film["frames"]):
        assert table["fairies"][1]["hand"]["cards"] is None
    assert {frame["thought"]["seat"] for frame in film["frames"] if "thought" in frame} == {0}
    both = replay_view(duel[1], None)
    assert {frame["thought"]["seat"] for frame in both["frames"] if "thought" in frame} == {0, 1}


def test_games_without_a_picture_come_in_words() -> None:
    match, text = played("sword_and_shield", "joust", {0: "random", 1: "random"})
    film = replay_view(text, 1)
    assert film["frames"][-1]["text"] == match.text(1)
    assert film["frames"][0]["table"] == {"kind": "text"}


def test_what_does_not_hold_is_refused(duel: tuple[Any, str]) -> None:
    data = json.loads(duel[1])
    data["hashes"][4] = "0" * 32
    with pytest.raises(LoadError, match="step 3"):
        replay_view(json.dumps(data), None)
    with pytest.raises(SetupError, match="seat: expected 0 to 1"):
        replay_view(duel[1], 7)


def test_changes_are_those_fields_that_differ() -> None:
    old = {"a": 1, "b": 2, "fairies": [{"x": 1, "y": 2}, {"x": 3}]}
    new = {"a": 1, "b": 3, "fairies": [{"x": 1, "y": 5}, {"x": 3}, {"x": 0}]}
    assert changes(old, new) == {"b": 3, "fairies": {"0": {"y": 5}, "2": {"x": 0}}}
    assert changes(new, new) == {}


def test_the_server_turns_replays_into_frames(duel: tuple[Any, str]) -> None:
    pytest.importorskip("fastapi", reason="the server is not installed (extra service)")
    from fastapi.testclient import TestClient

    from agents.service.app import create_app
    from agents.service.choose import Lending
    from agents.service.hall import Hall
    from agents.service.store import Store

    data = json.loads(duel[1])
    with TestClient(create_app(Hall(Store(None), Lending()), rate=0)) as client:
        film = client.post("/v1/replay", json={"replay": data, "seat": 1}).json()
        assert film == json.loads(json.dumps(replay_view(duel[1], 1)))
        bad = client.post("/v1/replay", json={"replay": {"replay": 1, "match": {}}, "seat": None})
        assert bad.status_code // 100 == 4
        assert bad.json()["type"] == "error"
        assert client.post("/v1/replay", content=b"0" * 17_000_000).status_code == 413
        assert client.post("/v1/replay", json={"replay": data, "seat": 9}).status_code // 100 == 4

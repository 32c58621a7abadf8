"""What a server refuses: too large, too fast, too many, and agents that run code or read files."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.websockets import WebSocketDisconnect

from agents.service.guard import MAX_BODY, Bucket, Buckets
from tests.agents.service.conftest import DUEL, PEOPLE, Client


@pytest.mark.parametrize(
    "spec",
    [
        "engine:touch /tmp/x",
        "os:system",
        "subprocess:Popen:args=x",
        "policy:../../etc/passwd",
        "policy:/etc/passwd",
        "policy:duel.json",
        "equilibrium:table=/etc/passwd",
        " engine:true",
    ],
)
def test_agents_that_run_code_or_read_files_are_not_lent(client: Client, spec: str) -> None:
    assert client.create([PEOPLE[0], {"kind": "agent", "agent": spec}], code=403)["code"] == "forbidden"
    body = {**DUEL, "observation": [0.0] * 301, "legal": [0], "agent": spec}
    assert client.http.post("/v1/choose", json=body).status_code in (400, 403)


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("fairy_meat", {"scenario": "skirmish", "terrain": "{}/secret.toml"}),
        ("fairy_tale", {"scenario": "basic", "deck": "{}/secret"}),
        ("fairy_tale", {"scenario": "basic", "deck": "pyproject.toml"}),
        ("fairy_tale", {"scenario": "basic", "deck": "..\\\\secret"}),
        ("sword_and_shield", {"scenario": "joust", "knights": ["bear", "{}/none.toml"]}),
    ],
)
def test_options_name_no_file_of_the_server(
    client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str, options: dict[str, Any]
) -> None:
    """Neither what a file holds nor whether there is one is told, by whatever door."""
    monkeypatch.chdir(tmp_path)
    for name in ("secret.toml", "secret"):
        (tmp_path / name).write_text('password = "hunter2"\n')
    options = json.loads(json.dumps(options).replace("{}", str(tmp_path)))
    scenario = {"game": game, "scenario": options.pop("scenario"), "options": options}
    saved = {"schema": 1, "game": game, "options": options, "rules_version": 1, "seed": 1, "script": []}
    saved |= {"events": [], "state_hash": ""}
    replay = {"replay": 1, "match": saved, "hashes": [""]}
    for path, body in (
        ("games", {**scenario, "seats": PEOPLE}),
        ("choose", {**scenario, "observation": [0.0], "legal": [0]}),
        ("choose", {"game": game, "record": saved, "seat": 0}),
        ("replay", {"replay": saved}),
        ("replay", {"replay": replay}),
    ):
        said = client.post(path, body, code=400)["message"]
        assert "a file can't be named here" in said and "password" not in said, (path, said)


def test_a_seat_setup_that_does_not_fit_is_explained(client: Client) -> None:
    agent = {"kind": "agent", "agent": "counter"}
    for seats, words in (
        ([agent], "1 were given"),
        ([agent] * 3, "3 were given"),
        ([agent, {"kind": "agent"}], "seats.1.agent"),
        ([agent, {"kind": "human", "agent": "counter"}], "seats.1.agent"),
        ([agent, {"kind": "agent", "agent": "nobody"}], "nobody"),
    ):
        answer = client.http.post("/v1/games", json={**DUEL, "seats": seats})
        assert answer.status_code in (400, 403, 404) and words in answer.json()["message"]


def test_bodies_that_are_too_large_are_not_read(client: Client) -> None:
    big = {**DUEL, "seats": PEOPLE, "options": {"x": "y" * MAX_BODY}}
    answer = client.http.post("/v1/games", json=big)
    assert answer.status_code == 413 and answer.json()["code"] == "too_large"
    chunks = (b"x" * 10_000 for _ in range(20))
    assert client.http.post("/v1/games", content=chunks).status_code == 413
    assert client.http.post("/v1/games", content=b"[[[").status_code == 422
    assert client.http.post("/v1/games", content=b"[" * 60_000).status_code == 422
    assert client.http.post("/v1/games", json={"seats": PEOPLE, "surprise": 1}).status_code == 422


def test_only_so_many_games_are_kept(serve: Callable[..., Client]) -> None:
    client = serve(games=2)
    first = client.create(PEOPLE)
    client.create(PEOPLE)
    assert client.create(PEOPLE, code=503)["code"] == "full"
    client.post(f"games/{first['game_id']}/resign", {}, first["tokens"]["0"])
    client.create(PEOPLE)


def test_only_so_many_watch_a_game(serve: Callable[..., Client]) -> None:
    client = serve(watchers=1)
    path = f"/v1/games/{client.create(PEOPLE)['game_id']}/ws"
    with client.http.websocket_connect(path) as one, client.http.websocket_connect(path) as two:
        one.send_json({"type": "subscribe"})
        assert one.receive_json()["type"] == "view"
        two.send_json({"type": "subscribe"})
        assert two.receive_json()["code"] == "full"


def test_requests_that_come_too_fast_are_refused(serve: Callable[..., Client]) -> None:
    client = serve(rate=0.001, burst=45.0)
    client.create(PEOPLE)
    client.create(PEOPLE)
    assert client.http.post("/v1/games", json={**DUEL, "seats": PEOPLE}).status_code == 429
    codes = [client.http.get("/v1/games").status_code for _ in range(10)]
    assert codes[0] == 200 and codes[-1] == 429


def test_messages_over_a_websocket_are_limited(serve: Callable[..., Client]) -> None:
    client = serve(rate=0.001, burst=20.0)
    path = f"/v1/games/{client.create(PEOPLE)['game_id']}/ws"
    with client.http.websocket_connect(path) as socket:
        socket.send_json({"type": "subscribe"})
        socket.receive_json()
        for _ in range(20):
            socket.send_json({"type": "ping"})
            assert socket.receive_json()["type"] == "pong"
        socket.send_json({"type": "ping"})
        assert socket.receive_json()["code"] == "too_many"
        with pytest.raises(WebSocketDisconnect):
            socket.receive_json()


@pytest.mark.parametrize(
    "first", ['{"x":1}', "[", '{"type":"act","action":0}', "x" * 5_000, '{"type":"subscribe","token":"no"}']
)
def test_a_connection_that_starts_otherwise_is_closed(client: Client, first: str) -> None:
    path = f"/v1/games/{client.create(PEOPLE)['game_id']}/ws"
    with client.http.websocket_connect(path) as socket:
        socket.send_text(first)
        assert socket.receive_json()["type"] == "error"
        with pytest.raises(WebSocketDisconnect):
            socket.receive_json()
    with client.http.websocket_connect("/v1/games/nosuchgame/ws") as socket:
        socket.send_json({"type": "subscribe"})
        assert socket.receive_json()["code"] == "unknown"


def test_a_message_of_another_shape_changes_nothing(client: Client) -> None:
    created = client.create(PEOPLE)
    with client.http.websocket_connect(f"/v1/games/{created['game_id']}/ws") as socket:
        socket.send_json({"type": "subscribe", "token": created["tokens"]["0"]})
        view = socket.receive_json()
        for bad in (
            "{",
            '{"type":"act"}',
            '{"type":"act","action":-5}',
            '{"type":"act","action":[1]}',
            '{"type":"x"}',
        ):
            socket.send_text(bad)
            assert socket.receive_json()["type"] == "error"
    assert client.view(created["game_id"], created["tokens"]["0"])["version"] == view["version"]


def test_answers_tell_browsers_to_load_nothing_from_elsewhere(client: Client) -> None:
    headers = client.http.get("/v1/games").headers
    assert "default-src 'self'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert client.http.get("/docs").status_code == 200
    assert client.http.get("/no/such/page").json()["code"] == "unknown"


def test_buckets_fill_up_again_and_belong_to_one_client() -> None:
    buckets = Buckets(1_000.0, 2.0)
    assert buckets.admit("a") and buckets.admit("a") and not buckets.admit("a", 2.0)
    assert buckets.admit("b")
    time.sleep(0.01)
    assert buckets.admit("a")
    assert Bucket(0.0, 0.0).admit(100.0)

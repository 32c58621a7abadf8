"""Games outlive the server: kill -9 loses no move that was acknowledged, and a restart goes on."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2
import numpy as np
import pytest

from agents.service.store import SCHEMA, Store
from fm_env.errors import LoadError
from tests.agents.service.conftest import DUEL, PEOPLE, Client, LiveServer, bearer


def call(server: LiveServer, path: str, body: Any = None, token: str | None = None) -> dict[str, Any]:
    method = "GET" if body is None else "POST"
    answer = httpx2.request(
        method, f"{server.address}/v1/{path}", json=body, headers=bearer(token), timeout=60
    )
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.mark.drill(
    done="kill -9 of the server, twice, in the middle of a hosted game; it is started again each time",
    expected="every choice that was acknowledged is there, and the game goes on at the same view",
)
def test_kill_nine_loses_nothing_and_the_game_goes_on(tmp_path: Path) -> None:
    db = tmp_path / "games.db"
    rng = np.random.default_rng(0)
    server = LiveServer("--db", str(db))
    try:
        seats = [PEOPLE[0], {"kind": "agent", "agent": "level:veteran"}]
        created = call(server, "games", {**DUEL, "seats": seats})
        game, token = f"games/{created['game_id']}", created["tokens"]["0"]
        view = call(server, f"{game}?parts=actions,events,text", token=token)
        mine: list[int] = []
        for k in range(400):
            if view["status"] == "over":
                break
            action = int(rng.choice([one["id"] for one in view["actions"]]))
            body = {"action": action, "version": view["version"], "parts": ["actions", "events", "text"]}
            view = call(server, f"{game}/act", body, token)
            mine.append(action)
            if k in (3, 9):
                server.kill()
                server = LiveServer("--db", str(db))
                again = call(server, f"{game}?parts=actions,events,text", token=token)
                assert again == view
        record = call(server, f"{game}/record")
        assert [move["action"] for move in record["moves"] if move["seat"] == 0] == mine
        assert len(mine) > 8
    finally:
        server.kill()


def test_an_agent_goes_on_as_if_nothing_had_happened(serve: Callable[..., Client], tmp_path: Path) -> None:
    """The same seed and choices with and without a restart in the middle."""
    spec = "tests.agents.service.test_choose:Counting"  # an agent with a memory
    records = []
    for restarts in (False, True):
        db = tmp_path / f"{restarts}.db"
        client = serve(db=db, allow=(spec,), agent_seconds=60.0)
        created = client.create([PEOPLE[0], {"kind": "agent", "agent": spec}], seed=3)
        token, k = created["tokens"]["0"], 0
        while (view := client.view(created["game_id"], token))["status"] != "over":
            if view["your_turn"]:
                client.act(view, view["actions"][k % len(view["actions"])]["id"], token)
                k += 1
            if restarts and k == 6:
                client.close()
                client = serve(db=db, allow=(spec,), agent_seconds=60.0)
                k += 1
            elif k == 6:
                k += 1
        records.append(client.get(f"games/{created['game_id']}/record")["match"]["events"])
    assert records[0] == records[1]


def test_tokens_are_stored_as_hashes_only(serve: Callable[..., Client], tmp_path: Path) -> None:
    db = tmp_path / "games.db"
    created = serve(db=db).create(PEOPLE)
    written = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert created["game_id"].encode() in written
    assert created["tokens"]["0"].encode() not in written


def test_a_game_that_was_tampered_with_is_not_taken_up(serve: Callable[..., Client], tmp_path: Path) -> None:
    db = tmp_path / "games.db"
    first = serve(db=db)
    created = first.create(PEOPLE, seed=4)
    view = first.view(created["game_id"], created["tokens"]["0"])
    first.act(view, view["actions"][0]["id"], created["tokens"]["0"])
    first.close()
    with sqlite3.connect(db) as connection:
        connection.execute("UPDATE moves SET state_hash = 'x'")
    refused = serve(db=db).get(f"games/{created['game_id']}", code=400)
    assert "leads to another position" in refused["message"]


def test_a_file_that_is_no_such_database_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "text.db"
    file.write_text("no database, " * 100)
    with pytest.raises(LoadError, match="not a database"):
        Store(file)
    good = tmp_path / "good.db"
    Store(good).close()
    with sqlite3.connect(good) as connection:
        connection.execute("UPDATE meta SET value = ?", (str(SCHEMA + 1),))
    with pytest.raises(LoadError, match="version"):
        Store(good)


def test_a_port_that_is_taken_is_one_line_not_a_traceback(live_server: Callable[..., str]) -> None:
    import subprocess
    import sys

    port = live_server().rsplit(":", 1)[1]
    done = subprocess.run(
        [sys.executable, "-m", "fm_env.cli", "serve", "--port", port],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("fm-env: serve: can't listen") and "Traceback" not in done.stderr


def test_what_is_written_can_be_read_by_other_tools(serve: Callable[..., Client], tmp_path: Path) -> None:
    db = tmp_path / "games.db"
    client = serve(db=db)
    created = client.create(PEOPLE)
    client.play_out(created["game_id"], created["tokens"])
    with sqlite3.connect(db) as connection:
        rows = connection.execute("SELECT n, action FROM moves ORDER BY n").fetchall()
        status, outcome = connection.execute("SELECT status, outcome FROM games").fetchone()
    record = client.get(f"games/{created['game_id']}/record")
    assert rows == [(move["n"], move["action"]) for move in record["moves"]]
    assert status == "over" and json.loads(outcome) == record["outcome"]

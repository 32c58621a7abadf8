"""A server inside the test, with clients to talk to it."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

from agents.service.app import create_app
from agents.service.choose import Lending
from agents.service.floor import Limits
from agents.service.hall import Hall
from agents.service.store import Store

DUEL = {"game": "fairy_meat", "scenario": "duel"}
PEOPLE = [{"kind": "human", "name": "Ann"}, {"kind": "human", "name": "Bob"}]
SMALL = ["actions"]


class Client:
    """Requests that are expected to work."""

    def __init__(self, http: TestClient) -> None:
        self.http = http

    def close(self) -> None:
        """Stop the server in good order."""
        if self.http is not None:
            self.http.__exit__(None, None, None)
            self.http = None  # type: ignore[assignment]

    def post(self, path: str, body: Any, token: str | None = None, code: int = 200) -> dict[str, Any]:
        answer = self.http.post(f"/v1/{path}", json=body, headers=bearer(token))
        assert answer.status_code == code, answer.text
        return answer.json()

    def get(self, path: str, token: str | None = None, code: int = 200, **query: Any) -> dict[str, Any]:
        answer = self.http.get(f"/v1/{path}", headers=bearer(token), params=query)
        assert answer.status_code == code, answer.text
        return answer.json()

    def create(self, seats: list[dict[str, Any]], code: int = 200, **more: Any) -> dict[str, Any]:
        return self.post("games", {**DUEL, "seats": seats, **more}, code=code)

    def view(self, game_id: str, token: str | None = None, parts: str = "actions") -> dict[str, Any]:
        return self.get(f"games/{game_id}", token, parts=parts)

    def act(self, view: dict[str, Any], action: Any, token: str, code: int = 200) -> dict[str, Any]:
        body = {"action": action, "version": view.get("version"), "parts": SMALL}
        return self.post(f"games/{view['game_id']}/act", body, token, code)

    def play_out(self, game_id: str, tokens: dict[str, str], seed: int = 0, limit: int = 5_000) -> int:
        """Everybody with a token chooses at random until the game is over; returns how often."""
        rng = np.random.default_rng(seed)
        for n in range(limit):
            moved = False
            for token in tokens.values():
                view = self.view(game_id, token)
                if view["status"] == "over":
                    return n
                if view["your_turn"]:
                    choice = view["actions"][rng.integers(len(view["actions"]))]
                    self.act(view, choice["id"], token)
                    moved = True
                    break
            assert moved, "nobody may move in a game that isn't over"
        raise AssertionError("the game doesn't end")


def bearer(token: str | None) -> dict[str, str]:
    return {} if token is None else {"authorization": f"Bearer {token}"}


@pytest.fixture
def serve() -> Iterator[Callable[..., Client]]:
    """Start servers: `serve(db=None, allow=(), rate=0, **limits)`."""
    open_clients: list[Client] = []

    def start(
        db: Path | None = None,
        allow: tuple[str, ...] = (),
        rate: float = 0.0,
        burst: float = 10.0,
        **limits: Any,
    ) -> Client:
        app = create_app(Hall(Store(db), Lending(allow), Limits(**limits)), rate=rate, burst=burst)
        open_clients.append(Client(TestClient(app).__enter__()))
        return open_clients[-1]

    yield start
    for client in open_clients:
        client.close()


@pytest.fixture
def client(serve: Callable[..., Client]) -> Client:
    return serve()


@pytest.fixture
def program(tmp_path: Path) -> Callable[[str], str]:
    """Write a program that speaks the protocol, and get its spec. Its code sees each message as `m`."""

    def write(body: str) -> str:
        file = tmp_path / f"program_{abs(hash(body))}.py"
        file.write_text(
            textwrap.dedent(
                """
                import json, os, sys, time
                def say(**message):
                    print(json.dumps(message), flush=True)
                for line in sys.stdin:
                    m = json.loads(line)
                    if m["type"] == "hello":
                        say(protocol=1, type="ready", name="test", stateless=False)
                    elif m["type"] == "newgame":
                        say(protocol=1, type="newgameok", game_id=m["game_id"])
                    elif m["type"] == "bye":
                        break
                    elif m["type"] == "choose":
                """
            )
            + textwrap.indent(textwrap.dedent(body), " " * 8)
        )
        return f"engine:{sys.executable} {file}"

    return write


class LiveServer:
    """`fm-env serve` in a process of its own, which can be killed."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "fm_env.cli", "serve", "--port", "0", "--rate", "0", *arguments],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().split()[-1].rstrip("/")
        assert self.address.startswith("http://127.0.0.1:")

    def kill(self) -> None:
        """As `kill -9` does."""
        self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()


@pytest.fixture
def live_server() -> Iterator[Callable[..., str]]:
    """Start `fm-env serve` with arguments; returns its address."""
    servers: list[LiveServer] = []

    def start(*arguments: str) -> str:
        servers.append(LiveServer(*arguments))
        return servers[-1].address

    yield start
    for server in servers:
        server.kill()

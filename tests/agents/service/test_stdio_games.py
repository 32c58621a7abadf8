"""Hosted games line by line: what `fm-env engine` answers is what a server answers."""

from __future__ import annotations

import json
import queue
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents.service.choose import Lending
from agents.service.engine import StdioEngine, serve
from tests.agents.service.conftest import DUEL, PEOPLE, Client
from tests.agents.service.test_protocol import validator

PATIENCE = 60.0
STEP = 8
"""Every so many choices all parts of views are compared."""
LEVEL = {"kind": "agent", "agent": "level:novice"}


class Lines:
    """An engine in a thread, and both ends of its pipes."""

    def __init__(self, db: Path | None = None) -> None:
        self._in: queue.Queue[bytes] = queue.Queue()
        self._out: queue.Queue[dict[str, Any]] = queue.Queue()
        self.pushed: list[dict[str, Any]] = []
        self._ids = 0
        self.engine = StdioEngine("random", Lending(), db)
        self._thread = threading.Thread(target=serve, args=(self.engine, self, self), daemon=True)
        self._thread.start()

    def readline(self, limit: int) -> bytes:
        return self._in.get()

    def write(self, line: bytes) -> None:
        self._out.put(json.loads(line))

    def flush(self) -> None:
        pass

    def ask(self, type: str, **more: Any) -> dict[str, Any]:
        """Say a line and wait for its answer; views that come before it are kept in `pushed`."""
        self._ids += 1
        self._in.put(json.dumps({"type": type, "id": self._ids, **more}).encode() + b"\n")
        while (told := self._out.get(timeout=PATIENCE)).get("id") != self._ids:
            self.pushed.append(told)
        return told

    def news(self) -> dict[str, Any]:
        """The next view of a watched game."""
        return self.pushed.pop(0) if self.pushed else self._out.get(timeout=PATIENCE)

    def close(self) -> None:
        self._in.put(b"")
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()


@pytest.fixture
def engine() -> Iterator[Callable[..., Lines]]:
    open_engines: list[Lines] = []

    def start(db: Path | None = None) -> Lines:
        open_engines.append(Lines(db))
        return open_engines[-1]

    yield start
    for one in open_engines:
        one.close()


@pytest.fixture
def lines(engine: Callable[..., Lines]) -> Lines:
    return engine()


def told(view: dict[str, Any]) -> dict[str, Any]:
    """A message without what differs between any two games."""
    return {key: value for key, value in view.items() if key not in ("id", "game_id", "clock")}


def test_a_game_over_stdio_is_told_as_over_http(client: Client, lines: Lines) -> None:
    """Same seed and choices: every view of both seats and a spectator agrees, and so does the record."""
    there = client.create(PEOPLE, seed=5)
    here = lines.ask("create", **DUEL, seats=PEOPLE, seed=5)
    assert here["type"] == "created" and set(here["tokens"]) == {"0", "1"}
    at = {"game_id": here["game_id"]}
    rng = np.random.default_rng(5)
    views: dict[str, Any] = {seat: lines.ask("view", **at, token=here["tokens"][seat]) for seat in "01"}
    choices = 0
    while not any(view["status"] == "over" for view in views.values()):
        seat = next((seat for seat in "10" if views[seat]["your_turn"]), None)
        if seat is None:
            views = {seat: lines.ask("view", **at, token=here["tokens"][seat]) for seat in "01"}
            continue
        action = rng.choice([one["id"] for one in views[seat]["actions"]])
        asked = {"action": int(action), "version": views[seat]["version"]}
        asked |= {} if choices % STEP == 0 else {"parts": ["actions"]}
        views[seat] = lines.ask("act", **at, token=here["tokens"][seat], **asked)
        other = client.post(f"games/{there['game_id']}/act", asked, there["tokens"][seat])
        assert told(views[seat]) == told(other)
        views["1" if seat == "0" else "0"]["your_turn"] = False  # not looked at since
        choices += 1
    spectator = told(lines.ask("view", **at))
    assert spectator == told(client.get(f"games/{there['game_id']}")) and spectator["seat"] is None
    assert choices > 10
    records = lines.ask("record", **at), client.get(f"games/{there['game_id']}/record")
    assert records[0]["match"] == records[1]["match"]
    seen = lines.ask("seat_record", **at, token=here["tokens"]["1"])
    assert told(seen) == told(client.get(f"games/{there['game_id']}/seat-record", there["tokens"]["1"]))


def test_who_watches_is_sent_news_and_only_news(lines: Lines) -> None:
    created = lines.ask("create", **DUEL, seats=PEOPLE)
    at, tokens = {"game_id": created["game_id"]}, created["tokens"]
    views = {
        seat: lines.ask("subscribe", **at, token=token, parts=["actions", "events"])
        for seat, token in {**tokens, "": None}.items()
    }
    assert views["0"]["your_turn"] and views["1"]["your_turn"]  # both think at once
    lines.ask("act", **at, token=tokens["0"], action=views["0"]["actions"][0]["id"])
    lines.ask("ping")
    mine = lines.news()
    assert mine["seat"] == 0 and mine["id"] is None and not mine["your_turn"]
    assert not lines.pushed, "a secret choice was told to somebody else"
    lines.ask("act", **at, token=tokens["1"], action=views["1"]["actions"][0]["text"])
    lines.ask("ping")
    seen: dict[Any, list[dict[str, Any]]] = {0: [mine], 1: [], None: []}
    while lines.pushed:
        news = lines.news()
        seen[news["seat"]].append(news)
    for seat, first in ((0, views["0"]), (1, views["1"]), (None, views[""])):
        events = [event["n"] for view in (first, *seen[seat]) for event in view["events"]]
        assert events == list(range(len(events))) and len(events) > 1
    assert seen[None][-1]["observation"] is None and not seen[None][-1]["actions"]
    assert lines.ask("unsubscribe", **at, token=tokens["1"])["type"] == "unsubscribed"
    assert lines.ask("resign", **at, token=tokens["0"])["outcome"]["winners"] == [1]
    lines.ask("ping")
    assert {view["seat"] for view in lines.pushed} == {0, None}
    assert all(view["status"] == "over" for view in lines.pushed)


def test_a_watcher_hears_of_a_whole_game(lines: Lines) -> None:
    created = lines.ask("create", **DUEL, seats=[LEVEL, {"kind": "open"}])
    at = {"game_id": created["game_id"]}
    view = lines.ask("subscribe", **at)
    assert view["status"] == "open"
    joined = lines.ask("join", **at, name="Eve")
    assert joined["seat"] == 1
    mine = lines.ask("view", **at, token=joined["token"], parts=["actions"])
    while mine["status"] != "over":
        assert mine["your_turn"], "quick agents choose before an act is answered"
        asked = {"action": mine["actions"][0]["id"], "version": mine["version"], "parts": ["actions"]}
        mine = lines.ask("act", **at, token=joined["token"], **asked)
    lines.ask("ping")
    assert lines.pushed[-1]["status"] == "over"
    heard = [event["n"] for one in lines.pushed for event in one["events"]]
    assert heard == list(range(len(heard))) and len(heard) > 20


def test_what_else_a_server_tells_is_told_over_stdio(client: Client, lines: Lines) -> None:
    created = lines.ask("create", **DUEL, seats=[PEOPLE[0], LEVEL])
    at, token = {"game_id": created["game_id"]}, created["tokens"]["0"]
    assert told(lines.ask("catalog")) == told(client.get("catalog"))
    offered = lines.ask("agents", **DUEL)
    assert told(offered) == told(client.get("agents", game="fairy_meat", scenario="duel"))
    assert [game["game_id"] for game in lines.ask("games")["games"]] == [created["game_id"]]
    hint = lines.ask("hint", **at, token=token)
    view = lines.ask("view", **at, token=token)
    assert hint["choice"]["action"] in [one["id"] for one in view["actions"]]
    record = lines.ask("seat_record", **at, token=token)
    advice = lines.ask("choose", seat_record=record, agent=offered["hint"], seed=3)
    assert advice["type"] == "action" and advice["win_estimate"] is not None


def test_tokens_are_held_to_over_stdio_too(lines: Lines) -> None:
    one, two = (lines.ask("create", **DUEL, seats=PEOPLE) for _ in range(2))
    at = {"game_id": one["game_id"]}
    for kind, more in (
        ("act", {"action": 0}),
        ("resign", {}),
        ("hint", {}),
        ("seat_record", {}),
        ("subscribe", {}),
        ("view", {}),
    ):
        for token in (two["tokens"]["0"], "x"):
            assert lines.ask(kind, **at, token=token, **more)["code"] == "forbidden", kind
    assert lines.ask("act", **at, action=0)["code"] == "forbidden"
    assert lines.ask("record", **at)["code"] == "forbidden"
    assert lines.ask("view", game_id="nosuchgame")["code"] == "unknown"
    assert lines.ask("subscribe", game_id="nosuchgame")["code"] == "unknown"
    assert lines.ask("view", **at, cards=True)["code"] == "bad_message"
    view = lines.ask("view", **at, token=one["tokens"]["0"])
    act = {"token": one["tokens"]["0"], "action": view["actions"][0]["id"], "version": view["version"]}
    assert lines.ask("act", **at, **act)["type"] == "view"
    assert lines.ask("act", **at, **act)["code"] == "stale_version"


def test_an_engine_that_ended_goes_on_with_its_games(engine: Callable[..., Lines], tmp_path: Path) -> None:
    first = engine(tmp_path / "games.db")
    created = first.ask("create", **DUEL, seats=[PEOPLE[0], LEVEL])
    at, token = {"game_id": created["game_id"]}, created["tokens"]["0"]
    view = first.ask("view", **at, token=token)
    before = first.ask("act", **at, token=token, action=view["actions"][0]["id"])
    first.close()
    assert told(engine(tmp_path / "games.db").ask("view", **at, token=token)) == told(before)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("CreateRequest", {"type": "create", **DUEL, "seats": PEOPLE}),
        ("ActLine", {"type": "act", "game_id": "abcd", "token": "x", "action": 3, "version": 0}),
        ("SubscribeLine", {"type": "subscribe", "game_id": "abcd", "token": None, "since": 4}),
        ("AgentsLine", {"type": "agents", **DUEL}),
    ],
)
def test_lines_are_in_the_published_schema(name: str, message: dict[str, Any]) -> None:
    validator(name).validate(message)
    assert not validator(name).is_valid(message | {"extra": 1})

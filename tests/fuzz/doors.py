"""Every door of text or bytes: what it reads, and sound documents of that kind.

`tests/fuzz/test_doors.py` damages the documents with hypothesis, `tests/fuzz/guided.py` lets coverage
guide the damage. A door opens or refuses with one of our errors; anything else is a failure.
"""

from __future__ import annotations

import asyncio
import functools
import hashlib
import json
import tempfile
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

import fm_env
from agents import levels, registry
from agents.fairy_meat.clash_table import load_tables
from agents.policy import load_policy
from agents.service.app import create_app
from agents.service.belief import FOLDER, load_model
from agents.service.choose import Lending
from agents.service.engine import StdioEngine
from agents.service.floor import Limits
from agents.service.hall import Hall
from agents.service.store import Store
from evaluation.tournament.files import load_results
from fm_env import replay, replay_check, views
from fm_env.errors import FmEnvError, LoadError
from fm_env.games.fairy_tale.deck import STANDARD
from fm_env.games.sword_and_shield.data import FOLDER as JOUST
from fm_env.match import Match
from tests.fuzz import documents
from training.config import CONFIGS, load_config


@dataclass(frozen=True)
class Door:
    """One way in."""

    open: Callable[[bytes], object]
    """Reads a document and uses it a little."""
    sound: Callable[[], list[bytes]]
    """Documents that it opens."""
    text: bool = True
    """False: bytes that no person writes."""


def opens(door: Callable[[], object]) -> bool:
    """True if what is behind the door can be used, False after a clear refusal; all else is a failure."""
    try:
        door()
    except FmEnvError as error:
        message = str(error)
        assert message.strip(), "a refusal without a word"
        assert len(message) < 4000, f"a refusal of {len(message)} characters"
        return False
    return True


def filed(read: Callable[[Path], object], name: str) -> Callable[[bytes], object]:
    """A door for what lies in a file."""

    def door(data: bytes) -> object:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / name
            path.write_bytes(data)
            return read(path)

    return door


def parsed(use: Callable[[Any], object]) -> Callable[[bytes], object]:
    """A door for what a program hands over as data: text that is no JSON doesn't reach it."""

    def door(data: bytes) -> object:
        try:
            document = json.loads(data)
        except (ValueError, RecursionError):
            raise LoadError("not JSON") from None
        return use(document)

    return door


def scenario(document: Any) -> object:
    """`[game, options]` as a program would give them."""
    if not (isinstance(document, list) and len(document) == 2 and isinstance(document[1], dict)):
        raise LoadError("not a game and its options")
    game, options = document
    if not isinstance(game, str) or not isinstance(options.get("scenario", ""), str | None):
        raise LoadError("not a name")
    if not all(key.isidentifier() and key != "self" for key in options):
        raise LoadError("not names of options")
    return fm_env.load(game).scenario(options.pop("scenario", None), **options)


def play_replay(data: bytes) -> object:
    """Read and hold against the rules."""
    return replay_check.verify(replay.parse(data))


def answer(line: bytes) -> object:
    """A message to an engine; the engine hides its mistakes in its answers."""
    reply: Any = asyncio.run(engine().answer(line))
    assert reply is None or getattr(reply, "code", "") != "internal", reply.message
    return reply


@functools.cache
def engine() -> StdioEngine:
    return StdioEngine("random", Lending())


def ask(document: Any) -> object:
    """A request to a server: `{"path": ..., "body": ...}`."""
    if not isinstance(document, dict) or document.get("path") not in ("games", "choose", "replay"):
        raise LoadError("not a request")
    body = json.dumps(document.get("body")).encode(errors="surrogatepass")
    said = server().post(
        f"/v1/{document['path']}", content=body, headers={"content-type": "application/json"}
    )
    assert said.status_code < 500 or said.json()["code"] == "full", said.text
    assert said.status_code == 200 or said.json()["message"], said.text
    return said


@functools.cache
def server() -> TestClient:
    limits = Limits(games=10**9, agent_seconds=20.0)
    app = create_app(Hall(Store(None), Lending(), limits), rate=0.0, burst=10.0)
    return TestClient(app).__enter__()


def act(text: bytes) -> object:
    """A choice in words."""
    match = fm_env.load("fairy_meat").new_match(scenario="clash", seed=3)
    before = match.state_hash
    try:
        return match.play(match.pending[0], text.decode(errors="replace"))
    except FmEnvError:
        assert match.state_hash == before, "a refused choice changed the game"
        raise


def policy(card: bytes, weights: bytes) -> object:
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder) / "p"
        base.with_suffix(".json").write_bytes(card)
        base.with_suffix(".safetensors").write_bytes(weights)
        with warnings.catch_warnings():  # a policy of other rules plays, and says so
            warnings.filterwarnings("ignore", "policy .* was trained under rules version", UserWarning)
            return load_policy(base, fm_env.load("fairy_meat").spec("clash"))


def belief(card: Any, weights: bytes) -> object:
    """Whoever made these weights also wrote their hash."""
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder) / "b"
        if isinstance(card, dict):
            card = card | {"weights_sha256": hashlib.sha256(weights).hexdigest()}
        base.with_suffix(".json").write_text(json.dumps(card))
        base.with_suffix(".safetensors").write_bytes(weights)
        return load_model(base)


def clash_table(card: Any) -> object:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t"
        arrays = documents.table()[1]
        if isinstance(card, dict) and "sha256" in card:
            card = card | {"sha256": hashlib.sha256(arrays).hexdigest()}
        path.with_suffix(".json").write_text(json.dumps(card))
        path.with_suffix(".npz").write_bytes(arrays)
        try:
            return load_tables(path, 1)
        except OverflowError as error:
            # Known, and left: these files come with the package, nobody can name others, and every bot's
            # results are named by a hash of the files of agents/fairy_meat, where this is read.
            raise LoadError(f"a number is too large: {error}") from None


def _weights() -> bytes:
    return documents.POLICY.with_suffix(".safetensors").read_bytes()


def _unchecked() -> bytes:
    return json.dumps(json.loads(documents.card()) | {"weights_sha256": ""}).encode()


def _belief_card() -> Any:
    return json.loads((FOLDER / "duel.json").read_text())


DOORS: dict[str, Door] = {
    "scenarios": Door(
        parsed(scenario),
        lambda: [json.dumps([game, options]).encode() for game, options in documents.SETTINGS.values()],
    ),
    "scenario_files": Door(
        filed(lambda path: views.makers("fairy_meat").raw_env(scenario=path), "s.toml"),
        lambda: [b'scenario = "clash"\na = 2\nd = 2\n[setup]\nattacker = ["8r", "5b"]\n'],
    ),
    "terrain": Door(
        filed(lambda path: fm_env.load("fairy_meat").scenario("skirmish", terrain=str(path)), "t.toml"),
        lambda: [
            b'size = 48\n[[pieces]]\nkind = "box"\nx = 8\ny = 12\nwidth = 6\ndepth = 2.5\nheight = 3\n'
            b'[[pieces]]\nkind = "cylinder"\nx = 16\ny = 5\nradius = 1.5\nheight = 4\n'
            b"[[items]]\nx = 12\ny = 20\nweight = 3\n"
        ],
    ),
    "tale_decks": Door(
        filed(lambda path: fm_env.load("fairy_tale").scenario(deck=str(path)), "d.toml"),
        lambda: [STANDARD.read_bytes()],
    ),
    "joust_decks": Door(
        filed(lambda path: fm_env.load("sword_and_shield").scenario(deck=str(path)), "d.toml"),
        lambda: [(JOUST / f"{name}.toml").read_bytes() for name in ("base", "deeds")],
    ),
    "matches": Door(Match.from_json, lambda: [documents.saved(name) for name in documents.SMALL]),
    "views": Door(views.from_json, lambda: [documents.view()]),
    "replays": Door(play_replay, lambda: [documents.replayed(name) for name in documents.SMALL]),
    "engine_lines": Door(answer, documents.lines),
    "requests": Door(parsed(ask), documents.requests),
    "actions": Door(act, lambda: [b"add", b"subtract"]),
    "agents": Door(
        lambda spec: registry.make(spec.decode(errors="replace"), "fairy_meat", "duel"),
        lambda: [b"bluffer:rate=0.3", b"policy:duel", b"random", b"level:veteran"],
    ),
    "policy_cards": Door(lambda card: policy(card, _weights()), lambda: [documents.card()]),
    "policy_weights": Door(
        lambda head: policy(_unchecked(), head + _weights()[2000:]), lambda: [documents.head()], text=False
    ),
    "belief_cards": Door(
        parsed(lambda card: belief(card, (FOLDER / "duel.safetensors").read_bytes())),
        lambda: [json.dumps(_belief_card()).encode()],
    ),
    "belief_weights": Door(
        lambda head: belief(_belief_card(), head + (FOLDER / "duel.safetensors").read_bytes()[1000:]),
        lambda: [(FOLDER / "duel.safetensors").read_bytes()[:1000]],
        text=False,
    ),
    "clash_tables": Door(parsed(clash_table), lambda: [json.dumps(documents.table()[0]).encode()]),
    "configs": Door(
        filed(load_config, "c.toml"),
        lambda: [(CONFIGS / f"{n}.toml").read_bytes() for n in ("duel", "clash")],
    ),
    "levels": Door(filed(levels.ladders.__wrapped__, "l.toml"), lambda: [levels.FILE.read_bytes()]),
    "tournaments": Door(filed(load_results, "t.jsonl"), lambda: [documents.tournament()]),
}

"""Sound documents of every kind that is read, small ones, to be damaged."""

from __future__ import annotations

import functools
import io
import json
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import fm_env
from agents.fairy_meat.clash_table import TABLES
from agents.policy import MODELS
from evaluation.tournament.files import ResultsFile
from evaluation.tournament.play import play_tournament, prepare
from fm_env import replay, views
from fm_env.match import Match

SETTINGS: dict[str, tuple[str, dict[str, Any]]] = {
    "clash": ("fairy_meat", {"scenario": "clash", "a": 3, "d": 2, "combat": "fast_play"}),
    "duel": ("fairy_meat", {"scenario": "duel", "combat": "unclevl", "rounds": 3}),
    "scuffle": ("fairy_meat", {"scenario": "scuffle"}),
    "skirmish": (
        "fairy_meat",
        {
            "scenario": "skirmish",
            "num_players": 3,
            "points": 60,
            "rounds": 2,
            "terrain": {
                "size": 48,
                "pieces": [
                    {"kind": "box", "x": 10, "y": 10, "width": 4, "depth": 3, "height": 2},
                    {"kind": "cylinder", "x": 30, "y": 30, "radius": 2, "height": 5},
                ],
            },
            "setup": {
                "figures": [{"seat": k, "x": 12 + k, "y": 12, "live": 1, "kill": 1} for k in range(3)],
            },
        },
    ),
    "warbands": (
        "fairy_meat",
        {
            "scenario": "skirmish",
            "terrain": "meadow",
            "warbands": [
                "swarm",
                [{"type": "wild", "weapons": ["moon_dagger"]}, {"type": "seasoned", "magic": "sweet"}],
            ],
        },
    ),
    "fairy_tale": ("fairy_tale", {"scenario": "expert", "num_players": 3}),
    "joust": ("sword_and_shield", {"scenario": "joust", "deck": "deeds"}),
    "miniatures": ("angry_miniatures", {"scenario": "skirmish", "board": "crossing"}),
}
SMALL = ("clash", "duel", "fairy_tale", "joust", "miniatures")
"""Those whose matches are saved here."""

POLICY = MODELS / "clash"
LINES: tuple[dict[str, Any], ...] = (
    {"type": "hello", "protocol": 1},
    {"type": "isready", "id": 3},
    {
        "type": "newgame",
        "game_id": "g",
        "seat": 1,
        "seed": 5,
        "scenario": "clash",
        "options": {"a": 2, "d": 2},
    },
    {"type": "newgame", "game_id": "g", "agent": "bluffer:rate=0.3", "scenario": "duel"},
    {"type": "choose", "id": 1, "scenario": "clash", "observation": [0.0, 1.0], "legal": [0, 1]},
    {"type": "endgame", "game_id": "g"},
)


@functools.cache
def played(name: str, steps: int = 12) -> Match:
    """A match of a setting after some random choices."""
    game, options = SETTINGS[name]
    match = fm_env.load(game).new_match(seed=3, **options)
    rng = np.random.default_rng(3)
    for _ in range(steps):
        if match.is_over:
            break
        seat = match.pending[0]
        match.play(seat, int(rng.choice(match.legal_ids(seat))))
    return match


def saved(name: str) -> bytes:
    return played(name).to_json().encode()


def replayed(name: str) -> bytes:
    players = [replay.Player(seat=0, name="Ann"), replay.Player(seat=1, name="Bob", agent="counter")]
    return replay.record(played(name), players).model_dump_json().encode()


def view() -> bytes:
    env = views.makers("fairy_meat").raw_env(scenario="clash")
    env.reset(seed=1)
    return env.to_json().encode()


def choice() -> dict[str, Any]:
    """A question by a saved game."""
    match = played("duel")
    return {"scenario": "duel", "options": SETTINGS["duel"][1] | {"scenario": "duel"}} | {
        "type": "choose",
        "record": json.loads(match.to_json()),
        "seat": match.pending[0],
    }


def lines() -> list[bytes]:
    """Messages to an engine."""
    return [json.dumps(line).encode() for line in (*LINES, choice())]


def requests() -> list[bytes]:
    """Requests to a server: a path and a body."""
    people = [{"kind": "human", "name": "Ann"}, {"kind": "agent", "agent": "counter"}]
    asked: list[dict[str, Any]] = [
        {"path": "games", "body": {"scenario": "duel", "seats": people, "time": {"move": 60}}},
        {"path": "games", "body": {"scenario": "clash", "options": {"a": 2, "d": 2}, "seats": people}},
        {"path": "choose", "body": choice()},
        {"path": "replay", "body": {"replay": json.loads(replayed("clash")), "seat": 0}},
    ]
    return [json.dumps(one).encode() for one in asked]


def card() -> bytes:
    """A policy's card without its history, which makes up most of it."""
    whole = json.loads(POLICY.with_suffix(".json").read_text(encoding="utf-8"))
    kept = {key: value for key, value in whole.items() if key not in ("training", "results")}
    return json.dumps(kept).encode()


def head() -> bytes:
    """The first bytes of a policy's weights, where everything but plain numbers is."""
    return POLICY.with_suffix(".safetensors").read_bytes()[:2000]


@functools.cache
def table() -> tuple[dict[str, Any], bytes]:
    """Card and arrays of a solved clash with one card each, out of a shipped table."""
    card = json.loads((TABLES / "clash.json").read_text(encoding="utf-8"))
    with np.load(TABLES / "clash.npz", allow_pickle=False) as found:
        arrays = {name: found[name] for name in found.files if name.startswith("a1d1.")}
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)
    return card | {"sizes": [[1, 1]]}, buffer.getvalue()


@functools.cache
def tournament() -> bytes:
    """The file of a small tournament."""
    handle = fm_env.load("fairy_meat")
    field = prepare(handle.game, handle.scenario("clash"), ["random", "plain"], rounds=4, seed=1)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.jsonl"
        with ResultsFile(path, field.header) as out:
            play_tournament(field, out)
        return path.read_bytes()

"""Matches as JSON: everything needed to play them again, and a hash to see that it came out the same."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, cast

from fm_env import registry
from fm_env.contract import CHANCE
from fm_env.errors import FmEnvError, LoadError, SetupError

if TYPE_CHECKING:
    from fm_env.match import Match

SCHEMA = 1
"""Rises when the fields below or the drawing of chance from a seed change."""

FIELDS = ("schema", "game", "options", "rules_version", "seed", "script", "events", "state_hash")


def match_to_json(match: Match) -> str:
    """One JSON object with the fields `FIELDS`; events are `["chance", text]` or `[seat, text]`."""
    data = {
        "schema": SCHEMA,
        "game": match.game.name,
        "options": dict(match.scenario.options),
        "rules_version": match.spec.rules_version,
        "seed": match.seed,
        "script": list(match.script),
        "events": [["chance" if seat == CHANCE else seat, text] for seat, text in match.texts],
        "state_hash": match.state_hash,
    }
    return json.dumps(data)


def match_from_json(text: str | bytes) -> Match:
    """Play a saved match again.

    Raises:
        LoadError: says what doesn't fit.
    """
    from fm_env.match import Match

    data = _parsed(text)
    try:
        game = registry.find(data["game"])
        refuse_files(data["options"])
        scenario = game.scenario(**data["options"])
    except (FmEnvError, TypeError) as error:
        raise LoadError(f"saved match: {error}") from error
    if scenario.spec.rules_version != data["rules_version"]:
        raise LoadError(
            f"saved match: made by version {data['rules_version']} of the rules of {game.name}, "
            f"this is version {scenario.spec.rules_version}"
        )
    try:
        match = Match(game, scenario, seed=data["seed"], chance=data["script"])
        for seat, action in data["events"]:
            if seat != "chance":
                match.play(seat, action)
    except (FmEnvError, ValueError, TypeError, OverflowError) as error:
        raise LoadError(f"saved match: its events can't be played again: {error}") from error
    _compare(match, data)
    return match


def refuse_files(options: Any) -> None:
    """Options from a stranger may hold decks and terrain, but not say where such lie on this machine.

    Whoever could name files would learn from the answers which there are, and what they hold.

    Raises:
        SetupError: a text among the options, at any depth, is the path of a file.
    """
    if isinstance(options, dict):
        options = list(cast("dict[Any, Any]", options).values())
    if isinstance(options, list):
        for value in cast("list[Any]", options):
            refuse_files(value)
    elif isinstance(options, str) and ("/" in options or "\\" in options or options.endswith(".toml")):
        raise SetupError("options: a file can't be named here; expected what stands in it")


def _parsed(text: str | bytes) -> dict[str, Any]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise LoadError(f"saved match: not JSON: {error}") from error
    if not isinstance(data, dict):
        raise LoadError(f"saved match: expected an object, got {type(data).__name__}")
    data = cast("dict[str, Any]", data)
    if data.get("schema") != SCHEMA:
        raise LoadError(
            f"saved match: schema {data.get('schema')!r} is not the {SCHEMA} that this version reads"
        )
    missing = [name for name in FIELDS if name not in data]
    if missing:
        raise LoadError(f"saved match: missing fields: {', '.join(missing)}")
    return data


def _compare(match: Match, data: dict[str, Any]) -> None:
    again = [["chance" if seat == CHANCE else seat, text] for seat, text in match.texts]
    for k, (now, then) in enumerate(zip(again, data["events"], strict=False)):
        if now != then:
            raise LoadError(f"saved match: event {k} came out as {now}, the file says {then}")
    if len(again) != len(data["events"]) or match.state_hash != data["state_hash"]:
        raise LoadError("saved match: its events lead to another position than the one saved")

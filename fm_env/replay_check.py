"""Watching a replay step by step, and holding everything in it against the rules."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from fm_env import registry, shown
from fm_env.contract import CHANCE, Game, Scenario
from fm_env.engine import engine_of
from fm_env.errors import FmEnvError, LoadError
from fm_env.match import Match
from fm_env.records import as_record, new_states, rows_of, state_hash
from fm_env.replay import Replay, checksum
from fm_env.saved import refuse_files


class Step(NamedTuple):
    """One event of a replay with the positions around it."""

    number: int
    """From 0."""
    seat: int
    """Who chose, or CHANCE."""
    action: int
    text: str
    before: np.record
    after: np.record


def verify(replay: Replay, name: str = "replay") -> Match:
    """Play it again and compare everything; returns the match at its last position.

    Raises:
        LoadError: says at which step what was expected and what came out.
    """
    for step in steps(replay, name):
        del step  # checked on the way
    _check_luck(replay, name)
    try:
        match = Match.from_json(json.dumps(replay.match))
    except LoadError as error:
        raise LoadError(f"{name}: {error}") from error
    returns = list(match.returns()) if match.is_over else None
    if replay.returns != returns:
        raise LoadError(f"{name}: returns: the file says {replay.returns}, the game ends with {returns}")
    _check_players(replay, match, name)
    _check_thoughts(replay, match, name)
    if replay.checksum != checksum(replay):
        raise LoadError(f"{name}: the checksum doesn't fit: something in the file was changed")
    return match


def steps(replay: Replay, name: str = "replay") -> Iterator[Step]:
    """Every event with the positions before and after it, checked against the hashes as it goes.

    Raises:
        LoadError: other rules, another setup, or the first step that isn't possible or leads elsewhere.
    """
    game, scenario = _game(replay, name)
    events = _events(replay, name)
    player = _Player(game, scenario)
    if player.hash != replay.hashes[0]:
        raise LoadError(
            f"{name}: setup: leads to the position {player.hash}, the file says {replay.hashes[0]}"
        )
    for k, (who, text) in enumerate(events):
        where = f"{name}: step {k} ({who if who == 'chance' else f'seat {who}'}: {text!r})"
        before = player.position()
        seat, action = player.take(who, text, where)
        if player.hash != replay.hashes[k + 1]:
            raise LoadError(
                f"{where}: leads to the position {player.hash}, the file says {replay.hashes[k + 1]}"
            )
        yield Step(k, seat, action, text, before, player.position())


def first_position(replay: Replay, name: str = "replay") -> np.record:
    """Before any event.

    Raises:
        LoadError: as `steps`.
    """
    return _Player(*_game(replay, name)).position()


def words_of(replay: Replay, seat: int | None, name: str = "replay") -> Iterator[tuple[Step, str]]:
    """Every step with what `seat` may know of it in words; None is told everything."""
    game = _game(replay, name)[0]
    for step in steps(replay, name):
        yield step, shown.event_words(game, step.before, step.seat, step.action, step.after, seat)


class _Player:
    """A state that texts are played on."""

    def __init__(self, game: Game, scenario: Scenario) -> None:
        self.spec, self.engine = scenario.spec, engine_of(game)
        self.actions = {game.action_text(self.spec, a): a for a in range(self.spec.num_actions)}
        self.outcomes = {game.outcome_text(self.spec, c): c for c in range(self.spec.num_chance_outcomes)}
        self.states = new_states(self.spec, 1)
        self.engine.reset(self.states, 0, scenario.setup)

    @property
    def hash(self) -> str:
        return state_hash(self.states)

    def position(self) -> np.record:
        return as_record(self.states.copy(), 0)

    def take(self, who: int | str, text: str, where: str) -> tuple[int, int]:
        """Play one event; `(seat or CHANCE, id)`."""
        if isinstance(who, str):
            return CHANCE, self._draw(text, where)
        if not 0 <= who < self.spec.num_seats or not self.engine.pending(self.states, 0) >> who & 1:
            raise LoadError(f"{where}: it isn't for seat {who} to choose here")
        mask = np.zeros(self.spec.num_actions, np.bool_)
        self.engine.legal_mask(self.states, 0, who, mask)
        action = self.actions.get(text, -1)
        if action < 0 or not mask[action]:
            raise LoadError(f"{where}: not legal here; expected {_one_of(self.actions, mask)}")
        self.engine.apply(self.states, 0, who, action)
        return who, action

    def _draw(self, text: str, where: str) -> int:
        if self.engine.to_act(self.states, 0) != CHANCE:
            raise LoadError(f"{where}: expected a choice of a seat here")
        weights = np.zeros(self.spec.num_chance_outcomes, np.int64)
        self.engine.chance_weights(self.states, 0, weights)
        outcome = self.outcomes.get(text, -1)
        if outcome < 0 or not weights[outcome]:
            raise LoadError(f"{where}: can't come out here; expected {_one_of(self.outcomes, weights)}")
        self.engine.apply_chance(self.states, 0, outcome)
        return outcome


def _one_of(texts: dict[str, int], marks: Any) -> str:
    return "one of " + ", ".join(text for text, k in texts.items() if marks[k])


def _game(replay: Replay, name: str) -> tuple[Game, Scenario]:
    data = replay.match
    try:
        game = registry.find(data["game"])
        refuse_files(data["options"])
        scenario = game.scenario(**data["options"])
    except (FmEnvError, TypeError, KeyError, AttributeError) as error:
        raise LoadError(f"{name}: setup: {type(error).__name__}: {error}") from error
    if scenario.spec.rules_version != data.get("rules_version"):
        raise LoadError(
            f"{name}: made by version {data.get('rules_version')} of the rules of {game.name},"
            f" this is version {scenario.spec.rules_version}"
        )
    return game, scenario


def _events(replay: Replay, name: str) -> list[tuple[int | str, str]]:
    given = replay.match.get("events")
    if not isinstance(given, list):
        raise LoadError(f"{name}: events: expected a list")
    events: list[tuple[int | str, str]] = []
    for k, event in enumerate(given):
        match event:
            case ["chance", str(text)]:
                events.append(("chance", text))
            case [int(seat), str(text)] if not isinstance(seat, bool):
                events.append((seat, text))
            case _:
                raise LoadError(f"{name}: step {k}: expected [seat or 'chance', text], got {event!r}")
    if len(replay.hashes) != len(events) + 1:
        raise LoadError(
            f"{name}: hashes: expected {len(events) + 1}, one more than steps, got {len(replay.hashes)}"
        )
    return events


def _check_luck(replay: Replay, name: str) -> None:
    """Draws are those of the script and the seed that the file names."""
    game, scenario = _game(replay, name)
    events = _events(replay, name)
    try:
        match = Match(game, scenario, seed=replay.match.get("seed"), chance=replay.match.get("script"))
    except (FmEnvError, TypeError, ValueError) as error:
        raise LoadError(f"{name}: seed or script: {error}") from error
    at = 0
    while at < len(events):
        if at == len(match.events):
            try:
                match.play(*events[at])  # type: ignore[arg-type]
            except FmEnvError as error:
                raise LoadError(f"{name}: step {at}: {error}") from error
        text = match.texts[at][1]
        if events[at][0] == "chance" and events[at][1] != text:
            raise LoadError(f"{name}: step {at}: seed and script give {text!r}, the file {events[at][1]!r}")
        at += 1


def _check_players(replay: Replay, match: Match, name: str) -> None:
    seats = [player.seat for player in replay.players]
    if len(set(seats)) != len(seats) or any(seat >= match.spec.num_seats for seat in seats):
        raise LoadError(
            f"{name}: players: expected different seats below {match.spec.num_seats}, got {seats}"
        )


def _check_thoughts(replay: Replay, match: Match, name: str) -> None:
    """Thoughts belong to choices, and weigh what was legal."""
    thoughts = {thought.event: thought for thought in replay.thoughts}
    if len(thoughts) != len(replay.thoughts):
        raise LoadError(f"{name}: thoughts: two of one step")
    for step in steps(replay, name) if thoughts else ():
        thought = thoughts.pop(step.number, None)
        if thought is None:
            continue
        if thought.seat != step.seat:
            raise LoadError(
                f"{name}: step {step.number}: the thought of seat {thought.seat}, who didn't choose"
            )
        mask = np.zeros(match.spec.num_actions, np.bool_)
        engine_of(match.game).legal_mask(rows_of(step.before), 0, step.seat, mask)
        legal = {match.game.action_text(match.spec, int(a)) for a in np.flatnonzero(mask)}
        for one in thought.alternatives:
            if one.text not in legal:
                raise LoadError(f"{name}: step {step.number}: a thought of {one.text!r}, which isn't legal")
    if thoughts:
        raise LoadError(f"{name}: thoughts: there is no step {min(thoughts)}")

"""A replay as a viewer needs it: one frame for each step, from a seat's eyes or all-seeing.

`POST /v1/replay` answers with `replay_view(...)`. Frames carry what changed since the one before, so
that a long game stays small: fields of the table that differ, and of each fairy that did.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pydantic

from fm_env import registry, shown
from fm_env.contract import CHANCE
from fm_env.errors import LoadError, SetupError
from fm_env.replay import Replay, parse
from fm_env.replay_check import Step, first_position, verify, words_of

MAX_STEPS = 10_000
"""Far more than games of sensible players have; a longer file is refused before it is played."""

Plain = dict[str, Any]


class ReplayRequest(pydantic.BaseModel):
    """What a viewer asks for."""

    model_config = pydantic.ConfigDict(extra="forbid", use_attribute_docstrings=True)

    replay: dict[str, Any]
    """The content of a replay file, a saved match, or a server's record."""
    seat: int | None = pydantic.Field(None, ge=0, le=15)
    """Whose eyes; null sees everything."""


def replay_view(text: str | bytes, seat: int | None) -> Plain:
    """Check a replay and turn it into frames.

    Args:
        text: the replay as JSON text, at most `fm_env.replay.MAX_BYTES` long.
        seat: whose eyes; None sees everything.

    Returns:
        `{game, scenario, num_seats, players, returns, seat, frames}`. Frame 0 is the first position;
        each further one is `{seat, words, table, thought}` after a choice, or after all draws between
        two choices. `table` holds changes, `text` stands in for it in games without a picture.

    Raises:
        LoadError: it isn't a replay, or its game doesn't hold.
        SetupError: no such seat.
    """
    replay = parse(text)
    if len(replay.hashes) > MAX_STEPS:
        raise LoadError(f"replay: {len(replay.hashes)} steps, at most {MAX_STEPS:,} are shown")
    match = verify(replay)
    if seat is not None and seat >= match.spec.num_seats:
        raise SetupError(f"seat: expected 0 to {match.spec.num_seats - 1}, got {seat}")
    names = {player.seat: player.name for player in replay.players}
    return {
        "game": match.spec.game,
        "scenario": match.spec.scenario,
        "num_seats": match.spec.num_seats,
        "players": [{"seat": k, "name": names.get(k) or f"Seat {k}"} for k in range(match.spec.num_seats)],
        "returns": replay.returns,
        "seat": seat,
        "frames": _Film(replay, seat).frames(),
    }


class _Film:
    """Frames in the making."""

    def __init__(self, replay: Replay, seat: int | None) -> None:
        self.replay, self.seat = replay, seat
        self.game = registry.find(replay.match["game"])
        self.shown: Plain = {}
        self.texts: str | None = None
        self.thoughts = {
            thought.event: thought.model_dump(mode="json")
            for thought in replay.thoughts
            if seat in (None, thought.seat)
        }

    def frames(self) -> list[Plain]:
        frames = [self._frame(first_position(self.replay), None, "")]
        drawn: list[str] = []
        last: Step | None = None
        for step, words in words_of(self.replay, self.seat):
            if step.seat == CHANCE:
                drawn.append(words)
                last = step
                continue
            if last is not None:
                self._end_of_draws(frames, drawn, last)
                drawn, last = [], None
            thought = self.thoughts.get(step.number)
            if words or thought:  # a secret choice of somebody else is no step to this viewer
                frames.append(self._frame(step.after, step.seat, words, thought))
        if last is not None:
            self._end_of_draws(frames, drawn, last)
        return frames

    def _end_of_draws(self, frames: list[Plain], drawn: list[str], last: Step) -> None:
        words = " ".join(shown.condensed(filter(None, drawn)))
        if words:
            frames.append(self._frame(last.after, None, words))

    def _frame(self, state: np.record, seat: int | None, words: str, thought: Plain | None = None) -> Plain:
        table = shown.position(self.game, state, self.seat)
        frame: Plain = {"seat": seat, "words": words, "table": changes(self.shown, table)}
        if thought is not None:
            frame["thought"] = thought
        if table["kind"] == "text":
            frame["text"] = self.game.state_text(state, self.seat)
        self.shown = table
        return frame


def changes(before: Plain, after: Plain) -> Plain:
    """Fields that differ; of fairies, the fields of each that differ, by her number."""
    changed = {name: value for name, value in after.items() if name not in before or before[name] != value}
    if "fairies" in changed:
        old = before.get("fairies", [])
        differ = {}
        for k, fairy in enumerate(after["fairies"]):
            known = old[k] if k < len(old) else {}
            fields = {name: value for name, value in fairy.items() if known.get(name, _NOTHING) != value}
            if fields:
                differ[str(k)] = fields
        changed["fairies"] = differ
    return changed


_NOTHING = object()

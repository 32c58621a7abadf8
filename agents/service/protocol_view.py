"""What a viewer is shown of a hosted game, and the record of a finished one.

A *viewer* is a seat (whoever has its token) or a spectator (no token). `version` and the numbers of
events count what this viewer has been told, not what happened: a secret choice of another seat
changes neither, and causes no message.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import pydantic
from pydantic import Field

from agents.service.protocol import Answer, ChooseReply, Seat

GameId = Annotated[str, Field(min_length=4, max_length=32, pattern=r"^[A-Za-z0-9_-]+$")]
GameStatus = Literal["open", "running", "over"]
"""`open`: seats are still to be joined, and nobody may act."""
SeatStatus = Literal["ok", "slow", "crashed", "silent", "illegal", "garbage", "resigned", "absent"]
"""The worst that has happened at a seat: out of time, the program ended, it gave no answer at all,
an illegal action, an answer that is no message; a person who gave up, or ran out of time repeatedly."""


By = Literal["human", "agent", "fallback"]
"""Who made a choice."""


class SeatInfo(pydantic.BaseModel):
    """What all may know of a seat."""

    model_config = pydantic.ConfigDict(use_attribute_docstrings=True)

    seat: Seat
    kind: Literal["human", "agent", "open"]
    name: str
    """Name given, else the agent's spec."""
    agent: str | None = None
    """Spec of an agent."""
    status: SeatStatus = "ok"
    """The worst so far."""
    fallbacks: int = 0
    """Moves that the fallback made for it."""


class EventInfo(pydantic.BaseModel):
    """Something that happened, as far as this viewer may know."""

    model_config = pydantic.ConfigDict(use_attribute_docstrings=True)

    n: int
    """Number among this viewer's events, from 0 without gaps."""
    seat: int | None
    """Who chose; null: chance, or nobody."""
    words: str
    """One or more sentences."""


class ActionInfo(pydantic.BaseModel):
    """A legal action."""

    model_config = pydantic.ConfigDict(use_attribute_docstrings=True)

    id: int
    text: str
    """One to one with the id."""
    words: str | None = None
    """What it would do, in a sentence (part `words`)."""
    group: str | None = None
    """Heading under which it is offered (part `words`)."""
    on: dict[str, Any] | None = None
    """Where to offer it (part `words`), e.g. `{"fairy": 3}`, `{"card": "7r"}`; see `docs/protocol.md`."""


class Clock(pydantic.BaseModel):
    """The viewer's own time, in seconds, when the view was made."""

    model_config = pydantic.ConfigDict(use_attribute_docstrings=True)

    move: float | None
    """Left for this choice before the bank is touched; null: no limit or nothing to choose."""
    bank: float
    """Left in the bank."""


class Outcome(pydantic.BaseModel):
    """How a game ended."""

    model_config = pydantic.ConfigDict(use_attribute_docstrings=True)

    how: Literal["played", "resigned", "abandoned"]
    """Played to its end, a player of two gave up, or the server closed a game that nobody went on with."""
    returns: list[float] | None
    """Utility of each seat; null where nothing is defined."""
    winners: list[int]
    """Seats with the highest return, all of them in a draw."""
    loser: int | None = None
    """Who resigned."""


class View(Answer):
    """A game as one viewer sees it."""

    type: Literal["view"] = "view"
    game_id: GameId
    """Of the game."""
    game: str
    """Registry name."""
    scenario: str
    """Name of the scenario."""
    options: dict[str, Any]
    """All its options but `setup`, which may name hidden cards."""
    rules_version: int
    """Of the game's rules."""
    observation_version: int
    """Of the action ids and observations."""
    seat: int | None
    """The viewer's seat; null: a spectator."""
    seats: list[SeatInfo]
    """Everybody."""
    seeded: bool
    """True: the creator chose the seed or the position and may know the cards."""
    status: GameStatus
    """Where the game stands."""
    version: int
    """Rises whenever what this viewer may know changes."""
    your_turn: bool
    """Whether this seat owes a choice."""
    waiting_for: list[int]
    """Seats that owe a choice, as far as this viewer may know: of a simultaneous choice, all who may still
    have to choose."""
    actions: list[ActionInfo]
    """What this seat may choose now; empty for others."""
    clock: Clock | None = None
    """The seat's own clock; null for spectators."""
    events: list[EventInfo]
    """From `since` on."""
    next_event: int
    """The `since` that asks for later events only."""
    points: list[float] | None = None
    """Points of each seat as the table shows them, where the game has any before its end."""
    outcome: Outcome | None = None
    """Once the game is over."""
    text: str | None = None
    """The position in words."""
    table: dict[str, Any] | None = None
    """The position as data for drawing; its `kind` tells the layout (see `docs/protocol.md`)."""
    svg: str | None = None
    """The position as a picture; null where the game draws none, and for spectators."""
    observation: list[float] | None = None
    """What the seat's agent would see; null for spectators."""


class Hint(Answer):
    """What an agent would do."""

    type: Literal["hint"] = "hint"
    version: int
    """Of the view it is about."""
    choice: ChooseReply
    """The agent's answer; `choice.action` is one of the view's actions."""


class Thought(pydantic.BaseModel):
    """What an agent thought when it moved, where it tells."""

    move: int
    """Number of the choice in the record, from 0."""
    seat: int
    agent: str
    win_estimate: float | None = None
    alternatives: list[dict[str, Any]] | None = None


class MoveInfo(pydantic.BaseModel):
    """One choice of a finished game."""

    model_config = pydantic.ConfigDict(use_attribute_docstrings=True)

    n: int
    seat: int
    action: int
    text: str
    by: By
    """Who chose in truth."""
    why: SeatStatus | None = None
    """Why the fallback did."""
    at: float
    """Seconds since 1970."""
    state_hash: str
    """Of the position reached."""


class Record(Answer):
    """A finished game, all-seeing; refused while it runs."""

    type: Literal["record"] = "record"
    game_id: str
    seats: list[SeatInfo]
    outcome: Outcome
    match: dict[str, Any]
    """As `Match.to_json` writes it; `Match.from_json` plays it again and compares."""
    moves: list[MoveInfo]
    thoughts: list[Thought]

"""Messages of hosted games: the server keeps the game, a player gets the view of one seat.

What a viewer is shown is in `protocol_view.py`.
"""

from __future__ import annotations

from typing import Annotated, Literal

import pydantic
from pydantic import Field

from agents.service.protocol import AgentSpec, Answer, ErrorReply, GameRef, Message, Seat, SeatRecord, Seed
from agents.service.protocol_view import GameId, GameStatus, Hint, SeatInfo, View

MAX_SEATS = 6
MAX_NAME = 40

PlayerName = Annotated[str, Field(max_length=MAX_NAME, pattern=r"^[^\x00-\x1f\x7f]*$")]
Part = Literal["text", "events", "actions", "words", "table", "svg", "observation"]
"""Parts of a view; leave out what you don't need. `words` adds words and places to the actions."""
PARTS: tuple[Part, ...] = ("text", "events", "actions", "words", "table")
"""Sent if nothing was asked for."""
Parts = Annotated[list[Part], Field(max_length=7)]
Token = Annotated[str, Field(max_length=100)]
Seconds = Annotated[float, Field(gt=0, le=86_400)]


# ------------------------------------------------------------------------------------- requests
class SeatSetup(Message):
    """Who sits at a seat."""

    kind: Literal["human", "agent", "open"]
    """`human`: the creator gets its token; `open`: whoever joins first; `agent`: the server plays it."""
    agent: AgentSpec | None = None
    """For `agent`: which, as listed by `GET /v1/agents`."""
    name: PlayerName = ""
    """Shown to all."""


class TimeControl(Message):
    """Seconds for choices. A seat out of time gets a fallback move, and the game goes on."""

    move: Seconds | None = None
    """Free for each choice; null: no limit."""
    bank: Annotated[float, Field(ge=0, le=86_400)] = 0.0
    """Used up by what a choice takes longer than `move`, over the whole game."""


class CreateRequest(GameRef):
    """Set up a hosted game."""

    type: Literal["create"] = "create"
    id: str | int | None = None
    """Comes back."""
    seats: Annotated[list[SeatSetup], Field(min_length=1, max_length=MAX_SEATS)]
    """One for each seat of the scenario, in order."""
    seed: Seed | None = None
    """Names the luck; null: a secret random one. Whoever knows it can know all cards, so a game with a
    given seed is marked `seeded`."""
    time: TimeControl = TimeControl()
    """For people; agents have the server's own budget."""
    fallback: AgentSpec | None = None
    """Agent that chooses for a seat out of time or out of order; null: uniformly among legal actions."""
    listed: bool = True
    """Shown by `GET /v1/games`; an unlisted game is found by its id only."""


class JoinRequest(Message):
    """Take an open seat."""

    type: Literal["join"] = "join"
    id: str | int | None = None
    """Comes back."""
    seat: Seat | None = None
    """Which; null: the first open one."""
    name: PlayerName = ""
    """Shown to all."""


class ActRequest(Message):
    """Choose an action for the token's seat."""

    type: Literal["act"] = "act"
    id: str | int | None = None
    """Comes back in an error."""
    action: int | Annotated[str, Field(max_length=80)]
    """Id or text of a legal action."""
    version: Annotated[int, Field(ge=0)] | None = None
    """`version` of the view that was looked at; if the view has changed since, the act is refused with
    `stale_version`, so a repeated message can't act twice. Recommended."""


class PostedAct(ActRequest):
    """An act over HTTP, whose answer is a view."""

    since: Annotated[int, Field(ge=0)] = 0
    """Events wanted from this number on."""
    parts: Parts | None = None
    """Of the view; null: all but `svg` and `observation`."""


class ResignRequest(Message):
    """Give up. Of two, the other wins at once; of more, the fallback plays the seat on."""

    type: Literal["resign"] = "resign"
    id: str | int | None = None
    """Comes back in an error."""


class HintRequest(Message):
    """Ask an agent what it would do at this seat, with no more knowledge than the seat has."""

    type: Literal["hint"] = "hint"
    id: str | int | None = None
    """Comes back."""
    agent: AgentSpec | None = None
    """Whom; null: the server's strongest for this scenario."""


class SeatRecordRequest(Message):
    """Ask for what your seat has seen so far."""

    type: Literal["seat_record"] = "seat_record"
    id: str | int | None = None
    """Comes back."""


class Subscribe(Message):
    """Watch a game: its view now, and again whenever it changes. First message over a WebSocket."""

    type: Literal["subscribe"] = "subscribe"
    token: Token | None = None
    """Of a seat; null: a spectator."""
    since: Annotated[int, Field(ge=0)] = 0
    """Events wanted from this number on."""
    parts: Parts | None = None
    """Null: all but `svg` and `observation`."""


class Ping(Message):
    """Are you there?"""

    type: Literal["ping"] = "ping"
    id: str | int | None = None
    """Comes back."""


# -------------------------------------------------------------------------------------- replies
class Created(Answer):
    """A game was set up."""

    type: Literal["created"] = "created"
    game_id: GameId
    """Its name from now on."""
    tokens: dict[str, str]
    """Token of each `human` seat by the seat's number. Keep them secret; they aren't shown again."""


class Joined(Answer):
    """A seat was taken."""

    type: Literal["joined"] = "joined"
    game_id: GameId
    """Of the game."""
    seat: Seat
    """Taken."""
    token: str
    """Its token."""


class Pong(Answer):
    """Answer to `ping`."""

    type: Literal["pong"] = "pong"


class GameLine(pydantic.BaseModel):
    """One game of a list."""

    model_config = pydantic.ConfigDict(use_attribute_docstrings=True)

    game_id: str
    game: str
    scenario: str
    seats: list[SeatInfo]
    status: GameStatus
    created: float
    """Seconds since 1970."""


class GameList(Answer):
    """Listed games, newest first."""

    type: Literal["games"] = "games"
    games: list[GameLine]


class ScenarioInfo(pydantic.BaseModel):
    """A scenario by its defaults."""

    name: str
    num_seats: int
    num_actions: int
    observation_size: int
    observation_version: int


class GameInfo(pydantic.BaseModel):
    """A game that can be hosted."""

    name: str
    rules_version: int
    default_scenario: str
    scenarios: list[ScenarioInfo]


class Catalog(Answer):
    """What this server offers."""

    type: Literal["catalog"] = "catalog"
    version: str
    """Of the package."""
    games: list[GameInfo]


class AgentInfo(pydantic.BaseModel):
    """An agent that the server lends."""

    model_config = pydantic.ConfigDict(use_attribute_docstrings=True)

    spec: str
    title: str
    """Short name for people."""
    about: str
    """One line."""
    level: int | None = None
    """Number of a difficulty level, from 1, easiest."""


class AgentList(Answer):
    """Agents for one scenario: levels first, easiest first."""

    type: Literal["agents"] = "agents"
    game: str
    scenario: str
    agents: list[AgentInfo]
    hint: str | None
    """The one that gives hints unless told otherwise."""


ToServer = Annotated[
    ActRequest | ResignRequest | HintRequest | SeatRecordRequest | Ping, Field(discriminator="type")
]
"""After `subscribe`, over a WebSocket."""
ToViewer = Annotated[View | Hint | SeatRecord | Pong | ErrorReply, Field(discriminator="type")]
"""What a WebSocket brings."""

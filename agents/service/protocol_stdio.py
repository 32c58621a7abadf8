"""Hosted games line by line: the messages of `protocol_hosted.py`, each naming its game and its token.

HTTP says these two beside the message (in the address and in a header), a WebSocket once for all.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from agents.service.protocol import Answer, GameRef, Message
from agents.service.protocol_hosted import (
    CreateRequest,
    HintRequest,
    JoinRequest,
    Parts,
    Ping,
    PostedAct,
    ResignRequest,
    SeatRecordRequest,
    Subscribe,
    Token,
)
from agents.service.protocol_view import GameId


class AtGame(Message):
    """A message about a hosted game."""

    id: str | int | None = None
    """Comes back."""
    game_id: GameId
    """Which game."""


class AtSeat(AtGame):
    """A message of somebody at a hosted game."""

    token: Token | None = None
    """Of a seat; null: a spectator."""


class JoinLine(JoinRequest, AtGame):
    """Take an open seat. Answer: `joined`."""


class ViewLine(AtSeat):
    """Look at a game. Answer: `view`."""

    type: Literal["view"] = "view"
    since: Annotated[int, Field(ge=0)] = 0
    """Events wanted from this number on."""
    parts: Parts | None = None
    """Null: all but `svg` and `observation`."""


class SubscribeLine(Subscribe, AtGame):
    """Watch a game. Answer: `view`; from then on a `view` with `id` null whenever the viewer's changes."""


class UnsubscribeLine(AtSeat):
    """Watch it no more. Answer: `unsubscribed`."""

    type: Literal["unsubscribe"] = "unsubscribe"


class ActLine(PostedAct, AtSeat):
    """Choose an action. Answer: `view`, after quick agents have chosen, too."""


class ResignLine(ResignRequest, AtSeat):
    """Give up. Answer: `view`."""


class HintLine(HintRequest, AtSeat):
    """Ask an agent. Answer: `hint`."""


class SeatRecordLine(SeatRecordRequest, AtSeat):
    """What the seat has seen so far. Answer: `seat_record`."""


class RecordLine(AtGame):
    """All of a finished game. Answer: `record`."""

    type: Literal["record"] = "record"


class GamesLine(Message):
    """Listed games. Answer: `games`."""

    type: Literal["games"] = "games"
    id: str | int | None = None
    """Comes back."""


class AgentsLine(GameRef):
    """Agents for a scenario. Answer: `agents`."""

    type: Literal["agents"] = "agents"
    id: str | int | None = None
    """Comes back."""


class CatalogLine(Message):
    """Games and scenarios. Answer: `catalog`."""

    type: Literal["catalog"] = "catalog"
    id: str | int | None = None
    """Comes back."""


class Unsubscribed(Answer):
    """Answer to `unsubscribe`."""

    type: Literal["unsubscribed"] = "unsubscribed"
    game_id: GameId
    """Of the game."""


HostedLine = (
    CreateRequest
    | JoinLine
    | ViewLine
    | SubscribeLine
    | UnsubscribeLine
    | ActLine
    | ResignLine
    | HintLine
    | SeatRecordLine
    | RecordLine
    | GamesLine
    | AgentsLine
    | CatalogLine
    | Ping
)
"""A line about hosted games."""

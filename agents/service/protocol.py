"""Messages of the stateless half of the protocol, and what both halves share.

Everything is JSON. Numbers of seats, actions and events are the ids of `fm_env.contract`. Every
message has a version (`protocol`); a change that breaks readers raises it.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import pydantic
from pydantic import Field

PROTOCOL = 1
"""Version of every message here and in `protocol_hosted.py`."""

MAX_OBSERVATION = 20_000
MAX_ACTIONS = 2_000
MAX_SPEC = 200
MAX_OPTIONS = 40
MAX_ALTERNATIVES = 20
MAX_STEPS = 10_000

Name = Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_.-]+$")]
"""Name of a game or scenario."""
AgentSpec = Annotated[str, Field(min_length=1, max_length=MAX_SPEC)]
"""Text that makes an agent, e.g. `policy:duel`, `level:duel-3` (see `agents.registry`)."""
Seat = Annotated[int, Field(ge=0, le=15)]
Entry = Annotated[int, Field(ge=0, lt=MAX_OBSERVATION)]
"""Number of an entry of observations."""
Fraction = Annotated[float, Field(ge=-1.0, le=1.0)]
ActionId = Annotated[int, Field(ge=0, lt=MAX_ACTIONS)]
Seed = Annotated[int, Field(ge=0, lt=2**53)]
"""JSON readers of other languages hold integers exactly only up to 2^53."""
Probability = Annotated[float, Field(ge=0.0, le=1.0)]
Options = Annotated[dict[str, Any], Field(max_length=MAX_OPTIONS)]


class Message(pydantic.BaseModel):
    """Base of all messages that are read: unknown fields are refused."""

    model_config = pydantic.ConfigDict(extra="forbid", use_attribute_docstrings=True, allow_inf_nan=False)

    protocol: Literal[1] = PROTOCOL
    """Version of the protocol; may be left out."""


class Reply(pydantic.BaseModel):
    """Base of all messages that are written; readers should skip fields they don't know."""

    model_config = pydantic.ConfigDict(extra="forbid", use_attribute_docstrings=True, allow_inf_nan=False)

    protocol: Literal[1] = PROTOCOL
    """Version of the protocol."""


class Answer(Reply):
    """Base of answers to what was asked of a hall of games."""

    id: str | int | None = None
    """Of the request, where it had one; null for a view that nobody asked for."""


class GameRef(Message):
    """Which game is played."""

    game: Name = "fairy_meat"
    """Registry name of the game."""
    scenario: Name | None = None
    """Name of the scenario; null is the game's own default."""
    options: Options = {}
    """Options of the scenario, as `fm-env ... --set` takes them."""


class SeatStep(pydantic.BaseModel):
    """What a seat saw when it was to choose, and what it chose."""

    model_config = pydantic.ConfigDict(extra="forbid", use_attribute_docstrings=True, allow_inf_nan=False)

    changes: Annotated[list[tuple[Entry, Fraction]], Field(max_length=MAX_OBSERVATION)]
    """Entries of the observation that differ from the step before, as `[number, value]`; in the first
    step those that aren't 0."""
    legal: Annotated[list[ActionId], Field(max_length=MAX_ACTIONS)]
    """Ids of the legal actions; empty only in the last step of a seat that owes no choice."""
    action: ActionId | None = None
    """The seat's choice; null in the last step, which is how things stand."""


class SeatRecord(Answer):
    """A game as one seat has seen it, with nothing that the seat doesn't know. A server gives it of a hosted
    game; whoever plays the seat may keep it and send it with `choose`.
    """

    type: Literal["seat_record"] = "seat_record"
    game: Name
    """Registry name."""
    scenario: Name
    """Name of the scenario."""
    options: Options
    """Its options but `setup`, which may name hidden cards."""
    rules_version: int
    """Of the game's rules."""
    observation_version: int
    """Of the action ids and observations."""
    seat: Seat
    """Whose record."""
    steps: Annotated[list[SeatStep], Field(min_length=1, max_length=MAX_STEPS)]
    """The seat's choices in order, and last the present position."""


class ChooseRequest(GameRef):
    """A position as a seat sees it, for which an action is wanted.

    The position is one of: `observation` with `legal` (or `mask`); `seat_record`; `record` with `seat`.
    """

    type: Literal["choose"] = "choose"
    id: str | int | None = None
    """Comes back in the reply."""
    agent: AgentSpec | None = None
    """Who chooses; null is the agent that an engine was started with, or `random`."""
    seed: Seed = 0
    """Equal requests with equal seeds get equal answers (agents without memory)."""
    observation: Annotated[list[float], Field(max_length=MAX_OBSERVATION)] | None = None
    """`[F]` numbers within [-1, 1]: what the seat knows."""
    legal: Annotated[list[ActionId], Field(min_length=1, max_length=MAX_ACTIONS)] | None = None
    """Ids of the legal actions."""
    mask: Annotated[list[bool], Field(max_length=MAX_ACTIONS)] | None = None
    """`[A]`, true = legal; instead of `legal`."""
    seat_record: SeatRecord | None = None
    """The seat's own record of the game, which also says which game it is; agents with a memory are shown
    the choices in it first."""
    record: dict[str, Any] | None = None
    """A game as `Match.to_json` writes it, from a client that is the referee; the agent is shown only
    what `seat` may see of its last position."""
    seat: Seat | None = None
    """Whose choice it is. Needed with `record`; otherwise told to agents that ask (default 0)."""
    game_id: Annotated[str, Field(max_length=64)] | None = None
    """Over stdio: the game this belongs to, for agents with memory (see `newgame`)."""
    alternatives: Annotated[int, Field(ge=0, le=MAX_ALTERNATIVES)] = 5
    """How many of the likeliest actions to tell about."""


class Alternative(pydantic.BaseModel):
    """One of the actions that the agent thought of."""

    action: ActionId
    text: str
    """Text of the action id."""
    probability: Probability
    """Chance that the agent takes it here."""


class Belief(pydantic.BaseModel):
    """What the agent thinks of the opponent's hidden cards."""

    model_config = pydantic.ConfigDict(use_attribute_docstrings=True)

    red: Probability
    """Chance that most of the opponent's hidden hand is red (half of it counts half)."""
    source: str
    """Which model says so."""


class ChooseReply(Reply):
    """What the agent does."""

    type: Literal["action"] = "action"
    id: str | int | None = None
    """Of the request."""
    agent: str
    """Spec of the agent that chose."""
    action: ActionId
    """The id of a legal action."""
    text: str
    """Its text."""
    win_estimate: Probability | None = None
    """Chance that this seat wins, a draw counted half; null where the agent doesn't estimate."""
    alternatives: list[Alternative] | None = None
    """The likeliest actions, likeliest first; null where the agent doesn't tell its chances."""
    belief: Belief | None = None
    """Null where there is no model of the opponent's hand."""


ErrorCode = Literal[
    "bad_message",
    "bad_setup",
    "unknown",
    "illegal_action",
    "not_your_turn",
    "stale_version",
    "forbidden",
    "full",
    "too_large",
    "too_many",
    "over",
    "internal",
]


class ErrorReply(Reply):
    """Something was refused; nothing has changed."""

    type: Literal["error"] = "error"
    id: str | int | None = None
    """Of the request."""
    code: ErrorCode
    """What kind of mistake."""
    message: str
    """What was wrong, where, and what was expected, in a sentence for people."""


# ------------------------------------------------------------------------------- over stdio only
class Hello(Message):
    """First line to an engine."""

    type: Literal["hello"] = "hello"


class Ready(Reply):
    """Answer to `hello`."""

    type: Literal["ready"] = "ready"
    name: Annotated[str, Field(max_length=64)] = "engine"
    """Short name of the program."""
    stateless: bool = True
    """True: `choose` alone is enough, in any order; false: it wants `newgame` and every choice in order."""


class IsReady(Message):
    """Are you there?"""

    type: Literal["isready"] = "isready"
    id: str | int | None = None
    """Comes back."""


class ReadyOk(Reply):
    """Answer to `isready`, after everything before it was dealt with."""

    type: Literal["readyok"] = "readyok"
    id: str | int | None = None
    """Of the question."""


class NewGame(GameRef):
    """A game begins. One engine may be in many games at once; `game_id` tells them apart."""

    type: Literal["newgame"] = "newgame"
    game_id: Annotated[str, Field(min_length=1, max_length=64)]
    """Name of the game in later messages."""
    seat: Seat = 0
    """Where the engine sits."""
    seed: Seed = 0
    """Source of its luck in this game."""
    agent: AgentSpec | None = None
    """Which agent plays, of engines that have several; null is the engine's own."""


class EndGame(Message):
    """A game is over or was given up; the engine may forget it. No answer."""

    type: Literal["endgame"] = "endgame"
    game_id: str
    """Which."""


class NewGameOk(Reply):
    """Answer to `newgame`."""

    type: Literal["newgameok"] = "newgameok"
    game_id: str
    """Which."""


class Bye(Message):
    """The engine ends itself. No answer."""

    type: Literal["bye"] = "bye"


class EngineAction(pydantic.BaseModel):
    """What an external agent must answer `choose` with; a `ChooseReply` is one, too."""

    model_config = pydantic.ConfigDict(extra="ignore", use_attribute_docstrings=True, allow_inf_nan=False)

    type: Literal["action"]
    id: str | int | None = None
    """Of the request: late answers are told by it."""
    action: ActionId
    """The id of a legal action."""
    win_estimate: Probability | None = None
    """Chance that its seat wins."""

"""`fm-env engine`: the stateless half of the protocol over stdio, one JSON message a line.

    hello -> ready      isready -> readyok      newgame -> newgameok      endgame (no answer)
    choose -> action    bye (ends)              anything wrong -> error

Agents with a memory need `newgame`, and `choose` with its `game_id` for every choice of that game.
"""

from __future__ import annotations

import sys
from typing import IO, Annotated, Any

import pydantic
from pydantic import Field

from agents.api import Agent
from agents.service.choose import ForbiddenError, Lending, choose, position_of, reply
from agents.service.protocol import (
    Bye,
    ChooseRequest,
    EndGame,
    ErrorCode,
    ErrorReply,
    Hello,
    IsReady,
    NewGame,
    NewGameOk,
    Ready,
    ReadyOk,
    Reply,
)
from agents.service.setting import Setting, find_setting
from fm_env.errors import FmEnvError, IllegalActionError, UnknownNameError

MAX_LINE = 2_000_000
"""A choice with the longest observation fits."""
MAX_GAMES = 10_000

Command = Annotated[Hello | IsReady | NewGame | EndGame | ChooseRequest | Bye, Field(discriminator="type")]
COMMAND: pydantic.TypeAdapter[Any] = pydantic.TypeAdapter(Command)


class StdioEngine:
    """Answers lines; `serve` feeds it."""

    def __init__(self, agent: str, lending: Lending) -> None:
        """Let `agent` choose where a message names none."""
        self.agent, self.lending = agent, lending
        self.ended = False
        self._games: dict[str, tuple[NewGame, Setting, Agent]] = {}

    def answer(self, line: bytes) -> Reply | None:
        """The answer to one line, None where there is none."""
        if len(line) > MAX_LINE:
            return ErrorReply(code="too_large", message=f"a line longer than {MAX_LINE} bytes")
        try:
            message = COMMAND.validate_json(line)
        except pydantic.ValidationError as error:
            return ErrorReply(id=id_in(line), code="bad_message", message=validation_words(error))
        try:
            return self._do(message)
        except FmEnvError as error:
            return ErrorReply(id=getattr(message, "id", None), code=code_of(error), message=str(error))
        except Exception as error:  # an agent's own mistake must not end the engine
            words = f"{type(error).__name__}: {error}"
            return ErrorReply(id=getattr(message, "id", None), code="internal", message=words)

    def _do(self, message: Any) -> Reply | None:
        if isinstance(message, Hello):
            return Ready(name=f"fm-env {self.agent}"[:64], stateless=False)
        if isinstance(message, IsReady):
            return ReadyOk(id=message.id)
        if isinstance(message, NewGame):
            return self._newgame(message)
        if isinstance(message, ChooseRequest):
            return self._choose(message)
        if isinstance(message, EndGame):
            self._games.pop(message.game_id, None)
        else:
            self.ended = True
        return None

    def _newgame(self, message: NewGame) -> Reply:
        if len(self._games) >= MAX_GAMES:
            self._games.pop(next(iter(self._games)))  # the oldest is forgotten
        setting = find_setting(message)
        player = self.lending.get(message.agent or self.agent, setting).spawn()
        player.reset(setting.spec, message.seat, message.seed)
        self._games[message.game_id] = message, setting, player
        return NewGameOk(game_id=message.game_id)

    def _choose(self, message: ChooseRequest) -> Reply:
        known = self._games.get(message.game_id or "")
        if known is None or message.agent is not None:
            return choose(message, self.lending, self.agent)
        game, setting, player = known
        observation, mask, _, sampler = position_of(message, setting)
        return reply(message, setting, game.agent or self.agent, player, observation, mask, sampler)


def id_in(line: bytes) -> str | int | None:
    """The `id` of a message that is otherwise wrong, if it can be found."""
    import json

    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    number = found.get("id") if isinstance(found, dict) else None
    return number if isinstance(number, str | int) else None


def validation_words(error: pydantic.ValidationError) -> str:
    """What was wrong with a message, at its first place."""
    first = error.errors(include_url=False, include_input=False)[0]
    where = ".".join(str(part) for part in first["loc"])
    return f"{where or 'message'}: {first['msg']}"[:500]


def code_of(error: FmEnvError) -> ErrorCode:
    """The protocol's code for an error."""
    if isinstance(error, ForbiddenError):
        return "forbidden"
    if isinstance(error, UnknownNameError):
        return "unknown"
    if isinstance(error, IllegalActionError):
        return "illegal_action"
    return "bad_setup"


def serve(engine: StdioEngine, source: IO[bytes], sink: IO[bytes]) -> None:
    """Answer lines until `bye` or the end of the input."""
    while not engine.ended:
        line = source.readline(MAX_LINE + 1)
        if not line:
            return
        if not line.strip():
            continue
        answer = engine.answer(line)
        if len(line) > MAX_LINE and not line.endswith(b"\n"):
            while (rest := source.readline(MAX_LINE)) and not rest.endswith(b"\n"):
                pass
        if answer is not None:
            sink.write(answer.model_dump_json().encode() + b"\n")
            sink.flush()


def engine_command(agent: str) -> None:
    """Speak over this process's own input and output. Whatever else is printed goes to stderr."""
    sink = sys.stdout.buffer
    sys.stdout = sys.stderr
    serve(StdioEngine(agent, Lending(everything=True)), sys.stdin.buffer, sink)

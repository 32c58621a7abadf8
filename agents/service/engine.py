"""`fm-env engine`: the protocol over stdio, one JSON message a line.

    hello -> ready      isready -> readyok      newgame -> newgameok      endgame (no answer)
    choose -> action    bye (ends)              anything wrong -> error

Agents with a memory need `newgame`, and `choose` with its `game_id` for every choice of that game.
Hosted games speak as `protocol_stdio.py` says; a hall is opened when the first such line comes.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any

import pydantic
from pydantic import Field

from agents.api import Agent
from agents.service.choose import ForbiddenError, Lending, choose, positions_of, reply
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
from agents.service.protocol_stdio import HostedLine
from agents.service.seat_record import follow
from agents.service.setting import Setting, find_setting
from fm_env.errors import FmEnvError, IllegalActionError, SetupError, UnknownNameError

if TYPE_CHECKING:
    from agents.service.desk import Desk

MAX_LINE = 4_000_000
"""A choice with the record of a whole game fits."""
MAX_GAMES = 10_000

Command = Annotated[
    Hello | IsReady | NewGame | EndGame | ChooseRequest | Bye | HostedLine, Field(discriminator="type")
]
COMMAND: pydantic.TypeAdapter[Any] = pydantic.TypeAdapter(Command)


class StdioEngine:
    """Answers lines; `serve` feeds it."""

    def __init__(self, agent: str, lending: Lending, db: Path | None = None) -> None:
        """Let `agent` choose where a message names none; `db` keeps hosted games, None only in memory."""
        self.agent, self.lending, self.db = agent, lending, db
        self.ended = False
        self.desk: Desk | None = None
        """Where hosted games are, once there are any."""
        self.send: Callable[[Reply], None] = lambda view: None
        """Takes the views of watched games."""
        self._games: dict[str, tuple[NewGame, Setting, Agent]] = {}

    async def answer(self, line: bytes) -> Reply | None:
        """The answer to one line, None where there is none."""
        if len(line) > MAX_LINE:
            return ErrorReply(code="too_large", message=f"a line longer than {MAX_LINE} bytes")
        try:
            message = COMMAND.validate_json(line)
        except pydantic.ValidationError as error:
            return ErrorReply(id=id_in(line), code="bad_message", message=validation_words(error))
        try:
            if isinstance(message, HostedLine):
                return await (await self._open_desk()).answer(message)
            if self.desk is None:
                return self._do(message)
            return await asyncio.to_thread(self._do, message)  # an agent may think while games go on
        except FmEnvError as error:
            return ErrorReply(id=getattr(message, "id", None), code=code_of(error), message=str(error))
        except Exception as error:  # an agent's own mistake must not end the engine
            words = f"{type(error).__name__}: {error}"
            return ErrorReply(id=getattr(message, "id", None), code="internal", message=words)

    async def close(self) -> None:
        """Leave the hosted games."""
        if self.desk is not None:
            await self.desk.close()
            await self.desk.hall.close()

    async def _open_desk(self) -> Desk:
        if self.desk is None:
            try:
                from agents.service.desk import Desk
                from agents.service.hall import Hall
                from agents.service.store import Store
            except ImportError as error:
                raise SetupError(
                    f"engine: hosted games need the extra 'service' ({error.name} is missing):"
                    " pip install 'fm-env[service]'"
                ) from None
            hall = Hall(Store(self.db), self.lending)
            await hall.start()
            self.desk = Desk(hall, lambda view: self.send(view))
        return self.desk

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
        told, spec = message.seat_record, setting.spec
        if told is not None and (told.game, told.scenario) != (spec.game, spec.scenario):
            raise SetupError(f"seat_record: of another game than {message.game_id!r} was announced as")
        now = follow(positions_of(message, setting))
        return reply(message, setting, game.agent or self.agent, player, now)


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
    asyncio.run(_serve(engine, source, sink))


async def _serve(engine: StdioEngine, source: IO[bytes], sink: IO[bytes]) -> None:
    def say(reply: Reply) -> None:
        sink.write(reply.model_dump_json().encode() + b"\n")
        sink.flush()

    engine.send = say
    try:
        while not engine.ended:
            line = await _line(engine, source)
            if not line:
                return
            if not line.strip():
                continue
            answer = await engine.answer(line)
            if len(line) > MAX_LINE and not line.endswith(b"\n"):
                while (rest := source.readline(MAX_LINE)) and not rest.endswith(b"\n"):
                    pass
            if answer is not None:
                say(answer)
    finally:
        await engine.close()


async def _line(engine: StdioEngine, source: IO[bytes]) -> bytes:
    """The next line. Hosted games go on while it is waited for."""
    if engine.desk is None:
        return source.readline(MAX_LINE + 1)
    import anyio.to_thread  # comes with what hosted games need

    return await anyio.to_thread.run_sync(source.readline, MAX_LINE + 1, abandon_on_cancel=True)


def _interrupt(number: int, frame: Any) -> None:
    """At once: asyncio's own handler would wait for the next line."""
    raise KeyboardInterrupt


def engine_command(agent: str, db: Path | None = None) -> None:
    """Speak over this process's own input and output. Whatever else is printed goes to stderr."""
    sink = sys.stdout.buffer
    sys.stdout = sys.stderr
    signal.signal(signal.SIGINT, _interrupt)
    try:
        serve(StdioEngine(agent, Lending(everything=True), db), sys.stdin.buffer, sink)
    except KeyboardInterrupt:
        os._exit(130)  # a thread may still wait for a line, and Python would wait for the thread

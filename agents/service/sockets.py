"""One viewer at one game over a WebSocket."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import pydantic
from starlette.websockets import WebSocket, WebSocketDisconnect

from agents.service.engine import id_in, validation_words
from agents.service.floor import Entry
from agents.service.guard import Bucket, error_reply
from agents.service.hall import Hall
from agents.service.protocol import ErrorReply, Reply
from agents.service.protocol_hosted import (
    ActRequest,
    HintRequest,
    Ping,
    Pong,
    SeatRecordRequest,
    Subscribe,
    ToServer,
)
from agents.service.watching import changes
from fm_env.errors import FmEnvError

TO_SERVER: pydantic.TypeAdapter[Any] = pydantic.TypeAdapter(ToServer)
SUBSCRIBE_SECONDS = 10.0
"""For the first message."""
MAX_MESSAGE = 4_096
REFUSED, TOO_FAST, TOO_LARGE, RELOAD = 4400, 4429, 1009, 1012
"""Codes with which a connection is closed."""


async def serve_socket(socket: WebSocket) -> None:
    """Subscribe, then tell changes and take messages until the connection ends."""
    hall: Hall = socket.app.state.hall
    await socket.accept()
    game_id = socket.path_params["game_id"]
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        try:
            first = await asyncio.wait_for(_receive(socket), SUBSCRIBE_SECONDS)
            wanted = Subscribe.model_validate_json(first)
            entry = await hall.entry(game_id)
            entry.game.seat_of(wanted.token)
            with hall.watching(entry) as changed:
                await _Viewer(socket, hall, game_id, wanted).serve(entry, changed)
        except pydantic.ValidationError as error:
            await _close(socket, ErrorReply(code="bad_message", message=validation_words(error)))
        except (FmEnvError, PermissionError) as error:
            await _close(socket, error_reply(error))
        except TimeoutError:
            await _close(socket, ErrorReply(code="bad_message", message="no subscribe message came"))


async def _receive(socket: WebSocket) -> str:
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code") or 1000)
    text = message.get("text")
    if text is None or len(text) > MAX_MESSAGE:
        words = "expected text" if text is None else f"a message longer than {MAX_MESSAGE} characters"
        await _close(socket, ErrorReply(code="too_large", message=words), TOO_LARGE)
        raise WebSocketDisconnect(TOO_LARGE)
    return text


async def _close(socket: WebSocket, reply: Reply, code: int = REFUSED) -> None:
    await socket.send_text(reply.model_dump_json())
    await socket.close(code)


class _Viewer:
    """A subscribed connection."""

    def __init__(self, socket: WebSocket, hall: Hall, game_id: str, wanted: Subscribe) -> None:
        self.socket, self.hall, self.game_id = socket, hall, game_id
        self.wanted, self.token = wanted, wanted.token

    async def serve(self, entry: Entry, changed: asyncio.Event) -> None:
        """Send and receive side by side; whichever ends, ends both."""
        async with anyio.create_task_group() as group:

            async def run(work: Callable[[], Awaitable[None]]) -> None:
                with contextlib.suppress(WebSocketDisconnect, RuntimeError):  # the latter: sent after a close
                    await work()
                group.cancel_scope.cancel()

            group.start_soon(run, lambda: self._send_changes(entry, changed))
            group.start_soon(run, self._take_messages)

    async def _send_changes(self, entry: Entry, changed: asyncio.Event) -> None:
        wanted = self.wanted
        views = changes(self.hall, entry, changed, token=wanted.token, since=wanted.since, parts=wanted.parts)
        async for view in views:
            await self.socket.send_text(view.model_dump_json(exclude_none=False))
        await self.socket.close(RELOAD)

    async def _take_messages(self) -> None:
        state = self.socket.app.state
        bucket = Bucket(state.rate, state.burst)
        while True:
            text = await _receive(self.socket)
            if not bucket.admit():
                await _close(self.socket, ErrorReply(code="too_many", message="too many messages"), TOO_FAST)
                return
            reply = await self._answer(text)
            if reply is not None:
                await self.socket.send_text(reply.model_dump_json())

    async def _answer(self, text: str) -> Reply | None:
        try:
            message = TO_SERVER.validate_json(text)
        except pydantic.ValidationError as error:
            return ErrorReply(id=id_in(text.encode()), code="bad_message", message=validation_words(error))
        try:
            if isinstance(message, Ping):
                return Pong(id=message.id)
            if isinstance(message, HintRequest):
                return await self.hall.hint(self.game_id, self.token, message)
            if isinstance(message, SeatRecordRequest):
                record = await self.hall.seat_record(self.game_id, self.token)
                return record.model_copy(update={"id": message.id})
            if isinstance(message, ActRequest):
                await self.hall.act(self.game_id, self.token, message.action, message.version)
            else:
                await self.hall.resign(self.game_id, self.token)
        except (FmEnvError, PermissionError) as error:
            return error_reply(error, message.id)
        return None

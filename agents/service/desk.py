"""Hosted games over one line of messages, such as stdio: every line gets one answer, and whoever watches a
game is sent its views in between.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable

from agents.service.guard import error_reply
from agents.service.hall import Hall
from agents.service.lent import catalog
from agents.service.protocol import Answer, ErrorReply, Reply
from agents.service.protocol_hosted import AgentList, CreateRequest, Ping, Pong
from agents.service.protocol_stdio import (
    ActLine,
    AgentsLine,
    CatalogLine,
    GamesLine,
    HintLine,
    HostedLine,
    JoinLine,
    RecordLine,
    ResignLine,
    SeatRecordLine,
    SubscribeLine,
    Unsubscribed,
    UnsubscribeLine,
    ViewLine,
)
from agents.service.protocol_view import View
from agents.service.watching import changes
from fm_env.errors import FmEnvError

Watched = tuple[str, str | None]
"""Id of a game and token."""


class Desk:
    """One client of a hall. It may sit at many seats of many games."""

    def __init__(self, hall: Hall, send: Callable[[Reply], None]) -> None:
        """`send` is handed the views of watched games."""
        self.hall, self._send = hall, send
        self._watching: dict[Watched, asyncio.Task[None]] = {}

    async def answer(self, line: HostedLine) -> Reply:
        """The one answer to a line."""
        try:
            found = await self._do(line)
        except (FmEnvError, PermissionError) as error:
            return error_reply(error, line.id)
        return found.model_copy(update={"id": line.id})

    async def close(self) -> None:
        """Send nothing more."""
        tasks = list(self._watching.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._watching.clear()

    async def _do(self, line: HostedLine) -> Answer:
        hall = self.hall
        match line:
            case CreateRequest():
                return await hall.create(line)
            case JoinLine():
                return await hall.join(line.game_id, line)
            case ViewLine():
                return await hall.view(line.game_id, line.token, line.since, line.parts)
            case SubscribeLine():
                return await self._watch(line)
            case UnsubscribeLine():
                await self._leave((line.game_id, line.token))
                return Unsubscribed(game_id=line.game_id)
            case ActLine():
                await hall.act(line.game_id, line.token, line.action, line.version)
                return await hall.view(line.game_id, line.token, line.since, line.parts)
            case ResignLine():
                await hall.resign(line.game_id, line.token)
                return await hall.view(line.game_id, line.token)
            case HintLine():
                return await hall.hint(line.game_id, line.token, line)
            case SeatRecordLine():
                return await hall.seat_record(line.game_id, line.token)
            case RecordLine():
                return await hall.record(line.game_id)
            case GamesLine():
                return await hall.games()
            case AgentsLine():
                setting, offered, hint = await hall.agents(line)
                spec = setting.spec
                return AgentList(game=spec.game, scenario=spec.scenario, agents=offered, hint=hint)
            case CatalogLine():
                return await asyncio.to_thread(catalog)
            case Ping():
                return Pong()

    async def _watch(self, line: SubscribeLine) -> View:
        """The view now; the later ones are sent. Watching a game again begins anew."""
        key = line.game_id, line.token
        await self._leave(key)
        first: asyncio.Future[View] = asyncio.get_running_loop().create_future()
        task = asyncio.create_task(self._send_changes(line, first))
        self._watching[key] = task
        await asyncio.wait((first, task), return_when=asyncio.FIRST_COMPLETED)
        if not first.done():  # it failed before there was anything to see
            self._watching.pop(key, None)
            await task
        return await first

    async def _leave(self, key: Watched) -> None:
        task = self._watching.pop(key, None)
        if task is not None:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task

    async def _send_changes(self, line: SubscribeLine, first: asyncio.Future[View]) -> None:
        hall = self.hall
        entry = await hall.entry(line.game_id)
        with hall.watching(entry) as changed:
            views = changes(hall, entry, changed, token=line.token, since=line.since, parts=line.parts)
            async for view in views:
                if first.done():
                    self._send(view)
                else:
                    first.set_result(view)
        self._send(
            ErrorReply(code="internal", message=f"game {line.game_id} could not be written; watch it again")
        )

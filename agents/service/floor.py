"""Hosted games in memory: who is asked when, what is written before it is shown, who is woken.

A change happens in memory under the game's lock, is written, and only then shown to anybody. A crash
between loses nothing that somebody was told.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Coroutine, Iterator
from dataclasses import dataclass, field
from typing import Any

from agents.service.choose import Lending
from agents.service.hosted import HostedGame
from agents.service.keeping import restored
from agents.service.players import Players
from agents.service.store import Store, Write, now
from fm_env.errors import FmEnvError, UnknownNameError

INLINE_MOVES = 32
"""Moves that quick agents make in one go before other games have their turn."""
IDLE_SECONDS = 300.0
"""Games that nobody watches are forgotten after this time; the database keeps them."""


class FullError(FmEnvError):
    """No room for another game or watcher."""


@dataclass(frozen=True)
class Limits:
    """What a hall admits."""

    games: int = 2_000
    """Unfinished games."""
    watchers: int = 64
    """WebSockets at one game."""
    agent_seconds: float = 5.0
    """For one choice of an agent."""
    keep_hours: float = 48.0
    """Unfinished games that nobody touched for so long are closed."""


@dataclass(eq=False)
class Entry:
    """A game in memory."""

    game: HostedGame
    players: Players
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    watchers: set[asyncio.Event] = field(default_factory=set)
    thinking: dict[int, asyncio.Task[None]] = field(default_factory=dict)
    timer: asyncio.TimerHandle | None = None
    used: float = 0.0
    finished: bool = False
    """Its end was dealt with."""


class Floor:
    """What runs under a hall (`hall.py`): games by their names, loaded, driven and forgotten."""

    def __init__(self, store: Store, lending: Lending, limits: Limits = Limits()) -> None:
        """Nothing happens before `start`."""
        self.store, self.lending, self.limits = store, lending, limits
        self.entries: dict[str, Entry] = {}
        self._loading: dict[str, asyncio.Lock] = {}
        self.unfinished = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._closing = False

    async def start(self) -> None:
        """Take up the unfinished games of the database."""
        waiting = await asyncio.to_thread(self.store.ids, "open", "running")
        self.unfinished = len(waiting)
        self._spawn(self._take_up(waiting))
        self._spawn(self._sweep())

    async def close(self) -> None:
        """Stop; everything that was shown is on the disk already."""
        self._closing = True
        for entry in self.entries.values():
            if entry.timer is not None:
                entry.timer.cancel()
            for task in entry.thinking.values():
                task.cancel()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.to_thread(self.store.close)
        await asyncio.to_thread(self.lending.close)

    @contextlib.contextmanager
    def watching(self, entry: Entry) -> Iterator[asyncio.Event]:
        """An event that is set whenever the game may have changed.

        Raises:
            FullError: too many watch it.
        """
        if len(entry.watchers) >= self.limits.watchers:
            raise FullError(f"watchers: {len(entry.watchers)} watch this game, no more are admitted")
        event = asyncio.Event()
        entry.watchers.add(event)
        try:
            yield event
        finally:
            entry.watchers.discard(event)
            entry.used = clock()

    def holds(self, entry: Entry) -> bool:
        """Whether this is what the hall knows of the game."""
        return self.entries.get(entry.game.game_id) is entry

    async def entry(self, game_id: str) -> Entry:
        """A game, from memory or the database.

        Raises:
            UnknownNameError: there is none of that name.
        """
        found = self.entries.get(game_id)
        if found is None:
            lock = self._loading.setdefault(game_id, asyncio.Lock())
            async with lock:
                found = self.entries.get(game_id) or await self._load(game_id)
            self._loading.pop(game_id, None)
        found.used = clock()
        return found

    # -- inside -----------------------------------------------------------------------------------
    @contextlib.asynccontextmanager
    async def using(self, game_id: str) -> AsyncIterator[Entry]:
        """A game under its lock."""
        entry = await self.entry(game_id)
        async with entry.lock:
            yield entry

    async def _load(self, game_id: str) -> Entry:
        row = await asyncio.to_thread(self.store.game_row, game_id)
        if row is None:
            raise UnknownNameError("game", game_id[:40], ())

        def restore() -> Entry:
            game = restored(row, self.store.move_rows(game_id))
            players = Players(game, self.lending, self.limits.agent_seconds)
            players.remind()
            return Entry(game, players)

        entry = await asyncio.to_thread(restore)
        entry.finished = entry.game.outcome is not None
        self.entries[game_id] = entry
        async with entry.lock:
            await self.settle(entry)
        return entry

    async def settle(self, entry: Entry, first: list[Write] | None = None) -> None:
        """Let quick agents choose, write it all, wake watchers and slow agents. Called under the lock."""
        more = self._let_quick_ones_choose(entry)
        writes, entry.game.rows = [*(first or []), *entry.game.rows], []
        try:
            await self.store.write(writes)
        except BaseException:
            self._forget(entry)  # what is in memory isn't true; the database is
            raise
        if entry.game.outcome is not None and not entry.finished:
            self._finish(entry)
        for event in entry.watchers:
            event.set()
        self._set_timer(entry)
        for seat in entry.game.owing():
            if entry.game.seats[seat].kind == "agent" and seat not in entry.thinking and not more:
                entry.thinking[seat] = self._spawn(self._let_think(entry, seat))
        if more:
            self._spawn(self._go_on(entry))

    def _let_quick_ones_choose(self, entry: Entry) -> bool:
        """Whether there are more of their moves to come."""
        for _ in range(INLINE_MOVES):
            seat = entry.players.next_quick(entry.thinking)
            if seat is None:
                return False
            entry.players.move_at_once(seat, clock())
        return entry.players.next_quick(entry.thinking) is not None

    async def _go_on(self, entry: Entry) -> None:
        await asyncio.sleep(0)
        async with entry.lock:
            if self.entries.get(entry.game.game_id) is entry:
                await self.settle(entry)

    async def _let_think(self, entry: Entry, seat: int) -> None:
        """A slow agent's choice, in a thread; the game goes on without it if it takes too long."""
        answer = await entry.players.think_slowly(seat)
        async with entry.lock:
            entry.thinking.pop(seat, None)
            if self.entries.get(entry.game.game_id) is entry and seat in entry.game.owing():
                entry.players.move(seat, answer, clock())
                await self.settle(entry)

    def _set_timer(self, entry: Entry) -> None:
        """The next moment at which a person is out of time."""
        if entry.timer is not None:
            entry.timer.cancel()
            entry.timer = None
        game, moment = entry.game, clock()
        left: list[float] = []
        for seat in game.owing():
            player = game.seats[seat]
            if player.asked_at is None:
                player.asked_at = moment
            allowed = player.allowed(game.time.move)
            if player.kind == "human" and allowed is not None:
                left.append(player.asked_at + allowed - moment)
        if left and not self._closing:
            loop = asyncio.get_running_loop()
            entry.timer = loop.call_later(
                max(0.0, min(left)) + 0.005, lambda: self._spawn(self._out_of_time(entry))
            )

    async def _out_of_time(self, entry: Entry) -> None:
        async with entry.lock:
            if self.entries.get(entry.game.game_id) is not entry:
                return
            game, moment = entry.game, clock()
            for seat in game.owing():
                player = game.seats[seat]
                allowed = player.allowed(game.time.move)
                if player.kind != "human" or allowed is None or player.asked_at is None:
                    continue
                if moment >= player.asked_at + allowed:
                    entry.players.fall_back(seat, "slow", moment)
            await self.settle(entry)

    def _finish(self, entry: Entry) -> None:
        entry.finished = True
        self.unfinished -= 1
        self._spawn(asyncio.to_thread(entry.players.end))

    def _forget(self, entry: Entry) -> None:
        if self.entries.get(entry.game.game_id) is entry:
            del self.entries[entry.game.game_id]
        if entry.timer is not None:
            entry.timer.cancel()
        for event in entry.watchers:
            event.set()

    async def _take_up(self, waiting: list[str]) -> None:
        """Load games that wait for nobody outside, so that agents go on with them."""
        for game_id in waiting:
            with contextlib.suppress(FmEnvError):
                await self.entry(game_id)
            await asyncio.sleep(0)

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(30.0)
            moment = clock()
            for entry in list(self.entries.values()):
                idle = not entry.watchers and not entry.thinking and entry.timer is None
                if idle and not entry.lock.locked() and moment - entry.used > IDLE_SECONDS:
                    self.entries.pop(entry.game.game_id, None)
            stale = await asyncio.to_thread(
                self.store.ids, "open", "running", before=now() - 3600 * self.limits.keep_hours
            )
            for game_id in stale[:100]:
                with contextlib.suppress(FmEnvError):
                    async with self.using(game_id) as entry:
                        if entry.game.idle_since() < now() - 3600 * self.limits.keep_hours:
                            entry.game.abandon()
                            await self.settle(entry)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            import logging

            logging.getLogger("fm_env.service").error("a task of the hall failed", exc_info=task.exception())


def clock() -> float:
    """The running loop's clock."""
    return asyncio.get_running_loop().time()

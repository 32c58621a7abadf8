"""All hosted games: who is asked when, what is written before it is shown, who is woken.

A change happens in memory under the game's lock, is written, and only then shown to anybody. A crash
between loses nothing that somebody was told.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from typing import Any

from agents.service.choose import Lending, is_quick
from agents.service.hosted import HostedGame, new_game
from agents.service.lent import agents_for, hint_agent
from agents.service.players import Players, hint_for
from agents.service.protocol import GameRef
from agents.service.protocol_hosted import (
    PARTS,
    Created,
    CreateRequest,
    GameLine,
    GameList,
    HintRequest,
    Joined,
    JoinRequest,
    Part,
)
from agents.service.protocol_view import GameStatus, Hint, Record, View
from agents.service.seats import HostedSeat
from agents.service.setting import Setting, find_setting, fresh_seed
from agents.service.store import INSERT_GAME, Store, Write, now
from fm_env.errors import FmEnvError, IllegalActionError, SetupError, UnknownNameError

INLINE_MOVES = 32
"""Moves that quick agents make in one go before other games have their turn."""
NUM_LISTED = 200
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


class Hall:
    """Make it, `start` it inside a running loop, `close` it at the end."""

    def __init__(self, store: Store, lending: Lending, limits: Limits = Limits()) -> None:
        """Nothing happens before `start`."""
        self.store, self.lending, self.limits = store, lending, limits
        self._entries: dict[str, Entry] = {}
        self._loading: dict[str, asyncio.Lock] = {}
        self._unfinished = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._closing = False

    async def start(self) -> None:
        """Take up the unfinished games of the database."""
        waiting = await asyncio.to_thread(self.store.ids, "open", "running")
        self._unfinished = len(waiting)
        self._spawn(self._take_up(waiting))
        self._spawn(self._sweep())

    async def close(self) -> None:
        """Stop; everything that was shown is on the disk already."""
        self._closing = True
        for entry in self._entries.values():
            if entry.timer is not None:
                entry.timer.cancel()
            for task in entry.thinking.values():
                task.cancel()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.to_thread(self.store.close)

    # -- what clients ask for ---------------------------------------------------------------------
    async def create(self, request: CreateRequest) -> Created:
        """Set up a game.

        Raises:
            FullError: too many games.
            FmEnvError: names what of the request can't be used.
        """
        if self._unfinished >= self.limits.games:
            raise FullError(f"games: {self._unfinished} are unfinished, no more are admitted")
        entry, tokens = await asyncio.to_thread(self._make, request)
        game = entry.game
        async with entry.lock:
            self._entries[game.game_id] = entry
            self._unfinished += 1
            await self._settle(entry, [Write(INSERT_GAME, [game.row()])])
        return Created(game_id=game.game_id, tokens=tokens)

    async def join(self, game_id: str, request: JoinRequest) -> Joined:
        """Take an open seat.

        Raises:
            IllegalActionError: it is taken, or none is open.
        """
        async with self._using(game_id) as entry:
            seat = _open_seat(entry.game, request.seat)
            token = seat.give_token()
            seat.kind, seat.name = "human", request.name
            entry.game.seats_changed()
            await self._settle(entry)
            return Joined(game_id=game_id, seat=seat.seat, token=token)

    async def view(
        self, game_id: str, token: str | None, since: int = 0, parts: list[Part] | None = None
    ) -> View:
        """The game as the token's seat sees it, or a spectator.

        Raises:
            UnknownNameError: no such game.
            PermissionError: not one of its tokens.
        """
        async with self._using(game_id) as entry:
            return self.view_of(entry, entry.game.seat_of(token), since, parts)

    async def act(
        self, game_id: str, token: str | None, action: int | str, version: int | None
    ) -> tuple[HostedGame, int]:
        """A seat chooses; agents that are quick answer before this returns.

        Raises:
            StaleError: the view has changed since.
            IllegalActionError: not its turn, or not legal.
        """
        async with self._using(game_id) as entry:
            seat = _need_seat(entry.game, token)
            entry.game.act(seat, action, version, _clock())
            await self._settle(entry)
            return entry.game, seat

    async def resign(self, game_id: str, token: str | None) -> tuple[HostedGame, int]:
        """A seat gives up."""
        async with self._using(game_id) as entry:
            seat = _need_seat(entry.game, token)
            entry.game.resign(seat)
            await self._settle(entry)
            return entry.game, seat

    async def hint(self, game_id: str, token: str | None, request: HintRequest) -> Hint:
        """What an agent would do at the token's seat.

        Raises:
            IllegalActionError: the seat owes no choice.
        """
        async with self._using(game_id) as entry:
            game = entry.game
            seat = _need_seat(game, token)
            if seat not in game.owing():
                raise IllegalActionError("hint: your seat owes no choice now")
            version = game.version(seat)
            observation, mask = game.running.observation(seat), game.running.mask(seat)
        spec = request.agent or hint_agent(game.setting, self.lending)
        work = asyncio.to_thread(hint_for, self.lending, game.setting, spec, seat, version, observation, mask)
        try:
            choice = await asyncio.wait_for(work, self.limits.agent_seconds)
        except TimeoutError:
            raise SetupError(f"hint: {spec!r} took longer than {self.limits.agent_seconds:g} s") from None
        return Hint(id=request.id, version=version, choice=choice)

    async def record(self, game_id: str) -> Record:
        """All of a finished game.

        Raises:
            PermissionError: it isn't over.
        """
        async with self._using(game_id) as entry:
            return entry.game.record()

    async def games(self) -> GameList:
        """Listed games, newest first."""
        rows = await asyncio.to_thread(self.store.listed, NUM_LISTED)
        return GameList(games=[_line(row, self._entries.get(row["game_id"])) for row in rows])

    async def agents(self, ref: GameRef) -> tuple[Setting, list, str | None]:
        """Agents for a scenario, and the one that gives hints."""

        def find() -> tuple[Setting, list, str | None]:
            setting = find_setting(ref)
            return setting, agents_for(setting, self.lending), hint_agent(setting, self.lending)

        return await asyncio.to_thread(find)

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
            entry.used = _clock()

    def holds(self, entry: Entry) -> bool:
        """Whether this is what the hall knows of the game."""
        return self._entries.get(entry.game.game_id) is entry

    async def entry(self, game_id: str) -> Entry:
        """A game, from memory or the database.

        Raises:
            UnknownNameError: there is none of that name.
        """
        found = self._entries.get(game_id)
        if found is None:
            lock = self._loading.setdefault(game_id, asyncio.Lock())
            async with lock:
                found = self._entries.get(game_id) or await self._load(game_id)
            self._loading.pop(game_id, None)
        found.used = _clock()
        return found

    # -- inside -----------------------------------------------------------------------------------
    @contextlib.asynccontextmanager
    async def _using(self, game_id: str) -> AsyncIterator[Entry]:
        entry = await self.entry(game_id)
        async with entry.lock:
            yield entry

    def view_of(self, entry: Entry, viewer: int, since: int, parts: list[Part] | None) -> View:
        """The game as a viewer sees it; called under the lock."""
        return entry.game.view(viewer, _clock(), since, PARTS if parts is None else parts)

    def _make(self, request: CreateRequest) -> tuple[Entry, dict[str, str]]:
        setting = find_setting(request)
        seats = setting.spec.num_seats
        if len(request.seats) != seats:
            raise SetupError(f"seats: {len(request.seats)} were given, {setting.spec.scenario!r} has {seats}")
        for k, seat in enumerate(request.seats):
            if (seat.kind == "agent") != (seat.agent is not None):
                raise SetupError(f"seats.{k}.agent: expected for kind 'agent', and for no other")
            if seat.agent is not None:
                self.lending.get(seat.agent, setting)
        if request.fallback is not None and not is_quick(self.lending.get(request.fallback, setting)):
            raise SetupError(f"fallback: {request.fallback!r} may be slow; expected a bot, level or policy")
        seed = fresh_seed() if request.seed is None else request.seed
        game, tokens = new_game(secrets.token_urlsafe(9), setting, request, seed)
        return Entry(game, Players(game, self.lending, self.limits.agent_seconds)), tokens

    async def _load(self, game_id: str) -> Entry:
        row = await asyncio.to_thread(self.store.game_row, game_id)
        if row is None:
            raise UnknownNameError("game", game_id[:40], ())

        def restore() -> Entry:
            game = HostedGame.restored(row, self.store.move_rows(game_id))
            players = Players(game, self.lending, self.limits.agent_seconds)
            players.remind()
            return Entry(game, players)

        entry = await asyncio.to_thread(restore)
        entry.finished = entry.game.outcome is not None
        self._entries[game_id] = entry
        async with entry.lock:
            await self._settle(entry)
        return entry

    async def _settle(self, entry: Entry, first: list[Write] | None = None) -> None:
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
            entry.players.move_at_once(seat, _clock())
        return entry.players.next_quick(entry.thinking) is not None

    async def _go_on(self, entry: Entry) -> None:
        await asyncio.sleep(0)
        async with entry.lock:
            if self._entries.get(entry.game.game_id) is entry:
                await self._settle(entry)

    async def _let_think(self, entry: Entry, seat: int) -> None:
        """A slow agent's choice, in a thread; the game goes on without it if it takes too long."""
        answer = await entry.players.think_slowly(seat)
        async with entry.lock:
            entry.thinking.pop(seat, None)
            if self._entries.get(entry.game.game_id) is entry and seat in entry.game.owing():
                entry.players.move(seat, answer, _clock())
                await self._settle(entry)

    def _set_timer(self, entry: Entry) -> None:
        """The next moment at which a person is out of time."""
        if entry.timer is not None:
            entry.timer.cancel()
            entry.timer = None
        game, clock = entry.game, _clock()
        left: list[float] = []
        for seat in game.owing():
            player = game.seats[seat]
            if player.asked_at is None:
                player.asked_at = clock
            allowed = player.allowed(game.time.move)
            if player.kind == "human" and allowed is not None:
                left.append(player.asked_at + allowed - clock)
        if left and not self._closing:
            loop = asyncio.get_running_loop()
            entry.timer = loop.call_later(
                max(0.0, min(left)) + 0.005, lambda: self._spawn(self._out_of_time(entry))
            )

    async def _out_of_time(self, entry: Entry) -> None:
        async with entry.lock:
            if self._entries.get(entry.game.game_id) is not entry:
                return
            game, clock = entry.game, _clock()
            for seat in game.owing():
                player = game.seats[seat]
                allowed = player.allowed(game.time.move)
                if player.kind != "human" or allowed is None or player.asked_at is None:
                    continue
                if clock >= player.asked_at + allowed:
                    entry.players.fall_back(seat, "slow", clock)
            await self._settle(entry)

    def _finish(self, entry: Entry) -> None:
        entry.finished = True
        self._unfinished -= 1
        self._spawn(asyncio.to_thread(entry.players.end))

    def _forget(self, entry: Entry) -> None:
        if self._entries.get(entry.game.game_id) is entry:
            del self._entries[entry.game.game_id]
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
            clock = _clock()
            for entry in list(self._entries.values()):
                idle = not entry.watchers and not entry.thinking and entry.timer is None
                if idle and not entry.lock.locked() and clock - entry.used > IDLE_SECONDS:
                    self._entries.pop(entry.game.game_id, None)
            stale = await asyncio.to_thread(
                self.store.ids, "open", "running", before=now() - 3600 * self.limits.keep_hours
            )
            for game_id in stale[:100]:
                with contextlib.suppress(FmEnvError):
                    async with self._using(game_id) as entry:
                        if entry.game.idle_since() < now() - 3600 * self.limits.keep_hours:
                            entry.game.abandon()
                            await self._settle(entry)

    def _spawn(self, work: object) -> asyncio.Task[None]:
        task: asyncio.Task[None] = asyncio.get_running_loop().create_task(work)  # type: ignore[arg-type]
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            import logging

            logging.getLogger("fm_env.service").error("a task of the hall failed", exc_info=task.exception())


def _clock() -> float:
    return asyncio.get_running_loop().time()


def _need_seat(game: HostedGame, token: str | None) -> int:
    seat = game.seat_of(token)
    if seat < 0:
        raise PermissionError("token: this needs the token of a seat")
    return seat


def _open_seat(game: HostedGame, wanted: int | None) -> HostedSeat:
    open_seats = [seat for seat in game.seats if seat.kind == "open" and wanted in (None, seat.seat)]
    if not open_seats or game.outcome is not None:
        raise IllegalActionError(
            "join: no seat is open" if wanted is None else f"join: seat {wanted} isn't open"
        )
    return open_seats[0]


def _line(row: dict[str, Any], entry: Entry | None) -> GameLine:
    if entry is not None:
        seats = [seat.info() for seat in entry.game.seats]
        status: GameStatus = entry.game.status
    else:
        stored = [{k: v for k, v in seat.items() if k != "resigned"} for seat in row["seats"]]
        seats = [HostedSeat(k, **seat).info() for k, seat in enumerate(stored)]
        status = row["status"]
    # Troubles would tell that somebody has chosen in secret.
    seats = [seat.model_copy(update={"status": "ok", "fallbacks": 0}) for seat in seats]
    return GameLine(
        game_id=row["game_id"],
        game=row["game"],
        scenario=row["options"].get("scenario") or "",
        seats=seats,
        status=status,
        created=row["created"],
    )

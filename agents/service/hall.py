"""All hosted games, as clients ask for them."""

from __future__ import annotations

import asyncio
import secrets
from typing import Any

from agents.service.choose import is_quick
from agents.service.floor import Entry, Floor, FullError, clock
from agents.service.hosted import HostedGame
from agents.service.keeping import new_game, row_of
from agents.service.lent import agents_for, hint_agent
from agents.service.players import Players, hint_for
from agents.service.protocol import GameRef, SeatRecord
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
from agents.service.seat_record import seat_record
from agents.service.seats import HostedSeat
from agents.service.setting import Setting, find_setting, fresh_seed
from agents.service.store import INSERT_GAME, Write
from agents.service.viewing import view_of
from fm_env.errors import IllegalActionError, SetupError

NUM_LISTED = 200


class Hall(Floor):
    """Make it, `start` it inside a running loop, `close` it at the end."""

    async def create(self, request: CreateRequest) -> Created:
        """Set up a game.

        Raises:
            FullError: too many games.
            FmEnvError: names what of the request can't be used.
        """
        if self.unfinished >= self.limits.games:
            raise FullError(f"games: {self.unfinished} are unfinished, no more are admitted")
        entry, tokens = await asyncio.to_thread(self._make, request)
        game = entry.game
        async with entry.lock:
            self.entries[game.game_id] = entry
            self.unfinished += 1
            await self.settle(entry, [Write(INSERT_GAME, [row_of(game)])])
        return Created(game_id=game.game_id, tokens=tokens)

    async def join(self, game_id: str, request: JoinRequest) -> Joined:
        """Take an open seat.

        Raises:
            IllegalActionError: it is taken, or none is open.
        """
        async with self.using(game_id) as entry:
            seat = _open_seat(entry.game, request.seat)
            token = seat.give_token()
            seat.kind, seat.name = "human", request.name
            entry.game.seats_changed()
            await self.settle(entry)
            return Joined(game_id=game_id, seat=seat.seat, token=token)

    async def view(
        self, game_id: str, token: str | None, since: int = 0, parts: list[Part] | None = None
    ) -> View:
        """The game as the token's seat sees it, or a spectator.

        Raises:
            UnknownNameError: no such game.
            PermissionError: not one of its tokens.
        """
        async with self.using(game_id) as entry:
            return self.view_of(entry, entry.game.seat_of(token), since, parts)

    async def act(
        self, game_id: str, token: str | None, action: int | str, version: int | None
    ) -> tuple[HostedGame, int]:
        """A seat chooses; agents that are quick answer before this returns.

        Raises:
            StaleError: the view has changed since.
            IllegalActionError: not its turn, or not legal.
        """
        async with self.using(game_id) as entry:
            seat = _need_seat(entry.game, token)
            entry.game.act(seat, action, version, clock())
            await self.settle(entry)
            return entry.game, seat

    async def resign(self, game_id: str, token: str | None) -> tuple[HostedGame, int]:
        """A seat gives up."""
        async with self.using(game_id) as entry:
            seat = _need_seat(entry.game, token)
            entry.game.resign(seat)
            await self.settle(entry)
            return entry.game, seat

    async def hint(self, game_id: str, token: str | None, request: HintRequest) -> Hint:
        """What an agent would do at the token's seat.

        Raises:
            IllegalActionError: the seat owes no choice.
        """
        async with self.using(game_id) as entry:
            game = entry.game
            seat = _need_seat(game, token)
            if seat not in game.owing():
                raise IllegalActionError("hint: your seat owes no choice now")
            version = game.version(seat)
            observation, mask = game.running.observation(seat), game.running.mask(seat)
            sampler = game.running.sampler(seat)
        spec = request.agent or hint_agent(game.setting, self.lending)
        work = asyncio.to_thread(
            hint_for, self.lending, game.setting, spec, seat, version, observation, mask, sampler
        )
        try:
            choice = await asyncio.wait_for(work, self.limits.agent_seconds)
        except TimeoutError:
            raise SetupError(f"hint: {spec!r} took longer than {self.limits.agent_seconds:g} s") from None
        return Hint(id=request.id, version=version, choice=choice)

    async def seat_record(self, game_id: str, token: str | None) -> SeatRecord:
        """What the token's seat has seen so far.

        Raises:
            PermissionError: no token of a seat.
        """
        async with self.using(game_id) as entry:
            seat = _need_seat(entry.game, token)
            setting, events = entry.game.setting, tuple(entry.game.running.events)
        return await asyncio.to_thread(seat_record, setting.game, setting.scenario, events, seat)

    async def record(self, game_id: str) -> Record:
        """All of a finished game.

        Raises:
            PermissionError: it isn't over.
        """
        async with self.using(game_id) as entry:
            return entry.game.record()

    async def games(self) -> GameList:
        """Listed games, newest first."""
        rows = await asyncio.to_thread(self.store.listed, NUM_LISTED)
        return GameList(games=[_line(row, self.entries.get(row["game_id"])) for row in rows])

    async def agents(self, ref: GameRef) -> tuple[Setting, list, str | None]:
        """Agents for a scenario, and the one that gives hints."""

        def find() -> tuple[Setting, list, str | None]:
            setting = find_setting(ref)
            return setting, agents_for(setting, self.lending), hint_agent(setting, self.lending)

        return await asyncio.to_thread(find)

    def view_of(self, entry: Entry, viewer: int, since: int, parts: list[Part] | None) -> View:
        """The game as a viewer sees it; called under the lock."""
        return view_of(entry.game, viewer, clock(), since, PARTS if parts is None else parts)

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

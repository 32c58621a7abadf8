"""Simulated people: each plays duels against an agent, thinks between choices, and remembers every choice
that the server acknowledged by a view. A lost connection is made anew, with the same token.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import httpx2
import numpy as np
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

PARTS = ["events", "actions", "words", "table"]
"""What a page shows."""
PATIENCE = 60.0
"""Seconds for an answer, after which the player says that something is wrong."""


@dataclass
class Played:
    """One game as its player remembers it."""

    game_id: str
    token: str
    acknowledged: list[int] = field(default_factory=list)
    in_flight: tuple[int, int] | None = None
    """The action that was sent last and the version it is based on, while there was no answer."""
    over: bool = False


@dataclass
class Notes:
    """What all players together saw."""

    latencies: list[float] = field(default_factory=list)
    """Seconds from sending a choice to the view with the agent's answer."""
    games: list[Played] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    reconnects: int = 0


class Player:
    """One person."""

    def __init__(
        self,
        number: int,
        seed: int,
        address: Callable[[], str],
        notes: Notes,
        *,
        agent: str,
        think: float,
        http: httpx2.AsyncClient,
    ) -> None:
        """Nothing happens before `play`.

        Args:
            number: of the player.
            seed: with the number, source of its choices and pauses.
            address: where the server is now, e.g. `http://127.0.0.1:8000`.
            notes: where it writes down what it sees.
            agent: its opponent.
            think: mean of its pauses in seconds, exponentially distributed.
            http: shared by all players.
        """
        self.rng = np.random.default_rng([seed, number])
        self.number, self.address, self.notes, self.agent = number, address, notes, agent
        self.think, self.http = think, http

    async def play(self, until: float) -> None:
        """Play game after game until that time of the loop's clock."""
        loop = asyncio.get_running_loop()
        while loop.time() < until:
            try:
                await self._one_game(until)
            except (TimeoutError, httpx2.HTTPError, WebSocketException, OSError, ValueError) as error:
                self.notes.errors.append(f"player {self.number}: {type(error).__name__}: {error}"[:200])
                await asyncio.sleep(1.0)

    async def _one_game(self, until: float) -> None:
        body = {
            "game": "fairy_meat",
            "scenario": "duel",
            "seats": [{"kind": "human"}, {"kind": "agent", "agent": self.agent}],
            "listed": False,
        }
        answer = await self.http.post(f"{self.address()}/v1/games", json=body, timeout=PATIENCE)
        answer.raise_for_status()
        created = answer.json()
        game = Played(created["game_id"], created["tokens"]["0"])
        self.notes.games.append(game)
        loop = asyncio.get_running_loop()
        while not game.over and loop.time() < until:
            try:
                async with self._connected(game) as socket:
                    await self._sit(game, socket, until)
            except (WebSocketException, OSError):
                if loop.time() >= until:
                    return
                self.notes.reconnects += 1
                await asyncio.sleep(0.2 + self.rng.random())

    def _connected(self, game: Played) -> connect:
        address = self.address().replace("http", "ws", 1)
        return connect(
            f"{address}/v1/games/{game.game_id}/ws", compression=None, max_size=2**20, open_timeout=PATIENCE
        )

    async def _sit(self, game: Played, socket: ClientConnection, until: float) -> None:
        await socket.send(json.dumps({"type": "subscribe", "token": game.token, "parts": PARTS}))
        view = await self._view(socket)
        self._settle(game, view["version"])
        loop = asyncio.get_running_loop()
        while view["status"] != "over":
            if not view["your_turn"]:
                view = await self._view(socket)
                continue
            await asyncio.sleep(min(self.rng.exponential(self.think), max(0.0, until - loop.time())))
            if loop.time() >= until:
                return
            choice = view["actions"][int(self.rng.integers(len(view["actions"])))]
            game.in_flight = choice["id"], view["version"]
            message = {"type": "act", "action": choice["id"], "version": view["version"]}
            sent = time.perf_counter()
            await socket.send(json.dumps(message))
            view = await self._view(socket)
            self.notes.latencies.append(time.perf_counter() - sent)
            self._settle(game, view["version"])
        game.over = True

    async def _view(self, socket: ClientConnection) -> dict[str, Any]:
        message = json.loads(await asyncio.wait_for(socket.recv(), PATIENCE))
        if message["type"] != "view":
            raise ValueError(f"{message.get('code')}: {message.get('message')}")
        return message

    @staticmethod
    def _settle(game: Played, version: int) -> None:
        """Whether the choice that was sent last has happened: the view's version tells."""
        if game.in_flight is not None:
            action, based_on = game.in_flight
            if version > based_on:
                game.acknowledged.append(action)
            game.in_flight = None

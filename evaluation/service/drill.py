"""kill -9 the server again and again while people play: `python -m evaluation.service.drill`.

After each kill a new server takes the same database and port, and the players come back with their
tokens. At the end, every choice that was ever acknowledged must be in the database, in its place.
"""

from __future__ import annotations

import asyncio
import json
import math
import shlex
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import httpx2
import numpy as np
import typer
from rich.progress import track

from agents.policy import write_atomically
from evaluation.service.check import check
from evaluation.service.players import Notes, Player
from evaluation.service.server import Server


async def drill(db: Path, notes: Notes, players: int, kills: int, seed: int, agent: str) -> list[float]:
    """Kill and restart while they play; returns how long each restart took, in seconds."""
    arguments = ("--rate", "0", "--max-games", "100000")
    server = await asyncio.to_thread(Server, db, *arguments)
    rng, restarts = np.random.default_rng(seed), list[float]()
    async with httpx2.AsyncClient() as http:

        async def play(number: int) -> None:
            player = Player(number, seed, lambda: server.address, notes, agent=agent, think=0.2, http=http)
            await player.play(math.inf)

        crowd = [asyncio.create_task(play(number)) for number in range(players)]
        for _ in track(range(kills), description="killing"):
            await asyncio.sleep(3.0 + 4.0 * rng.random())
            await asyncio.to_thread(server.kill)
            began = time.perf_counter()
            server = await asyncio.to_thread(Server, db, *arguments, port=server.port)
            restarts.append(time.perf_counter() - began)
        await asyncio.sleep(3.0)
        for task in crowd:
            task.cancel()
        await asyncio.gather(*crowd, return_exceptions=True)
    await asyncio.to_thread(server.kill)
    return restarts


def main(
    kills: Annotated[int, typer.Option(help="How often.")] = 25,
    players: Annotated[int, typer.Option(help="People at once.")] = 50,
    agent: Annotated[str, typer.Option(help="Whom they play.")] = "level:veteran",
    seed: Annotated[int, typer.Option(help="Moments of the kills, choices of the players.")] = 1,
    json_file: Annotated[Path | None, typer.Option("--json", help="Where the result goes.")] = None,
) -> None:
    """Kill the server while people play, and look for lost moves."""
    notes = Notes()
    with tempfile.TemporaryDirectory() as folder:
        db = Path(folder) / "games.db"
        restarts = asyncio.run(drill(db, notes, players, kills, seed, agent))
        found = check(db, notes.games)
    result: dict[str, Any] = {
        "schema": 1,
        "command": shlex.join(["python", "-m", "evaluation.service.drill", *sys.argv[1:]]),
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "kills": kills,
        "players_at_once": players,
        "reconnects": notes.reconnects,
        "seconds_to_restart": {
            "median": round(float(np.median(restarts)), 2),
            "max": round(max(restarts), 2),
        },
        **found,
        "passed": found["moves_lost"] == 0
        and found["games_that_cannot_be_played_again"] == 0
        and found["games_with_moves_nobody_made"] == 0,
    }
    text = json.dumps(result, indent=1) + "\n"
    typer.echo(text)
    if json_file is not None:
        json_file.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(json_file, text.encode())
    if not result["passed"]:
        raise typer.Exit(1)


if __name__ == "__main__":
    typer.run(main)

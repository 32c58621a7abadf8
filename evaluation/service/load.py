"""A thousand people play duels against an agent at once: `python -m evaluation.service.load`.

Players pause between choices as people do (exponentially, eight seconds in the mean). Server and players
share the machine, so that the numbers mean something only where nobody else uses it; the load before
and after is in the result. Measured is the time from sending a choice to the view that shows the agent's
answer: the choice and the answer are on the disk by then. At the end the server is killed (-9), and
everything that was acknowledged is looked up in the database.
"""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import httpx2
import numpy as np
import typer
from rich.progress import Progress

from agents.policy import write_atomically
from evaluation.service.check import check
from evaluation.service.players import Notes, Player
from evaluation.service.server import Server

MAX_P99 = 0.250
"""Seconds."""
MAX_MEMORY = 2 * 2**30
"""Bytes."""
SHOWN_ERRORS = 10


async def crowd(
    server: Server, notes: Notes, players: int, seconds: float, ramp: float, **about: Any
) -> None:
    """Let players come one after another during `ramp` seconds, then all play for `seconds`."""
    loop = asyncio.get_running_loop()
    until = loop.time() + ramp + seconds
    limits = httpx2.Limits(max_connections=50)
    async with httpx2.AsyncClient(limits=limits) as http:

        async def come(number: int) -> None:
            await asyncio.sleep(ramp * number / players)
            await Player(number, 1, lambda: server.address, notes, http=http, **about).play(until)

        async def tell() -> None:
            with Progress() as progress:
                bar = progress.add_task("playing", total=ramp + seconds)
                while loop.time() < until:
                    moves = len(notes.latencies)
                    done = ramp + seconds - (until - loop.time())
                    progress.update(bar, completed=done, description=f"{moves} choices")
                    await asyncio.sleep(1.0)

        await asyncio.gather(tell(), *(come(number) for number in range(players)))


def measure(
    players: int, minutes: float, *, agent: str, think: float, ramp: float, db: Path
) -> dict[str, Any]:
    """Run the load and say how it went."""
    load_before = os.getloadavg()
    server = Server(db, "--rate", "0", "--max-games", str(2 * players))
    notes = Notes()
    try:
        asyncio.run(crowd(server, notes, players, 60 * minutes, ramp, agent=agent, think=think))
        memory, cpu = server.peak_memory(), server.cpu_seconds()
    finally:
        server.kill()
    found = check(db, notes.games)
    times = np.array(notes.latencies or [0.0])
    result = {
        "schema": 1,
        "command": shlex.join(["python", "-m", "evaluation.service.load", *sys.argv[1:]]),
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "cores": os.cpu_count(),
        "niceness": os.nice(0),
        "load_average_before": [round(x, 2) for x in load_before],
        "load_average_after": [round(x, 2) for x in os.getloadavg()],
        "players_at_once": players,
        "minutes": minutes,
        "seconds_of_arrival": ramp,
        "mean_pause_seconds": think,
        "agent": agent,
        "choices_a_second": round(len(notes.latencies) / (60 * minutes + ramp / 2), 1),
        "milliseconds": {
            name: round(1000 * float(np.quantile(times, q)), 1)
            for name, q in (("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p999", 0.999), ("max", 1.0))
        },
        "server_cpu_seconds": round(cpu, 1),
        "server_peak_memory_mb": round(memory / 2**20, 1),
        "reconnects": notes.reconnects,
        "errors": len(notes.errors),
        "first_errors": notes.errors[:SHOWN_ERRORS],
        **found,
    }
    result["passed"] = {
        "no_move_lost": found["moves_lost"] == 0 and found["games_that_cannot_be_played_again"] == 0,
        "p99_below_250_ms": float(np.quantile(times, 0.99)) < MAX_P99,
        "memory_below_2_gb": memory < MAX_MEMORY,
    }
    return result


def main(
    players: Annotated[int, typer.Option(help="People at once.")] = 1_000,
    minutes: Annotated[float, typer.Option(help="After all have come.")] = 10.0,
    think: Annotated[float, typer.Option(help="Mean pause between choices, in seconds.")] = 8.0,
    ramp: Annotated[float, typer.Option(help="Seconds in which they come.")] = 30.0,
    agent: Annotated[str, typer.Option(help="Whom they play.")] = "level:master",
    json_file: Annotated[Path | None, typer.Option("--json", help="Where the result goes.")] = None,
) -> None:
    """Play duels with many simulated people at once and measure the server."""
    with tempfile.TemporaryDirectory() as folder:
        result = measure(players, minutes, agent=agent, think=think, ramp=ramp, db=Path(folder) / "games.db")
    text = json.dumps(result, indent=1) + "\n"
    typer.echo(text)
    if json_file is not None:
        json_file.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(json_file, text.encode())
    if not all(result["passed"].values()):
        raise typer.Exit(1)


if __name__ == "__main__":
    typer.run(main)

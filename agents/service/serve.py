"""`fm-env serve`: the server as a command."""

from __future__ import annotations

import gc
import socket
import sys
from collections.abc import Sequence
from pathlib import Path

import typer

from agents.service.choose import Lending
from agents.service.floor import Limits
from agents.service.hall import Hall
from fm_env.errors import SetupError


def serve_command(
    *,
    host: str,
    port: int,
    db: Path | None,
    allow: Sequence[str],
    max_games: int,
    rate: float,
    agent_seconds: float,
) -> None:
    """Serve until interrupted.

    Args:
        host: address to listen at.
        port: 0 takes a free one.
        db: file of the hosted games; None keeps them in memory.
        allow: agents lent beside those that come with the package.
        max_games: unfinished games at most.
        rate: requests a second from one address; 0 for any number.
        agent_seconds: for one choice of an agent.

    Raises:
        SetupError: the extra isn't installed, or the port is taken.
    """
    try:
        import uvicorn

        from agents.service.app import create_app
        from agents.service.store import Store
    except ImportError as error:
        raise SetupError(
            f"serve: needs the extra 'service' ({error.name} is missing): pip install 'fm-env[service]'"
        ) from None
    listening = _listen(host, port)
    limits = Limits(games=max_games, agent_seconds=agent_seconds)
    hall = Hall(Store(db), Lending(allow), limits)
    app = create_app(hall, rate=rate, burst=10 * rate)
    where = f"[{host}]" if ":" in host else host
    typer.echo(f"fm-env serves at http://{where}:{listening.getsockname()[1]}/")
    typer.echo(f"games are kept in {db}" if db else "games are kept in memory; --db FILE keeps them")
    sys.stdout.flush()
    gc.collect()
    gc.freeze()  # what is loaded stays: no need to look through it again and again
    gc.set_threshold(5_000, 10, 50)  # short pauses: most garbage dies young
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        ws="websockets-sansio",
        ws_max_size=65_536,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=3,
        h11_max_incomplete_event_size=65_536,
        backlog=4_096,
    )
    uvicorn.Server(config).run(sockets=[listening])


def _listen(host: str, port: int) -> socket.socket:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listening = socket.socket(family, kind, protocol)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(4_096)  # who reads the address may connect at once
    except OSError as error:
        raise SetupError(f"serve: can't listen at {host} port {port}: {error.strerror or error}") from None
    listening.set_inheritable(False)
    return listening

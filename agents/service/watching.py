"""What somebody who watches a game is sent: the view now, and again whenever it changes for this viewer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from agents.service.floor import Entry
from agents.service.hall import Hall
from agents.service.protocol_hosted import Part
from agents.service.protocol_view import View


async def changes(
    hall: Hall,
    entry: Entry,
    changed: asyncio.Event,
    *,
    token: str | None,
    since: int = 0,
    parts: list[Part] | None = None,
) -> AsyncIterator[View]:
    """Views with the events since the last one. Ends if the hall gave the game up because it could not be
    written: whoever watches it anew gets what was.

    Args:
        hall: where it is played.
        entry: the game.
        changed: from `hall.watching(entry)`.
        token: of a seat; None for a spectator.
        since: events wanted from this number on.
        parts: of the view.

    Raises:
        PermissionError: not one of its tokens.
    """
    viewer = entry.game.seat_of(token)
    seen = -1
    changed.set()
    while True:
        await changed.wait()
        changed.clear()
        if not hall.holds(entry):
            return
        async with entry.lock:
            version = entry.game.version(viewer)
            if version == seen:
                continue
            view = hall.view_of(entry, viewer, since, parts)
        seen, since = version, view.next_event
        yield view

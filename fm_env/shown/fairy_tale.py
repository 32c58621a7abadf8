"""Events of Fairy Tale in words for one seat: deals, picks and cards chosen in secret are its own."""

from __future__ import annotations

from typing import Any

from fm_env.contract import CHANCE
from fm_env.games.fairy_tale.constants import PACKET, Phase
from fm_env.games.fairy_tale.draft import lead
from fm_env.games.fairy_tale.notation import names_of
from fm_env.games.fairy_tale.view import event_text, readable


def event_words(before: Any, actor: int, action: int, after: Any, seat: int) -> str:
    """What `seat` may know of it."""
    old, new = readable(before), readable(after)
    if actor == CHANCE:
        receiver = (lead(old) + int(old.dealt) // PACKET) % int(old.n_seats)
        # The packet dealt to a seat is the first that it looks into.
        return f"You are dealt {names_of(before)[action]}." if receiver == seat else ""
    words = event_text(before, actor, action, after)
    _, _, public = words.partition("; ")
    if old.phase == Phase.DRAFT:
        return words if actor == seat else "The rest of the cards is passed on." if public else ""
    if actor == seat:
        return words
    return public[:1].upper() + public[1:] if new.step != old.step or public else ""

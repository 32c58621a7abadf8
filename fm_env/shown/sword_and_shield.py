"""Events of a joust in words for one seat: what the other knight draws stays hidden."""

from __future__ import annotations

from typing import Any

from fm_env.contract import CHANCE
from fm_env.games.sword_and_shield.constants import Phase
from fm_env.games.sword_and_shield.narration import event_text
from fm_env.games.sword_and_shield.view import knight_name, readable


def event_words(before: Any, actor: int, action: int, after: Any, seat: int) -> str:
    """What `seat` may know of it."""
    words = event_text(before, actor, action, after)
    old = readable(before)
    if actor != CHANCE or old.phase == Phase.FIRST or old.drawing == seat:
        return words
    _, _, rest = words.partition(". ")
    hidden = f"{knight_name(old.drawing).capitalize()} draws a card."
    return f"{hidden} {rest}".strip()

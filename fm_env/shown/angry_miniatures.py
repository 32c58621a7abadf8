"""Events of Angry Miniatures in words for one seat: character sheets are filled in secretly."""

from __future__ import annotations

from typing import Any

from fm_env.games.angry_miniatures.constants import Phase
from fm_env.games.angry_miniatures.narration import event_text, followed
from fm_env.games.angry_miniatures.view import readable


def event_words(before: Any, actor: int, action: int, after: Any, seat: int) -> str:
    """What `seat` may know of it. Squares are named from seat 0's edge."""
    old = readable(before)
    if old.phase == Phase.BUILD and actor != seat:
        return " ".join(followed(old, readable(after)))
    return event_text(before, actor, action, after)

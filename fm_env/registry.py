"""Which games there are. A game's name stands for a module-level object, imported when asked for.

Games of other packages register themselves by `register`, or by an entry point of the group
`fm_env.games` (name = game, value = `"module:ATTRIBUTE"`).
"""

from __future__ import annotations

import importlib
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, cast

from fm_env.errors import SetupError, UnknownNameError

if TYPE_CHECKING:
    from fm_env.contract import Game

_places: dict[str, str] = {
    "angry_miniatures": "fm_env.games.angry_miniatures:GAME",
    "fairy_meat": "fm_env.games.fairy_meat:GAME",
    "fairy_tale": "fm_env.games.fairy_tale:GAME",
    "sword_and_shield": "fm_env.games.sword_and_shield:GAME",
}


def register(name: str, place: str) -> None:
    """Make the game at `place` known as `name`, replacing any earlier one.

    Args:
        name: what `load` is asked for.
        place: `"module:ATTRIBUTE"` of an object that keeps `fm_env.contract.Game`.
    """
    if ":" not in place:
        raise SetupError(f"place: expected 'module:ATTRIBUTE', got {place!r}")
    _places[name] = place


def names() -> tuple[str, ...]:
    """All known games, sorted."""
    return tuple(sorted({**_installed(), **_places}))


def find(name: str) -> Game:
    """The game object registered as `name`.

    Raises:
        UnknownNameError: with the closest known names.
    """
    place = _places.get(name) or _installed().get(name)
    if place is None:
        raise UnknownNameError("game", name, names())
    module, _, attribute = place.partition(":")
    return cast("Game", getattr(importlib.import_module(module), attribute))


def _installed() -> dict[str, str]:
    return {point.name: point.value for point in entry_points(group="fm_env.games")}

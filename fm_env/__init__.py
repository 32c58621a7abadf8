"""Multi-agent reinforcement learning environments around the miniatures game Fairy Meat.

    import fm_env
    match = fm_env.load("fairy_meat").new_match(scenario="clash", seed=7)

Importing this package compiles nothing and loads little; the rest comes when it is used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from fm_env.views.registration import register_views

if TYPE_CHECKING:
    from fm_env import angry_miniatures_v0 as angry_miniatures_v0
    from fm_env import fairy_meat_v0 as fairy_meat_v0
    from fm_env import fairy_tale_v0 as fairy_tale_v0
    from fm_env import sword_and_shield_v0 as sword_and_shield_v0
    from fm_env.match import GameHandle as GameHandle
    from fm_env.match import Match as Match
    from fm_env.match import load as load
    from fm_env.registry import names as names
    from fm_env.registry import register as register

__version__ = "0.1.0"

register_views()  # Gymnasium 1.x finds ids only in packages that were imported

_VIEWS = ("angry_miniatures_v0", "fairy_meat_v0", "fairy_tale_v0", "sword_and_shield_v0")

__all__ = [
    "GameHandle",
    "Match",
    "angry_miniatures_v0",
    "fairy_meat_v0",
    "fairy_tale_v0",
    "load",
    "names",
    "register",
    "sword_and_shield_v0",
]

_HOMES = {
    "GameHandle": "fm_env.match",
    "Match": "fm_env.match",
    "load": "fm_env.match",
    "names": "fm_env.registry",
    "register": "fm_env.registry",
}


def __getattr__(name: str) -> Any:
    if name in _VIEWS:
        return importlib.import_module(f"fm_env.{name}")
    if name in _HOMES:
        return getattr(importlib.import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'fm_env' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])

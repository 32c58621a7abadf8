"""The warbands of `presets.toml` as arrays that rules read as constants.

That file counts as part of this one when compiled rules are told apart (`fm_env.sources`).
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import numpy as np

from fm_env.games.fairy_meat.constants import (
    BAND,
    FAIRY_NAMES,
    NO_WEAPON,
    WEAPON_NAMES,
    WEAPON_SLOTS,
    Magic,
)

SIZE_POINTS = (25, 40, 75)
"""What a warband of each size may cost. The index of a size is `SIZE_OF_BAND` of the most fairies
that a player may have: one, two, more.
"""

PRESETS: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
"""`about` and the fairies for each size, by name."""
PRESET_NAMES = tuple(PRESETS)


def recruit_id(fairy_type: str, magic: str) -> int:
    """A fairy to be bought as records hold it: 2 * FairyType + Magic - 1."""
    return 2 * FAIRY_NAMES.index(fairy_type) + Magic[magic.upper()] - 1


def _arrays() -> tuple[np.ndarray[Any, np.dtype[np.int8]], np.ndarray[Any, np.dtype[np.int8]]]:
    shape = (len(SIZE_POINTS), len(PRESETS), BAND)
    recruit = np.full(shape, -1, np.int8)
    arms = np.full((*shape, WEAPON_SLOTS - 1), NO_WEAPON, np.int8)
    for i, points in enumerate(SIZE_POINTS):
        for k, preset in enumerate(PRESETS.values()):
            for f, fairy in enumerate(preset[f"points_{points}"]):
                recruit[i, k, f] = recruit_id(fairy["type"], fairy["magic"])
                weapons = [WEAPON_NAMES.index(name) for name in fairy["weapons"]]
                arms[i, k, f, : len(weapons)] = weapons
    return recruit, arms


PRESET_RECRUIT, PRESET_ARMS = _arrays()
"""`int8[sizes, presets, 6]`: recruit or -1, and `int8[sizes, presets, 6, 3]`: weapons or NO_WEAPON."""

"""What the views are tried on: toys with published or simple rules, then the real game."""

from __future__ import annotations

from typing import Any

import numpy as np

import fm_env

Case = tuple[str, dict[str, Any]]

fm_env.register("kuhn", "tests.kuhn:GAME")
fm_env.register("sealed", "tests.views.sealed:GAME")

TOYS: list[Case] = [("kuhn", {}), ("sealed", {})]
FAIRY_MEAT: list[Case] = [
    ("fairy_meat", {"scenario": "clash", "combat": "unclevl"}),
    ("fairy_meat", {"scenario": "clash", "combat": "fast_play"}),
    ("fairy_meat", {"scenario": "duel", "combat": "unclevl"}),
    ("fairy_meat", {"scenario": "duel", "combat": "fast_play"}),
    ("fairy_meat", {"scenario": "scuffle"}),
    ("fairy_meat", {"scenario": "skirmish-2v2", "rounds": 2}),
    ("fairy_meat", {"scenario": "skirmish", "num_players": 3, "rounds": 1}),
]
SWORD_AND_SHIELD: list[Case] = [("sword_and_shield", {"scenario": "joust", "deck": "deeds"})]
FAIRY_TALE: list[Case] = [
    ("fairy_tale", {"scenario": "expert", "num_players": 2}),
    ("fairy_tale", {"scenario": "basic", "num_players": 3}),
    ("fairy_tale", {"scenario": "expert", "num_players": 5}),
]
ANGRY_MINIATURES: list[Case] = [
    ("angry_miniatures", {"scenario": "duel"}),
    ("angry_miniatures", {"scenario": "skirmish", "board": "crossing"}),
    ("angry_miniatures", {"scenario": "duel", "teams": "build"}),
]


def _playable(case: Case) -> bool:
    game, options = case
    try:
        fm_env.load(game).scenario(**options)
    except Exception:
        return False
    return True


GAMES = FAIRY_MEAT + FAIRY_TALE + SWORD_AND_SHIELD + ANGRY_MINIATURES
CASES = TOYS + [case for case in GAMES if _playable(case)]
IDS = ["-".join([game, *map(str, options.values())]) for game, options in CASES]


def random_legal(mask: np.ndarray, rng: np.random.Generator) -> int:
    """A uniformly random legal action."""
    return int(rng.choice(np.flatnonzero(mask)))

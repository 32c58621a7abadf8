"""What the views are tried on: toys with published or simple rules, then the real game."""

from __future__ import annotations

from typing import Any

import numpy as np

import fm_env

Case = tuple[str, dict[str, Any]]

fm_env.register("kuhn", "tests.kuhn:GAME")
fm_env.register("sealed", "tests.views.sealed:GAME")


def meals(seats: int) -> dict[str, Any]:
    """A position from which random players score: a weak fairy each, in contact, with the others' dead
    at her feet.
    """
    figures: list[dict[str, Any]] = []
    for seat in range(seats):
        figures.append({"seat": seat, "x": 12 + seat, "y": 12, "live": 1, "kill": 1})
    for seat in range(seats):
        dead = {"seat": (seat + 1) % seats, "live": 0, "kill": 0, "meat_live": 2, "meat_kill": 1}
        figures.append({**dead, "x": 12 + seat, "y": 13})
    return {"figures": figures}


BARE: dict[str, Any] = {"terrain": {"size": 48, "pieces": []}}

TOYS: list[Case] = [("kuhn", {}), ("sealed", {})]
FAIRY_MEAT: list[Case] = [
    ("fairy_meat", {"scenario": "clash", "combat": "unclevl"}),
    ("fairy_meat", {"scenario": "clash", "combat": "fast_play"}),
    ("fairy_meat", {"scenario": "duel", "combat": "unclevl"}),
    ("fairy_meat", {"scenario": "duel", "combat": "fast_play"}),
    ("fairy_meat", {"scenario": "scuffle"}),
    (
        "fairy_meat",
        {"scenario": "skirmish-2v2", "rounds": 2, "terrain": {"size": 36, "pieces": []}, "setup": meals(2)},
    ),
    *(
        ("fairy_meat", {"scenario": "skirmish", "num_players": n, "rounds": 2, "setup": meals(n), **BARE})
        for n in (3, 6)
    ),
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


GAMES = FAIRY_MEAT + FAIRY_TALE + SWORD_AND_SHIELD + ANGRY_MINIATURES
CASES = TOYS + GAMES
IDS = [
    "-".join([game, *(str(value) for value in options.values() if not isinstance(value, dict))])
    for game, options in CASES
]


def random_legal(mask: np.ndarray, rng: np.random.Generator) -> int:
    """A uniformly random legal action."""
    return int(rng.choice(np.flatnonzero(mask)))

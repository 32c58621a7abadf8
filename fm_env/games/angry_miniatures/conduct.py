"""How a skirmish of Angry Miniatures goes, beside who wins it. Never imported by the kernel."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from fm_env.contract import GameSpec, Mask, Observation
from fm_env.games.angry_miniatures import actions as act
from fm_env.games.angry_miniatures.behaviour import Actions, figure_kinds
from fm_env.games.angry_miniatures.constants import SIDE, Phase
from fm_env.games.conduct import Conduct, Counts, Habit, shares

HABITS = {
    "attacks": Habit("attacks an enemy where one is open (it may move first and attack then)"),
    "lets off": Habit("ends an activation though an enemy is open"),
    "hits own": Habit("of its attacks, those aimed at a figure of its own"),
    "moves": Habit("of its choices in an activation where it could move"),
    "saves crits": Habit("saves a Crit it could use"),
    "goes first": Habit("having won the initiative"),
    "damage an attack": Habit("health that an attack takes from the other side", "points"),
    "kills a game": Habit("enemy figures killed", "a game"),
    "health left": Habit("of its figures at the end", "points"),
}


def choices(spec: GameSpec, observations: Observation, masks: Mask, actions: Actions) -> Counts:
    """Habits that a seat's own view and choice show (see `fm_env.games.conduct`)."""
    kinds, acting = figure_kinds(observations, masks, actions)
    may_move = acting & masks[:, act.CELL : act.FIGURE].any(axis=1)
    return shares(kinds | {"moves": (actions < act.FIGURE, may_move)})


def deeds(spec: GameSpec, before: Any, seats: Any, actions: Any, after: Any) -> Counts:
    """Health taken from the other side, and attacks made.

    An attack's dice are rolled by chance, so damage counts for the seat whose figure attacked.
    """
    n = len(seats)
    attacker = before["attacker"].astype(int)
    by = np.where(attacker >= 0, attacker // SIDE, -1)
    lost = (before["health"] - after["health"]).clip(min=0).astype(float)
    taken = np.stack([lost[:, SIDE:].sum(axis=1), lost[:, :SIDE].sum(axis=1)], axis=1)
    own = np.arange(spec.num_seats) == np.asarray(seats)[:, None]
    figure = (actions >= act.FIGURE) & (actions < act.FIGURE + 2 * SIDE)
    attacks = own & (figure & (before["phase"] == Phase.ACT))[:, None]
    hits = taken * (np.arange(2) == by[:, None])
    return {"damage an attack": (hits, attacks.astype(float).reshape(n, -1))}


def ends(spec: GameSpec, states: Any) -> Counts:
    """Kills and health left."""
    each = np.ones((len(states), spec.num_seats))
    dead = ((states["health"] == 0) & (states["max_health"] > 0)).reshape(len(states), 2, SIDE).sum(axis=2)
    return {
        "kills a game": (dead[:, ::-1].astype(float), each),
        "health left": (_health(states), each),
    }


def highlights(spec: GameSpec, states: Any) -> dict[str, npt.NDArray[np.float64]]:
    """Close games and deadly ones."""
    health = _health(states)
    apart = np.abs(health[:, 0] - health[:, 1])
    dead = ((states["health"] == 0) & (states["max_health"] > 0)).sum(axis=1).astype(float)
    return {
        "closest finish": np.where(apart > 0, -apart, -np.inf),
        "most figures killed": np.where(dead > 0, dead, -np.inf),
    }


def _health(states: Any) -> npt.NDArray[np.float64]:
    """Health of each side, `[N, 2]`."""
    return states["health"].reshape(len(states), 2, SIDE).sum(axis=2).astype(float)


CONDUCT = Conduct(HABITS, choices, deeds, ends, highlights)

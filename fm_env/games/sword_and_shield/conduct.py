"""How a joust goes, beside who wins it: tactics, answers to attacks, hits, games worth watching.

Never imported by the kernel.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from fm_env.contract import GameSpec, Mask, Observation
from fm_env.games.conduct import Conduct, Counts, Habit, shares
from fm_env.games.sword_and_shield import actions as act
from fm_env.games.sword_and_shield.behaviour import Actions, joust_kinds
from fm_env.games.sword_and_shield.constants import NUM_TACTICS, TACTICS, Phase

HABITS = {
    "passes": Habit("passes though it could attack"),
    "high cards": Habit("of its attacks and defences, those that print 5 or more for the tactic used"),
    **{f"by {tactic}": Habit("of its attacks and defences") for tactic in TACTICS},
    "declines": Habit("takes the hit though it could defend, manoeuvre or play an Achievement"),
    "manoeuvres": Habit("of the defences where a card could cover and another manoeuvre"),
    "achieves": Habit("plays an Achievement where it could"),
    "is hit": Habit("of the attacks on it, those that hit, by choice or not"),
    "hits a game": Habit("hits it lands", "a game"),
    "Fatigue left": Habit("points left in its pool at the end", "points"),
}


def choices(spec: GameSpec, observations: Observation, masks: Mask, actions: Actions) -> Counts:
    """Habits that a seat's own view and choice show (see `fm_env.games.conduct`)."""
    plays: Any = (actions < act.MANOEUVRE) & (masks.sum(axis=1) > 1)
    achieves = (actions >= act.ACHIEVE) & (actions < act.DISCARD)
    could: Any = masks[:, act.ACHIEVE : act.DISCARD].any(axis=1)
    kinds = joust_kinds(observations, masks, actions)
    kinds |= {f"by {name}": (actions % NUM_TACTICS == k, plays) for k, name in enumerate(TACTICS)}
    return shares(kinds | {"achieves": (achieves, could)})


def deeds(spec: GameSpec, before: Any, seats: Any, actions: Any, after: Any) -> Counts:
    """Whether answers to attacks kept the hit away."""
    own = np.arange(spec.num_seats) == np.asarray(seats)[:, None]
    answered = own & (before["phase"] == Phase.DEFEND)[:, None]
    return {"is hit": (answered * (after["hits"] - before["hits"]).astype(float), answered.astype(float))}


def ends(spec: GameSpec, states: Any) -> Counts:
    """Hits landed and Fatigue left."""
    each = np.ones((len(states), spec.num_seats))
    return {
        "hits a game": (states["hits"][:, ::-1].astype(float), each),
        "Fatigue left": (states["fatigue"].astype(float), each),
    }


def highlights(spec: GameSpec, states: Any) -> dict[str, npt.NDArray[np.float64]]:
    """Close and long jousts."""
    apart = np.abs(states["hits"][:, 0].astype(float) - states["hits"][:, 1])
    return {
        "closest finish": np.where(apart > 0, -apart, -np.inf),
        "most turns": states["turn"].astype(float),
    }


CONDUCT = Conduct(HABITS, choices, deeds, ends, highlights)

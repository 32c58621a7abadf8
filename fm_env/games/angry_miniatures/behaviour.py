"""How an agent plays, read from what it saw and chose: attacks, aims, saved Crits.

Works on arrays of decisions, whoever made them, so training and evaluation report the same
numbers. Uses only names of observation entries and of actions, never their places.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fm_env.contract import GameSpec, Mask, Observation
from fm_env.games.angry_miniatures import notation
from fm_env.games.angry_miniatures.constants import SIDE
from fm_env.games.angry_miniatures.observe import observation_labels

Actions = npt.NDArray[np.integer]
Flags = npt.NDArray[np.bool_]
Kinds = dict[str, tuple[Flags, Flags]]
Rates = dict[str, tuple[float, int]]
"""Name to (rate, how many decisions it is the rate of); a rate of no decisions is left out."""


def behaviour(spec: GameSpec, observations: Observation, masks: Mask, actions: Actions) -> dict[str, float]:
    """The rates of `behaviour_counts` alone."""
    return {name: rate for name, (rate, _) in behaviour_counts(spec, observations, masks, actions).items()}


def behaviour_counts(spec: GameSpec, observations: Observation, masks: Mask, actions: Actions) -> Rates:
    """What share of the decisions of each kind went one way. Forced choices don't count.

    - `attacks`: attacks an enemy where one is open (it may move first and attack then).
    - `lets off`: ends an activation though an enemy is open.
    - `hits own`: of its attacks, those aimed at a figure of its own.
    - `saves crits`: saves a Crit it could use.
    - `goes first`: having won the initiative.

    Args:
        spec: what was played.
        observations: `[B, F]` f4.
        masks: `[B, A]` bool.
        actions: `[B]`, the ids chosen.
    """
    kinds, _ = figure_kinds(observations, masks, actions)
    return {
        name: (float(hit[base].mean()), int(base.sum())) for name, (hit, base) in kinds.items() if base.any()
    }


def figure_kinds(observations: Observation, masks: Mask, actions: Actions) -> tuple[Kinds, Flags]:
    """The kinds of `behaviour_counts`, name to (went that way, had the choice) in `[B]` bools, and where
    a figure was acting.
    """
    place = {name: k for k, name in enumerate(observation_labels())}
    number = {text: k for k, text in enumerate(notation.action_texts())}
    free = masks.sum(axis=1) > 1
    enemies, own = ([number[f"{side} {k + 1}"] for k in range(SIDE)] for side in ("enemy", "own"))

    def phase(name: str) -> npt.NDArray[np.bool_]:
        return (observations[:, place[f"phase {name}"]] > 0) & free

    def chose(*texts: str) -> npt.NDArray[np.bool_]:
        return np.isin(actions, [number[text] for text in texts])

    acting = phase("act")
    is_open = acting & masks[:, enemies].any(axis=1)
    attacks = acting & np.isin(actions, [*enemies, *own])
    kinds = {
        "attacks": (np.isin(actions, enemies), is_open),
        "lets off": (chose("end"), is_open),
        "hits own": (np.isin(actions, own), attacks),
        "saves crits": (chose("decline"), phase("crit")),
        "goes first": (chose("go first"), phase("initiative")),
    }
    return kinds, acting

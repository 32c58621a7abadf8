"""How an agent jousts, read from what it saw and chose.

Works on arrays of decisions, whoever made them, so training and evaluation report the same numbers.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fm_env.contract import GameSpec, Mask, Observation
from fm_env.games.sword_and_shield import actions as act
from fm_env.games.sword_and_shield.constants import MAX_CARDS, NUM_TACTICS
from fm_env.games.sword_and_shield.observe import AT_FACTS

Actions = npt.NDArray[np.integer]
Kinds = dict[str, tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]]
Rates = dict[str, tuple[float, int]]
"""Name to (rate, how many decisions it is the rate of); a rate of no decisions is left out."""


def behaviour_counts(spec: GameSpec, observations: Observation, masks: Mask, actions: Actions) -> Rates:
    """What share of the decisions of each kind went one way. Forced choices don't count.

    - `passes`: passes though it could attack.
    - `high cards`: of its attacks and defences, those that print 5 or more for the tactic used.
    - `declines`: takes the hit though it could defend, manoeuvre or play an Achievement.
    - `manoeuvres`: of the defences where a card could cover and another manoeuvre, manoeuvres.

    Args:
        spec: what was played.
        observations: `[B, F]` f4.
        masks: `[B, A]` bool.
        actions: `[B]`, the ids chosen.
    """
    kinds = joust_kinds(observations, masks, actions)
    return {
        name: (float(hit[base].mean()), int(base.sum())) for name, (hit, base) in kinds.items() if base.any()
    }


def joust_kinds(observations: Observation, masks: Mask, actions: Actions) -> Kinds:
    """The kinds of `behaviour_counts`: name to (went that way, had the choice), `[B]` bools."""
    free = masks.sum(axis=1) > 1

    def chose(first: int, end: int) -> npt.NDArray[np.bool_]:
        return (actions >= first) & (actions < end)

    def legal(first: int, end: int) -> npt.NDArray[np.bool_]:
        return masks[:, first:end].any(axis=1) & free

    plays = chose(act.ATTACK, act.MANOEUVRE)
    printed = observations[:, AT_FACTS : AT_FACTS + NUM_TACTICS * MAX_CARDS]
    used = printed[np.arange(len(actions)), actions % (NUM_TACTICS * MAX_CARDS)]
    return {
        "passes": (actions == act.PASS, legal(act.ATTACK, act.DEFEND)),
        "high cards": (used >= 5 / 16, plays),
        "declines": (actions == act.TAKE_HIT, legal(act.DEFEND, act.DISCARD)),
        "manoeuvres": (
            chose(act.MANOEUVRE, act.ACHIEVE),
            legal(act.DEFEND, act.MANOEUVRE) & legal(act.MANOEUVRE, act.ACHIEVE),
        ),
    }

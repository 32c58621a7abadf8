"""How Fairy Tale is drafted and played, beside who wins. Never imported by the kernel."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from fm_env.contract import GameSpec, Mask, Observation
from fm_env.games.conduct import Conduct, Counts, Habit, shares
from fm_env.games.fairy_tale import actions as act
from fm_env.games.fairy_tale.constants import Phase
from fm_env.games.fairy_tale.observe import FIRST_BLOCK, GAIN, NEXT_GAIN

Actions = npt.NDArray[np.integer]

HABITS = {
    "drafts its best": Habit("drafts a card that adds most to its own points now"),
    "drafts the next one's best": Habit("drafts a card that would add most to the next player's points now"),
    "plays its best": Habit("plays a card that adds most to its own points now"),
    "points a game": Habit("score at the end", "points"),
    "face down": Habit("of the cards before it at the end, those that lie face down"),
}


def choices(spec: GameSpec, observations: Observation, masks: Mask, actions: Actions) -> Counts:
    """Habits that a seat's own view and choice show (see `fm_env.games.conduct`)."""
    types = spec.num_actions // act.NUM_VERBS

    def takes_best(verb: int, phase: Phase, block: int) -> tuple[Any, Any]:
        """Whether no other card had a higher entry; only where there was a better and a worse one."""
        legal = masks[:, verb * types : (verb + 1) * types]
        gain = observations[:, FIRST_BLOCK + block * types : FIRST_BLOCK + (block + 1) * types]
        best = np.where(legal, gain, -np.inf).max(axis=1)
        worst = np.where(legal, gain, np.inf).min(axis=1)
        chosen = gain[np.arange(len(actions)), actions % types]
        asked = (observations[:, phase] > 0) & (actions // types == verb) & (best > worst)
        return chosen >= best - 1e-6, asked

    return shares(
        {
            "drafts its best": takes_best(act.DRAFT, Phase.DRAFT, GAIN),
            "drafts the next one's best": takes_best(act.DRAFT, Phase.DRAFT, NEXT_GAIN),
            "plays its best": takes_best(act.PLAY, Phase.PLAY, GAIN),
        }
    )


def ends(spec: GameSpec, states: Any) -> Counts:
    """Scores and cards turned down."""
    n = spec.num_seats
    up, down = (states[name][:, :n].astype(float).sum(axis=2) for name in ("up", "down"))
    return {
        "points a game": (states["points"][:, :n].astype(float), np.ones((len(states), n))),
        "face down": (down, up + down),
    }


def highlights(spec: GameSpec, states: Any) -> dict[str, npt.NDArray[np.float64]]:
    """Close games and high scores."""
    ranked = np.sort(states["points"][:, : spec.num_seats].astype(float), axis=1)
    apart = ranked[:, -1] - ranked[:, -2]
    return {"closest finish": np.where(apart > 0, -apart, -np.inf), "highest score": ranked[:, -1]}


CONDUCT = Conduct(HABITS, choices, None, ends, highlights)

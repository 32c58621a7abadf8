"""How an agent plays, read from what it saw and chose: bluffs, lays, declarations.

Works on arrays of decisions, whoever made them, so training and evaluation report the same
numbers. Uses only names of observation entries and of actions, never their places.
"""

from __future__ import annotations

import functools

import numpy as np
import numpy.typing as npt

from fm_env.contract import GameSpec, Mask, Observation
from fm_env.games.fairy_meat import notation
from fm_env.games.fairy_meat.actions import NUM_FIXED
from fm_env.games.fairy_meat.observe import observation_labels

Actions = npt.NDArray[np.integer]
Rates = dict[str, tuple[float, int]]
"""Name to (rate, how many decisions it is the rate of); a rate of no decisions is left out."""


def behaviour(spec: GameSpec, observations: Observation, masks: Mask, actions: Actions) -> dict[str, float]:
    """The rates of `behaviour_counts` alone."""
    return {name: rate for name, (rate, _) in behaviour_counts(spec, observations, masks, actions).items()}


def behaviour_counts(spec: GameSpec, observations: Observation, masks: Mask, actions: Actions) -> Rates:
    """What share of the decisions of each kind went one way. Forced choices don't count.

    - `lays`: lays trumps when it could.
    - `blind lays`: of those, lays of a colour it holds no number of (a certain bluff).
    - `bluffs`: with own trumps laid and numbers of both colours in hand to choose from, the
      number's colour isn't the trumps' colour.
    - `subtracts`: declares subtract.
    - `turns up`: turns trumps up after the numbers are shown.
    - `holds`: plans to hold its Order Card; `wrestles`, `rests`: of its acts in base contact.

    Args:
        spec: what was played.
        observations: `[B, F]` f4.
        masks: `[B, A]` bool.
        actions: `[B]`, the ids chosen.
    """
    place, number = _entries(spec.num_actions - NUM_FIXED)
    free = masks.sum(axis=1) > 1

    def legal(*texts: str) -> npt.NDArray[np.bool_]:
        return masks[:, [number[text] for text in texts]].any(axis=1) & free

    def chose(*texts: str) -> npt.NDArray[np.bool_]:
        return np.isin(actions, [number[text] for text in texts])

    def own(entry: str) -> npt.NDArray[np.float32]:
        """The entry of the fairy that is asked; `{}` stands for her number."""
        found = np.zeros(len(observations), np.float32)
        for k in range(spec.num_actions - NUM_FIXED):
            if entry.format(k) in place:  # cards are told of own fairies only
                found += observations[:, place[f"fairy {k}: asked"]] * observations[:, place[entry.format(k)]]
        return found

    red_lays, black_lays = ([text for text in number if text.startswith(f"trumps {c}")] for c in "rb")
    red_cards, black_cards = ([text for text in number if len(text) == 2 and text[1] == c] for c in "rb")
    lays = chose(*red_lays, *black_lays)
    blind = chose(*red_lays) & (own("own {}: red numbers /24") == 0)
    blind |= chose(*black_lays) & (own("own {}: black numbers /24") == 0)
    laid_red, laid_black = own("fairy {}: red trumps /24") > 0, own("fairy {}: black trumps /24") > 0
    may_bluff = observations[:, place["phase lay_main"]] > 0
    may_bluff &= (
        legal(*red_cards) & legal(*black_cards) & (laid_red ^ laid_black) & chose(*red_cards, *black_cards)
    )
    bluffs = np.where(laid_red, chose(*black_cards), chose(*red_cards))
    kinds = {
        "lays": (lays, legal(*red_lays, *black_lays)),
        "blind lays": (blind, lays),
        "bluffs": (bluffs, may_bluff),
        "subtracts": (chose("subtract"), legal("subtract")),
        "turns up": (chose("turn up"), legal("turn up")),
        "holds": (chose("hold"), legal("hold")),
        "wrestles": (chose("wrestle"), legal("wrestle")),
        "rests": (chose("rest"), legal("rest")),
    }
    return {
        name: (float(hit[base].mean()), int(base.sum())) for name, (hit, base) in kinds.items() if base.any()
    }


@functools.cache
def _entries(num_fairies: int) -> tuple[dict[str, int], dict[str, int]]:
    """Places of an observation's entries and numbers of the actions, by name."""
    labels, texts = observation_labels(num_fairies), notation.action_texts(num_fairies)
    return {name: k for k, name in enumerate(labels)}, {name: k for k, name in enumerate(texts)}

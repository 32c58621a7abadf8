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
from fm_env.games.fairy_meat.actions import max_fairies_of
from fm_env.games.fairy_meat.observe import observation_labels

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
    kinds = fight_kinds(Decisions(spec, observations, masks, actions))
    return {
        name: (float(hit[base].mean()), int(base.sum())) for name, (hit, base) in kinds.items() if base.any()
    }


def fight_kinds(d: Decisions) -> Kinds:
    """The kinds of `behaviour_counts`: name to (went that way, had the choice), `[B]` bools."""
    lays = d.chose(*d.red_lays, *d.black_lays)
    blind = d.chose(*d.red_lays) & (d.own("own {}: red numbers /24") == 0)
    blind |= d.chose(*d.black_lays) & (d.own("own {}: black numbers /24") == 0)
    laid_red, laid_black = d.own("fairy {}: red trumps /24") > 0, d.own("fairy {}: black trumps /24") > 0
    may_bluff = d.phase("lay_main") & d.legal(*d.red_cards) & d.legal(*d.black_cards)
    may_bluff &= (laid_red ^ laid_black) & d.chose(*d.red_cards, *d.black_cards)
    bluffs = np.where(laid_red, d.chose(*d.black_cards), d.chose(*d.red_cards))
    return {
        "lays": (lays, d.legal(*d.red_lays, *d.black_lays)),
        "blind lays": (blind, lays),
        "bluffs": (bluffs, may_bluff),
        "subtracts": (d.chose("subtract"), d.legal("subtract")),
        "turns up": (d.chose("turn up"), d.legal("turn up")),
        "holds": (d.chose("hold"), d.legal("hold")),
        "wrestles": (d.chose("wrestle"), d.legal("wrestle")),
        "rests": (d.chose("rest"), d.legal("rest")),
    }


class Decisions:
    """Decisions with their entries and actions by name."""

    def __init__(self, spec: GameSpec, observations: Observation, masks: Mask, actions: Actions) -> None:
        """Take `[B, F]`, `[B, A]` and `[B]`."""
        self.spec, self.observations, self.masks, self.actions = spec, observations, masks, actions
        self.num_fairies = max_fairies_of(spec.num_actions)
        self.place, self.number = _entries(self.num_fairies)
        self.free = masks.sum(axis=1) > 1
        self.red_lays, self.black_lays = (
            [text for text in self.number if text.startswith(f"trumps {colour}")] for colour in "rb"
        )
        self.red_cards, self.black_cards = (
            [text for text in self.number if len(text) == 2 and text[1] == colour] for colour in "rb"
        )

    def legal(self, *texts: str) -> Flags:
        """Where one of these could be chosen, and something else, too."""
        return self.masks[:, [self.number[text] for text in texts]].any(axis=1) & self.free

    def chose(self, *texts: str) -> Flags:
        """Where one of these was chosen."""
        return np.isin(self.actions, [self.number[text] for text in texts])

    def phase(self, name: str) -> Flags:
        """Where the game stands in that phase."""
        return self.observations[:, self.place[f"phase {name}"]] > 0

    def own(self, entry: str) -> npt.NDArray[np.float32]:
        """The entry of the fairy that is asked; `{}` stands for her number."""
        found = np.zeros(len(self.observations), np.float32)
        for k in range(self.num_fairies):
            if entry.format(k) in self.place and f"fairy {k}: asked" in self.place:
                # cards are told of own fairies only
                asked = self.observations[:, self.place[f"fairy {k}: asked"]]
                found += asked * self.observations[:, self.place[entry.format(k)]]
        return found


@functools.cache
def _entries(num_fairies: int) -> tuple[dict[str, int], dict[str, int]]:
    """Places of an observation's entries and numbers of the actions, by name."""
    labels, texts = observation_labels(num_fairies), notation.action_texts(num_fairies)
    return {name: k for k, name in enumerate(labels)}, {name: k for k, name in enumerate(texts)}

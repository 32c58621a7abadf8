"""Two bots of one's own for Fairy Meat's fights. They need nothing but observation and mask.

fm-env evaluate my_bot:Wishes --against random,plain --scenario duel     (in this folder)
"""

from __future__ import annotations

import numpy as np

import fm_env


class Wishes:
    """Takes the first thing on its list of wishes that is legal, else anything."""

    wishes = (
        "attack with weapon 1",
        "deal damage",
        "think 0",
        "subtract",
        "trumps none",
        "2r",
        "2b",
        "3r",
        "3b",
    )

    def reset(self, spec, seat, seed):
        """Look up the ids of the wishes, and seed what is left to luck."""
        game = fm_env.load(spec.game)
        ids = {game.action_text(spec, action): action for action in range(spec.num_actions)}
        self.ids = [ids[wish] for wish in self.wishes]
        self.rng = np.random.default_rng(seed)

    def act(self, observation, action_mask):
        """Choose a legal action."""
        wished = [action for action in self.ids if action_mask[action]]
        return wished[0] if wished else self.rng.choice(np.flatnonzero(action_mask))


class TrueColours:
    """Attacks, adds, lays all trumps of the colour of its highest number, and then that number."""

    def reset(self, spec, seat, seed):
        """Find the entries and ids that matter by their names."""
        game = fm_env.load(spec.game)
        self.ids = {game.action_text(spec, action): action for action in range(spec.num_actions)}
        labels = game.observation_labels(spec)
        self.numbers = [f"{rank}{colour}" for rank in "T98765432" for colour in "rb"]
        self.entry = {card: labels.index(f"own 0: hand {card}") for card in self.numbers}
        self.rng = np.random.default_rng(seed)

    def act(self, observation, action_mask):
        """Choose a legal action."""
        held = [card for card in self.numbers if observation[self.entry[card]] > 0]
        best = held[0] if held else "no card"
        colour = best[-1] if held else "r"
        trumps = [f"trumps {colour}{n}" for n in range(16, 0, -1)]
        for wish in ("attack with weapon 1", "deal damage", "think 0", "add", *trumps, "trumps none", best):
            if action_mask[self.ids[wish]]:
                return self.ids[wish]
        return self.rng.choice(np.flatnonzero(action_mask))

"""Sword and Shield: a joust of two knights with cards, hits and Fatigue.

Read `RULES.md` beside this file for each rule in our own words, with the function that keeps it
and the test that proves it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fm_env.games.sword_and_shield import narration, notation, view
from fm_env.games.sword_and_shield.behaviour import behaviour_counts
from fm_env.games.sword_and_shield.conduct import CONDUCT
from fm_env.games.sword_and_shield.kernel import KERNEL
from fm_env.games.sword_and_shield.observe import observation_labels
from fm_env.games.sword_and_shield.scenario import SCENARIOS, make_scenario
from fm_env.games.sword_and_shield.spec import card_names

if TYPE_CHECKING:
    import numpy as np

    from fm_env.contract import GameSpec, Scenario


class SwordAndShield:
    """The game as the registry knows it (`fm_env.contract.Game`)."""

    name = "sword_and_shield"
    kernel = KERNEL
    default_scenario = "joust"
    behaviour_counts = staticmethod(behaviour_counts)
    conduct = CONDUCT

    def scenario_names(self) -> tuple[str, ...]:
        """Names that `scenario` accepts."""
        return tuple(SCENARIOS)

    def scenario(self, scenario: str | None = None, **options: Any) -> Scenario:
        """Validate options and make a scenario.

        Raises:
            SetupError: names the field, what was given and what was expected.
        """
        return make_scenario(scenario or self.default_scenario, **options)

    def action_text(self, spec: GameSpec, action: int) -> str:
        """Readable text of an action id."""
        return notation.action_texts(card_names(spec))[action]

    def outcome_text(self, spec: GameSpec, outcome: int) -> str:
        """Text of a drawn card, or who attacks first."""
        return notation.outcome_texts(card_names(spec))[outcome]

    def state_text(self, state: np.record, seat: int | None) -> str:
        """The position in words as `seat` sees it; None sees everything."""
        return view.state_text(state, seat)

    def event_text(self, before: np.record, seat: int, action: int, after: np.record) -> str:
        """What just happened, in words."""
        return narration.event_text(before, seat, action, after)

    def observation_labels(self, spec: GameSpec) -> tuple[str, ...]:
        """One name for each entry of an observation."""
        return observation_labels(card_names(spec))


GAME = SwordAndShield()

"""Angry Miniatures: a skirmish of three figures a side on a grid, with pools of poker dice.

Read `RULES.md` beside this file for each rule in our own words, with the function that keeps it
and the test that proves it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fm_env.games.angry_miniatures import dice, narration, notation, view
from fm_env.games.angry_miniatures.behaviour import behaviour, behaviour_counts
from fm_env.games.angry_miniatures.conduct import CONDUCT
from fm_env.games.angry_miniatures.kernel import KERNEL
from fm_env.games.angry_miniatures.observe import observation_labels
from fm_env.games.angry_miniatures.scenario import SCENARIOS, make_scenario

if TYPE_CHECKING:
    import numpy as np

    from fm_env.contract import GameSpec, Scenario


class AngryMiniatures:
    """The game as the registry knows it (`fm_env.contract.Game`)."""

    name = "angry_miniatures"
    kernel = KERNEL
    default_scenario = "skirmish"
    behaviour = staticmethod(behaviour)
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
        return notation.action_texts()[action]

    def outcome_text(self, spec: GameSpec, outcome: int) -> str:
        """Text of a throw, e.g. `"AKKJ"` (nines and tens are left out)."""
        return dice.outcome_text(outcome)

    def state_text(self, state: np.record, seat: int | None) -> str:
        """The position in words as `seat` sees it; None sees everything from seat 0's edge."""
        return view.state_text(state, seat)

    def picture(self, state: np.record, seat: int | None) -> np.ndarray:
        """The position as `uint8[H, W, 3]`; needs Pillow (extra `render`)."""
        from fm_env.games.angry_miniatures.picture import picture

        return picture(state, seat)

    def event_text(self, before: np.record, seat: int, action: int, after: np.record) -> str:
        """What just happened, in words."""
        return narration.event_text(before, seat, action, after)

    def observation_labels(self, spec: GameSpec) -> tuple[str, ...]:
        """One name for each entry of an observation."""
        return observation_labels()


GAME = AngryMiniatures()

"""Fairy Tale: a drafting game of face-up and face-down cards for two to five players.

Read `RULES.md` beside this file for each rule in our own words, with the function that keeps it
and the test that proves it; `standard.toml` is the deck.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fm_env.games.fairy_tale import notation, view
from fm_env.games.fairy_tale.conduct import CONDUCT
from fm_env.games.fairy_tale.constants import MAX_TYPES
from fm_env.games.fairy_tale.kernel import KERNEL
from fm_env.games.fairy_tale.observe import observation_labels
from fm_env.games.fairy_tale.scenario import SCENARIOS, make_scenario

if TYPE_CHECKING:
    import numpy as np

    from fm_env.contract import GameSpec, Scenario


class FairyTale:
    """The game as the registry knows it (`fm_env.contract.Game`)."""

    name = "fairy_tale"
    kernel = KERNEL
    default_scenario = "expert"
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
        """Readable text of an action id, e.g. `"draft Homesteader"`."""
        return notation.action_texts(_deck_id(spec), spec.num_actions // notation.NUM_VERBS)[action]

    def outcome_text(self, spec: GameSpec, outcome: int) -> str:
        """Name of a dealt card."""
        return notation.card_names(_deck_id(spec), MAX_TYPES)[outcome]

    def state_text(self, state: np.record, seat: int | None) -> str:
        """The position in words as `seat` sees it; None sees everything."""
        return view.state_text(state, seat)

    def event_text(self, before: np.record, seat: int, action: int, after: np.record) -> str:
        """What just happened, in words."""
        return view.event_text(before, seat, action, after)

    def observation_labels(self, spec: GameSpec) -> tuple[str, ...]:
        """One name for each entry of an observation."""
        types = spec.num_actions // notation.NUM_VERBS
        return observation_labels(notation.card_names(_deck_id(spec), types))


def _deck_id(spec: GameSpec) -> int:
    return getattr(spec, "deck_id", 0)


GAME = FairyTale()

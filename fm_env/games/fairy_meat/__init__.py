"""Fairy Meat: fights of the miniatures war game, by the Fast Play rules or UnclEvl's combat.

Read `RULES.md` beside this file for each rule in our own words, with the function that keeps it
and the test that proves it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fm_env.games.fairy_meat import narration, notation, view, view_table, words
from fm_env.games.fairy_meat.behaviour import behaviour, behaviour_counts
from fm_env.games.fairy_meat.conduct import CONDUCT
from fm_env.games.fairy_meat.constants import Play
from fm_env.games.fairy_meat.kernel import KERNEL
from fm_env.games.fairy_meat.observe import observation_labels
from fm_env.games.fairy_meat.scenario import SCENARIOS, make_scenario

if TYPE_CHECKING:
    import numpy as np

    from fm_env.contract import GameSpec, Scenario


class FairyMeat:
    """The game as the registry knows it (`fm_env.contract.Game`)."""

    name = "fairy_meat"
    kernel = KERNEL
    default_scenario = "duel"
    behaviour = staticmethod(behaviour)
    behaviour_counts = staticmethod(behaviour_counts)
    conduct = CONDUCT
    legend = words.LEGEND
    briefly = narration.Briefly

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
        return notation.action_texts(notation.act.max_fairies_of(spec.num_actions))[action]

    def outcome_text(self, spec: GameSpec, outcome: int) -> str:
        """Text of a drawn card, table or warband."""
        return notation.outcome_text(outcome)

    def state_text(self, state: np.record, seat: int | None) -> str:
        """The position in words as `seat` sees it; None sees everything."""
        s = words.readable(state)
        return view_table.table_text(s, seat) if s.play == Play.SKIRMISH else view.state_text(s, seat)

    def picture(self, state: np.record, seat: int | None, before: np.record | None = None) -> np.ndarray:
        """The position as `uint8[H, W, 3]`; needs Pillow (extra `render`).

        On the table arrows show what was done since `before`, an earlier position of the same game.
        """
        from fm_env.games.fairy_meat.picture import picture
        from fm_env.games.fairy_meat.picture_table import table_picture

        on_table = words.readable(state).play == Play.SKIRMISH
        return table_picture(state, seat, before) if on_table else picture(state, seat)

    def something_done(self, before: np.record, state: np.record) -> bool:
        """Whether `picture` has a line for what was done between two positions."""
        from fm_env.games.fairy_meat.picture_table import something_done

        return words.readable(state).play == Play.SKIRMISH and something_done(before, state)

    def event_text(self, before: np.record, seat: int, action: int, after: np.record) -> str:
        """What just happened, in words."""
        return narration.event_text(before, seat, action, after)

    def observation_labels(self, spec: GameSpec) -> tuple[str, ...]:
        """One name for each entry of an observation."""
        return observation_labels(notation.act.max_fairies_of(spec.num_actions))


GAME = FairyMeat()

"""A run in parts: one policy goes on from some options of its scenario to others, as from small to large.

Between two updates, when a part has ended, the games are made anew with the next part's options. Network,
optimiser, schedules, generators and opponents go on: frozen ones as they are, bots made for the new games.
Games that run at that moment are dropped: they count nowhere, and nothing is learned from their ends.

All parts must look the same to the network. Its inputs are standardised, and a head start is taken, by the
first part; a lens (`training.lens`) is cut by the last, whose options are also those that the policy's card
names. A run that is given more decisions or minutes than it had doesn't go back to a part that has ended.
"""

from __future__ import annotations

import numpy as np

from fm_env.contract import Game, Scenario
from fm_env.errors import SetupError
from fm_env.views.table import find_scenario
from training.config import TrainingConfig
from training.lens import Lens
from training.opponents import Pool


class Curriculum:
    """The scenario of each part, and which of them it is. A run without `[[curriculum]]` is one part."""

    def __init__(self, config: TrainingConfig, game: Game) -> None:
        """Make and check every part's scenario.

        Raises:
            SetupError: options that don't work, or not with the opponents; parts that look different.
            UnknownNameError, LoadError: an opponent that doesn't exist, or can't play a part.
        """
        self.part = 0
        """Number of the part that is being played."""
        self.lens: Lens | None = None
        """What the learner looks through in all parts; None: as the config says."""
        self._ends = [part.until for part in config.curriculum] or [1.0]
        self._options = [part.options for part in config.curriculum] or [{}]
        self.scenarios = [_scenario(config, game, k, own) for k, own in enumerate(self._options)]
        """Of each part."""
        if config.curriculum:
            self._check_layouts(config.learner.informed)
            for scenario in self.scenarios:
                Pool.of(config.opponents.weights, game, scenario)
            self.lens = self._cut(game) if config.network.lens else None

    @property
    def scenario(self) -> Scenario:
        """The one that is being played."""
        return self.scenarios[self.part]

    @property
    def last(self) -> Scenario:
        """The one that the policy is for."""
        return self.scenarios[-1]

    def goes_on(self, share: float) -> bool:
        """Go on to the part that begins at or before this share of the run; False if it is being played."""
        before = self.part
        while self.part < len(self._ends) - 1 and share >= self._ends[self.part]:
            self.part += 1
        return self.part > before

    def __str__(self) -> str:
        """`part 2 of 3: points = 40`."""
        options = ", ".join(f"{name} = {value!r}" for name, value in self._options[self.part].items())
        return f"part {self.part + 1} of {len(self._ends)}: {options or 'game.options as they are'}"

    def _check_layouts(self, informed: bool) -> None:
        """One network must fit all parts; one that is told what all seats see needs as many seats, too."""
        entries = ["observation_version", "observation_size", "num_actions"] + ["num_seats"] * informed
        for k, scenario in enumerate(self.scenarios):
            for entry in entries:
                have, want = getattr(scenario.spec, entry), getattr(self.last.spec, entry)
                if have != want:
                    why = " where learner.informed shows all seats" if entry == "num_seats" else ""
                    raise SetupError(
                        f"curriculum.{k}.options = {self._options[k]}: {entry} is {have}, but {want} in the"
                        f" last part with options {self._options[-1]}; one policy needs the same in all"
                        f" parts{why}"
                    )

    def _cut(self, game: Game) -> Lens:
        """The last part's lens, through which all that can be done in the others must be seen, too."""
        lens = Lens.of_random_play(game, self.last)
        for k, scenario in enumerate(self.scenarios[:-1]):
            if not np.isin(Lens.of_random_play(game, scenario).actions, lens.actions).all():
                raise SetupError(
                    f"curriculum.{k}.options = {self._options[k]}: actions can be legal that never are in the"
                    f" last part with options {self._options[-1]}, by which network.lens chooses; expected"
                    " network.lens = false, or a last part in which all can be done that was learned before"
                )
        return lens


def _scenario(config: TrainingConfig, game: Game, k: int, own: dict[str, object]) -> Scenario:
    """The scenario of part k."""
    try:
        return find_scenario(game, config.game.scenario, options=config.game.options | own)
    except SetupError as error:
        if not config.curriculum:
            raise
        raise SetupError(f"curriculum.{k}.options = {own}: {error}") from None

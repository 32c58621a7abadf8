"""The AEC view in PettingZoo's usual wrappers: what a game's `env(...)` makes."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from typing import Any

from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper

from fm_env.contract import Game
from fm_env.errors import FmEnvError
from fm_env.views.aec import RawAECGame
from fm_env.views.common import AgentID, IllegalPolicy


class AECGame(OrderEnforcingWrapper[AgentID, Any, int]):
    """`RawAECGame` in PettingZoo's usual wrappers: calls in order, actions within the space.

    An illegal action ends the game by default (`illegal="lose"`): PettingZoo's own
    `TerminateIllegalWrapper` does it from outside and leaves a game that can't be saved, so the
    raw view does it instead. A step after the end is an error, not just a warning.
    """

    def __init__(self, game: str | Game, *args: Any, illegal: IllegalPolicy = "lose", **kwargs: Any) -> None:
        """Takes what `RawAECGame` takes."""
        self._wrap(RawAECGame(game, *args, illegal=illegal, **kwargs))

    def _wrap(self, raw: RawAECGame) -> None:
        super().__init__(AssertOutOfBoundsWrapper(raw))
        self._raw = raw

    # PettingZoo's wrappers look every attribute up through all layers, at half of the speed; the
    # ones that a training loop reads at each step are therefore taken from the raw view at once.

    @property
    def agents(self) -> list[AgentID]:  # pyright: ignore[reportIncompatibleVariableOverride]
        """The agents still in the game."""
        return self._raw.agents if self._has_reset else self.__getattr__("agents")

    @property
    def agent_selection(self) -> AgentID:  # pyright: ignore[reportIncompatibleVariableOverride]
        """The agent whose turn it is."""
        return self._raw.agent_selection if self._has_reset else self.__getattr__("agent_selection")

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Observation (or None), reward, termination, truncation, info of the selected agent."""
        return self._raw.last(observe) if self._has_reset else super().last(observe)

    def step(self, action: int | None) -> None:
        """As `RawAECGame.step`, with the order of calls checked."""
        if self._has_reset and not self.agents:
            raise FmEnvError("step: no agent is left, the game is over; call reset() to start another")
        super().step(action)  # type: ignore[arg-type]

    def clone(self) -> AECGame:
        """An independent copy that goes on exactly as this one would, wrappers included."""
        return copy.deepcopy(self)

    def to_json(self) -> str:
        """As `RawAECGame.to_json`."""
        return json.dumps(self._raw._to_dict("aec"))

    @classmethod
    def _from_dict(cls, saved: Mapping[str, Any]) -> AECGame:
        raw = RawAECGame._from_dict(saved)
        env: AECGame = object.__new__(cls)
        env._wrap(raw)
        env._has_reset = env._has_updated = True
        return env

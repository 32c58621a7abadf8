"""A bot whose choice a learned policy is told before it chooses itself.

The network sees what the bot would do, and that action's logit starts higher by a fixed weight: the
policy plays about as the bot does until it has learned where to do better. In a game of hundreds of
small decisions this leaves it the decisions that matter. (Residual policies: Silver et al. 2018,
Johannink et al. 2018.)

The bot gets the policy's own observation and mask and nothing else, and its luck is the same in every
position, so that advice is a function of what the seat sees.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Annotated

import numpy as np
import numpy.typing as npt
import pydantic

from agents.compiled import RANDOM, CompiledAgent
from fm_env.contract import Mask, Observation
from fm_env.errors import LoadError

if TYPE_CHECKING:
    from fm_env.contract import Game, Scenario


class AdviserCard(pydantic.BaseModel):
    """Who advises, and how much that counts."""

    model_config = pydantic.ConfigDict(extra="forbid", use_attribute_docstrings=True)

    agent: str
    """Spec of a compiled bot of the game, e.g. `"tactician"`."""
    weight: Annotated[float, pydantic.Field(ge=0, le=30)]
    """Added to the logit of the action it advises."""
    fingerprint: str = ""
    """The bot's, when the policy learned; another one earns a warning."""


class Adviser:
    """A bot as it is asked for advice."""

    def __init__(self, agent: str, weight: float, game: str | Game, scenario: Scenario | None = None) -> None:
        """Make the bot.

        Raises:
            UnknownNameError, SetupError: as `agents.make`.
            LoadError: it isn't a compiled bot, or chooses by luck alone.
        """
        from agents.registry import make  # which makes policies, and so comes back here

        bot = make(agent, game, scenario)
        if not isinstance(bot, CompiledAgent) or bot.bot_id == RANDOM.bot_id:
            raise LoadError(f"adviser {agent!r}: expected a compiled bot of the game other than 'random'")
        self.bot, self.weight = bot, weight

    @classmethod
    def of(cls, card: AdviserCard, game: str) -> Adviser:
        """The adviser that a policy's card names; warns if it isn't the bot that it learned with."""
        adviser = cls(card.agent, card.weight, game)
        if card.fingerprint not in ("", adviser.bot.fingerprint()):
            warnings.warn(
                f"the adviser {card.agent!r} has changed since the policy learned with it: it plays, but its"
                " measured results may not hold",
                stacklevel=4,
            )
        return adviser

    @property
    def card(self) -> AdviserCard:
        """As a policy's card names it."""
        return AdviserCard(agent=self.bot.spec, weight=self.weight, fingerprint=self.bot.fingerprint())

    def advice(self, observations: Observation, masks: Mask) -> npt.NDArray[np.float32]:
        """`[B, F]` f4 and `[B, A]` bool to `[B, A]` f4: 1 at what the bot would do, else 0."""
        out = np.zeros(masks.shape, np.float32)
        out[np.arange(len(masks)), self.bot.advise(observations, masks)] = 1.0
        return out

"""What happens when an agent doesn't answer as it should.

By default a game can't go on without an answer, so everything stops with an error that names the
agent. A `Referee` can instead let the agent's place be taken for that move by a uniformly random legal
action, drawn from the game's seed, and keep count.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from fm_env.contract import Mask
from fm_env.errors import FmEnvError, SetupError

OnFault = Literal["stop", "fallback"]

LATE = "late"
"""The answer took longer than allowed."""
LOST = "lost"
"""The agent wasn't asked: it had been ended for not answering at all, and its memory of the game with it."""
CRASH = "crash"
"""The agent raised an exception or its process died."""
ILLEGAL = "illegal"
"""The answer was no legal action."""

KINDS = (LATE, LOST, CRASH, ILLEGAL)


class AgentFault(FmEnvError):
    """An agent gave no answer."""

    def __init__(self, kind: str, text: str) -> None:
        """Args: `kind` is one of `KINDS`; `text` says who and what."""
        super().__init__(text)
        self.kind = kind


@dataclass
class Referee:
    """Decides what follows a fault, and counts them."""

    on_fault: OnFault = "stop"
    """After a crash or an illegal answer. Late answers (only agents with a time limit have them) are
    always replaced."""
    counts: Counter[tuple[int, int, str]] = field(default_factory=Counter)
    """Replaced moves by game, seat and kind."""

    def __post_init__(self) -> None:
        """Check `on_fault`."""
        if self.on_fault not in ("stop", "fallback"):
            raise SetupError(f"on_fault: expected stop or fallback, got {self.on_fault!r}")

    def replace(self, fault: FmEnvError, kind: str, place: tuple[int, int], seed: int, mask: Mask) -> int:
        """The action played instead of the answer that failed.

        Args:
            fault: what to raise if games are to stop.
            kind: one of `KINDS`.
            place: game and seat.
            seed: of the game.
            mask: `[A]` bool, the legal actions.

        Raises:
            FmEnvError: `fault`, where it is to stop.
        """
        if self.on_fault == "stop" and kind in (CRASH, ILLEGAL):
            raise fault
        game, seat = place
        before = sum(count for (g, s, _), count in self.counts.items() if (g, s) == place)
        self.counts[game, seat, kind] += 1
        legal = np.flatnonzero(mask)
        return int(legal[np.random.default_rng([seed, seat, before]).integers(len(legal))])

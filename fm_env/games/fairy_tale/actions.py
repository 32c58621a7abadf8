"""Action ids: what is done, times the room for different cards, plus the card."""

from __future__ import annotations

from fm_env.games.fairy_tale.constants import Op, Phase

DRAFT = 0
PLAY = 1
OPEN = 2
CLOSE = 3
NUM_VERBS = 4

VERBS = ("draft", "play", "open", "close")

# The phase that asks for each of them comes one later, and so do the effects.
assert (DRAFT, PLAY, OPEN, CLOSE) == (Phase.DRAFT - 1, Phase.PLAY - 1, Phase.OPEN - 1, Phase.CLOSE - 1)
assert (int(Op.OPEN), int(Op.CLOSE)) == (OPEN, CLOSE)


def num_actions(types: int) -> int:
    """Size of the action space of a deck with room for `types` cards."""
    return NUM_VERBS * types

"""Events of Fairy Meat in words for one seat.

The game's own narration is all-seeing. Here, what a seat draws or lays in secret is told to that seat
only, and places are told to the grain of an eye (F-15). Whether others have chosen in a secret phase
isn't told at all: what they chose comes out with the reveal that the last of them sets off.
"""

from __future__ import annotations

import itertools
import re
from typing import Any

from fm_env.contract import CHANCE
from fm_env.games.fairy_meat import choices, order
from fm_env.games.fairy_meat.constants import TABLE_OUTCOME, Phase, Play
from fm_env.games.fairy_meat.narration import chosen_words, drawn_words, happened, walk
from fm_env.games.fairy_meat.words import fairy_name

FROM_THE_START = re.compile(r", -?[\d.e+]+ inch(es)? from where she began")
"""Where a move began is gone once it is over; so is how far it went."""
FAR_AWAY = -(10**9)


def event_words(before: Any, actor: int, action: int, after: Any, seat: int) -> str:
    """What `seat` may know of it."""
    steps = list(walk(before, actor, action))
    words = [drawn(steps[0], action, seat) if actor == CHANCE else chosen(steps[0], actor, action, seat)]
    for old, new in itertools.pairwise([as_seen(step) for step in steps]):
        words += happened(old, new)
    return FROM_THE_START.sub("", " ".join(word for word in words if word))


def chosen(s: Any, actor: int, action: int, seat: int) -> str:
    """A choice made openly, or by the seat itself."""
    if actor != seat and (choices.is_secret(s.phase) or s.phase == Phase.BUILD):
        return ""
    return chosen_words(s, actor, action)


def drawn(s: Any, card: int, seat: int) -> str:
    """A card that `seat` sees, or that somebody draws one."""
    if card >= TABLE_OUTCOME:
        return drawn_words(s, card) if s.phase == Phase.DRAW_TABLE else "A warband is drawn."
    if s.phase == Phase.DEAL_ORDER:
        f = int(order.next_to_be_dealt(s))
        hidden = f"{fairy_name(f)} is dealt an Order Card."
    elif s.phase in (Phase.DRAW_ATTACKER, Phase.DRAW_DEFENDER):
        f = int(s.attacker if s.phase == Phase.DRAW_ATTACKER else s.defender)
        hidden = f"{fairy_name(f)} draws a card."
    else:
        return drawn_words(s, card)  # ties, lots and wild trumps are drawn openly
    return drawn_words(s, card) if s.owner[f] == seat else hidden


def as_seen(s: Any) -> Any:
    """The record with places to the grain of an eye (as `observe_table.eye`); changes `s`."""
    if s.play != Play.SKIRMISH or s.grain == 0 or s.round_number == 0:
        return s
    s.start[:] = FAR_AWAY
    for places in (s.pos[:, :2], s.thing[:, :2], s.air):
        places[...] = (places // s.grain * 2 + 1) * s.grain // 2
    return s

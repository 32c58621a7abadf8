"""Events of Fairy Meat in words for one seat.

The game's own narration is all-seeing. Here, what a seat draws or lays in secret is told to that seat
only, and places are told to the grain of an eye (F-15). Whether others have chosen in a secret phase
isn't told at all: what they chose comes out with the reveal that the last of them sets off.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from typing import Any

import numpy as np

from fm_env.contract import CHANCE
from fm_env.games.fairy_meat import choices, order
from fm_env.games.fairy_meat.constants import TABLE_OUTCOME, Phase, Play
from fm_env.games.fairy_meat.narration import chosen_words, drawn_words, happened, walk
from fm_env.games.fairy_meat.words import fairy_name
from fm_env.records import Fields

FROM_THE_START = re.compile(r", -?[\d.e+]+ inch(es)? from where she began")
"""Where a move began is gone once it is over; so is how far it went."""
FAR_AWAY = -(10**9)
CAUGHT = (Phase.CHEAT_OF_DEFENDER, Phase.CHEAT_OF_ATTACKER)
"""Whoever is caught is told of on a step that changes nothing."""
DRAWN_IN_SECRET = (Phase.DEAL_ORDER, Phase.DRAW_ATTACKER, Phase.DRAW_DEFENDER)
"""Cards that their owner alone looks at."""


def event_words(before: Any, actor: int, action: int, after: Any, seat: int) -> str:
    """What `seat` may know of it."""
    return event_words_for(before, actor, action, after, (seat,))[seat]


def event_words_for(before: Any, actor: int, action: int, after: Any, seats: Iterable[int]) -> dict[int, str]:
    """What each of `seats` may know of it. What follows by itself is the same for all, and found once."""
    if is_quiet(before, actor, after):
        return _told(before, actor, action, [], seats)
    steps = list(walk(before, actor, action, copy_of))
    common: list[str] = []
    for old, new in itertools.pairwise([as_seen(step) for step in steps]):
        if old.tobytes() != new.tobytes() or new.phase in CAUGHT:
            common += happened(old, new)
    return _told(before, actor, action, common, seats)


def _told(s: Any, actor: int, action: int, common: list[str], seats: Iterable[int]) -> dict[int, str]:
    """What each seat knows of the event itself, and what followed."""
    said: dict[int, str] = {}
    for seat in seats:
        own = drawn(s, action, seat) if actor == CHANCE else chosen(s, actor, action, seat)
        said[seat] = FROM_THE_START.sub("", " ".join(word for word in (own, *common) if word))
    return said


def is_quiet(before: Any, actor: int, after: Any) -> bool:
    """Whether nothing followed by itself, as after most cards drawn and secret choices: no need to look."""
    if before.phase != after.phase:
        return False
    if actor == CHANCE:
        return before.phase in DRAWN_IN_SECRET and before.shuffles == after.shuffles
    if not choices.is_secret(before.phase):
        return False
    same = copy_of(before)
    same.choice[:], same.main_choice[:] = after.choice, after.main_choice
    return same.tobytes() == after.tobytes()


def copy_of(state: Any) -> Any:
    """A copy with its fields as attributes. Bytes are copied as they are, which is ten times as fast as a
    copy field by field, and half of the work of telling a duel.
    """
    # One dtype object for all equal ones: compiled rules know it again by identity.
    size = state.dtype.itemsize, len(state.live), len(state.kills), len(state.top)
    kind = _kinds.get(size)
    if kind is None:
        kind = _kinds[size] = np.dtype((Fields, state.dtype))
    return np.frombuffer(bytearray(state.tobytes()), kind)[0]


_kinds: dict[tuple[int, ...], np.dtype[Any]] = {}
"""By what tells the sizes of tables apart (`state.state_dtype`)."""


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

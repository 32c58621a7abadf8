"""What a seat is shown of a game: its position as plain data, its choices and the events in words.

Pages, terminals and replays are written against these three functions, for every game:

- `position(game, state, seat)`: JSON-able; what the game's words for that seat say, in parts;
- `choices(game, spec, state, seat, legal)`: one entry for each legal action, with the fairy, card,
  piece of terrain or such that it is about, so that a page can offer it in place;
- `event_words(game, before, actor, action, after, seat)`: what just happened, without what the seat
  may not know. Empty where the seat isn't to learn that anything happened at all.

Seat `None` sees everything. A game without a module of its own is shown by its texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from importlib import import_module
from itertools import groupby
from typing import Any

import numpy as np

from fm_env.contract import Game, GameSpec

MODULES = {
    "fairy_meat": "fm_env.shown.fairy_meat",
    "fairy_tale": "fm_env.shown.fairy_tale",
    "sword_and_shield": "fm_env.shown.sword_and_shield",
    "angry_miniatures": "fm_env.shown.angry_miniatures",
}
"""Where each game's own functions are; each defines those of the three that it has better ones for."""

Plain = dict[str, Any]
"""A JSON-able object."""


def position(game: Game, state: np.record, seat: int | None) -> Plain:
    """The position as `seat` sees it.

    `kind` tells which set of fields follows; `"text"` has no more: show the game's `state_text`.
    """
    own = _own(game, "position")
    return own(state, seat) if own else {"kind": "text"}


def choices(game: Game, spec: GameSpec, state: np.record, seat: int, legal: Iterable[int]) -> list[Plain]:
    """What `seat` may choose now: `id`, `text`, `words` (for people), `group` (a heading), and `on`: the
    fairy, card, piece of terrain or such that it is about, or None.
    """
    own = _own(game, "choice")
    offered: list[Plain] = []
    for action in legal:
        text = game.action_text(spec, action)
        words, group, on = own(state, seat, action) if own else (text, "", None)
        offered.append({"id": int(action), "text": text, "words": words, "group": group, "on": on or None})
    return offered


def event_words(
    game: Game, before: np.record, actor: int, action: int, after: np.record, seat: int | None
) -> str:
    """What just happened, as far as `seat` may know; `actor` is CHANCE for chance outcomes."""
    own = _own(game, "event_words") if seat is not None else None
    if own:
        return own(before, actor, action, after, seat)
    return game.event_text(before, actor, action, after)


DRAWS = re.compile(r"^(.+) (draws|is dealt) (a card|an Order Card|[2-9TJQKAX][rb]?|the Order Card \S+)\.$")
"""An event that comes several times in a row."""


def condensed(sentences: Iterable[str]) -> list[str]:
    """The same story with draws in a row told at once, as in `B draws 4 cards` or `A draws 7r Kb 2b`."""
    story: list[str] = []
    for draw, run in groupby(sentences, key=_drawer):
        told = list(run)
        if draw is None or len(told) == 1:
            story += told
            continue
        found = [m[3] for m in map(DRAWS.match, told) if m]
        who, verb, what = draw
        cards = " ".join(text.rpartition(" ")[2] for text in found)
        several = f"{len(found)} {what.partition(' ')[2]}s" if what.startswith("a") else f"{what}{cards}"
        story.append(f"{who} {verb} {several}.")
    return story


def _drawer(sentence: str) -> tuple[str, str, str] | None:
    """Who draws from where, openly or not."""
    found = DRAWS.match(sentence)
    if not found:
        return None
    what = found[3]
    if not what.startswith("a"):
        what = "the Order Cards " if what.startswith("the") else ""
    return found[1], found[2], what


def _own(game: Game, name: str) -> Any:
    place = MODULES.get(game.name)
    return getattr(import_module(place), name, None) if place else None

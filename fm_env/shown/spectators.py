"""Positions in words for spectators: what lies open, nobody's cards. And the points that all can see."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fm_env.contract import Game
from fm_env.games.angry_miniatures import constants as angry
from fm_env.games.angry_miniatures import view as angry_view
from fm_env.games.angry_miniatures.combat import side_health
from fm_env.games.fairy_meat import view, view_table
from fm_env.games.fairy_meat.constants import NO_FAIRY, Place, Play
from fm_env.games.fairy_meat.notation import cards_text
from fm_env.games.fairy_meat.scoring import fairy_points, table_points
from fm_env.games.fairy_meat.words import count, readable, score_line
from fm_env.games.fairy_tale import view as tale_view
from fm_env.games.sword_and_shield import constants as joust
from fm_env.games.sword_and_shield import view as joust_view
from fm_env.games.sword_and_shield.notation import cards_text as joust_cards
from fm_env.shown.fairy_meat import SPECTATOR, asked


def fairy_meat(state: Any) -> str:
    """A fight or the whole table; figures to the grain of an eye."""
    s = readable(state)
    on_table = s.play == Play.SKIRMISH
    lines = [view.situation(s)]
    if on_table:
        lines += [score_line(s), *(view_table.map_lines(s, SPECTATOR) if s.table >= 0 else [])]
        there = [f for f in range(s.n_fairies) if s.whereabouts[f] != Place.GONE]
        lines += [view_table.figure_line(s, f, SPECTATOR) for f in there]
        lines += [view_table.item_line(s, k, SPECTATOR) for k in range(s.n_items) if s.weight[k] > 0]
    else:
        lines += [view.fairy_line(s, f, SPECTATOR) for f in range(s.n_fairies)]
    for f in range(s.n_fairies):
        lines += view.fighter_lines(s, f, SPECTATOR)
    if on_table and s.turn != NO_FAIRY:
        lines.append(view_table.turn_line(s, SPECTATOR))
    heap = int(s.heap_up.sum() + s.heap_down.sum())
    seen = cards_text(s.heap_up)
    lines.append(f"deck {count(s.n_deck, 'card')}, Spoils Heap {heap}, seen there: {seen}")
    return "\n".join([*lines, asked(s, SPECTATOR)])


def sword_and_shield(state: Any) -> str:
    """A joust without the hands."""
    s = joust_view.readable(state)
    lines = [f"Turn {int(s.turn)} of {int(s.max_turns)}"]
    for knight in (0, 1):
        lines += joust_view.knight_lines(s, knight, SPECTATOR)
    lines.append(f"deck {joust_view.count(s.n_deck, 'card')}, discards {joust_cards(s, s.discard)}")
    lines += [joust_view.attack_line(s)] if s.card != joust.NO_CARD else []
    return "\n".join([*lines, joust_view.asked_line(s)])


def fairy_tale(state: Any) -> str:
    """Tableaus and points."""
    return tale_view.state_text(state, SPECTATOR)


def angry_miniatures(state: Any) -> str:
    """All of it, from seat 0's edge, once both teams are built."""
    s = angry_view.readable(state)
    if s.phase == angry.Phase.BUILD:
        return "\n".join([*angry_view.board_lines(s, None), "Character sheets are being filled in."])
    return angry_view.state_text(s, None)


TEXTS: dict[str, Callable[[Any], str]] = {
    "angry_miniatures": angry_miniatures,
    "fairy_meat": fairy_meat,
    "fairy_tale": fairy_tale,
    "sword_and_shield": sword_and_shield,
}


def points(game: Game, state: Any) -> list[float] | None:
    """What each seat has won so far, where the table shows it."""
    if game.name == "fairy_meat":
        s = readable(state)
        if s.play == Play.CLASH:
            return [float(s.score if s.owner[0] == seat else -s.score) for seat in range(s.n_seats)]
        counted = table_points if s.play == Play.SKIRMISH else fairy_points
        return [float(counted(s, seat)) for seat in range(s.n_seats)]
    if game.name == "fairy_tale":
        s = readable(state)
        return [float(s.points[seat]) for seat in range(s.n_seats)]
    if game.name == "angry_miniatures":
        s = readable(state)
        hidden = s.phase == angry.Phase.BUILD  # health is written on the sheets
        return None if hidden else [float(side_health(s, seat)) for seat in range(2)]
    return None

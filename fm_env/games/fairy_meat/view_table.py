"""The whole table in words: a map of it, the figures on it, the turn. Never imported by the kernel.

A seat sees places to the grain of an eye, but contact and sight exactly (F-15).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fm_env.games.fairy_meat.constants import (
    FAIRY_NAMES,
    INCH,
    NO_FAIRY,
    NO_WEAPON,
    WEAPON_NAMES,
    Mode,
    Phase,
    Place,
    View,
)
from fm_env.games.fairy_meat.movement import NO_LOAD
from fm_env.games.fairy_meat.observe_table import eye
from fm_env.games.fairy_meat.view import asked_line, fighter_lines, heap_line, situation, turn_words
from fm_env.games.fairy_meat.warband import cost_so_far
from fm_env.games.fairy_meat.words import (
    count,
    fairy_name,
    inch_words,
    inches,
    kind_words,
    score_line,
    spot_words,
)

COLUMNS, ROWS = 48, 24
"""Of the map; a letter is about twice as high as wide."""
FLOOR, BODY, THING = ".", "%", "*"


def table_text(s: Any, seat: int | None) -> str:
    """The position as `seat` sees it; None sees everything."""
    lines = [situation(s), score_line(s)]
    if s.table >= 0:
        lines += map_lines(s, seat)
    if s.phase == Phase.BUILD:
        seats = range(s.n_seats) if seat is None else [seat]
        lines += [warband_line(s, other) for other in seats]
    lines += [figure_line(s, f, seat) for f in range(s.n_fairies) if s.whereabouts[f] != Place.GONE]
    lines += [item_line(s, k, seat) for k in range(s.n_items) if s.weight[k] > 0]
    for f in range(s.n_fairies):
        lines += fighter_lines(s, f, seat)
    if s.turn != NO_FAIRY:
        lines.append(turn_line(s, seat))
    return "\n".join([*lines, heap_line(s, seat), asked_line(s, seat)])


def seen_at(s: Any, place: Any, seat: int | None) -> tuple[float, float]:
    """A place as `seat` knows it: to the grain of an eye."""
    if seat is None:
        return float(place[0]), float(place[1])
    return float(eye(s, place[0])), float(eye(s, place[1]))


# --------------------------------------------------------------------------------------- the map
def map_lines(s: Any, seat: int | None) -> list[str]:
    """North is up. Numbers are heights in inches, `#` ten and more; letters are fairies."""
    cells = [[FLOOR] * COLUMNS for _ in range(ROWS)]
    for k in np.argsort(s.top[: s.n_pieces], kind="stable").tolist():
        mark = str(max(1, round(int(s.top[k]) / INCH))) if s.top[k] < 9500 else "#"
        for row in covered(s, k, 1, ROWS):
            for column in covered(s, k, 0, COLUMNS):
                cells[row][column] = mark
    for k in range(s.n_items):
        if s.weight[k] > 0:
            put(s, cells, seen_at(s, s.thing[k], seat), THING)
    on_table = [f for f in range(s.n_fairies) if s.whereabouts[f] == Place.TABLE]
    for f in sorted(on_table, key=lambda f: bool(s.alive[f])):
        put(s, cells, seen_at(s, s.pos[f], seat), fairy_name(f) if s.alive[f] else BODY)
    lines = []
    for row in reversed(range(ROWS)):
        label = inches(s.side * row / ROWS) if row % 4 == 0 else ""
        lines.append(f"{label:>4} |{''.join(cells[row])}|")
    ruler = "".join(f"{inches(s.side * column / COLUMNS):<8}" for column in range(0, COLUMNS, 8))
    return [*lines, f"      {ruler}{inches(s.side)}"]


def covered(s: Any, k: int, axis: int, cells: int) -> list[int]:
    """The map's columns (axis 0) or rows (1) whose middles a piece is above; thin ones aren't lost."""
    side, centre, half = int(s.side), int(s.centre[k, axis]), int(s.half[k, axis])
    reach = max(half, side / cells / 2)
    return [cell for cell in range(cells) if abs((cell + 0.5) * side / cells - centre) <= reach]


def put(s: Any, cells: list[list[str]], place: tuple[float, float], mark: str) -> None:
    """Write a letter; the next cell free of letters where two figures are in one."""
    column = min(COLUMNS - 1, int(place[0] * COLUMNS / s.side))
    row = min(ROWS - 1, int(place[1] * ROWS / s.side))
    for step in range(COLUMNS):
        at = column + (step + 1) // 2 * (-1 if step % 2 else 1)
        if 0 <= at < COLUMNS and not cells[row][at].isalpha():
            cells[row][at] = mark
            return


# ----------------------------------------------------------------------------------- the figures
def figure_line(s: Any, f: int, seat: int | None) -> str:
    """Her fairy card, where she is, whom she touches and sees, what magic is on her."""
    head = f"{fairy_name(f)} (seat {int(s.owner[f])}, {kind_words(s, f)})"
    card = f"Live {int(s.live[f])} Kill {int(s.kill[f])} Twinkle {int(s.twinkle[f])}"
    card += f", meat {int(s.meat_live[f])}+{int(s.meat_kill[f])}, used Twinkle {int(s.used_twinkle[f])}"
    parts = [where_words(s, f, seat), card]
    if s.alive[f]:
        parts += [turn_words(s, f, seat), *effects(s, f), *facts(s, f)]
        parts += [
            f"{count(s.bank[f, g], 'extra card')} against {fairy_name(g)}"
            for g in np.flatnonzero(s.bank[f]).tolist()
        ]
    return f"{head}: {'; '.join(parts)}"


def where_words(s: Any, f: int, seat: int | None) -> str:
    """Where she is, or her body."""
    if s.whereabouts[f] == Place.AWAY:
        return "to be placed"
    if s.whereabouts[f] == Place.LEFT:
        return "left the field"
    where = spot_words(s, *seen_at(s, s.pos[f], seat), int(s.pos[f, 2]))
    if not s.alive[f]:
        return f"dead, {where}"
    return where


def effects(s: Any, f: int) -> list[str]:
    """Spells on her, and how she moves this turn."""
    words = []
    if s.wind_up[f]:
        words.append(f"wound up by {inch_words(s.wind_up[f])}")
    if s.shimmer[f]:
        words.append(f"shimmer of {count(s.shimmer[f], 'card')}")
    if s.bound[f]:
        words.append("wings bound")
    return words


def facts(s: Any, f: int) -> list[str]:
    """Visible facts: contact, and whom she sees, `~` in part."""
    others = [g for g in range(s.n_fairies) if g != f and s.alive[g] and s.whereabouts[g] == Place.TABLE]
    near = [fairy_name(g) for g in others if s.touch[f, g]]
    marks = {View.CLEAR: "", View.PARTIAL: "~"}
    seen = [marks[View(int(s.sees[f, g]))] + fairy_name(g) for g in others if s.sees[f, g] != View.HIDDEN]
    if s.whereabouts[f] != Place.TABLE:
        return []
    return [f"touches {' '.join(near)}"] * bool(near) + [f"sees {' '.join(seen) or 'nobody'}"]


def item_line(s: Any, k: int, seat: int | None) -> str:
    """Loot that is no corpse."""
    where = spot_words(s, *seen_at(s, s.thing[k], seat), int(s.thing[k, 2]))
    return f"item {k}, weight {int(s.weight[k])}: {where}"


def turn_line(s: Any, seat: int | None) -> str:
    """What the fairy whose turn it is has done, and her flight."""
    words = [f"{fairy_name(s.turn)}'s turn: {Mode(int(s.mode)).name.lower() if s.mode else 'no mode yet'}"]
    words += ["move used"] * bool(s.moved) + ["attack used"] * bool(s.attacked)
    if s.load != NO_LOAD:
        figures = len(s.live)
        body = s.load < figures
        words.append(f"drags {'the body of ' + fairy_name(s.load) if body else f'item {s.load - figures}'}")
    if s.mover != NO_FAIRY:
        x, y = seen_at(s, s.air, seat)
        words.append(f"{fairy_name(s.mover)} is in the air over ({inches(x)}, {inches(y)})")
        words.append(f"has {inch_words(s.budget)} left and gets {inch_words(s.ceiling)} high")
    return ", ".join(words)


def warband_line(s: Any, seat: int) -> str:
    """A warband that is being chosen; only its player sees it (F-70)."""
    fairies = []
    for recruit, arms in zip(s.recruit[seat].tolist(), s.arms[seat].tolist(), strict=True):
        if recruit >= 0:
            weapons = [WEAPON_NAMES[w].replace("_", " ") for w in arms if w != NO_WEAPON]
            kind = f"{('sweet', 'mean')[recruit % 2]} {FAIRY_NAMES[recruit // 2]}"
            fairies.append(f"{kind} ({' and '.join(weapons) or 'unarmed'})")
    cost = f"{int(cost_so_far(s, seat))} of {int(s.points)} points"
    return f"Warband of seat {seat} so far, {cost}: {', '.join(fairies) or 'nobody'}"

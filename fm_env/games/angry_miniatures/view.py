"""Positions of Angry Miniatures in words. Never imported by the kernel.

Figures are called A1 to A3 (seat 0) and B1 to B3 (seat 1). A seat reads the board from its own edge,
with the squares named as its actions name them; without a seat, from seat 0's.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fm_env.games.angry_miniatures.board import turned
from fm_env.games.angry_miniatures.boards import SIGNS
from fm_env.games.angry_miniatures.constants import (
    ATTACK_NAMES,
    CRIT_NAMES,
    FIGURES,
    FIRST_CHANCE,
    FLAW_NAMES,
    NOBODY,
    OFF_BOARD,
    PERK_NAMES,
    SIDE,
    SIZE,
    Phase,
)
from fm_env.games.angry_miniatures.course import is_asked
from fm_env.games.angry_miniatures.notation import words
from fm_env.games.angry_miniatures.observe import square_name
from fm_env.records import as_record, rows_of

SIGN_OF = {ground: sign for sign, ground in SIGNS.items()}
TASKS = {
    Phase.BUILD: "fill in a character sheet",
    Phase.PLACE_FIGURE: "name a figure to deploy",
    Phase.PLACE_CELL: "deploy it",
    Phase.INITIATIVE: "say who starts",
    Phase.ACTIVATE: "name a figure to activate",
    Phase.ACT: "act with it",
    Phase.CRIT: "use a Crit or save it",
    Phase.COMMAND: "move the commanded friend",
}


def figure_name(f: int) -> str:
    """`A1` .. `B3`."""
    return f"{'AB'[f // SIDE]}{f % SIDE + 1}"


def readable(state: Any) -> Any:
    """A copy of the state with its fields as attributes."""
    return as_record(rows_of(state), 0)


def square_seen(s: Any, c: int, seat: int | None) -> str:
    """A square's name from a seat's edge."""
    return square_name(int(turned(s, seat or 0, c)))


def state_text(state: Any, seat: int | None) -> str:
    """The position as `seat` sees it; None sees everything."""
    s = readable(state)
    lines = [f"Round {int(s.round_number)} of {int(s.rounds)}", *board_lines(s, seat)]
    order = range(FIGURES) if seat != 1 else (*range(SIDE, FIGURES), *range(SIDE))
    lines += [figure_line(s, f, seat) for f in order if f % SIDE < s.per_side]
    if s.attacker != NOBODY:
        lines.append(attack_line(s))
    return "\n".join([*lines, asked_line(s, seat)])


def board_lines(s: Any, seat: int | None) -> list[str]:
    """The board from above; a digit after the sign is the elevation."""
    width, height = int(s.width), int(s.height)
    lines = []
    for y in reversed(range(height)):
        cells = []
        for x in range(width):
            c = int(turned(s, seat or 0, y * SIZE + x))
            ground = int(s.ground[c])
            sign = SIGN_OF.get(ground, "?")
            level = str(int(s.level[c])) if s.level[c] else " "
            cells.append(figure_name(int(s.at[c])) if s.at[c] != NOBODY else sign + level)
        lines.append(f"{y + 1:2} " + " ".join(cells).rstrip())
    return [*lines, "   " + "  ".join("abcdefghij"[:width])]


def figure_line(s: Any, f: int, seat: int | None) -> str:
    """Her sheet and how she is; the other seat's sheets are hidden while teams are built."""
    name = figure_name(f)
    hidden = s.phase == Phase.BUILD and seat is not None and f // SIDE != seat
    if hidden or s.max_health[f] == 0:
        return f"{name}: {'hidden' if hidden else unfinished(s, f)}"
    body, mind, spirit = (int(x) for x in s.stat[f])
    parts = [
        f"Body {body} Mind {mind} Spirit {spirit}",
        f"{ATTACK_NAMES[s.attack_type[f]]} {int(s.attack[f])}, Speed {int(s.speed[f])}",
        f"perk {words(PERK_NAMES[s.perk[f]])}, flaw {words(FLAW_NAMES[s.flaw[f]])}",
        f"crit {words(CRIT_NAMES[s.crit[f]])}",
    ]
    if s.attack_type[f]:
        parts[1] += f", Distance {int(s.distance[f])}"
    return f"{name}: {condition(s, f, seat)}; {'; '.join(parts)}"


def unfinished(s: Any, f: int) -> str:
    """What of a sheet is filled in."""
    body, mind, spirit = (int(x) for x in s.stat[f])
    return f"Body {body or '-'} Mind {mind or '-'} Spirit {spirit or '-'} .."


def condition(s: Any, f: int, seat: int | None) -> str:
    """Health and place, and all that is out of the ordinary."""
    if s.health[f] == 0:
        return "dead"
    where = "off the board" if s.cell[f] == OFF_BOARD else square_seen(s, int(s.cell[f]), seat)
    said = [f"{where}, Health {int(s.health[f])} of {int(s.max_health[f])}"]
    marks = (("acted", "has acted"), ("prone", "prone"), ("buffed", "buffed"), ("slowed", "slowed"))
    said += [word for field, word in (*marks, ("crit_used", "Crit used")) if s[field][f]]
    return ", ".join(said)


def roll_text(roll: Any) -> str:
    """Letters of a roll, `-` for none."""
    return "".join(letter * int(n) for letter, n in zip("AKQJ", roll, strict=True)) or "-"


def attack_line(s: Any) -> str:
    """The attack that is going on."""
    targets = " and ".join(figure_name(int(g)) for g in s.caught[: int(s.n_caught)])
    line = f"{figure_name(int(s.attacker))} attacks {targets}"
    if s.phase == Phase.ROLL_ATTACK:
        return line
    return f"{line}; roll {roll_text(s.attack_roll)}, defence {roll_text(s.defence_roll)}"


def asked_line(s: Any, seat: int | None) -> str:
    """Who is to do what. While building, a seat isn't told whether the other is ready."""
    if s.phase == Phase.OVER:
        return "The game is over."
    if s.phase >= FIRST_CHANCE:
        return "Dice are to be rolled."
    asked = [k for k in range(2) if is_asked(s, k)]
    if s.phase == Phase.BUILD and seat is not None:
        asked = [k for k in asked if k == seat]
        if not asked:
            return "The other seat fills in character sheets."
    names = " and ".join(f"Seat {k}" for k in asked)
    figure = next((int(s[name]) for name in ("critter", "commanded", "picked", "active") if s[name] >= 0), -1)
    with_whom = f" ({figure_name(figure)})" if figure >= 0 else ""
    return f"{names}{with_whom}: {TASKS[Phase(int(s.phase))]}."


def differences(before: Any, after: Any, field: str) -> list[int]:
    """Figures whose `field` changed."""
    return np.flatnonzero(before[field] != after[field]).tolist()

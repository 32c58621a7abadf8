"""Small words that texts and pictures share. Never imported by the kernel."""

from __future__ import annotations

import string
from typing import Any

from fm_env.games.fairy_meat.constants import END_SLOT, FAIRY_NAMES, INCH, NO_WEAPON, WEAPON_NAMES, Magic
from fm_env.games.fairy_meat.notation import call_text
from fm_env.games.fairy_meat.scoring import table_points
from fm_env.records import as_record, rows_of

LEGEND = (
    "Cards: 9r is the red nine, Tb a black ten, J Q K A the trumps, X a joker.",
    "Calls: K down to A down, then A up to K up.",
)
"""What who reads a game's text must know beside the rules."""
COLOURS = ("red", "black")
STANCE_WORDS = {1: "posing", -1: "fluttering"}


def fairy_name(f: int) -> str:
    """Fairies are called by letters in texts: A .. Z, then a .. j."""
    return (string.ascii_uppercase + string.ascii_lowercase)[f]


def count(n: int, thing: str, things: str = "") -> str:
    """`1 card`, `2 cards`; `things` where the plural is another word."""
    return f"{int(n)} {thing if n == 1 else things or thing + 's'}"


def inches(length: float) -> str:
    """Thousandths of an inch as inches: `3`, `12.5`, `0.25`."""
    return f"{round(float(length) / INCH, 2):g}"


def inch_words(length: float) -> str:
    """`1 inch`, `2.5 inches`."""
    return f"{inches(length)} inch{'' if inches(length) == '1' else 'es'}"


def spot_words(s: Any, x: float, y: float, z: float) -> str:
    """`at (12.5, 3) on the floor`, `at (4, 5) on piece 2, 3 inches up`."""
    place = f"at ({inches(x)}, {inches(y)})"
    for k in range(s.n_pieces if z > 0 else 0):
        if (
            s.top[k] == z
            and abs(x - s.centre[k, 0]) <= s.half[k, 0]
            and abs(y - s.centre[k, 1]) <= s.half[k, 1]
        ):
            return f"{place} on piece {k}, {inch_words(z)} up"
    return f"{place}, {inch_words(z)} up" if z > 0 else f"{place} on the floor"


def weapon_words(s: Any, f: int) -> str:
    """`ripper and moon dagger`, or `unarmed`."""
    weapons = [WEAPON_NAMES[w].replace("_", " ") for w in s.weapon[f][1:] if w != NO_WEAPON]
    return " and ".join(weapons) or "unarmed"


def kind_words(s: Any, f: int) -> str:
    """`wild, sweet, fairy knife`: what she was bought as."""
    magic = Magic(int(s.magic[f])).name.lower()
    return f"{FAIRY_NAMES[s.fairy_type[f]]}, {magic}, {weapon_words(s, f)}"


def score_line(s: Any) -> str:
    """Points of everybody on a table, with where they come from."""
    points = [
        f"seat {seat} has {int(table_points(s, seat))} "
        f"({count(s.kills[seat], 'kill')}, {int(s.eaten[seat])} of meat)"
        for seat in range(s.n_seats)
    ]
    return f"Points: {', '.join(points)}."


def poll_text(slot: int) -> str:
    """Where the countdown stands."""
    if slot >= END_SLOT:
        return "after the last King"
    where = call_text(slot // 2)
    return f"at {where}" if slot % 2 else f"before {where}"


def readable(state: Any) -> Any:
    """A copy of the state with its fields as attributes."""
    return as_record(rows_of(state), 0)

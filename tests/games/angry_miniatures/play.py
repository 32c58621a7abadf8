"""Fights written down as what happens, played through the public Match.

Figures are called A1 to A3 (seat 0) and B1 to B3 (seat 1), squares by their names from seat 0's edge,
whoever acts: `"A1 to d4"`, `"B1 at A2"`.
"""

from __future__ import annotations

import re
from typing import Any

import fm_env
from fm_env.games.angry_miniatures import actions as act
from fm_env.games.angry_miniatures.board import turned
from fm_env.games.angry_miniatures.constants import SIDE, Phase
from fm_env.games.angry_miniatures.scenario import SQUARES
from fm_env.match import Match
from tests.games.traceability import rule as rule

PLAIN = {"ground": "\n".join(["." * 10] * 10)}
"""Ten by ten open squares."""


def game() -> Any:
    return fm_env.load("angry_miniatures")


def sheet(attack: str = "melee", body: int = 3, mind: int = 3, **more: Any) -> dict[str, Any]:
    """A character of 3, 3, 3 unless told otherwise, whose perk and flaw don't touch the dice."""
    own = {"perk": "speed", "flaw": "struck_slow", "crit": "regenerate", **more}
    return {"body": body, "mind": mind, "spirit": 9 - body - mind, "attack": attack, **own}


def field(*rows: str, levels: str | None = None) -> dict[str, Any]:
    """A board drawn from above; rows that are left out are open and lie below."""
    width = len(rows[0])
    drawn = [*rows, *["." * width] * (10 - len(rows))]
    return {"ground": "\n".join(drawn)} | ({"levels": levels} if levels else {})


def battle(a: list[tuple[Any, ...]], b: list[tuple[Any, ...]], rolls: str = "", **options: Any) -> Match:
    """A fight between figures that stand already, seat 0 to start.

    Args:
        a: seat 0's figures as (sheet, square) or (sheet, square, {"health": .., "prone": ..}); up
            to three. With fewer than three the rest are dead.
        b: seat 1's.
        rolls: throws to come, after the roll for initiative, e.g. `"KQ J first"`.
        **options: of the scenario.
    """
    single = len(a) == len(b) == 1
    figures, teams = [], []
    for side in (a, b):
        rows = [*side, *[(sheet(), None, {"health": 0})] * (0 if single else SIDE - len(side))]
        teams.append([row[0] for row in rows])
        figures.append([{"at": row[1], **(row[2] if len(row) > 2 else {})} for row in rows])
    options.setdefault("board", PLAIN)
    chance = ["first higher", *(roll.replace("first", "first higher") for roll in rolls.split())]
    chance = [roll.replace("second", "second higher") for roll in chance]
    m = game().new_match(
        scenario="duel" if single else "skirmish",
        teams=teams,
        setup={"figures": figures},
        chance=chance,
        **options,
    )
    m.play(0, "go first")
    return m


_NAME = re.compile(r"[AB][123]$")


def play(m: Match, *steps: str) -> Match:
    """Play `"A1 to d4"`, `"A1 at B2"`, `"A1 end"`, `"A1 stand up"`, `"A1 uses A2"`, `"A1 use crit"`,
    `"A1 decline"`. Activations come by themselves.
    """
    for step in steps:
        name, _, what = step.partition(" ")
        f = figure(name)
        seat = f // SIDE
        if m.state.phase == Phase.ACTIVATE:
            m.play(seat, place_of(seat, f))
        m.play(seat, action_of(m, seat, what))
    return m


def action_of(m: Match, seat: int, what: str) -> int | str:
    verb, _, rest = what.partition(" ")
    if verb == "to":
        return act.CELL + turned(m.state, seat, SQUARES[rest])
    if verb in ("at", "uses"):
        return place_of(seat, figure(rest))
    return what


def figure(name: str) -> int:
    assert _NAME.match(name), name
    return SIDE * "AB".index(name[0]) + int(name[1]) - 1


def place_of(seat: int, f: int) -> int:
    """Action that names figure `f` as `seat` sees it."""
    return act.FIGURE + (f + SIDE * seat) % (2 * SIDE)


def can(m: Match, step: str) -> bool:
    """The step is legal for whoever is asked."""
    name, _, what = step.partition(" ")
    seat = figure(name) // SIDE
    action = action_of(m, seat, what)
    return action in (m.legal(seat) if isinstance(action, str) else m.legal_ids(seat))


def goes(m: Match) -> set[str]:
    """Squares that the seat that is asked may choose, named from seat 0's edge."""
    seat = m.pending[0]
    names = {c: name for name, c in SQUARES.items()}
    return {names[turned(m.state, seat, a)] for a in m.legal_ids(seat) if a < act.FIGURE}


def aims(m: Match) -> set[str]:
    """Figures that the seat that is asked may choose."""
    seat = m.pending[0]
    everyone = [f"{side}{k}" for side in "AB" for k in (1, 2, 3)]
    return {name for name in everyone if place_of(seat, figure(name)) in m.legal_ids(seat)}


def health(m: Match) -> list[int]:
    """Health of A1, A2, A3, B1, B2, B3; of A1, B1 in a duel."""
    n = int(m.state.per_side)
    return [int(m.state.health[f]) for f in range(2 * SIDE) if f % SIDE < n]


def square(m: Match, name: str) -> str:
    """Where a figure stands, from seat 0's edge; `-` off the board."""
    cell = int(m.state.cell[figure(name)])
    return next((label for label, c in SQUARES.items() if c == cell), "-")


def dice_rolled(m: Match) -> list[tuple[str, int]]:
    """Every pool that was rolled: who and how many dice."""
    found = (re.match(r"([AB]\d) rolls (\d+) di", event.words) for event in m.log)
    return [(hit[1], int(hit[2])) for hit in found if hit]


def words(m: Match, n: int = 1) -> str:
    """The last `n` sentences of the log."""
    return " ".join(event.words for event in m.log[-n:])

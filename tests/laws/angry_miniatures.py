"""What the laws need to know about Angry Miniatures: its scenarios, how to break a state, its symmetry."""

from __future__ import annotations

from typing import Any

from fm_env.games.angry_miniatures.board import lay_steps, turned
from fm_env.games.angry_miniatures.constants import FIGURES, NOBODY, SIDE
from fm_env.games.angry_miniatures.state import Fault

CASES: list[tuple[str, dict[str, Any], str, int, int]] = [
    ("duel", {"board": "closet"}, "", 16, 300),
    ("duel", {"teams": "build", "board": "thicket"}, "build", 12, 300),
    ("skirmish", {}, "", 6, 300),
    ("skirmish", {"board": "hill", "teams": ("playtest", "hunters")}, "hill", 6, 300),
    (
        "skirmish",
        {"board": "crossing", "teams": "build", "caster_immune": True, "melee_guard": True, "rounds": 6},
        "build",
        6,
        300,
    ),
]
"""Scenario, options, label, random games, positions looked at."""

ALL_FAULTS = sum(Fault)


# ------------------------------------------------------------------------------------ faults
def _no_such_round(state: Any) -> None:
    state.round_number = state.rounds + 1


def _open_border(state: Any) -> None:
    state.ground[0] = 16


def _tenth_point(state: Any) -> None:
    state.stat[0, 0] += 1


def _two_places(state: Any) -> None:
    state.at[0] = 0 if state.at[0] != 0 else 3


def _overhealthy(state: Any) -> None:
    state.health[0] = state.max_health[0] + 1


def _no_such_phase(state: Any) -> None:
    state.phase = 99


def _no_such_figure(state: Any) -> None:
    state.active = FIGURES


def _thirteen_dice(state: Any) -> None:
    state.dice = 13


BREAKERS = {
    int(Fault.OPTION): _no_such_round,
    int(Fault.BOARD): _open_border,
    int(Fault.SHEET): _tenth_point,
    int(Fault.PLACE): _two_places,
    int(Fault.HEALTH): _overhealthy,
    int(Fault.PHASE): _no_such_phase,
    int(Fault.FIGURE): _no_such_figure,
    int(Fault.DICE): _thirteen_dice,
}


# ---------------------------------------------------------------------------------- rotation
def _other(f: int) -> int:
    return NOBODY if f == NOBODY else (f + SIDE) % FIGURES


def rotate(old: Any, new: Any) -> None:
    """The players change seats: their figures change numbers and the board turns by half."""
    for name in old.dtype.names:
        value = old[name]
        if getattr(value, "shape", ()) and value.shape[0] == FIGURES and name != "caught":
            for f in range(FIGURES):
                new[name][_other(f)] = value[f]
    for f in range(FIGURES):
        if old.cell[f] != NOBODY:
            new.cell[_other(f)] = turned(old, 1, old.cell[f])
        new.caught[f] = _other(int(old.caught[f]))
    for c in range(int(old.last) + 1):
        there = turned(old, 1, c)
        for name in ("ground", "level", "reach", "way", "targets"):
            new[name][there] = old[name][c]
        new.at[there] = _other(int(old.at[c]))
    for name in ("picked", "active", "attacker", "critter", "commanded"):
        new[name] = _other(int(old[name]))
    for name in ("turn", "starter"):
        new[name] = NOBODY if old[name] == NOBODY else 1 - old[name]
    new.built[:] = old.built[::-1]
    new.beside = sum(1 << _other(f) for f in range(FIGURES) if int(old.beside) >> f & 1)
    lay_steps(new)

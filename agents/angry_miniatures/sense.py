"""Reading an Angry Miniatures observation back into figures and squares, for compiled bots.

Bots get the same numbers as any learner. Offsets come from the observation's labels, so a new entry
moves them along. Squares and places are those of the seat that looks: own figures 0 to 2.
"""

from __future__ import annotations

from fm_env.compiled import rule
from fm_env.games.angry_miniatures.constants import FIGURES, SIDE
from fm_env.games.angry_miniatures.observe import figure_labels, observation_labels

_LABELS = observation_labels()
_ROW = figure_labels()

BUILDS_FIGURE = _LABELS.index("builds figure 0")
ROWS = _LABELS.index("figure 0: body /7")
ROW = len(_ROW)
REACH = _LABELS.index("plane reach /8: a1")
TARGETS = _LABELS.index("plane targets 0: a1")
NEARNESS = _LABELS.index("plane nearness of enemies: a1")
COVER = _LABELS.index("plane cover: a1")
MOVED = _LABELS.index("move is over")
ATTACKED = _LABELS.index("has attacked")

MELEE = _ROW.index("melee")
ON_BOARD = _ROW.index("on board")
HEALTH = _ROW.index("health /7")
ACTIVE = _ROW.index("active")
PLACED = _ROW.index("being placed")
COMMANDED = _ROW.index("is commanded")
OPEN = _ROW.index("open to attack")
ATTACK_DICE = _ROW.index("attack dice /12")
DEFENCE_DICE = _ROW.index("defence dice /12")
THREATENS = _ROW.index("threatens 0")
ACTED = _ROW.index("has acted")


@rule
def in_phase(obs, phase):
    return obs[phase] > 0


@rule
def row(place):
    """Where the row of a place begins."""
    return ROWS + ROW * place


@rule
def own_with(obs, entry):
    """Place of the own figure whose entry is set, or -1."""
    for k in range(SIDE):
        if obs[row(k) + entry] > 0:
            return k
    return -1


@rule
def health(obs, place):
    """Health left; 0 for the dead."""
    return int(obs[row(place) + HEALTH] * 7 + 0.5)


@rule
def is_shooter(obs, place):
    return obs[row(place) + MELEE] == 0


@rule
def advantage(obs, place):
    """Dice by which an attack on the place would be ahead, just now."""
    return 12 * (obs[row(place) + ATTACK_DICE] - obs[row(place) + DEFENCE_DICE])


@rule
def weakest_enemy(obs, threatened_by):
    """Place of the living enemy with least Health, only those in the range of an own figure if that
    isn't -1; -1 for none.
    """
    best, least = -1, 99
    for k in range(SIDE, FIGURES):
        left = health(obs, k)
        near = threatened_by < 0 or obs[row(threatened_by) + THREATENS + k - SIDE] > 0
        if left > 0 and near and left < least:
            best, least = k, left
    return best

"""Before round 1: choosing a warband and placing it, for bots at the whole table.

A style is: whom to recruit, with what, and how far from the enemy and from friends to stand.
"""

from __future__ import annotations

import numpy as np

from agents.fairy_meat import sense
from agents.fairy_meat import table_sense as ts
from fm_env.compiled import rule
from fm_env.games.fairy_meat import actions as act
from fm_env.games.fairy_meat.constants import COARSE, FINE, MAX_FIGURES, FairyType, Magic

NUM_STYLES = 5
BRAWLER, SNIPER, WITCH, SCAVENGER, TACTICIAN = range(NUM_STYLES)

_WILD, _GLITTER, _SEASONED = (2 * int(kind) + 1 for kind in FairyType)  # the sweet ones
_MEAN = int(Magic.MEAN) - 1
RECRUITS = np.array([_WILD, _WILD, _GLITTER + _MEAN, _WILD, _WILD + _MEAN], np.int64)
"""Who each style recruits, as offsets from `actions.RECRUIT`."""
WEAPONS = np.array([4, 2, 5, 5, 1], np.int64)
"""With what: knives, brownie bows, moon daggers, moon daggers, bows."""
WANTED_GAP = np.array([17.0, 24.0, 20.0, 17.0, 22.0], np.float64)
"""Inches from the nearest enemy at which each style likes to start."""
LIKES_HEIGHT = np.array([0.0, 2.0, 0.5, 0.0, 1.0], np.float64)
NOT_ALLOWED = 17.0
"""Nearer than this a place is not open, or hardly (F-64)."""


@rule
def build(obs, mask, style):
    """Recruits of the style as long as the points last, each with the weapon of the style."""
    if mask[act.ARM]:
        weapon = act.ARM + WEAPONS[style]
        return weapon if mask[weapon] else act.ARM
    if mask[act.RECRUIT + RECRUITS[style]]:
        return act.RECRUIT + int(RECRUITS[style])
    for recruit in range(6, 0, -1):
        if mask[act.RECRUIT + recruit]:
            return act.RECRUIT + recruit
    return act.RECRUIT


@rule
def has_any(mask, first, n):
    """Whether one of `n` actions from `first` on is legal."""
    for a in range(first, first + n):
        if mask[a]:
            return True
    return False


@rule
def place(obs, mask, style):
    """A column, then a row, then a spot."""
    size = ts.side(obs)
    cell, spot = size / COARSE, size / (COARSE * FINE)
    best, most = -1, -1e9
    if has_any(mask, act.SPOT, FINE * FINE):
        column, row = sense.whole(obs[ts.COLUMN] * 12) - 1, sense.whole(obs[ts.COLUMN + 1] * 12) - 1
        for k in range(FINE * FINE):
            if mask[act.SPOT + k]:
                x, y = column * cell + (k % FINE + 0.5) * spot, row * cell + (k // FINE + 0.5) * spot
                score = worth_of_place(obs, style, x, y)
                if score > most:
                    best, most = act.SPOT + k, score
        return best
    fixed = has_any(mask, act.ROW, COARSE)
    column = sense.whole(obs[ts.COLUMN] * 12) - 1
    for a in range(COARSE):
        if not mask[(act.ROW if fixed else act.COLUMN) + a]:
            continue
        for b in range(1 if fixed else COARSE):
            x = (column + 0.5) * cell if fixed else (a + 0.5) * cell
            y = (a + 0.5) * cell if fixed else (b + 0.5) * cell
            score = worth_of_place(obs, style, x, y)
            if score > most:
                best, most = (act.ROW if fixed else act.COLUMN) + a, score
    return best


@rule
def worth_of_place(obs, style, x, y):
    """Near the wanted distance from the nearest enemy, near friends, not on the edge, high up."""
    size = ts.side(obs)
    enemy, friend = 1e9, 1e9
    for k in range(MAX_FIGURES):
        row = ts.figure(k)
        if obs[row + ts.THERE] > 0:
            dx, dy = (obs[row + ts.X] + 1) * 0.5 * size - x, (obs[row + ts.X + 1] + 1) * 0.5 * size - y
            far = (dx * dx + dy * dy) ** 0.5
            if obs[row + ts.MINE] > 0:
                friend = min(friend, far)
            else:
                enemy = min(enemy, far)
    middle = abs(x - 0.5 * size) + abs(y - 0.5 * size)
    score = LIKES_HEIGHT[style] * min(ts.height_at(obs, x, y), 4.0)
    score -= 0.05 * middle if style != SNIPER else 0.02 * abs(middle - 0.5 * size)
    if enemy < 1e9:
        score -= abs(enemy - WANTED_GAP[style])
        if enemy < NOT_ALLOWED:
            score -= 50.0
    if friend < 1e9:
        score -= 0.4 * max(0.0, friend - 4.0)
    return score

"""Eating the dead (rulebook, Eating Meat; F-62, F-63, F-72, F-73)."""

from __future__ import annotations

from fm_env.compiled import rule
from fm_env.games.fairy_meat import actions as act
from fm_env.games.fairy_meat.constants import LIFE_CAP, Mode, Place
from fm_env.games.fairy_meat.movement import NO_LOAD, is_loot
from fm_env.games.fairy_meat.sight import look_around

LIVE, KILL = 0, 1


@rule
def has_point(s, g, point):
    return s.meat_live[g] > 0 if point == LIVE else s.meat_kill[g] > 0


@rule
def is_food(s, f, g, point):
    """A corpse in base contact with such a point on it, friend or foe (F-62)."""
    return g != f and is_loot(s, g) and s.touch[f, g] == 1 and has_point(s, g, point)


@rule
def has_food(s, f, point):
    for g in range(s.n_fairies):
        if is_food(s, f, g, point):
            return True
    return False


@rule
def legal_bites(s, f, out):
    """One bite for the attack given up, one for the move, never at 12 Fairy Points (F-63).

    Who has posed for her attack has no move left to give up (F-93).
    """
    if s.live[f] + s.kill[f] >= LIFE_CAP:
        return 0
    n = 0
    for point in range(2):
        if has_food(s, f, point):
            if not s.attacked:
                out[act.EAT + point] = True
                n += 1
            if not s.moved and s.mode != Mode.POSE:
                out[act.EAT + 2 + point] = True
                n += 1
    return n


@rule
def give_up_for_bite(s, f, instead_of_moving):
    """What she gives up for the bite; eating in place of moving is no Pose (F-26)."""
    if instead_of_moving:
        s.moved = 1
        if s.mode == Mode.NONE:
            s.mode = Mode.EATEN
            s.stance[f] = 0
    else:
        s.attacked = 1


@rule
def bite(s, f, g, point):
    """A point goes from the corpse's Meat section to her Life section; a stripped corpse is gone, out of
    the hands of who had taken hold of it (F-63).

    One's own dead feed but score only by option (F-72). Twinkle Points are no meat (F-61).
    """
    if point == LIVE:
        s.meat_live[g] -= 1
        s.live[f] += 1
    else:
        s.meat_kill[g] -= 1
        s.kill[f] += 1
    if s.owner[g] != s.owner[f] or s.score_own_meat:
        s.eaten[s.owner[f]] += 1
    if s.meat_live[g] + s.meat_kill[g] == 0:
        s.whereabouts[g] = Place.GONE
        look_around(s, g)
        if s.load == g:
            s.load = NO_LOAD

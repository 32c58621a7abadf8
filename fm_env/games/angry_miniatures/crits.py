"""Crits: two or more Aces in a pool (A:65-70, A-24, A-31, A-35)."""

from __future__ import annotations

from fm_env.compiled import rule
from fm_env.games.angry_miniatures import dice
from fm_env.games.angry_miniatures.board import distance, find_ways
from fm_env.games.angry_miniatures.combat import defender
from fm_env.games.angry_miniatures.constants import NOBODY, OFF_BOARD, SIDE, Crit, Phase

REGENERATE = int(Crit.REGENERATE)
MAGIC_HEAL = int(Crit.MAGIC_HEAL)
MAGIC_BUFF = int(Crit.MAGIC_BUFF)
COMMANDING = int(Crit.COMMANDING)
KNOCK_DOWN = int(Crit.KNOCK_DOWN)

ATTACK_CRIT, DEFENCE_CRIT, DAMAGE = range(3)
"""Stages of a comparison, after its rolls."""


@rule
def find_critter(s):
    """The next figure at this comparison who may use her Crit, or NOBODY (A-24, A-25, A-36).

    The attacker first, and only at her main target: her one roll can trigger once.
    """
    if s.stage == ATTACK_CRIT:
        s.stage = DEFENCE_CRIT
        if s.facing == 0 and s.attack_roll[dice.ACES] >= 2 and can_crit(s, int(s.attacker)):
            return int(s.attacker)
    if s.stage == DEFENCE_CRIT:
        s.stage = DAMAGE
        if s.defence_roll[dice.ACES] >= 2 and can_crit(s, defender(s)):
            return defender(s)
    return NOBODY


@rule
def can_crit(s, f):
    """Once a round, and only where it would do something (A-24, A-36)."""
    if s.crit_used[f] == 1:
        return False
    if s.crit[f] == REGENERATE:
        return s.health[f] < s.max_health[f]
    if s.crit[f] == KNOCK_DOWN:
        return s.prone[foe(s, f)] == 0 and foe(s, f) != f
    for g in range(f // SIDE * SIDE, f // SIDE * SIDE + SIDE):
        if is_crit_target(s, f, g):
            return True
    return False


@rule
def foe(s, f):
    """The other figure of the comparison."""
    return defender(s) if f == s.attacker else int(s.attacker)


@rule
def is_crit_target(s, f, g):
    """Friend `g` can be healed, buffed or commanded by `f` (A-31, A-36)."""
    if g == f or g // SIDE != f // SIDE or s.cell[g] == OFF_BOARD:
        return False
    if s.crit[f] == MAGIC_HEAL:
        near = distance(int(s.cell[f]), int(s.cell[g])) <= s.distance[f]
        return near and s.health[g] < s.max_health[g]
    if s.crit[f] == MAGIC_BUFF:
        return s.buffed[g] == 0
    return s.crit[f] == COMMANDING and s.acted[g] == 1 and s.prone[g] == 0 and g != s.active


@rule
def use_crit(s, f, g):
    """Regenerate, Magic Heal, Magic Buff, Commanding (A-31), Knock Down (A-35); `g` is aimed at."""
    s.crit_used[f] = 1
    s.critter = NOBODY
    if s.crit[f] == REGENERATE:
        s.health[f] += 1
    elif s.crit[f] == KNOCK_DOWN:
        s.prone[foe(s, f)] = 1
    elif s.crit[f] == MAGIC_HEAL:
        s.health[g] += 1
    elif s.crit[f] == MAGIC_BUFF:
        s.buffed[g] = 1
    else:
        s.commanded = g
        find_ways(s, g, int(s.speed[g]) // 2)
        s.targets[:] = 0
        s.phase = Phase.COMMAND

"""What the bots have in common: deploying, building, Crits, and ways of choosing a square or target."""

from __future__ import annotations

import numpy as np

from agents.angry_miniatures import sense
from fm_env.compiled import rule
from fm_env.games.angry_miniatures import actions as act
from fm_env.games.angry_miniatures.constants import (
    BUILD_STEPS,
    CELLS,
    FIGURES,
    SIDE,
    SIZE,
    Attack,
    Crit,
    Flaw,
    Perk,
)

FORWARD, BACK = 1.0, -1.0
"""Whether nearness to enemies is sought or shunned."""
ANY_TARGET = -1


@rule
def first_legal(mask):
    for a in range(len(mask)):
        if mask[a]:
            return a
    return -1


# ------------------------------------------------------------------------------ before the fight
SHEETS = np.array(
    [
        (5, 3, Attack.MELEE, Perk.ATTACK, Flaw.DEFENCE_MAGIC, Crit.REGENERATE),
        (3, 5, Attack.RANGE, Perk.ATTACK, Flaw.STRUCK_SLOW, Crit.KNOCK_DOWN),
        (2, 2, Attack.MAGIC, Perk.ATTACK, Flaw.STRUCK_SLOW, Crit.KNOCK_DOWN),
    ],
    np.int64,
) + np.array([act.BODY - 1, act.MIND - 1, act.ATTACK, act.PERK, act.FLAW, act.CRIT])
"""Entries of three sheets, as actions: a hobgoblin, an archer and a sorcerer."""


@rule
def build_entry(obs, mask):
    """The next entry of `SHEETS`."""
    for figure in range(SIDE):
        if obs[sense.BUILDS_FIGURE + figure] > 0:
            for step in range(BUILD_STEPS):
                if mask[SHEETS[figure, step]]:
                    return SHEETS[figure, step]
    return first_legal(mask)


@rule
def deployment_square(obs, mask):
    """Fighters in the second row, shooters in the first, near the middle."""
    shooter = sense.is_shooter(obs, sense.own_with(obs, sense.PLACED))
    best, most = -1, -99.0
    for c in range(CELLS):
        if mask[act.CELL + c]:
            row = c // SIZE
            score = float(-row if shooter else row) * 10 - abs(2 * (c % SIZE) - SIZE + 1)
            if score > most:
                best, most = act.CELL + c, score
    return best


# -------------------------------------------------------------------------------------- squares
@rule
def best_square(obs, mask, target, direction):
    """The legal square from which the target (or any) can be attacked, best by nearness to enemies.

    Args:
        obs: the observation.
        mask: legal actions.
        target: place of the enemy to be attacked from there, `ANY_TARGET`, or below that none.
        direction: `FORWARD` or `BACK`; equal squares go by cover, then by number.

    Returns:
        An action, or -1 if there is no such square.
    """
    best, most = -1, -99.0
    for c in range(CELLS):
        if mask[act.CELL + c] and (target < ANY_TARGET or is_aimed_at(obs, c, target)):
            score = direction * obs[sense.NEARNESS + c] - 0.001 * obs[sense.REACH + c]
            if score > most:
                best, most = act.CELL + c, score
    return best


@rule
def is_aimed_at(obs, c, target):
    """The active figure could attack the target, or any enemy, from square `c`."""
    for k in range(SIDE):
        if (target == ANY_TARGET or target == SIDE + k) and obs[sense.TARGETS + CELLS * k + c] > 0:
            return True
    return False


NO_TARGET = ANY_TARGET - 1


# -------------------------------------------------------------------------------------- targets
@rule
def best_open_enemy(obs, mask, weakest):
    """Action that attacks the enemy with least Health, or the one with most dice to gain; -1 for none."""
    best, most = -1, -999.0
    for k in range(SIDE, FIGURES):
        if mask[act.FIGURE + k]:
            score = sense.advantage(obs, k)
            if weakest:
                score -= 20 * sense.health(obs, k)
            if score > most:
                best, most = act.FIGURE + k, score
    return best


@rule
def figure_to_activate(obs, mask, weakest):
    """Whoever has an enemy in range (the weakest enemy, if asked for), else the first."""
    target = sense.weakest_enemy(obs, -1)
    for k in range(SIDE):
        if mask[act.FIGURE + k]:
            for enemy in range(SIDE, FIGURES):
                wanted = enemy == target or not weakest
                if wanted and obs[sense.row(k) + sense.THREATENS + enemy - SIDE] > 0:
                    return act.FIGURE + k
    return first_legal(mask)


# ---------------------------------------------------------------------------------------- Crits
@rule
def crit_choice(obs, mask):
    """Always used: on the friend with least Health where it needs an aim."""
    if mask[act.USE_CRIT]:
        return act.USE_CRIT
    best, least = act.DECLINE, 99
    for k in range(SIDE):
        if mask[act.FIGURE + k] and sense.health(obs, k) < least:
            best, least = act.FIGURE + k, sense.health(obs, k)
    return best


@rule
def command_choice(obs, mask):
    """A commanded shooter steps back, a fighter closes in."""
    friend = sense.own_with(obs, sense.COMMANDED)
    direction = BACK if sense.is_shooter(obs, friend) else FORWARD
    action = best_square(obs, mask, NO_TARGET, direction)
    return action if action >= 0 else act.DECLINE

"""The whole table, phase by phase, for all bots: what a style leaves open is the same for all.

Cards are laid as the bot of that name lays them in a duel: an observation of the table begins with
the fight at hand as a duel shows it.
"""

from __future__ import annotations

from agents.fairy_meat import sense, tactician
from agents.fairy_meat import table_moves as moves
from agents.fairy_meat import table_sense as ts
from agents.fairy_meat import table_setup as setup
from agents.fairy_meat import table_styles as styles
from agents.fairy_meat import table_value as value
from agents.fairy_meat.common import earliest_plan, first_legal
from agents.fairy_meat.table_setup import TACTICIAN, WITCH
from fm_env.compiled import rule
from fm_env.games.fairy_meat import actions as act
from fm_env.games.fairy_meat.constants import (
    MAX_FIGURES,
    WEAPON_SLOTS,
    Aim,
    Phase,
    Spell,
)
from fm_env.games.fairy_meat.observe_table import NUM_PHASES

FIRST_PHASE = int(Phase.BUILD)
_SHARED = (Phase.THINK, Phase.PLAN, Phase.PICK_OWN, Phase.ACT, Phase.TARGET, Phase.REDIRECT)
SHARED = tuple(int(phase) for phase in (*_SHARED, Phase.NEXT_ATTACK, Phase.RECAST))
"""Phases of a fight that are asked otherwise at a table."""
AIM_SPELL, EAT_LIVE, EAT_KILL = int(Aim.SPELL), int(Aim.EAT_LIVE), int(Aim.EAT_KILL)
ROSE_PRICK, SHIMMER, WING_BIND = int(Spell.ROSE_PRICK), int(Spell.SHIMMER), int(Spell.WING_BIND)


@rule
def on_table(obs, phase):
    """Whether the phase is that one of the whole table's own."""
    return obs[ts.PHASE + phase - FIRST_PHASE] > 0


@rule
def is_of_table(obs):
    """Whether this choice is one of the table and not of the cards."""
    for phase in range(NUM_PHASES):
        if obs[ts.PHASE + phase] > 0:
            return True
    for phase in SHARED:
        if obs[sense.PHASE + phase] > 0:
            return True
    return False


@rule
def table_choice(style, obs, mask, params):
    """A choice on the table, of a bot of that style."""
    if on_table(obs, Phase.BUILD):
        return setup.build(obs, mask, style)
    if on_table(obs, Phase.PICK_FIGURE) or sense.in_phase(obs, Phase.PICK_OWN):
        return first_legal(mask)
    if on_table(obs, Phase.CELL) or on_table(obs, Phase.SPOT):
        return setup.place(obs, mask, style)
    me = ts.at_hand(obs)
    if sense.in_phase(obs, Phase.THINK):
        return think(style, obs, mask, me)
    if sense.in_phase(obs, Phase.PLAN):
        late = (
            tactician.plan_late(obs, me, params) if style == TACTICIAN else styles.plan_late(style, obs, me)
        )
        return act.HOLD if late else earliest_plan(mask)
    if sense.in_phase(obs, Phase.ACT):
        if style == TACTICIAN:
            return tactician.acts(obs, mask, me, params)
        return styles.acts(style, obs, mask, me)
    if on_table(obs, Phase.MODE):
        return tactician.stance(obs, me, params) if style == TACTICIAN else styles.stance(style, obs, me)
    if on_table(obs, Phase.POWER):
        return act.POWER  # one card hurts nearly as much as three (see `table_value`)
    if on_table(obs, Phase.MOVE) or on_table(obs, Phase.DISTANCE):
        what, whom = goal_of(style, obs, me, params)
        return moves.step(obs, mask, me, what, whom)
    if sense.in_phase(obs, Phase.TARGET):
        return point(style, obs, mask, me, params)
    return point_in_fight(obs, mask)


@rule
def goal_of(style, obs, me, params):
    return tactician.goal(obs, me, params) if style == TACTICIAN else styles.goal(style, obs, me)


@rule
def think(style, obs, mask, me):
    """A Twinkle Point for another Order Card, if one is left and magic has no better use for it."""
    if style == WITCH or (style == TACTICIAN and obs[ts.figure(me) + ts.MEAN] > 0):
        return act.THINK
    return act.THINK + 1 if mask[act.THINK + 2] else act.THINK


@rule
def trades(style, obs):
    """Whether she gives a trump for a used Twinkle Point: witches do, while cards are left to fight with."""
    if style != WITCH and style != TACTICIAN:
        return False
    mean = obs[ts.figure(ts.at_hand(obs)) + ts.MEAN] > 0
    return mean and sense.whole(obs[ts.ME + sense.HAND] * 24) > 2


@rule
def point(style, obs, mask, me, params):
    """At whom: by what it is for."""
    target = -1
    if obs[ts.AIM] > 0:
        target = target_of_attack(obs, mask)
    elif obs[ts.AIM + AIM_SPELL] > 0:
        target = target_of_spell(obs, me)
    elif obs[ts.AIM + EAT_LIVE] > 0 or obs[ts.AIM + EAT_KILL] > 0:
        for k in range(MAX_FIGURES):
            if mask[act.TARGET + k] and (target < 0 or ts.scores(obs, k)):
                target = k
    else:
        what, whom = goal_of(style, obs, me, params)
        if what == moves.ONTO:
            return act.PIECE + whom if mask[act.PIECE + whom] else first_legal(mask)
        target = whom
    if target >= 0 and mask[act.TARGET + target]:
        return act.TARGET + target
    return first_legal(mask)


@rule
def target_of_attack(obs, mask):
    """The enemy on whom the weapon in use is worth most; -1 if there is only a friend."""
    slot = 0
    for w in range(1, WEAPON_SLOTS):
        if obs[ts.ME + sense.USES + w] > 0:
            slot = w
    best, most = -1, -1.0
    for k in range(MAX_FIGURES):
        if mask[act.TARGET + k] and ts.is_enemy(obs, k):
            worth = value.worth_with(obs, k, slot, 0) if value.is_in_reach(obs, k, slot) else 0.0
            if worth > most:
                best, most = k, worth
    return best


@rule
def target_of_spell(obs, me):
    if obs[ts.SPELL + ROSE_PRICK] > 0:
        target, _ = value.best_thorn(obs)
        return target
    if obs[ts.SPELL + WING_BIND] > 0:
        return styles.to_bind(obs)
    if obs[ts.SPELL + SHIMMER] > 0:
        return styles.to_shield(obs, me)
    return me


@rule
def point_in_fight(obs, mask):
    """The next attack, a redirected shot or a turned spell: the weakest enemy, else nobody."""
    best, least = -1, 99
    for k in range(MAX_FIGURES):
        if mask[act.TARGET + k] and ts.is_enemy(obs, k):
            points = ts.live(obs, k) + ts.kill(obs, k)
            if points < least:
                best, least = k, points
    if best >= 0:
        return act.TARGET + best
    if mask[act.STOP]:
        return act.STOP
    if mask[act.DECLINE]:
        return act.DECLINE
    return first_legal(mask)

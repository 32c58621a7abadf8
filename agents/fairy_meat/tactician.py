"""`tactician`: values what it can do with a turn in points of the game and does the best.

An attack is worth its expected wounds and its chance to kill (`table_value`), a bite a point and a
little health. It compares attacking from here with flying to somebody to attack or to eat. It acts
early while it has something to do and holds its Order Card otherwise, for the defender's card;
it comes out of hiding when it has waited long enough. A move for which it has no better use takes
it into cover from whoever is most dangerous from afar.
"""

from __future__ import annotations

from agents.fairy_meat import sense
from agents.fairy_meat import table_cover as cover
from agents.fairy_meat import table_moves as moves
from agents.fairy_meat import table_sense as ts
from agents.fairy_meat import table_styles as styles
from agents.fairy_meat import table_value as value
from fm_env.compiled import rule
from fm_env.games.fairy_meat import actions as act
from fm_env.games.fairy_meat.constants import MAX_FIGURES

BITE, PATIENCE, SAFETY = 1, 2, 3  # after the trust with which it lays cards


@rule
def fullness(obs, me):
    return ts.live(obs, me) + ts.kill(obs, me)


@rule
def worth_of_bite(obs, me, k, params):
    """A bite from corpse `k`: a point if it scores, and health."""
    if fullness(obs, me) >= 12:
        return 0.0
    return (1.0 if ts.scores(obs, k) else 0.0) + params[BITE]


@rule
def food_at_hand(obs, me, params):
    """What a bite from what she touches is worth."""
    most = 0.0
    for k in range(MAX_FIGURES):
        if ts.is_food(obs, k, me) and ts.touches(obs, k):
            most = max(most, worth_of_bite(obs, me, k, params))
    return most


@rule
def best_trip(obs, me, params):
    """To whom it is worth most to fly for an attack or a bite this turn: her place (or -1) and the
    worth. Who has attacked flies for food only.
    """
    best, most = -1, 0.0
    slot = value.best_charge(obs)
    can_hit = obs[ts.ATTACKED] == 0 and ts.kill(obs, me) > 0
    for k in range(MAX_FIGURES):
        if k == me or ts.touches(obs, k):
            continue
        worth = 0.0
        if ts.is_food(obs, k, me) and ts.scores(obs, k):
            worth = worth_of_bite(obs, me, k, params)
        elif ts.is_enemy(obs, k) and can_hit:
            worth = value.worth_with(obs, k, slot, 0)
        if worth > most and moves.mode_to_reach(obs, me, k) > 0:
            best, most = k, worth
    return best, most


@rule
def wants_sight(obs, me):
    """Whether she has something to send from afar; who has no Kill can't shoot."""
    return (value.has_shot(obs, me) and ts.kill(obs, me) > 0) or styles.can_thorn(obs, me)


@rule
def goal(obs, me, params):
    """Where she would move: what, and whom (see `table_moves`)."""
    trip, _ = best_trip(obs, me, params)
    if trip >= 0:
        return moves.CONTACT, trip
    enemy = moves.nearest_enemy(obs)
    if enemy < 0:
        return moves.STAY, -1
    if obs[ts.ATTACKED] > 0:
        if value.has_shot(obs, me) and ts.range_to(obs, enemy) < styles.DANGER:
            return moves.AWAY, -1
        return shelter_or_stay(obs, me, params)
    if wants_sight(obs, me) and not styles.sees_in_range(obs, ts.reach_of(obs, me)):
        return (moves.CONTACT if ts.i_see(obs, enemy) > 0 else moves.SIGHT), enemy
    food = moves.nearest_food(obs, me, True)
    if food >= 0 and ts.gap(obs, food) < moves.NEAR_ENOUGH + 6.0:
        return moves.CONTACT, food
    weak = ts.kill(obs, me) == 0
    if weak or ts.touches(obs, enemy) or obs[ts.ROUND] * 16 < params[PATIENCE]:
        return shelter_or_stay(obs, me, params)
    return moves.CONTACT, enemy


@rule
def shelter_or_stay(obs, me, params):
    """Into cover, if that saves more than her safety is worth."""
    whom, saved = cover.shelter(obs, me)
    if whom >= 0 and saved >= params[SAFETY]:
        return moves.COVER, whom
    return moves.STAY, -1


@rule
def acts(obs, mask, me, params):
    """The next act of her turn."""
    bite = food_at_hand(obs, me, params)
    if bite >= 1.0 and obs[ts.MOVED] == 0:
        for k in (3, 2):
            if mask[act.EAT + k]:
                return act.EAT + k
    spell = best_spell(obs, mask, me)
    if spell >= 0:
        return spell
    slot, _, hit = value.best_attack(obs, mask, True, True)
    may_go = obs[ts.MOVED] == 0 and styles.can_set_off(mask)
    there = 0.0
    if may_go:
        _, there = best_trip(obs, me, params)
    if mask[act.EAT] or mask[act.EAT + 1]:
        if bite >= hit and bite >= there and bite > 0.0:
            return act.EAT + 1 if mask[act.EAT + 1] else act.EAT
    if slot >= 0 and hit >= there:
        return act.ATTACK + slot
    if may_go:
        what, whom = goal(obs, me, params)
        if what != moves.STAY:
            mode = moves.mode_for(obs, mask, me, what, whom)
            if mode > 0:
                return act.MODE + mode - 1
    if slot >= 0:
        return act.ATTACK + slot
    if mask[act.REST] and not mask[act.ATTACK]:
        return act.REST
    return act.END_TURN


@rule
def best_spell(obs, mask, me):
    """Thorns while somebody is in sight; what is left binds who comes, or shields the frailest."""
    if mask[act.SPELL + styles.ROSE_PRICK]:
        target, _ = value.best_thorn(obs)
        if target >= 0:
            return act.SPELL + styles.ROSE_PRICK
    elif mask[act.SPELL + styles.WING_BIND] and styles.to_bind(obs) >= 0:
        return act.SPELL + styles.WING_BIND
    if mask[act.SPELL + styles.SHIMMER] and styles.to_shield(obs, me) >= 0:
        return act.SPELL + styles.SHIMMER
    return -1


@rule
def stance(obs, me, params):
    """The mode declared with an attack: on to food afterwards, or off and away, or into cover,
    or posed.
    """
    for k in range(MAX_FIGURES):
        if ts.is_food(obs, k, me) and ts.scores(obs, k) and not ts.touches(obs, k):
            if moves.reaches(obs, me, k, moves.FROLIC):
                return act.MODE + moves.FROLIC - 1
    enemy = moves.nearest_enemy(obs)
    if obs[ts.RANGED] > 0 and enemy >= 0 and ts.range_to(obs, enemy) < styles.DANGER:
        return act.MODE + moves.FLUTTER - 1
    what, _ = shelter_or_stay(obs, me, params)
    return act.MODE + moves.FROLIC - 1 if what == moves.COVER else act.MODE


@rule
def plan_late(obs, me, params):
    """Hold while there is nobody to hit, to eat or to shoot."""
    trip, _ = best_trip(obs, me, params)
    if trip >= 0 or food_at_hand(obs, me, params) > 0.0:
        return False
    for k in range(MAX_FIGURES):
        if ts.is_enemy(obs, k):
            if ts.touches(obs, k) or (wants_sight(obs, me) and ts.i_see(obs, k) > 0):
                return False
    return sense.whole(obs[ts.ROUND] * 16) < params[PATIENCE] + 1

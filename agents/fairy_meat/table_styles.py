"""What each style does with a turn: acts in the order it likes them, and where it goes.

- `brawler`: closes with the weakest it reaches, hits, never stops to eat or to twinkle; a bow is shot
  on the way.
- `sniper`: climbs to where it can shoot from, shoots posed from there or flies into cover after the
  shot, and away from who comes near.
- `witch`: thorns and bindings first, trades trumps for Twinkle, then shoots or hits.
- `scavenger`: flies to the nearest corpse and eats twice a turn; hunts the weakest if there is none.

Each has a function for the goal of its move, used at every step of it, and one for acts.
"""

from __future__ import annotations

from agents.fairy_meat import sense
from agents.fairy_meat import table_cover as cover
from agents.fairy_meat import table_moves as moves
from agents.fairy_meat import table_sense as ts
from agents.fairy_meat import table_value as value
from agents.fairy_meat.table_setup import BRAWLER, SCAVENGER, SNIPER, WITCH
from fm_env.compiled import rule
from fm_env.games.fairy_meat import actions as act
from fm_env.games.fairy_meat.constants import MAX_FIGURES, Spell

WIND_UP, SHIMMER, WING_BIND, ROSE_PRICK = (int(spell) for spell in Spell)
DANGER = 7.0
"""Inches at which an archer feels an enemy's breath."""


# ---------------------------------------------------------------------------------------- goals
@rule
def goal(style, obs, me):
    """Where she would move: what, and whom (see `table_moves`)."""
    if style == SNIPER and value.has_shot(obs, me):
        return sniper_goal(obs, me)
    if style == SCAVENGER:
        food = moves.nearest_food(obs, me, True)
        if food >= 0:
            return moves.CONTACT, food
    if style == WITCH and can_thorn(obs, me):
        enemy = moves.nearest_enemy(obs)
        if enemy >= 0 and not sees_an_enemy(obs):
            return moves.SIGHT, enemy
    enemy = moves.prey(obs, me)
    if enemy < 0 or ts.touches(obs, enemy):
        return moves.STAY, -1
    if (style == SNIPER or style == WITCH) and is_unarmed(obs, me) and not hits_at_ease(obs, me, enemy):
        return moves.STAY, -1
    return moves.CONTACT, enemy


@rule
def is_unarmed(obs, me):
    """Whether she has nothing but her hands: such a one doesn't go to the enemy alone."""
    return value.best_charge(obs) == 0 and not value.has_shot(obs, me)


@rule
def hits_at_ease(obs, me, enemy):
    """Whether she may still attack this turn and reaches the enemy without paying a card for it."""
    mode = moves.mode_to_reach(obs, me, enemy)
    return obs[ts.ATTACKED] == 0 and mode > 0 and mode != moves.FLUTTER


@rule
def sniper_goal(obs, me):
    """Away from who is near; after the shot into cover; before it to a height from which she can shoot,
    else to where she sees somebody.
    """
    enemy = moves.nearest_enemy(obs)
    if enemy < 0:
        return moves.STAY, -1
    if ts.range_to(obs, enemy) < DANGER:
        return moves.AWAY, -1
    if obs[ts.ATTACKED] > 0:
        whom, _ = sniper_shelter(obs, me)
        return (moves.COVER if whom >= 0 else moves.STAY), whom
    if not is_high(obs, me):
        high = cover.perch(obs, me)
        if high >= 0:
            return moves.ONTO, high
    if sees_in_range(obs, ts.reach_of(obs, me)):
        return moves.STAY, -1
    high = moves.lookout(obs, me)
    if high >= 0 and not is_high(obs, me):
        return moves.ONTO, high
    if ts.i_see(obs, enemy) > 0:
        return moves.CONTACT, enemy  # out of range: nearer
    return moves.SIGHT, enemy


@rule
def is_high(obs, me):
    return obs[ts.figure(me) + ts.HEIGHT] * 24.0 >= 1.0


@rule
def sniper_shelter(obs, me):
    """From whom she would take cover after a shot (or -1): a height is not given up for it."""
    if is_high(obs, me):
        return -1, 0.0
    return cover.shelter(obs, me)


@rule
def sees_an_enemy(obs):
    return sees_in_range(obs, ts.ENDLESS)


@rule
def sees_in_range(obs, reach):
    for k in range(MAX_FIGURES):
        if ts.is_enemy(obs, k) and ts.i_see(obs, k) > 0 and ts.range_to(obs, k) <= reach - 0.8:
            return True
    return False


@rule
def can_thorn(obs, me):
    return obs[ts.figure(me) + ts.MEAN] > 0 and ts.twinkle(obs, me) >= 2


# ----------------------------------------------------------------------------------------- acts
@rule
def acts(style, obs, mask, me):
    """The next act of her turn."""
    if style == WITCH:
        spell = witch_spell(obs, mask, me)
        if spell >= 0:
            return spell
    if style == SCAVENGER:
        bite = eat(mask)
        if bite >= 0 and nearest_bite_scores(obs, me):
            return bite
        food = moves.nearest_food(obs, me, True)
        if obs[ts.MOVED] == 0 and food >= 0 and goes_to_eat(obs, mask, me, food):
            away = set_off(style, obs, mask, me)
            if away >= 0:
                return away
    if obs[ts.MOVED] == 0 and moves_first(style, obs, mask, me):
        away = set_off(style, obs, mask, me)
        if away >= 0:
            return away
    slot, _, _ = value.best_attack(obs, mask, True, True)
    if slot >= 0:
        return act.ATTACK + slot
    if obs[ts.MOVED] == 0:
        away = set_off(style, obs, mask, me)
        if away >= 0:
            return away
    if style == SCAVENGER and eat(mask) >= 0:
        return eat(mask)
    if style == WITCH and mask[act.REST]:
        return act.REST
    return act.END_TURN


@rule
def goes_to_eat(obs, mask, me, food):
    """Whether a scavenger flies at once: her food is in reach, or there is nobody to shoot on the way."""
    slot, _, _ = value.best_attack(obs, mask, True, False)
    return slot < 0 or moves.mode_to_reach(obs, me, food) > 0


@rule
def moves_first(style, obs, mask, me):
    """Whether she moves before she attacks: a sniper onto a height, a blade to whom she reaches. Who has
    only bow and hands shoots first.
    """
    if style == SNIPER and value.has_shot(obs, me):
        what, _ = sniper_goal(obs, me)
        return what == moves.ONTO and obs[ts.ATTACKED] == 0
    if style == SNIPER or style == WITCH or obs[ts.ATTACKED] > 0:
        return False
    slot, _, _ = value.best_attack(obs, mask, False, True)
    enemy = moves.prey(obs, me)
    armed = value.best_charge(obs) > 0
    return slot < 0 and armed and enemy >= 0 and moves.mode_to_reach(obs, me, enemy) > 0


@rule
def can_set_off(mask):
    return mask[act.MODE + 1] or mask[act.MODE + 2] or mask[act.MODE + 3]


@rule
def set_off(style, obs, mask, me):
    """The mode to move in, or -1 to stay."""
    what, whom = goal(style, obs, me)
    if what == moves.STAY or not can_set_off(mask):
        return -1
    mode = moves.mode_for(obs, mask, me, what, whom)
    return act.MODE + mode - 1 if mode > 0 else -1


@rule
def eat(mask):
    """A bite: for the attack first, then for the move; a Kill Point first. -1 if there is none."""
    for k in range(4):
        bite = act.EAT + (1, 0, 3, 2)[k]
        if mask[bite]:
            return bite
    return -1


@rule
def nearest_bite_scores(obs, me):
    for k in range(MAX_FIGURES):
        if ts.is_food(obs, k, me) and ts.touches(obs, k) and ts.scores(obs, k):
            return True
    return False


@rule
def witch_spell(obs, mask, me):
    """A thorn for whom it hurts most; else a binding for one who comes near; Shimmer for the frail."""
    if mask[act.SPELL + ROSE_PRICK] and sees_an_enemy(obs):
        return act.SPELL + ROSE_PRICK
    if mask[act.SPELL + WING_BIND] and to_bind(obs) >= 0:
        return act.SPELL + WING_BIND
    if mask[act.SPELL + SHIMMER] and to_shield(obs, me) >= 0:
        return act.SPELL + SHIMMER
    return -1


@rule
def to_bind(obs):
    """The nearest enemy in sight who is to come and is not bound yet, or -1."""
    best, least = -1, 18.0
    for k in range(MAX_FIGURES):
        if ts.is_enemy(obs, k) and ts.i_see(obs, k) > 0 and obs[ts.figure(k) + ts.BOUND] == 0:
            far = ts.range_to(obs, k)
            if not ts.touches(obs, k) and obs[ts.figure(k) + ts.ACTED] == 0 and far < least:
                best, least = k, far
    return best


@rule
def to_shield(obs, me):
    """The friend in sight with least Live and no Shimmer yet, herself too; or -1. Who has yet to act is
    no use: it fades as her turn begins (F-56).
    """
    best, least = -1, 99
    for k in range(MAX_FIGURES):
        row = ts.figure(k)
        friend = obs[row + ts.ALIVE] > 0 and obs[row + ts.MINE] > 0 and obs[row + ts.THERE] > 0
        in_time = k == me or (ts.i_see(obs, k) > 0 and obs[row + ts.ACTED] > 0)
        if friend and in_time and obs[row + ts.SHIMMER] == 0:
            if ts.live(obs, k) < least:
                best, least = k, ts.live(obs, k)
    return best


# ------------------------------------------------------------------------------------- declaring
@rule
def stance(style, obs, me):
    """The mode declared with an attack: an archer means to fly off from an enemy at hand or into cover;
    who shoots on her way goes on.
    """
    if style == SNIPER and value.has_shot(obs, me):
        enemy = moves.nearest_enemy(obs)
        if enemy >= 0 and ts.range_to(obs, enemy) < DANGER:
            return act.MODE + moves.FLUTTER - 1
        whom, _ = sniper_shelter(obs, me)
        return act.MODE + moves.FROLIC - 1 if whom >= 0 else act.MODE
    if (style == BRAWLER or style == SCAVENGER) and obs[ts.RANGED] > 0 and obs[ts.MOVED] == 0:
        what, _ = goal(style, obs, me)
        if what != moves.STAY:
            return act.MODE + moves.FROLIC - 1
    return act.MODE


@rule
def plan_late(style, obs, me):
    """Whether she would rather hold her Order Card: a witch without Twinkle, nobody else."""
    return style == WITCH and sense.whole(obs[ts.figure(me) + ts.TWINKLE] * 8) == 0

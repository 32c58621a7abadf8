"""What all bots share: a sensible policy for everything but declarations, trumps and numbers.

- Thinking: one Twinkle Point while she has two or more.
- Order Cards: the earliest call she can; a joker right away.
- Acts: attack with the weapon that draws most cards; wrestle only a fairy whose Kill is at least
  two below her Live. Never rests, never breaks a combination off.
- Damage: lose the larger of Live and Kill (Live if equal); heal the smaller.
- Jokers as attacker heal, as defender hurt. Winning defenders take cards. Wrestles deal damage.
- Open questions of arithmetic (turning up, boosts, caught trumps) are answered exactly: whatever
  gives the best lead with the numbers that lie on the table.
- Targets: the enemy with fewest Fairy Points.
"""

from __future__ import annotations

from agents.fairy_meat import sense
from agents.fairy_meat.sense import in_phase, row_of, whole
from fm_env.compiled import rule
from fm_env.games.fairy_meat import actions as act
from fm_env.games.fairy_meat.actions import NUM_FIXED
from fm_env.games.fairy_meat.constants import NUM_CALLS, WEAPON_SLOTS, Phase


@rule
def common_choice(obs, mask, me):
    """A choice outside the secret card play; `me` is the place of the fairy that is asked."""
    row = row_of(obs, mask, me)
    if in_phase(obs, Phase.TURN_UP):
        return choose_turn_up(obs, mask, row)
    if in_phase(obs, Phase.BOOST):
        return choose_boost(obs, mask, row)
    if in_phase(obs, Phase.CHEAT_OF_DEFENDER) or in_phase(obs, Phase.CHEAT_OF_ATTACKER):
        return choose_use_of_cheat(obs, mask, row)
    if in_phase(obs, Phase.DAMAGE):
        return act.LOSE_LIVE if obs[row + sense.LIVE] >= obs[row + sense.KILL] else act.LOSE_KILL
    if in_phase(obs, Phase.HEAL):
        return act.HEAL_LIVE if obs[row + sense.LIVE] <= obs[row + sense.KILL] else act.HEAL_KILL
    if in_phase(obs, Phase.JOKER):
        return act.JOKER_HEALS if obs[row + sense.ATTACKER] > 0 else act.JOKER_HURTS
    if in_phase(obs, Phase.SPOILS):
        return act.TAKE_CARDS
    if in_phase(obs, Phase.WRESTLE_WON):
        return act.DEAL
    if in_phase(obs, Phase.TRADE_ATTACKER) or in_phase(obs, Phase.TRADE_DEFENDER):
        return act.KEEP
    if in_phase(obs, Phase.THINK):
        return act.THINK + 1 if mask[act.THINK + 2] else act.THINK
    if in_phase(obs, Phase.PLAN):
        return earliest_plan(mask)
    if in_phase(obs, Phase.ACT):
        return choose_act(obs, mask, row)
    return choose_target(obs, mask)


@rule
def first_legal(mask):
    for a in range(len(mask)):
        if mask[a]:
            return a
    return -1


@rule
def earliest_plan(mask):
    """The first poll open to her."""
    for call in range(NUM_CALLS):
        if mask[act.PLAN_JOKER + call]:
            return act.PLAN_JOKER + call
        if mask[act.PLAN_CALL + call]:
            return act.PLAN_CALL + call
    return act.HOLD


@rule
def choose_act(obs, mask, row):
    """Attack with the weapon that draws most cards, or wrestle a weak wrestler."""
    enemy = weakest_enemy(obs, mask, False)
    if enemy >= 0 and mask[act.WRESTLE]:
        hers = row_of(obs, mask, enemy)
        if whole(obs[hers + sense.KILL] * 12) + 2 <= whole(obs[hers + sense.LIVE] * 12):
            return act.WRESTLE
    best, most = act.END_TURN, -99.0
    for slot in range(WEAPON_SLOTS):
        if mask[act.ATTACK + slot]:
            cards = cards_for_weapon(obs, row, slot)
            if cards > most:
                best, most = act.ATTACK + slot, cards
    return best


@rule
def cards_for_weapon(obs, row, slot):
    """Cards drawn minus cards left to the defender, apart from what all weapons share."""
    if slot == 0:
        return obs[row + sense.KILL] * 12
    w = row + sense.WEAPON + (slot - 1) * sense.WEAPON_WIDTH
    attack, defence, strength, sword = 2 * obs[w + 1], 2 * obs[w + 2], 2 * obs[w + 3], obs[w + 5]
    base = strength if strength > 0 else obs[row + sense.KILL] * 12 + sword
    return base + attack - defence


@rule
def weakest_enemy(obs, mask, choosable):
    """Place of the living enemy with fewest Fairy Points (among the choosable), or -1."""
    best, least = -1, 99.0
    for place in range(len(mask) - NUM_FIXED):
        row = row_of(obs, mask, place)
        points = obs[row + sense.LIVE] + obs[row + sense.KILL]
        open_to_choice = mask[act.TARGET + place] or not choosable
        if obs[row + sense.ALIVE] > 0 and obs[row + sense.MINE] == 0 and open_to_choice and points < least:
            best, least = place, points
    return best


@rule
def choose_target(obs, mask):
    enemy = weakest_enemy(obs, mask, True)
    if enemy >= 0:
        return act.TARGET + enemy
    if mask[act.STOP]:
        return act.STOP
    if mask[act.DECLINE]:
        return act.DECLINE
    return first_legal(mask)


# ------------------------------------------------------------------------- open arithmetic
@rule
def other_fighter(obs, mask, row):
    """Row of the one she fights, or -1."""
    entry = sense.DEFENDER if obs[row + sense.ATTACKER] > 0 else sense.ATTACKER
    place = sense.place_where(obs, mask, entry)
    return row_of(obs, mask, place) if place >= 0 else -1


@rule
def lead(mine, hers, my_colour, her_colour):
    """By how much I win: high wins for equal colours, low for different ones (U-10)."""
    return mine - hers if my_colour == her_colour or her_colour < 0 or my_colour < 0 else hers - mine


@rule
def lead_with(obs, mask, row, more, more_hers):
    """My lead if my total rose by `more` and hers by `more_hers`."""
    other = other_fighter(obs, mask, row)
    mine = whole(obs[row + sense.TOTAL] * 32) + more
    hers = whole(obs[other + sense.TOTAL] * 32) + more_hers
    return lead(mine, hers, sense.number_colour(obs, row), sense.number_colour(obs, other))


@rule
def choose_turn_up(obs, mask, row):
    """Turn matching trumps up if they help; mismatched ones stay down."""
    colour = sense.number_colour(obs, row)
    if obs[row + sense.LAID + 1 - colour] > 0:
        return act.LEAVE_DOWN
    change = sense.sign_of(obs, row) * whole(obs[row + sense.LAID + colour] * 24)
    better = lead_with(obs, mask, row, change, 0) > lead_with(obs, mask, row, 0, 0)
    return act.TURN_UP if better else act.LEAVE_DOWN


@rule
def choose_boost(obs, mask, row):
    change = sense.sign_of(obs, row) * whole(obs[row + sense.BOOST] * 16)
    better = lead_with(obs, mask, row, change, 0) > lead_with(obs, mask, row, 0, 0)
    return act.USE_BOOST if better else act.NO_BOOST


@rule
def choose_use_of_cheat(obs, mask, row):
    """The pair of moves of both numbers that leads by most."""
    k = sense.caught_trumps(obs, other_fighter(obs, mask, row))
    best, most = -1, -999
    for option in range(9):
        if mask[act.CHEAT + option]:
            gain = lead_with(obs, mask, row, moved(option // 3, k), moved(option % 3, k))
            if gain > most:
                best, most = act.CHEAT + option, gain
    return best


@rule
def moved(sign, k):
    """0 leave, 1 add, 2 subtract."""
    return k if sign == 1 else (-k if sign == 2 else 0)

"""The two plain styles: hit as hard as it goes, or spend as little as it takes."""

from __future__ import annotations

from agents.sword_and_shield import sense
from fm_env.compiled import rule
from fm_env.games.sword_and_shield import actions as act
from fm_env.games.sword_and_shield.constants import MANOEUVRE_COST, MAX_CARDS, NUM_TACTICS


# ----------------------------------------------------------------------------------- hard hitter
@rule
def hardest(obs, mask, start):
    """The legal attack or defence (by `start`) of the highest number, or -1; of equals the cheapest."""
    best, most = -1, -99
    for k in range(NUM_TACTICS * MAX_CARDS):
        if mask[start + k]:
            c, t = k // NUM_TACTICS, k % NUM_TACTICS
            worth = 32 * sense.own_number(obs, c, t) - sense.own_cost(obs, c, t)
            if worth > most:
                best, most = start + k, worth
    return best


@rule
def hit_hard(obs, mask):
    """Attack with the highest number whatever it costs; without one, pass and keep all cards."""
    action = hardest(obs, mask, act.ATTACK)
    return action if action >= 0 else act.PASS


@rule
def defend_hard(obs, mask):
    """Defend with the highest number; else the last resorts."""
    action = hardest(obs, mask, act.DEFEND)
    return action if action >= 0 else sense.last_resort(mask)


# ------------------------------------------------------------------------------------- conserver
@rule
def attack_for_free(obs, mask):
    """The highest number that costs nothing; if there is none, pass and look for better cards."""
    best, most = act.PASS, -1
    for k in range(NUM_TACTICS * MAX_CARDS):
        if mask[act.ATTACK + k]:
            c, t = k // NUM_TACTICS, k % NUM_TACTICS
            if sense.own_cost(obs, c, t) == 0 and sense.own_number(obs, c, t) > most:
                best, most = act.ATTACK + k, sense.own_number(obs, c, t)
    return best


@rule
def defend_cheaply(obs, mask):
    """Whatever takes the fewest points from the own pool: a covering card, or a Manoeuvre."""
    best, least = -1, 99
    for k in range(NUM_TACTICS * MAX_CARDS):
        if mask[act.DEFEND + k]:
            c, t = k // NUM_TACTICS, k % NUM_TACTICS
            gap = sense.number_to_meet(obs) - sense.own_number(obs, c, t)
            points = sense.own_cost(obs, c, t) + max(0, gap)
            if points < least:
                best, least = act.DEFEND + k, points
    if best < 0 or least > MANOEUVRE_COST:
        action = sense.first_legal(mask, act.MANOEUVRE, act.ACHIEVE)
        if action >= 0:
            return action
    return best if best >= 0 else sense.last_resort(mask)


@rule
def discard_costly(obs, mask):
    """Discard cards that can't be played for free by any tactic, one after the other."""
    for c in range(MAX_CARDS):
        if mask[act.DISCARD + c] and sense.attack_of(obs, c) >= 0:
            free = False
            for t in range(NUM_TACTICS):
                free |= sense.value(obs, c, t) > 0 and sense.own_cost(obs, c, t) == 0
            if not free:
                return act.DISCARD + c
    return act.END_TURN

"""What blows, shots and thorns are worth, for bots at the whole table.

`HITS` was measured: points of damage that the `counter` bot does to itself on average in one
exchange of UnclEvl's system, by cards of the attacker and of the defender (3,000 clashes each).
Cards matter little but for a defender without any: who has lost all her Live is lost.
"""

from __future__ import annotations

import numpy as np

from agents.fairy_meat import sense
from agents.fairy_meat import table_sense as ts
from fm_env.compiled import rule
from fm_env.games.fairy_meat.actions import ATTACK
from fm_env.games.fairy_meat.constants import MAX_FIGURES, WEAPON_SLOTS

# fmt: off
#                attacker's cards: 0    1     2     3     4     5     6     7     8     9
HITS = np.array([
    [0.0, 3.07, 3.15, 3.12, 3.12, 3.12, 3.13, 3.19, 3.22, 3.28],
    [0.0, 0.86, 0.95, 1.01, 1.07, 1.16, 1.19, 1.24, 1.30, 1.30],
    [0.0, 0.74, 0.86, 0.88, 1.00, 1.08, 1.12, 1.18, 1.26, 1.27],
    [0.0, 0.70, 0.81, 0.87, 0.93, 1.03, 1.04, 1.16, 1.17, 1.21],
    [0.0, 0.62, 0.74, 0.81, 0.87, 0.95, 0.99, 1.08, 1.12, 1.15],
])
# fmt: on
SURE, HALF = 0.97, 0.48
"""How often a hit hurts at all: without a defending card, and with."""
MOST_CARDS, MOST_GUARD = 9, 4
KILL_WORTH = 4.0
CARD_WORTH = 0.02
"""What a card more than hers is worth beyond that: little, but no weapon is left in the belt."""


@rule
def worth_of_hit(obs, k, cards, guard):
    """What an attack on figure `k` is worth in points of the game: wounds, dearer on the weak, and
    the chance to kill her.
    """
    if cards <= 0:
        return 0.0
    mean = HITS[min(guard, MOST_GUARD), min(cards, MOST_CARDS)]
    hurts = SURE if guard == 0 else HALF
    more = 1.0 - hurts / mean  # each further point of damage, as far as it goes
    points = ts.live(obs, k) + ts.kill(obs, k)
    kills = hurts
    for _ in range(points - 1):
        kills *= more
    worth = min(mean, float(points)) * (0.4 + 1.5 / points) + kills * KILL_WORTH
    return worth + CARD_WORTH * (cards - guard)


@rule
def cards_with(obs, k, slot, stance):
    """Cards that the figure at hand draws against `k` with that weapon."""
    me = ts.at_hand(obs)
    n = ts.own_weapon(obs, slot, 1) + stance + 1
    if ts.own_weapon(obs, slot, 3) > 0:
        return n + ts.own_weapon(obs, slot, 3)
    return n + ts.kill(obs, me) + (ts.own_weapon(obs, slot, 5) > 0 and not ts.carries(obs, k, 7))


@rule
def is_in_reach(obs, k, slot):
    """Whether the figure at hand seems to reach enemy `k` with that weapon from where she is."""
    reach = ts.own_range(obs, slot)
    if reach == 0.0:
        return ts.touches(obs, k)
    return ts.i_see(obs, k) > 0 and ts.range_to(obs, k) <= reach - 0.8


@rule
def worth_with(obs, k, slot, stance):
    """What attacking `k` with that weapon is worth."""
    shot = ts.own_range(obs, slot) > 0.0
    guard = max(0, ts.guard(obs, k, shot) + ts.own_weapon(obs, slot, 2))
    worth = worth_of_hit(obs, k, cards_with(obs, k, slot, stance), guard)
    return 0.8 * worth if ts.own_weapon(obs, slot, 6) > 0 else worth  # mangled meat feeds nobody


@rule
def best_attack(obs, mask, shots, blows):
    """The best attack that is legal and seems to reach somebody: its weapon slot (or -1), its target
    and its worth.
    """
    slot, target, most = -1, -1, 0.0
    for w in range(WEAPON_SLOTS):
        if mask[ATTACK + w] and (shots if ts.own_range(obs, w) > 0.0 else blows):
            for k in range(MAX_FIGURES):
                if ts.is_enemy(obs, k) and is_in_reach(obs, k, w):
                    worth = worth_with(obs, k, w, 0)
                    if worth > most:
                        slot, target, most = w, k, worth
    return slot, target, most


@rule
def best_charge(obs):
    """The best slot for a blow against whom she has to reach first."""
    best, most = 0, -99
    for w in range(WEAPON_SLOTS):
        if w == 0 or obs[ts.ME + sense.WEAPON + (w - 1) * sense.WEAPON_WIDTH] > 0:
            if ts.own_range(obs, w) == 0.0:
                cards = ts.own_weapon(obs, w, 1) - ts.own_weapon(obs, w, 2) + ts.own_weapon(obs, w, 5)
                if cards > most:
                    best, most = w, cards
    return best


@rule
def has_shot(obs, me):
    return ts.reach_of(obs, me) > 0.0


@rule
def best_thorn(obs):
    """The enemy in sight on whom a Rose Prick is worth most, or -1, and its worth."""
    best, most = -1, 0.0
    for k in range(MAX_FIGURES):
        if ts.is_enemy(obs, k) and ts.i_see(obs, k) > 0:
            worth = worth_of_hit(obs, k, 1, ts.guard(obs, k, False))
            if worth > most:
                best, most = k, worth
    return best, most

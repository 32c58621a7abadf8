"""A player who counts cards: what can the other still answer, and what is an exchange worth?

Points are counted in hits: emptying a pool is worth one, so a point of a knight's Fatigue is worth
one over the fresh pool. What a pool doesn't hold can't be lost.
"""

from __future__ import annotations

from agents.sword_and_shield import sense
from fm_env.compiled import rule
from fm_env.games.sword_and_shield import actions as act
from fm_env.games.sword_and_shield.constants import MANOEUVRE_COST, MAX_CARDS, NUM_TACTICS

TYPICAL_VALUE = 4.0
"""What a defending card adds to the knight's ability, about."""
WORST = -99.0


@rule
def chance_of_none(hidden, answers, drawn):
    """Chance that `drawn` cards out of `hidden` contain none of the `answers`."""
    chance = 1.0
    for k in range(drawn):
        if hidden - k <= 0:
            break
        chance *= max(0.0, (hidden - answers - k) / (hidden - k))
    return chance


@rule
def lost(obs, who, points):
    """What a knight loses by paying, in hits; not more than the pool holds (K-10)."""
    return max(0.0, min(float(points), float(sense.fatigue(obs, who)))) / sense.fresh(obs, who)


@rule
def keep(obs, c, care):
    """Worth of holding a card for defence, in hits: by the attacks it covers and its symbol."""
    return care * (sense.breadth(obs, c) + 2.0 * (obs[sense.MANOEUVRE + c] > 0))


@rule
def chance_unanswered(obs, a, trust):
    """Chance that the other holds no card that covers attack `a`.

    Cards known to be held are counted as they are. Of the hand that took a hit from the same attack
    a share `trust` of the cards still held is taken to be no answer.
    """
    if sense.whole(obs[sense.KNOWN_ANSWERS + a] * 32) > 0:
        return 0.0
    known = sense.total(obs, sense.KNOWN)
    unknown = sense.hand_size(obs, sense.OTHER) - known
    bare = sense.whole(obs[sense.BARE + a] * 8)
    fresh_cards = max(0, unknown - bare)
    hidden = sense.total(obs, sense.UNSEEN) - known
    answers = sense.whole(obs[sense.UNSEEN_ANSWERS + a] * 128)
    guess = chance_of_none(hidden, answers, unknown)
    return trust * chance_of_none(hidden, answers, fresh_cards) + (1.0 - trust) * guess


@rule
def chance_no_manoeuvre(obs):
    """Chance that the other can't step aside."""
    if sense.fatigue(obs, sense.OTHER) < MANOEUVRE_COST:
        return 1.0
    symbols, seen = 0, 0
    for c in range(MAX_CARDS):
        if obs[sense.MANOEUVRE + c] > 0:
            symbols += sense.count(obs, sense.UNSEEN, c)
            seen += sense.count(obs, sense.KNOWN, c)
    if seen > 0:
        return 0.0
    known = sense.total(obs, sense.KNOWN)
    unknown = sense.hand_size(obs, sense.OTHER) - known
    return chance_of_none(sense.total(obs, sense.UNSEEN) - known, symbols, unknown)


@rule
def likely_defence(obs):
    """A Modified Combat Number that the other may be expected to defend with."""
    total = 0
    for t in range(NUM_TACTICS):
        total += sense.ability(obs, sense.OTHER, t)
    return total / NUM_TACTICS + TYPICAL_VALUE


@rule
def attack_by_count(obs, mask, care, trust):
    """The attack of the highest expected worth, or a pass where all of them lose."""
    best, most = act.PASS, -0.1
    steps_aside = 1.0 - chance_no_manoeuvre(obs)
    beside = lost(obs, sense.OTHER, MANOEUVRE_COST)
    expected = likely_defence(obs)
    for k in range(NUM_TACTICS * MAX_CARDS):
        if mask[act.ATTACK + k]:
            c, t = k // NUM_TACTICS, k % NUM_TACTICS
            gap = sense.own_number(obs, c, t) - expected
            met = lost(obs, sense.OTHER, gap) - lost(obs, sense.OWN, -gap)
            open_to_it = chance_unanswered(obs, sense.attack_of(obs, c), trust)
            worth = (1.0 - open_to_it) * met + open_to_it * (steps_aside * beside + 1.0 - steps_aside)
            worth -= lost(obs, sense.OWN, sense.own_cost(obs, c, t)) + keep(obs, c, care)
            if worth > most:
                best, most = act.ATTACK + k, worth
    return best


@rule
def defend_by_count(obs, mask, care):
    """The answer that leaves most: own points, the other's, and the cards kept for later."""
    best, most = sense.last_resort(mask), WORST
    for k in range(NUM_TACTICS * MAX_CARDS):
        if mask[act.DEFEND + k]:
            c, t = k // NUM_TACTICS, k % NUM_TACTICS
            gap = sense.number_to_meet(obs) - sense.own_number(obs, c, t)
            points = sense.own_cost(obs, c, t) + max(0, gap)
            worth = lost(obs, sense.OTHER, -gap) - lost(obs, sense.OWN, points) - keep(obs, c, care)
            if worth > most:
                best, most = act.DEFEND + k, worth
    for c in range(MAX_CARDS):
        if mask[act.MANOEUVRE + c]:
            worth = -lost(obs, sense.OWN, MANOEUVRE_COST) - keep(obs, c, care)
            if worth > most:
                best, most = act.MANOEUVRE + c, worth
    return best


@rule
def discard_by_count(obs, mask, care):
    """Discard what covers little and costs much."""
    for c in range(MAX_CARDS):
        if mask[act.DISCARD + c] and sense.attack_of(obs, c) >= 0:
            least = 99
            for t in range(NUM_TACTICS):
                if sense.value(obs, c, t) > 0:
                    least = min(least, sense.own_cost(obs, c, t))
            if lost(obs, sense.OWN, least) > keep(obs, c, care):
                return act.DISCARD + c
    return act.END_TURN

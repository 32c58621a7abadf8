"""Damage, healing and death (rulebook, Nasty Hits; F-44, F-45, F-51, F-52, U-15, U-34)."""

from __future__ import annotations

from fm_env.compiled import rule
from fm_env.games.fairy_meat.cards import discard_hand, discard_order_cards
from fm_env.games.fairy_meat.constants import LIFE_CAP, NO_FAIRY, WEAPON_MANGLER, Phase, Place, Play
from fm_env.games.fairy_meat.hands import is_friendly, weapon_in_use
from fm_env.games.fairy_meat.sight import look_around


@rule
def nasty_hits(margin):
    """Damage by levels: 1 to 4 one point, 5 to 8 two, 9 and more three (F-44, U-14)."""
    if margin <= 0:
        return 0
    if margin <= 4:
        return 1
    return 2 if margin <= 8 else 3


@rule
def hurt(s, f, points, resume):
    """`f` takes damage; each point is her owner's choice of Live or Kill, then `resume` follows."""
    s.damage[f] += points
    s.resume = resume
    s.phase = Phase.DAMAGE


@rule
def hurt_by_weapon(s, f, points, resume):
    """Damage of the weapon in use: a mangler's points leave the game (F-52)."""
    s.mangled = WEAPON_MANGLER[weapon_in_use(s)]
    hurt(s, f, points, resume)


@rule
def lose_point(s, f, from_live):
    s.damage[f] -= 1
    if from_live:
        s.live[f] -= 1
        if not s.mangled:
            s.meat_live[f] += 1
    else:
        s.kill[f] -= 1
        if not s.mangled:
            s.meat_kill[f] += 1


@rule
def settle_damage(s):
    """Take every point that leaves no choice; True when an owner must choose Live or Kill (F-44)."""
    for f in range(s.n_fairies):
        if s.damage[f] > 0:
            take_forced_damage(s, f)
    if wounded_fairy(s) != NO_FAIRY:
        return True
    bury_the_dead(s)
    s.mangled = 0
    s.phase = s.resume
    return False


@rule
def take_forced_damage(s, f):
    if s.damage[f] >= s.live[f] + s.kill[f]:  # all is lost, and the excess with it
        while s.live[f] > 0:
            lose_point(s, f, True)
        while s.kill[f] > 0:
            lose_point(s, f, False)
        s.damage[f] = 0
    while s.damage[f] > 0 and s.live[f] == 0:
        lose_point(s, f, False)
    while s.damage[f] > 0 and s.kill[f] == 0:
        lose_point(s, f, True)


@rule
def wounded_fairy(s):
    """The fairy whose owner is to choose; the attacker comes first (F-83)."""
    if s.attacker != NO_FAIRY and s.damage[s.attacker] > 0:
        return s.attacker
    for f in range(s.n_fairies):
        if s.damage[f] > 0:
            return f
    return NO_FAIRY


@rule
def bury_the_dead(s):
    """Dead is who has neither Live nor Kill in her Life section (F-51)."""
    for f in range(s.n_fairies):
        if s.alive[f] and s.live[f] + s.kill[f] == 0:
            s.alive[f] = 0
            discard_order_cards(s, f)
            discard_hand(s, f)
            s.revealed[f] = 0
            if s.play == Play.SKIRMISH:
                leave_body(s, f)
            for g in range(s.n_fairies):
                s.bank[f, g] = 0
                s.bank[g, f] = 0
                s.apart[f, g] = 0
                s.apart[g, f] = 0


@rule
def leave_body(s, f):
    """The kill is scored, the body stays as loot (F-51); without meat there is none (F-73).

    It counts for the player whose attack or spell it was; damage to the attacker, by a joker or in a
    wrestle, for her opponent. One's own fairies score nothing (F-67).
    """
    by = s.defender if f == s.attacker else s.attacker
    if s.owner[by] != s.owner[f]:
        s.kills[s.owner[by]] += 1
    if s.meat_live[f] + s.meat_kill[f] == 0:
        s.whereabouts[f] = Place.GONE
    s.wind_up[f] = 0
    s.shimmer[f] = 0
    s.bound[f] = 0
    look_around(s, f)


# --------------------------------------------------------------------------------------- healing
@rule
def can_heal(s, f):
    """Something in the Meat section, room under 12, and no friend's combat (F-45, F-53)."""
    room = s.live[f] + s.kill[f] < LIFE_CAP and s.alive[f] == 1
    return room and s.meat_live[f] + s.meat_kill[f] > 0 and not is_friendly(s)


@rule
def heal(s, f, live):
    if live:
        s.meat_live[f] -= 1
        s.live[f] += 1
    else:
        s.meat_kill[f] -= 1
        s.kill[f] += 1


@rule
def settle_heal(s):
    """Heal where there is no choice; True when the defender's owner must choose (F-45)."""
    d = s.defender
    if can_heal(s, d):
        if s.meat_live[d] > 0 and s.meat_kill[d] > 0:
            return True
        heal(s, d, s.meat_live[d] > 0)
    s.phase = Phase.JOKERS_DONE
    return False

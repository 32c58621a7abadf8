"""Attacks up to the moment both fighters hold their hands: who, with what, how many cards.

Rulebook: Combat, Hand-To-Hand, Ranged Attacks, Attack Modifiers; F-35 to F-38, F-47 to F-50, F-59;
UnclEvl's steps 1 to 3: U-03 to U-06, U-23, U-25, U-32, U-33, U-36.
"""

from __future__ import annotations

from fm_env.compiled import rule
from fm_env.games.fairy_meat import actions as act
from fm_env.games.fairy_meat.cards import discard_hand, discard_up, lowest_trump, n_trumps, show_from_hand
from fm_env.games.fairy_meat.constants import (
    HAND,
    MAX_HAND,
    NO_FAIRY,
    NO_WEAPON,
    WEAPON_ATTACK,
    WEAPON_ATTACKS,
    WEAPON_DEFENCE,
    WEAPON_RIOT,
    WEAPON_SLOTS,
    WEAPON_STRENGTH,
    WEAPON_SWORD,
    Combat,
    Kind,
    Phase,
    Play,
    Sign,
    View,
)


# --------------------------------------------------------------------------------------- the turn
@rule
def is_target(s, attacker, f):
    """Any other living fairy may be attacked, friends too (F-53); in a bout all are in reach (F-84), on
    the table those in contact, or in sight of a shot or spell.
    """
    if f == attacker or not s.alive[f]:
        return False
    if s.play != Play.SKIRMISH:
        return True
    return s.sees[attacker, f] > 0 if is_from_afar(s) else s.touch[attacker, f] == 1


@rule
def is_from_afar(s):
    return s.kind == Kind.RANGED or s.kind == Kind.PRICK


@rule
def n_targets(s, attacker):
    n = 0
    for f in range(s.n_fairies):
        n += is_target(s, attacker, f)
    return n


@rule
def can_attack(s, f):
    """At least one Kill Point in the Life section and somebody to hit (F-38)."""
    return s.kill[f] > 0 and n_targets(s, f) > 0


@rule
def has_sword(s, f):
    """Whether she carries a sword, in use or not (F-47)."""
    for w in range(WEAPON_SLOTS):
        if s.weapon[f, w] != NO_WEAPON and WEAPON_SWORD[s.weapon[f, w]]:
            return True
    return False


@rule
def weapon_in_use(s):
    return s.weapon[s.attacker, s.slot_used]


@rule
def is_friendly(s):
    """A combat between two fairies of one player brings no gains (F-53)."""
    return s.owner[s.attacker] == s.owner[s.defender]


@rule
def begin_attack(s, kind, slot):
    """Declare an attack; the target is named next where there are several."""
    s.kind = kind
    s.slot_used = slot
    s.attacker = s.turn
    s.recasts = 0
    s.defender = NO_FAIRY
    for f in range(s.n_fairies):
        if is_target(s, s.attacker, f):
            s.defender = f
    s.phase = Phase.COMBAT_START if n_targets(s, s.attacker) == 1 else Phase.TARGET


@rule
def start_combat(s):
    """Steps 1 and 2 begin: number of attacks, pose, and the attacker's cards to draw.

    As many attacks as the weapon has, or the set-up gives (U-36); Fast Play has one a turn (F-76).
    The movement mode she declared counts from here on (F-25).
    """
    a, d = s.attacker, s.defender
    for f in range(s.n_fairies):
        s.drawn[f] = 0
        s.sign[f] = Sign.NONE
        s.no_number[f] = 0
        s.no_trump[f] = 0
        s.prev_points[f] = 0
        s.boost[f] = 0
    s.attacks_left = 1
    if s.combat == Combat.UNCLEVL and (s.kind == Kind.MELEE or s.kind == Kind.RANGED):
        s.attacks_left = s.attacks[a] if s.attacks[a] > 0 else WEAPON_ATTACKS[weapon_in_use(s)]
    s.posed = s.stance[a]
    if s.kind != Kind.RANGED and s.apart[a, d]:
        close_in(s, a, d)
    s.to_draw = attack_hand_size(s) - s.n_hand[a]
    spend_bank(s)
    s.drawn[a] = 1
    s.phase = Phase.DRAW_ATTACKER


@rule
def close_in(s, a, d):
    """After an escape the next attacker gives up her pose to come into contact again (U-45)."""
    s.posed = min(s.posed, 0)
    s.apart[a, d] = 0
    s.apart[d, a] = 0


# ------------------------------------------------------------------------------------ hand sizes
@rule
def attack_hand_size(s):
    """Cards that the attacker draws: Kill, or the weapon's Strength, and modifiers (U-03, F-36).

    Her stance counts for blows, shots (F-49) and wrestling (U-43) alike.
    """
    a = s.attacker
    if s.play == Play.CLASH:
        return s.hand_size[0]
    if s.kind == Kind.PRICK:
        return min(s.strength, MAX_HAND)  # no modifiers at all (F-57, U-37)
    weapon = weapon_in_use(s)
    n = s.posed + s.attacker_bonus
    if s.kind == Kind.WRESTLE:
        n += s.kill[a] + (WEAPON_ATTACK[weapon] if WEAPON_RIOT[weapon] else 0)  # U-32
        return min(max(0, n), MAX_HAND)
    n += WEAPON_ATTACK[weapon]
    if s.kind == Kind.RANGED:
        n += WEAPON_STRENGTH[weapon]
    else:
        n += s.kill[a] + (WEAPON_SWORD[weapon] and not has_sword(s, s.defender))
    return min(max(0, n) + s.bank[a, s.defender], MAX_HAND)


@rule
def defence_hand_size(s):
    """Cards that the defender draws, before any joker or bonus (F-35, U-04).

    max(0, Live + modifiers), then +1 while her Order Card is unused (F-13): the rulebook grants that
    card even when the modifiers leave her none. Wrestlers draw by Kill (U-32).
    """
    d = s.defender
    if s.play == Play.CLASH:
        return s.hand_size[1]
    n = s.live[d]
    if s.kind == Kind.WRESTLE:
        weapon = weapon_in_use(s)
        n = s.kill[d] + (WEAPON_DEFENCE[weapon] if WEAPON_RIOT[weapon] else 0)
    elif s.kind != Kind.PRICK:
        n += WEAPON_DEFENCE[weapon_in_use(s)]
    if s.kind == Kind.RANGED and s.sees[s.attacker, d] == View.PARTIAL:
        n += 1  # partial cover, against shots only (F-33)
    if s.kind != Kind.WRESTLE:
        n += s.shimmer[d]  # F-56
    return min(max(0, n) + (s.n_order[d] > 0), MAX_HAND)


@rule
def spend_bank(s):
    """Extra cards won by defending are added once, to the first hand against that fairy (U-25).

    They wait while she wrestles (U-44).
    """
    if s.kind == Kind.MELEE or s.kind == Kind.RANGED:
        s.bank[s.attacker, s.defender] = 0


# ------------------------------------------------------------------------- trumps for twinkle
@rule
def can_trade(s, f):
    """Whether she is asked about discarding trumps for used Twinkle Points (F-59, U-06).

    Asked whatever she holds, since being asked must not tell that she holds trumps (F-77).
    """
    return s.used_twinkle[f] > 0 and s.n_hand[f] > 0 and not is_friendly(s)


@rule
def trade(s, f, colour):
    card = lowest_trump(s, f, colour)
    show_from_hand(s, f, card)
    discard_up(s, card)
    s.used_twinkle[f] -= 1
    s.twinkle[f] += 1


@rule
def legal_trades(s, f, out):
    n = 1
    out[act.KEEP] = True
    for colour in range(2):
        if n_trumps(s, f, colour) > 0:
            out[act.TRADE + colour] = True
            n += 1
    return n


# ------------------------------------------------------------------------------------- the end
@rule
def can_attack_again(s):
    """Attacks are left, and the attacker can still fight (U-41) and holds a card (U-21, U-23, U-34)."""
    a = s.attacker
    return s.attacks_left > 0 and s.alive[a] and s.n_hand[a] > 0 and can_attack(s, a)


@rule
def end_combat(s):
    """Unplayed cards go to the heap (F-04, U-31)."""
    for f in range(s.n_fairies):
        discard_hand(s, f)
        s.open[f, HAND] = 0
        s.drawn[f] = 0
        s.sign[f] = Sign.NONE
        s.no_number[f] = 0
        s.no_trump[f] = 0
        s.prev_points[f] = 0
        s.boost[f] = 0
    s.attacks_left = 0
    s.attacker = NO_FAIRY
    s.defender = NO_FAIRY
    s.kind = Kind.MELEE
    s.slot_used = 0
    if s.play == Play.SKIRMISH:
        s.phase = Phase.AFTER_ACT
    else:
        s.phase = Phase.OVER if s.play == Play.CLASH else Phase.TURN_END

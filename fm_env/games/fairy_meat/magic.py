"""Twinkling (rulebook, Twinkling; F-30, F-31, F-34, F-54 to F-58, U-37).

First the four spells as they are cast on the table; then Rose Prick as a card fight, with the joker
that turns it round.
"""

from __future__ import annotations

from fm_env.compiled import rule
from fm_env.games.fairy_meat import actions as act
from fm_env.games.fairy_meat.cards import clear_table, discard_hand, discard_up
from fm_env.games.fairy_meat.constants import (
    HAND,
    INCH,
    JOKER,
    SPELL_COST,
    Aim,
    Kind,
    Magic,
    Phase,
    Spell,
)
from fm_env.games.fairy_meat.hands import attack_hand_size, is_target

MAX_RECASTS = 10
MAX_SHIMMER = 24
WIND_UP, WING_BIND = int(Spell.WIND_UP), int(Spell.WING_BIND)


# ------------------------------------------------------------------------------------- casting
@rule
def can_cast_at(s, f, g):
    """A living figure in sight, herself too (F-34), but no thorn at herself (F-79); no range."""
    return s.alive[g] == 1 and s.sees[f, g] > 0 and not (g == f and s.spell == Spell.ROSE_PRICK)


@rule
def sees_another(s, f):
    for g in range(s.n_fairies):
        if g != f and s.alive[g] and s.sees[f, g] > 0:
            return True
    return False


@rule
def legal_spells(s, f, out):
    """The two spells of her side, for Twinkle Points and not for warband points (F-54), as often as
    she can pay.
    """
    n = 0
    first = WIND_UP if s.magic[f] == Magic.SWEET else WING_BIND
    for spell in range(first, first + 2):
        target = spell != Spell.ROSE_PRICK or sees_another(s, f)
        if s.magic[f] != Magic.NONE and s.twinkle[f] >= SPELL_COST[spell] and target:
            out[act.SPELL + spell] = True
            n += 1
    return n


@rule
def begin_spell(s, f, spell):
    """Pay for the spell; how much more to put in is asked next, where it helps (F-55)."""
    s.spell = spell
    s.power = 0
    pay(s, f, SPELL_COST[spell])
    s.aim = Aim.SPELL
    s.phase = Phase.POWER if spell != Spell.WING_BIND and s.twinkle[f] > 0 else Phase.TARGET


@rule
def pay(s, f, points):
    s.twinkle[f] -= points
    s.used_twinkle[f] += points


@rule
def legal_powers(s, f, out):
    n = min(s.twinkle[f] + 1, 8)
    for k in range(n):
        out[act.POWER + k] = True
    return n


@rule
def cast_at(s, f, g):
    """What the spell does to `g`, by all the points in it (F-55). Shimmers add up (F-56), to 24 at most
    (F-91). Wing Bind is for her next turn (F-31), on oneself for the one after this (F-90). A Rose
    Prick is fought at once, and isn't her one attack (F-57).
    """
    if s.spell == Spell.WIND_UP:
        s.wind_up[g] += (4 + 2 * int(s.power)) * INCH
    elif s.spell == Spell.SHIMMER:
        s.shimmer[g] = min(s.shimmer[g] + 2 + s.power, MAX_SHIMMER)
    elif s.spell == Spell.WING_BIND:
        s.bound[g] |= 2 if g == s.turn else 1
    else:
        s.kind = Kind.PRICK
        s.strength = 1 + s.power
        s.attacker = f
        s.defender = g
        s.recasts = 0
        s.slot_used = 0
        s.phase = Phase.COMBAT_START


# ---------------------------------------------------------------------------- the thorn as a fight


@rule
def stops_the_spell(s, card):
    """Any joker drawn while a spell draws its hands cancels it (F-58)."""
    return s.kind == Kind.PRICK and card == JOKER


@rule
def cancel_spell(s):
    """Both hands and all laid cards are discarded; the target's player casts it anew (F-58).

    What had been declared is void (U-46).
    """
    discard_up(s, JOKER)
    for f in (s.attacker, s.defender):
        clear_table(s, f)
        discard_hand(s, f)
        s.open[f, HAND] = 0
        s.drawn[f] = 0
        s.sign[f] = 0
        s.no_number[f] = 0
    s.to_draw = 0
    s.recasts += 1
    s.phase = Phase.COMBAT_END if s.recasts > MAX_RECASTS else Phase.RECAST


@rule
def can_be_recast_at(s, f):
    """Any other living fairy in sight, the old caster too (F-58); never the new caster (F-79)."""
    return is_target(s, s.defender, f)


@rule
def recast(s, target):
    """The old target is now the caster; sweet or mean magic is ignored (F-58)."""
    s.attacker = s.defender
    s.defender = target
    s.attacks_left = 1
    s.to_draw = attack_hand_size(s)
    s.drawn[s.attacker] = 1
    s.phase = Phase.DRAW_ATTACKER

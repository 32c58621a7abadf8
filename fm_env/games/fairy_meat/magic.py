"""Rose Prick as a fight, and the joker that turns a spell round (F-57, F-58, U-37).

The rest of Twinkling belongs to the whole table; here is what a card fight needs of it.
"""

from __future__ import annotations

from fm_env.compiled import rule
from fm_env.games.fairy_meat.cards import clear_table, discard_hand, discard_up
from fm_env.games.fairy_meat.constants import HAND, JOKER, Kind, Phase
from fm_env.games.fairy_meat.hands import attack_hand_size, is_target

MAX_RECASTS = 10


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

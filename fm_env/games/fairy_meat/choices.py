"""Whose choice it is, and what is legal: one table of phases, for fights and the whole table.

Each phase has who chooses (`chooser`) and what is legal (`legal_actions`). No rule lives here: each
branch calls the chapter that holds it. What then happens is in `decisions.py`.
"""

from __future__ import annotations

from fm_env.compiled import rule
from fm_env.games.fairy_meat import actions as act
from fm_env.games.fairy_meat import combat_fast_play as fast
from fm_env.games.fairy_meat import combat_unclevl as uncl
from fm_env.games.fairy_meat import damage, hands, magic, movement, order, placement, table, turn, warband
from fm_env.games.fairy_meat.constants import (
    BAND,
    FIRST_CHANCE,
    NO_FAIRY,
    NO_WEAPON,
    WEAPON_SLOTS,
    Combat,
    Kind,
    Phase,
    Play,
)


# ---------------------------------------------------------------------------- who is to choose
@rule
def is_secret(phase):
    """Phases in which several fairies choose without knowing of each other."""
    return (
        phase == Phase.THINK
        or phase == Phase.PLAN
        or phase == Phase.LAY_TRUMPS
        or phase == Phase.LAY_MAIN
        or phase == Phase.SUPPORTS
    )


@rule
def owes(s, f):
    """Whether fairy `f` still has to choose in this secret phase."""
    if s.choice[f] >= 0:
        return False
    if s.phase == Phase.THINK:
        return order.can_think(s, f)
    if s.phase == Phase.PLAN:
        return order.has_plan_to_make(s, f)
    return table.is_fighter(s, f)


@rule
def chooser(s):
    """The fairy whose owner makes an open choice."""
    phase = s.phase
    if phase == Phase.PICK_OWN:
        return order.next_in_queue(s)
    if phase == Phase.TRADE_DEFENDER or phase == Phase.DECLARE_DEFENDER:
        return s.defender
    if phase == Phase.JOKER:
        return s.joker_of
    if phase == Phase.TURN_UP:
        return uncl.undecided_trumps_of(s)
    if phase == Phase.WRESTLE_WON:
        return s.winner
    if phase == Phase.DAMAGE:
        return damage.wounded_fairy(s)
    if phase == Phase.REDIRECT or phase == Phase.HEAL or phase == Phase.BOOST or phase == Phase.RECAST:
        return s.defender
    if phase == Phase.CHEAT_OF_ATTACKER or phase == Phase.SPOILS:
        return s.defender
    if phase == Phase.ACT or phase == Phase.MODE or phase == Phase.POWER:
        return s.turn
    if phase == Phase.MOVE or phase == Phase.DISTANCE:
        return s.mover
    if phase == Phase.TARGET and s.play == Play.SKIRMISH:
        return turn.pointer(s)
    if phase == Phase.PICK_FIGURE:
        return placement.first_to_place(s)
    if phase == Phase.CELL or phase == Phase.SPOT:
        return s.placing
    return s.attacker


@rule
def asked_fairy(s, seat):
    """The fairy for which `seat` owes a choice now, or NO_FAIRY.

    While warbands are built it is the place in the warband, counted over all seats.
    """
    if s.phase >= FIRST_CHANCE:
        return NO_FAIRY
    if s.phase == Phase.BUILD:
        return seat * BAND if warband.has_to_build(s, seat) else NO_FAIRY
    if not is_secret(s.phase):
        f = chooser(s)
        return f if s.owner[f] == seat else NO_FAIRY
    if s.phase >= Phase.LAY_TRUMPS and s.owner[s.attacker] == seat and owes(s, s.attacker):
        return s.attacker  # in a friendly fight the attacker lays first
    for f in range(s.n_fairies):
        if s.owner[f] == seat and owes(s, f):
            return f
    return NO_FAIRY


# ------------------------------------------------------------------------------- what is legal
@rule
def legal_actions(s, f, out):
    """Marks what fairy `f`, who owes a choice, may do; returns how many."""
    phase = s.phase
    if phase == Phase.LAY_TRUMPS:
        return uncl.legal_trump_lays(s, f, out)
    if phase == Phase.LAY_MAIN:
        return fast.legal_main(s, f, out) if s.combat == Combat.FAST_PLAY else uncl.legal_main(s, f, out)
    if phase == Phase.DECLARE_ATTACKER or phase == Phase.DECLARE_DEFENDER:
        return mark(out, act.DECLARE_ADD, act.DECLARE_SUBTRACT)
    if phase == Phase.CHEAT_OF_DEFENDER or phase == Phase.CHEAT_OF_ATTACKER:
        return uncl.legal_uses_of_cheat(s, f, out)
    if phase == Phase.SUPPORTS:
        return fast.legal_supports(s, f, out)
    if phase == Phase.TURN_UP:
        return mark(out, act.TURN_UP, act.LEAVE_DOWN)
    if phase == Phase.BOOST:
        return mark(out, act.USE_BOOST, act.NO_BOOST)
    if phase == Phase.SPOILS:
        return mark(out, act.TAKE_CARDS, act.TAKE_BOOST)
    if phase == Phase.WRESTLE_WON:
        return mark(out, act.DEAL, act.ESCAPE)
    if phase == Phase.JOKER:
        return mark(out, act.JOKER_HURTS, act.JOKER_HEALS)
    if phase == Phase.DAMAGE:
        return mark(out, act.LOSE_LIVE, act.LOSE_KILL)
    if phase == Phase.HEAL:
        return mark(out, act.HEAL_LIVE, act.HEAL_KILL)
    if phase == Phase.TRADE_ATTACKER or phase == Phase.TRADE_DEFENDER:
        return hands.legal_trades(s, f, out)
    if phase == Phase.THINK:
        return order.legal_think(s, f, out)
    if phase == Phase.PLAN:
        return order.legal_plans(s, f, out)
    if phase == Phase.ACT:
        return turn.legal_acts(s, f, out) if s.play == Play.SKIRMISH else legal_acts(s, f, out)
    if phase >= Phase.BUILD or (phase == Phase.TARGET and s.play == Play.SKIRMISH):
        return legal_on_table(s, f, out)
    return legal_targets(s, f, out)


@rule
def legal_on_table(s, f, out):
    """Choices that only the whole table has."""
    phase = s.phase
    if phase == Phase.TARGET:
        return turn.legal_goals(s, out)
    if phase == Phase.MOVE:
        return movement.legal_moves(s, f, out)
    if phase == Phase.DISTANCE:
        return movement.legal_distances(s, out)
    if phase == Phase.MODE:
        for mode in range(4):
            out[act.MODE + mode] = True
        return 4
    if phase == Phase.POWER:
        return magic.legal_powers(s, f, out)
    if phase == Phase.BUILD:
        return warband.legal_build(s, f // BAND, out)
    if phase == Phase.PICK_FIGURE:
        return legal_targets(s, f, out)
    return placement.legal_cells(s, out)


@rule
def mark(out, first, second):
    out[first] = True
    out[second] = True
    return 2


@rule
def legal_acts(s, f, out):
    """What a fairy may do with her turn: a blow or shot with any weapon of hers (F-48, F-50), and so on."""
    out[act.END_TURN] = True
    n = 1
    if hands.can_attack(s, f):
        for slot in range(WEAPON_SLOTS):
            if s.weapon[f, slot] != NO_WEAPON:
                out[act.ATTACK + slot] = True
                n += 1
        if s.combat == Combat.UNCLEVL:
            out[act.WRESTLE] = True  # U-33
            n += 1
    if s.used_twinkle[f] > 0:
        out[act.REST] = True  # F-60
        n += 1
    return n


@rule
def legal_targets(s, f, out):
    """Figures to point at, numbered as the chooser's player sees them; and how to point at none."""
    n = 0
    if s.phase == Phase.NEXT_ATTACK:
        out[act.STOP] = True
        n = 1
    elif s.phase == Phase.REDIRECT or s.phase == Phase.RECAST:
        out[act.DECLINE] = True
        n = 1
    for g in range(s.n_fairies):
        if is_choosable(s, f, g):
            out[act.TARGET + int(s.place[s.owner[f], g])] = True  # uncompiled, an i1 can't hold the id
            n += 1
    return n


@rule
def is_choosable(s, f, g):
    if s.phase == Phase.PICK_OWN:
        ready = s.revealed[g] and s.alive[g] and not s.acted[g]
        return ready and s.owner[g] == s.owner[f] and s.standing[g] == s.standing[f]
    if s.phase == Phase.PICK_FIGURE:
        return placement.is_to_be_placed(s, g)
    if s.phase == Phase.REDIRECT:
        return table.can_redirect_to(s, g)
    if s.phase == Phase.RECAST:
        return magic.can_be_recast_at(s, g)
    if s.phase == Phase.NEXT_ATTACK and s.kind != Kind.RANGED and s.apart[f, g]:
        return False  # out of contact, and the pose is spent
    return hands.is_target(s, f, g)

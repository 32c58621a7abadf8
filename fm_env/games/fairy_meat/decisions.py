"""Whose choice comes next: one table of phases, for both fighting systems.

`settle` runs whatever passes by itself until a player must choose, chance must act or the game is
over. Each phase then has who chooses (`chooser`), what is legal (`legal_actions`) and what happens
(`take_action`, `take_card`). No rule lives here: each branch calls the chapter that holds it.
"""

from __future__ import annotations

from fm_env.compiled import rule
from fm_env.games.fairy_meat import actions as act
from fm_env.games.fairy_meat import combat_fast_play as fast
from fm_env.games.fairy_meat import combat_unclevl as uncl
from fm_env.games.fairy_meat import damage, hands, magic, movement, order, placement, table, turn, warband
from fm_env.games.fairy_meat.cards import can_draw, put_in_hand, take_from_deck
from fm_env.games.fairy_meat.constants import (
    BAND,
    FIRST_AUTOMATIC,
    FIRST_CHANCE,
    NO_FAIRY,
    NO_WEAPON,
    TABLE_OUTCOME,
    WARBAND_OUTCOME,
    WEAPON_SLOTS,
    WEAPON_STRENGTH,
    Aim,
    Combat,
    Kind,
    Main,
    Phase,
    Play,
    Sign,
)
from fm_env.games.fairy_meat.setup import lay_out_roster, write_badges


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


# -------------------------------------------------------------------------------- what happens
@rule
def take_action(s, f, action):
    """Fairy `f` makes the choice that her owner owes."""
    phase = s.phase
    if is_secret(phase):
        s.choice[f] = action
    elif phase == Phase.DECLARE_ATTACKER or phase == Phase.DECLARE_DEFENDER:
        s.sign[f] = Sign.ADD if action == act.DECLARE_ADD else Sign.SUBTRACT
        s.phase = Phase.EXCHANGE_START if phase == Phase.DECLARE_ATTACKER else Phase.LAY_TRUMPS
        if phase == Phase.DECLARE_DEFENDER:
            uncl.ask_for_trumps(s)
    elif phase == Phase.CHEAT_OF_DEFENDER:
        uncl.use_cheat(s, f, s.defender, action)
        s.phase = Phase.CHEAT_OF_ATTACKER
    elif phase == Phase.CHEAT_OF_ATTACKER:
        uncl.use_cheat(s, f, s.attacker, action)
        s.phase = Phase.OUTCOME
    elif phase == Phase.TURN_UP:
        if action == act.TURN_UP:
            uncl.turn_up(s, f)
        s.phase = Phase.BOOST
    elif phase == Phase.BOOST:
        uncl.use_boost(s, action == act.USE_BOOST)
    elif phase == Phase.DAMAGE:
        damage.lose_point(s, f, action == act.LOSE_LIVE)
    else:
        take_rare_action(s, f, action)


@rule
def take_rare_action(s, f, action):
    phase = s.phase
    if phase == Phase.TRADE_ATTACKER or phase == Phase.TRADE_DEFENDER:
        if action == act.KEEP:
            end_trading(s)
        else:
            hands.trade(s, f, action - act.TRADE)
    elif phase == Phase.SPOILS:
        if action == act.TAKE_CARDS:
            uncl.take_cards(s)
        else:
            uncl.take_boost(s)
    elif phase == Phase.WRESTLE_WON:
        if action == act.DEAL:
            uncl.deal_wrestle_damage(s)
        else:
            uncl.escape(s)
    elif phase == Phase.JOKER:
        table.play_joker(s, action == act.JOKER_HURTS)
    elif phase == Phase.HEAL:
        damage.heal(s, f, action == act.HEAL_LIVE)
        s.phase = Phase.JOKERS_DONE
    elif phase == Phase.ACT:
        if s.play == Play.SKIRMISH:
            turn.take_act(s, f, action)
        else:
            take_act(s, f, action)
    elif phase >= Phase.BUILD or (phase == Phase.TARGET and s.play == Play.SKIRMISH):
        take_on_table(s, f, action)
    else:
        take_target(s, f, action)


@rule
def take_on_table(s, f, action):
    phase = s.phase
    if phase == Phase.TARGET:
        turn.take_goal(s, f, turn.goal_of_action(s, f, action))
    elif phase == Phase.MOVE:
        turn.take_move(s, action)
    elif phase == Phase.DISTANCE:
        movement.take_distance(s, action - act.DISTANCE)
    elif phase == Phase.MODE:
        turn.declare_mode(s, f, action - act.MODE + 1)
    elif phase == Phase.POWER:
        s.power = action - act.POWER
        magic.pay(s, f, s.power)
        turn.point_at(s, Aim.SPELL)
    elif phase == Phase.BUILD:
        warband.build(s, f // BAND, action)
    elif phase == Phase.PICK_FIGURE:
        placement.start_placing(s, s.roster[s.owner[f], action - act.TARGET])
    else:
        placement.take_cell(s, action)


@rule
def take_act(s, f, action):
    if action == act.END_TURN:
        s.phase = Phase.TURN_END
    elif action == act.REST:
        s.used_twinkle[f] -= 1
        s.twinkle[f] += 1
        s.phase = Phase.TURN_END
    elif action == act.WRESTLE:
        hands.begin_attack(s, Kind.WRESTLE, 0)
    else:
        slot = action - act.ATTACK
        ranged = WEAPON_STRENGTH[s.weapon[f, slot]] > 0
        hands.begin_attack(s, Kind.RANGED if ranged else Kind.MELEE, slot)


@rule
def take_target(s, f, action):
    phase = s.phase
    if action == act.STOP:
        s.phase = Phase.COMBAT_END
        return
    if action == act.DECLINE:
        s.phase = Phase.EXCHANGE_END if phase == Phase.REDIRECT else Phase.COMBAT_END
        return
    g = s.roster[s.owner[f], action - act.TARGET]
    if phase == Phase.PICK_OWN:
        order.start_turn(s, g)
    elif phase == Phase.REDIRECT:
        table.redirect(s, g)
    elif phase == Phase.RECAST:
        magic.recast(s, g)
    elif phase == Phase.NEXT_ATTACK:
        s.defender = g
        s.phase = Phase.EXCHANGE_START
    else:
        s.defender = g
        s.phase = Phase.COMBAT_START


@rule
def take_card(s, card):
    """Chance deals a card to whoever is drawing."""
    phase = s.phase
    if phase == Phase.DRAW_TABLE:
        placement.lay_table(s, card - TABLE_OUTCOME)
        return
    if phase == Phase.DRAW_WARBAND:
        warband.draw_warband(s, card - WARBAND_OUTCOME)
        return
    take_from_deck(s, card)
    if phase == Phase.DRAW_ATTACKER or phase == Phase.DRAW_DEFENDER:
        if magic.stops_the_spell(s, card):
            magic.cancel_spell(s)
        else:
            put_in_hand(s, s.attacker if phase == Phase.DRAW_ATTACKER else s.defender, card)
            s.to_draw -= 1
    elif phase == Phase.WILD_ATTACKER:
        table.draw_for_wild(s, s.attacker, card)
    elif phase == Phase.WILD_DEFENDER:
        table.draw_for_wild(s, s.defender, card)
    elif phase == Phase.DEAL_ORDER:
        order.deal_order_card(s, card)
    elif phase == Phase.DRAW_LOT:
        placement.draw_lot(s, card)
    else:
        s.tie_card[order.next_tie_drawer(s)] = card


# ----------------------------------------------------------------------------- what passes by itself
@rule
def settle(s):
    """Run on until somebody must choose, a card must be drawn, or the game is over."""
    while True:
        phase = s.phase
        if phase == Phase.OVER:
            return
        if phase >= FIRST_AUTOMATIC:
            pass_automatic(s)
        elif phase >= FIRST_CHANCE:
            if is_card_wanted(s):
                return
        elif is_choice_wanted(s):
            return


@rule
def is_card_wanted(s):
    """Chance phases: True if a card is to be drawn, else the phase after."""
    phase = s.phase
    if phase == Phase.DRAW_ATTACKER or phase == Phase.DRAW_DEFENDER:
        if s.to_draw > 0 and can_draw(s):
            return True
        s.to_draw = 0
        end_drawing(s)
    elif phase == Phase.WILD_ATTACKER or phase == Phase.WILD_DEFENDER:
        f = s.attacker if phase == Phase.WILD_ATTACKER else s.defender
        if s.main[f] == Main.NOT_LAID:
            if can_draw(s):
                return True
            if s.combat == Combat.FAST_PLAY:
                fast.give_up_wild(s, f)
            else:
                uncl.give_up_wild(s, f)
        if s.phase == phase:
            s.phase = Phase.WILD_DEFENDER if phase == Phase.WILD_ATTACKER else Phase.AFTER_WILDS
    elif phase == Phase.DEAL_ORDER:
        return order.deal_order_cards(s)
    elif phase == Phase.TIE_DRAW:
        return order.draw_for_tie(s)
    else:
        return is_lot_wanted(s)
    return False


@rule
def is_lot_wanted(s):
    """Before round 1: which table, which warbands, who places first (F-64, F-70)."""
    if s.phase == Phase.DRAW_TABLE:
        if s.n_tables > 1 and s.table < 0:
            return True
        if s.table < 0:
            placement.lay_table(s, 0)
        s.phase = Phase.DRAW_WARBAND
        if s.n_fairies > 0:  # a set-up position
            placement.stand_as_set_up(s)
    elif s.phase == Phase.DRAW_WARBAND:
        if warband.next_to_draw_for(s) >= 0:
            return True
        s.phase = Phase.BUILD
    else:
        if placement.next_lot(s) >= 0:
            return True
        s.phase = Phase.PLACING
    return False


@rule
def end_drawing(s):
    """A hand is complete: trading, declaring, or the other fighter's draw (F-05, F-37, F-59, U-05)."""
    fast_play = s.combat == Combat.FAST_PLAY
    if s.phase == Phase.DRAW_DEFENDER:
        s.phase = Phase.TRADE_ATTACKER if fast_play else Phase.TRADE_DEFENDER
    elif s.n_hand[s.attacker] == 0:
        s.phase = Phase.COMBAT_END  # without a card the attack fails and is used up (F-37, U-21)
    else:
        s.phase = Phase.EXCHANGE_START if fast_play else Phase.TRADE_ATTACKER


@rule
def end_trading(s):
    """After trading, Fast Play lays cards; UnclEvl's fighter declares (U-06)."""
    if s.combat == Combat.FAST_PLAY:
        if s.phase == Phase.TRADE_ATTACKER:
            s.phase = Phase.TRADE_DEFENDER
        else:
            table.ask_fighters(s, Phase.LAY_MAIN)
            if s.n_hand[s.defender] == 0:
                s.choice[s.defender] = act.MAIN_NONE
    elif s.phase == Phase.TRADE_ATTACKER:
        s.phase = Phase.DECLARE_ATTACKER
    else:
        s.phase = Phase.DECLARE_DEFENDER


@rule
def is_choice_wanted(s):
    """Decision phases: True if somebody must choose, else what follows without a choice."""
    phase = s.phase
    if phase == Phase.BUILD:
        for seat in range(s.n_seats):
            if warband.has_to_build(s, seat):
                return True
        s.phase = Phase.MUSTER
        return False
    if is_secret(phase):
        for f in range(s.n_fairies):
            if owes(s, f):
                return True
        turn_over_choices(s)
        return False
    if phase == Phase.TRADE_ATTACKER or phase == Phase.TRADE_DEFENDER:
        if hands.can_trade(s, chooser(s)):
            return True
        end_trading(s)
    elif phase == Phase.DECLARE_ATTACKER or phase == Phase.DECLARE_DEFENDER:
        # Without a card there is nothing to declare; everyone sees that.
        if s.n_hand[chooser(s)] > 0 and s.sign[chooser(s)] == Sign.NONE:
            return True
        if phase == Phase.DECLARE_ATTACKER:
            s.phase = Phase.EXCHANGE_START
        else:
            uncl.ask_for_trumps(s)
    elif phase == Phase.TURN_UP:
        return True
    elif phase == Phase.BOOST:
        return uncl.settle_boost(s)
    elif phase == Phase.CHEAT_OF_DEFENDER:
        if uncl.is_caught(s, s.defender):
            return True
        s.phase = Phase.CHEAT_OF_ATTACKER
    elif phase == Phase.CHEAT_OF_ATTACKER:
        if uncl.is_caught(s, s.attacker):
            return True
        s.phase = Phase.OUTCOME
    elif phase == Phase.DAMAGE:
        return damage.settle_damage(s)
    elif phase == Phase.HEAL:
        return damage.settle_heal(s)
    elif phase == Phase.JOKER:
        if table.is_joker_worth_asking(s):
            return True
        s.phase = Phase.JOKERS_DONE
    elif phase == Phase.REDIRECT:
        if table.n_redirects(s) > 0:
            return True
        s.phase = Phase.EXCHANGE_END
    elif phase == Phase.PICK_FIGURE:
        f = placement.only_one_to_place(s)
        if f == NO_FAIRY:
            return True
        placement.start_placing(s, f)
    else:
        return True
    return False


@rule
def turn_over_choices(s):
    """Everybody has chosen in secret."""
    phase = s.phase
    if phase == Phase.LAY_TRUMPS:
        uncl.reveal_trumps(s)
    elif phase == Phase.LAY_MAIN:
        if s.combat == Combat.FAST_PLAY:
            fast.ask_for_supports(s)
        else:
            uncl.reveal_mains(s)
    elif phase == Phase.SUPPORTS:
        fast.reveal(s)
    elif phase == Phase.PLAN:
        order.carry_out_plans(s)
    else:
        order.pay_for_thinking(s)


@rule
def pass_automatic(s):
    phase = s.phase
    if phase == Phase.EXCHANGE_START:
        start_exchange(s)
    elif phase == Phase.AFTER_WILDS:
        if table.is_joker_laid(s):
            table.begin_jokers(s)
        elif s.combat == Combat.FAST_PLAY:
            s.phase = Phase.OUTCOME
        else:
            uncl.ask_to_turn_up(s)
    elif phase == Phase.OUTCOME:
        if s.combat == Combat.FAST_PLAY:
            fast.settle_outcome(s)
        else:
            uncl.settle_outcome(s)
    elif phase == Phase.EXCHANGE_END:
        table.end_exchange(s)
    elif phase == Phase.COMBAT_END:
        hands.end_combat(s)
    elif phase == Phase.COMBAT_START:
        hands.start_combat(s)
    elif phase == Phase.JOKERS_DONE:
        table.after_joker(s)
    elif phase == Phase.TURN_END:
        if s.play == Play.SKIRMISH:
            turn.end_turn(s, s.turn)
        s.phase = Phase.OVER if is_decided(s) else Phase.NEXT_TURN
    elif phase == Phase.TURN_START:
        turn.begin_turn(s, s.turn)
        s.phase = Phase.ACT
    elif phase == Phase.AFTER_ACT:
        s.phase = Phase.ACT if s.alive[s.turn] else Phase.TURN_END
    elif phase == Phase.MUSTER:
        muster(s)
    elif phase == Phase.PLACING:
        placement.go_on_placing(s)
    elif phase == Phase.NEXT_TURN:
        order.go_to_next_turn(s)
    else:
        order.start_round(s)


@rule
def muster(s):
    """Warbands are open (F-70): fairy cards, places of the roster, and lots for placing."""
    warband.muster(s)
    lay_out_roster(s)
    write_badges(s)
    s.phase = Phase.DRAW_LOT


@rule
def start_exchange(s):
    """The next attack begins; points of earlier attacks on others are gone (U-26, U-27)."""
    d = s.defender
    s.attacks_left -= 1
    for f in range(s.n_fairies):
        if f != d:
            s.prev_points[f] = 0
            s.boost[f] = 0
    if s.drawn[d]:
        uncl.ask_for_trumps(s)
    else:
        s.drawn[d] = 1
        s.to_draw = hands.defence_hand_size(s) - s.n_hand[d]
        s.phase = Phase.DRAW_DEFENDER


@rule
def is_decided(s):
    """At most one player has a living fairy (F-66)."""
    owner = -1
    for f in range(s.n_fairies):
        if s.alive[f]:
            if owner >= 0 and s.owner[f] != owner:
                return False
            owner = s.owner[f]
    return True

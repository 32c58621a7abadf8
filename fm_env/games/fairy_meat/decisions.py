"""What happens when a choice is made or a card is drawn: one table of phases, for all that is played.

Each phase has what an action does (`take_action`) and what a card does (`take_card`); `settle` then
runs whatever passes by itself until a player must choose, chance must act or the game is over. No
rule lives here: each branch calls the chapter that holds it.
"""

from __future__ import annotations

from fm_env.compiled import rule
from fm_env.games.fairy_meat import actions as act
from fm_env.games.fairy_meat import combat_fast_play as fast
from fm_env.games.fairy_meat import combat_unclevl as uncl
from fm_env.games.fairy_meat import damage, hands, magic, movement, order, placement, table, turn, warband
from fm_env.games.fairy_meat.cards import can_draw, put_in_hand, renew_deck, take_from_deck, turn_up_laid
from fm_env.games.fairy_meat.choices import chooser, is_secret, owes
from fm_env.games.fairy_meat.constants import (
    BAND,
    FIRST_AUTOMATIC,
    FIRST_CHANCE,
    NO_FAIRY,
    TABLE_OUTCOME,
    WARBAND_OUTCOME,
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
            turn_up_laid(s, f)
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
    while pass_step(s):
        pass


@rule
def pass_step(s):
    """Let one thing pass by itself; False when nothing does."""
    phase = s.phase
    if phase == Phase.OVER:
        return False
    if phase >= FIRST_AUTOMATIC:
        pass_automatic(s)
        return True
    if phase >= FIRST_CHANCE:
        if not is_card_wanted(s):
            return True
        renew_deck(s)
        return False
    return not is_choice_wanted(s)


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

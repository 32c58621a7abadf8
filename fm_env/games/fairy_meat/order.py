"""The round order: Thinking, Order Cards, the countdown (rulebook, The Round Order; F-06 to F-14).

The countdown is asked as secret plans. Nothing public happens between two turns, so each fairy
with an unused Order Card says at once at which poll she would turn it up if nobody acted before;
the earliest poll wins, ties are drawn, and after every turn all are asked again. Asking only
those who hold the called rank would tell everyone who holds it.

A poll is a slot: 2i is the moment before call i, when jokers may be turned up (F-10), 2i + 1 is
call i itself, END_SLOT comes after the last King.
"""

from __future__ import annotations

from fm_env.compiled import rule
from fm_env.games.fairy_meat import actions as act
from fm_env.games.fairy_meat.cards import (
    call_rank,
    can_draw,
    discard_order_cards,
    discard_up,
    is_heap_empty,
    note_exposed,
    note_joined,
    shuffle_heap,
)
from fm_env.games.fairy_meat.constants import (
    END_SLOT,
    JOKER,
    MAX_THINK,
    MIN_CARDS_FOR_THINKING,
    NO_CARD,
    NO_FAIRY,
    NO_SLOT,
    NUM_CALLS,
    NUM_CARDS,
    ORDER,
    Combat,
    FairyType,
    Phase,
    Play,
)


@rule
def round_seat(s, k):
    """The k-th seat in this round's rotation; the lead moves on one seat a round (F-81)."""
    return (s.first_seat + s.round_number - 1 + k) % s.n_seats


@rule
def rank_of_call(call):
    """Rank called: K (13) down to A (1), then A up to K (F-08). The Ace is called twice in a row."""
    return 13 - call if call < 13 else call - 12


# ------------------------------------------------------------------------------ start of a round
@rule
def start_round(s):
    """New round: Fast Play shuffles everything anew (F-02), UnclEvl goes on with the deck (U-30).

    Before round 1 only a set-up can have put cards into the heap.
    """
    s.round_number += 1
    s.slot = 0
    s.turn = NO_FAIRY
    for f in range(s.n_fairies):
        discard_order_cards(s, f)
        s.acted[f] = 0
        s.revealed[f] = 0
        s.bought[f] = 0
        for g in range(s.n_fairies):
            s.bank[f, g] = 0
    if s.combat == Combat.FAST_PLAY and (s.round_number > 1 or not is_heap_empty(s)):
        shuffle_heap(s)
    for f in range(s.n_fairies):
        s.choice[f] = act.THINK if s.alive[f] and s.twinkle[f] == 0 else -1
    s.phase = Phase.THINK


@rule
def can_think(s, f):
    """Thinking is a choice for a living fairy with Twinkle Points (F-07); the rest have nothing to say."""
    return s.alive[f] and s.twinkle[f] > 0


@rule
def pay_for_thinking(s):
    """All Thinking is turned over together and paid (F-07); then Glitter fairies regain one (F-06)."""
    for f in range(s.n_fairies):
        if not s.alive[f]:
            continue
        n = s.choice[f] - act.THINK
        s.choice[f] = -1
        s.bought[f] = n
        s.twinkle[f] -= n
        s.used_twinkle[f] += n
        if s.fairy_type[f] == FairyType.GLITTER and s.used_twinkle[f] > 0:
            s.used_twinkle[f] -= 1
            s.twinkle[f] += 1
    s.phase = Phase.DEAL_ORDER


# --------------------------------------------------------------------------------------- dealing
@rule
def next_to_be_dealt(s):
    """Fairy who gets the next Order Card, in seat rotation: one each, then the bought ones (F-71)."""
    for k in range(s.n_seats):
        seat = round_seat(s, k)
        for f in range(s.n_fairies):
            if s.owner[f] == seat and s.alive[f] and s.n_order[f] == 0:
                return f
    # Who has had fewest of her bought cards is next; rotation decides among equals.
    best = NO_FAIRY
    for k in range(s.n_seats):
        seat = round_seat(s, k)
        for f in range(s.n_fairies):
            if s.owner[f] == seat and s.alive[f] and s.bought[f] > 0:
                if best == NO_FAIRY or s.n_order[f] < s.n_order[best]:
                    best = f
    return best


@rule
def deal_order_cards(s):
    """True while a card is to be drawn. Bought cards only while 12 remain; the rest is refunded (F-71).

    A Glitter fairy may have regained one of the points to be refunded meanwhile (F-82): she has it
    already, and no more than all her points can come back.
    """
    f = next_to_be_dealt(s)
    if f != NO_FAIRY:
        first = s.n_order[f] == 0
        if first and can_draw(s):
            return True
        if not first and s.n_deck >= MIN_CARDS_FOR_THINKING:
            return True
    for g in range(s.n_fairies):
        back = min(s.bought[g], s.used_twinkle[g])
        s.twinkle[g] += back
        s.used_twinkle[g] -= back
        s.bought[g] = 0
    s.phase = Phase.NEXT_TURN
    return False


@rule
def deal_order_card(s, card):
    f = next_to_be_dealt(s)
    if s.n_order[f] > 0:
        s.bought[f] -= 1
    s.order[f, card] += 1
    s.n_order[f] += 1
    note_joined(s, f, ORDER)


# ----------------------------------------------------------------------------------------- plans
@rule
def has_plan_to_make(s, f):
    """Whether she still has an Order Card that nobody has seen: a public fact (F-80)."""
    return s.alive[f] and not s.acted[f] and not s.revealed[f] and s.n_order[f] > 0


@rule
def last_slot(s, f):
    """The poll at which she must act at the latest: the ascending call of her highest card, or the
    end with a joker or without a card (F-09, F-10, F-71).
    """
    if s.n_order[f] == 0 or s.order[f, JOKER] > 0:
        return END_SLOT
    best = 0
    for c in range(JOKER):
        if s.order[f, c] > 0:
            best = max(best, 2 * (call_rank(c) + 12) + 1)
    return best


@rule
def legal_plans(s, f, out):
    """Polls still to come at which she may turn a card up (a joker: F-10), and holding on."""
    last = last_slot(s, f)
    out[act.HOLD] = True
    n = 1
    joker = s.order[f, JOKER] > 0
    for call in range(s.slot // 2, NUM_CALLS):
        if joker:
            out[act.PLAN_JOKER + call] = True
            n += 1
        slot = 2 * call + 1
        if slot < s.slot or slot == last:
            continue
        if holds_rank(s, f, rank_of_call(call)):
            out[act.PLAN_CALL + call] = True
            n += 1
    return n


@rule
def holds_rank(s, f, rank):
    return card_of_rank(s, f, rank) != NO_CARD


@rule
def card_of_rank(s, f, rank):
    """Her Order Card of that rank (red before black), or NO_CARD."""
    r = 14 if rank == 1 else rank
    red = 2 * (r - 2)
    if s.order[f, red] > 0:
        return red
    if s.order[f, red + 1] > 0:
        return red + 1
    return NO_CARD


@rule
def planned_slot(s, f):
    """Poll that her committed plan names; NO_SLOT without one. Cardless fairies act at the end."""
    if not s.alive[f] or s.acted[f]:
        return NO_SLOT
    if s.n_order[f] == 0:
        return END_SLOT
    action = s.choice[f]
    if action == act.HOLD:
        return last_slot(s, f)
    if action >= act.PLAN_JOKER:
        return 2 * (action - act.PLAN_JOKER)
    return 2 * (action - act.PLAN_CALL) + 1


@rule
def carry_out_plans(s):
    """The earliest poll that somebody planned comes; all who planned it turn their card up (F-11)."""
    first = NO_SLOT
    for f in range(s.n_fairies):
        first = min(first, planned_slot(s, f))
    if first == NO_SLOT:
        s.phase = Phase.OVER if s.round_number >= s.rounds else Phase.ROUND_START
        return
    s.slot = first
    for f in range(s.n_fairies):
        if planned_slot(s, f) == first:
            s.revealed[f] = 1
            s.standing[f] = 0
            s.tie_card[f] = NO_CARD
            if s.n_order[f] > 0:
                if first % 2 == 0:
                    s.shown[f] = JOKER
                else:
                    s.shown[f] = card_of_rank(s, f, rank_of_call(first // 2))
                note_exposed(s, f, ORDER, s.shown[f])
    for f in range(s.n_fairies):
        s.choice[f] = -1
    s.phase = Phase.TIE_DRAW


# ------------------------------------------------------------------------------------------ ties
@rule
def is_contested(s, standing):
    """Whether fairies of two or more players share that place among the committed."""
    owner = -1
    for f in range(s.n_fairies):
        if s.revealed[f] and s.standing[f] == standing:
            if owner >= 0 and s.owner[f] != owner:
                return True
            owner = s.owner[f]
    return False


@rule
def next_tie_drawer(s):
    """Who draws next: each fairy of the first contested place, in rotation; NO_FAIRY when all have (F-11)."""
    for standing in range(s.n_fairies):
        if is_contested(s, standing):
            for k in range(s.n_seats):
                seat = round_seat(s, k)
                for f in range(s.n_fairies):
                    if s.owner[f] == seat and s.revealed[f] and s.standing[f] == standing:
                        if s.tie_card[f] == NO_CARD:
                            return f
            return NO_FAIRY
    return NO_FAIRY


@rule
def contested_place(s):
    """First place among the committed that two players share, or -1."""
    for standing in range(s.n_fairies):
        if is_contested(s, standing):
            return standing
    return -1


@rule
def rank_tie(s, standing):
    """Higher cards act first; equals share a place and draw again (F-11). The cards are discarded."""
    for f in range(s.n_fairies):  # `choice` is free here: it holds the new places until all are known
        if s.revealed[f] and s.standing[f] == standing:
            higher = 0
            for g in range(s.n_fairies):
                if s.revealed[g] and s.standing[g] == standing:
                    higher += call_rank(s.tie_card[g]) > call_rank(s.tie_card[f])
            s.choice[f] = standing + higher
    for f in range(s.n_fairies):
        if s.choice[f] >= 0:
            s.standing[f] = s.choice[f]
            s.choice[f] = -1
            discard_up(s, s.tie_card[f])
            s.tie_card[f] = NO_CARD


@rule
def draw_for_tie(s):
    """True while a tie-break card is to be drawn."""
    while True:
        standing = contested_place(s)
        if standing < 0:
            s.phase = Phase.NEXT_TURN
            return False
        if next_tie_drawer(s) == NO_FAIRY:
            rank_tie(s, standing)
        elif can_draw(s):
            return True
        else:
            break_ties_by_rotation(s)


@rule
def break_ties_by_rotation(s):
    """No card is left to draw: contested places go by seat rotation (F-71)."""
    for f in range(s.n_fairies):
        if s.tie_card[f] != NO_CARD:
            discard_up(s, s.tie_card[f])
            s.tie_card[f] = NO_CARD
    for standing in range(s.n_fairies):
        if is_contested(s, standing):
            place = standing
            for k in range(s.n_seats):
                seat = round_seat(s, k)
                n = 0
                for f in range(s.n_fairies):
                    if s.owner[f] == seat and s.revealed[f] and s.standing[f] == standing and s.choice[f] < 0:
                        s.choice[f] = place
                        n += 1
                place += n
            for f in range(s.n_fairies):
                if s.choice[f] >= 0:
                    s.standing[f] = s.choice[f]
                    s.choice[f] = -1


# ----------------------------------------------------------------------------------------- turns
@rule
def next_in_queue(s):
    """Committed fairy who acts next; NO_FAIRY if none is left (F-12)."""
    best = NO_FAIRY
    for f in range(s.n_fairies):
        if s.revealed[f] and s.alive[f] and not s.acted[f]:
            if best == NO_FAIRY or s.standing[f] < s.standing[best]:
                best = f
    return best


@rule
def is_next_own_choice(s, f):
    """Whether another fairy of the same player shares her place: the player picks who acts (F-11)."""
    for g in range(s.n_fairies):
        if g != f and s.revealed[g] and s.alive[g] and not s.acted[g] and s.standing[g] == s.standing[f]:
            return True
    return False


@rule
def start_turn(s, f):
    """Her turn begins: all her Order Cards are gone from now on (F-13)."""
    discard_order_cards(s, f)
    s.revealed[f] = 0
    s.acted[f] = 1
    s.turn = f
    s.phase = Phase.TURN_START if s.play == Play.SKIRMISH else Phase.ACT


@rule
def go_to_next_turn(s):
    """The next committed fairy, else new plans, else the end of the round (F-12, F-14)."""
    f = next_in_queue(s)
    if f != NO_FAIRY:
        if is_next_own_choice(s, f):
            s.phase = Phase.PICK_OWN
        else:
            start_turn(s, f)
        return
    for f in range(s.n_fairies):
        s.choice[f] = -1
    if s.turn != NO_FAIRY:
        # A turn has ended: at a call the countdown moves on, at a joker poll other jokers may follow.
        s.slot += s.slot % 2
        s.turn = NO_FAIRY
    s.phase = Phase.PLAN


@rule
def legal_think(s, f, out):
    """Spend 0 up to all her Twinkle Points (rulebook, Thinking)."""
    n = min(s.twinkle[f], MAX_THINK)
    for k in range(n + 1):
        out[act.THINK + k] = True
    return n + 1


@rule
def n_order_sum(s, f):
    n = 0
    for c in range(NUM_CARDS):
        n += s.order[f, c]
    return n

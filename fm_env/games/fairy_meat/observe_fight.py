"""What a seat may know of a fight, as numbers from its own chair.

Layout: the situation, the rules in force, the seat's own cards, the cards it has not seen
(counting cards is the skill the rules reward), then one row for each fairy on the table, own
fairies first and then in seat rotation. Every entry lies in [-1, 1]. `fight_labels` names
the entries in the same order; a test holds the two together.

Only facts the seat has seen go in: own cards, what is turned up, and numbers of cards held. What
another seat has committed to in a secret phase leaves no trace.
"""

from __future__ import annotations

from fm_env.compiled import rule
from fm_env.games.fairy_meat import actions as act
from fm_env.games.fairy_meat.cards import call_rank, is_number
from fm_env.games.fairy_meat.choices import asked_fairy
from fm_env.games.fairy_meat.combat_unclevl import total
from fm_env.games.fairy_meat.constants import (
    BLACK,
    FIRST_CHANCE,
    FIRST_TRUMP,
    JOKER,
    NO_CARD,
    NO_FAIRY,
    NUM_CARDS,
    WEAPON_SLOTS,
    Combat,
    Main,
    Phase,
    Sign,
)
from fm_env.games.fairy_meat.state import BADGE

NUM_CHOICES = 24
"""Decision phases, one-hot."""
STEPS = 4
"""Trumps of a colour in hand are also told as a staircase: at least one, two, three, four."""


@rule
def own_fairies(s):
    """Fairies of one seat that an observation has room for: half the table."""
    return s.live.shape[0] // 2


@rule
def observe_fight(s, seat, out):
    """The table of a fight, with all its fairies.

    This costs more than all rules of a decision together, hence the ways of writing: entries are
    products with constants, constant entries are copied from the record, and each part is a slice
    of its own, so that its indexes are constants that need no check for being negative.
    """
    asked = asked_fairy(s, seat)
    out[:NUM_CHOICES] = 0
    if s.phase < NUM_CHOICES:
        out[s.phase] = 1
    i = NUM_CHOICES
    write_situation(s, seat, asked, out[i : i + SITUATION])
    i += SITUATION
    for k in range(len(s.rules_seen)):
        out[i + k] = s.rules_seen[k]
    i += len(s.rules_seen)
    for k in range(own_fairies(s)):
        f = s.roster[seat, k]
        if f >= 0 and s.owner[f] == seat:
            write_own_cards(s, f, out[i : i + OWN])
        else:
            out[i : i + OWN] = 0
        i += OWN
    write_unseen(s, seat, out[i : i + NUM_CARDS])
    i += NUM_CARDS
    width = ROW + 2 * s.live.shape[0]
    for place in range(s.live.shape[0]):
        f = s.roster[seat, place]
        if f >= 0:
            write_fairy(s, seat, f, asked, out[i : i + width])
        else:
            out[i : i + width] = 0
        i += width


@rule
def write_situation(s, seat, asked, out):
    out[0] = asked >= 0
    out[1] = s.phase == Phase.OVER
    out[2] = FIRST_CHANCE <= s.phase < Phase.ROUND_START
    out[3] = s.round_number * (1 / 16)
    out[4] = (s.rounds - s.round_number) * (1 / 16)
    out[5] = s.slot * (1 / 53)
    out[6] = s.n_deck * (1 / 128)
    for kind in range(4):
        out[7 + kind] = s.kind == kind
    out[11] = s.attacks_left * (1 / 4)
    out[12] = s.posed
    out[13] = s.won * (1 / 64)
    out[14] = clip(s.score * ((1 / 64) if s.owner[0] == seat else (-1 / 64)))
    lead = s.first_seat + s.round_number - 1 - seat
    out[15] = clip((lead % s.n_seats) * (1 / 4))
    out[16] = s.to_draw * (1 / 32)
    out[17] = s.recasts * (1 / 16)
    out[18] = s.strength * (1 / 32)


@rule
def clip(x):
    return min(1.0, max(-1.0, x))


SITUATION = 19
"""Entries about the situation, after the phase."""

OWN = NUM_CARDS + 2 * STEPS + 2 + 14 + 6
"""Entries about the cards of one own fairy."""


@rule
def write_own_cards(s, f, out):
    for c in range(FIRST_TRUMP):
        out[c] = s.hand[f, c] * (1 / 4)
    for c in range(FIRST_TRUMP, NUM_CARDS):
        out[c] = s.hand[f, c] * (1 / 16)
    for colour in range(2):
        trumps = 0
        for k in range(4):
            trumps += s.hand[f, FIRST_TRUMP + colour + 2 * k]
        for k in range(STEPS):
            out[NUM_CARDS + STEPS * colour + k] = trumps > k
        numbers = 0
        for k in range(9):
            numbers += s.hand[f, colour + 2 * k]
        out[NUM_CARDS + 2 * STEPS + colour] = numbers * (1 / 24)
    orders = out[NUM_CARDS + 2 * STEPS + 2 : NUM_CARDS + 2 * STEPS + 16]
    orders[:] = 0
    if s.n_order[f] > 0:
        for c in range(NUM_CARDS):
            if s.order[f, c] > 0:
                orders[call_rank(c) - 1] += s.order[f, c] * (1 / 9)
    write_commitments(s, f, out[OWN - 6 :])


@rule
def write_commitments(s, f, out):
    """What she has laid or planned face down herself."""
    out[:] = 0
    out[0] = (s.choice[f] + 1) * (1 / 256)
    main = s.main_choice[f]
    if act.MAIN <= main < act.MAIN_JOKER:
        out[1] = ((main - act.MAIN) // 2 + 2) * (1 / 10)
        out[2 + ((main - act.MAIN) & 1)] = 1
    elif main >= 0:
        out[4] = main == act.MAIN_JOKER
        out[5] = main == act.WILD or main == act.WILD + 1


@rule
def write_unseen(s, seat, out):
    """Cards of the pack that `seat` doesn't see and has not seen go to the heap, by type.

    They are in the deck, in others' hands and Order Cards, and in their face-down piles. Written
    pile by pile, which the compiler turns into vector instructions.
    """
    for c in range(NUM_CARDS):
        out[c] = s.deck[c]
    for other in range(s.n_seats):
        if other != seat:
            for c in range(NUM_CARDS):
                out[c] += s.heap_down[other, c]
    for f in range(s.n_fairies):
        if s.owner[f] != seat:
            for c in range(NUM_CARDS):
                out[c] += s.hand[f, c]
            if s.n_order[f] > 0:
                for c in range(NUM_CARDS):
                    out[c] += s.order[f, c]
                if s.shown[f] != NO_CARD:
                    out[s.shown[f]] -= 1
            if s.n_laid[f] > 0 and not s.laid_up[f]:
                for c in range(FIRST_TRUMP, JOKER):
                    out[c] += s.laid[f, c]
    for c in range(FIRST_TRUMP):
        out[c] *= 1 / 4
    for c in range(FIRST_TRUMP, NUM_CARDS):
        out[c] *= 1 / 16


@rule
def write_fairy(s, seat, f, asked, out):
    """One row of the roster."""
    write_row(s, seat, f, asked, out)
    for place in range(s.live.shape[0]):
        g = s.roster[seat, place]
        out[ROW + 2 * place] = s.bank[f, g] * (1 / 16) if g >= 0 else 0
        out[ROW + 2 * place + 1] = s.apart[f, g] if g >= 0 else 0


@rule
def write_row(s, seat, f, asked, out):
    """A row but for the fairy's relations to others."""
    write_fairy_card(s, seat, f, asked, out[:11])
    for k in range(BADGE):
        out[11 + k] = s.badge[f, k]
    write_turn_order(s, f, out[11 + BADGE :])
    write_combat_hand(s, f, out[11 + BADGE + 7 :])
    write_table(s, seat, f, out[ROW - 18 : ROW])


@rule
def write_fairy_card(s, seat, f, asked, out):
    out[0] = 1
    out[1] = s.alive[f]
    out[2] = s.owner[f] == seat
    ahead = s.owner[f] - seat
    out[3] = clip((ahead + s.n_seats if ahead < 0 else ahead) * (1 / 4))
    out[4] = f == asked
    out[5] = s.live[f] * (1 / 12)
    out[6] = s.kill[f] * (1 / 12)
    out[7] = s.twinkle[f] * (1 / 8)
    out[8] = s.used_twinkle[f] * (1 / 8)
    out[9] = s.meat_live[f] * (1 / 12)
    out[10] = s.meat_kill[f] * (1 / 12)


@rule
def write_turn_order(s, f, out):
    out[0] = s.n_order[f] * (1 / 9)
    out[1] = s.acted[f]
    out[2] = s.revealed[f]
    out[3] = clip(s.standing[f] * (1 / 8))
    out[4] = call_rank(s.shown[f]) * (1 / 14) if s.shown[f] != NO_CARD else 0
    out[5] = call_rank(s.tie_card[f]) * (1 / 14) if s.tie_card[f] != NO_CARD else 0
    out[6] = s.turn == f


@rule
def write_combat_hand(s, f, out):
    attacks = s.attacker == f
    out[0] = attacks
    out[1] = s.defender == f
    out[2] = s.joker_of == f
    out[3] = s.winner == f
    for slot in range(WEAPON_SLOTS):
        out[4 + slot] = attacks and s.slot_used == slot
    out[8] = s.drawn[f]
    out[9] = s.n_hand[f] * (1 / 24)
    out[10] = s.sign[f] == Sign.ADD
    out[11] = s.sign[f] == Sign.SUBTRACT
    out[12] = s.no_number[f]
    out[13] = s.no_trump[f]
    out[14] = s.prev_points[f] * (1 / 16)
    out[15] = s.boost[f] * (1 / 16)


@rule
def write_table(s, seat, f, out):
    """Her cards on the table; the owner sees her own face-down trumps too."""
    out[:] = 0
    if s.n_laid[f] > 0:
        if not s.laid_up[f]:
            out[0] = s.n_laid[f] * (1 / 16)
        if s.laid_up[f] or s.owner[f] == seat:
            for c in range(FIRST_TRUMP, JOKER):
                out[1 + (c & 1)] += s.laid[f, c] * (1 / 24)
    if s.n_wild[f] > 0:
        for c in range(FIRST_TRUMP, JOKER):
            out[3 + (c & 1)] += s.wild[f, c] * (1 / 24)
    main = s.main[f]
    if is_number(main):
        out[5] = (main // 2 + 2) * (1 / 10)
        out[6 + (main & 1)] = 1
        if s.combat == Combat.UNCLEVL:
            out[15] = clip(total(s, f) * (1 / 32))
    out[8] = main == JOKER
    out[9] = main == Main.NO_CARD
    if s.points_wild[f] > 0:
        out[10] = s.points_wild[f] * (1 / 16)
        out[11] = s.points_colour[f] == BLACK
    out[12] = s.boost_on[f] * (1 / 16)
    out[13] = clip(s.shift[f] * (1 / 32))
    out[14] = s.damage[f] * (1 / 64)
    out[16] = min(s.times_laid[f], 16) * (1 / 16)
    out[17] = min(s.times_caught[f], 16) * (1 / 16)


ROW = 11 + BADGE + 7 + 16 + 18
"""Width of a fairy's row without its relations to the others."""


# ------------------------------------------------------------------------- the fight on a table
PAIR = 2
FIGHT = NUM_CHOICES + SITUATION + 8 + OWN + NUM_CARDS + PAIR * (ROW + 2 * PAIR)
"""Entries of the observation of two fairies, as a duel has it."""


@rule
def write_pair(s, seat, asked, me, other, out):
    """A fight between two figures as a duel would show it, so that who can fight a duel can fight
    on the table; `me` or `other` may be NO_FAIRY.
    """
    out[:NUM_CHOICES] = 0
    if s.phase < NUM_CHOICES:
        out[s.phase] = 1
    i = NUM_CHOICES
    write_situation(s, seat, asked, out[i : i + SITUATION])
    i += SITUATION
    for k in range(len(s.rules_seen)):
        out[i + k] = s.rules_seen[k]
    out[i] = 1  # a bout, as far as the fight goes
    i += len(s.rules_seen)
    if me != NO_FAIRY and s.owner[me] == seat:
        write_own_cards(s, me, out[i : i + OWN])
    else:
        out[i : i + OWN] = 0
    i += OWN
    write_unseen(s, seat, out[i : i + NUM_CARDS])
    i += NUM_CARDS
    for f in (me, other):
        if f != NO_FAIRY:
            write_row(s, seat, f, asked, out[i : i + ROW])
            out[i + 11] = s.stance[f]
        else:
            out[i : i + ROW] = 0
        i += ROW
        for g in (me, other):
            out[i] = s.bank[f, g] * (1 / 16) if f != NO_FAIRY and g != NO_FAIRY else 0
            out[i + 1] = 0
            i += 2


# ------------------------------------------------------------------------------------ the labels
def fight_labels(max_fairies: int) -> tuple[str, ...]:
    """Names of the entries for a table of that many fairies, in order."""
    labels = [f"phase {Phase(k).name.lower()}" for k in range(NUM_CHOICES)]
    labels += ["I am asked", "game over", "chance is to act", "round /16", "rounds left /16", "poll /53"]
    labels += ["deck /128", "kind melee", "kind ranged", "kind wrestle", "kind prick", "attacks left /4"]
    labels += [
        "pose of the attack",
        "points won /64",
        "clash score /64",
        "lead of rotation /4",
        "to draw /32",
    ]
    labels += ["recasts /16", "spell strength /32"]
    labels += ["bout", "fast play", "damage levels", "jokers", "joker main free", "joker points", "call off"]
    labels += ["attacker bonus /4"]
    cards = card_labels()
    for k in range(max_fairies // 2):
        own = f"own {k}: "
        labels += [f"{own}hand {c}" for c in cards]
        labels += [f"{own}{n}+ {c} trumps" for c in ("red", "black") for n in range(1, STEPS + 1)]
        labels += [f"{own}red numbers /24", f"{own}black numbers /24"]
        labels += [f"{own}order {c}" for c in (*"A23456789TJQK", "joker")]
        labels += [f"{own}committed choice /256", f"{own}chosen main /10", f"{own}chosen main red"]
        labels += [f"{own}chosen main black", f"{own}chosen main joker", f"{own}chosen main wild"]
    labels += [f"unseen {c}" for c in cards]
    for k in range(max_fairies):
        labels += [f"fairy {k}: {name}" for name in fairy_labels(max_fairies)]
    return tuple(labels)


def card_labels() -> list[str]:
    return [f"{'23456789TJQKA'[c // 2]}{'rb'[c % 2]}" for c in range(JOKER)] + ["X"]


def fairy_labels(max_fairies: int) -> list[str]:
    names = ["exists", "alive", "mine", "seat /4", "asked", "live /12", "kill /12", "twinkle /8"]
    names += ["used twinkle /8", "meat live /12", "meat kill /12", "stance", "wild", "glitter", "seasoned"]
    names += ["attacks /4", "clash hand size /24"]
    for slot in range(1, WEAPON_SLOTS):
        names += [f"weapon {slot} {x}" for x in ("carried", "attack", "defence", "strength", "attacks")]
        names += [f"weapon {slot} sword", f"weapon {slot} mangler"]
    names += ["order cards /9", "has acted", "committed to act", "place /8", "shown order card /14"]
    names += ["tie card /14", "her turn", "attacker", "defender", "her joker", "won the wrestle"]
    names += [f"uses weapon {slot}" for slot in range(WEAPON_SLOTS)]
    names += ["has drawn", "hand /24", "declared add", "declared subtract", "shown to hold no number"]
    names += ["shown to hold no trump", "points of last attack /16", "boost /16", "trumps face down /16"]
    names += ["red trumps /24", "black trumps /24", "red wild pile /24", "black wild pile /24"]
    names += ["number /10", "number red", "number black", "joker laid", "no card", "points as wild /16"]
    names += ["points are black", "boost in use /16", "shift by caught trumps /32", "damage to take /64"]
    names += ["total /32", "lays turned up /16", "times caught /16"]
    for k in range(max_fairies):
        names += [f"extra cards v. {k} /16", f"apart from {k}"]
    return names

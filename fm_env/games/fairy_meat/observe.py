"""What a seat may know, as numbers from its own chair.

Layout: the situation, the rules in force, the seat's own cards, the cards it has not seen
(counting cards is the skill the rules reward), then one row for each fairy on the table, own
fairies first and then in seat rotation. Every entry lies in [-1, 1]. `observation_labels` names
the entries in the same order; a test holds the two together.

Only facts the seat has seen go in: own cards, what is turned up, and numbers of cards held. What
another seat has committed to in a secret phase leaves no trace.
"""

from __future__ import annotations

import numpy as np

from fm_env.compiled import rule
from fm_env.games.fairy_meat import actions as act
from fm_env.games.fairy_meat.cards import call_rank, is_number
from fm_env.games.fairy_meat.combat_unclevl import has_number, total
from fm_env.games.fairy_meat.constants import (
    BLACK,
    FIRST_CHANCE,
    FIRST_TRUMP,
    JOKER,
    NO_CARD,
    NO_WEAPON,
    NUM_CARDS,
    RED,
    WEAPON_ATTACK,
    WEAPON_ATTACKS,
    WEAPON_DEFENCE,
    WEAPON_MANGLER,
    WEAPON_NAMES,
    WEAPON_SLOTS,
    WEAPON_STRENGTH,
    WEAPON_SWORD,
    Combat,
    Main,
    Phase,
    Sign,
)
from fm_env.games.fairy_meat.decisions import asked_fairy, fairy_at

NUM_CHOICES = 24
"""Decision phases, one-hot."""
STEPS = 4
"""Trumps of a colour in hand are also told as a staircase: at least one, two, three, four."""


@rule
def own_fairies(s):
    """Fairies of one seat that an observation has room for: half the table."""
    return s.live.shape[0] // 2


@rule
def observe(s, seat, out):
    """Write everything `seat` knows into `out` f4[F]."""
    asked = asked_fairy(s, seat)
    i = write_situation(s, seat, asked, out, 0)
    i = write_rules(s, out, i)
    for k in range(own_fairies(s)):
        f = fairy_at(s, seat, k)
        if f >= 0 and s.owner[f] == seat:
            i = write_own_cards(s, f, out, i)
        else:
            n = NUM_CARDS + 2 * STEPS + 2 + 14 + 6
            out[i : i + n] = 0
            i += n
    i = write_unseen(s, seat, out, i)
    for place in range(s.live.shape[0]):
        f = fairy_at(s, seat, place) if place < s.n_fairies else -1
        i = write_fairy(s, seat, f, asked, out, i)


@rule
def write_situation(s, seat, asked, out, i):
    out[i : i + NUM_CHOICES] = 0
    if s.phase < NUM_CHOICES:
        out[i + s.phase] = 1
    i += NUM_CHOICES
    out[i] = asked >= 0
    out[i + 1] = s.phase == Phase.OVER
    out[i + 2] = FIRST_CHANCE <= s.phase < Phase.ROUND_START
    out[i + 3] = s.round_number / 16
    out[i + 4] = (s.rounds - s.round_number) / 16
    out[i + 5] = s.slot / 53
    out[i + 6] = s.n_deck / 128
    for kind in range(4):
        out[i + 7 + kind] = s.kind == kind
    out[i + 11] = s.attacks_left / 4
    out[i + 12] = s.posed
    out[i + 13] = s.won / 64
    out[i + 14] = clip(s.score * (1 if s.owner[0] == seat else -1) / 64)
    out[i + 15] = ((s.first_seat + s.round_number - 1 - seat) % s.n_seats) / 4
    out[i + 16] = s.to_draw / 32
    out[i + 17] = s.recasts / 16
    out[i + 18] = s.strength / 32
    return i + 19


@rule
def clip(x):
    return min(1.0, max(-1.0, x))


@rule
def write_rules(s, out, i):
    out[i] = s.play
    out[i + 1] = s.combat
    out[i + 2] = s.damage_levels
    out[i + 3] = s.jokers
    out[i + 4] = s.joker_main_free
    out[i + 5] = s.joker_points
    out[i + 6] = s.call_off
    out[i + 7] = s.attacker_bonus / 4
    return i + 8


@rule
def write_own_cards(s, f, out, i):
    for c in range(NUM_CARDS):
        out[i + c] = s.hand[f, c] / (4 if c < FIRST_TRUMP else 16)
    i += NUM_CARDS
    for colour in range(2):
        n = 0
        for c in range(FIRST_TRUMP + colour, JOKER, 2):
            n += s.hand[f, c]
        for k in range(STEPS):
            out[i + k] = n > k
        i += STEPS
    for colour in range(2):
        n = 0
        for c in range(colour, FIRST_TRUMP, 2):
            n += s.hand[f, c]
        out[i] = n / 24
        i += 1
    out[i : i + 14] = 0
    if s.n_order[f] > 0:
        for c in range(NUM_CARDS):
            if s.order[f, c] > 0:
                out[i + call_rank(c) - 1] += s.order[f, c] / 9
    i += 14
    out[i : i + 6] = 0
    out[i] = (s.choice[f] + 1) / 256
    main = s.main_choice[f]
    if act.MAIN <= main < act.MAIN_JOKER:
        out[i + 1] = ((main - act.MAIN) // 2 + 2) / 10
        out[i + 2 + ((main - act.MAIN) & 1)] = 1
    elif main >= 0:
        out[i + 4] = main == act.MAIN_JOKER
        out[i + 5] = main == act.WILD or main == act.WILD + 1
    return i + 6


@rule
def write_unseen(s, seat, out, i):
    """Cards of the pack that `seat` doesn't see and has not seen go to the heap, by type."""
    for c in range(NUM_CARDS):
        out[i + c] = n_unseen(s, seat, c) / (4 if c < FIRST_TRUMP else 16)
    return i + NUM_CARDS


@rule
def n_unseen(s, seat, c):
    """Cards of a type whose place `seat` does not know: deck, others' hands, face-down piles."""
    n = s.deck[c]
    for other in range(s.n_seats):
        if other != seat:
            n += s.heap_down[other, c]
    for f in range(s.n_fairies):
        if s.owner[f] != seat:
            n += s.hand[f, c] + s.order[f, c]
            if s.shown[f] == c:
                n -= 1
            if not s.laid_up[f]:
                n += s.laid[f, c]
    return n


@rule
def write_fairy(s, seat, f, asked, out, i):
    """One row of the roster; zeros where no fairy stands."""
    width = ROW + 2 * s.live.shape[0]
    if f < 0:
        out[i : i + width] = 0
        return i + width
    end = i + width
    i = write_fairy_card(s, seat, f, asked, out, i)
    i = write_weapons(s, f, out, i)
    i = write_turn_order(s, f, out, i)
    i = write_combat_hand(s, f, out, i)
    i = write_table(s, seat, f, out, i)
    for place in range(s.live.shape[0]):
        g = fairy_at(s, seat, place) if place < s.n_fairies else -1
        out[i] = s.bank[f, g] / 16 if g >= 0 else 0
        out[i + 1] = s.apart[f, g] if g >= 0 else 0
        i += 2
    return end


@rule
def write_fairy_card(s, seat, f, asked, out, i):
    out[i] = 1
    out[i + 1] = s.alive[f]
    out[i + 2] = s.owner[f] == seat
    out[i + 3] = ((s.owner[f] - seat) % s.n_seats) / 4
    out[i + 4] = f == asked
    out[i + 5] = s.live[f] / 12
    out[i + 6] = s.kill[f] / 12
    out[i + 7] = s.twinkle[f] / 8
    out[i + 8] = s.used_twinkle[f] / 8
    out[i + 9] = s.meat_live[f] / 12
    out[i + 10] = s.meat_kill[f] / 12
    out[i + 11] = s.stance[f]
    for k in range(3):
        out[i + 12 + k] = s.fairy_type[f] == k
    out[i + 15] = s.attacks[f] / 4
    out[i + 16] = s.hand_size[f] / 24
    return i + 17


@rule
def write_weapons(s, f, out, i):
    for slot in range(1, WEAPON_SLOTS):
        w = s.weapon[f, slot]
        if w == NO_WEAPON:
            out[i : i + 7] = 0
        else:
            out[i] = 1
            out[i + 1] = WEAPON_ATTACK[w] / 2
            out[i + 2] = WEAPON_DEFENCE[w] / 2
            out[i + 3] = WEAPON_STRENGTH[w] / 2
            out[i + 4] = WEAPON_ATTACKS[w] / 2
            out[i + 5] = WEAPON_SWORD[w]
            out[i + 6] = WEAPON_MANGLER[w]
        i += 7
    return i


@rule
def write_turn_order(s, f, out, i):
    out[i] = s.n_order[f] / 9
    out[i + 1] = s.acted[f]
    out[i + 2] = s.revealed[f]
    out[i + 3] = s.standing[f] / 8
    out[i + 4] = call_rank(s.shown[f]) / 14 if s.shown[f] != NO_CARD else 0
    out[i + 5] = call_rank(s.tie_card[f]) / 14 if s.tie_card[f] != NO_CARD else 0
    out[i + 6] = s.turn == f
    return i + 7


@rule
def write_combat_hand(s, f, out, i):
    out[i] = s.attacker == f
    out[i + 1] = s.defender == f
    out[i + 2] = s.joker_of == f
    out[i + 3] = s.winner == f
    for slot in range(WEAPON_SLOTS):
        out[i + 4 + slot] = s.attacker == f and s.slot_used == slot
    out[i + 8] = s.drawn[f]
    out[i + 9] = s.n_hand[f] / 24
    out[i + 10] = s.sign[f] == Sign.ADD
    out[i + 11] = s.sign[f] == Sign.SUBTRACT
    out[i + 12] = s.no_number[f]
    out[i + 13] = s.no_trump[f]
    out[i + 14] = s.prev_points[f] / 16
    out[i + 15] = s.boost[f] / 16
    return i + 16


@rule
def write_table(s, seat, f, out, i):
    """Her cards on the table; the owner sees her own face-down trumps too."""
    out[i] = 0 if s.laid_up[f] else s.n_laid[f] / 16
    seen = s.laid_up[f] or s.owner[f] == seat
    for colour in range(2):
        laid = 0
        wild = 0
        for c in range(FIRST_TRUMP + colour, JOKER, 2):
            laid += s.laid[f, c]
            wild += s.wild[f, c]
        out[i + 1 + colour] = laid / 24 if seen else 0
        out[i + 3 + colour] = wild / 24
    main = s.main[f]
    number = is_number(main)
    out[i + 5] = (main // 2 + 2) / 10 if number else 0
    out[i + 6] = number and (main & 1) == RED
    out[i + 7] = number and (main & 1) == BLACK
    out[i + 8] = main == JOKER
    out[i + 9] = main == Main.NO_CARD
    out[i + 10] = s.points_wild[f] / 16
    out[i + 11] = s.points_wild[f] > 0 and s.points_colour[f] == BLACK
    out[i + 12] = s.boost_on[f] / 16
    out[i + 13] = clip(s.shift[f] / 32)
    out[i + 14] = s.damage[f] / 64
    out[i + 15] = clip(total(s, f) / 32) if s.combat == Combat.UNCLEVL and has_number(s, f) else 0
    out[i + 16] = min(s.times_laid[f], 16) / 16
    out[i + 17] = min(s.times_caught[f], 16) / 16
    return i + 18


ROW = 17 + 7 * (WEAPON_SLOTS - 1) + 7 + 16 + 18
"""Width of a fairy's row without its relations to the others."""


# ------------------------------------------------------------------------------------ the labels
def observation_labels(max_fairies: int) -> tuple[str, ...]:
    """Names of the entries of an observation, in order."""
    labels = [f"phase {Phase(k).name.lower()}" for k in range(NUM_CHOICES)]
    labels += ["I am asked", "game over", "chance is to act", "round /16", "rounds left /16", "poll /53"]
    labels += ["deck /128", "kind melee", "kind ranged", "kind wrestle", "kind prick", "attacks left /4"]
    labels += ["pose of the attack", "points won /64", "clash score /64", "lead of rotation /4", "to draw /32"]
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




def observation_size(max_fairies: int) -> int:
    """Entries of an observation on a table for `max_fairies` fairies."""
    return len(observation_labels(max_fairies))



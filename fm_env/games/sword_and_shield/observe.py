"""What a seat may know, as numbers from its own chair.

Layout: the situation, both knights, the attack on the table, four piles by card type, what covers
each attack, and the deck's data. Every entry lies in [-1, 1]. `observation_labels` names the
entries in the same order; a test holds the two together.

Counting is what the game rewards, so the counts are there: `unseen` is what lies in the deck or in
the other's hand, `known` what a hand is sure to hold since the last shuffle (K-19), `bare` how many
cards are left of a hand that once took a hit from an attack (K-20).
"""

from __future__ import annotations

from fm_env.compiled import rule
from fm_env.games.sword_and_shield.constants import (
    ATTACK_NAMES,
    ATTACKS_A_WORD,
    COUNT_BITS,
    MAX_CARDS,
    NO_CARD,
    NUM_ATTACKS,
    NUM_TACTICS,
    NUM_WORDS,
    TACTICS,
    Phase,
)
from fm_env.games.sword_and_shield.decisions import asked_seat

NUM_PHASES = 6
COUNT_MASK = (1 << COUNT_BITS) - 1
SITUATION = NUM_PHASES + 8
KNIGHT = NUM_TACTICS + 5
TABLE = NUM_ATTACKS + NUM_TACTICS + 1
ANSWERS = 3
"""Kinds of cards whose covering of each attack is counted: own, unseen, known to be the other's."""
FACTS = NUM_TACTICS + 3
"""Facts about each card type."""

AT_KNIGHTS = SITUATION
AT_TABLE = AT_KNIGHTS + 2 * KNIGHT
AT_PILES = AT_TABLE + TABLE
AT_ANSWERS = AT_PILES + 4 * MAX_CARDS
AT_BARE = AT_ANSWERS + ANSWERS * NUM_ATTACKS
AT_FACTS = AT_BARE + 2 * NUM_ATTACKS
OBSERVATION_SIZE = AT_FACTS + FACTS * MAX_CARDS


@rule
def observe(s, seat, out):
    """Write everything `seat` knows into `out` f4[F], part by part."""
    write_situation(s, seat, out[:SITUATION])
    write_knight(s, seat, out[AT_KNIGHTS : AT_KNIGHTS + KNIGHT])
    write_knight(s, 1 - seat, out[AT_KNIGHTS + KNIGHT : AT_TABLE])
    write_table(s, out[AT_TABLE:AT_PILES])
    write_piles(s, seat, out[AT_PILES:AT_ANSWERS])
    write_answers(s, seat, out[AT_ANSWERS:AT_BARE])
    write_bare(s, seat, out[AT_BARE:AT_FACTS])
    write_facts(s, out[AT_FACTS:])


@rule
def write_situation(s, seat, out):
    for phase in range(NUM_PHASES):
        out[phase] = s.phase == phase
    more = out[NUM_PHASES:]
    more[0] = asked_seat(s) == seat
    more[1] = s.attacker == seat
    more[2] = s.attacker == 1 - seat
    more[3] = s.turn * (1 / 128)
    more[4] = (s.max_turns - s.turn) * (1 / 128)
    more[5] = s.passes * (1 / 2)
    more[6] = s.n_deck * (1 / 128)
    more[7] = s.hand_limit * (1 / 8)


@rule
def write_knight(s, seat, out):
    for k in range(NUM_TACTICS + 1):
        out[k] = s.knight[seat, k] * (1 / 16)
    out[4] = s.fatigue[seat] * (1 / 32)
    out[5] = s.fatigue_max[seat] * (1 / 32)
    out[6] = s.hits[seat] * (1 / 8)
    out[7] = s.n_hand[seat] * (1 / 8)


@rule
def write_table(s, out):
    """The attack, the tactic it was played by and its Modified Combat Number, all announced (K-04)."""
    out[:] = 0
    if s.card != NO_CARD:
        out[s.attack[s.card]] = 1
        out[NUM_ATTACKS + s.by] = 1
        out[NUM_ATTACKS + NUM_TACTICS] = s.number * (1 / 16)


@rule
def write_piles(s, seat, out):
    """Own hand, what the other knows of it, what is unseen, what is known of the other's hand."""
    other = 1 - seat
    hand = out[:MAX_CARDS]
    exposed = out[MAX_CARDS : 2 * MAX_CARDS]
    unseen = out[2 * MAX_CARDS : 3 * MAX_CARDS]
    known = out[3 * MAX_CARDS :]
    for c in range(MAX_CARDS):
        hand[c] = s.hand[seat, c] * (1 / 8)
        exposed[c] = s.known[seat, c] * (1 / 8)
        unseen[c] = (s.deck[c] + s.hand[other, c]) * (1 / 8)
        known[c] = s.known[other, c] * (1 / 8)


@rule
def write_answers(s, seat, out):
    """How many cards cover each attack: of the own hand, unseen, known to be in the other's hand.

    A word of `covers` has a field for each of six attacks, so adding up words counts six at once.
    """
    other = 1 - seat
    for w in range(NUM_WORDS):
        own = 0
        unseen = 0
        known = 0
        for c in range(MAX_CARDS):
            word = s.covers[c, w]
            own += s.hand[seat, c] * word
            unseen += (s.deck[c] + s.hand[other, c]) * word
            known += s.known[other, c] * word
        for k in range(min(ATTACKS_A_WORD, NUM_ATTACKS - ATTACKS_A_WORD * w)):
            a = ATTACKS_A_WORD * w + k
            out[a] = ((own >> (COUNT_BITS * k)) & COUNT_MASK) * (1 / 32)
            out[NUM_ATTACKS + a] = ((unseen >> (COUNT_BITS * k)) & COUNT_MASK) * (1 / 128)
            out[2 * NUM_ATTACKS + a] = ((known >> (COUNT_BITS * k)) & COUNT_MASK) * (1 / 32)


@rule
def write_bare(s, seat, out):
    for a in range(NUM_ATTACKS):
        out[a] = s.bare[seat, a] * (1 / 8)
        out[NUM_ATTACKS + a] = s.bare[1 - seat, a] * (1 / 8)


@rule
def write_facts(s, out):
    """What the deck's data says of each type; the same all game long."""
    values = out[: NUM_TACTICS * MAX_CARDS]
    for c in range(MAX_CARDS):
        for t in range(NUM_TACTICS):
            values[NUM_TACTICS * c + t] = s.tactic[c, t] * (1 / 16)
    attacks = out[NUM_TACTICS * MAX_CARDS : (NUM_TACTICS + 1) * MAX_CARDS]
    breadths = out[(NUM_TACTICS + 1) * MAX_CARDS : (NUM_TACTICS + 2) * MAX_CARDS]
    manoeuvres = out[(NUM_TACTICS + 2) * MAX_CARDS :]
    for c in range(MAX_CARDS):
        attacks[c] = (s.attack[c] + 1) * (1 / 16)
        breadths[c] = s.breadth[c] * (1 / 16)
        manoeuvres[c] = s.manoeuvre[c]


def observation_labels(cards: tuple[str, ...]) -> tuple[str, ...]:
    """One name for each entry, in order; `cards` are the names of all 26 types."""
    labels = [f"phase {phase.name.lower()}" for phase in Phase]
    labels += ["asked", "attacks", "is attacked", "turn /128", "turns left /128", "passes in a row /2"]
    labels += ["deck /128", "hand limit /8"]
    for who in ("own", "other"):
        labels += [f"{who} knight: {name} /16" for name in (*TACTICS, "endurance")]
        names = ("fatigue /32", "fresh fatigue /32", "hits taken /8", "hand /8")
        labels += [f"{who} knight: {name}" for name in names]
    labels += [f"on the table: {name}" for name in (*ATTACK_NAMES, *TACTICS, "number /16")]
    for pile in ("own hand", "own hand as known", "unseen", "known of the other's"):
        labels += [f"{pile} /8: {card}" for card in cards]
    for pile in ("own answers /32", "unseen answers /128", "known answers /32"):
        labels += [f"{pile}: {name}" for name in ATTACK_NAMES]
    for who in ("own", "other's"):
        labels += [f"{who} cards that took it /8: {name}" for name in ATTACK_NAMES]
    labels += [f"tactics /16: {card} {tactic}" for card in cards for tactic in TACTICS]
    for fact in ("attack /16", "attacks covered /16", "manoeuvre"):
        labels += [f"{fact}: {card}" for card in cards]
    return tuple(labels)

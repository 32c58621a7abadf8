"""Everything that must be true of a state, checked from outside the rules (`state.Fault`)."""

from __future__ import annotations

from fm_env.compiled import rule
from fm_env.games.fairy_meat.choices import asked_fairy
from fm_env.games.fairy_meat.constants import (
    FIRST_AUTOMATIC,
    FIRST_CHANCE,
    FIRST_TRUMP,
    HAND,
    JOKER,
    LIFE_CAP,
    NO_CARD,
    NUM_CARDS,
    ORDER,
    Phase,
    Place,
    Play,
)
from fm_env.games.fairy_meat.movement import ground, is_free
from fm_env.games.fairy_meat.placement import ANY_HEIGHT
from fm_env.games.fairy_meat.sight import is_contact, view_between
from fm_env.games.fairy_meat.state import Fault

# Numba combines integers, not enumeration members.
CARDS = int(Fault.CARDS)
NEGATIVE = int(Fault.NEGATIVE)
COUNTS = int(Fault.COUNTS)
LIFE = int(Fault.LIFE)
PHASE = int(Fault.PHASE)
FAIRY = int(Fault.FAIRY)
OPTION = int(Fault.OPTION)
PILES = int(Fault.PILES)
FIGURES = int(Fault.FIGURES)
SIGHT = int(Fault.SIGHT)
RECORD = int(Fault.RECORD)


@rule
def faults(s):
    found = 0
    found |= card_faults(s)
    found |= count_faults(s)
    found |= life_faults(s)
    found |= phase_faults(s)
    found |= option_faults(s)
    if s.play == Play.SKIRMISH:
        found |= table_faults(s)
    found |= record_faults(s)
    return found


@rule
def table_faults(s):
    """Figures stand on something that holds them, apart from each other, within the playing area; what
    is kept of sight and contact is so (but in a guess: F-15); the turn's counters are within bounds.
    """
    found = 0
    for f in range(s.n_fairies):
        here = s.whereabouts[f] == Place.TABLE
        if s.imagined or not here or not s.alive[f]:
            continue
        z = ground(s, s.pos[f, 0], s.pos[f, 1], ANY_HEIGHT)
        if z != s.pos[f, 2] or not is_free(s, f, s.pos[f, 0], s.pos[f, 1], z):
            found |= FIGURES
        if s.round_number > 0:
            found |= view_faults(s, f)
    low = min(min(s.budget, s.legs), min(s.power, s.points))
    for f in range(s.n_fairies):
        low = min(low, min(s.wind_up[f], min(s.shimmer[f], s.bound[f])))
    for seat in range(s.n_seats):
        low = min(low, min(s.kills[seat], s.eaten[seat]))
    if low < 0:
        found |= NEGATIVE
    if s.load < -1 or s.load >= s.live.shape[0] + s.n_items:
        found |= FAIRY
    right = 0 <= s.mode < 6 and 0 <= s.aim < 9 and 0 <= s.spell < 4 and 0 <= s.n_pieces <= s.top.shape[0]
    right = right and -1 <= s.heading < 16 and s.side > 0 and 0 <= s.n_items <= s.weight.shape[0]
    return found if right else found | OPTION


@rule
def view_faults(s, f):
    """Whether contact and sight of a figure are what they are from where she stands."""
    x, y, z = float(s.pos[f, 0]), float(s.pos[f, 1]), float(s.pos[f, 2])
    for g in range(s.n_fairies):
        if g == f or s.whereabouts[g] != Place.TABLE or f == s.mover or g == s.mover:
            continue
        gx, gy, gz = float(s.pos[g, 0]), float(s.pos[g, 1]), float(s.pos[g, 2])
        if s.touch[f, g] != is_contact(s, f, g) or s.touch[f, g] != s.touch[g, f]:
            return SIGHT
        if s.alive[g] and s.sees[f, g] != view_between(s, x, y, z, gx, gy, gz):
            return SIGHT
    return 0


@rule
def card_faults(s):
    """Every card of the pack is in exactly one pile, and no pile holds fewer than none."""
    found = 0
    for c in range(NUM_CARDS):
        n = s.deck[c] + s.heap_up[c]
        lowest = min(s.deck[c], s.heap_up[c])
        for seat in range(s.n_seats):
            n += s.heap_down[seat, c]
            lowest = min(lowest, s.heap_down[seat, c])
        for f in range(s.n_fairies):
            n += s.hand[f, c] + s.order[f, c] + s.laid[f, c] + s.wild[f, c]
            n += (s.main[f] == c) + (s.tie_card[f] == c)
            for pile in (s.hand[f, c], s.order[f, c], s.laid[f, c], s.wild[f, c]):
                lowest = min(lowest, pile)
            if (c < FIRST_TRUMP or c == JOKER) and s.laid[f, c] + s.wild[f, c] > 0:
                found |= PILES
        if n != s.pack[c]:
            found |= CARDS
        if lowest < 0:
            found |= NEGATIVE
    for f in range(s.n_fairies):
        if FIRST_TRUMP <= s.main[f] < JOKER:
            found |= PILES
        if not s.alive[f] and s.n_hand[f] + s.n_order[f] > 0:
            found |= PILES
    return found


@rule
def count_faults(s):
    """The counts kept beside the piles agree with them."""
    n_deck = 0
    for c in range(NUM_CARDS):
        n_deck += s.deck[c]
    wrong = n_deck != s.n_deck
    for f in range(s.n_fairies):
        hand, order, laid, wild = 0, 0, 0, 0
        for c in range(NUM_CARDS):
            hand += s.hand[f, c]
            order += s.order[f, c]
            laid += s.laid[f, c]
            wild += s.wild[f, c]
        wrong |= hand != s.n_hand[f] or order != s.n_order[f]
        wrong |= laid != s.n_laid[f] or wild != s.n_wild[f]
        wrong |= s.shown[f] != NO_CARD and s.order[f, s.shown[f]] == 0
    return COUNTS if wrong else 0


@rule
def life_faults(s):
    """Life sections within bounds; alive means Live or Kill left (F-51)."""
    found = 0
    for f in range(s.n_fairies):
        points = s.live[f] + s.kill[f]
        lowest = min(min(s.live[f], s.kill[f]), min(s.meat_live[f], s.meat_kill[f]))
        lowest = min(lowest, min(s.twinkle[f], s.used_twinkle[f]))
        lowest = min(lowest, min(s.damage[f], min(s.boost[f], s.prev_points[f])))
        if lowest < 0:
            found |= NEGATIVE
        # While damage is being taken the dead wait to be buried together with others.
        unburied = s.alive[f] == 1 and points == 0 and s.phase != Phase.DAMAGE
        undead = s.alive[f] == 0 and points > 0 and s.whereabouts[f] != Place.LEFT
        if points > LIFE_CAP or unburied or undead:
            found |= LIFE
    return found


@rule
def phase_faults(s):
    """A settled state waits for a seat or for chance, or is over."""
    found = 0
    known = 0 <= s.phase <= Phase.POWER or FIRST_CHANCE <= s.phase <= Phase.DRAW_LOT
    if not known and s.phase != Phase.OVER:
        found |= PHASE
    for f in (s.attacker, s.defender, s.turn, s.joker_of, s.winner, s.mover, s.placing):
        if f < -1 or f >= s.n_fairies:
            return found | FAIRY
    if s.phase < FIRST_CHANCE and found == 0:
        asked = False
        for seat in range(s.n_seats):
            asked |= asked_fairy(s, seat) >= 0
        if not asked:
            found |= PHASE
    if FIRST_CHANCE <= s.phase < FIRST_AUTOMATIC and s.phase < Phase.DRAW_TABLE and s.n_deck <= 0:
        found |= PHASE
    return found


@rule
def option_faults(s):
    right = 0 <= s.combat <= 1 and 0 <= s.play <= 2 and 0 <= s.damage_levels <= 1
    right = right and 0 <= s.joker_main_free <= 1 and 0 <= s.joker_points <= 1 and 0 <= s.call_off <= 1
    right = right and s.n_seats >= 2 and (s.n_seats <= s.n_fairies or s.play == Play.SKIRMISH)
    right = right and 0 <= s.first_seat < s.n_seats and 0 <= s.attacker_bonus <= 4
    right = right and (s.play != Play.CLASH or s.n_fairies == 2)
    return 0 if right else OPTION


@rule
def record_faults(s):
    """Every card held through the last shuffle, or come to those since, is accounted for (U-48)."""
    wrong = False
    any_kept = 0
    for f in range(s.n_fairies):
        here = s.n_hand[f] + (0 if s.laid_up[f] else s.n_laid[f])
        for pile in (HAND, ORDER):
            if pile == ORDER:
                here = s.n_order[f] - (s.shown[f] != NO_CARD)
            gone = s.dropped[f, pile]
            lowest = min(min(s.kept[f, pile], s.joined[f, pile]), gone)
            for c in range(NUM_CARDS):
                gone += s.exposed[f, pile, c]
                lowest = min(lowest, s.exposed[f, pile, c])
            gone += here if s.open[f, pile] else 0
            wrong |= lowest < 0 or s.kept[f, pile] + s.joined[f, pile] != gone
            any_kept += s.kept[f, pile]
    for seat in range(s.n_seats):
        held, kept, down, dropped = 0, 0, 0, 0
        for c in range(NUM_CARDS):
            held += s.held[seat, c]
            down += s.heap_down[seat, c]
            wrong |= s.held[seat, c] < 0 or s.mixed_in[seat, c] < 0
        for f in range(s.n_fairies):
            if s.owner[f] == seat:
                kept += s.kept[f, HAND] + s.kept[f, ORDER]
                dropped += s.dropped[f, HAND] + s.dropped[f, ORDER]
        wrong |= held != kept or dropped > down
    if any_kept > 0:
        for c in range(NUM_CARDS):
            mixed_in = 0
            for seat in range(s.n_seats):
                mixed_in += s.mixed_in[seat, c]
            wrong |= mixed_in > s.shuffled[c] or s.deck[c] > s.shuffled[c]
    return RECORD if wrong else 0

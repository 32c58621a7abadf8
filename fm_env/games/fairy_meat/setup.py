"""Laying out the table: the set-up record, and the first state made from it."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from fm_env.compiled import rule
from fm_env.games.fairy_meat.constants import (
    BAND,
    MAX_ITEMS,
    MAX_TABLES,
    NO_CARD,
    NO_FAIRY,
    NO_WEAPON,
    NUM_CARDS,
    WEAPON_ATTACK,
    WEAPON_ATTACKS,
    WEAPON_DEFENCE,
    WEAPON_MANGLER,
    WEAPON_SLOTS,
    WEAPON_STRENGTH,
    WEAPON_SWORD,
    Kind,
    Main,
    Phase,
    Play,
)


@cache
def setup_dtype(max_fairies: int, max_seats: int, max_pieces: int = 0) -> np.dtype[Any]:
    """Packed dtype of a set-up: fields named as in the state, with their first values."""
    f, seats, cards = max_fairies, max_seats, NUM_CARDS
    tables, pieces, items = (MAX_TABLES, max_pieces, MAX_ITEMS) if max_pieces else (1, 1, 1)
    small = ("play", "combat", "damage_levels", "jokers", "joker_main_free", "joker_points", "call_off")
    small += ("attacker_bonus", "rounds", "n_seats", "n_fairies", "first_seat", "kind", "strength")
    own = ("owner", "fairy_type", "attacks", "stance", "hand_size", "live", "kill", "twinkle")
    own += ("meat_live", "meat_kill", "used_twinkle")
    return np.dtype(
        [(name, "i1") for name in small]
        + [(name, "i1", (f,)) for name in own]
        + [
            ("weapon", "i1", (f, WEAPON_SLOTS)),
            ("pack", "i2", (cards,)),
            ("heap_up", "i2", (cards,)),  # cards that lie open in the Spoils Heap at the start
            ("hand", "i1", (f, cards)),  # clash: cards held from the start
            # --- the whole table
            ("side", "i4"),
            ("radius", "i4"),
            ("grain", "i4"),
            ("measuring", "i1"),
            ("score_own_meat", "i1"),
            ("points", "i2"),
            ("band", "i1"),
            ("n_tables", "i1"),  # tables given below, of which one is drawn
            ("n_pieces", "i1", (tables,)),
            ("form", "i1", (tables, pieces)),
            ("centre", "i4", (tables, pieces, 2)),
            ("half", "i4", (tables, pieces, 2)),
            ("top", "i4", (tables, pieces)),
            ("n_items", "i1"),
            ("thing", "i4", (items, 2)),  # x, y
            ("weight", "i1", (items,)),
            ("recruits", "i1", (seats,)),
            ("recruit", "i1", (seats, BAND)),
            ("arms", "i1", (seats, BAND, WEAPON_SLOTS - 1)),
            ("magic", "i1", (f,)),
            ("whereabouts", "i1", (f,)),  # Place; any figure on the table: the game starts with round 1
            ("pos", "i4", (f, 2)),  # x, y of figures and corpses that are there from the start
        ],
        align=False,
    )


@rule
def lay_out(s, setup):
    """First state: rules, fairy cards, a full deck; then a clash begins or round 1 does."""
    lay_out_rules(s, setup)
    lay_out_table(s, setup)
    lay_out_fairies(s, setup)
    lay_out_roster(s)
    write_badges(s)
    lay_out_cards(s, setup)
    clear_round(s)
    clear_fight(s)
    if s.play == Play.CLASH:
        s.kind = setup.kind
        s.strength = setup.strength
        s.attacker = 0
        s.defender = 1
        s.round_number = 1
        s.phase = Phase.COMBAT_START
    elif s.play == Play.SKIRMISH:
        s.phase = Phase.DRAW_TABLE
    else:
        s.phase = Phase.ROUND_START


@rule
def lay_out_rules(s, setup):
    s.play = setup.play
    s.combat = setup.combat
    s.damage_levels = setup.damage_levels
    s.jokers = setup.jokers
    s.joker_main_free = setup.joker_main_free
    s.joker_points = setup.joker_points
    s.call_off = setup.call_off
    s.attacker_bonus = setup.attacker_bonus
    s.rounds = setup.rounds
    s.n_seats = setup.n_seats
    s.n_fairies = setup.n_fairies
    s.first_seat = setup.first_seat


@rule
def lay_out_table(s, setup):
    """The playing area with the tables to draw from, and warbands that are given; nobody is on it yet."""
    s.side = setup.side
    s.radius = setup.radius
    s.grain = setup.grain
    s.measuring = setup.measuring
    s.score_own_meat = setup.score_own_meat
    s.points = setup.points
    s.band = setup.band
    s.n_tables = setup.n_tables
    s.table = -1
    s.n_pieces = 0
    s.form[:] = 0
    s.centre[:] = 0
    s.half[:] = 0
    s.top[:] = 0
    s.stands[:] = 0
    for k in range(setup.form.shape[0]):
        for j in range(setup.form.shape[1]):
            s.plan_form[k, j] = setup.form[k, j]
            for axis in range(2):
                s.plan[k, j, axis] = setup.centre[k, j, axis] // 10
                s.plan[k, j, 2 + axis] = setup.half[k, j, axis] // 10
            s.plan[k, j, 4] = setup.top[k, j] // 10
    s.n_items = setup.n_items
    for k in range(setup.thing.shape[0]):
        s.thing[k, 0] = setup.thing[k, 0]
        s.thing[k, 1] = setup.thing[k, 1]
        s.thing[k, 2] = 0
        s.weight[k] = setup.weight[k]
    for seat in range(s.recruits.shape[0]):
        s.recruits[seat] = setup.recruits[seat]
        for k in range(s.recruit.shape[1]):
            s.recruit[seat, k] = setup.recruit[seat, k]
            for j in range(s.arms.shape[2]):
                s.arms[seat, k, j] = setup.arms[seat, k, j]
    s.built[:] = 0
    s.lot[:] = -1
    s.lot_rank[:] = 0
    s.placer = -1
    s.placing = NO_FAIRY
    s.cell[:] = -1
    s.far_spot = -1
    for f in range(s.live.shape[0]):
        s.magic[f] = setup.magic[f]
        s.whereabouts[f] = setup.whereabouts[f]
        s.pos[f, 0] = setup.pos[f, 0]
        s.pos[f, 1] = setup.pos[f, 1]
        s.pos[f, 2] = 0
    s.wind_up[:] = 0
    s.shimmer[:] = 0
    s.bound[:] = 0
    s.touch[:] = 0
    s.at_item[:] = 0
    s.sees[:] = 0
    s.mode = 0
    s.moved = 0
    s.attacked = 0
    s.load = -1
    s.aim = 0
    s.spell = 0
    s.power = 0
    s.mover = NO_FAIRY
    s.escaping = 0
    s.budget = 0
    s.ceiling = 0
    s.legs = 0
    s.heading = -1
    s.start[:] = 0
    s.air[:] = 0
    s.kills[:] = 0
    s.eaten[:] = 0
    s.wasted[:] = 0
    s.imagined = 0


@rule
def lay_out_fairies(s, setup):
    for f in range(len(s.alive)):
        s.owner[f] = setup.owner[f]
        s.fairy_type[f] = setup.fairy_type[f]
        s.attacks[f] = setup.attacks[f]
        s.stance[f] = setup.stance[f]
        s.hand_size[f] = setup.hand_size[f]
        s.live[f] = setup.live[f]
        s.kill[f] = setup.kill[f]
        s.twinkle[f] = setup.twinkle[f]
        s.meat_live[f] = setup.meat_live[f]
        s.meat_kill[f] = setup.meat_kill[f]
        s.used_twinkle[f] = setup.used_twinkle[f]
        s.alive[f] = f < s.n_fairies and s.live[f] + s.kill[f] > 0
        s.times_laid[f] = 0
        s.times_caught[f] = 0
        for slot in range(WEAPON_SLOTS):
            s.weapon[f, slot] = setup.weapon[f, slot]
        for g in range(len(s.alive)):
            s.apart[f, g] = 0
            s.bank[f, g] = 0


@rule
def lay_out_roster(s):
    """Places of fairies as each seat sees them: own fairies first, then in seat rotation.

    On the table every player has six places, used or not, so that one policy can play any number.
    """
    s.roster[:] = NO_FAIRY
    s.place[:] = 0
    for seat in range(s.n_seats):
        place = 0
        for k in range(s.n_seats):
            if s.play == Play.SKIRMISH:
                place = BAND * k
            for f in range(s.n_fairies):
                if s.owner[f] == (seat + k) % s.n_seats:
                    s.roster[seat, place] = f
                    s.place[seat, f] = place
                    place += 1


@rule
def write_badges(s):
    """The constant entries of observations, written once: see `observe.write_fairy`."""
    s.rules_seen[0] = s.play
    s.rules_seen[1] = s.combat
    s.rules_seen[2] = s.damage_levels
    s.rules_seen[3] = s.jokers
    s.rules_seen[4] = s.joker_main_free
    s.rules_seen[5] = s.joker_points
    s.rules_seen[6] = s.call_off
    s.rules_seen[7] = s.attacker_bonus / 4
    s.badge[:] = 0
    for f in range(s.n_fairies):
        s.badge[f, 0] = s.stance[f]
        s.badge[f, 1 + s.fairy_type[f]] = 1
        s.badge[f, 4] = s.attacks[f] / 4
        s.badge[f, 5] = s.hand_size[f] / 24
        for slot in range(1, WEAPON_SLOTS):
            w = s.weapon[f, slot]
            if w != NO_WEAPON:
                i = 6 + 7 * (slot - 1)
                s.badge[f, i] = 1
                s.badge[f, i + 1] = WEAPON_ATTACK[w] / 2
                s.badge[f, i + 2] = WEAPON_DEFENCE[w] / 2
                s.badge[f, i + 3] = WEAPON_STRENGTH[w] / 2
                s.badge[f, i + 4] = WEAPON_ATTACKS[w] / 2
                s.badge[f, i + 5] = WEAPON_SWORD[w]
                s.badge[f, i + 6] = WEAPON_MANGLER[w]


@rule
def lay_out_cards(s, setup):
    s.heap_down[:] = 0
    s.n_hand[:] = 0
    s.n_deck = 0
    for c in range(NUM_CARDS):
        s.pack[c] = setup.pack[c]
        s.heap_up[c] = setup.heap_up[c]
        held = 0
        for f in range(len(s.n_hand)):
            s.hand[f, c] = setup.hand[f, c]
            held += s.hand[f, c]
            s.n_hand[f] += s.hand[f, c]
        s.deck[c] = s.pack[c] - held - s.heap_up[c]
        s.n_deck += s.deck[c]
        s.shuffled[c] = s.deck[c]
    s.shuffles = 0
    clear_record(s)


@rule
def clear_record(s):
    s.held[:] = 0
    s.mixed_in[:] = 0
    s.kept[:] = 0
    s.joined[:] = 0
    s.dropped[:] = 0
    s.exposed[:] = 0
    s.open[:] = 0


@rule
def clear_round(s):
    s.round_number = 0
    s.slot = 0
    s.turn = NO_FAIRY
    s.order[:] = 0
    s.n_order[:] = 0
    s.shown[:] = NO_CARD
    s.revealed[:] = 0
    s.standing[:] = 0
    s.tie_card[:] = NO_CARD
    s.acted[:] = 0
    s.bought[:] = 0
    s.choice[:] = -1
    s.main_choice[:] = -1


@rule
def clear_fight(s):
    s.kind = Kind.MELEE
    s.attacker = NO_FAIRY
    s.defender = NO_FAIRY
    s.slot_used = 0
    s.posed = 0
    s.strength = 0
    s.recasts = 0
    s.attacks_left = 0
    s.to_draw = 0
    s.drawn[:] = 0
    s.sign[:] = 0
    s.no_number[:] = 0
    s.no_trump[:] = 0
    s.laid[:] = 0
    s.n_laid[:] = 0
    s.laid_up[:] = 0
    s.main[:] = Main.NOT_LAID
    s.main_up[:] = 0
    s.wild[:] = 0
    s.n_wild[:] = 0
    s.points_wild[:] = 0
    s.points_colour[:] = 0
    s.prev_points[:] = 0
    s.boost[:] = 0
    s.boost_on[:] = 0
    s.shift[:] = 0
    s.joker_of = NO_FAIRY
    s.won = 0
    s.winner = NO_FAIRY
    s.damage[:] = 0
    s.mangled = 0
    s.resume = Phase.OVER
    s.score = 0

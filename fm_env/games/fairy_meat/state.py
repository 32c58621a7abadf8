"""The record that is a game of Fairy Meat, and everything that can be wrong with one.

One dtype per table size (`max_fairies`, `max_seats`, `max_pieces`): the same rules are compiled for
each. Fights have no pieces of terrain, and their fields of the whole table stay empty.
Lengths are in thousandths of an inch.
All fields are signed, since compiled and uncompiled Python disagree on unsigned subtraction.
`f` below is a fairy index, `seat` a player; "27" is a count per card type.
"""

from __future__ import annotations

from enum import IntFlag
from functools import cache
from typing import Any

import numpy as np

from fm_env.games.fairy_meat.constants import (
    BAND,
    CELLS,
    MAX_ITEMS,
    MAX_TABLES,
    NUM_CARDS,
    SPOTS_A_WORD,
    WEAPON_SLOTS,
)

BADGE = 6 + 7 * (WEAPON_SLOTS - 1)
"""Entries of a fairy's badge: stance, type (3), attacks, clash hand, seven for each weapon."""


@cache
def state_dtype(max_fairies: int, max_seats: int, max_pieces: int = 0) -> np.dtype[Any]:
    """Packed dtype of a game with up to `max_fairies` fairies, `max_seats` seats and `max_pieces`
    pieces of terrain (0: fights only).
    """
    f, seats, cards = max_fairies, max_seats, NUM_CARDS
    tables, pieces, items = (MAX_TABLES, max_pieces, MAX_ITEMS) if max_pieces else (1, 1, 1)
    words = -(-CELLS * CELLS // SPOTS_A_WORD) if max_pieces else 1
    return np.dtype(
        [
            # --- rules in force, constant through a game
            ("play", "i1"),  # Play: a single clash, or a bout of rounds
            ("combat", "i1"),  # Combat: which fighting system
            ("damage_levels", "i1"),  # 1: UnclEvl's damage by levels (U-14), 0: halves (U-13)
            ("jokers", "i1"),  # 1: the pack has jokers
            ("joker_main_free", "i1"),  # 1: a joker may be laid though she has a number (U-16)
            ("joker_points", "i1"),  # 1: a joker's damage to the attacker costs her a point (clash)
            ("call_off", "i1"),  # 1: an attacker may lay her last trump and call it off (U-21)
            ("attacker_bonus", "i1"),  # cards the attacker draws for attacking (U-03, F-36)
            ("rounds", "i2"),  # rounds of a bout
            ("n_seats", "i1"),
            ("n_fairies", "i1"),
            ("first_seat", "i1"),  # whose seat leads rotations in round 1
            ("pack", "i2", (cards,)),  # every card of the game
            ("rules_seen", "f4", (8,)),  # the rules above as every observation shows them
            ("roster", "i1", (seats, f)),  # fairy at each place as `seat` sees the table, or NO_FAIRY
            ("place", "i1", (seats, f)),  # its inverse: place of fairy f for `seat`
            ("badge", "f4", (f, BADGE)),  # what never changes of a fairy, as observations show it
            # --- each fairy's card
            ("owner", "i1", (f,)),  # seat
            ("fairy_type", "i1", (f,)),  # FairyType
            ("weapon", "i1", (f, WEAPON_SLOTS)),  # weapon per slot or NO_WEAPON; slot 0 bare hands
            ("attacks", "i1", (f,)),  # attacks a turn; 0: as many as the weapon has (U-36)
            ("stance", "i1", (f,)),  # +1 posed, 0, -1 fluttered
            ("hand_size", "i1", (f,)),  # clash: cards to draw
            ("live", "i1", (f,)),  # Life section
            ("kill", "i1", (f,)),
            ("twinkle", "i1", (f,)),
            ("meat_live", "i1", (f,)),  # Meat section
            ("meat_kill", "i1", (f,)),
            ("used_twinkle", "i1", (f,)),
            ("alive", "i1", (f,)),
            ("apart", "i1", (f, f)),  # 1: contact was broken by an escape (symmetric)
            # --- cards not in hands
            ("deck", "i2", (cards,)),
            ("n_deck", "i2"),
            ("shuffled", "i2", (cards,)),  # the deck right after the last shuffle
            ("shuffles", "i4"),  # how many shuffles there were
            ("heap_up", "i2", (cards,)),  # Spoils Heap: cards everyone has seen
            ("heap_down", "i2", (seats, cards)),  # ... and those only `seat` has seen
            # --- the record of the last shuffle, all 0 if nobody held a card through it (U-48)
            ("held", "i1", (seats, cards)),  # cards that `seat` held through it unseen by others
            ("mixed_in", "i1", (seats, cards)),  # cards of the heap that only `seat` had seen
            ("kept", "i1", (f, 2)),  # how many she held in hand and laid face down; as Order Cards
            ("joined", "i1", (f, 2)),  # how many came to those since
            ("dropped", "i1", (f, 2)),  # of them all: how many went to the heap face down since
            ("exposed", "i1", (f, 2, cards)),  # ... and which have been shown since
            ("open", "i1", (f, 2)),  # 1: what she holds there belongs to this record
            # --- the round
            ("round_number", "i2"),  # 1, 2, ..
            ("phase", "i1"),  # Phase
            ("slot", "i1"),  # next poll of the countdown
            ("order", "i1", (f, cards)),  # Order Cards held
            ("n_order", "i1", (f,)),
            ("shown", "i1", (f,)),  # Order Card turned up for the coming turn, or NO_CARD
            ("revealed", "i1", (f,)),  # 1: committed to act at this slot (F-12)
            ("standing", "i1", (f,)),  # place among the committed; lower acts first (F-11)
            ("tie_card", "i1", (f,)),  # card drawn for the tie, or NO_CARD
            ("acted", "i1", (f,)),  # 1: has started her turn this round
            ("bought", "i1", (f,)),  # Order Cards bought by Thinking and not dealt yet
            ("turn", "i1"),  # fairy whose turn it is, or NO_FAIRY
            ("bank", "i1", (f, f)),  # extra cards f may draw when she attacks g this round (U-25)
            # --- choices laid face down, not yet turned over: action id or -1
            ("choice", "i2", (f,)),
            ("main_choice", "i2", (f,)),  # Fast Play: the main card, while supports are chosen
            # --- the combat turn
            ("kind", "i1"),  # Kind
            ("attacker", "i1"),
            ("defender", "i1"),
            ("slot_used", "i1"),  # weapon slot in use
            ("posed", "i1"),  # stance that counts for this combat (0 after closing in)
            ("strength", "i1"),  # cards of a Rose Prick
            ("recasts", "i1"),
            ("attacks_left", "i1"),
            ("to_draw", "i1"),  # cards still to be drawn by the fairy who is drawing
            ("drawn", "i1", (f,)),  # 1: has her hand for this combat turn
            ("hand", "i1", (f, cards)),
            ("n_hand", "i1", (f,)),
            ("sign", "i1", (f,)),  # Sign declared
            ("no_number", "i1", (f,)),  # 1: all know that her hand holds no number
            ("no_trump", "i1", (f,)),  # 1: all know that it holds no trump
            # --- the exchange
            ("laid", "i1", (f, cards)),  # trumps laid (supports under Fast Play)
            ("n_laid", "i1", (f,)),
            ("laid_up", "i1", (f,)),  # 1: they are turned up
            ("main", "i1", (f,)),  # card type or Main
            ("main_up", "i1", (f,)),
            ("wild", "i1", (f, cards)),  # trumps under a wild trump
            ("n_wild", "i1", (f,)),
            ("points_wild", "i1", (f,)),  # points used as wild trumps (U-27)
            ("points_colour", "i1", (f,)),
            ("prev_points", "i1", (f,)),  # won by defending in the attack just before, unspent
            ("boost", "i1", (f,)),  # points kept for the next Numbered card (U-26)
            ("boost_on", "i1", (f,)),  # 1: used in this exchange
            ("shift", "i1", (f,)),  # what an opponent made of caught trumps on f's number
            ("joker_of", "i1"),  # fairy whose joker is being resolved
            ("won", "i1"),  # points of the defender waiting for her choice, or of a wrestle
            ("winner", "i1"),  # fairy who won the wrestle
            ("damage", "i1", (f,)),  # points still to be taken
            ("mangled", "i1"),  # 1: those points leave the game (F-52)
            ("resume", "i1"),  # Phase after the damage is taken
            ("score", "i2"),  # clash: points for fairy 0 (negative: for fairy 1)
            # --- memory of the table: what all have seen each fairy do in this game
            ("times_laid", "i2", (f,)),  # exchanges in which she laid trumps that were turned up
            ("times_caught", "i2", (f,)),  # ... in which some of them were off-colour
            # --- the whole table: what is fixed
            ("side", "i4"),  # side of the square playing area
            ("radius", "i4"),  # of a base (F-16)
            ("grain", "i4"),  # to which an eye tells positions (F-15)
            ("measuring", "i1"),  # 1: distances may be measured
            ("score_own_meat", "i1"),  # 1: eating one's own dead scores (F-72)
            ("points", "i2"),  # what a warband may cost
            ("band", "i1"),  # fairies of a warband at most
            ("n_tables", "i1"),  # tables to draw one from
            ("plan_form", "i1", (tables, pieces)),  # their pieces, as below, in tenths
            ("plan", "i2", (tables, pieces, 5)),  # x, y, half width, half depth, top
            ("table", "i1"),  # the one drawn, or -1
            ("n_pieces", "i1"),
            ("form", "i1", (pieces,)),  # BOX or CYLINDER
            ("centre", "i4", (pieces, 2)),
            ("half", "i4", (pieces, 2)),  # half width and depth; a cylinder's radius twice
            ("top", "i4", (pieces,)),  # height
            ("stands", "i8", (words,)),  # bit set: spots of the placement grid that hold a base
            ("n_items", "i1"),
            ("thing", "i4", (items, 3)),  # x, y, z of loot that is no corpse (F-74)
            ("weight", "i1", (items,)),  # in points of meat; 0: gone
            # --- warbands (secret until all are chosen, F-70)
            ("recruits", "i1", (seats,)),  # 0: given, 1: chosen by the player, 2: drawn by chance
            ("recruit", "i1", (seats, BAND)),  # 2 * FairyType + Magic - 1, or -1
            ("arms", "i1", (seats, BAND, WEAPON_SLOTS - 1)),  # weapons or NO_WEAPON
            ("built", "i1", (seats,)),  # choices made
            # --- setting up
            ("lot", "i1", (seats,)),  # rank of the card drawn for the order of placing, or -1
            ("lot_rank", "i1", (seats,)),  # place in that order
            ("placer", "i1"),  # seat whose turn it is to place a fairy
            ("placing", "i1"),  # fairy being placed, or NO_FAIRY
            ("cell", "i1", (2,)),  # column and row chosen for her, or -1
            ("far_spot", "i2"),  # the only spot left to her where none is far enough from enemies, or -1
            # --- figures
            ("whereabouts", "i1", (f,)),  # Place
            ("pos", "i4", (f, 3)),  # x, y of the base's centre and the height it stands on
            ("magic", "i1", (f,)),  # Magic
            ("wind_up", "i4", (f,)),  # added to her next move and altitude (F-31)
            ("shimmer", "i1", (f,)),  # cards for Live-based draws until her next turn (F-56)
            ("bound", "i1", (f,)),  # 1: Wing Bind is on her; 2: from her next turn on (F-90); 3: both
            ("touch", "i1", (f, f)),  # 1: figures in base contact (F-18), one of them alive
            ("at_item", "i1", (f, items)),  # 1: a living figure in contact with an item
            ("sees", "i1", (f, f)),  # View: what the first sees of the second
            # --- the turn
            ("mode", "i1"),  # Mode of the fairy whose turn it is
            ("moved", "i1"),  # 1: her move is used up
            ("attacked", "i1"),  # 1: her attack is used up
            ("load", "i1"),  # corpse being dragged, MAX fairies + item, or -1
            ("aim", "i1"),  # Aim of the figure to be pointed at
            ("spell", "i1"),  # Spell being cast
            ("power", "i1"),  # extra Twinkle Points in it
            ("mover", "i1"),  # fairy on the move, or NO_FAIRY
            ("escaping", "i1"),  # 1: it is the free move out of a wrestle (U-32)
            ("budget", "i4"),  # inches she has left
            ("ceiling", "i4"),  # height that she can reach in this move (F-20)
            ("legs", "i1"),  # straight pieces flown
            ("heading", "i1"),  # of the leg whose length is being chosen, or -1
            ("start", "i4", (2,)),  # where the move began
            ("air", "i4", (2,)),  # where she flies; `pos` is the last place where she could land
            # --- scores
            ("kills", "i2", (seats,)),
            ("eaten", "i2", (seats,)),  # points of meat that score
            ("wasted", "i2", (seats,)),  # acts that came to nothing: shots out of range, moves of no length
            ("imagined", "i1"),  # 1: `resample` has guessed positions, the facts seen are kept (F-15)
        ],
        align=False,
    )


class Fault(IntFlag):
    """Everything that can be wrong with a state; `kernel.faults` returns the sum."""

    CARDS = 1  # some card is missing or doubled
    NEGATIVE = 2  # a pile or counter below zero
    COUNTS = 4  # n_deck, n_hand, n_order, n_laid or n_wild disagree with their piles
    LIFE = 8  # a fairy above 12 Fairy Points, or alive with none, or dead with some
    PHASE = 16  # unknown phase, or nobody to act in it
    FAIRY = 32  # an index that names no fairy
    OPTION = 64  # a rule option out of range
    PILES = 128  # trumps among mains, numbers among trumps, or cards of a dead fairy
    FIGURES = 256  # a figure off the table, in the air, inside terrain or inside another
    SIGHT = 512  # what is kept of sight and contact isn't so
    RECORD = 1024  # the record of the last shuffle disagrees with the piles or with itself

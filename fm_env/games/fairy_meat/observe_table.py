"""What a seat may know of the whole table, as numbers from its own chair.

Layout: the fight at hand between two figures, as a duel shows it (`observe_fight.write_pair`); the
turn and the table; the players; own Order Cards; a row for each of the 36 places of figures, own
first and then in seat rotation; pieces of terrain; items. Places and directions are told twice:
over the table, and as seen from the figure at hand. Positions are known to the grain of an eye
(F-15); who touches and who sees whom is known exactly. Every entry lies in [-1, 1].
"""

from __future__ import annotations

import math

from fm_env.compiled import rule
from fm_env.games.fairy_meat.cards import call_rank
from fm_env.games.fairy_meat.choices import asked_fairy
from fm_env.games.fairy_meat.constants import (
    BAND,
    BOX,
    FAIRY_NAMES,
    MAX_FIGURES,
    MAX_ITEMS,
    MAX_PIECES,
    MAX_SEATS,
    NO_CARD,
    NO_FAIRY,
    NO_WEAPON,
    NUM_CARDS,
    SPELL_NAMES,
    WEAPON_NAMES,
    WEAPON_SLOTS,
    Aim,
    Mode,
    Phase,
    Place,
)
from fm_env.games.fairy_meat.movement import COURSES, NO_LOAD, is_loot
from fm_env.games.fairy_meat.observe_fight import FIGHT, clip, write_pair
from fm_env.games.fairy_meat.scoring import table_points
from fm_env.games.fairy_meat.warband import STEPS, cost_so_far

NUM_PHASES = int(Phase.POWER) - int(Phase.BUILD) + 1
FIRST_PHASE = int(Phase.BUILD)
NUM_AIMS = len(Aim)
NUM_MODES = len(Mode)
NUM_SPELLS = len(SPELL_NAMES)
NUM_WEAPONS = len(WEAPON_NAMES)
RANKS = 14
SCALE = 1 / 24_000
"""Heights and budgets; more counts as 24 inches."""


@rule
def observe_table(s, seat, out):
    asked = NO_FAIRY if s.phase == Phase.BUILD else asked_fairy(s, seat)
    me = figure_at_hand(s, seat, asked)
    write_pair(s, seat, asked, me, fighter_against(s, me), out[:FIGHT])
    i = FIGHT
    write_turn(s, seat, me, out[i : i + TURN])
    i += TURN
    for k in range(MAX_SEATS):
        write_player(s, seat, k, out[i : i + PLAYER])
        i += PLAYER
    for k in range(BAND):
        write_own_orders(s, s.roster[seat, k], out[i : i + ORDERS])
        i += ORDERS
    for k in range(MAX_FIGURES):
        f = s.roster[seat, k]
        if f != NO_FAIRY:
            write_figure(s, seat, f, asked, me, out[i : i + FIGURE])
        elif s.phase == Phase.BUILD and k < BAND and s.recruit[seat, k] >= 0:
            write_recruit(s, seat, k, out[i : i + FIGURE])
        else:
            out[i : i + FIGURE] = 0
        i += FIGURE
    for k in range(MAX_PIECES):
        if k < s.n_pieces:
            write_piece(s, k, me, out[i : i + PIECE])
        else:
            out[i : i + PIECE] = 0
        i += PIECE
    for k in range(MAX_ITEMS):
        if k < s.n_items and s.weight[k] > 0:
            write_item(s, k, me, out[i : i + ITEM])
        else:
            out[i : i + ITEM] = 0
        i += ITEM


@rule
def figure_at_hand(s, seat, asked):
    """The figure that the table is seen from: the one asked, her own fighter, or who acts."""
    if asked != NO_FAIRY:
        return asked
    if s.attacker != NO_FAIRY and s.defender != NO_FAIRY:
        return s.defender if s.owner[s.defender] == seat and s.owner[s.attacker] != seat else s.attacker
    return s.turn


@rule
def fighter_against(s, me):
    """Her opponent in the combat going on."""
    if s.attacker == NO_FAIRY or s.defender == NO_FAIRY:
        return NO_FAIRY
    if me == s.attacker:
        return s.defender
    return s.attacker


@rule
def eye(s, value):
    """A coordinate to the grain of an eye (F-15): the middle of the strip that it lies in. While
    figures are set up distances may be measured (F-88).
    """
    if s.grain == 0 or s.round_number == 0:
        return float(value)
    return (value // s.grain + 0.5) * s.grain


@rule
def write_turn(s, seat, me, out):
    out[:] = 0
    if s.phase >= FIRST_PHASE and s.phase < FIRST_PHASE + NUM_PHASES:
        out[s.phase - FIRST_PHASE] = 1
    i = NUM_PHASES
    out[i + s.aim] = 1
    i += NUM_AIMS
    out[i + s.mode] = 1
    i += NUM_MODES
    if s.phase == Phase.POWER or s.aim == Aim.SPELL:
        out[i + s.spell] = 1
    i += NUM_SPELLS
    out[i] = s.power * (1 / 8)
    out[i + 1] = s.moved
    out[i + 2] = s.attacked
    out[i + 3] = s.escaping
    out[i + 4] = clip(s.budget * SCALE)
    out[i + 5] = s.legs * (1 / 4)
    if s.heading >= 0:
        out[i + 6] = COURSES[s.heading, 0]
        out[i + 7] = COURSES[s.heading, 1]
    if s.mover != NO_FAIRY:
        out[i + 8] = (eye(s, s.air[0]) - eye(s, s.pos[s.mover, 0])) / s.side
        out[i + 9] = (eye(s, s.air[1]) - eye(s, s.pos[s.mover, 1])) / s.side
        out[i + 10] = clip(s.ceiling * SCALE)
    out[i + 11] = s.load != NO_LOAD
    out[i + 12] = s.n_seats * (1 / 6)
    out[i + 13] = s.band * (1 / 6)
    out[i + 14] = clip(s.points * (1 / 128))
    out[i + 15] = clip(s.side * (1 / 72_000))
    out[i + 16] = s.measuring
    out[i + 17] = clip(s.grain * (1 / 8_000))
    out[i + 18] = s.score_own_meat
    out[i + 19] = clip(s.radius * (1 / 2_000))
    if s.phase == Phase.BUILD:
        out[i + 20] = s.built[seat] * (1 / 18)
        out[i + 21] = clip((s.points - cost_so_far(s, seat)) * (1 / 128))
        out[i + 22] = (s.built[seat] % STEPS) * (1 / 2)
    out[i + 23] = (s.cell[0] + 1) * (1 / 12)
    out[i + 24] = (s.cell[1] + 1) * (1 / 12)
    out[i + 25] = s.far_spot >= 0
    out[i + 26] = (s.far_spot + 1) * (1 / 2304)
    out[i + 27] = me != NO_FAIRY


TURN = NUM_PHASES + NUM_AIMS + NUM_MODES + NUM_SPELLS + 28


@rule
def write_player(s, seat, k, out):
    """The player `k` chairs on."""
    out[:] = 0
    if k >= s.n_seats:
        return
    other = (seat + k) % s.n_seats
    out[0] = 1
    out[1] = clip(table_points(s, other) * (1 / 64))
    out[2] = clip(s.kills[other] * (1 / 16))
    out[3] = clip(s.eaten[other] * (1 / 32))
    fairies = 0
    for f in range(s.n_fairies):
        fairies += s.owner[f] == other and s.alive[f] == 1
    out[4] = fairies * (1 / 6)
    out[5] = s.lot_rank[other] * (1 / 6)
    out[6] = (s.first_seat + s.round_number - 1 - other) % s.n_seats == 0
    out[7] = s.placer == other


PLAYER = 8


@rule
def write_own_orders(s, f, out):
    """Ranks of one own fairy's Order Cards, and what she has committed to in secret."""
    out[:] = 0
    if f == NO_FAIRY:
        return
    if s.n_order[f] > 0:
        for c in range(NUM_CARDS):
            if s.order[f, c] > 0:
                out[call_rank(c) - 1] += s.order[f, c] * (1 / 9)
    out[RANKS] = (s.choice[f] + 1) * (1 / 256)


ORDERS = RANKS + 1


@rule
def write_figure(s, seat, f, asked, me, out):
    there = s.whereabouts[f] == Place.TABLE
    out[0] = 1
    out[1] = s.alive[f]
    out[2] = s.owner[f] == seat
    out[3] = is_loot(s, f)
    out[4] = there
    ahead = s.owner[f] - seat
    out[5] = (ahead + s.n_seats if ahead < 0 else ahead) * (1 / 6)
    out[6] = s.live[f] * (1 / 12)
    out[7] = s.kill[f] * (1 / 12)
    out[8] = s.twinkle[f] * (1 / 8)
    out[9] = s.used_twinkle[f] * (1 / 8)
    out[10] = s.meat_live[f] * (1 / 12)
    out[11] = s.meat_kill[f] * (1 / 12)
    write_kind(s.fairy_type[f], s.magic[f], out)
    for slot in range(1, WEAPON_SLOTS):
        if s.weapon[f, slot] != NO_WEAPON:
            out[16 + s.weapon[f, slot]] = 1
    out[25] = s.n_order[f] * (1 / 9)
    out[26] = s.acted[f]
    out[27] = s.revealed[f]
    out[28] = call_rank(s.shown[f]) * (1 / 14) if s.shown[f] != NO_CARD else 0
    out[29] = call_rank(s.tie_card[f]) * (1 / 14) if s.tie_card[f] != NO_CARD else 0
    out[30] = clip(s.standing[f] * (1 / 36))
    out[31] = s.turn == f
    out[32] = s.attacker == f
    out[33] = s.defender == f
    out[34] = asked == f
    out[35] = me == f
    out[36] = s.n_hand[f] * (1 / 24)
    out[37] = clip(s.wind_up[f] * (1 / 16_000))
    out[38] = s.shimmer[f] * (1 / 24)
    out[39] = s.bound[f] * (1 / 3)
    out[40] = s.load == f
    out[41:FIGURE] = 0
    if not there:
        return
    x, y = eye(s, s.pos[f, 0]), eye(s, s.pos[f, 1])
    out[41] = clip(2 * x / s.side - 1)
    out[42] = clip(2 * y / s.side - 1)
    out[43] = clip(s.pos[f, 2] * SCALE)
    if s.attacker != NO_FAIRY:
        out[44] = s.touch[s.attacker, f]
        out[45] = s.sees[s.attacker, f] * (1 / 2)
    if me == NO_FAIRY or s.whereabouts[me] != Place.TABLE:
        return
    dx, dy = (x - eye(s, s.pos[me, 0])) / s.side, (y - eye(s, s.pos[me, 1])) / s.side
    out[46] = clip(dx)
    out[47] = clip(dy)
    out[48] = min(1.0, math.sqrt(dx * dx + dy * dy))
    out[49] = clip((s.pos[f, 2] - s.pos[me, 2]) * SCALE)
    out[50] = s.touch[me, f]
    out[51] = s.sees[me, f] * (1 / 2)
    out[52] = s.sees[f, me] * (1 / 2)
    out[53] = s.bank[me, f] * (1 / 16)
    out[54] = s.bank[f, me] * (1 / 16)


FIGURE = 55


@rule
def write_kind(kind, magic, out):
    """Type and magic, and no weapons yet."""
    for k in range(3):
        out[12 + k] = kind == k
    out[15] = magic == 1
    out[16] = magic == 2
    out[17:25] = 0


@rule
def write_recruit(s, seat, k, out):
    """A place of the warband being chosen; nobody else sees it."""
    out[:] = 0
    out[2] = 1
    write_kind(s.recruit[seat, k] // 2, s.recruit[seat, k] % 2 + 1, out)
    for j in range(WEAPON_SLOTS - 1):
        if s.arms[seat, k, j] != NO_WEAPON:
            out[16 + s.arms[seat, k, j]] = 1


@rule
def write_piece(s, k, me, out):
    out[0] = 1
    out[1] = s.form[k] == BOX
    out[2] = clip(2 * s.centre[k, 0] / s.side - 1)
    out[3] = clip(2 * s.centre[k, 1] / s.side - 1)
    out[4] = clip(s.half[k, 0] / s.side)
    out[5] = clip(s.half[k, 1] / s.side)
    out[6] = clip(s.top[k] * SCALE)
    out[7:] = 0
    if me != NO_FAIRY and s.whereabouts[me] == Place.TABLE:
        out[7] = clip((s.centre[k, 0] - eye(s, s.pos[me, 0])) / s.side)
        out[8] = clip((s.centre[k, 1] - eye(s, s.pos[me, 1])) / s.side)
        out[9] = clip((s.top[k] - s.pos[me, 2]) * SCALE)


PIECE = 10


@rule
def write_item(s, k, me, out):
    out[:] = 0
    out[0] = s.weight[k] * (1 / 127)
    out[1] = clip(2 * eye(s, s.thing[k, 0]) / s.side - 1)
    out[2] = clip(2 * eye(s, s.thing[k, 1]) / s.side - 1)
    if me != NO_FAIRY and s.whereabouts[me] == Place.TABLE:
        out[3] = clip((eye(s, s.thing[k, 0]) - eye(s, s.pos[me, 0])) / s.side)
        out[4] = clip((eye(s, s.thing[k, 1]) - eye(s, s.pos[me, 1])) / s.side)
        out[5] = s.at_item[me, k]
    out[6] = s.load == s.live.shape[0] + k


ITEM = 7


# ------------------------------------------------------------------------------------ the labels
def table_labels() -> tuple[str, ...]:
    """Names of the entries after the fight, in order."""
    labels = [f"phase {Phase(FIRST_PHASE + k).name.lower()}" for k in range(NUM_PHASES)]
    labels += [f"aim {aim.name.lower()}" for aim in Aim]
    labels += [f"mode {mode.name.lower()}" for mode in Mode]
    labels += [f"spell {name}" for name in SPELL_NAMES]
    labels += ["extra points /8", "has moved", "has attacked", "escaping", "inches left /24", "legs /4"]
    labels += ["heading east", "heading north", "in the air east", "in the air north", "ceiling /24 in"]
    labels += ["drags", "players /6", "warband limit /6", "points /128", "table /72 in", "measuring"]
    labels += ["grain /8 in", "own meat scores", "base radius /2 in", "choices built /18"]
    labels += ["points left /128", "part of the choice /2", "column /12", "row /12", "one spot only"]
    labels += ["that spot /2304", "a figure is at hand"]
    for k in range(MAX_SEATS):
        names = ["plays", "points /64", "kills /16", "eaten /32", "fairies /6", "lot /6", "leads", "places"]
        labels += [f"player {k}: {name}" for name in names]
    for k in range(BAND):
        labels += [f"order {k}: {c}" for c in (*"A23456789TJQK", "joker", "committed choice /256")]
    for k in range(MAX_FIGURES):
        labels += [f"figure {k}: {name}" for name in figure_labels()]
    for k in range(MAX_PIECES):
        names = ["exists", "box", "x", "y", "half width", "half depth", "height /24 in"]
        labels += [f"piece {k}: {name}" for name in (*names, "east of me", "north of me", "above me")]
    for k in range(MAX_ITEMS):
        names = ["weight /127", "x", "y", "east of me", "north of me", "touches me", "dragged"]
        labels += [f"item {k}: {name}" for name in names]
    return tuple(labels)


def figure_labels() -> list[str]:
    names = ["exists", "alive", "mine", "corpse", "on the table", "seat /6", "live /12", "kill /12"]
    names += ["twinkle /8", "used twinkle /8", "meat live /12", "meat kill /12", *FAIRY_NAMES, "sweet"]
    names += ["mean", *WEAPON_NAMES[1:], "order cards /9", "has acted", "committed to act"]
    names += ["shown order card /14", "tie card /14", "place /36", "her turn", "attacker", "defender"]
    names += ["asked", "at hand", "hand /24", "wind-up /16 in", "shimmer /24", "bound /3", "dragged"]
    names += ["x", "y", "height /24 in", "touches the attacker", "seen by the attacker", "east of me"]
    names += ["north of me", "distance", "above me", "touches me", "I see", "sees me"]
    return [*names, "extra cards v. her /16", "her extra cards v. me /16"]

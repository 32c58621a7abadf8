"""What a seat may know, as numbers from its own chair.

Layout: the phase, the situation, one row for each figure (own figures first), then planes of 100
squares, with the seat's own edge as row 0. Nothing is hidden but the sheets of the other seat while
teams are built. Every entry lies in [-1, 1]. `observation_labels` names the entries in order; a
test holds the two together.
"""

from __future__ import annotations

from functools import cache

from fm_env.compiled import rule
from fm_env.games.angry_miniatures import dice
from fm_env.games.angry_miniatures.board import distance, turned
from fm_env.games.angry_miniatures.combat import (
    attack_dice,
    defence_dice,
    is_target,
    lead,
    side_health,
)
from fm_env.games.angry_miniatures.constants import (
    ATTACK_NAMES,
    BLOCKING,
    BUILD_STEPS,
    CELLS,
    CRIT_NAMES,
    DIFFICULT,
    FIGURES,
    FIRST_CHANCE,
    FLAW_NAMES,
    HINDERING,
    NOBODY,
    NUM_CHOICES,
    OFF_BOARD,
    PERK_NAMES,
    SIDE,
    SIZE,
    WATER,
    Phase,
)
from fm_env.games.angry_miniatures.course import can_activate, figure_at, is_asked

SITUATION = 46
"""Entries about the situation, after the phase."""
SHEET = 8 + len(ATTACK_NAMES) + len(PERK_NAMES) + len(FLAW_NAMES) + len(CRIT_NAMES)
ROW = SHEET + 22
"""Entries about one figure."""
PLANES = 10
OBSERVATION_SIZE = NUM_CHOICES + SITUATION + FIGURES * ROW + PLANES * CELLS


@rule
def observe(s, seat, out):
    """Write everything `seat` knows into `out` f4[F]."""
    out[:NUM_CHOICES] = 0
    if s.phase < NUM_CHOICES:
        out[s.phase] = 1
    i = NUM_CHOICES
    write_situation(s, seat, out[i : i + SITUATION])
    i += SITUATION
    for k in range(FIGURES):
        f = figure_at(seat, k)
        if s.phase == Phase.BUILD and k >= SIDE:
            out[i : i + ROW] = 0
        else:
            write_sheet(s, f, out[i : i + SHEET])
            write_figure(s, seat, f, out[i + SHEET : i + ROW])
        i += ROW
    write_planes(s, seat, out[i:])


@rule
def write_situation(s, seat, out):
    other = 1 - seat
    out[0] = is_asked(s, seat)
    out[1] = s.phase == Phase.OVER
    out[2] = FIRST_CHANCE <= s.phase < Phase.OVER
    out[3] = s.round_number * (1 / 16)
    out[4] = (s.rounds - s.round_number) * (1 / 16)
    out[5] = s.per_side * (1 / 3)
    out[6] = s.width * (1 / SIZE)
    out[7] = s.height * (1 / SIZE)
    out[8] = s.caster_immune
    out[9] = s.melee_guard
    out[10] = s.starter == seat
    out[11] = s.starter == other
    out[12] = s.turn == seat
    out[13] = s.moved
    out[14] = s.stood_up
    out[15] = s.attacked
    out[16] = s.squares * (1 / 8)
    out[17] = s.speed_left * (1 / 8)
    out[18] = to_act(s, seat) * (1 / 3)
    out[19] = to_act(s, other) * (1 / 3)
    out[20] = side_health(s, seat) * (1 / 21) if s.phase != Phase.BUILD else 0
    out[21] = side_health(s, other) * (1 / 21) if s.phase != Phase.BUILD else 0
    out[22:31] = 0
    if s.phase == Phase.BUILD and is_asked(s, seat):
        out[22 + s.built[seat] % BUILD_STEPS] = 1
        out[28 + s.built[seat] // BUILD_STEPS] = 1
    for side in range(4):
        out[31 + side] = s.attack_roll[side] * (1 / 12)
        out[35 + side] = s.defence_roll[side] * (1 / 12)
    out[39] = s.dice * (1 / 12)
    out[40] = s.tie
    out[41] = s.stage * (1 / 2)
    out[42] = lead(s) * (1 / 12)
    out[43] = (s.n_caught - s.facing) * (1 / 6)
    out[44] = s.attacker != NOBODY and s.attacker // SIDE == seat
    out[45] = s.attacker != NOBODY and s.attacker // SIDE == other


@rule
def to_act(s, seat):
    """Figures that the seat has still to activate this round."""
    n = 0
    for f in range(SIDE * seat, SIDE * seat + SIDE):
        n += can_activate(s, f)
    return n


@rule
def write_sheet(s, f, out):
    """The character sheet; zeros for a figure that isn't in the game."""
    out[:] = 0
    if s.stat[f, 0] == 0:
        return
    for k in range(3):
        out[k] = s.stat[f, k] * (1 / 7)
    out[3] = s.max_health[f] * (1 / 7)
    out[4] = s.speed[f] * (1 / 8)
    out[5] = s.distance[f] * (1 / 9)
    out[6] = s.attack[f] * (1 / 8)
    out[7] = 1
    i = 8
    out[i + s.attack_type[f]] = 1
    i += len(ATTACK_NAMES)
    out[i + s.perk[f]] = 1
    i += len(PERK_NAMES)
    out[i + s.flaw[f]] = 1
    out[i + len(FLAW_NAMES) + s.crit[f]] = 1


@rule
def write_figure(s, seat, f, out):
    """Where she is, how she is, what she does just now, whom she threatens."""
    on_board = s.cell[f] != OFF_BOARD
    c = turned(s, seat, s.cell[f]) if on_board else 0
    out[0] = on_board
    out[1] = c % SIZE * (1 / 9)
    out[2] = c // SIZE * (1 / 9)
    out[3] = s.health[f] * (1 / 7)
    out[4] = s.acted[f]
    out[5] = s.prone[f]
    out[6] = s.buffed[f]
    out[7] = s.slowed[f]
    out[8] = s.crit_used[f]
    out[9] = s.picked == f
    out[10] = s.active == f
    out[11] = s.attacker == f
    out[12] = s.n_caught > 0 and s.caught[s.facing] == f
    out[13] = s.critter == f
    out[14] = s.commanded == f
    write_aim(s, f, out[15:19])
    enemy = SIDE if f < SIDE else 0
    for k in range(SIDE):
        g = enemy + k
        near = on_board and s.cell[g] != OFF_BOARD
        out[19 + k] = near and distance(int(s.cell[f]), int(s.cell[g])) <= s.speed[f] + longest_arm(s, f)


@rule
def longest_arm(s, f):
    return s.distance[f] if s.attack_type[f] else 1


@rule
def write_aim(s, g, out):
    """What the active figure would attack `g` with, if she attacked her now."""
    out[:] = 0
    f = s.active
    if s.phase == Phase.ACT and s.cell[g] != OFF_BOARD:
        out[0] = distance(int(s.cell[f]), int(s.cell[g])) * (1 / 9)
        if s.attacked == 0 and is_target(s, int(f), g):
            out[1] = 1
            out[2] = attack_dice(s, f, g) * (1 / 12)
            out[3] = defence_dice(s, f, g, True) * (1 / 12)


# ---------------------------------------------------------------------------------------- planes
@rule
def write_planes(s, seat, out):
    """Squares beyond the board count as blocking, out of reach and far from everyone."""
    if seat == 0:
        write_terrain(s, 0, 1, out[: 3 * CELLS])
        write_ways(s, 0, 1, out[5 * CELLS : 9 * CELLS])
    else:  # a call of its own, so that either way is compiled to vector instructions
        write_terrain(s, int(s.last), -1, out[: 3 * CELLS])
        write_ways(s, int(s.last), -1, out[5 * CELLS : 9 * CELLS])
    i = 3 * CELLS
    out[i : i + 2 * CELLS] = 0
    for k in range(FIGURES):
        f = figure_at(seat, k)
        if s.cell[f] != OFF_BOARD:
            out[i + (k >= SIDE) * CELLS + turned(s, seat, s.cell[f])] = 1
    write_nearness(s, seat, out[9 * CELLS :])


@rule
def write_terrain(s, first, sign, out):
    cost = out[:CELLS]
    cover = out[CELLS : 2 * CELLS]
    level = out[2 * CELLS :]
    for c in range(s.last + 1):
        g = s.ground[first + sign * c]
        cost[c] = (g & DIFFICULT) * 0.5 + (g & WATER) * 0.375 + (g & BLOCKING) * (1 / 8)
        cover[c] = (g & HINDERING) * (1 / 8) + (g & BLOCKING) * (1 / 8)
        level[c] = s.level[first + sign * c] * (1 / 4)
    cost[s.last + 1 :] = 1
    cover[s.last + 1 :] = 1
    level[s.last + 1 :] = 0


@rule
def write_ways(s, first, sign, out):
    reach = out[:CELLS]
    for c in range(s.last + 1):
        reach[c] = s.reach[first + sign * c] * (1 / 8)
    reach[s.last + 1 :] = -1 / 8
    for k in range(SIDE):
        plane = out[(1 + k) * CELLS : (2 + k) * CELLS]
        for c in range(s.last + 1):
            plane[c] = s.targets[first + sign * c] >> k & 1
        plane[s.last + 1 :] = 0


@rule
def write_nearness(s, seat, out):
    """1 beside an enemy's square going down to 0 ten squares away; 0 without enemies on the board."""
    out[:] = 0
    for k in range(SIDE, FIGURES):
        g = figure_at(seat, k)
        if s.cell[g] == OFF_BOARD:
            continue
        centre = turned(s, seat, s.cell[g])
        x0, y0 = centre % SIZE, centre // SIZE
        for y in range(s.height):
            row = out[y * SIZE : y * SIZE + SIZE]
            dy = abs(y - y0)
            for x in range(s.width):
                row[x] = max(row[x], (SIZE - max(dy, abs(x - x0))) * (1 / SIZE))


# ------------------------------------------------------------------------------------ the labels
@cache
def observation_labels() -> tuple[str, ...]:
    """Names of the entries of an observation, in order."""
    labels = [f"phase {Phase(k).name.lower()}" for k in range(NUM_CHOICES)]
    labels += ["I am asked", "game over", "chance is to act", "round /16", "rounds left /16"]
    labels += ["figures a side /3", "columns /10", "rows /10", "caster immune", "melee guard"]
    labels += ["I start this round", "the other starts", "my turn", "move is over", "has stood up"]
    labels += ["has attacked", "squares moved /8", "speed left /8", "mine to act /3", "theirs to act /3"]
    labels += ["my health /21", "their health /21"]
    labels += [f"builds {part}" for part in ("body", "mind", "attack", "perk", "flaw", "crit")]
    labels += [f"builds figure {k}" for k in range(SIDE)]
    labels += [f"attack roll {side} /12" for side in dice.LETTERS]
    labels += [f"defence roll {side} /12" for side in dice.LETTERS]
    labels += ["dice to roll /12", "tie won by attack", "stage /2", "lead of attack /12"]
    labels += ["still to be hit /6", "my attack", "their attack"]
    for k in range(FIGURES):
        labels += [f"figure {k}: {name}" for name in figure_labels()]
    names = ["entry cost", "cover", "level /4", "mine", "theirs", "reach /8"]
    names += [f"targets {k}" for k in range(SIDE)] + ["nearness of enemies"]
    squares = [square_name(c) for c in range(CELLS)]
    labels += [f"plane {name}: {square}" for name in names for square in squares]
    return tuple(labels)


def figure_labels() -> list[str]:
    """Names of the entries of one figure's row."""
    names = ["body /7", "mind /7", "spirit /7", "max health /7", "speed /8", "distance /9", "attack /8"]
    names += ["exists"]
    names += list(ATTACK_NAMES)
    names += [f"perk {name}" for name in PERK_NAMES]
    names += [f"flaw {name}" for name in FLAW_NAMES]
    names += [f"crit {name}" for name in CRIT_NAMES]
    names += ["on board", "column /9", "row /9", "health /7", "has acted", "prone", "buffed", "slowed"]
    names += ["crit used", "being placed", "active", "attacks", "defends", "may crit", "is commanded"]
    names += ["from active /9", "open to attack", "attack dice /12", "defence dice /12"]
    return [*names, *(f"threatens {k}" for k in range(SIDE))]


def square_name(c: int) -> str:
    """`a1` .. `j10`."""
    return f"{'abcdefghij'[c % SIZE]}{c // SIZE + 1}"

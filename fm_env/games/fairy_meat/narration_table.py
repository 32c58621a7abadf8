"""What only the whole table has, in words: warbands, placing, moves, spells, meals, points.

Each event is a phrase for the choice (`chosen`) and what the record tells of its effects
(`table_happened`). All-seeing, hence places are exact. Never imported by the kernel.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from fm_env.games.fairy_meat import actions as act
from fm_env.games.fairy_meat import turn
from fm_env.games.fairy_meat.constants import (
    COARSE,
    FAIRY_NAMES,
    NO_FAIRY,
    SPELL_COST,
    SPELL_NAMES,
    TABLE_OUTCOME,
    WARBAND_OUTCOME,
    WEAPON_NAMES,
    Aim,
    Kind,
    Mode,
    Phase,
    Place,
)
from fm_env.games.fairy_meat.movement import NO_LOAD
from fm_env.games.fairy_meat.notation import HEADING_NAMES
from fm_env.games.fairy_meat.placement import next_lot
from fm_env.games.fairy_meat.presets import PRESET_NAMES
from fm_env.games.fairy_meat.warband import next_to_draw_for
from fm_env.games.fairy_meat.words import (
    count,
    fairy_name,
    inch_words,
    inches,
    kind_words,
    readable,
    spot_words,
)

Words = list[str]
PLACES = "Places are inches from the west edge, then from the south edge."

STANCES = ("poses", "will pounce", "will frolic", "flutters")
"""How she moves this turn, by mode."""
DESTINATIONS = {
    act.MOVE_TO: Aim.MOVE_TO,
    act.MOVE_COVER: Aim.COVER,
    act.MOVE_SIGHT: Aim.SIGHT,
    act.MOVE_ONTO: Aim.ONTO,
}
HEADINGS = {"N": "north", "E": "east", "S": "south", "W": "west"}


# --------------------------------------------------------------------------------- what is drawn
def drawn_on_table(s: Any, outcome: int) -> str:
    """The table, a warband, a card for the order of placing."""
    if s.phase == Phase.DRAW_TABLE:
        return f"Table {outcome - TABLE_OUTCOME} of {int(s.n_tables)} is drawn."
    return f"Seat {next_to_draw_for(s)} draws the warband {PRESET_NAMES[outcome - WARBAND_OUTCOME]}."


def lot_words(s: Any, name: str) -> str:
    """A card for the order of placing."""
    return f"Seat {next_lot(s)} draws {name} for the order of placing."


# -------------------------------------------------------------------------------- what is chosen
def act_words(s: Any, f: int, name: str, action: int) -> str:
    """An act of a turn that fights don't have."""
    if action >= act.SPELL:
        spell = action - act.SPELL
        return f"{name} casts {SPELL_NAMES[spell]} for {count(SPELL_COST[spell], 'Twinkle Point')}."
    if action >= act.EAT:
        return f"{name} gives up her {'move' if action >= act.EAT + 2 else 'attack'} for a bite."
    if action == act.DRAG:
        goal = only_goal(s, f, Aim.DRAG)
        return f"{name} takes hold{f' of {goal_name(s, goal)}' if goal >= 0 else ''}."
    return f"{name} sets off to {Mode(action - act.MODE + 1).name.lower()}."


def attack_words(s: Any, f: int, name: str, action: int) -> str:
    """A blow, a shot or a wrestle, with its target if there is only one and no mode to be declared."""
    t = readable(s)
    wrestles = action == act.WRESTLE
    t.slot_used = 0 if wrestles else action - act.ATTACK
    t.kind = Kind.WRESTLE if wrestles else turn.kind_of_weapon(t, f, int(t.slot_used))
    weapon = WEAPON_NAMES[s.weapon[f, t.slot_used]].replace("_", " ")
    how = "bare-handed" if t.slot_used == 0 else f"with her {weapon}"
    goal = only_goal(t, f, Aim.ATTACK) if s.mode != Mode.NONE else -1
    whom = f" {goal_name(s, goal)}" if goal >= 0 else ""
    if wrestles:
        return f"{name} wrestles{' with' if whom else ''}{whom}."
    return f"{name} attacks{whom} {how}."


def mode_words(s: Any, f: int, name: str, action: int) -> str:
    """The mode of moving, declared with an attack (F-25), and the target if there is only one."""
    goal = only_goal(s, f, Aim.ATTACK)
    whom = f" Her target is {goal_name(s, goal)}." if goal >= 0 else ""
    return f"{name} {STANCES[action - act.MODE]} this turn.{whom}"


def move_words(s: Any, f: int, name: str, action: int) -> str:
    """A step of a move."""
    if action == act.HALT:
        return f"{name} goes no farther."
    if action == act.MOVE_OFF:
        return f"{name} makes for the edge of the table."
    if action < act.HEADING + act.NUM_HEADINGS:
        return f"{name} turns {heading_words(action - act.HEADING)}."
    aim = DESTINATIONS[action]
    goal = only_goal(s, f, aim)
    return aim_words(s, name, aim, goal) if goal >= 0 else f"{name} {AIMS[aim][0]}."


def heading_words(heading: int) -> str:
    """`north`, `north-north-east`."""
    return "-".join(HEADINGS[letter] for letter in HEADING_NAMES[heading])


def distance_words(s: Any, f: int, name: str, action: int) -> str:
    """Length of a leg."""
    k = action - act.DISTANCE
    far = "as far as she can" if k == len(act.DISTANCES) else count(act.DISTANCES[k], "inch", "inches")
    return f"{name} flies {heading_words(int(s.heading))}, {far}."


AIMS = {
    Aim.ATTACK: ("is to attack", "attacks {}"),
    Aim.SPELL: ("is to cast it", "casts it on {}"),
    Aim.EAT_LIVE: ("is to bite", "bites into {}"),
    Aim.EAT_KILL: ("is to bite", "bites into {}"),
    Aim.DRAG: ("is to take hold", "takes hold of {}"),
    Aim.MOVE_TO: ("means to touch someone or something", "makes for {}"),
    Aim.COVER: ("means to take cover", "makes for cover from {}"),
    Aim.SIGHT: ("means to see someone or something", "makes for where she sees {}"),
    Aim.ONTO: ("means to land on a piece of terrain", "makes for the top of {}"),
}
"""What a figure is pointed at for, before and after she is named. Whether a move gets there is told when
she lands.
"""


def goal_words(s: Any, f: int, name: str, action: int) -> str:
    """The figure, item or piece that an act is meant for."""
    return aim_words(s, name, Aim(int(s.aim)), turn.goal_of_action(s, f, action))


def aim_words(s: Any, name: str, aim: Aim, goal: int) -> str:
    return f"{name} {AIMS[aim][1].format(goal_name(s, goal))}."


def goal_name(s: Any, k: int) -> str:
    """`C`, `the body of C`, `item 2`, `piece 4, 3 inches high`."""
    figures = len(s.live)
    if k < figures:
        return fairy_name(k) if s.alive[k] else f"the body of {fairy_name(k)}"
    if k < figures + s.n_items:
        return f"item {k - figures}"
    piece = k - figures - int(s.n_items)
    return f"piece {piece}, {inches(s.top[piece])} inches high"


def only_goal(s: Any, f: int, aim: Aim) -> int:
    """The goal that is taken without asking, or -1."""
    t = readable(s)
    t.aim = aim
    goals = [k for k in range(turn.num_goals(t)) if turn.is_goal(t, f, k)]
    return goals[0] if len(goals) == 1 else -1


def power_words(s: Any, f: int, name: str, action: int) -> str:
    """Extra points in a spell (F-55)."""
    n = action - act.POWER
    return f"{name} puts {count(n, 'more point')} into it." if n else f"{name} puts no more into it."


def build_words(s: Any, seat: int, action: int) -> str:
    """One step of a warband, chosen in secret (F-70)."""
    if action >= act.ARM:
        weapon = WEAPON_NAMES[action - act.ARM].replace("_", " ") if action > act.ARM else "no more weapons"
        return f"Seat {seat} gives her {weapon}."
    recruit = action - act.RECRUIT - 1
    if recruit < 0:
        return f"Seat {seat} recruits nobody."
    return f"Seat {seat} recruits a {('sweet', 'mean')[recruit % 2]} {FAIRY_NAMES[recruit // 2]} fairy."


def pick_words(s: Any, f: int, name: str, action: int) -> str:
    """Which fairy is placed next."""
    seat = int(s.placer)
    return f"Seat {seat} places {fairy_name(s.roster[seat, action - act.TARGET])} next."


def cell_words(s: Any, f: int, name: str, action: int) -> str:
    """A strip of the table, then a cell of it, then a spot in it."""
    if action >= act.SPOT:
        return ""
    k, edge = (action - act.ROW, "south") if action >= act.ROW else (action - act.COLUMN, "west")
    low, high = (inches(int(s.side) * (k + j) / COARSE) for j in (0, 1))
    return f"{name}'s place is {low} to {high} inches from the {edge} edge."


# ------------------------------------------------------------------------- what happened by itself
def table_happened(b: Any, a: Any) -> Words:
    """What a step did on the table, from the records before and after it."""
    words = setting_up(b, a)
    if a.turn != b.turn and a.turn != NO_FAIRY:
        words.append(f"It is {fairy_name(a.turn)}'s turn.")
    if a.load != b.load and a.load != NO_LOAD:
        words.append(f"Her load is {count(meat(a, int(a.load)), 'point')} of meat.")
    words += flight(b, a)
    words += bites(b, a)
    return words


def afterwards(b: Any, a: Any) -> Words:
    """What follows from wounds and meals: spells that end with the dead, bodies eaten up, points."""
    return spells(b, a) + points(b, a)


def setting_up(b: Any, a: Any) -> Words:
    """The table, warbands, the order of placing, places."""
    words = []
    if a.table != b.table:
        highest = f", the highest of {inch_words(a.top.max())}" if a.n_pieces else ""
        words.append(f"There are {count(a.n_pieces, 'piece')} of terrain{highest}. {PLACES}")
    if a.n_fairies and not b.n_fairies:
        words += [warband_words(a, seat) for seat in range(a.n_seats)]
    if b.phase == Phase.DRAW_LOT and a.phase == Phase.PLACING:
        order = np.argsort(a.lot_rank[: a.n_seats], kind="stable").tolist()
        words.append(f"{', then '.join(f'seat {seat}' for seat in order)} will place.".capitalize())
    if a.far_spot >= 0 and b.far_spot < 0:
        words.append("No place is 16 inches from all enemies: it must be the farthest.")
    for f in range(a.n_fairies):
        if b.whereabouts[f] == Place.AWAY and a.whereabouts[f] == Place.TABLE:
            words.append(f"{fairy_name(f)} is set up {spot_words(a, *a.pos[f])}.")
    return words


def warband_words(s: Any, seat: int) -> str:
    """Everybody sees who came (F-70)."""
    fairies = [f"{fairy_name(f)} ({kind_words(s, f)})" for f in range(s.n_fairies) if s.owner[f] == seat]
    return f"Seat {seat} brings {', '.join(fairies)}."


def meat(s: Any, load: int) -> int:
    """Meat Points of a body, or the weight of an item."""
    figures = len(s.live)
    return int(s.weight[load - figures]) if load >= figures else int(s.meat_live[load] + s.meat_kill[load])


def flight(b: Any, a: Any) -> Words:
    """Setting off, legs, landing, leaving the field."""
    f = int(b.mover)
    if f == NO_FAIRY:
        if a.mover == NO_FAIRY:
            return []
        return [f"She has {inch_words(a.budget)} and gets over what is up to {inch_words(a.ceiling)} high."]
    words = []
    if a.mover == f:
        if a.legs > b.legs:
            far = math.dist(b.air, a.air)
            words.append(
                f"After {inch_words(far)} she is over {point_words(a.air)}."
                if far >= 1
                else "Something bars the way at once."
            )
        return words
    if a.whereabouts[f] == Place.LEFT:
        what = f" with {goal_name(b, int(b.load))}" if b.load != NO_LOAD else ""
        return [f"{fairy_name(f)} leaves the field{what}."]
    far = math.dist(a.pos[f, :2], b.start)
    if far < 1:
        words.append(f"{fairy_name(f)} ends where she began.")
    else:
        where = spot_words(a, *a.pos[f])
        words.append(f"{fairy_name(f)} lands {where}, {inch_words(far)} from where she began.")
    if b.load != NO_LOAD and not b.escaping:
        words.append(f"She lets go of {goal_name(a, int(b.load))}.")
    here = a.whereabouts == Place.TABLE
    near = [goal_name(a, g) for g in range(a.n_fairies) if g != f and here[g] and a.touch[f, g]]
    if near:
        words.append(f"She is in contact with {' and '.join(near)}.")
    return words


def point_words(place: Any) -> str:
    return f"({inches(place[0])}, {inches(place[1])})"


def spells(b: Any, a: Any) -> Words:
    """Spells put on figures, and their end."""
    words = []
    for f in range(a.n_fairies):
        name = fairy_name(f)
        if a.wind_up[f] > b.wind_up[f]:
            words.append(f"{name}'s next move is wound up by {inch_words(a.wind_up[f])}.")
        if a.shimmer[f] > b.shimmer[f]:
            words.append(f"{name} shimmers: {count(a.shimmer[f], 'more card')} for her defence.")
        if b.shimmer[f] and not a.shimmer[f]:
            words.append(f"The shimmer around {name} fades.")
        if a.bound[f] > b.bound[f]:
            words.append(f"{name}'s wings are bound.")
        if b.bound[f] and not a.bound[f]:
            words.append(f"{name}'s wings are free again.")
    return words


def bites(b: Any, a: Any) -> Words:
    """Who eats of whom."""
    words = []
    for g in range(a.n_fairies if b.phase in (Phase.ACT, Phase.TARGET) else 0):
        for point, left, before in (("Live", a.meat_live, b.meat_live), ("Kill", a.meat_kill, b.meat_kill)):
            if left[g] < before[g] and not a.alive[g]:
                words.append(f"{fairy_name(a.turn)} eats a {point} Point of {fairy_name(g)}.")
    return words


def points(b: Any, a: Any) -> Words:
    """Bodies that are gone, points, acts that came to nothing."""
    words = [
        f"Nothing is left of {fairy_name(g)}."
        for g in range(a.n_fairies)
        if a.whereabouts[g] == Place.GONE != b.whereabouts[g]
    ]
    for seat in range(a.n_seats):
        if a.kills[seat] > b.kills[seat]:
            words.append(f"Seat {seat} scores {4 * int(a.kills[seat] - b.kills[seat])} for the kill.")
        if a.eaten[seat] > b.eaten[seat]:
            words.append(f"Seat {seat} scores {int(a.eaten[seat] - b.eaten[seat])} for the meat.")
    if a.wasted.sum() > b.wasted.sum():
        shot = a.attacked > b.attacked
        words.append("Out of range: the shot is wasted." if shot else "The move came to nothing.")
    return words

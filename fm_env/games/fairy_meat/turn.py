"""A fairy's turn on the whole table: move, attack and Twinkle in any order (rulebook, What can I do
during a turn?; F-15, F-25 to F-28, F-38, F-48 to F-50, F-54, F-55, F-60, F-62).

Each act is offered where the visible facts allow it, never because of a distance (F-15).
"""

from __future__ import annotations

from fm_env.compiled import rule
from fm_env.games.fairy_meat import actions as act
from fm_env.games.fairy_meat import eating, magic, movement
from fm_env.games.fairy_meat.constants import (
    MODE_STANCE,
    NO_FAIRY,
    NO_WEAPON,
    WEAPON_SLOTS,
    WEAPON_STRENGTH,
    Aim,
    Combat,
    Kind,
    Mode,
    Phase,
    Place,
)
from fm_env.games.fairy_meat.movement import NO_LOAD
from fm_env.games.fairy_meat.sight import is_in_range

# Numba combines integers, not enumeration members.
MELEE, RANGED, WRESTLE = int(Kind.MELEE), int(Kind.RANGED), int(Kind.WRESTLE)
EAT_LIVE = int(Aim.EAT_LIVE)
FIRST_MOVE, LAST_MOVE = int(Mode.POUNCE), int(Mode.FLUTTER)


# -------------------------------------------------------------------------------------- the acts
@rule
def begin_turn(s, f):
    """What she may do is all before her; Shimmer on her ends (F-56)."""
    s.mode = Mode.NONE
    s.moved = 0
    s.attacked = 0
    s.load = NO_LOAD
    s.stance[f] = 0
    s.shimmer[f] = 0


@rule
def end_turn(s, f):
    """Wing Bind lasts through this turn, moved or not (F-31); one that waited for it is on her now (F-90)."""
    s.bound[f] >>= 1
    s.load = NO_LOAD


@rule
def kind_of_weapon(s, f, slot):
    return RANGED if WEAPON_STRENGTH[s.weapon[f, slot]] > 0 else MELEE


@rule
def is_in_reach(s, f, g, kind, weapon):
    """Whether `f` may point that attack at `g`: contact for blows (rulebook, Hand-To-Hand), sight for shots
    and spells (rulebook, Ranged Attacks); range only where it may be measured (F-15).
    """
    if g == f or not s.alive[g] or s.whereabouts[g] != Place.TABLE:
        return False
    if kind == Kind.RANGED or kind == Kind.PRICK:
        far = kind == Kind.RANGED and s.measuring == 1 and not is_in_range(s, f, g, weapon)
        return s.sees[f, g] > 0 and not far
    return s.touch[f, g] == 1


@rule
def has_target(s, f, kind, weapon):
    for g in range(s.n_fairies):
        if is_in_reach(s, f, g, kind, weapon):
            return True
    return False


@rule
def legal_acts(s, f, out):
    out[act.END_TURN] = True
    n = 1 + legal_attacks(s, f, out) + magic.legal_spells(s, f, out) + eating.legal_bites(s, f, out)
    if s.used_twinkle[f] > 0 and not s.attacked:
        out[act.REST] = True  # F-60
        n += 1
    if not s.moved and s.mode != Mode.POSE:
        for mode in range(FIRST_MOVE, LAST_MOVE + 1):
            if s.mode == Mode.NONE or s.mode == mode:
                out[act.MODE + mode - 1] = True
                n += 1
        if s.load == NO_LOAD and movement.has_load_at(s, f):
            out[act.DRAG] = True
            n += 1
    return n


@rule
def legal_attacks(s, f, out):
    """One attack a turn, with any weapon, by a fairy with a Kill Point (F-38, F-48); shots also in
    contact (F-50).
    """
    if s.attacked or s.kill[f] == 0:
        return 0
    n = 0
    for slot in range(WEAPON_SLOTS):
        w = s.weapon[f, slot]
        if w != NO_WEAPON and has_target(s, f, kind_of_weapon(s, f, slot), w):
            out[act.ATTACK + slot] = True
            n += 1
    if s.combat == Combat.UNCLEVL and has_target(s, f, WRESTLE, 0):
        out[act.WRESTLE] = True  # U-33
        n += 1
    return n


@rule
def take_act(s, f, action):
    if action == act.END_TURN:
        s.phase = Phase.TURN_END
    elif action == act.REST:
        s.used_twinkle[f] -= 1
        s.twinkle[f] += 1
        s.attacked = 1
    elif action == act.DRAG:
        point_at(s, Aim.DRAG)
    elif action >= act.SPELL:
        magic.begin_spell(s, f, action - act.SPELL)
    elif action >= act.EAT:
        eating.give_up_for_bite(s, f, action >= act.EAT + 2)
        point_at(s, EAT_LIVE + ((action - act.EAT) & 1))
    elif action >= act.MODE:
        movement.begin_move(s, f, action - act.MODE + 1)
    else:
        wrestles = action == act.WRESTLE
        s.slot_used = 0 if wrestles else action - act.ATTACK
        s.kind = WRESTLE if wrestles else kind_of_weapon(s, f, s.slot_used)
        s.attacker = f
        if s.mode == Mode.NONE:
            s.phase = Phase.MODE  # declared now at the latest, and binding (F-25)
        else:
            point_at(s, Aim.ATTACK)


@rule
def declare_mode(s, f, mode):
    """The mode counts for this attack and binds her: who poses doesn't move (F-25)."""
    s.mode = mode
    s.stance[f] = MODE_STANCE[mode]
    point_at(s, Aim.ATTACK)


# ----------------------------------------------------------------------------------- pointing
@rule
def point_at(s, aim):
    """Name a figure, a piece of terrain or an item next; the only one is taken at once."""
    s.aim = aim
    s.phase = Phase.TARGET
    f = pointer(s)
    found, n = 0, 0
    for k in range(num_goals(s)):
        if is_goal(s, f, k):
            found = k
            n += 1
    if n == 1:
        take_goal(s, f, found)


@rule
def pointer(s):
    """The fairy who points: the one on the move, else the one whose turn it is."""
    return s.mover if s.aim >= Aim.MOVE_TO else s.turn


@rule
def num_goals(s):
    """Figures, then items, then pieces of terrain."""
    return s.live.shape[0] + int(s.n_items) + int(s.n_pieces)


@rule
def is_goal(s, f, k):
    """Whether `f` may point at goal `k` for the present aim."""
    aim = s.aim
    figures = s.live.shape[0]
    if k >= figures + s.n_items:
        return aim == Aim.ONTO and movement.is_platform(s, k - figures - s.n_items)
    if k >= figures:
        if aim == Aim.DRAG:
            return movement.is_load_at(s, f, k)
        return aim == Aim.MOVE_TO and s.weight[k - figures] > 0 and s.load != k
    if k >= s.n_fairies or s.whereabouts[k] != Place.TABLE:
        return False
    if aim == Aim.ATTACK:
        return is_in_reach(s, f, k, s.kind, s.weapon[f, s.slot_used])
    if aim == Aim.SPELL:
        return magic.can_cast_at(s, f, k)
    if aim == Aim.EAT_LIVE or aim == Aim.EAT_KILL:
        return eating.is_food(s, f, k, aim - EAT_LIVE)
    if aim == Aim.DRAG:
        return movement.is_load_at(s, f, k)
    if aim == Aim.MOVE_TO:
        return k != f and k != s.load
    return aim != Aim.ONTO and k != f and s.alive[k] == 1


@rule
def action_of_goal(s, f, k):
    """The action id that names goal `k`."""
    figures = s.live.shape[0]
    if k < figures:
        return act.TARGET + int(s.place[s.owner[f], k])
    if k < figures + s.n_items:
        return act.ITEM + k - figures
    return act.PIECE + k - figures - int(s.n_items)


@rule
def goal_of_action(s, f, action):
    """The inverse of `action_of_goal`."""
    figures = s.live.shape[0]
    if action >= act.ITEM:
        return figures + action - act.ITEM
    if action >= act.PIECE:
        return figures + int(s.n_items) + action - act.PIECE
    return int(s.roster[s.owner[f], action - act.TARGET])


@rule
def legal_goals(s, out):
    f = pointer(s)
    n = 0
    for k in range(num_goals(s)):
        if is_goal(s, f, k):
            out[action_of_goal(s, f, k)] = True
            n += 1
    return n


@rule
def take_goal(s, f, k):
    aim = s.aim
    s.phase = Phase.ACT
    if aim == Aim.ATTACK:
        attack(s, f, k)
    elif aim == Aim.SPELL:
        magic.cast_at(s, f, k)
    elif aim == Aim.EAT_LIVE or aim == Aim.EAT_KILL:
        eating.bite(s, f, k, aim - EAT_LIVE)
    elif aim == Aim.DRAG:
        s.load = k
    else:
        travel(s, k)


@rule
def attack(s, f, g):
    """A shot out of range comes to nothing and is used up (F-15)."""
    s.attacked = 1
    if s.kind == Kind.RANGED and not is_in_range(s, f, g, s.weapon[f, s.slot_used]):
        waste(s, f)
        s.attacker = NO_FAIRY
        s.kind = Kind.MELEE
        s.slot_used = 0
        return
    s.recasts = 0
    s.defender = g
    s.phase = Phase.COMBAT_START


@rule
def waste(s, f):
    """Count an act that came to nothing (F-89)."""
    s.wasted[s.owner[f]] += 1


# ------------------------------------------------------------------------------------- moving
@rule
def take_move(s, action):
    """One step of a move: a heading, a destination, or stopping here."""
    if action == act.HALT:
        end_move(s)
    elif action < act.HEADING + act.NUM_HEADINGS:
        s.heading = action - act.HEADING
        s.phase = Phase.DISTANCE
    elif action == act.MOVE_OFF:
        f = s.mover
        movement.go_off(s)
        if s.alive[f]:
            end_move(s)
        else:
            s.mover = NO_FAIRY
            s.phase = Phase.TURN_END
    elif action == act.MOVE_TO:
        point_at(s, Aim.MOVE_TO)
    elif action == act.MOVE_COVER:
        point_at(s, Aim.COVER)
    elif action == act.MOVE_SIGHT:
        point_at(s, Aim.SIGHT)
    else:
        point_at(s, Aim.ONTO)


@rule
def travel(s, k):
    """Fly the whole way to a destination; that ends the move."""
    figures = s.live.shape[0]
    if k >= figures + s.n_items:
        movement.go_onto(s, k - figures - s.n_items)
    elif k >= figures:
        j = k - figures
        movement.go_to_place(s, s.thing[j, 0], s.thing[j, 1], s.thing[j, 2])
    elif s.aim == Aim.MOVE_TO:
        movement.go_to_place(s, s.pos[k, 0], s.pos[k, 1], s.pos[k, 2])
    else:
        movement.go_to_view(s, k, s.aim)
    end_move(s)


@rule
def end_move(s):
    """She lands where she last could. A whole move that ends where it began came to nothing."""
    f = s.mover
    if s.start[0] == s.pos[f, 0] and s.start[1] == s.pos[f, 1] and not s.escaping:
        waste(s, f)
    movement.land(s)

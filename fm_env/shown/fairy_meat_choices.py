"""The legal actions of Fairy Meat for people: words, a heading, and what on the table each is about.

The last is a dict with as many of these as apply: `fairy`, `piece`, `item` (numbers as in `position`);
`card` (a number of her hand, `X` a joker); `trumps` (`r`, `b`, None for none) and `n`; `wild` (`r`, `b`);
`supports`; `weapon`; `call` (place in the countdown), with `joker` before it; `heading` (degrees from
east against the clock); `inches` (None: as far as she can); `column`, `row` (of 12), `spot` (column and
row of 4 by 4 in the cell).
"""

from __future__ import annotations

from typing import Any

from fm_env.games.fairy_meat import actions as act
from fm_env.games.fairy_meat import choices as rules
from fm_env.games.fairy_meat import combat_unclevl as uncl
from fm_env.games.fairy_meat import turn
from fm_env.games.fairy_meat.constants import (
    COARSE,
    FAIRY_COST,
    FAIRY_NAMES,
    FINE,
    INCH,
    MODE_MOVE,
    SPELL_COST,
    SPELL_NAMES,
    WEAPON_COST,
    WEAPON_NAMES,
    Aim,
    Mode,
    Phase,
    Play,
)
from fm_env.games.fairy_meat.narration_table import goal_name, heading_words
from fm_env.games.fairy_meat.notation import call_text, card_text
from fm_env.games.fairy_meat.words import COLOURS, count, fairy_name, inch_words, readable

Plain = dict[str, Any]

PLAIN_WORDS = {
    act.DECLARE_ADD: ("Trumps add", "What her trumps do"),
    act.DECLARE_SUBTRACT: ("Trumps subtract", "What her trumps do"),
    act.TRUMPS_NONE: ("Lay no trumps", "Trumps to lay face down"),
    act.MAIN_JOKER: ("Lay a joker", "Card to lay face down"),
    act.WILD: ("Lay a red trump as a wild trump", "Card to lay face down"),
    act.WILD + 1: ("Lay a black trump as a wild trump", "Card to lay face down"),
    act.MAIN_NONE: ("Lay no card", "Card to lay face down"),
    act.TURN_UP: ("Turn her trumps up", "Her trumps"),
    act.LEAVE_DOWN: ("Leave them face down", "Her trumps"),
    act.USE_BOOST: ("Use the points she kept", "The points she kept"),
    act.NO_BOOST: ("Let them go", "The points she kept"),
    act.TAKE_CARDS: ("Extra cards when she attacks", "What her points are for"),
    act.TAKE_BOOST: ("Points for her next number", "What her points are for"),
    act.LOSE_LIVE: ("Lose a Live Point", "A point of damage"),
    act.LOSE_KILL: ("Lose a Kill Point", "A point of damage"),
    act.HEAL_LIVE: ("Take back a Live Point", "A point healed"),
    act.HEAL_KILL: ("Take back a Kill Point", "A point healed"),
    act.JOKER_HURTS: ("The joker hurts the attacker", "Her joker"),
    act.JOKER_HEALS: ("The joker heals the defender", "Her joker"),
    act.POINTS: ("Use her points as red wild trumps", "Trumps to lay face down"),
    act.POINTS + 1: ("Use her points as black wild trumps", "Trumps to lay face down"),
    act.TRADE: ("Trade a red trump for a Twinkle Point", "Trade trumps"),
    act.TRADE + 1: ("Trade a black trump for a Twinkle Point", "Trade trumps"),
    act.KEEP: ("Keep her trumps", "Trade trumps"),
    act.DEAL: ("Deal the damage", "She won the wrestle"),
    act.ESCAPE: ("Break away instead", "She won the wrestle"),
    act.HOLD: ("Hold as long as she may", "When to act"),
    act.WRESTLE: ("Wrestle", "Attack"),
    act.REST: ("Rest: a Twinkle Point instead of her attack", "Rest and end"),
    act.END_TURN: ("End her turn", "Rest and end"),
    act.STOP: ("Stop attacking", "Attack again?"),
    act.MOVE_TO: ("Go to somebody or something", "Fly to"),
    act.MOVE_COVER: ("Take cover from somebody", "Fly to"),
    act.MOVE_SIGHT: ("Go where she sees somebody", "Fly to"),
    act.MOVE_ONTO: ("Go onto a piece of terrain", "Fly to"),
    act.MOVE_OFF: ("Leave the field with her load", "Fly to"),
    act.HALT: ("Land here", "Fly to"),
    act.DRAG: ("Take hold of a body or thing to drag it", "Move"),
    act.EAT: ("Eat a Live Point instead of attacking", "Eat"),
    act.EAT + 1: ("Eat a Kill Point instead of attacking", "Eat"),
    act.EAT + 2: ("Eat a Live Point instead of moving", "Eat"),
    act.EAT + 3: ("Eat a Kill Point instead of moving", "Eat"),
    act.RECRUIT: ("Recruit nobody more", "Next fairy"),
    act.ARM: ("No more weapons", "Her weapons"),
}
"""Words and heading of the actions that have no number in them."""

PLAIN_ON: dict[int, Plain] = {
    act.TRUMPS_NONE: {"trumps": None, "n": 0},
    act.MAIN_JOKER: {"card": "X"},
    act.WILD: {"wild": "r"},
    act.WILD + 1: {"wild": "b"},
}
"""What those are about."""

SPELL_NOTES = (
    "she or a friend moves farther next turn",
    "more cards for a defence until her next turn",
    "the target can't fly in her next turn",
    "an attack with cards at a distance",
)
MODE_NOTES = {
    Mode.POSE: "stays, one card more to attack with",
    Mode.POUNCE: "high and short",
    Mode.FROLIC: "level",
    Mode.FLUTTER: "low and far, one card less to attack with",
}
AIMS = {
    Aim.ATTACK: "Whom to attack",
    Aim.SPELL: "Whom to cast it on",
    Aim.EAT_LIVE: "Whom to eat of",
    Aim.EAT_KILL: "Whom to eat of",
    Aim.DRAG: "What to drag",
    Aim.MOVE_TO: "Where to go",
    Aim.COVER: "From whom to take cover",
    Aim.SIGHT: "Whom to see",
    Aim.ONTO: "Which piece of terrain",
}


def choice(state: Any, seat: int, action: int) -> tuple[str, str, Plain]:
    """Words, heading, and what `action`, legal in `state`, is about."""
    return offered(readable(state), seat, action)


def offered(s: Any, seat: int, a: int) -> tuple[str, str, Plain]:
    """Words, heading, and what it is about."""
    f = int(rules.asked_fairy(s, seat))
    if a == act.DECLINE:
        missed = s.phase == Phase.REDIRECT
        return ("Let the shot miss" if missed else "Let the spell fade"), "Whom instead", {}
    if a == act.DRAG or act.EAT <= a < act.EAT + 4:
        return *PLAIN_WORDS[a], {}
    if act.TARGET <= a < act.MODE or act.PIECE <= a < act.DRAG:
        return goal(s, seat, f, a)
    if a in PLAIN_WORDS:
        return *PLAIN_WORDS[a], PLAIN_ON.get(a, {})
    return fight(s, f, a) if a < act.TARGET else on_table(s, f, a)


def fight(s: Any, f: int, a: int) -> tuple[str, str, Plain]:
    """Cards, plans and attacks."""
    if a < act.MAIN:
        black = a > act.TRUMPS_BLACK
        n = a - (act.TRUMPS_BLACK if black else act.TRUMPS_RED)
        colour = COLOURS[black]
        return (
            f"Lay {count(n, colour + ' trump')}",
            "Trumps to lay face down",
            {"trumps": "rb"[black], "n": n},
        )
    if a < act.MAIN_JOKER:
        card = card_text(a - act.MAIN)
        return f"Lay {card}", "Card to lay face down", {"card": card}
    if act.SUPPORTS <= a < act.TURN_UP:
        n = a - act.SUPPORTS
        return (f"Add {count(n, 'trump')}" if n else "Add no trumps"), "Supporting trumps", {"supports": n}
    if act.CHEAT <= a < act.TAKE_CARDS:
        return cheat(s, a), "The trumps that were caught", {}
    if act.THINK <= a < act.HOLD:
        n = a - act.THINK
        words = f"Spend {count(n, 'Twinkle Point')}" if n else "Don't think"
        return words, "Thinking: one more Order Card for each point", {}
    if a < act.PLAN_JOKER:
        call = a - act.PLAN_CALL
        return f"Act at {spoken(call)}", "When to act", {"call": call}
    if a < act.ATTACK:
        call = a - act.PLAN_JOKER
        return f"Show her joker before {spoken(call)}", "When to act", {"call": call, "joker": True}
    slot = a - act.ATTACK
    weapon = WEAPON_NAMES[s.weapon[f, slot]]
    words = f"Attack with her {weapon.replace('_', ' ')}" if slot else "Attack bare-handed"
    return words, "Attack", {"weapon": weapon}


def spoken(call: int) -> str:
    """`7 going down`."""
    rank, way = call_text(call).split()
    return f"{rank.replace('T', '10')} going {way}"


def cheat(s: Any, a: int) -> str:
    """Caught trumps may go onto either number, either way (U-20)."""
    caught = s.defender if s.phase == Phase.CHEAT_OF_DEFENDER else s.attacker
    k = int(uncl.cheating_trumps(s, caught))
    own, hers = divmod(a - act.CHEAT, 3)
    signs = ("", f"+{k}", f"−{k}")
    parts = [f"{signs[sign]} on {whose}" for sign, whose in ((own, "your number"), (hers, "hers")) if sign]
    return " and ".join(parts) or "Leave them"


def goal(s: Any, seat: int, f: int, a: int) -> tuple[str, str, Plain]:
    """A figure, a piece of terrain or a thing to point at."""
    if s.play == Play.SKIRMISH and s.phase == Phase.TARGET:
        k = int(turn.goal_of_action(s, f, a))
        figures = len(s.live)
        group = AIMS[Aim(int(s.aim))]
        name = goal_name(s, k)
        if k < figures:
            words = f"{name}{told(s, k) if s.alive[k] else ''}"
            return words[0].upper() + words[1:], group, {"fairy": k}
        kind, base = ("item", figures) if k < figures + s.n_items else ("piece", figures + int(s.n_items))
        return name[0].upper() + name[1:], group, {kind: k - base}
    g = int(s.roster[seat, a - act.TARGET])
    group = {
        Phase.PICK_OWN: "Who acts first",
        Phase.PICK_FIGURE: "Who is placed next",
        Phase.REDIRECT: "Whom instead",
        Phase.RECAST: "Whom instead",
        Phase.NEXT_ATTACK: "Attack again?",
    }.get(Phase(int(s.phase)), "Whom to attack")
    return f"{fairy_name(g)}{told(s, g)}", group, {"fairy": g}


def told(s: Any, g: int) -> str:
    """Who she is, to choose between figures."""
    return f", {FAIRY_NAMES[s.fairy_type[g]]} of seat {int(s.owner[g])}" if s.play != Play.CLASH else ""


# ------------------------------------------------------------------------------------- the table
def on_table(s: Any, f: int, a: int) -> tuple[str, str, Plain]:
    """Moves, spells, warbands and placing."""
    if a < act.HEADING:
        return mode(s, a)
    if a < act.DISTANCE:
        k = a - act.HEADING
        return f"Fly {heading_words(k)}", "Fly a way", {"heading": 22.5 * k}
    if a < act.MOVE_TO:
        k = a - act.DISTANCE
        if k == len(act.DISTANCES):
            return "As far as she can", "How far", {"inches": None}
        return count(act.DISTANCES[k], "inch", "inches"), "How far", {"inches": act.DISTANCES[k]}
    if act.SPELL <= a < act.POWER:
        k = a - act.SPELL
        words = f"{SPELL_NAMES[k].capitalize()} ({int(SPELL_COST[k])} Twinkle): {SPELL_NOTES[k]}"
        return words, "Cast a spell", {}
    if act.POWER <= a < act.RECRUIT:
        n = a - act.POWER
        return (count(n, "more point") if n else "No more points"), "Extra Twinkle in the spell", {}
    if act.RECRUIT < a < act.ARM:
        k = a - act.RECRUIT - 1
        kind = FAIRY_NAMES[k // 2]
        words = f"A {('sweet', 'mean')[k % 2]} {kind} fairy ({FAIRY_COST[k // 2]} points)"
        return words, "Next fairy", {}
    if act.ARM < a < act.COLUMN:
        weapon = a - act.ARM
        words = f"{WEAPON_NAMES[weapon].replace('_', ' ').capitalize()} ({int(WEAPON_COST[weapon])} points)"
        return words, "Her weapons", {}
    return cell(s, a)


def mode(s: Any, a: int) -> tuple[str, str, Plain]:
    """How she moves, as an act or declared with an attack (F-25)."""
    m = Mode(a - act.MODE + 1)
    far = f"up to {inch_words(MODE_MOVE[m])}, " if MODE_MOVE[m] else ""
    declared = s.phase == Phase.MODE
    return (
        f"{m.name.capitalize()}: {far}{MODE_NOTES[m]}",
        "How she moves this turn" if declared else "Move",
        {},
    )


def cell(s: Any, a: int) -> tuple[str, str, Plain]:
    """A strip of the table, then a cell of it, then a spot in it."""
    wide = float(s.side) / INCH / COARSE
    if a < act.ROW:
        column = a - act.COLUMN
        return strip("east", column, wide), "Where: from west to east", {"column": column}
    if a < act.SPOT:
        row = a - act.ROW
        return strip("north", row, wide), "Where: from south to north", {"row": row}
    up, right = divmod(a - act.SPOT, FINE)
    fine = wide / FINE
    x, y = int(s.cell[0]) * wide + right * fine, int(s.cell[1]) * wide + up * fine
    words = f"At ({x + fine / 2:.4g}, {y + fine / 2:.4g})"
    return words, "The very spot", {"spot": [right, up]}


def strip(way: str, k: int, wide: float) -> str:
    """`6 to 9 inches east`."""
    return f"{k * wide:.3g} to {(k + 1) * wide:.3g} inches {way}"

"""Fairy Meat as a seat is shown it: the table, the fairies with their counters, the cards."""

from __future__ import annotations

from typing import Any

import numpy as np

from fm_env.games.fairy_meat import choices as rules
from fm_env.games.fairy_meat import combat_fast_play as fast
from fm_env.games.fairy_meat import combat_unclevl as uncl
from fm_env.games.fairy_meat.constants import (
    BARE_HANDS,
    BOX,
    FAIRY_NAMES,
    FIRST_CHANCE,
    FIRST_TRUMP,
    INCH,
    JOKER,
    NO_CARD,
    NO_FAIRY,
    NO_WEAPON,
    NUM_CARDS,
    WEAPON_NAMES,
    Combat,
    Kind,
    Magic,
    Main,
    Mode,
    Phase,
    Place,
    Play,
    Sign,
    View,
)
from fm_env.games.fairy_meat.movement import NO_LOAD
from fm_env.games.fairy_meat.notation import action_texts, card_text
from fm_env.games.fairy_meat.scoring import fairy_points, table_points
from fm_env.games.fairy_meat.view import TASKS, asked_line, situation
from fm_env.games.fairy_meat.view_table import effects, seen_at, turn_line, warband_line
from fm_env.games.fairy_meat.words import COLOURS, fairy_name, poll_text, readable
from fm_env.shown.fairy_meat_choices import choice
from fm_env.shown.fairy_meat_words import event_words

__all__ = ["choice", "event_words", "position"]

Plain = dict[str, Any]
SPECTATOR = -1


def position(state: Any, seat: int | None) -> Plain:
    """Lengths in inches, x east and y north; fairies by number, None for nobody; cards as in the game's
    texts (`7r`, `Kb`, `X`), None for a pile whose faces the seat doesn't see.
    """
    s = readable(state)
    fights = s.attacker != NO_FAIRY and s.defender != NO_FAIRY
    shown: Plain = {
        "kind": "fairy_meat",
        "play": Play(int(s.play)).name.lower(),
        "combat": Combat(int(s.combat)).name.lower(),
        "phase": phase_name(s),
        "situation": situation(s),
        "asked": asked(s, seat),
        "asked_fairy": asked_fairy(s, seat),
        "task": TASKS.get(Phase(int(s.phase)), "") if s.phase < FIRST_CHANCE else "",
        "round": int(s.round_number),
        "rounds": int(s.rounds),
        "slot": int(s.slot),
        "countdown": countdown(s),
        "deck": int(s.n_deck),
        "heap": heap(s, seat),
        "turn": some(s.turn),
        "attacker": some(s.attacker),
        "defender": some(s.defender),
        "kind_of_attack": Kind(int(s.kind)).name.lower() if fights else None,
        "fairies": [fairy(s, f, seat) for f in range(s.n_fairies)],
        "scores": [score(s, other) for other in range(s.n_seats)],
        "board": None,
        "flight": None,
        "warband": None,
    }
    if s.play == Play.SKIRMISH:
        shown |= {
            "board": board(s, seat) if s.table >= 0 else None,
            "flight": flight(s, seat),
            "mode": Mode(int(s.mode)).name.lower() if s.mode else None,
            "moved": bool(s.moved),
            "attacked": bool(s.attacked),
            "load": load(s),
            "cell": [int(k) for k in s.cell] if s.phase in (Phase.CELL, Phase.SPOT) else None,
            "turn_line": turn_line(s, seat) if s.turn != NO_FAIRY else "",
            "warband": warband(s, seat),
        }
    return shown


def some(f: Any) -> int | None:
    """The number of a fairy, None for nobody."""
    return None if f == NO_FAIRY else int(f)


def asked(s: Any, seat: int | None) -> str:
    """Who is to do what. A spectator isn't told either whether somebody has chosen in secret."""
    if seat != SPECTATOR or s.phase >= FIRST_CHANCE:
        return asked_line(s, seat)
    if s.phase == Phase.BUILD or rules.is_secret(s.phase):
        return f"Some may have yet to {TASKS[Phase(int(s.phase))]}."
    return asked_line(s, None)


def phase_name(s: Any) -> str:
    """`LAY_TRUMPS`, `OVER`; what chance decides or passes by itself is `WAIT`."""
    phase = Phase(int(s.phase))
    return phase.name if phase == Phase.OVER or phase < FIRST_CHANCE else "WAIT"


def asked_fairy(s: Any, seat: int | None) -> int | None:
    """The fairy that `seat` chooses for; the all-seeing is told of open choices."""
    if s.phase >= FIRST_CHANCE or s.phase == Phase.BUILD:
        return None
    if seat is not None:
        return some(rules.asked_fairy(s, seat))
    return None if rules.is_secret(s.phase) else some(rules.chooser(s))


def countdown(s: Any) -> str | None:
    """Where the countdown stands (F-08); None outside of a round."""
    return None if s.play == Play.CLASH or s.round_number == 0 else poll_text(int(s.slot))


def score(s: Any, seat: int) -> Plain:
    """What a player has won so far."""
    if s.play == Play.SKIRMISH:
        points = int(table_points(s, seat))
        return {"seat": seat, "points": points, "kills": int(s.kills[seat]), "eaten": int(s.eaten[seat])}
    if s.play == Play.CLASH:
        return {"seat": seat, "points": int(s.score) * (1 if s.owner[0] == seat else -1)}
    return {"seat": seat, "points": int(fairy_points(s, seat))}


def heap(s: Any, seat: int | None) -> Plain:
    """The Spoils Heap: what lies face up, and what `seat` itself knows to lie face down."""
    down = s.heap_down.sum(axis=0) if seat is None else s.heap_down[seat] * (seat != SPECTATOR)
    return {
        "count": int(s.heap_up.sum() + s.heap_down.sum()),
        "up": pile(s.heap_up),
        "own_down": pile(down),
    }


def pile(counts: Any) -> list[str]:
    """Cards low to high."""
    return [card_text(c) for c in range(NUM_CARDS) for _ in range(int(counts[c]))]


# ----------------------------------------------------------------------------------- the fairies
def fairy(s: Any, f: int, seat: int | None) -> Plain:
    """Her card with its counters, her place, her cards as far as `seat` sees them."""
    mine = seat is None or s.owner[f] == seat
    on_table = s.play == Play.SKIRMISH
    return {
        "id": f,
        "name": fairy_name(f),
        "seat": int(s.owner[f]),
        "type": "" if s.play == Play.CLASH else FAIRY_NAMES[s.fairy_type[f]],
        "magic": Magic(int(s.magic[f])).name.lower() if on_table else "none",
        "weapons": weapons(s, f),
        "alive": bool(s.alive[f]),
        "live": int(s.live[f]),
        "kill": int(s.kill[f]),
        "twinkle": int(s.twinkle[f]),
        "meat_live": int(s.meat_live[f]),
        "meat_kill": int(s.meat_kill[f]),
        "used_twinkle": int(s.used_twinkle[f]),
        "acted": bool(s.acted[f]),
        "stance": {1: "pose", -1: "flutter"}.get(int(s.stance[f])),
        "effects": effects(s, f) if on_table and s.alive[f] else [],
        "bank": {str(g): int(s.bank[f, g]) for g in np.flatnonzero(s.bank[f]).tolist()},
        "apart": np.flatnonzero(s.apart[f]).tolist(),
        "boost": int(s.boost[f]),
        "order": {
            "count": int(s.n_order[f]),
            "cards": pile(s.order[f]) if mine else None,
            "shown": None if s.shown[f] == NO_CARD else card_text(int(s.shown[f])),
        },
        "hand": {"count": int(s.n_hand[f]), "cards": pile(s.hand[f]) if mine else None},
        "chosen": chosen(s, f, mine),
        **laid(s, f, mine),
        **place(s, f, seat),
    }


def weapons(s: Any, f: int) -> list[str]:
    """Without bare hands and empty slots."""
    if s.play == Play.CLASH:
        return []
    return [WEAPON_NAMES[w] for w in s.weapon[f] if w not in (NO_WEAPON, BARE_HANDS)]


def laid(s: Any, f: int, mine: bool) -> Plain:
    """What lies before her: trumps face up or down, her number, wild trumps, what it adds up to."""
    main = int(s.main[f])
    named = {JOKER: "X", int(Main.NO_CARD): "none", int(Main.NOT_LAID): None}
    up = bool(s.laid_up[f])
    return {
        "sign": {Sign.ADD: "add", Sign.SUBTRACT: "subtract"}.get(Sign(int(s.sign[f]))),
        "laid": {"count": int(s.n_laid[f]), "cards": pile(s.laid[f]) if up or mine else None, "up": up},
        "wild": pile(s.wild[f]),
        "points_wild": f"{int(s.points_wild[f])} {COLOURS[s.points_colour[f]]}" if s.points_wild[f] else None,
        "main": named[main] if main in named else card_text(main),
        "total": total(s, f),
    }


def total(s: Any, f: int) -> int | None:
    """What her number has become, once it lies open."""
    if not s.main_up[f] or not 0 <= s.main[f] < FIRST_TRUMP:
        return None
    return int(uncl.total(s, f) if s.combat == Combat.UNCLEVL else fast.total(s, f))


def chosen(s: Any, f: int, mine: bool) -> list[str]:
    """Her own secret choices that wait for the others, in words of actions."""
    if not mine or not rules.is_secret(s.phase):
        return []
    texts = action_texts(len(s.live))
    return [texts[int(a)] for a in (s.main_choice[f], s.choice[f]) if a >= 0]


# ------------------------------------------------------------------------------------- the table
def place(s: Any, f: int, seat: int | None) -> Plain:
    """Where she is, whom she touches and sees."""
    away: Plain = {"where": "table", "x": None, "y": None, "z": None, "touches": [], "sees": {}}
    if s.play != Play.SKIRMISH:
        return away
    whereabouts = Place(int(s.whereabouts[f]))
    if whereabouts != Place.TABLE:
        return {**away, "where": whereabouts.name.lower()}
    x, y = seen_at(s, s.pos[f], seat)
    others = [g for g in range(s.n_fairies) if g != f and s.alive[g] and s.whereabouts[g] == Place.TABLE]
    others = others if s.alive[f] else []
    return {
        "where": "table",
        "x": inch(x),
        "y": inch(y),
        "z": inch(s.pos[f, 2]),
        "touches": [g for g in others if s.touch[f, g]],
        "sees": {str(g): View(int(s.sees[f, g])).name.lower() for g in others if s.sees[f, g]},
    }


def board(s: Any, seat: int | None) -> Plain:
    """Terrain and loot."""
    pieces = [
        {
            "id": k,
            "form": "box" if s.form[k] == BOX else "cylinder",
            "x": inch(s.centre[k, 0]),
            "y": inch(s.centre[k, 1]),
            "half_width": inch(s.half[k, 0]),
            "half_depth": inch(s.half[k, 1]),
            "top": inch(s.top[k]),
        }
        for k in range(s.n_pieces)
    ]
    return {
        "side": inch(s.side),
        "radius": inch(s.radius),
        "measuring": bool(s.measuring),
        "pieces": pieces,
        "items": [item(s, k, seat) for k in range(s.n_items) if s.weight[k] > 0],
    }


def item(s: Any, k: int, seat: int | None) -> Plain:
    """Loot that is no corpse."""
    x, y = seen_at(s, s.thing[k], seat)
    return {"id": k, "x": inch(x), "y": inch(y), "z": inch(s.thing[k, 2]), "weight": int(s.weight[k])}


def flight(s: Any, seat: int | None) -> Plain | None:
    """The move that is being flown, from the last place where she could have landed."""
    if s.mover == NO_FAIRY:
        return None
    start, air = seen_at(s, s.pos[s.mover], seat), seen_at(s, s.air, seat)
    return {
        "fairy": int(s.mover),
        "x": inch(air[0]),
        "y": inch(air[1]),
        "from": [inch(v) for v in start],
        "left": inch(s.budget),
        "ceiling": inch(s.ceiling),
        "heading": 22.5 * int(s.heading) if s.heading >= 0 else None,
    }


def load(s: Any) -> Plain | None:
    """What is being dragged."""
    if s.load == NO_LOAD:
        return None
    figures = len(s.live)
    return {"fairy": int(s.load)} if s.load < figures else {"item": int(s.load) - figures}


def warband(s: Any, seat: int | None) -> Plain | None:
    """Warbands that are being chosen; only its player sees one (F-70)."""
    if s.phase != Phase.BUILD:
        return None
    seats = range(s.n_seats) if seat is None else [seat] if seat != SPECTATOR else []
    return {"text": "\n".join(warband_line(s, other) for other in seats)}


def inch(length: Any) -> float:
    """Thousandths of an inch as inches."""
    return round(float(length) / INCH, 3)

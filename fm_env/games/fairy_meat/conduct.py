"""How Fairy Meat is played: habits at cards and on the table, deeds that a referee sees, games to watch.

What a choice shows is read from observations (`choices`), what came of it from states (`deeds`, `ends`).
Never imported by the kernel.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from fm_env.contract import CHANCE, GameSpec, Mask, Observation
from fm_env.games.conduct import Conduct, Counts, Habit, shares
from fm_env.games.fairy_meat import actions as act
from fm_env.games.fairy_meat.behaviour import Actions, Decisions, Kinds, fight_kinds
from fm_env.games.fairy_meat.constants import (
    FIRST_TRUMP,
    INCH,
    JOKER,
    KILL_SCORE,
    NUM_CALLS,
    RANK_LETTERS,
    Combat,
    Mode,
    Phase,
    Place,
    Play,
)
from fm_env.games.fairy_meat.notation import call_text

Floats = npt.NDArray[np.float64]

MOVES = (act.MODE + Mode.POUNCE - 1, act.MODE + Mode.FLUTTER - 1)
ATTACKS = (act.ATTACK, act.WRESTLE)
"""First and last id."""

HABITS = {
    "lays": Habit("lays trumps when it could; else it says None"),
    "blind lays": Habit("of its lays, those of a colour it holds no number of: a certain bluff"),
    "lays red": Habit("of its lays with trumps of both colours in hand, those of red ones"),
    "lays its stronger colour": Habit("of its lays, those of the colour of which it holds more numbers"),
    "bluffs": Habit("its number's colour isn't its trumps', though it held numbers of both colours"),
    "lays off-colour": Habit("its number's colour isn't its trumps', by choice or not"),
    "bluffs caught": Habit("of the trumps laid off-colour, those that the opponent caught"),
    "subtracts": Habit("declares that its trumps subtract"),
    "plays red": Habit("lays a red number, holding numbers of both colours"),
    "plays its highest": Habit("lays the highest of the numbers it may lay"),
    "turns up": Habit("turns trumps up after the numbers are shown"),
    "uses boosts": Habit("uses points it kept on its number"),
    "takes cards": Habit("takes points won as cards for its own attack, where a boost was open to it"),
    "trades trumps": Habit("discards a trump for a Twinkle Point when it may"),
    "thinks": Habit("spends Twinkle Points on Order Cards"),
    "holds": Habit("plans to hold its Order Card"),
    "acts going down": Habit("of its plans to act, those for the first half of the countdown"),
    "wrestles": Habit("of its acts in base contact"),
    "breaks away": Habit("having won a wrestle, forgoes the damage"),
    "rests": Habit("of its acts in base contact, gives up the attack for a Twinkle Point"),
    "gives Live first": Habit("takes damage from Live rather than Kill Points"),
    "aims at the weakest": Habit("of its attacks with several targets, on the one with fewest points left"),
    "moves": Habit("of its acts on the table"),
    "attacks": Habit("of its acts on the table"),
    "casts": Habit("of its acts on the table"),
    "eats": Habit("of its acts on the table"),
    "ends turn": Habit("of its acts on the table, does nothing more"),
    "poses": Habit("of the ways to move that it declares"),
    "pounces": Habit("of the ways to move that it declares"),
    "frolics": Habit("of the ways to move that it declares"),
    "flutters": Habit("of the ways to move that it declares"),
    "flies to contact": Habit("of its choices on the wing, to contact with somebody"),
    "takes cover": Habit("of its choices on the wing, to where somebody sees it least"),
    "inches a move": Habit("distance covered by a pounce, frolic or flutter", "in"),
    "wasted acts": Habit("of its moves and attacks, those that came to nothing"),
    "spells a game": Habit("spells cast", "a game"),
    "loot a game": Habit("figures that left the field", "a game"),
    "meat a game": Habit("points of meat eaten", "a game"),
    "kills a game": Habit("fairies killed", "a game"),
    "points left": Habit("Fairy Points left at the end of a duel or scuffle", "points"),
}


def choices(spec: GameSpec, observations: Observation, masks: Mask, actions: Actions) -> Counts:
    """Habits that a seat's own view and choice show (see `fm_env.games.conduct`)."""
    d = Decisions(spec, observations, masks, actions)
    kinds = fight_kinds(d) | _card_kinds(d) | _order_kinds(d)
    if spec.num_actions == act.NUM_TABLE:
        kinds |= _table_kinds(d)
    else:
        kinds |= {"aims at the weakest": _aims_at_weakest(d, "fairy", d.phase("target"))}
    return shares(kinds)


def _card_kinds(d: Decisions) -> Kinds:
    """Colours and numbers laid, and what is done with points."""
    lays_red, lays_black = d.chose(*d.red_lays), d.chose(*d.black_lays)
    red, black = d.own("own {}: red numbers /24"), d.own("own {}: black numbers /24")
    both_lays = d.legal(*d.red_lays) & d.legal(*d.black_lays) & (lays_red | lays_black)
    numbers = [f"{rank}{colour}" for rank in RANK_LETTERS[: FIRST_TRUMP // 2] for colour in "rb"]
    ids = np.array([d.number[text] for text in numbers])
    ranks = np.arange(len(ids)) // 2
    may = d.masks[:, ids]
    highest = np.where(may, ranks, -1).max(axis=1)
    lowest = np.where(may, ranks, len(ids)).min(axis=1)
    lays_number = d.phase("lay_main") & np.isin(d.actions, ids)
    value = np.full(d.spec.num_actions, -1)
    value[ids] = ranks
    return {
        "lays red": (lays_red, both_lays),
        "lays its stronger colour": (
            np.where(lays_red, red > black, black > red),
            both_lays & (red != black),
        ),
        "plays red": (d.chose(*d.red_cards), lays_number & d.legal(*d.red_cards) & d.legal(*d.black_cards)),
        "plays its highest": (value[d.actions] == highest, lays_number & (highest > lowest)),
        "uses boosts": (d.chose("boost"), d.legal("boost")),
        "takes cards": (d.chose("take cards"), d.legal("take cards")),
        "trades trumps": (d.chose("trade r", "trade b"), d.legal("trade r", "trade b")),
        "breaks away": (d.chose("escape"), d.legal("escape")),
        "gives Live first": (d.chose("lose live"), d.legal("lose live") & d.legal("lose kill")),
    }


def _order_kinds(d: Decisions) -> Kinds:
    """Order Cards: buying them, and when they are played."""
    down = [f"act at {call_text(call)}" for call in range(NUM_CALLS // 2)]
    up = [f"act at {call_text(call)}" for call in range(NUM_CALLS // 2, NUM_CALLS)]
    thinks = [f"think {n}" for n in range(1, act.MAX_THINK + 1)]
    return {
        "thinks": (d.chose(*thinks), d.legal(*thinks)),
        "acts going down": (d.chose(*down), d.legal(*down) & d.legal(*up) & d.chose(*down, *up)),
    }


def _table_kinds(d: Decisions) -> Kinds:
    """Moving, targets and spells."""
    acts, moving = d.phase("act") & d.free, d.phase("move") & d.free
    modes = ("pose", "pounce", "frolic", "flutter")

    def between(first: int, last: int) -> npt.NDArray[np.bool_]:
        return (d.actions >= first) & (d.actions <= last)

    # A mode declared before an attack (F-25) is the only one open when she moves.
    declares = d.chose(*modes) & (d.masks[:, [d.number[mode] for mode in modes]].sum(axis=1) > 1)
    aims = d.phase("target") & (d.observations[:, d.place["aim attack"]] > 0)
    return {
        "aims at the weakest": _aims_at_weakest(d, "figure", aims),
        "moves": (d.chose(*modes), acts),
        "attacks": (between(*ATTACKS), acts),
        "casts": (between(act.SPELL, act.SPELL + 3), acts),
        "eats": (between(act.EAT, act.EAT + 3), acts),
        "ends turn": (d.chose("end turn"), acts),
        "poses": (d.chose("pose"), declares),
        "pounces": (d.chose("pounce"), declares),
        "frolics": (d.chose("frolic"), declares),
        "flutters": (d.chose("flutter"), declares),
        "flies to contact": (d.chose("go to"), moving),
        "takes cover": (d.chose("take cover from"), moving),
    }


def _aims_at_weakest(d: Decisions, word: str, asked: npt.NDArray[np.bool_]) -> Any:
    """Whether a target has no more Live and Kill Points than any other that was open."""
    ids = act.TARGET + np.arange(d.num_fairies)
    open_to = d.masks[:, ids]
    live, kill = (
        d.observations[:, [d.place[f"{word} {k}: {part} /12"] for k in range(d.num_fairies)]]
        for part in ("live", "kill")
    )
    life = live + kill
    least = np.where(open_to, life, np.inf).min(axis=1)
    place = np.clip(d.actions - act.TARGET, 0, d.num_fairies - 1)
    chosen = life[np.arange(len(place)), place]
    several = asked & (open_to.sum(axis=1) > 1) & np.isin(d.actions, ids)
    return chosen <= least + 1e-6, several


def deeds(spec: GameSpec, before: Any, seats: Any, actions: Any, after: Any) -> Counts:
    """What a referee sees in single events (see `fm_env.games.conduct`)."""
    found = _bluffs(spec, before, seats, actions, after)
    if spec.num_actions == act.NUM_TABLE:
        found |= _on_table(spec, before, seats, actions, after)
    return found


def _bluffs(spec: GameSpec, before: Any, seats: Any, actions: Any, after: Any) -> Counts:
    """Trumps laid under a number of the other colour, and whether they were caught.

    Wild trumps, whose number is drawn, and points named as trumps aren't counted.
    """
    n = len(seats)
    laid, off, caught = (np.zeros((n, spec.num_seats)) for _ in range(3))
    rows = np.arange(n)
    uncl = before["combat"] == Combat.UNCLEVL
    shown = (
        uncl & (seats != CHANCE) & (before["phase"] == Phase.LAY_MAIN) & (after["phase"] != Phase.LAY_MAIN)
    )
    for fighter in ("attacker", "defender"):
        f = before[fighter].astype(int)
        owner = before["owner"][rows, f]
        choice = before["choice"][rows, f]
        card = np.where(choice < 0, actions, choice) - act.MAIN
        black = card % 2 == 1
        trumps = before["laid"][rows, f]
        red_laid = trumps[:, FIRST_TRUMP:JOKER:2].sum(axis=1) > 0
        black_laid = trumps[:, FIRST_TRUMP + 1 : JOKER : 2].sum(axis=1) > 0
        judged = shown & (f >= 0) & (card >= 0) & (card < FIRST_TRUMP) & (red_laid | black_laid)
        laid[rows[judged], owner[judged]] += 1
        bluff = judged & np.where(black, red_laid, black_laid)
        off[rows[bluff], owner[bluff]] += 1
        clean = (before["n_wild"][rows, f] == 0) & (before["points_wild"][rows, f] == 0)
        hit = uncl & (f >= 0) & clean & (after["times_caught"][rows, f] > before["times_caught"][rows, f])
        caught[rows[hit], owner[hit]] += 1
    return {"lays off-colour": (off, laid), "bluffs caught": (caught, off)}


def _on_table(spec: GameSpec, before: Any, seats: Any, actions: Any, after: Any) -> Counts:
    """Moves, their length, acts that came to nothing, spells and figures that left."""
    n, num_seats = len(seats), spec.num_seats
    rows = np.arange(n)
    own = np.arange(num_seats) == np.asarray(seats)[:, None]  # [B, S]; nobody's for chance
    acting = before["phase"] == Phase.ACT
    moves = acting & (actions >= MOVES[0]) & (actions <= MOVES[1])
    attacks = acting & (actions >= ATTACKS[0]) & (actions <= ATTACKS[1])
    spells = acting & (actions >= act.SPELL) & (actions < act.SPELL + 4)
    mover = before["mover"].astype(int)
    way = after["pos"][rows, mover, :2] - before["pos"][rows, mover, :2]
    inches = np.hypot(way[:, 0], way[:, 1]) / INCH * ((mover >= 0) & (before["escaping"] == 0))
    left = (after["whereabouts"] == Place.LEFT) & (before["whereabouts"] != Place.LEFT)
    gone = np.stack([(left & (before["owner"] == seat)).sum(axis=1) for seat in range(num_seats)], axis=1)
    none = np.zeros((n, num_seats))
    wasted = after["wasted"][:, :num_seats] - before["wasted"][:, :num_seats]
    return {
        "inches a move": (own * inches[:, None], (own & moves[:, None]).astype(float)),
        "wasted acts": (wasted.astype(float), (own & (moves | attacks)[:, None]).astype(float)),
        "spells a game": ((own & spells[:, None]).astype(float), none),
        "loot a game": (gone.astype(float), none),
    }


def ends(spec: GameSpec, states: Any) -> Counts:
    """What finished games show; also the number of games behind the deeds counted a game."""
    each = np.ones((len(states), spec.num_seats))
    if spec.num_actions != act.NUM_TABLE:
        bout = states["play"] == Play.BOUT
        return {"points left": (_points_left(spec, states) * bout[:, None], each * bout[:, None])}
    none = np.zeros_like(each)
    return {
        "spells a game": (none, each),
        "loot a game": (none, each),
        "meat a game": (states["eaten"][:, : spec.num_seats].astype(float), each),
        "kills a game": (states["kills"][:, : spec.num_seats].astype(float), each),
    }


def highlights(spec: GameSpec, states: Any) -> dict[str, Floats]:
    """Close finishes, caught bluffs, kills and meals."""
    play = states["play"][0]
    caught = {"most bluffs caught": _if_any(states["times_caught"].sum(axis=1).astype(float))}
    if play == Play.CLASH:
        return {"most points in one clash": np.abs(states["score"].astype(float))} | caught
    if play == Play.BOUT:
        return _closest(_points_left(spec, states)) | caught
    kills, eaten = (states[name][:, : spec.num_seats].astype(float) for name in ("kills", "eaten"))
    meals = {"most kills": _if_any(kills.sum(axis=1)), "most meat eaten": _if_any(eaten.sum(axis=1))}
    return _closest(KILL_SCORE * kills + eaten) | caught | meals


def _closest(standing: Floats) -> dict[str, Floats]:
    """The smallest lead of a winner."""
    ranked = np.sort(standing, axis=1)
    lead = ranked[:, -1] - ranked[:, -2]
    return {"closest finish": np.where(lead > 0, -lead, -np.inf)}


def _points_left(spec: GameSpec, states: Any) -> Floats:
    """Live and Kill Points of each seat's fairies, `[N, S]`."""
    life = (states["live"] + states["kill"]).astype(float)
    return np.stack(
        [(life * (states["owner"] == seat)).sum(axis=1) for seat in range(spec.num_seats)], axis=1
    )


def _if_any(counts: Floats) -> Floats:
    """A count as a reason to watch: none is no reason."""
    return np.where(counts > 0, counts, -np.inf)


CONDUCT = Conduct(HABITS, choices, deeds, ends, highlights)

"""Positions of Fairy Meat in words. Never imported by the kernel."""

from __future__ import annotations

from typing import Any

import numpy as np

from fm_env.games.fairy_meat import choices
from fm_env.games.fairy_meat.constants import (
    FAIRY_NAMES,
    FIRST_CHANCE,
    JOKER,
    NO_CARD,
    NO_FAIRY,
    NO_WEAPON,
    WEAPON_NAMES,
    Combat,
    Main,
    Phase,
    Play,
    Sign,
)
from fm_env.games.fairy_meat.notation import card_text, cards_text
from fm_env.games.fairy_meat.words import (
    COLOURS,
    STANCE_WORDS,
    count,
    fairy_name,
    poll_text,
    readable,
)

TASKS = {
    Phase.THINK: "spend Twinkle on Thinking",
    Phase.PLAN: "plan when to act",
    Phase.PICK_OWN: "say which of her player's fairies acts first",
    Phase.ACT: "take her turn",
    Phase.TARGET: "name her target",
    Phase.TRADE_ATTACKER: "trade trumps for Twinkle",
    Phase.TRADE_DEFENDER: "trade trumps for Twinkle",
    Phase.DECLARE_ATTACKER: "declare add or subtract",
    Phase.DECLARE_DEFENDER: "declare add or subtract",
    Phase.LAY_TRUMPS: "lay trumps",
    Phase.LAY_MAIN: "lay a main card",
    Phase.SUPPORTS: "lay supporting trumps",
    Phase.JOKER: "use her joker",
    Phase.REDIRECT: "say where the shot goes",
    Phase.HEAL: "heal a point",
    Phase.TURN_UP: "turn her trumps up or leave them down",
    Phase.BOOST: "use the points she kept",
    Phase.CHEAT_OF_DEFENDER: "use the trumps of a cheat",
    Phase.CHEAT_OF_ATTACKER: "use the trumps of a cheat",
    Phase.SPOILS: "choose what her points are for",
    Phase.WRESTLE_WON: "deal damage or break away",
    Phase.DAMAGE: "lose a point",
    Phase.NEXT_ATTACK: "attack again or stop",
    Phase.RECAST: "cast the spell that turned round",
    Phase.BUILD: "choose a warband",
    Phase.PICK_FIGURE: "say who is placed next",
    Phase.CELL: "be placed",
    Phase.SPOT: "be placed",
    Phase.MODE: "declare how she moves this turn",
    Phase.MOVE: "fly on or land",
    Phase.DISTANCE: "say how far she flies",
    Phase.POWER: "put more points into her spell",
}
"""What an asked fairy is to do."""


# --------------------------------------------------------------------------------- positions
def state_text(state: Any, seat: int | None) -> str:
    """The position as `seat` sees it; None sees everything."""
    s = readable(state)
    lines = [situation(s)]
    lines += [fairy_line(s, f, seat) for f in range(s.n_fairies)]
    for f in range(s.n_fairies):
        lines += fighter_lines(s, f, seat)
    lines.append(heap_line(s, seat))
    lines.append(asked_line(s, seat))
    return "\n".join(lines)


def situation(s: Any) -> str:
    """What is being played and how far it is."""
    system = "UnclEvl's combat" if s.combat == Combat.UNCLEVL else "Fast Play combat"
    if s.play == Play.CLASH:
        return f"Clash ({system})"
    if s.round_number == 0:
        return f"Setting up ({system})"
    return f"Round {int(s.round_number)} of {int(s.rounds)} ({system}), countdown {poll_text(int(s.slot))}"


def fairy_line(s: Any, f: int, seat: int | None) -> str:
    """Her fairy card and her place in the round: all of it public but the faces of Order Cards."""
    name = f"{fairy_name(f)} (seat {int(s.owner[f])}"
    if s.play == Play.CLASH:
        return name + role(s, f) + ")"
    weapons = [WEAPON_NAMES[w] for w in s.weapon[f][1:] if w != NO_WEAPON]
    facts = [FAIRY_NAMES[s.fairy_type[f]], ", ".join(weapons) or "unarmed"]
    facts += [STANCE_WORDS[int(s.stance[f])]] if s.stance[f] else []
    parts = [
        f"Live {int(s.live[f])} Kill {int(s.kill[f])} Twinkle {int(s.twinkle[f])}",
        f"meat {int(s.meat_live[f])}+{int(s.meat_kill[f])}, used Twinkle {int(s.used_twinkle[f])}",
        turn_words(s, f, seat),
        *(
            f"{count(s.bank[f, g], 'extra card')} against {fairy_name(g)}"
            for g in np.flatnonzero(s.bank[f]).tolist()
        ),
        *(f"out of contact with {fairy_name(g)}" for g in np.flatnonzero(s.apart[f]).tolist()),
    ]
    return f"{name}, {', '.join(facts)}): {'; '.join(parts)}"


def role(s: Any, f: int) -> str:
    """Her part in a clash."""
    return {s.attacker: ", attacker", s.defender: ", defender"}.get(f, "") if s.attacker >= 0 else ""


def turn_words(s: Any, f: int, seat: int | None) -> str:
    """Whether her turn is still to come, and her Order Cards as far as `seat` sees them."""
    if not s.alive[f]:
        return "dead"
    if s.acted[f]:
        return "has acted"
    shown = f", {card_text(int(s.shown[f]))} turned up" if s.shown[f] != NO_CARD else ""
    if seat is None or s.owner[f] == seat:
        return f"Order Cards {cards_text(s.order[f])}{shown}"
    return f"{count(s.n_order[f], 'Order Card')}{shown}"


def fighter_lines(s: Any, f: int, seat: int | None) -> list[str]:
    """A fighter's hand and her cards on the table."""
    if not (s.drawn[f] or s.n_hand[f]):
        return []
    mine = seat is None or s.owner[f] == seat
    line = f"  {fairy_name(f)} holds {cards_text(s.hand[f]) if mine else count(s.n_hand[f], 'card')}"
    if s.sign[f] != Sign.NONE:
        line += f", declared {Sign(int(s.sign[f])).name.lower()}"
    if s.boost[f]:
        line += f", keeps {count(s.boost[f], 'point')} for her next number"
    table = []
    if s.n_laid[f] and s.laid_up[f]:
        table.append(f"trumps {cards_text(s.laid[f])}")
    elif s.n_laid[f]:
        own = f" ({cards_text(s.laid[f])})" if mine else ""
        table.append(f"{count(s.n_laid[f], 'trump')} face down{own}")
    if s.n_wild[f]:
        table.append(f"wild {cards_text(s.wild[f])}")
    if s.points_wild[f]:
        table.append(f"{count(s.points_wild[f], 'point')} as {COLOURS[s.points_colour[f]]} wild trumps")
    if s.main[f] == JOKER:
        table.append("a joker")
    elif s.main[f] >= 0:
        table.append(f"number {card_text(int(s.main[f]))}")
    elif s.main[f] == Main.NO_CARD:
        table.append("no card")
    return [line + ("; on the table: " + ", ".join(table) if table else "")]


def heap_line(s: Any, seat: int | None) -> str:
    """The heap: what lies face down there is known to its owner only (F-69, U-35)."""
    down = s.heap_down.sum(axis=0) if seat is None else s.heap_down[seat]
    heap = int(s.heap_up.sum() + s.heap_down.sum())
    line = f"deck {count(s.n_deck, 'card')}, Spoils Heap {heap}, seen there: {cards_text(s.heap_up)}"
    return line + (f", face down: {cards_text(down)}" if down.sum() else "")


def asked_line(s: Any, seat: int | None) -> str:
    """Who is to do what. In a secret phase a seat is not told whether others have chosen yet."""
    if s.phase == Phase.OVER:
        return "The game is over."
    if s.phase >= FIRST_CHANCE:
        return (
            "Chance decides."
            if s.phase in (Phase.DRAW_TABLE, Phase.DRAW_WARBAND)
            else "A card is to be drawn."
        )
    task = TASKS[Phase(int(s.phase))]
    asked = {other: choices.asked_fairy(s, other) for other in range(s.n_seats)}
    builds = s.phase == Phase.BUILD
    if seat is not None and (builds or choices.is_secret(s.phase)):
        if asked[seat] == NO_FAIRY:
            return f"Others may have yet to {task}."
        asked = {seat: asked[seat]}
    names = [
        f"seat {other}" if builds else f"{fairy_name(f)} (seat {other})"
        for other, f in asked.items()
        if f != NO_FAIRY
    ]
    return (
        f"{' and '.join(names)} is to {task}." if len(names) == 1 else f"{' and '.join(names)} are to {task}."
    )

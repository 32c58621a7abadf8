"""Positions of a joust in words. Never imported by the kernel."""

from __future__ import annotations

from typing import Any

import numpy as np

from fm_env.games.sword_and_shield.cards import is_covered
from fm_env.games.sword_and_shield.constants import (
    ATTACK_NAMES,
    HITS_TO_LOSE,
    NO_CARD,
    NO_SEAT,
    TACTICS,
    Phase,
)
from fm_env.games.sword_and_shield.decisions import asked_seat
from fm_env.games.sword_and_shield.notation import cards_text, names_in
from fm_env.records import as_record, rows_of

TASKS = {
    Phase.ATTACK: "attack or pass",
    Phase.DISCARD: "discard or end the turn",
    Phase.DEFEND: "defend",
}
"""What an asked seat is to do."""


def knight_name(seat: int) -> str:
    """Knights are called by their seats in texts."""
    return f"knight {int(seat)}"


def count(n: int, thing: str) -> str:
    """`1 card`, `2 cards`."""
    return f"{int(n)} {thing}" + ("" if n == 1 else "s")


def readable(state: Any) -> Any:
    """A copy of the state with its fields as attributes."""
    return as_record(rows_of(state), 0)


def state_text(state: Any, seat: int | None) -> str:
    """The position as `seat` sees it; None sees everything."""
    s = readable(state)
    lines = [f"Turn {int(s.turn)} of {int(s.max_turns)}"]
    for knight in (0, 1):
        lines += knight_lines(s, knight, seat)
    lines.append(f"deck {count(s.n_deck, 'card')}, discards {cards_text(s, s.discard)}")
    if s.card != NO_CARD:
        lines.append(attack_line(s))
    if seat is not None and s.phase != Phase.OVER:
        lines += hand_facts(s, seat)
    lines.append(asked_line(s))
    return "\n".join(lines)


def knight_lines(s: Any, knight: int, seat: int | None) -> list[str]:
    """A knight's abilities, pool and hand as `seat` sees it."""
    abilities = ", ".join(
        f"{name.capitalize()} {int(s.knight[knight, k])}" for k, name in enumerate((*TACTICS, "endurance"))
    )
    pool = f"Fatigue {int(s.fatigue[knight])} of {int(s.fatigue_max[knight])}"
    line = f"{knight_name(knight)}: {abilities}; {pool}, {int(s.hits[knight])} of {HITS_TO_LOSE} hits taken"
    if seat is None or seat == knight:
        hand = cards_text(s, s.hand[knight])
    else:
        hand = count(s.n_hand[knight], "card")
        if s.known[knight].any():
            hand += f", surely {cards_text(s, s.known[knight])}"
    return [line, f"  holds {hand}"]


def attack_line(s: Any) -> str:
    """The attack as it was announced (K-04)."""
    name = names_in(s)[s.card]
    return (
        f"{knight_name(s.attacker)} attacks with {name}: {ATTACK_NAMES[s.attack[s.card]]} "
        f"by {TACTICS[s.by]}, Modified Combat Number {int(s.number)}"
    )


def hand_facts(s: Any, seat: int) -> list[str]:
    """What the deck's data says of each card that `seat` holds."""
    return [f"  {card_facts(s, int(c))}" for c in np.flatnonzero(s.hand[seat])]


def card_facts(s: Any, c: int) -> str:
    """One card as printed."""
    name = names_in(s)[c]
    if s.is_achievement[c]:
        parts = [f"price {int(s.price[c])}"] + ["saves from the hit"] * int(s.saves[c])
        parts += [f"regains {int(s.refreshes[c])}"] * bool(s.refreshes[c])
        parts += [f"the attacker pays {int(s.strikes_back[c])}"] * bool(s.strikes_back[c])
        return f"{name}: Achievement, {', '.join(parts)}"
    values = ", ".join(
        f"{tactic.capitalize()} {int(value)}"
        for tactic, value in zip(TACTICS, s.tactic[c], strict=True)
        if value
    )
    covered = " ".join(name for a, name in enumerate(ATTACK_NAMES) if is_covered(s, c, a)) or "nothing"
    symbol = "; Manoeuvre" if s.manoeuvre[c] else ""
    return f"{name}: {ATTACK_NAMES[s.attack[c]]}, {values}; answers {covered}{symbol}"


def asked_line(s: Any) -> str:
    """Who is to do what."""
    if s.phase == Phase.OVER:
        return "The joust is over."
    seat = asked_seat(s)
    if seat == NO_SEAT:
        return "Who attacks first is to be drawn." if s.phase == Phase.FIRST else "A card is to be drawn."
    return f"{knight_name(seat)} is to {TASKS[Phase(int(s.phase))]}."

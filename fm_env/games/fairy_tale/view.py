"""Positions and events of Fairy Tale in words. Never imported by the kernel."""

from __future__ import annotations

from typing import Any

import numpy as np

from fm_env.contract import CHANCE
from fm_env.games.fairy_tale import decisions
from fm_env.games.fairy_tale.actions import VERBS
from fm_env.games.fairy_tale.constants import NO_CARD, PACKET, PLAYS, Op, Phase
from fm_env.games.fairy_tale.draft import direction, lead, packet_of
from fm_env.games.fairy_tale.notation import counts_text, list_text, names_of
from fm_env.records import as_record, rows_of

TASKS = {
    Phase.DRAFT: "pick a card",
    Phase.PLAY: "play a card",
    Phase.OPEN: "turn a card face up",
    Phase.CLOSE: "turn a card face down",
}


def readable(state: Any) -> Any:
    """A copy of the state with its fields as attributes, of the kind that rules take."""
    return as_record(rows_of(state), 0)


def state_text(state: Any, seat: int | None) -> str:
    """The position as `seat` sees it; None sees everything."""
    s, names = readable(state), names_of(state)
    lines = [situation(s)]
    for other in range(s.n_seats):
        lines.append(tableau_line(s, names, other))
        if seat is None or other == seat:
            lines += private_lines(s, names, other)
        if seat is not None and other == seat:
            lines += memory_lines(s, names, seat)
    lines.append(asked_line(s, seat))
    return "\n".join(lines)


def situation(s: Any) -> str:
    """How far the game is."""
    if s.phase == Phase.OVER:
        return f"Fairy Tale, all {int(s.rounds)} rounds played"
    way = "clockwise" if direction(s) > 0 else "anticlockwise"
    where = f"Fairy Tale, round {int(s.round_number) + 1} of {int(s.rounds)}, seat {lead(s)} leads"
    if s.phase == Phase.DEAL:
        return f"{where}, dealing; {int(s.n_deck)} cards in the deck"
    if s.phase == Phase.DRAFT:
        return f"{where}, pick {int(s.drafted) + 1} of {PACKET}, passing {way}"
    return f"{where}, play {int(s.step) + 1} of {PLAYS}"


def tableau_line(s: Any, names: tuple[str, ...], seat: int) -> str:
    """A player's cards on the table, all of them public (T-12)."""
    line = f"seat {seat}, {int(s.points[seat])} points: {counts_text(names, s.up[seat])}"
    return line + (f"; face down: {counts_text(names, s.down[seat])}" if s.down[seat].any() else "")


def private_lines(s: Any, names: tuple[str, ...], seat: int) -> list[str]:
    """What a player alone may look at."""
    lines = []
    if s.phase <= Phase.DRAFT:
        lines.append(f"  before her: {list_text(names, s.packet[packet_of(s, seat)])}")
    if s.hand[seat, 0] != NO_CARD:
        lines.append(f"  hand: {list_text(names, s.hand[seat])}")
    if s.choice[seat] != NO_CARD:
        lines.append(f"  chosen: {names[s.choice[seat]]}")
    if s.n_turned[seat]:
        lines.append(f"  chosen: {list_text(names, s.turned[seat])}")
    if s.out[seat].any():
        lines.append(f"  left unused: {counts_text(names, s.out[seat])}")
    return lines


def memory_lines(s: Any, names: tuple[str, ...], seat: int) -> list[str]:
    """What she remembers of hands that she passed on."""
    from fm_env.games.fairy_tale.observe import AWAY, FIRST_BLOCK, observation_size, observe

    types = len(names)
    seen = np.zeros(observation_size(types), np.float32)
    observe(s, seat, seen)
    away = np.rint(seen[FIRST_BLOCK + AWAY * types :][:types] * 12).astype(int)
    lines = []
    if away.any():
        lines.append(f"  seen in passing, now with others: {counts_text(names, away)}")
    if s.known_out[seat].any():
        lines.append(f"  others left unused: {counts_text(names, s.known_out[seat])}")
    return lines


def asked_line(s: Any, seat: int | None) -> str:
    """Who is to do what. A seat is not told whether others have chosen yet."""
    if s.phase == Phase.OVER:
        best = max(int(s.points[k]) for k in range(s.n_seats))
        winners = [f"seat {k}" for k in range(s.n_seats) if s.points[k] == best]
        return f"{' and '.join(winners)} {'win' if len(winners) > 1 else 'wins'} with {best} points."
    if s.phase == Phase.DEAL:
        return "A card is to be dealt."
    task = TASKS[Phase(int(s.phase))]
    asked = [k for k in range(s.n_seats) if decisions.is_asked(s, k)]
    if seat is not None:
        return f"You are to {task}." if seat in asked else f"Others may have yet to {task}."
    return f"{' and '.join(f'seat {k}' for k in asked)} {'is' if len(asked) == 1 else 'are'} to {task}."


def event_text(before: Any, seat: int, action: int, after: Any) -> str:
    """What just happened, in words (all-seeing)."""
    old, new, names = readable(before), readable(after), names_of(before)
    if seat == CHANCE:
        receiver = (lead(old) + int(old.dealt) // PACKET) % int(old.n_seats)
        return f"seat {receiver} is dealt {names[action]}"
    verb, card = VERBS[action // len(names)], names[action % len(names)]
    if old.phase == Phase.DRAFT:
        return f"seat {seat} picks {card}" + ("; the rest is passed on" if new.drafted != old.drafted else "")
    if old.phase == Phase.PLAY:
        said = f"seat {seat} chooses {card} to play"
        return (
            said if new.choice[seat] != NO_CARD else f"{said}; {reveal_words(old, seat, action, new, names)}"
        )
    said = f"seat {seat} chooses to {verb} {card}"
    turned = turned_words(old, new, names)
    return f"{said}; {turned}" if turned else said


def reveal_words(old: Any, seat: int, action: int, new: Any, names: tuple[str, ...]) -> str:
    """All cards of a step, and what their effects have done so far."""
    cards = [int(old.choice[k]) for k in range(old.n_seats)]
    cards[seat] = action % len(names)
    said = "revealed: " + ", ".join(f"{names[c]} (seat {k})" for k, c in enumerate(cards))
    laid = readable(old)
    for k, c in enumerate(cards):
        laid.up[k, c] += 1
    does = [f"{names[c]} does {Op(int(old.op[c])).name}" for c in cards if old.op[c] != Op.NONE]
    return "; ".join([said, *does, *filter(None, [turned_words(laid, new, names)])])


def turned_words(old: Any, new: Any, names: tuple[str, ...]) -> str:
    """Which cards lie another way than before."""
    parts = []
    for k in range(old.n_seats):
        closed, opened = new.down[k] - old.down[k], new.up[k] - old.up[k]
        for what, change in (("face up", opened), ("face down", closed)):
            if (change > 0).any():
                parts.append(f"seat {k} has turned {counts_text(names, change)} {what}")
    return "; ".join(parts)

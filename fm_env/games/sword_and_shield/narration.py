"""Events of a joust in words: what was chosen or drawn, and all that followed by itself.

Never imported by the kernel.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fm_env.contract import CHANCE
from fm_env.games.sword_and_shield import actions as act
from fm_env.games.sword_and_shield import combat, turns
from fm_env.games.sword_and_shield.constants import (
    ATTACK_NAMES,
    HITS_TO_LOSE,
    MANOEUVRE_COST,
    MAX_CARDS,
    NO_SEAT,
    NUM_TACTICS,
    TACTICS,
    Phase,
)
from fm_env.games.sword_and_shield.notation import names_in
from fm_env.games.sword_and_shield.view import count, knight_name, readable


def event_text(before: np.record, seat: int, action: int, after: np.record) -> str:
    """What just happened, all-seeing. `seat` is CHANCE for what was drawn."""
    old, new = readable(before), readable(after)
    words = [drawn(old, action) if seat == CHANCE else chosen(old, seat, action)]
    if seat != CHANCE and new.phase != Phase.DEFEND:
        words += consequences(old, new, action)
    if old.shuffles != new.shuffles:
        words.append("The discards are shuffled into a new deck.")
    if new.phase == Phase.OVER:
        words.append(verdict(new))
    return " ".join(words)


def drawn(s: Any, outcome: int) -> str:
    """Chance."""
    if s.phase == Phase.FIRST:
        return f"{knight_name(outcome - MAX_CARDS).capitalize()} attacks first."
    return f"{knight_name(s.drawing).capitalize()} draws {names_in(s)[outcome]}."


def chosen(s: Any, seat: int, action: int) -> str:
    """The choice itself, with its numbers."""
    who, names = knight_name(seat).capitalize(), names_in(s)
    if action < act.MANOEUVRE:
        c, t = divmod(action % (NUM_TACTICS * MAX_CARDS), NUM_TACTICS)
        price = int(combat.cost(s, seat, c, t))
        paid = f", paying {price}" if price else ""
        number = int(combat.combat_number(s, seat, c, t))
        played = f"{names[c]} by {TACTICS[t]} for {number}{paid}"
        if action < act.DEFEND:
            return f"{who} attacks ({ATTACK_NAMES[s.attack[c]]}) with {played}."
        return f"{who} defends with {played}."
    if action < act.ACHIEVE:
        return f"{who} manoeuvres with {names[action - act.MANOEUVRE]}, paying {MANOEUVRE_COST}."
    if action < act.DISCARD:
        return f"{who} plays the Achievement {names[action - act.ACHIEVE]}."
    if action < act.PASS:
        return f"{who} discards {names[action - act.DISCARD]}."
    return f"{who} {'takes the hit' if action == act.TAKE_HIT else WORDS[action]}."


WORDS = {act.PASS: "passes", act.END_TURN: "ends the turn"}


def consequences(old: Any, new: Any, action: int) -> list[str]:
    """Settlement, hits and wearing out, as far as a choice ended the exchange or the turn."""
    words = []
    if act.DEFEND <= action < act.MANOEUVRE:
        words.append(settlement(old, action - act.DEFEND))
    if act.ACHIEVE <= action < act.DISCARD:
        saved = old.saves[action - act.ACHIEVE]
        words.append("The hit doesn't count." if saved else "It is a hit all the same.")
    if action == act.END_TURN and old.passes == 2:
        words.append("Both have passed in a row and pay 1.")
    if old.phase == Phase.DEFEND or action == act.END_TURN:
        hit = action == act.TAKE_HIT or (
            act.ACHIEVE <= action < act.DISCARD and not old.saves[action - act.ACHIEVE]
        )
        defender = 1 - int(old.attacker)
        for seat in (defender, 1 - defender):
            if new.hits[seat] - old.hits[seat] > (hit and seat == defender):
                words.append(f"{knight_name(seat).capitalize()} is worn out: a hit, and a fresh pool.")
    return words


def settlement(s: Any, played: int) -> str:
    """Who pays the difference of the numbers (K-08)."""
    c, t = divmod(played, NUM_TACTICS)
    difference = int(s.number - combat.combat_number(s, 1 - s.attacker, c, t))
    if difference == 0:
        return "The numbers are equal."
    loser = 1 - s.attacker if difference > 0 else s.attacker
    return f"{knight_name(loser).capitalize()} pays the difference of {abs(difference)}."


def verdict(s: Any) -> str:
    """Who won, and by what."""
    winner = turns.leader(s)
    if winner == NO_SEAT:
        return "The joust is a draw."
    if max(s.hits) >= HITS_TO_LOSE:
        return f"{knight_name(winner).capitalize()} wins with {count(s.hits[1 - winner], 'hit')}."
    return f"The turns are used up: {knight_name(winner)} is ahead and wins."

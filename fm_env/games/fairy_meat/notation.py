"""Texts of cards and actions, one to one with their ids."""

from __future__ import annotations

from functools import cache

from fm_env.games.fairy_meat import actions as act
from fm_env.games.fairy_meat.constants import (
    COARSE,
    COLOUR_LETTERS,
    FAIRY_NAMES,
    FINE,
    FIRST_TRUMP,
    JOKER,
    MAX_FIGURES,
    MAX_HAND,
    MAX_ITEMS,
    MAX_PIECES,
    MAX_THINK,
    MAX_TRUMPS,
    NUM_CALLS,
    NUM_CARDS,
    RANK_LETTERS,
    SPELL_NAMES,
    TABLE_OUTCOME,
    WARBAND_OUTCOME,
    WEAPON_NAMES,
    WEAPON_SLOTS,
)
from fm_env.games.fairy_meat.presets import PRESET_NAMES


def card_text(card: int) -> str:
    """`2r` .. `9b`, `Tr`, `Jb`, `Qr`, `Kb`, `Ar`; `X` for a joker."""
    return "X" if card == JOKER else RANK_LETTERS[card // 2] + COLOUR_LETTERS[card % 2]


def outcome_text(outcome: int) -> str:
    """A drawn card; `table 3` and `warband swarm` for what else chance decides on the whole table."""
    if outcome < TABLE_OUTCOME:
        return card_text(outcome)
    if outcome < WARBAND_OUTCOME:
        return f"table {outcome - TABLE_OUTCOME}"
    preset = outcome - WARBAND_OUTCOME
    return f"warband {PRESET_NAMES[preset] if preset < len(PRESET_NAMES) else preset}"


CARDS = {card_text(card): card for card in range(NUM_CARDS)}
"""Card type by its text."""


def call_text(call: int) -> str:
    """`K down` .. `A down`, then `A up` .. `K up` (F-08)."""
    ranks = "A23456789TJQK"
    return f"{ranks[12 - call]} down" if call < 13 else f"{ranks[call - 13]} up"


@cache
def action_texts(max_fairies: int) -> tuple[str, ...]:
    """The text of every action id."""
    signs = "=+-"
    texts = ["add", "subtract", "trumps none"]
    texts += [f"trumps {colour}{n}" for colour in COLOUR_LETTERS for n in range(1, MAX_TRUMPS + 1)]
    texts += [card_text(card) for card in range(FIRST_TRUMP)]
    texts += ["joker", "wild r", "wild b", "no card"]
    texts += [f"supports {n}" for n in range(MAX_HAND + 1)]
    texts += ["turn up", "leave down", "boost", "no boost"]
    texts += [f"cheat own{own} hers{hers}" for own in signs for hers in signs]
    texts += ["take cards", "take boost", "lose live", "lose kill", "heal live", "heal kill"]
    texts += ["joker hurts", "joker heals", "decline", "points r", "points b"]
    texts += ["trade r", "trade b", "keep trumps", "deal damage", "escape"]
    texts += [f"think {n}" for n in range(MAX_THINK + 1)]
    texts += ["hold"]
    texts += [f"act at {call_text(call)}" for call in range(NUM_CALLS)]
    texts += [f"joker before {call_text(call)}" for call in range(NUM_CALLS)]
    texts += ["attack bare-handed"] + [f"attack with weapon {slot}" for slot in range(1, WEAPON_SLOTS)]
    texts += ["wrestle", "rest", "end turn", "stop"]
    texts += [f"fairy {place}" for place in range(max_fairies)]
    if max_fairies == MAX_FIGURES:
        texts += table_texts()
    if len(texts) != act.num_actions(max_fairies):
        raise AssertionError("action ids and texts disagree")
    return tuple(texts)


HEADING_NAMES = ("E", "ENE", "NE", "NNE", "N", "NNW", "NW", "WNW")
HEADING_NAMES += ("W", "WSW", "SW", "SSW", "S", "SSE", "SE", "ESE")


def recruit_text(recruit: int) -> str:
    """`glitter mean`; `nobody` for -1."""
    return "nobody" if recruit < 0 else f"{FAIRY_NAMES[recruit // 2]} {('sweet', 'mean')[recruit % 2]}"


def table_texts() -> list[str]:
    """Texts of the acts that only the whole table has."""
    texts = ["pose", "pounce", "frolic", "flutter"]
    texts += [f"head {name}" for name in HEADING_NAMES]
    texts += [f'{n}"' for n in act.DISTANCES] + ["as far as she can"]
    texts += ["go to", "take cover from", "go to see", "go onto", "leave the field", "halt"]
    texts += [f"piece {k}" for k in range(MAX_PIECES)] + [f"item {k}" for k in range(MAX_ITEMS)]
    texts += ["drag"]
    for part in ("attacking", "moving"):
        texts += [f"eat {point} instead of {part}" for point in ("live", "kill")]
    texts += [f"cast {name}" for name in SPELL_NAMES]
    texts += [f"{k} extra points" for k in range(MAX_THINK)]
    texts += [f"recruit {recruit_text(k)}" for k in range(-1, 6)]
    texts += ["arm no more"] + [f"arm {name}" for name in WEAPON_NAMES[1:]]
    texts += [f"column {k}" for k in range(COARSE)] + [f"row {k}" for k in range(COARSE)]
    return texts + [f"spot {k // FINE} {k % FINE}" for k in range(FINE * FINE)]


def cards_text(counts: object) -> str:
    """A pile as text, low to high, e.g. `4b 7r 7r Kb`; `-` if empty."""
    texts = [card_text(c) for c in range(NUM_CARDS) for _ in range(int(counts[c]))]  # type: ignore[index]
    return " ".join(texts) or "-"

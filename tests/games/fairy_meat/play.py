"""Fights written down as tables of what happens, played through the public Match.

A fairy is called by her letter, as in the texts: A belongs to seat 0, B to seat 1 and so on
(in a clash A attacks B). Choices that leave no choice may be left out of a table.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import fm_env
from fm_env.errors import SetupError
from fm_env.games.fairy_meat import choices
from fm_env.games.fairy_meat.constants import NO_FAIRY
from fm_env.games.fairy_meat.notation import cards_text
from fm_env.match import Match
from tests.games.traceability import rule as rule

LETTERS = "ABCDEFGH"
_STEP = re.compile(r"([A-H]): ")


def game() -> Any:
    return fm_env.load("fairy_meat")


def clash(attacker: str, defender: str, draws: str = "", **options: Any) -> Match:
    """One exchange between two hands such as `"8r Kr"`; `draws` come for wild trumps."""
    hands = {"attacker": attacker.split(), "defender": defender.split()}
    options.setdefault("deck", "full")
    return game().new_match(scenario="clash", setup=hands, chance=draws.split(), **options)


def duel(
    a: dict[str, Any] | None = None,
    b: dict[str, Any] | None = None,
    draws: str = "",
    heap: str = "",
    **options: Any,
) -> Match:
    """Two fairies, unarmed, without Twinkle and not posing unless told otherwise."""
    plain = {"weapons": [], "twinkle": 0, "stance": "frolic"}
    setup = {"fairies": [{**plain, **(a or {})}, {**plain, **(b or {})}], "heap": heap.split()}
    return game().new_match(scenario="duel", setup=setup, chance=draws.split(), **options)


def scuffle(players: int, fairies: Sequence[dict[str, Any]], draws: str, **options: Any) -> Match:
    """Three or four fairies; `seat` of each goes round the players unless given."""
    plain = {"weapons": [], "twinkle": 0, "stance": "frolic"}
    roster = [{**plain, **fairy} for fairy in fairies]
    return game().new_match(
        scenario="scuffle", num_players=players, fairies=roster, chance=draws.split(), **options
    )


def attack(a_hand: str, b_hand: str, draws: str = "", act: str = "attack bare-handed", **more: Any) -> Match:
    """A duel up to the moment both hold these hands: A acts first, at K going down; B still
    holds a K and will act at K going up, unasked.

    Kill and Live are set to what gives hands of that size, unless `a` or `b` set them.
    """
    bonus = more.get("attacker_bonus", 0 if more.get("combat") == "fast_play" else 1)
    n_a, n_b = len(a_hand.split()), len(b_hand.split())
    a = {"kill": n_a - bonus, "live": 3, **more.pop("a", {})}
    b = {"live": n_b - 1, "kill": 3, **more.pop("b", {})}
    m = duel(a, b, f"Kr Kb {a_hand} {b_hand} {draws}", **more)
    return play(m, f"A: act at K down  B: hold  A: {act}")


def play(m: Match, table: str) -> Match:
    """Play `A: add  B: subtract ...`: steps of any number of lines, in the order of reading."""
    parts = _STEP.split(table.strip())[1:]
    for letter, text in zip(parts[::2], parts[1::2], strict=True):
        step(m, LETTERS.index(letter), " ".join(text.split()))
    return skip_forced(m)


def step(m: Match, f: int, text: str) -> None:
    """Fairy `f` chooses `text`, after whatever left no choice before."""
    seat = int(m.state.owner[f])
    while asked(m, seat) != f or text not in m.legal(seat):
        if not _play_forced(m):
            whose = LETTERS[asked(m, seat)] if asked(m, seat) != NO_FAIRY else "nobody"
            raise AssertionError(
                f"{LETTERS[f]}: {text!r} can't be played; seat {seat} is asked for {whose}: "
                f"{', '.join(m.legal(seat))}\n{m}"
            )
    m.play(seat, text)


def skip_forced(m: Match) -> Match:
    """Play on while nobody who is asked has more than one thing to do, as far as the cards reach."""
    while m.pending and all(len(m.legal_ids(seat)) == 1 for seat in m.pending):
        try:
            _play_forced(m)
        except SetupError as error:
            if "is not in the script" not in str(error):
                raise
            return m
    return m


def _play_forced(m: Match) -> bool:
    for seat in m.pending:
        if len(m.legal_ids(seat)) == 1:
            m.play(seat, m.legal_ids(seat)[0])
            return True
    return False


def asked(m: Match, seat: int) -> int:
    """Fairy for whom a seat owes a choice, or NO_FAIRY."""
    return int(choices.asked_fairy(m.state, seat))


def asks(m: Match) -> str:
    """What is open: `"A: add, subtract"`; several fairies are joined by ` | `."""
    return " | ".join(f"{LETTERS[asked(m, seat)]}: {', '.join(m.legal(seat))}" for seat in m.pending)


def points(m: Match) -> int:
    """Points of a finished clash: what the attacker won, below 0 what the defender won."""
    assert m.is_over, m
    assert m.returns()[1] == -m.returns()[0]
    return int(m.returns()[0])


def life(m: Match, f: int) -> tuple[int, int]:
    """Live and Kill in the Life section."""
    return int(m.state.live[f]), int(m.state.kill[f])


def meat(m: Match, f: int) -> tuple[int, int]:
    return int(m.state.meat_live[f]), int(m.state.meat_kill[f])


def held(m: Match, f: int) -> str:
    """Cards in hand, low to high."""
    return cards_text(m.state.hand[f])


def words(m: Match, n: int = 1) -> str:
    """The last `n` sentences of the log."""
    return " ".join(event.words for event in m.log[-n:])

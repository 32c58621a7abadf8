"""The table as a picture: fairy cards with their counters, hands, what lies on the table.

Needs Pillow. Never imported by the kernel.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fm_env.games.fairy_meat import combat_unclevl as uncl
from fm_env.games.fairy_meat.constants import (
    FAIRY_NAMES,
    FIRST_TRUMP,
    JOKER,
    NO_CARD,
    NO_WEAPON,
    NUM_CARDS,
    WEAPON_NAMES,
    Combat,
    Play,
    Sign,
)
from fm_env.games.fairy_meat.notation import RANK_LETTERS
from fm_env.games.fairy_meat.view import asked_line, situation
from fm_env.games.fairy_meat.words import fairy_name, readable

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw

WIDTH = 960
ROW_HEIGHT = 190
HEADER, FOOTER = 48, 76
CARD_W, CARD_H = 40, 56
PAPER, INK, FAINT = (250, 246, 236), (44, 38, 34), (150, 140, 128)
RED, BLACK, BACK = (190, 40, 50), (30, 30, 36), (96, 116, 150)
LIVE, KILL, TWINKLE, SPENT = (80, 150, 90), (190, 70, 60), (120, 100, 190), (214, 206, 192)


def picture(state: Any, seat: int | None) -> np.ndarray:
    """The position as `uint8[H, W, 3]`; hands of others lie face down for a `seat`, None sees all."""
    from PIL import Image, ImageDraw

    s = readable(state)
    height = HEADER + ROW_HEIGHT * int(s.n_fairies) + FOOTER
    image = Image.new("RGB", (WIDTH, height), PAPER)
    draw = ImageDraw.Draw(image)
    write(draw, 16, 14, situation(s), 17)
    for f in range(s.n_fairies):
        top = HEADER + ROW_HEIGHT * f
        draw.line([(16, top), (WIDTH - 16, top)], fill=SPENT)
        draw_fairy(draw, s, f, 16, top + 10)
        mine = seat is None or int(s.owner[f]) == seat
        draw_cards(draw, s, f, mine, 300, top + 10)
    bottom = HEADER + ROW_HEIGHT * int(s.n_fairies)
    draw.line([(16, bottom), (WIDTH - 16, bottom)], fill=SPENT)
    heap = int(s.heap_up.sum() + s.heap_down.sum())
    write(
        draw,
        16,
        bottom + 12,
        f"deck {int(s.n_deck)}    Spoils Heap {heap}, {int(s.heap_up.sum())} seen by all",
        15,
    )
    write(draw, 16, bottom + 40, asked_line(s, seat), 15)
    return np.asarray(image, np.uint8)


def write(draw: ImageDraw, x: int, y: int, text: str, size: int, fill: tuple[int, int, int] = INK) -> None:
    """One line of text."""
    from PIL import ImageFont

    draw.text((x, y), text, font=ImageFont.load_default(size), fill=fill)


def draw_fairy(draw: ImageDraw, s: Any, f: int, x: int, y: int) -> None:
    """Her name, weapons, counters and place in the round."""
    alive = bool(s.alive[f])
    write(draw, x, y, f"{fairy_name(f)}  seat {int(s.owner[f])}", 18, INK if alive else FAINT)
    if s.play == Play.CLASH:
        write(
            draw,
            x,
            y + 28,
            "attacker" if f == s.attacker else "defender" if f == s.defender else "",
            14,
            FAINT,
        )
        return
    weapons = [WEAPON_NAMES[w].replace("_", " ") for w in s.weapon[f][1:] if w != NO_WEAPON]
    kind = f"{FAIRY_NAMES[s.fairy_type[f]]}, {', '.join(weapons) or 'unarmed'}"
    write(draw, x, y + 26, kind if alive else "dead", 14, FAINT)
    counters(draw, x, y + 52, "Live", int(s.live[f]), int(s.meat_live[f]), LIVE)
    counters(draw, x, y + 76, "Kill", int(s.kill[f]), int(s.meat_kill[f]), KILL)
    counters(draw, x, y + 100, "Twinkle", int(s.twinkle[f]), int(s.used_twinkle[f]), TWINKLE)
    order = "has acted" if s.acted[f] else f"{int(s.n_order[f])} Order Card{'' if s.n_order[f] == 1 else 's'}"
    write(draw, x, y + 128, order if alive else "", 14, FAINT)


def counters(
    draw: ImageDraw, x: int, y: int, name: str, left: int, gone: int, colour: tuple[int, int, int]
) -> None:
    """A row of counters: those in the Life section, then those in the Meat section as rings."""
    write(draw, x, y, name, 14)
    for k in range(left + gone):
        box = (x + 68 + 15 * k, y + 3, x + 79 + 15 * k, y + 14)
        draw.ellipse(box, fill=colour if k < left else PAPER, outline=colour)


def draw_cards(draw: ImageDraw, s: Any, f: int, mine: bool, x: int, y: int) -> None:
    """Her hand above, what she has on the table below."""
    hand = [c for c in range(NUM_CARDS) for _ in range(int(s.hand[f, c]))]
    right = x
    for c in hand:
        right = card(draw, right, y, c if mine else NO_CARD, len(hand))
    if s.sign[f] != Sign.NONE:
        write(draw, right + 14, y + 18, "adds" if s.sign[f] == Sign.ADD else "subtracts", 15)
    y += 92
    right = x
    seen = mine or bool(s.laid_up[f])
    trumps = [c for c in range(FIRST_TRUMP, JOKER) for _ in range(int(s.laid[f, c]))]
    for c in trumps:
        right = card(draw, right, y, c if seen else NO_CARD, len(trumps), shaded=not s.laid_up[f])
    wild = [c for c in range(FIRST_TRUMP, JOKER) for _ in range(int(s.wild[f, c]))]
    for c in wild:
        right = card(draw, right, y, c, 6)
    if s.main[f] >= 0:
        right = card(draw, right + 10 * (right > x), y, int(s.main[f]), 1)
        if s.combat == Combat.UNCLEVL and s.main[f] < FIRST_TRUMP:
            write(draw, right + 14, y + 18, f"total {uncl.total(s, f)}", 17)


def card(draw: ImageDraw, x: int, y: int, c: int, among: int, shaded: bool = False) -> int:
    """One card, face down for `NO_CARD`; returns where the next one goes (closer in a large hand)."""
    box = (x, y, x + CARD_W, y + CARD_H)
    draw.rounded_rectangle(
        box, 5, fill=BACK if c == NO_CARD else "white", outline=BACK if shaded else INK, width=2
    )
    if c == JOKER:
        write(draw, x + 13, y + 16, "X", 20, TWINKLE)
    elif c != NO_CARD:
        rank = RANK_LETTERS[c // 2].replace("T", "10")
        write(draw, x + (6 if len(rank) > 1 else 12), y + 15, rank, 21, RED if c % 2 == 0 else BLACK)
    return x + (CARD_W + 6 if among <= 12 else 24)

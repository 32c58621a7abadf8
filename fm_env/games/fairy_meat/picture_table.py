"""The whole table from above: terrain by height, figures with their counters, hands, the score.

A seat sees figures to the grain of an eye and only the cards it may see; None sees everything.
Images need Pillow, SVG needs nothing. Never imported by the kernel.
"""

from __future__ import annotations

import math
from textwrap import wrap
from typing import Any

import numpy as np

from fm_env.games.fairy_meat.constants import (
    BOX,
    FAIRY_NAMES,
    FIRST_TRUMP,
    INCH,
    JOKER,
    NO_CARD,
    NO_FAIRY,
    NO_WEAPON,
    NUM_CARDS,
    Magic,
    Phase,
    Place,
    Sign,
)
from fm_env.games.fairy_meat.notation import RANK_LETTERS
from fm_env.games.fairy_meat.scene import Circle, Colour, Line, Rect, Scene, Text
from fm_env.games.fairy_meat.scoring import table_points
from fm_env.games.fairy_meat.view import asked_line, situation, turn_words
from fm_env.games.fairy_meat.view_table import effects, seen_at, turn_line, warband_line
from fm_env.games.fairy_meat.words import count, fairy_name, inches, readable

WIDTH, HEIGHT = 1280, 900
LEFT, TOP, SIDE = 34, 68, 700
"""The playing area on the sheet."""
PANEL = 766
"""Left edge of the list of figures."""
PAPER, INK, FAINT = (250, 246, 236), (44, 38, 34), (150, 140, 128)
GRASS, GRID = (229, 237, 215), (208, 220, 192)
LOW, HIGH = (222, 206, 172), (104, 88, 80)
GOLD, SHOT, FLIGHT = (226, 168, 30), (196, 40, 40), (50, 90, 180)
LIVE, KILL, TWINKLE = (70, 150, 80), (200, 60, 50), (126, 96, 200)
RED, BLACK, BACK = (190, 40, 50), (30, 30, 36), (96, 116, 150)
SEATS = ((176, 48, 96), (36, 104, 176), (206, 118, 20), (24, 128, 112), (116, 76, 168), (96, 96, 60))
"""Colours of the players."""
SHORT = ("", "bow", "brownie", "wand", "knife", "dagger", "ripper", "carver", "vibro")


def table_picture(state: Any, seat: int | None, before: Any = None) -> np.ndarray:
    """The position as `uint8[H, W, 3]`; arrows show what was done since `before`."""
    return table_scene(state, seat, before).image()


def table_svg(state: Any, seat: int | None = None, before: Any = None) -> str:
    """The position as the text of an SVG file; arrows show what was done since `before`."""
    return table_scene(state, seat, before).svg()


def table_scene(state: Any, seat: int | None, before: Any = None) -> Scene:
    """Everything that `seat` may see."""
    s = readable(state)
    scene = Scene(WIDTH, HEIGHT, PAPER)
    draw_header(scene, s)
    draw_ground(scene, s)
    for k in np.argsort(s.top[: s.n_pieces], kind="stable").tolist():
        draw_piece(scene, s, k)
    for k in range(s.n_items):
        if s.weight[k] > 0:
            draw_item(scene, s, k, seat)
    draw_acts(scene, s, seat, readable(before) if before is not None else None)
    on_table = [f for f in range(s.n_fairies) if s.whereabouts[f] == Place.TABLE]
    for f in sorted(on_table, key=lambda f: bool(s.alive[f])):
        draw_figure(scene, s, f, seat)
    draw_panel(scene, s, seat)
    draw_fight(scene, s, seat)
    return scene


def disc(s: Any) -> float:
    """Radius of a figure on the sheet."""
    return max(8.0, SIDE * int(s.radius) / s.side)


def spot(s: Any, x: float, y: float) -> tuple[float, float]:
    """A place of the table on the sheet."""
    return LEFT + SIDE * x / s.side, TOP + SIDE * (1 - y / s.side)


# ----------------------------------------------------------------------------------- the table
def draw_header(scene: Scene, s: Any) -> None:
    """Round, countdown, and the points of each player."""
    scene.add(Text(LEFT, 22, situation(s), 18, INK))
    x = LEFT
    for seat in range(s.n_seats):
        points = f"seat {seat}: {int(table_points(s, seat))}"
        detail = f"({count(s.kills[seat], 'kill')}, {int(s.eaten[seat])} meat)"
        scene.add(
            Rect(x, 40, x + 12, 52, SEATS[seat], round=3), Text(x + 18, 46, f"{points} {detail}", 14, INK)
        )
        x += 196


def draw_ground(scene: Scene, s: Any) -> None:
    """The playing area, a line every six inches, numbers along two sides."""
    scene.add(Rect(LEFT, TOP, LEFT + SIDE, TOP + SIDE, GRASS))
    step = 6 * INCH if s.side > 20 * INCH else 2 * INCH
    for at in range(0, int(s.side) + 1, step):
        x, y = spot(s, at, at)
        scene.add(Line(x, TOP, x, TOP + SIDE, GRID), Line(LEFT, y, LEFT + SIDE, y, GRID))
        scene.add(
            Text(x, TOP + SIDE + 10, inches(at), 11, FAINT, "m"),
            Text(LEFT - 6, y, inches(at), 11, FAINT, "r"),
        )
    scene.add(Rect(LEFT, TOP, LEFT + SIDE, TOP + SIDE, None, INK, 2))


def draw_piece(scene: Scene, s: Any, k: int) -> None:
    """Darker is higher; its number and its height in inches."""
    share = min(1.0, int(s.top[k]) / (12 * INCH))
    fill: Colour = tuple(round(a + (b - a) * share) for a, b in zip(LOW, HIGH, strict=True))  # type: ignore[assignment]
    (cx, cy), (hx, hy) = s.centre[k].tolist(), s.half[k].tolist()
    x, y = spot(s, cx, cy)
    if s.form[k] == BOX:
        (x0, y1), (x1, y0) = spot(s, cx - hx, cy - hy), spot(s, cx + hx, cy + hy)
        scene.add(Rect(x0, y0, x1, y1, fill, INK))
    else:
        scene.add(Circle(x, y, SIDE * hx / s.side, fill, INK))
    ink = (255, 255, 255) if share > 0.5 else INK
    roomy = SIDE * min(hx, hy) / s.side >= 18
    scene.add(Text(x, y - 5, f'{inches(s.top[k])}"', 12 if roomy else 9, ink, "m"))
    scene.add(Text(x, y + 6, f"piece {k}" if roomy else f"p{k}", 8, ink, "m"))


def draw_item(scene: Scene, s: Any, k: int, seat: int | None) -> None:
    """Loot that is no corpse, with its weight."""
    x, y = spot(s, *seen_at(s, s.thing[k], seat))
    scene.add(
        Rect(x - 7, y - 7, x + 7, y + 7, GOLD, INK, round=2), Text(x, y, str(int(s.weight[k])), 11, INK, "m")
    )


def draw_acts(scene: Scene, s: Any, seat: int | None, before: Any) -> None:
    """Who flies where, who attacks whom; what was done since `before`."""
    if before is not None:
        for line in lines_since(before, s, seat):
            scene.add(line)
    if s.mover != NO_FAIRY:
        air = spot(s, *seen_at(s, s.air, seat))
        scene.add(Line(*spot(s, *seen_at(s, s.start, seat)), *air, FLIGHT, 2, arrow=True))
        scene.add(Circle(*air, disc(s), None, FLIGHT, 2))
    a, d = int(s.attacker), int(s.defender)
    if a != NO_FAIRY and d != NO_FAIRY and a != d and s.whereabouts[a] == s.whereabouts[d] == Place.TABLE:
        for line in between(s, s.pos[a], s.pos[d], seat, SHOT, 3):
            scene.add(line)


def between(s: Any, start: Any, end: Any, seat: int | None, colour: Colour, width: int) -> list[Line]:
    """An arrow from a figure to the edge of another's disc; none where they are seen in one spot."""
    (x0, y0), (x1, y1) = (spot(s, *seen_at(s, place, seat)) for place in (start, end))
    way = math.dist((x0, y0), (x1, y1))
    if way == 0:
        return []
    share = max(0.5, 1 - disc(s) / way)
    return [Line(x0, y0, x0 + share * (x1 - x0), y0 + share * (y1 - y0), colour, width, arrow=True)]


def lines_since(before: Any, s: Any, seat: int | None) -> list[Line]:
    """Arrows for what was done and is over: moves, blows and shots, spells on others.

    A shot that fell short leaves none: it is over as soon as its target is named.
    """
    if s.table < 0 or before.table != s.table or before.n_fairies != s.n_fairies:
        return []  # the figures aren't those of `before`
    lines = []
    for f in range(s.n_fairies):
        moved = s.whereabouts[f] == before.whereabouts[f] == Place.TABLE
        old, new = seen_at(s, before.pos[f], seat), seen_at(s, s.pos[f], seat)
        if moved and old != new:
            lines.append(Line(*spot(s, *old), *spot(s, *new), FLIGHT, 2, arrow=True))
    a, d = int(before.attacker), int(before.defender)
    if a not in (NO_FAIRY, d) and d != NO_FAIRY and (s.attacker, s.defender) != (a, d):
        lines += between(s, before.pos[a], before.pos[d], seat, SHOT, 2)
    caster = int(before.turn)
    for f in range(s.n_fairies) if caster != NO_FAIRY else ():
        cast = any(spell[f] > old[f] for spell, old in spells_on(s, before))
        if cast and f != caster:
            lines += between(s, before.pos[caster], before.pos[f], seat, TWINKLE, 2)
    return lines


def spells_on(s: Any, before: Any) -> tuple[tuple[Any, Any], ...]:
    """Spells that figures are under, now and before."""
    return (s.wind_up, before.wind_up), (s.shimmer, before.shimmer), (s.bound, before.bound)


def something_done(before: Any, state: Any) -> bool:
    """Whether `before` and now differ by an act that leaves a line (`lines_since`)."""
    return bool(lines_since(readable(before), readable(state), None))


def draw_figure(scene: Scene, s: Any, f: int, seat: int | None) -> None:
    """A disc in her player's colour with her letter; below it Live, Kill and Twinkle. Corpses are pale."""
    x, y = spot(s, *seen_at(s, s.pos[f], seat))
    radius = disc(s)
    colour = SEATS[s.owner[f]]
    if not s.alive[f]:
        meat = int(s.meat_live[f] + s.meat_kill[f])
        scene.add(Circle(x, y, radius, PAPER, colour, 2), Text(x, y, fairy_name(f), 11, FAINT, "m"))
        scene.add(Line(x - radius, y - radius, x + radius, y + radius, colour, 1))
        inward = x > LEFT + SIDE - 60
        beside = x - radius - 3 if inward else x + radius + 3
        scene.add(Text(beside, y, f"{meat} meat", 9, INK, "r" if inward else "l"))
        return
    if f == s.turn:
        scene.add(Circle(x, y, radius + 4, GOLD, INK))
    scene.add(Circle(x, y, radius, colour, INK), Text(x, y, fairy_name(f), 13, (255, 255, 255), "m"))
    pips = [LIVE] * int(s.live[f]) + [KILL] * int(s.kill[f]) + [TWINKLE] * int(s.twinkle[f])
    left = x - 2.5 * len(pips)
    for k, pip in enumerate(pips):
        scene.add(Rect(left + 5 * k, y + radius + 2, left + 5 * k + 3, y + radius + 6, pip))
    if s.pos[f, 2] > 0:
        scene.add(Text(x + radius + 2, y - radius, f'{inches(s.pos[f, 2])}"', 9, INK))


# ----------------------------------------------------------------------------------- the panel
def draw_panel(scene: Scene, s: Any, seat: int | None) -> None:
    """Every fairy card, by player."""
    if s.phase == Phase.BUILD:
        y = TOP
        for other in range(s.n_seats) if seat is None else [seat]:
            title, _, fairies = warband_line(s, other).partition(": ")
            scene.add(Text(PANEL, y, title, 15, SEATS[other]))
            for fairy in fairies.split("), "):
                y += 22
                scene.add(Text(PANEL + 14, y, fairy.rstrip(")") + ")" * ("(" in fairy), 13, INK))
            y += 34
        return
    rows = int(s.n_fairies + s.n_seats)
    height = min(34.0, (SIDE + 20) / max(1, rows))
    y = TOP + height / 2
    for k in range(s.n_seats):
        other = k if seat is None else (seat + k) % s.n_seats
        mine = " (you)" if other == seat else ""
        scene.add(Text(PANEL, y, f"Seat {other}{mine}", 15, SEATS[other]))
        for column, (name, colour) in enumerate((("Live", LIVE), ("Kill", KILL), ("Twinkle", TWINKLE))):
            scene.add(Text(PANEL + 124 + 68 * column, y, name, 10, colour))
        y += height
        for f in np.flatnonzero(s.owner[: s.n_fairies] == other).tolist():
            draw_row(scene, s, f, seat, y, height)
            y += height


def draw_row(scene: Scene, s: Any, f: int, seat: int | None, y: float, height: float) -> None:
    """Her name, counters (rings for those in the Meat section), weapons, place in the round, magic."""
    alive = bool(s.alive[f])
    ink = INK if alive else FAINT
    dead = {Place.LEFT: "left the field", Place.GONE: "eaten up"}.get(Place(int(s.whereabouts[f])), "dead")
    fill = SEATS[s.owner[f]] if alive else PAPER
    letter = (255, 255, 255) if alive else FAINT
    if f == s.turn:
        scene.add(Circle(PANEL + 10, y, 11, GOLD))
    scene.add(
        Circle(PANEL + 10, y, 9, fill, SEATS[s.owner[f]]), Text(PANEL + 10, y, fairy_name(f), 12, letter, "m")
    )
    roomy = height >= 26
    kind = f"{FAIRY_NAMES[s.fairy_type[f]]}, {Magic(int(s.magic[f])).name.lower()}"
    arms = ", ".join(SHORT[w] for w in s.weapon[f][1:] if w != NO_WEAPON) or "unarmed"
    scene.add(Text(PANEL + 26, y - (6 if roomy else 0), kind, 11 if roomy else 10, ink))
    if roomy:
        scene.add(Text(PANEL + 26, y + 7, arms, 11, FAINT))
    counters = (
        (s.live, s.meat_live, LIVE),
        (s.kill, s.meat_kill, KILL),
        (s.twinkle, s.used_twinkle, TWINKLE),
    )
    for column, (left, gone, colour) in enumerate(counters):
        x = PANEL + 124 + 68 * column
        for k in range(min(12, int(left[f] + gone[f]))):
            place = (x + 9 * (k % 7) + 3, y + (8 * (k // 7) - 4 if left[f] + gone[f] > 7 else 0))
            scene.add(Circle(*place, 3, colour if k < left[f] else PAPER, colour))
    status = turn_words(s, f, seat) if alive else dead
    if alive and s.whereabouts[f] == Place.AWAY:
        status = "to be placed"
    scene.add(Text(PANEL + 332, y - (6 if roomy else 0), status.replace("Order Cards ", "cards "), 11, ink))
    magic = ", ".join(effects(s, f)) if alive else ""
    if roomy and magic:
        scene.add(Text(PANEL + 332, y + 7, magic, 11, TWINKLE))


# ------------------------------------------------------------------------------------ the cards
def draw_fight(scene: Scene, s: Any, seat: int | None) -> None:
    """Below the table: the fighters' hands and what lies before them; who is asked for what."""
    y = TOP + SIDE + 26
    scene.add(Text(LEFT, HEIGHT - 14, asked_line(s, seat), 14, INK))
    heap = int(s.heap_up.sum() + s.heap_down.sum())
    scene.add(Text(WIDTH - 20, HEIGHT - 14, f"deck {int(s.n_deck)}, Spoils Heap {heap}", 13, FAINT, "r"))
    if s.turn != NO_FAIRY:
        for k, line in enumerate(wrap(turn_line(s, seat), 70)):
            scene.add(Text(PANEL, HEIGHT - 74 + 16 * k, line, 12, INK))
    if s.attacker == NO_FAIRY or s.defender == NO_FAIRY:
        return
    for k, f in enumerate((int(s.attacker), int(s.defender))):
        mine = seat is None or s.owner[f] == seat
        x = LEFT + 352 * k
        sign = {Sign.ADD: ", adds", Sign.SUBTRACT: ", subtracts"}.get(Sign(int(s.sign[f])), "")
        title = f"{fairy_name(f)} {('attacks', 'defends')[k]}{sign}"
        scene.add(Text(x, y, title, 13, SEATS[s.owner[f]]))
        hand = [c if mine else NO_CARD for c in cards_of(s.hand[f])]
        draw_cards(scene, hand, x, y + 10, 160)
        shown = mine or bool(s.laid_up[f])
        laid = [c if shown else NO_CARD for c in cards_of(s.laid[f])] + cards_of(s.wild[f])
        if s.main[f] >= 0:
            laid.append(int(s.main[f]))
        draw_cards(scene, laid, x + 182, y + 10, 160, on_table=True)


def cards_of(counts: Any) -> list[int]:
    """A pile as a list, low to high."""
    return [c for c in range(NUM_CARDS) for _ in range(int(counts[c]))]


def draw_cards(
    scene: Scene, cards: list[int], x: float, y: float, room: float, on_table: bool = False
) -> None:
    """Cards side by side, closer where they are many; face down is `NO_CARD`."""
    step = min(30.0, (room - 26) / max(1, len(cards) - 1)) if len(cards) > 1 else 30.0
    for k, c in enumerate(cards):
        left = x + step * k
        edge = GOLD if on_table else INK
        scene.add(Rect(left, y, left + 26, y + 36, BACK if c == NO_CARD else (255, 255, 255), edge, 2, 4))
        if c == JOKER:
            scene.add(Text(left + 13, y + 18, "X", 16, TWINKLE, "m"))
        elif c != NO_CARD:
            rank = RANK_LETTERS[c // 2].replace("T", "10")
            size = 16 if c >= FIRST_TRUMP or len(rank) == 1 else 13
            scene.add(Text(left + 13, y + 18, rank, size, RED if c % 2 == 0 else BLACK, "m"))

"""Events of Angry Miniatures in words: what was chosen or rolled, and all that followed by itself.

Squares are named from seat 0's edge. Never imported by the kernel.
"""

from __future__ import annotations

from typing import Any

from fm_env.contract import CHANCE
from fm_env.games.angry_miniatures import actions as act
from fm_env.games.angry_miniatures import dice
from fm_env.games.angry_miniatures.board import turned
from fm_env.games.angry_miniatures.combat import lead, side_health
from fm_env.games.angry_miniatures.constants import CRIT_NAMES, Phase
from fm_env.games.angry_miniatures.course import figure_at
from fm_env.games.angry_miniatures.notation import action_texts, words
from fm_env.games.angry_miniatures.sheet import sheet_in_hand
from fm_env.games.angry_miniatures.view import differences, figure_name, readable, square_seen


def event_text(before: Any, seat: int, action: int, after: Any) -> str:
    """What just happened, all-seeing. `seat` is CHANCE for a roll."""
    b, a = readable(before), readable(after)
    said = rolled(b, action) if seat == CHANCE else chosen(b, seat, action)
    return " ".join([said, *compared(b, a, seat, action), *followed(b, a)])


# ------------------------------------------------------------------------------- what was rolled
def rolled(b: Any, outcome: int) -> str:
    """A pool, or a contest of single dice."""
    if b.phase == Phase.ROLL_ATTACK:
        return f"{figure_name(int(b.attacker))} rolls {pool_words(b, outcome)} to attack."
    if b.phase == Phase.ROLL_DEFENCE:
        return f"{figure_name(int(b.caught[b.facing]))} rolls {pool_words(b, outcome)} to defend."
    first = outcome == dice.FIRST_HIGHER
    if b.phase == Phase.ROLL_TIE:
        winner = int(b.attacker) if first else int(b.caught[b.facing])
        return f"SuperTieBreaker: {figure_name(winner)} rolls higher."
    purpose = "initiative" if b.phase == Phase.ROLL_INITIATIVE else "deployment"
    return f"Seat {0 if first else 1} wins the roll for {purpose}."


def pool_words(b: Any, outcome: int) -> str:
    """`2 dice: K and 1 number`."""
    n = int(b.dice)
    numbers = n - int(dice.THROWS[outcome].sum())
    shown = " ".join(dice.throw_text(outcome)) if numbers < n else ""
    rest = f"{numbers} number{'s' if numbers != 1 else ''}"
    faces = " and ".join(part for part in (shown, rest if numbers or not n else "") if part)
    return f"{n} {'die' if n == 1 else 'dice'}: {faces}"


# ------------------------------------------------------------------------------- what was chosen
def chosen(b: Any, seat: int, action: int) -> str:
    """The choice itself."""
    text = action_texts()[action]
    where = square_seen(b, int(turned(b, seat, action)), 0) if action < act.FIGURE else ""
    figure = figure_name(figure_at(seat, action - act.FIGURE)) if act.FIGURE <= action < act.END else ""
    if b.phase == Phase.BUILD:
        return f"Seat {seat} writes {text} on the sheet of {figure_name(sheet_in_hand(b, seat))}, in secret."
    if b.phase == Phase.PLACE_FIGURE:
        return f"Seat {seat} takes {figure}."
    if b.phase == Phase.PLACE_CELL:
        return f"{figure_name(int(b.picked))} is deployed on {where}."
    if b.phase == Phase.INITIATIVE:
        return f"Seat {seat} chooses to {text}."
    if b.phase == Phase.ACTIVATE:
        return f"{figure} is activated."
    if b.phase == Phase.COMMAND:
        friend = figure_name(int(b.commanded))
        return f"{friend} stays." if action == act.DECLINE else f"{friend} moves to {where} at once."
    if b.phase == Phase.CRIT:
        return crit_words(b, action, figure)
    active = figure_name(int(b.active))
    if action == act.END:
        return f"{active} is done."
    if action == act.STAND_UP:
        return f"{active} stands up."
    return f"{active} attacks {figure}." if figure else f"{active} moves to {where}."


def crit_words(b: Any, action: int, figure: str) -> str:
    """A Crit used or saved."""
    name, crit = figure_name(int(b.critter)), words(CRIT_NAMES[b.crit[b.critter]])
    if action == act.DECLINE:
        return f"{name} saves the Crit."
    return f"{name} Crits: {crit}{' on ' + figure if figure else ''}."


# ----------------------------------------------------------------------------- what then followed
def compared(b: Any, a: Any, seat: int, action: int) -> list[str]:
    """Hits against hits, once the defence is rolled."""
    if b.phase != Phase.ROLL_DEFENCE or seat != CHANCE:
        return []
    s = readable(b)
    for side in range(4):
        s.defence_roll[side] = dice.THROWS[action, side]
    attack, defence = dice.hits(s.attack_roll), dice.hits(s.defence_roll)
    if lead(s):
        return [f"{attack} hits against {defence}."]
    ahead = dice.superior(s.attack_roll, s.defence_roll)
    who = {1: "the attack is superior", -1: "the defence is superior", 0: "equal in everything"}[int(ahead)]
    return [f"A tie at {attack}: {who}."]


def followed(b: Any, a: Any) -> list[str]:
    """Damage and healing, deaths, falls, a new round, the end."""
    said = []
    if b.phase == Phase.BUILD and a.phase != Phase.BUILD:
        said.append("Both teams are built.")
        return said
    if b.phase == Phase.BUILD:
        return said
    for f in differences(b, a, "health"):
        change = int(a.health[f]) - int(b.health[f])
        verb = "takes" if change < 0 else "regains"
        said.append(f"{figure_name(f)} {verb} {abs(change)}{' and dies' if a.health[f] == 0 else ''}.")
    for f in differences(b, a, "prone"):
        if a.prone[f] and a.health[f]:
            said.append(f"{figure_name(f)} falls prone.")
    for f in differences(b, a, "buffed"):
        if a.buffed[f]:
            said.append(f"{figure_name(f)} will roll one more die.")
    if a.round_number > b.round_number:
        said.append(f"Round {int(a.round_number)} begins.")
    if a.phase == Phase.OVER:
        said.append(end_words(a))
    return said


def end_words(a: Any) -> str:
    """How it ended."""
    mine, theirs = int(side_health(a, 0)), int(side_health(a, 1))
    if mine == theirs:
        return f"The game is drawn, Health {mine} to {theirs}."
    return f"Seat {0 if mine > theirs else 1} wins, Health {max(mine, theirs)} to {min(mine, theirs)}."

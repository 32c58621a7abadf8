"""Events of Fairy Meat in words: what was chosen or drawn, and all that followed by itself.

Never imported by the kernel.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from fm_env.contract import CHANCE
from fm_env.games.fairy_meat import actions as act
from fm_env.games.fairy_meat import choices, decisions, order
from fm_env.games.fairy_meat import combat_fast_play as fast
from fm_env.games.fairy_meat import combat_unclevl as uncl
from fm_env.games.fairy_meat import narration_table as on_table
from fm_env.games.fairy_meat.constants import (
    BARE_HANDS,
    JOKER,
    NO_CARD,
    NO_FAIRY,
    TABLE_OUTCOME,
    WEAPON_NAMES,
    Combat,
    Kind,
    Main,
    Phase,
    Play,
)
from fm_env.games.fairy_meat.notation import action_texts, call_text, card_text, cards_text
from fm_env.games.fairy_meat.scoring import fairy_points
from fm_env.games.fairy_meat.words import COLOURS, count, fairy_name, poll_text, readable, score_line

Words = list[str]
TOO_LATE = ", too late to use them this round"


def event_text(before: np.record, seat: int, action: int, after: np.record) -> str:
    """What just happened, all-seeing. `seat` is CHANCE for a drawn card."""
    steps = list(walk(before, seat, action))
    words = [drawn_words(steps[0], action) if seat == CHANCE else chosen_words(steps[0], seat, action)]
    for old, new in itertools.pairwise(steps):
        words += happened(old, new)
    return " ".join(word for word in words if word)


def walk(before: Any, seat: int, action: int, copy: Callable[[Any], Any] = readable) -> Iterator[Any]:
    """The state before, after the event itself, and after each thing that then passed by itself.

    The steps of `decisions.settle`, one by one, so that what lies between can be told too.
    """
    s = copy(before)
    yield copy(s)
    if seat == CHANCE:
        decisions.take_card(s, action)
    else:
        decisions.take_action(s, choices.asked_fairy(s, seat), action)
    yield copy(s)
    while s.phase != Phase.OVER:
        going_on = decisions.pass_step(s)
        yield copy(s)
        if not going_on:
            return


class Briefly:
    """Events of one game in words, one after the other, without plans that are only made again: everybody
    plans anew after every turn, and mostly the same.
    """

    PLAN = re.compile(r"(\w) plans in secret to [^.]*\.(?: |$)")

    def __init__(self) -> None:
        """At the start of a game."""
        self.plans: dict[str, str] = {}

    def __call__(self, words: str) -> str:
        """What is new of an event's words; empty if nothing is."""
        plan = self.PLAN.match(words)
        if plan and self.plans.get(plan[1]) == plan[0].strip():
            words = words[plan.end() :]
        elif plan:
            self.plans[plan[1]] = plan[0].strip()
        if re.search(r"Round \d+ begins\.", words):
            self.plans.clear()
        return words


# ------------------------------------------------------------------------- a card that was drawn
def drawn_words(s: Any, card: int) -> str:
    """Who drew what for what."""
    if card >= TABLE_OUTCOME:
        return on_table.drawn_on_table(s, card)
    name = card_text(card)
    if s.phase in (Phase.DRAW_ATTACKER, Phase.WILD_ATTACKER):
        who = fairy_name(s.attacker)
    elif s.phase in (Phase.DRAW_DEFENDER, Phase.WILD_DEFENDER):
        who = fairy_name(s.defender)
    elif s.phase == Phase.DEAL_ORDER:
        return f"{fairy_name(order.next_to_be_dealt(s))} is dealt the Order Card {name}."
    elif s.phase == Phase.DRAW_LOT:
        return on_table.lot_words(s, name)
    else:
        return f"{fairy_name(order.next_tie_drawer(s))} draws {name} for the tie."
    wild = s.phase in (Phase.WILD_ATTACKER, Phase.WILD_DEFENDER)
    return f"{who} draws {name} for her wild trump." if wild else f"{who} draws {name}."


# -------------------------------------------------------------------------- what a player chose
def chosen_words(s: Any, seat: int, action: int) -> str:
    """The choice itself, hidden or not."""
    if s.phase == Phase.BUILD:
        return on_table.build_words(s, seat, action)
    f = choices.asked_fairy(s, seat)
    return CHOICE_WORDS[Phase(int(s.phase))](s, f, fairy_name(f), action)


def _think(s: Any, f: int, name: str, action: int) -> str:
    n = action - act.THINK
    return f"{name} thinks, spending {count(n, 'Twinkle Point')}." if n else f"{name} does not think."


def _plan(s: Any, f: int, name: str, action: int) -> str:
    text = action_texts(len(s.live))[action]
    if action == act.HOLD:
        return f"{name} plans in secret to hold as long as she may."
    if action >= act.PLAN_JOKER:
        return f"{name} plans in secret to show her joker before {call_text(action - act.PLAN_JOKER)}."
    return f"{name} plans in secret to {text}."


def _act(s: Any, f: int, name: str, action: int) -> str:
    if action == act.END_TURN:
        return f"{name} ends her turn."
    if action == act.REST:
        return f"{name} gives up her attack and regains a Twinkle Point."
    if action >= act.MODE:
        return on_table.act_words(s, f, name, action)
    if s.play == Play.SKIRMISH:
        return on_table.attack_words(s, f, name, action)
    if action == act.WRESTLE:
        return f"{name} starts to wrestle."
    weapon = s.weapon[f, action - act.ATTACK]
    if weapon == BARE_HANDS:
        return f"{name} attacks bare-handed."
    return f"{name} attacks with her {WEAPON_NAMES[weapon].replace('_', ' ')}."


def _target(s: Any, f: int, name: str, action: int) -> str:
    if s.phase == Phase.TARGET and s.play == Play.SKIRMISH:
        return on_table.goal_words(s, f, name, action)
    if action == act.STOP:
        return f"{name} makes no further attack."
    if action == act.DECLINE:
        missed = s.phase == Phase.REDIRECT
        return f"{name} lets the shot miss." if missed else f"{name} lets the spell fade."
    target = fairy_name(s.roster[s.owner[f], action - act.TARGET])
    return {
        Phase.PICK_OWN: f"{name}'s player has {target} act first.",
        Phase.REDIRECT: f"{name}'s player sends the shot at {target}.",
        Phase.RECAST: f"{name} casts the spell at {target}.",
    }.get(Phase(int(s.phase)), f"{name} attacks {target}.")


def _trade(s: Any, f: int, name: str, action: int) -> str:
    if action == act.KEEP:
        return f"{name} keeps her trumps."
    return f"{name} discards a {COLOURS[action - act.TRADE]} trump and regains a Twinkle Point."


def _declare(s: Any, f: int, name: str, action: int) -> str:
    return f"{name} declares that her trumps {'add' if action == act.DECLARE_ADD else 'subtract'}."


def _lay_trumps(s: Any, f: int, name: str, action: int) -> str:
    if action == act.TRUMPS_NONE:
        return f"{name} chooses to lay no trumps."
    if action >= act.POINTS:
        return f"{name} chooses to use her points as {COLOURS[action - act.POINTS]} wild trumps."
    black = action > act.TRUMPS_BLACK
    n = action - (act.TRUMPS_BLACK if black else act.TRUMPS_RED)
    return f"{name} lays {count(n, COLOURS[black] + ' trump')} face down."


def _lay_main(s: Any, f: int, name: str, action: int) -> str:
    if action == act.MAIN_NONE:
        return f"{name} lays no card."
    if action == act.MAIN_JOKER:
        return f"{name} lays a joker face down."
    if action >= act.WILD:
        return f"{name} lays a {COLOURS[action - act.WILD]} trump face down as a wild trump."
    return f"{name} lays {card_text(action - act.MAIN)} face down."


def _supports(s: Any, f: int, name: str, action: int) -> str:
    n = action - act.SUPPORTS
    return f"{name} lays {count(n, 'supporting trump')} face down." if n else f"{name} lays no supports."


def _joker(s: Any, f: int, name: str, action: int) -> str:
    if action == act.JOKER_HURTS:
        return f"{name}'s joker hurts {fairy_name(s.attacker)}."
    return f"{name}'s joker lets {fairy_name(s.defender)} heal."


def _turn_up(s: Any, f: int, name: str, action: int) -> str:
    return f"{name} {'turns her trumps up' if action == act.TURN_UP else 'leaves her trumps face down'}."


def _boost(s: Any, f: int, name: str, action: int) -> str:
    if action == act.NO_BOOST:
        return f"{name} lets the points she kept go."
    return f"{name} uses the {count(s.boost[f], 'point')} she kept on her number."


def _cheat(s: Any, f: int, name: str, action: int) -> str:
    cheat = s.defender if s.phase == Phase.CHEAT_OF_DEFENDER else s.attacker
    k = int(uncl.cheating_trumps(s, cheat))
    use = action - act.CHEAT
    signs = ("=", f"+{k}", f"-{k}")
    both = ((use // 3, "her own number"), (use % 3, fairy_name(cheat) + "'s"))
    moves = [f"{signs[sign]} on {whose}" for sign, whose in both if sign]
    return f"{name} uses the caught {'trump' if k == 1 else 'trumps'}: {' and '.join(moves) or 'on nothing'}."


def _spoils(s: Any, f: int, name: str, action: int) -> str:
    kind = "extra cards for her own attack" if action == act.TAKE_CARDS else "a boost for her next number"
    return f"{name} takes her {count(s.won, 'point')} as {kind}."


def _wrestle_won(s: Any, f: int, name: str, action: int) -> str:
    if action == act.ESCAPE:
        return f"{name} deals no damage but breaks away."
    return f"{name} deals {int(s.won)} damage."


def _damage(s: Any, f: int, name: str, action: int) -> str:
    return f"{name} gives a {'Live' if action == act.LOSE_LIVE else 'Kill'} Point."


def _heal(s: Any, f: int, name: str, action: int) -> str:
    return f"{name} takes back a {'Live' if action == act.HEAL_LIVE else 'Kill'} Point."


CHOICE_WORDS: dict[Phase, Callable[[Any, int, str, int], str]] = {
    Phase.THINK: _think,
    Phase.PLAN: _plan,
    Phase.PICK_OWN: _target,
    Phase.ACT: _act,
    Phase.TARGET: _target,
    Phase.TRADE_ATTACKER: _trade,
    Phase.TRADE_DEFENDER: _trade,
    Phase.DECLARE_ATTACKER: _declare,
    Phase.DECLARE_DEFENDER: _declare,
    Phase.LAY_TRUMPS: _lay_trumps,
    Phase.LAY_MAIN: _lay_main,
    Phase.SUPPORTS: _supports,
    Phase.JOKER: _joker,
    Phase.REDIRECT: _target,
    Phase.HEAL: _heal,
    Phase.TURN_UP: _turn_up,
    Phase.BOOST: _boost,
    Phase.CHEAT_OF_DEFENDER: _cheat,
    Phase.CHEAT_OF_ATTACKER: _cheat,
    Phase.SPOILS: _spoils,
    Phase.WRESTLE_WON: _wrestle_won,
    Phase.DAMAGE: _damage,
    Phase.NEXT_ATTACK: _target,
    Phase.RECAST: _target,
    Phase.PICK_FIGURE: on_table.pick_words,
    Phase.CELL: on_table.cell_words,
    Phase.SPOT: on_table.cell_words,
    Phase.MODE: on_table.mode_words,
    Phase.MOVE: on_table.move_words,
    Phase.DISTANCE: on_table.distance_words,
    Phase.POWER: on_table.power_words,
}
"""Words for a choice by phase; those of `BUILD` belong to no fairy (`chosen_words`)."""


# ---------------------------------------------------------------------- what happened by itself
def happened(b: Any, a: Any) -> Words:
    """What changed between two steps, in the order of the rules."""
    words = order_words(b, a)
    if a.play == Play.SKIRMISH:
        words += on_table.table_happened(b, a)
    if b.phase == Phase.LAY_TRUMPS and a.phase == Phase.LAY_MAIN:
        words += trump_words(a)
    words += main_words(b, a)
    if b.phase == Phase.TURN_UP and a.phase == Phase.BOOST:
        shown = [f for f in fighters(a) if a.laid_up[f] > b.laid_up[f]]
        words += [f"{fairy_name(f)} shows {cards_text(a.laid[f])}." for f in shown]
    if a.phase in (Phase.CHEAT_OF_DEFENDER, Phase.CHEAT_OF_ATTACKER) and a.tobytes() == b.tobytes():
        words += caught_words(a)  # the step on which the question stands
    if b.phase == Phase.OUTCOME:
        words += outcome_words(b, a)
    if a.recasts > b.recasts:
        words.append("The joker turns the spell round: all its cards are discarded.")
    words += life_words(b, a)
    if a.play == Play.SKIRMISH:
        words += on_table.afterwards(b, a)
    words += round_words(b, a)
    return words


def fighters(s: Any) -> list[int]:
    """Attacker and defender, as far as there are any."""
    return [int(f) for f in (s.attacker, s.defender) if f != NO_FAIRY]


def order_words(b: Any, a: Any) -> Words:
    """Order Cards turned up, ties broken, Twinkle given back."""
    words = []
    shown = [f for f in range(a.n_fairies) if a.revealed[f] and not b.revealed[f]]
    for f in shown:
        card = (
            f"turns up {card_text(int(a.shown[f]))}" if a.shown[f] != NO_CARD else "is called without a card"
        )
        words.append(f"{fairy_name(f)} {card} {poll_text(int(a.slot))}.")
    if shown and order.contested_place(a) >= 0:
        words.append("A tie: they draw.")
    for f in range(a.n_fairies):
        if b.phase == Phase.THINK and a.twinkle[f] > b.twinkle[f] - a.bought[f]:
            words.append(f"{fairy_name(f)} glitters: a Twinkle Point comes back.")
        if b.phase == Phase.DEAL_ORDER and a.twinkle[f] > b.twinkle[f]:
            words.append(
                f"The deck is too short for {fairy_name(f)}'s thoughts: "
                f"{count(a.twinkle[f] - b.twinkle[f], 'Twinkle Point')} "
                f"{'comes' if a.twinkle[f] - b.twinkle[f] == 1 else 'come'} back."
            )
    return words


def trump_words(s: Any) -> Words:
    """Both have laid trumps or said None."""
    words = []
    for f in fighters(s):
        name = fairy_name(f)
        if s.points_wild[f]:
            colour = COLOURS[s.points_colour[f]]
            words.append(f"{name} calls her {count(s.points_wild[f], 'point')} {colour} wild trumps.")
        elif s.n_laid[f] and s.laid_up[f]:
            words.append(f"{name} shows {cards_text(s.laid[f])}.")
        elif s.n_laid[f]:
            words.append(
                f"{name}'s {count(s.n_laid[f], 'trump')} stay{'s' if s.n_laid[f] == 1 else ''} face down."
            )
        else:
            words.append(f"{name} says None.")
    return words


def main_words(b: Any, a: Any) -> Words:
    """Main cards and supports turned over together."""
    words = []
    for f in fighters(b) if a.attacker != NO_FAIRY else []:
        name = fairy_name(f)
        if a.main_up[f] and not b.main_up[f]:
            supports = (
                f" with {cards_text(a.laid[f])}" if a.combat == Combat.FAST_PLAY and a.n_laid[f] else ""
            )
            if a.n_wild[f]:
                words.append(f"{name} shows {cards_text(a.wild[f])}{supports} as a wild trump.")
            elif a.main[f] >= 0:
                card = "a joker" if a.main[f] == JOKER else card_text(int(a.main[f]))
                words.append(f"{name} shows {card}{supports}.")
        if a.main[f] == Main.NO_CARD != b.main[f]:
            words.append(f"{name} has no card.")
            if f == a.attacker and a.combat == Combat.UNCLEVL:
                words.append("The attack is called off.")
    if b.phase == Phase.DRAW_ATTACKER and a.phase == Phase.COMBAT_END and not a.n_hand[a.attacker]:
        words.append(f"{fairy_name(a.attacker)} has no cards: her attack fails.")
    if (
        b.phase == Phase.DRAW_DEFENDER
        and a.phase != b.phase
        and not a.n_hand[a.defender]
        and a.recasts == b.recasts
    ):
        words.append(f"{fairy_name(a.defender)} has no cards.")
    return words


def caught_words(s: Any) -> Words:
    """Whose trumps don't match her number."""
    cheat = int(s.defender if s.phase == Phase.CHEAT_OF_DEFENDER else s.attacker)
    colour = 1 - int(s.main[cheat]) % 2
    n = int(uncl.cheating_trumps(s, cheat))
    name = f"{COLOURS[colour]} trump"
    return [f"{fairy_name(cheat)} is caught with {count(n, name)} on a {COLOURS[1 - colour]} number."]


def outcome_words(b: Any, a: Any) -> Words:
    """The totals and who wins how much."""
    x, y = int(b.attacker), int(b.defender)
    if b.combat == Combat.FAST_PLAY:
        high, low = int(fast.total(b, x)), int(fast.total(b, y))
        words = [f"{fairy_name(x)} {high} against {fairy_name(y)} {low}:"]
    else:
        totals = f"{fairy_name(x)} {int(uncl.total(b, x))} against {fairy_name(y)}"
        if not uncl.has_number(b, y):
            words = [f"{totals}, who counts 0:"]
        else:
            same = b.main[x] % 2 == b.main[y] % 2
            how = "one colour, high" if same else "two colours, low"
            words = [f"{totals} {int(uncl.total(b, y))}, {how} wins:"]
    scored = int(a.score - b.score) * (1 if x == 0 else -1)
    damage = {f: int(a.damage[f] - b.damage[f]) for f in (x, y) if a.damage[f] > b.damage[f]}
    if a.won > 0 or scored < 0:
        who = fairy_name(a.winner if a.winner != NO_FAIRY else y)
        points = count(a.won or -scored, "point")
        return [*words, f"{who} wins {points}{TOO_LATE if is_too_late(b, a) else ''}."]
    if scored > 0:
        return [*words, f"{fairy_name(x)} wins {count(scored, 'point')}."]
    if damage:
        return [*words, " and ".join(f"{fairy_name(f)} takes {n}" for f, n in damage.items()) + " damage."]
    lead = 0 if b.combat == Combat.FAST_PLAY else int(uncl.attacker_lead(b))
    if lead < 0:
        return [*words, f"{fairy_name(y)} wins, which gains her nothing."]
    tie = b.combat == Combat.UNCLEVL and uncl.has_number(b, y)
    return [*words, "they are equal, and nothing happens." if tie else "nothing happens."]


def is_too_late(b: Any, a: Any) -> bool:
    """Whether the defender's points are for nothing: no boost is kept, and she acts no more (U-25)."""
    y = int(b.defender)
    waiting = a.phase == Phase.SPOILS or a.boost[y] > b.boost[y]
    return bool(b.play != Play.CLASH and b.kind != Kind.WRESTLE and b.acted[y] and not waiting)


def life_words(b: Any, a: Any) -> Words:
    """Wounds, deaths, points banked, contact broken or made."""
    words = []
    for f in range(a.n_fairies):
        name = fairy_name(f)
        if b.n_fairies and (a.live[f] != b.live[f] or a.kill[f] != b.kill[f]):
            gone = " (mangled)" if b.mangled and a.live[f] + a.kill[f] < b.live[f] + b.kill[f] else ""
            words.append(f"{name} has Live {int(a.live[f])}, Kill {int(a.kill[f])}{gone}.")
        if b.alive[f] and not a.alive[f]:
            words.append(f"{name} dies.")
        for g in np.flatnonzero(a.bank[f] > b.bank[f]).tolist():
            cards = count(a.bank[f, g] - b.bank[f, g], "extra card")
            words.append(f"{name} will draw {cards} against {fairy_name(g)}.")
        if a.boost[f] > b.boost[f]:
            words.append(f"{name} keeps {count(a.boost[f], 'point')} for her next number.")
        for g in np.flatnonzero(b.apart[f, :f] > a.apart[f, :f]).tolist():
            if a.alive[f] and a.alive[g]:
                words.append(f"{fairy_name(a.attacker)} closes in, which costs a pose.")
    return words


def round_words(b: Any, a: Any) -> Words:
    """Shuffles, new rounds, the end."""
    words = []
    if a.round_number > b.round_number:
        words.append(f"Round {int(a.round_number)} begins.")
    if a.shuffles > b.shuffles:
        words.append("The Spoils Heap is shuffled into the deck.")
    if a.phase == Phase.OVER != b.phase:
        words.append(end_words(a))
    return words


def end_words(s: Any) -> str:
    """How it ended."""
    if s.play == Play.CLASH:
        return "" if s.score else "Nobody scores."
    if s.play == Play.SKIRMISH:
        return f"The game is over. {score_line(s)}"
    ranks = ", ".join(f"seat {seat} has {int(fairy_points(s, seat))}" for seat in range(s.n_seats))
    return f"The game is over. In Fairy Points {ranks}."

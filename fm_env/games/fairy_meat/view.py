"""Positions and events of Fairy Meat in words. Never imported by the kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fm_env.contract import CHANCE
from fm_env.games.fairy_meat import actions as act
from fm_env.games.fairy_meat import combat_unclevl as uncl
from fm_env.games.fairy_meat import decisions
from fm_env.games.fairy_meat.constants import (
    END_SLOT,
    FAIRY_NAMES,
    JOKER,
    NO_CARD,
    NO_FAIRY,
    NO_WEAPON,
    WEAPON_NAMES,
    Combat,
    Kind,
    Main,
    Phase,
    Play,
    Sign,
)
from fm_env.games.fairy_meat.notation import action_texts, call_text, card_text, cards_text
from fm_env.records import as_record, rows_of

if TYPE_CHECKING:
    import numpy as np

KIND_WORDS = {
    Kind.MELEE: "hand-to-hand",
    Kind.RANGED: "shot",
    Kind.WRESTLE: "wrestle",
    Kind.PRICK: "Rose Prick",
}


def fairy_name(f: int) -> str:
    """Fairies are called by letters in texts: A, B, C, D."""
    return "ABCDEFGH"[f]


def poll_text(slot: int) -> str:
    """Where the countdown stands."""
    if slot >= END_SLOT:
        return "after the last King"
    where = call_text(slot // 2)
    return f"at {where}" if slot % 2 else f"before {where}"


# --------------------------------------------------------------------------------- positions
def readable(state: Any) -> Any:
    """A copy of the state with its fields as attributes."""
    return as_record(rows_of(state), 0)


def state_text(state: Any, seat: int | None) -> str:
    """The position as `seat` sees it; None sees everything."""
    s = readable(state)
    lines = [situation(s)]
    lines += [fairy_line(s, f, seat) for f in range(s.n_fairies)]
    for f in range(s.n_fairies):
        lines += fighter_lines(s, f, seat)
    heap = int(s.heap_up.sum() + s.heap_down.sum())
    lines.append(f"deck {int(s.n_deck)} cards, Spoils Heap {heap}, seen there: {cards_text(s.heap_up)}")
    lines.append(asked_line(s))
    return "\n".join(lines)


def situation(s: Any) -> str:
    system = "UnclEvl's combat" if s.combat == Combat.UNCLEVL else "Fast Play combat"
    if s.play == Play.CLASH:
        return f"Clash ({system})"
    return f"Round {int(s.round_number)} of {int(s.rounds)} ({system}), countdown {poll_text(int(s.slot))}"


def fairy_line(s: Any, f: int, seat: int | None) -> str:
    if s.play == Play.CLASH:
        return f"{fairy_name(f)} (seat {int(s.owner[f])}, {'attacker' if f == s.attacker else 'defender'})"
    weapons = [WEAPON_NAMES[w] for w in s.weapon[f][1:] if w != NO_WEAPON]
    counters = f"Live {int(s.live[f])} Kill {int(s.kill[f])} Twinkle {int(s.twinkle[f])}"
    meat = f"meat {int(s.meat_live[f])}+{int(s.meat_kill[f])}, used Twinkle {int(s.used_twinkle[f])}"
    if not s.alive[f]:
        state = "dead"
    elif s.acted[f]:
        state = "has acted"
    elif seat is None or s.owner[f] == seat:
        state = f"Order Cards {cards_text(s.order[f])}"
    else:
        state = f"{int(s.n_order[f])} Order Card(s)"
    name = FAIRY_NAMES[s.fairy_type[f]]
    armed = ", ".join(weapons) or "unarmed"
    return f"{fairy_name(f)} (seat {int(s.owner[f])}, {name}, {armed}): {counters}; {meat}; {state}"


def fighter_lines(s: Any, f: int, seat: int | None) -> list[str]:
    """A fighter's hand and her cards on the table."""
    if f not in (s.attacker, s.defender) or not (s.drawn[f] or s.n_hand[f]):
        return []
    mine = seat is None or s.owner[f] == seat
    hand = cards_text(s.hand[f]) if mine else f"{int(s.n_hand[f])} card(s)"
    line = f"  {fairy_name(f)} holds {hand}"
    if s.sign[f] != Sign.NONE:
        line += f", declared {Sign(int(s.sign[f])).name.lower()}"
    table = []
    if s.n_laid[f]:
        if s.laid_up[f]:
            table.append(f"trumps {cards_text(s.laid[f])}")
        else:
            table.append(f"{int(s.n_laid[f])} trump(s) face down" + (f" ({cards_text(s.laid[f])})" if mine else ""))
    if s.n_wild[f]:
        table.append(f"wild {cards_text(s.wild[f])}")
    if s.points_wild[f]:
        table.append(f"{int(s.points_wild[f])} points as {'black' if s.points_colour[f] else 'red'} wild trumps")
    if s.main[f] >= 0:
        table.append(f"number {card_text(int(s.main[f]))}")
    if s.main[f] == Main.NO_CARD:
        table.append("no card")
    return [line + ("; on the table: " + ", ".join(table) if table else "")]


def asked_line(s: Any) -> str:
    if s.phase == Phase.OVER:
        return "The game is over."
    phase = Phase(int(s.phase)).name.lower().replace("_", " ")
    seats = [str(seat) for seat in range(s.n_seats) if decisions.asked_fairy(s, seat) != NO_FAIRY]
    return f"To {phase}: " + ("chance" if not seats else "seat " + " and ".join(seats))


# ------------------------------------------------------------------------------------- events
def event_text(before: np.record, seat: int, action: int, after: np.record) -> str:
    """What just happened, all-seeing. `seat` is CHANCE for a drawn card."""
    b, a = readable(before), readable(after)
    text = draw_words(b, action) if seat == CHANCE else action_words(b, seat, action)
    happened = consequences(b, a)
    return text + (" " + " ".join(happened) if happened else "")


def draw_words(s: Any, card: int) -> str:
    name = card_text(card)
    phase = s.phase
    if phase in (Phase.DRAW_ATTACKER, Phase.DRAW_DEFENDER):
        f = s.attacker if phase == Phase.DRAW_ATTACKER else s.defender
        return f"{fairy_name(f)} draws {name}."
    if phase in (Phase.WILD_ATTACKER, Phase.WILD_DEFENDER):
        f = s.attacker if phase == Phase.WILD_ATTACKER else s.defender
        return f"{fairy_name(f)}'s wild trump draws {name}."
    if phase == Phase.DEAL_ORDER:
        from fm_env.games.fairy_meat.order import next_to_be_dealt

        return f"{fairy_name(next_to_be_dealt(s))} is dealt the Order Card {name}."
    from fm_env.games.fairy_meat.order import next_tie_drawer

    return f"{fairy_name(next_tie_drawer(s))} draws {name} for the tie."


def action_words(s: Any, seat: int, action: int) -> str:
    f = decisions.asked_fairy(s, seat)
    name = fairy_name(f)
    text = action_texts(len(s.live))[action]
    phase = s.phase
    if phase == Phase.THINK:
        n = action - act.THINK
        return f"{name} thinks: {n} Twinkle for {n} extra Order Card(s)." if n else f"{name} does not think."
    if phase == Phase.PLAN:
        return f"{name} plans in secret: {text}."
    if phase in (Phase.DECLARE_ATTACKER, Phase.DECLARE_DEFENDER):
        return f"{name} declares: I {text} my trumps."
    if phase == Phase.LAY_TRUMPS:
        return f"{name} chooses: {text}."
    if phase in (Phase.LAY_MAIN, Phase.SUPPORTS):
        return f"{name} lays {text} face down."
    if phase in (Phase.CHEAT_OF_DEFENDER, Phase.CHEAT_OF_ATTACKER):
        cheat = s.defender if phase == Phase.CHEAT_OF_DEFENDER else s.attacker
        return f"{fairy_name(cheat)} is caught cheating! {name} uses her off-colour trumps: {text[6:]}."
    if phase == Phase.ACT:
        return f"{name}'s turn: {text}."
    return f"{name}: {text}."


def consequences(b: Any, a: Any) -> list[str]:
    """What can be seen to have changed: cards turned over, an outcome, wounds, deaths, a new round."""
    words: list[str] = []
    words += shown_cards(b, a)
    if a.play == Play.CLASH and a.phase == Phase.OVER:
        words.append(clash_verdict(a))
    for f in range(a.n_fairies):
        lost = int(b.live[f] + b.kill[f] - a.live[f] - a.kill[f])
        if lost > 0:
            words.append(f"{fairy_name(f)} loses {lost} (Live {int(a.live[f])}, Kill {int(a.kill[f])}).")
        if lost < 0:
            words.append(f"{fairy_name(f)} heals {-lost}.")
        if b.alive[f] and not a.alive[f]:
            words.append(f"{fairy_name(f)} dies.")
        for g in range(a.n_fairies):
            if a.bank[f, g] > b.bank[f, g]:
                words.append(f"{fairy_name(f)} banks {int(a.bank[f, g] - b.bank[f, g])} extra card(s).")
        if a.boost[f] > b.boost[f]:
            words.append(f"{fairy_name(f)} keeps {int(a.boost[f])} point(s) for her next number.")
    if a.shuffles > b.shuffles and b.phase != Phase.ROUND_START:
        words.append("The heap is shuffled into a new deck.")
    if a.round_number > b.round_number:
        words.append(f"Round {int(a.round_number)} begins.")
    if a.phase == Phase.OVER and a.play == Play.BOUT:
        words.append("The game is over.")
    return words


def shown_cards(b: Any, a: Any) -> list[str]:
    """Order Cards turned up, trumps and numbers revealed, totals compared."""
    words = []
    for f in range(a.n_fairies):
        if a.revealed[f] and not b.revealed[f] or (a.acted[f] and not b.acted[f] and not b.revealed[f]):
            shown = a.shown[f] if a.shown[f] != NO_CARD else JOKER if a.slot % 2 == 0 else NO_CARD
            card = f" ({card_text(int(shown))})" if a.shown[f] != NO_CARD else ""
            words.append(f"{fairy_name(f)} acts {poll_text(int(a.slot))}{card}.")
        if a.laid_up[f] and not b.laid_up[f] and a.n_laid[f]:
            words.append(f"{fairy_name(f)} shows {cards_text(a.laid[f])}.")
        if a.main[f] != b.main[f] and a.main[f] >= 0:
            words.append(f"{fairy_name(f)} shows {card_text(int(a.main[f]))}.")
    if b.combat == Combat.UNCLEVL and b.phase < Phase.ACT + 40 and a.main.max() < 0 <= b.main.max():
        words.append(totals(b))
    return words


def totals(s: Any) -> str:
    pair = [f"{fairy_name(f)} {uncl.total(s, f)}" for f in (s.attacker, s.defender)]
    return f"(totals before that: {', '.join(pair)})"


def clash_verdict(s: Any) -> str:
    score = int(s.score)
    if score == 0:
        return "Nobody scores."
    winner = 0 if score > 0 else 1
    return f"{fairy_name(winner)} wins {abs(score)} point(s)."

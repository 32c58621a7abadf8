"""Cards on the table, shared by both fighting systems: mains, wild trumps, jokers.

Rulebook: Wild Trumps, Jokers; F-39 to F-42, F-45, F-46; U-16 to U-18.
"""

from __future__ import annotations

from fm_env.compiled import rule
from fm_env.games.fairy_meat import actions as act
from fm_env.games.fairy_meat.cards import clear_table, is_trump, lowest_trump, n_trumps, show_from_hand
from fm_env.games.fairy_meat.constants import (
    FIRST_TRUMP,
    JOKER,
    NO_FAIRY,
    Combat,
    Kind,
    Main,
    Phase,
    Play,
)
from fm_env.games.fairy_meat.damage import hurt, hurt_by_weapon
from fm_env.games.fairy_meat.hands import can_attack_again, is_target
from fm_env.games.fairy_meat.magic import cancel_spell, stops_the_spell


@rule
def is_fighter(s, f):
    return f == s.attacker or f == s.defender


@rule
def ask_fighters(s, phase):
    """Both fighters choose secretly (step 4, step 5)."""
    s.choice[s.attacker] = -1
    s.choice[s.defender] = -1
    s.phase = phase


@rule
def legal_numbers(s, f, out):
    n = 0
    for c in range(FIRST_TRUMP):
        if s.hand[f, c] > 0:
            out[act.MAIN + c] = True
            n += 1
    return n


@rule
def legal_wilds(s, f, out):
    """A trump in place of a number, by colour; its rank never matters (U-18, U-38)."""
    n = 0
    for colour in range(2):
        if n_trumps(s, f, colour) > 0:
            out[act.WILD + colour] = True
            n += 1
    return n


@rule
def legal_joker(s, f, out):
    if s.hand[f, JOKER] > 0:
        out[act.MAIN_JOKER] = True
        return 1
    return 0


@rule
def lay_main(s, f, action):
    """Turn over the main card that was chosen. A wild trump waits for its number (F-40)."""
    s.main_up[f] = 1
    if action == act.MAIN_NONE:
        s.main[f] = Main.NOT_LAID if s.points_wild[f] > 0 else Main.NO_CARD
    elif action == act.MAIN_JOKER:
        show_from_hand(s, f, JOKER)
        s.main[f] = JOKER
    elif action >= act.WILD:
        card = lowest_trump(s, f, action - act.WILD)
        show_from_hand(s, f, card)
        s.wild[f, card] += 1
        s.n_wild[f] += 1
        s.main[f] = Main.NOT_LAID
    else:
        show_from_hand(s, f, action - act.MAIN)
        s.main[f] = action - act.MAIN


@rule
def draw_for_wild(s, f, card):
    """Trumps join the pile; a number or a joker becomes the main card (F-40, F-42, U-17).

    In a spell any joker that is drawn, here too, turns it round (F-58).
    """
    if is_trump(card):
        s.wild[f, card] += 1
        s.n_wild[f] += 1
    elif stops_the_spell(s, card):
        cancel_spell(s)
    else:
        s.main[f] = card


# ---------------------------------------------------------------------------------------- jokers
@rule
def is_joker_laid(s):
    return s.main[s.attacker] == JOKER or s.main[s.defender] == JOKER


@rule
def begin_jokers(s):
    """A joker replaces the comparison: nobody wins points, laid trumps do nothing (F-45, U-16).

    A boost kept for this attack is lost with it (U-26).
    """
    s.boost[s.defender] = 0
    if s.kind == Kind.WRESTLE:  # that exchange does nothing (U-32)
        s.phase = Phase.EXCHANGE_END
    elif s.kind == Kind.RANGED:  # two jokers make one choice (F-46)
        s.phase = Phase.REDIRECT
    else:
        s.joker_of = s.attacker if s.main[s.attacker] == JOKER else s.defender
        s.phase = Phase.JOKER


@rule
def is_joker_worth_asking(s):
    """In a clash a joker changes nothing unless its damage counts."""
    return s.play != Play.CLASH or s.joker_points == 1


@rule
def after_joker(s):
    """The attacker's joker first, then the defender's (F-45)."""
    if s.joker_of == s.attacker and s.main[s.defender] == JOKER:
        s.joker_of = s.defender
        s.phase = Phase.JOKER
    else:
        s.joker_of = NO_FAIRY
        s.phase = Phase.EXCHANGE_END


@rule
def play_joker(s, hurts):
    """The player who laid it chose: the attacker takes one, or the defender heals one (F-45)."""
    if s.play == Play.CLASH:
        if hurts:
            score(s, -1)
        s.phase = Phase.JOKERS_DONE
    elif hurts:
        s.mangled = 0  # never mangled
        hurt(s, s.attacker, 1, Phase.JOKERS_DONE)
    else:
        s.phase = Phase.HEAL


@rule
def score(s, points):
    """Clash: `points` to the attacker (negative: to the defender)."""
    s.score += points if s.attacker == 0 else -points


@rule
def can_redirect_to(s, f):
    """Any other figure in sight but the attacker and her target; friends too (F-46)."""
    return f != s.defender and is_target(s, s.attacker, f)


@rule
def n_redirects(s):
    n = 0
    for f in range(s.n_fairies):
        n += can_redirect_to(s, f)
    return n


@rule
def redirect(s, f):
    """The shot hits that figure for exactly one point, with no draw; a mangler mangles (F-46)."""
    hurt_by_weapon(s, f, 1, Phase.EXCHANGE_END)


# ------------------------------------------------------------------------------- end of exchange
@rule
def end_exchange(s):
    """Clear the table and go on to the next attack, if she wants one (U-40), or end the combat (U-33)."""
    clear_table(s, s.attacker)
    clear_table(s, s.defender)
    s.won = 0
    s.winner = NO_FAIRY
    more = s.combat == Combat.UNCLEVL and s.play != Play.CLASH and can_attack_again(s)
    s.phase = Phase.NEXT_ATTACK if more else Phase.COMBAT_END

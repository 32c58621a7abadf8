"""Combat of the Fast Play rules: one main card and support trumps, higher total wins.

Rulebook: The Fairy Deck, Combat; F-39 to F-44.
"""

from __future__ import annotations

from fm_env.compiled import rule
from fm_env.games.fairy_meat import actions as act
from fm_env.games.fairy_meat.cards import lay_supports, n_trumps, turn_up_laid, value_of
from fm_env.games.fairy_meat.constants import JOKER, Main, Phase, Play
from fm_env.games.fairy_meat.damage import hurt_by_weapon, nasty_hits
from fm_env.games.fairy_meat.table import (
    ask_fighters,
    lay_main,
    legal_joker,
    legal_numbers,
    legal_wilds,
    score,
)


@rule
def legal_main(s, f, out):
    """Any one card of the hand: number, trump (wild) or joker (F-39)."""
    n = legal_numbers(s, f, out) + legal_wilds(s, f, out) + legal_joker(s, f, out)
    if n == 0:
        out[act.MAIN_NONE] = True
        return 1
    return n


@rule
def legal_supports(s, f, out):
    """Any number of the trumps that the main card leaves her (F-39)."""
    n = n_trumps(s, f, 0) + n_trumps(s, f, 1)
    main = s.main_choice[f]
    if main == act.WILD or main == act.WILD + 1:
        n -= 1
    for k in range(n + 1):
        out[act.SUPPORTS + k] = True
    return n + 1


@rule
def ask_for_supports(s):
    """Main cards stay secret while the supports are chosen; both are laid at once (F-39)."""
    for f in (s.attacker, s.defender):
        s.main_choice[f] = s.choice[f]
    ask_fighters(s, Phase.SUPPORTS)
    if s.n_hand[s.defender] == 0:
        s.choice[s.defender] = act.SUPPORTS


@rule
def reveal(s):
    """Everything is turned over together; the attacker's wild trump is then drawn for first (F-41)."""
    for f in (s.attacker, s.defender):
        lay_main(s, f, s.main_choice[f])
        lay_supports(s, f, s.choice[f] - act.SUPPORTS)
        turn_up_laid(s, f)
        s.choice[f] = -1
        s.main_choice[f] = -1
    s.phase = Phase.WILD_ATTACKER


@rule
def total(s, f):
    """Number, +1 for each trump: supports, and every trump of a wild pile (F-40).

    Without a card the total is 0 (F-37); a wild trump for which no card was left counts 0 plus
    its trumps (F-03).
    """
    n = s.n_laid[f] + s.n_wild[f]
    return n + value_of(s.main[f]) if 0 <= s.main[f] < JOKER else n


@rule
def settle_outcome(s):
    """The attacker must be higher to hurt; a tie leaves the defender unharmed (F-43, F-44)."""
    points = nasty_hits(total(s, s.attacker) - total(s, s.defender))
    if s.play == Play.CLASH:
        score(s, points)
        s.phase = Phase.EXCHANGE_END
    elif points > 0:
        hurt_by_weapon(s, s.defender, points, Phase.EXCHANGE_END)
    else:
        s.phase = Phase.EXCHANGE_END


@rule
def give_up_wild(s, f):
    """No card is left for her wild trump: it counts 0 plus its trumps (F-03)."""
    s.main[f] = Main.NO_CARD

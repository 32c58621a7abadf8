"""Reading a joust's observation back into cards and points, for compiled bots.

Bots get the same numbers as any learner; here they are turned into words of the table. Offsets
come from the observation's labels, so a new entry moves them along.
"""

from __future__ import annotations

from fm_env.compiled import rule
from fm_env.games.sword_and_shield import actions as act
from fm_env.games.sword_and_shield.constants import MAX_CARDS, NUM_TACTICS
from fm_env.games.sword_and_shield.notation import all_names
from fm_env.games.sword_and_shield.observe import observation_labels

_NAMES = all_names(())
_LABELS = observation_labels(_NAMES)
_FIRST = _NAMES[0]

ATTACKS_NOW = _LABELS.index("phase attack")
DISCARDS_NOW = _LABELS.index("phase discard")
OWN = _LABELS.index("own knight: strength /16")
OTHER = _LABELS.index("other knight: strength /16")
FATIGUE = _LABELS.index("own knight: fatigue /32") - OWN
FRESH = _LABELS.index("own knight: fresh fatigue /32") - OWN
HAND = _LABELS.index("own knight: hand /8") - OWN
NUMBER = _LABELS.index("on the table: number /16")
OWN_CARDS = _LABELS.index(f"own hand /8: {_FIRST}")
UNSEEN = _LABELS.index(f"unseen /8: {_FIRST}")
KNOWN = _LABELS.index(f"known of the other's /8: {_FIRST}")
OWN_ANSWERS = _LABELS.index("own answers /32: A1")
UNSEEN_ANSWERS = _LABELS.index("unseen answers /128: A1")
KNOWN_ANSWERS = _LABELS.index("known answers /32: A1")
BARE = _LABELS.index("other's cards that took it /8: A1")
VALUE = _LABELS.index(f"tactics /16: {_FIRST} strength")
ATTACK = _LABELS.index(f"attack /16: {_FIRST}")
BREADTH = _LABELS.index(f"attacks covered /16: {_FIRST}")
MANOEUVRE = _LABELS.index(f"manoeuvre: {_FIRST}")


@rule
def whole(x):
    """A count behind a scaled entry, which is never negative here."""
    return int(x + 0.5)


@rule
def ability(obs, who, t):
    """A knight's value for a tactic; `who` is OWN or OTHER."""
    return whole(obs[who + t] * 16)


@rule
def fatigue(obs, who):
    """Points left in a knight's pool."""
    return whole(obs[who + FATIGUE] * 32)


@rule
def fresh(obs, who):
    """Points in a knight's fresh pool."""
    return whole(obs[who + FRESH] * 32)


@rule
def hand_size(obs, who):
    return whole(obs[who + HAND] * 8)


@rule
def value(obs, c, t):
    """A card's printed value for a tactic."""
    return whole(obs[VALUE + NUM_TACTICS * c + t] * 16)


@rule
def own_number(obs, c, t):
    """Modified Combat Number of playing a card by a tactic."""
    return ability(obs, OWN, t) + value(obs, c, t)


@rule
def own_cost(obs, c, t):
    """Fatigue for playing a card by a tactic."""
    return max(0, value(obs, c, t) - ability(obs, OWN, t))


@rule
def number_to_meet(obs):
    """Modified Combat Number of the attack on the table."""
    return whole(obs[NUMBER] * 16)


@rule
def attack_of(obs, c):
    """Index of the attack that a card makes, -1 for an Achievement."""
    return whole(obs[ATTACK + c] * 16) - 1


@rule
def breadth(obs, c):
    """Attacks that a card covers."""
    return whole(obs[BREADTH + c] * 16)


@rule
def count(obs, pile, c):
    """Cards of a type in a pile: OWN_CARDS, UNSEEN or KNOWN."""
    return whole(obs[pile + c] * 8)


@rule
def total(obs, pile):
    """Cards in a pile."""
    n = 0
    for c in range(MAX_CARDS):
        n += count(obs, pile, c)
    return n


@rule
def first_legal(mask, start, end):
    """The first legal action of a kind, or -1."""
    for action in range(start, end):
        if mask[action]:
            return action
    return -1


@rule
def last_resort(mask):
    """No card to cover with: a Manoeuvre, else an Achievement, else the hit."""
    action = first_legal(mask, act.MANOEUVRE, act.ACHIEVE)
    if action < 0:
        action = first_legal(mask, act.ACHIEVE, act.DISCARD)
    return action if action >= 0 else act.TAKE_HIT

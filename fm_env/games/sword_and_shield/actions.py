"""Action ids. Their texts are in `notation.py`; the table in RULES.md is made from both."""

from __future__ import annotations

from fm_env.games.sword_and_shield.constants import MAX_CARDS, NUM_TACTICS

ATTACK = 0  # + 3 * card type + tactic
DEFEND = ATTACK + NUM_TACTICS * MAX_CARDS  # + 3 * card type + tactic
MANOEUVRE = DEFEND + NUM_TACTICS * MAX_CARDS  # + card type
ACHIEVE = MANOEUVRE + MAX_CARDS  # + card type
DISCARD = ACHIEVE + MAX_CARDS  # + card type
PASS = DISCARD + MAX_CARDS
END_TURN = PASS + 1
TAKE_HIT = END_TURN + 1
NUM_ACTIONS = TAKE_HIT + 1

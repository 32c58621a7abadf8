"""What a finished exchange is worth when all that is left to say is said best (U-08 to U-22).

After the numbers are turned up nothing that matters is hidden: who laid trumps face down knows
their colour, and caught trumps lie open. So the rest is arithmetic, and this file is that
arithmetic on a few facts. It repeats rules, so it is trusted only because
`tests/evaluation/solve/test_kernel.py` finds the kernel's own play-out worth the same, position by
position.

From the attacker's side: with two numbers she leads by `rel * (v - w)` (`rel` is 1 for equal colours,
else -1) plus her own `gain` minus the defender's.
"""

from __future__ import annotations

from fm_env.compiled import rule

JOKER_MAIN = 18
NO_MAIN = 19
WILD_MAIN = 20
"""Codes of main cards: 0 to 17 numbers by type, a joker, none, a wild trump (red, black)."""


@rule
def gain(rel, sign, match, caught, hidden):
    """Lead that a fairy's trumps bring her.

    Args:
        rel: 1 for numbers of equal colours, else -1.
        sign: 1 if she adds, -1 if she subtracts.
        match: her shown trumps of her number's colour.
        caught: her shown trumps of the other colour; each moves both cards against her (U-01).
        hidden: her face-down trumps of her number's colour; turned up if that helps (U-08).
    """
    own = rel * sign
    return own * match - 2 * caught + max(0, own * hidden)


@rule
def points(lead, levels):
    """Points of a lead: damage if positive, the defender's points if negative (U-13, U-14)."""
    if lead > 0:
        if levels:
            return 1 if lead <= 4 else (2 if lead <= 8 else 3)
        return (lead + 1) // 2
    return -((1 - lead) // 2)


@rule
def split(colour, lay_colour, lay_n, is_shown, red, black):
    """A fairy's trumps judged by her number's colour: matching, caught, and matching ones face down.

    `red` and `black` lie open under a wild trump; `lay_n` trumps of `lay_colour` were laid before.
    """
    match = black if colour == 1 else red
    caught = red if colour == 1 else black
    hidden = 0
    if lay_n > 0:
        if not is_shown:
            hidden = lay_n if lay_colour == colour else 0
        elif lay_colour == colour:
            match += lay_n
        else:
            caught += lay_n
    return match, caught, hidden


@rule
def two_numbers(a, d, sign_a, sign_d, lay_a, n_a, lay_d, n_d, red_a, black_a, red_d, black_d, levels):
    """Points of number `a` against number `d` (types), with lays and wild piles.

    Lays are shown when both fairies laid, else face down.
    """
    shown = n_a > 0 and n_d > 0
    rel = 1 if (a & 1) == (d & 1) else -1
    match_a, caught_a, hidden_a = split(a & 1, lay_a, n_a, shown, red_a, black_a)
    match_d, caught_d, hidden_d = split(d & 1, lay_d, n_d, shown, red_d, black_d)
    lead = rel * (a // 2 - d // 2)
    lead += gain(rel, sign_a, match_a, caught_a, hidden_a) - gain(rel, sign_d, match_d, caught_d, hidden_d)
    return points(lead, levels)


@rule
def against_no_card(a, sign_a, lay_a, n_a, n_d, red_a, black_a, levels):
    """Points of number `a` against a defender without a card, whose value is 0 (U-22)."""
    match, caught, hidden = split(a & 1, lay_a, n_a, n_a > 0 and n_d > 0, red_a, black_a)
    lead = a // 2 + 2 + sign_a * match - caught + max(0, sign_a * hidden)
    return points(max(0, lead), levels)


@rule
def flat_points(a, d, sign_a, sign_d, lay_a, n_a, lay_d, n_d, levels, joker_points):
    """Points of two main cards of which none is wild; codes as above.

    A joker of the attacker heals, for that costs her nothing; one of the defender hurts (F-45).
    """
    if a == NO_MAIN:
        return 0
    if a == JOKER_MAIN or d == JOKER_MAIN:
        return -1 if d == JOKER_MAIN and joker_points else 0
    if d == NO_MAIN:
        return against_no_card(a, sign_a, lay_a, n_a, n_d, 0, 0, levels)
    return two_numbers(a, d, sign_a, sign_d, lay_a, n_a, lay_d, n_d, 0, 0, 0, 0, levels)

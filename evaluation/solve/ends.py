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


NOBODY = -1
"""Nobody is careless: everything left to say is said best."""


@rule
def gain(rel, sign, match, caught, hidden, off, is_careless, is_lucky):
    """Lead that a fairy's trumps bring her.

    Args:
        rel: 1 for numbers of equal colours, else -1.
        sign: 1 if she adds, -1 if she subtracts.
        match: her shown trumps of her number's colour.
        caught: her shown trumps of the other colour; each moves both cards against her (U-01).
        hidden: her face-down trumps of her number's colour; turned up if that helps (U-08).
        off: her face-down trumps of the other colour.
        is_careless: she says what hurts her most instead (a bound for play that isn't known).
        is_lucky: the other fairy does.
    """
    own = rel * sign
    lead = own * match + (2 * caught if is_lucky else -2 * caught)
    if is_careless:
        return lead + min(0, own * hidden, -2 * off)
    return lead + max(0, own * hidden, 2 * off if is_lucky else 0)


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
    """A fairy's trumps judged by her number's colour: matching, caught, and both kinds face down.

    `red` and `black` lie open under a wild trump; `lay_n` trumps of `lay_colour` were laid before.
    """
    match = black if colour == 1 else red
    caught = red if colour == 1 else black
    hidden, off = 0, 0
    if lay_n > 0:
        if not is_shown:
            hidden = lay_n if lay_colour == colour else 0
            off = lay_n - hidden
        elif lay_colour == colour:
            match += lay_n
        else:
            caught += lay_n
    return match, caught, hidden, off


@rule
def two_numbers(
    a, d, sign_a, sign_d, lay_a, n_a, lay_d, n_d, red_a, black_a, red_d, black_d, levels, careless
):
    """Points of number `a` against number `d` (types), with lays and wild piles.

    Lays are shown when both fairies laid, else face down. `careless` is a seat or NOBODY.
    """
    shown = n_a > 0 and n_d > 0
    rel = 1 if (a & 1) == (d & 1) else -1
    lead = rel * (a // 2 - d // 2)
    match, caught, hidden, off = split(a & 1, lay_a, n_a, shown, red_a, black_a)
    lead += gain(rel, sign_a, match, caught, hidden, off, careless == 0, careless == 1)
    match, caught, hidden, off = split(d & 1, lay_d, n_d, shown, red_d, black_d)
    lead -= gain(rel, sign_d, match, caught, hidden, off, careless == 1, careless == 0)
    return points(lead, levels)


@rule
def against_no_card(a, sign_a, lay_a, n_a, n_d, red_a, black_a, levels, careless):
    """Points of number `a` against a defender without a card, whose value is 0 (U-22)."""
    match, caught, hidden, off = split(a & 1, lay_a, n_a, n_a > 0 and n_d > 0, red_a, black_a)
    lead = a // 2 + 2 + sign_a * match + (caught if careless == 1 else -caught)
    if careless == 0:
        lead += min(0, sign_a * hidden, -off)
    else:
        lead += max(0, sign_a * hidden, off if careless == 1 else 0)
    return points(max(0, lead), levels)


@rule
def joker_points_of(a_is_joker, d_is_joker, joker_points, careless):
    """Points of mains of which one or both are jokers.

    A joker of the attacker heals, for that costs her nothing; one of the defender hurts (F-45).
    """
    value = 0
    if joker_points and d_is_joker and careless != 1:
        value -= 1
    if joker_points and a_is_joker and careless == 0:
        value -= 1
    return value


@rule
def flat_points(a, d, sign_a, sign_d, lay_a, n_a, lay_d, n_d, levels, joker_points):
    """Points of two main cards of which none is wild; codes as above."""
    if a == NO_MAIN:
        return 0
    if a == JOKER_MAIN or d == JOKER_MAIN:
        return joker_points_of(a == JOKER_MAIN, d == JOKER_MAIN, joker_points, NOBODY)
    if d == NO_MAIN:
        return against_no_card(a, sign_a, lay_a, n_a, n_d, 0, 0, levels, NOBODY)
    return two_numbers(a, d, sign_a, sign_d, lay_a, n_a, lay_d, n_d, 0, 0, 0, 0, levels, NOBODY)


NOT_LATE, CHEATS, ANSWER_TURNS, POLICY_TURNS = range(4)
"""What is left to ask of a policy after the mains: nothing; only uses of caught trumps; those after the
answering fighter, or the policy itself, has said whether trumps are turned up (or what a joker does)."""


@rule
def late_mode(who, a, d, lay_a, n_a, lay_d, n_d, red_a, black_a, red_d, black_d, joker_points):
    """Which questions the seat `who`, which follows a policy, gets after main cards `a` and `d`.

    Numbers that came of a wild trump count as numbers, with their piles.

    Returns:
        One of the modes above; plus 4 if the other fighter (then the attacker) chooses a use of caught
        trumps before the policy does.
    """
    if a == NO_MAIN:
        return NOT_LATE
    if a == JOKER_MAIN or d == JOKER_MAIN:
        if not joker_points:
            return NOT_LATE
        owner = 0 if a == JOKER_MAIN else 1
        if owner == who:
            return POLICY_TURNS
        return ANSWER_TURNS if d == JOKER_MAIN and who == 1 else NOT_LATE
    shown = n_a > 0 and n_d > 0
    _, caught, _, off = split(a & 1, lay_a, n_a, shown, red_a, black_a)
    may_a = caught + off
    may_d = 0
    if d != NO_MAIN:
        _, caught, _, off = split(d & 1, lay_d, n_d, shown, red_d, black_d)
        may_d = caught + off
    more = 4 if who == 1 and may_a > 0 and may_d > 0 else 0
    turner = -1
    if not shown and n_a > 0:
        turner = 0
    elif not shown and n_d > 0 and d != NO_MAIN:
        turner = 1
    if turner == who:
        return POLICY_TURNS + more
    asked = may_a > 0 if who == 1 else may_d > 0
    if not asked:
        return NOT_LATE
    return (ANSWER_TURNS if turner >= 0 else CHEATS) + more

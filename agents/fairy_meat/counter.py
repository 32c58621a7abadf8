"""The `counter` bot: counts cards, guesses the colour of the opponent's number, answers best.

It knows how many cards of each type it has not seen, so how likely each number is to be in the
opponent's hand. Trumps that the opponent shows make their colour likelier by its trust. Every
option (declaration, trumps, number) is then valued by the points it wins on average over the
opponent's numbers, caught trumps used best on both sides.
"""

from __future__ import annotations

from agents.fairy_meat import sense
from agents.fairy_meat.common import lead, other_fighter
from agents.fairy_meat.sense import in_hand, trumps_in_hand, unseen, whole
from agents.fairy_meat.styles import lay, most_laid, without_number
from fm_env.compiled import rule
from fm_env.games.fairy_meat import actions as act
from fm_env.games.fairy_meat.constants import FIRST_TRUMP


@rule
def weight_of(obs, mask, card, her_shown, trust):
    """How likely the opponent's number is `card`: unseen copies, tilted by the colour she showed."""
    w = float(unseen(obs, mask, card))
    if her_shown >= 0:
        w *= trust if card & 1 == her_shown else 1.0 - trust
    return w


@rule
def points(difference):
    """Points of a lead, halves rounded up; losing points weigh as much."""
    return (difference + 1) // 2 if difference > 0 else -((1 - difference) // 2)


@rule
def outcome(value, colour, sign, n, trump_colour, shown, her_value, her_colour, her_sign, her_n, her_trumps):
    """My points with `n` trumps against her number; `shown` says whether mine must be used.

    Face-down trumps of mine are turned up only if that helps. Caught trumps move both numbers to
    the other's liking.
    """
    mine, hers = value, her_value
    if her_n > 0 and her_trumps == her_colour:
        hers += her_sign * her_n
    block_on_her = her_n if her_n > 0 and her_trumps != her_colour else 0
    block_on_me = 0
    if n > 0:
        if trump_colour == colour:
            with_trumps = lead(mine + sign * n, hers, colour, her_colour)
            if shown or with_trumps > lead(mine, hers, colour, her_colour):
                mine += sign * n
        elif shown:
            block_on_me = n
    best = lead(mine, hers, colour, her_colour)
    # Each block moves both cards by its size, so a lead by up to twice that.
    return points(best + 2 * block_on_her - 2 * block_on_me)


@rule
def value_of_number(obs, mask, row, card, sign, n, trump_colour, shown, trust):
    """Average points of laying number `card` with `n` trumps of a colour."""
    other = other_fighter(obs, mask, row)
    her_shown, her_n = shown_trumps(obs, other)
    her_sign = sense.sign_of(obs, other)
    total, weight = 0.0, 0.0
    for hers in range(FIRST_TRUMP):
        w = weight_of(obs, mask, hers, her_shown, trust)
        if w > 0.0:
            won = outcome(
                card // 2 + 2, card & 1, sign, n, trump_colour, shown,
                hers // 2 + 2, hers & 1, her_sign, her_n, her_shown,
            )  # fmt: skip
            total += w * won
            weight += w
    return total / weight if weight > 0.0 else 0.0


@rule
def shown_trumps(obs, row):
    """Colour and number of the trumps a fairy has shown; (-1, 0) if none."""
    if obs[row + sense.FACE_DOWN] > 0:
        return -1, 0
    for colour in range(2):
        if obs[row + sense.LAID + colour] > 0:
            return colour, whole(obs[row + sense.LAID + colour] * 24)
    return -1, 0


@rule
def best_lay(obs, mask, me, row, sign, trust):
    """Best value over all numbers and honest trumps; with colour and number of trumps."""
    best, colour, n = -999.0, 0, 0
    for card in range(FIRST_TRUMP):
        if in_hand(obs, me, card) == 0:
            continue
        for k in range(trumps_in_hand(obs, me, card & 1) + 1):
            value = value_of_number(obs, mask, row, card, sign, k, card & 1, True, trust)
            if value > best:
                best, colour, n = value, card & 1, k
    return best, colour, n


@rule
def counter_sign(obs, mask, me, row, trust):
    adding, _, _ = best_lay(obs, mask, me, row, 1, trust)
    subtracting, _, _ = best_lay(obs, mask, me, row, -1, trust)
    return act.DECLARE_ADD if adding >= subtracting else act.DECLARE_SUBTRACT


@rule
def counter_trumps(obs, mask, me, row, trust):
    _, colour, n = best_lay(obs, mask, me, row, sense.sign_of(obs, row), trust)
    return lay(colour, min(n, most_laid(mask, colour)))


@rule
def counter_number(obs, mask, row, trust):
    """Best answer with the trumps on the table; a defender lays her joker if numbers promise less."""
    n, trump_colour = 0, -1
    for colour in range(2):
        if obs[row + sense.LAID + colour] > 0:
            n, trump_colour = whole(obs[row + sense.LAID + colour] * 24), colour
    shown = obs[row + sense.FACE_DOWN] == 0
    sign = sense.sign_of(obs, row)
    best, most = -1, -999.0
    for card in range(FIRST_TRUMP):
        if mask[act.MAIN + card]:
            value = value_of_number(obs, mask, row, card, sign, n, trump_colour, shown, trust)
            if value > most:
                best, most = card, value
    if best < 0:
        return without_number(mask)
    joker = 1.0 if obs[sense.BOUT] > 0 and obs[row + sense.DEFENDER] > 0 else 0.0
    if mask[act.MAIN_JOKER] and joker > most:
        return act.MAIN_JOKER
    return act.MAIN + best

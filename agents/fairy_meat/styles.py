"""How the bots lay cards. Each style answers three questions: add or subtract, which trumps, which
number. The number is chosen with the trumps already on the table.
"""

from __future__ import annotations

from agents.fairy_meat import sense
from agents.fairy_meat.common import first_legal
from agents.fairy_meat.sense import trumps_in_hand, whole
from fm_env.compiled import rule
from fm_env.games.fairy_meat import actions as act
from fm_env.games.fairy_meat.constants import FIRST_TRUMP
from fm_env.rng import random_float

MIDDLE = 5.5
"""The value that is wrong by least, whichever colour the opponent shows (UnclEvl's advice)."""


@rule
def highest_number(mask, colour):
    """Highest legal number of a colour (-1: of any), or -1."""
    best = -1
    for card in range(FIRST_TRUMP):
        if mask[act.MAIN + card] and (colour < 0 or card & 1 == colour):
            if best < 0 or card // 2 >= best // 2:
                best = card
    return best


@rule
def without_number(mask):
    """No number in hand: a joker, else a wild trump, else nothing."""
    if mask[act.MAIN_JOKER]:
        return act.MAIN_JOKER
    if mask[act.WILD]:
        return act.WILD
    if mask[act.WILD + 1]:
        return act.WILD + 1
    return first_legal(mask)


@rule
def most_laid(mask, colour):
    """Most trumps of a colour that may be laid."""
    start = act.TRUMPS_BLACK if colour else act.TRUMPS_RED
    n = 0
    while n < 16 and mask[start + n + 1]:
        n += 1
    return n


@rule
def lay(colour, n):
    """Action id of laying `n` trumps of a colour."""
    if n <= 0:
        return act.TRUMPS_NONE
    return (act.TRUMPS_BLACK if colour else act.TRUMPS_RED) + n


@rule
def highest_in_hand(obs, me, colour):
    """Face value of the highest number of a colour in hand, 0 without one."""
    for card in range(FIRST_TRUMP - 2 + colour, -1, -2):
        if sense.in_hand(obs, me, card) > 0:
            return card // 2 + 2
    return 0


@rule
def laid_colour(obs, row):
    """Colour of the trumps she laid, -1 for none."""
    if obs[row + sense.LAID] > 0:
        return 0
    return 1 if obs[row + sense.LAID + 1] > 0 else -1


# --------------------------------------------------------------------------------------- highest
@rule
def highest_colour(obs, mask, me):
    """Colour in which number plus own trumps adds up to most."""
    best, most = 0, -1
    for colour in range(2):
        value = highest_in_hand(obs, me, colour)
        if value > 0 and value + most_laid(mask, colour) > most:
            best, most = colour, value + most_laid(mask, colour)
    return best


@rule
def highest_trumps(obs, mask, me):
    colour = highest_colour(obs, mask, me)
    return lay(colour, most_laid(mask, colour)) if highest_in_hand(obs, me, colour) > 0 else act.TRUMPS_NONE


@rule
def honest_number(obs, mask, row):
    """Highest number of the colour of her trumps, else the highest of all."""
    card = highest_number(mask, laid_colour(obs, row))
    if card < 0:
        card = highest_number(mask, -1)
    return act.MAIN + card if card >= 0 else without_number(mask)


# --------------------------------------------------------------------------------------- bluffer
@rule
def bluffing_trumps(obs, mask, me, rate, rng):
    """As `highest`, but at the given rate the trumps of the other colour are laid."""
    if random_float(rng) >= rate:
        return highest_trumps(obs, mask, me)
    other = 1 - highest_colour(obs, mask, me)
    return lay(other, most_laid(mask, other))


@rule
def bluffing_number(obs, mask, me, row):
    """The number she meant all along: the highest of the colour that adds up to most."""
    best, most = -1, -1
    for colour in range(2):
        card = highest_number(mask, colour)
        shown = whole(obs[row + sense.LAID + colour] * 24)
        value = 0 if card < 0 else card // 2 + 2 + trumps_in_hand(obs, me, colour) + shown
        if value > most:
            best, most = card, value
    return act.MAIN + best if best >= 0 else without_number(mask)


# ---------------------------------------------------------------------------------------- median
@rule
def distance_to_middle(value, sign, trumps):
    """Least distance to the middle with up to `trumps` trumps, and how many that takes."""
    best, n = abs(value - MIDDLE), 0
    for k in range(1, trumps + 1):
        if abs(value + sign * k - MIDDLE) < best:
            best, n = abs(value + sign * k - MIDDLE), k
    return best, n


@rule
def median_plan(obs, me, sign):
    """Best distance to the middle over all numbers in hand; with its colour and number of trumps."""
    best, colour, n = 99.0, 0, 0
    for card in range(FIRST_TRUMP):
        if sense.in_hand(obs, me, card) > 0:
            distance, k = distance_to_middle(card // 2 + 2, sign, trumps_in_hand(obs, me, card & 1))
            if distance < best:
                best, colour, n = distance, card & 1, k
    return best, colour, n


@rule
def median_sign(obs, me):
    adding, _, _ = median_plan(obs, me, 1)
    subtracting, _, _ = median_plan(obs, me, -1)
    return act.DECLARE_ADD if adding <= subtracting else act.DECLARE_SUBTRACT


@rule
def median_trumps(obs, mask, me, row):
    _, colour, n = median_plan(obs, me, sense.sign_of(obs, row))
    return lay(colour, min(n, most_laid(mask, colour)))


@rule
def median_number(obs, mask, row):
    """The number that comes nearest to the middle with the trumps laid, staying honest."""
    colour = laid_colour(obs, row)
    n = 0 if colour < 0 else whole(obs[row + sense.LAID + colour] * 24)
    best, least = -1, 99.0
    for card in range(FIRST_TRUMP):
        if mask[act.MAIN + card]:
            value = card // 2 + 2 + (sense.sign_of(obs, row) * n if card & 1 == colour else 0)
            distance = abs(value - MIDDLE) + (10.0 if colour >= 0 and card & 1 != colour else 0.0)
            if distance < least:
                best, least = card, distance
    return act.MAIN + best if best >= 0 else without_number(mask)


# ------------------------------------------------------------------------------------ Fast Play
@rule
def fast_play_main(mask):
    """High always wins: the highest number; without one a wild trump, else the joker."""
    card = highest_number(mask, -1)
    if card >= 0:
        return act.MAIN + card
    if mask[act.WILD]:
        return act.WILD
    if mask[act.WILD + 1]:
        return act.WILD + 1
    return first_legal(mask)


@rule
def all_supports(mask):
    n = 0
    while n < 24 and mask[act.SUPPORTS + n + 1]:
        n += 1
    return act.SUPPORTS + n

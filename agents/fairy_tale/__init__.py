"""Hand-written Fairy Tale players, compiled so that they play at the speed of the rules.

They differ in what a card is worth to them. All draft and play the card that is worth most, open
the closed card that brings most points and close the one that costs least; of equals, the one that
comes first in the deck. They read the observation only, so they play any deck.
"""

from __future__ import annotations

from agents.api import BotInfo, Param
from fm_env.batch_loop import nth_true
from fm_env.compiled import rule
from fm_env.games.fairy_tale.actions import DRAFT, NUM_VERBS, OPEN
from fm_env.games.fairy_tale.constants import NUM_KINDS, NUM_RACES
from fm_env.games.fairy_tale.observe import FIRST_BLOCK, GAIN, HAND, LOOKS, NEXT_GAIN, UP
from fm_env.rng import random_below

RANDOM, GREEDY, COLLECTOR, DENIER = range(4)

BOTS = {
    "random": BotInfo("random", RANDOM, "Plays any legal action."),
    "greedy": BotInfo("greedy", GREEDY, "Takes and plays the card that adds most points now."),
    "collector": BotInfo(
        "collector",
        COLLECTOR,
        "Sticks to the colour it has most cards of, and to cards it already holds.",
        {
            "colour": Param(6.0, 0.0, 20.0, "points that a card of its colour seems worth more"),
            "copies": Param(3.0, 0.0, 20.0, "points that a card seems worth more for each copy it holds"),
        },
    ),
    "denier": BotInfo(
        "denier",
        DENIER,
        "As greedy, but also takes what would help the player it passes to.",
        {"weight": Param(0.5, 0.0, 2.0, "worth of a point that the next player doesn't get")},
    ),
}


@rule
def dispatch(bot_id, obs, mask, params, rng):
    """The choice of bot `bot_id` (see `agents.api.BotInfo`)."""
    if bot_id == RANDOM:
        return any_legal(mask, rng)
    types = len(mask) // NUM_VERBS
    colour = favourite_race(obs, types) if bot_id == COLLECTOR else -1
    best, most = -1, -1e9
    for action in range(len(mask)):
        if mask[action]:
            card = action % types
            worth = 32 * entry(obs, types, GAIN, card)
            if bot_id == COLLECTOR and action < OPEN * types:
                if race_of(obs, types, card) == colour:
                    worth += params[0]
                worth += params[1] * copies_held(obs, types, card, action // types)
            if bot_id == DENIER and action // types == DRAFT:
                worth += params[0] * 32 * max(0.0, entry(obs, types, NEXT_GAIN, card))
            if worth > most:
                best, most = action, worth
    return best


@rule
def any_legal(mask, rng):
    n = 0
    for a in range(len(mask)):
        n += mask[a]
    return nth_true(mask, random_below(rng, n))


@rule
def entry(obs, types, block, card):
    """An entry of one of the seat's own blocks (`observe.OWN_BLOCKS`)."""
    return float(obs[FIRST_BLOCK + block * types + card])


@rule
def race_of(obs, types, card):
    """Race of a card, from its looks; -1 for none."""
    code = int(16 * entry(obs, types, LOOKS, card) + 0.5)
    return (code - 1) // NUM_KINDS if code > 0 else -1


@rule
def copies_held(obs, types, card, verb):
    """Copies of a card in hand, the one to be played left out, and face up on the table."""
    held = 5 * entry(obs, types, HAND, card) + 12 * entry(obs, types, UP, card)
    return held if verb == DRAFT else held - 1


@rule
def favourite_race(obs, types):
    """The race of most cards in hand and face up; the first of equals."""
    best, most = 0, -1.0
    for race in range(NUM_RACES):
        n = 0.0
        for card in range(types):
            if race_of(obs, types, card) == race:
                n += 5 * entry(obs, types, HAND, card) + 12 * entry(obs, types, UP, card)
        if n > most + 0.01:
            best, most = race, n
    return best

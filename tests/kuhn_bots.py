"""Compiled bots for Kuhn poker, in the form that `agents.registry` expects of any game."""

from __future__ import annotations

from agents.api import BotInfo, Param
from fm_env.compiled import rule
from fm_env.rng import random_below, random_float

PASS, BET = 0, 1

BOTS = {
    "random": BotInfo("random", 0, "chooses evenly among the legal actions"),
    "passive": BotInfo("passive", 1, "never bets and never calls"),
    "eager": BotInfo("eager", 2, "always bets and always calls"),
    "mixed": BotInfo(
        "mixed",
        3,
        "bets the king and bluffs the jack; calls with the queen",
        {
            "bluff": Param(0.0, 0.0, 1.0, "chance of betting the jack when nobody has bet"),
            "call": Param(0.0, 0.0, 1.0, "chance of calling with the queen"),
        },
    ),
}


@rule
def dispatch(bot_id, obs, mask, params, rng):
    """Bot `bot_id`'s action; the observation is described in `tests.kuhn.observe`."""
    if bot_id == 0:
        return random_below(rng, 2)
    if bot_id == 1:
        return PASS
    if bot_id == 2:
        return BET
    faces_bet = obs[4] > 0.5 or (obs[6] > 0.5 and obs[3] > 0.5)
    if obs[2] > 0.5:  # the king
        return BET
    if obs[1] > 0.5:  # the queen
        return BET if faces_bet and random_float(rng) < params[1] else PASS
    return BET if not faces_bet and random_float(rng) < params[0] else PASS

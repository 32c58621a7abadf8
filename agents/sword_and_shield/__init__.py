"""Hand-written jousters, compiled so that they play at the speed of the rules."""

from __future__ import annotations

from agents.api import BotInfo, Param
from agents.sword_and_shield import reader, sense, styles
from fm_env.batch_loop import random_bot
from fm_env.compiled import rule
from fm_env.games.sword_and_shield import actions as act

RANDOM, HITTER, CONSERVER, READER = range(4)

BOTS = {
    "random": BotInfo("random", RANDOM, "Plays any legal action."),
    "hitter": BotInfo("hitter", HITTER, "Attacks and defends with its highest number, whatever it costs."),
    "conserver": BotInfo(
        "conserver", CONSERVER, "Attacks only for free, defends as cheaply as it can, discards costly cards."
    ),
    "reader": BotInfo(
        "reader",
        READER,
        "Counts cards: attacks where an answer is unlikely, weighs points against cards kept.",
        {
            "care": Param(0.01, 0.0, 0.2, "worth of each attack a card covers, in hits"),
            "trust": Param(0.8, 0.0, 1.0, "how far a hit taken shows that no answer was held"),
        },
    ),
}


@rule
def dispatch(bot_id, obs, mask, params, rng):
    """The choice of bot `bot_id` (see `agents.api.BotInfo`)."""
    if bot_id == RANDOM:
        return random_bot(bot_id, obs, mask, params, rng)
    if obs[sense.ATTACKS_NOW] > 0:
        if bot_id == HITTER:
            return styles.hit_hard(obs, mask)
        if bot_id == CONSERVER:
            return styles.attack_for_free(obs, mask)
        return reader.attack_by_count(obs, mask, params[0], params[1])
    if obs[sense.DISCARDS_NOW] > 0:
        if bot_id == HITTER:
            return act.END_TURN
        if bot_id == CONSERVER:
            return styles.discard_costly(obs, mask)
        return reader.discard_by_count(obs, mask, params[0])
    if bot_id == HITTER:
        return styles.defend_hard(obs, mask)
    if bot_id == CONSERVER:
        return styles.defend_cheaply(obs, mask)
    return reader.defend_by_count(obs, mask, params[0])

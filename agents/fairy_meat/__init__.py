"""Hand-written Fairy Meat players, compiled so that they play at the speed of the rules.

They differ in how they lay cards, as their names say; everything else is the same documented
policy (`agents.fairy_meat.common`). Under the Fast Play rules, where laying everything is close
to dominant (F-45), all but `random` and `plain` lay their highest total.

The last five are named for what they do at the whole table (`agents.fairy_meat.table_styles`,
`agents.fairy_meat.tactician`); they lay cards as `counter`, and the others move as `brawler`.
"""

from __future__ import annotations

from agents.api import BotInfo, Param
from agents.fairy_meat import common, counter, sense, styles, table_common, table_setup
from agents.fairy_meat import table_sense as ts
from fm_env.batch_loop import nth_true
from fm_env.compiled import rule
from fm_env.games.fairy_meat import actions as act
from fm_env.games.fairy_meat.constants import Phase
from fm_env.rng import random_below

RANDOM, PLAIN, HIGHEST, MEDIAN, BLUFFER, COUNTER = range(6)
BRAWLER, SNIPER, WITCH, SCAVENGER, TACTICIAN = range(COUNTER + 1, COUNTER + 6)
FIRST_STYLE = BRAWLER

TRUST = Param(0.7, 0.0, 1.0, "chance that shown trumps match the number to come")

BOTS = {
    "random": BotInfo("random", RANDOM, "Plays any legal action."),
    "plain": BotInfo("plain", PLAIN, "Never lays a trump; lays its highest number."),
    "highest": BotInfo("highest", HIGHEST, "Adds all trumps of its best colour, never bluffs."),
    "median": BotInfo("median", MEDIAN, "Steers its total towards 5 to 6, whatever the colours."),
    "bluffer": BotInfo(
        "bluffer",
        BLUFFER,
        "As highest, but often lays trumps of the colour it will not show.",
        {"rate": Param(0.5, 0.0, 1.0, "share of lays that bluff")},
        coin="rate",
    ),
    "counter": BotInfo(
        "counter",
        COUNTER,
        "Counts cards, guesses the opponent's colour and answers best.",
        {"trust": TRUST},
    ),
    "brawler": BotInfo("brawler", BRAWLER, "Closes with the weakest it reaches and hits.", {"trust": TRUST}),
    "sniper": BotInfo("sniper", SNIPER, "Shoots from high places, hides, flies from foes.", {"trust": TRUST}),
    "witch": BotInfo("witch", WITCH, "Magic first: thorns, bindings, shimmer.", {"trust": TRUST}),
    "scavenger": BotInfo("scavenger", SCAVENGER, "Flies to the dead and feeds on them.", {"trust": TRUST}),
    "tactician": BotInfo(
        "tactician",
        TACTICIAN,
        "Does what promises most points: kills, wounds, meat.",
        {
            "trust": TRUST,
            "bite": Param(0.4, 0.0, 3.0, "points that the health of a bite is worth"),
            "patience": Param(2.0, 0.0, 8.0, "round from which it goes looking for enemies"),
            "safety": Param(0.5, 0.0, 99.0, "points from afar that cover must save"),
        },
    ),
}

AGENTS = {"equilibrium": "agents.fairy_meat.equilibrium:Equilibrium"}
"""Agents in Python that come with the game, by name."""


@rule
def dispatch(bot_id, obs, mask, params, rng):
    """The choice of bot `bot_id` (see `agents.api.BotInfo`)."""
    if bot_id == RANDOM:
        return any_legal(mask, rng)
    if len(mask) == act.NUM_TABLE:
        return at_table(bot_id, obs, mask, params, rng)
    return in_fight(bot_id, obs, mask, params, rng)


@rule
def at_table(bot_id, obs, mask, params, rng):
    """The whole table: the bots that are named for their cards move as `brawler` does."""
    style = bot_id - FIRST_STYLE if bot_id >= FIRST_STYLE else table_setup.BRAWLER
    if table_common.is_of_table(obs):
        return table_common.table_choice(style, obs, mask, params)
    if mask[act.KEEP] and table_common.trades(style, obs):
        for colour in range(2):
            if mask[act.TRADE + colour]:
                return act.TRADE + colour
    return in_fight(bot_id, obs[: ts.FIGHT], mask[: ts.DUEL_MASK], params, rng)


@rule
def in_fight(bot_id, obs, mask, params, rng):
    """A fight, by itself or at a table. Those named for their ways at the table lay cards as `counter`."""
    me = sense.place_where(obs, mask, sense.ASKED)
    row = sense.row_of(obs, mask, me)
    if obs[sense.FAST_PLAY] > 0:
        return fast_play(bot_id, obs, mask, me)
    if sense.in_phase(obs, Phase.DECLARE_ATTACKER) or sense.in_phase(obs, Phase.DECLARE_DEFENDER):
        return declare(bot_id, obs, mask, me, row, params)
    if sense.in_phase(obs, Phase.LAY_TRUMPS):
        return lay_trumps(bot_id, obs, mask, me, row, params, rng)
    if sense.in_phase(obs, Phase.LAY_MAIN):
        return lay_number(bot_id, obs, mask, me, row, params)
    return common.common_choice(obs, mask, me)


@rule
def any_legal(mask, rng):
    n = 0
    for a in range(len(mask)):
        n += mask[a]
    return nth_true(mask, random_below(rng, n))


@rule
def declare(bot_id, obs, mask, me, row, params):
    if bot_id == MEDIAN:
        return styles.median_sign(obs, me)
    if bot_id >= COUNTER:
        return counter.counter_sign(obs, mask, me, row, params[0])
    return act.DECLARE_ADD


@rule
def lay_trumps(bot_id, obs, mask, me, row, params, rng):
    """Points won by defending are used when there is nothing else, named for the likelier colour."""
    if mask[act.POINTS]:
        return act.POINTS + (unseen_colour(obs, mask))
    if bot_id == PLAIN:
        return act.TRUMPS_NONE
    if bot_id == HIGHEST:
        return styles.highest_trumps(obs, mask, me)
    if bot_id == MEDIAN:
        return styles.median_trumps(obs, mask, me, row)
    if bot_id == BLUFFER:
        return styles.bluffing_trumps(obs, mask, me, params[0], rng)
    return counter.counter_trumps(obs, mask, me, row, params[0])


@rule
def unseen_colour(obs, mask):
    """The colour of which more unseen numbers are left."""
    red, black = 0, 0
    for card in range(0, 18, 2):
        red += sense.unseen(obs, mask, card)
        black += sense.unseen(obs, mask, card + 1)
    return 1 if black > red else 0


@rule
def lay_number(bot_id, obs, mask, me, row, params):
    if bot_id == PLAIN or bot_id == HIGHEST:
        return styles.honest_number(obs, mask, row)
    if bot_id == MEDIAN:
        return styles.median_number(obs, mask, row)
    if bot_id == BLUFFER:
        return styles.bluffing_number(obs, mask, me, row)
    return counter.counter_number(obs, mask, row, params[0])


@rule
def fast_play(bot_id, obs, mask, me):
    if sense.in_phase(obs, Phase.LAY_MAIN):
        return styles.fast_play_main(mask)
    if sense.in_phase(obs, Phase.SUPPORTS):
        return act.SUPPORTS if bot_id == PLAIN else styles.all_supports(mask)
    return common.common_choice(obs, mask, me)

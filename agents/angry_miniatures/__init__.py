"""Hand-written Angry Miniatures players, compiled so that they play at the speed of the rules.

They differ in how they move and whom they attack, as their names say; building, deploying and
Crits are the same for all (`agents.angry_miniatures.tactics`). None attacks its own side.
"""

from __future__ import annotations

from agents.angry_miniatures import sense, tactics
from agents.angry_miniatures.tactics import ANY_TARGET, BACK, FORWARD, NO_TARGET
from agents.api import BotInfo
from fm_env.batch_loop import nth_true
from fm_env.compiled import rule
from fm_env.games.angry_miniatures import actions as act
from fm_env.games.angry_miniatures.constants import Phase
from fm_env.rng import random_below

RANDOM, RUSHER, KITER, FOCUS_FIRE = range(4)

BOTS = {
    "random": BotInfo("random", RANDOM, "Plays any legal action."),
    "rusher": BotInfo("rusher", RUSHER, "Closes in by the shortest way and attacks whoever it can."),
    "kiter": BotInfo("kiter", KITER, "Shoots from as far as it can and steps back after its attack."),
    "focus-fire": BotInfo("focus-fire", FOCUS_FIRE, "Attacks the weakest enemy within reach, all together."),
}


@rule
def dispatch(bot_id, obs, mask, params, rng):
    """The choice of bot `bot_id` (see `agents.api.BotInfo`)."""
    if bot_id == RANDOM:
        return any_legal(mask, rng)
    if sense.in_phase(obs, Phase.BUILD):
        return tactics.build_entry(obs, mask)
    if sense.in_phase(obs, Phase.PLACE_CELL):
        return tactics.deployment_square(obs, mask)
    if sense.in_phase(obs, Phase.INITIATIVE):
        return act.GO_SECOND if bot_id == KITER else act.GO_FIRST
    if sense.in_phase(obs, Phase.ACTIVATE):
        return tactics.figure_to_activate(obs, mask, bot_id == FOCUS_FIRE)
    if sense.in_phase(obs, Phase.CRIT):
        return tactics.crit_choice(obs, mask)
    if sense.in_phase(obs, Phase.COMMAND):
        return tactics.command_choice(obs, mask)
    if sense.in_phase(obs, Phase.ACT):
        return choose_act(bot_id, obs, mask)
    return tactics.first_legal(mask)


@rule
def any_legal(mask, rng):
    n = 0
    for a in range(len(mask)):
        n += mask[a]
    return nth_true(mask, random_below(rng, n))


@rule
def choose_act(bot_id, obs, mask):
    """Stand up; move into an attack, or attack and move; then end."""
    if mask[act.STAND_UP]:
        return act.STAND_UP
    if bot_id == RUSHER:
        return rush(obs, mask)
    if bot_id == KITER:
        return kite(obs, mask)
    return focus(obs, mask)


@rule
def rush(obs, mask):
    """Attack if anyone is open; else move next to them, or as near as it gets."""
    attack = tactics.best_open_enemy(obs, mask, False)
    if attack >= 0:
        return attack
    if obs[sense.ATTACKED] > 0:
        return act.END
    move = tactics.best_square(obs, mask, ANY_TARGET, FORWARD)
    if move < 0:
        move = tactics.best_square(obs, mask, NO_TARGET, FORWARD)
    return move if move >= 0 else act.END


@rule
def kite(obs, mask):
    """The farthest square with a target, attack, and away again if the move is left. Fighters wait
    for enemies to come into their reach.
    """
    me = sense.own_with(obs, sense.ACTIVE)
    shooter = sense.is_shooter(obs, me)
    attack = tactics.best_open_enemy(obs, mask, False)
    if attack >= 0:
        return attack
    if obs[sense.ATTACKED] > 0:
        retreat = tactics.best_square(obs, mask, NO_TARGET, BACK) if shooter else -1
        return retreat if retreat >= 0 else act.END
    move = tactics.best_square(obs, mask, ANY_TARGET, BACK)
    if move < 0 and shooter:
        move = tactics.best_square(obs, mask, NO_TARGET, FORWARD)
    return move if move >= 0 else act.END


@rule
def focus(obs, mask):
    """Move to where the weakest enemy in range can be attacked; attack the weakest that is open."""
    me = sense.own_with(obs, sense.ACTIVE)
    direction = BACK if sense.is_shooter(obs, me) else FORWARD
    target = sense.weakest_enemy(obs, me)
    if obs[sense.ATTACKED] > 0:
        retreat = tactics.best_square(obs, mask, NO_TARGET, BACK) if direction == BACK else -1
        return retreat if retreat >= 0 else act.END
    if target >= 0 and mask[act.FIGURE + target]:
        return act.FIGURE + target
    move = tactics.best_square(obs, mask, target, direction) if target >= 0 else -1
    if move < 0:
        attack = tactics.best_open_enemy(obs, mask, True)
        if attack >= 0:
            return attack
        move = tactics.best_square(obs, mask, ANY_TARGET, direction)
    if move < 0:
        move = tactics.best_square(obs, mask, NO_TARGET, FORWARD)
    return move if move >= 0 else act.END

"""The contract's functions for Angry Miniatures (`fm_env.contract.GameKernel`)."""

from __future__ import annotations

from fm_env.compiled import rule
from fm_env.contract import CHANCE, TERMINAL, GameKernel
from fm_env.games.angry_miniatures import course, dice
from fm_env.games.angry_miniatures.constants import FIRST_CHANCE, Phase
from fm_env.games.angry_miniatures.faults import faults
from fm_env.games.angry_miniatures.information import info_key, resample
from fm_env.games.angry_miniatures.observe import observe
from fm_env.games.angry_miniatures.scoring import returns
from fm_env.games.angry_miniatures.setup import lay_out


@rule
def reset(s, setup):
    lay_out(s, setup)


@rule
def to_act(s):
    if s.phase == Phase.OVER:
        return TERMINAL
    if s.phase >= FIRST_CHANCE:
        return CHANCE
    return course.asked_seat(s)


@rule
def pending(s):
    return int(course.is_asked(s, 0)) | int(course.is_asked(s, 1)) << 1


@rule
def legal_mask(s, seat, out):
    out[:] = False
    if not course.is_asked(s, seat):
        return 0
    return course.legal_actions(s, seat, out)


@rule
def chance_weights(s, out):
    """Each pool is one event; so is a contest of single dice."""
    if s.phase < FIRST_CHANCE or s.phase == Phase.OVER:
        out[:] = 0
        return 0
    if s.phase == Phase.ROLL_ATTACK or s.phase == Phase.ROLL_DEFENCE:
        return dice.pool_weights(int(s.dice), out)
    return dice.contest_weights(out)


@rule
def chance_stream(s, out):
    """A throw is named by round, kind, and who attacks whom; no figure attacks twice a round."""
    out[:] = 0
    stream = int(s.round_number) * 8 + int(s.phase) - FIRST_CHANCE
    if s.phase < Phase.ROLL_ATTACK:
        return stream * 64
    return stream * 64 + int(s.attacker) * 8 + int(s.caught[s.facing])


@rule
def apply(s, seat, action):
    course.take_action(s, seat, action)
    course.settle(s)


@rule
def apply_chance(s, outcome):
    course.take_outcome(s, outcome)
    course.settle(s)


KERNEL = GameKernel(
    reset=reset,
    to_act=to_act,
    pending=pending,
    legal_mask=legal_mask,
    chance_weights=chance_weights,
    chance_stream=chance_stream,
    apply=apply,
    apply_chance=apply_chance,
    returns=returns,
    observe=observe,
    info_key=info_key,
    faults=faults,
    resample=resample,
)

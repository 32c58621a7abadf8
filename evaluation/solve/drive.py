"""Bringing the kernel to any information set of a clash, and through its last questions.

A position is reached by the kernel's own moves from the first card on, with some hand of the other
fighter that fits: what a seat sees doesn't depend on which (a law of the contract). The functions
here are templates; `driver_of` puts the kernel in.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from evaluation.solve.ends import JOKER_MAIN, NO_MAIN, WILD_MAIN
from evaluation.solve.moves import Moves
from fm_env.contract import Game
from fm_env.engine import specialise_for
from fm_env.games.fairy_meat import actions as act
from fm_env.games.fairy_meat.combat_unclevl import is_caught
from fm_env.games.fairy_meat.constants import Phase

reset: Any = None
apply: Any = None
apply_chance: Any = None
pending: Any = None
to_act: Any = None
legal_mask: Any = None
observe: Any = None
returns: Any = None
place: Any = None
ask: Any = None

DECLARE_A, DECLARE_D, LAY, MAIN, LATE = range(5)
"""Stages: who is asked what."""


class Names(NamedTuple):
    """Ids of cards and actions."""

    cards: np.ndarray
    """`[21]` card of each type."""
    lays: np.ndarray
    """`[L]` action of each lay."""
    mains: np.ndarray
    """`[22]` action of each main card."""


def names_of(moves: Moves) -> Names:
    """Ids for a clash."""
    lays = [act.TRUMPS_NONE]
    for lay in range(1, moves.num_lays):
        colour, n = moves.colour_and_n(lay)
        lays.append((act.TRUMPS_RED, act.TRUMPS_BLACK)[colour] + n)
    mains = [act.MAIN + t for t in range(JOKER_MAIN)]
    mains += [act.MAIN_JOKER, act.MAIN_NONE, act.WILD, act.WILD + 1]
    assert (JOKER_MAIN, NO_MAIN, WILD_MAIN) == (18, 19, 20)
    return Names(moves.deal.cards, np.array(lays, np.int64), np.array(mains, np.int64))


def _place(s, setup, names, x, y, signs, stage, lay_a, lay_d, main_a, main_d, piles):
    """Bring state `s` to a stage with hands `x` (attacker) and `y`, and the given choices before it.

    Args:
        signs: index in `moves.SIGNS`.
        piles: `[2, 3]` for each fighter with a wild trump: red and black trumps under it, number drawn.
    """
    reset(s, setup)
    for kind in range(21):
        for _ in range(x[kind]):
            apply_chance(s, names.cards[kind])
    if stage == DECLARE_A:
        return
    apply(s, 0, act.DECLARE_SUBTRACT if signs >= 2 else act.DECLARE_ADD)
    for kind in range(21):
        for _ in range(y[kind]):
            apply_chance(s, names.cards[kind])
    if stage == DECLARE_D:
        return
    apply(s, 1, act.DECLARE_SUBTRACT if signs % 2 else act.DECLARE_ADD)
    if stage == LAY:
        return
    apply(s, 0, names.lays[lay_a])
    apply(s, 1, names.lays[lay_d])
    if stage == MAIN:
        return
    asked = pending(s)
    if asked & 1:
        apply(s, 0, names.mains[main_a])
    if asked & 2:
        apply(s, 1, names.mains[main_d])
    for who in range(2):
        main = main_a if who == 0 else main_d
        if main >= WILD_MAIN:
            for colour in range(2):
                for _ in range(piles[who, colour] - (main == WILD_MAIN + colour)):
                    apply_chance(s, names.cards[18 + colour])
            apply_chance(s, names.cards[piles[who, 2]])


def _look(states, setups, names, who, stage, rows, piles, my_hands, her_hands, obs, masks):
    """Observations and masks of `who` at many information sets.

    Args:
        states: `[>=1]` scratch.
        setups: `[1]`.
        names: `Names`.
        who: the seat that is asked.
        stage: at which all are.
        rows: `[B, 5]` signs, own hand, own lay, other's hand, other's lay.
        piles: `[2, 3]` zeros.
        my_hands: `[H, 21]` of `who`.
        her_hands: `[H, 21]` of the other.
        obs: `[B, F]` out.
        masks: `[B, A]` out.
    """
    for k in range(len(rows)):
        x, y = my_hands[rows[k, 1]], her_hands[rows[k, 3]]
        lay, other_lay = rows[k, 2], rows[k, 4]
        if who == 0:
            place(states[0], setups[0], names, x, y, rows[k, 0], stage, lay, other_lay, 0, 0, piles)
        else:
            place(states[0], setups[0], names, y, x, rows[k, 0], stage, other_lay, lay, 0, 0, piles)
        observe(states[0], who, obs[k])
        legal_mask(states[0], who, masks[k])


def _ask(s, who, is_asking, counter, obs, masks):
    """Number of a question to the policy, which is noted if `is_asking`."""
    k = counter[0]
    counter[0] += 1
    if is_asking and k < len(obs):
        observe(s, who, obs[k])
        legal_mask(s, who, masks[k])
    return k


def _late(states, who, branch, option, is_asking, counter, obs, masks, chances, out):
    """Points of the attacker from `states[0]` on, in which no card is drawn any more.

    `who` follows the policy, the other one plays best. Where the other chooses before a question to the
    policy, what she does is given: `branch` says whether trumps are turned up (a joker hurts), and
    `option` which use of caught trumps is made. If the policy itself decides about the branch, the
    points come times its chance.

    Args:
        states: `[4]` scratch, the first one is the position.
        who: seat that follows the policy.
        branch: 0 or 1.
        option: 0 to 8.
        is_asking: True: only note the questions; False: answer them from `chances`.
        counter: `[1]` number of the next question.
        obs: `[B, F]` questions.
        masks: `[B, A]` questions.
        chances: `[B, A]` answers.
        out: `[2]` scratch.
    """
    weight = 1.0
    s = states[0]
    if s.phase == Phase.TURN_UP or s.phase == Phase.JOKER:
        if s.phase == Phase.TURN_UP:
            action = act.TURN_UP if branch == 1 else act.LEAVE_DOWN
        else:
            action = act.JOKER_HURTS if branch == 1 else act.JOKER_HEALS
        seat = to_act(s)
        if seat == who:
            k = ask(s, who, is_asking, counter, obs, masks)
            if not is_asking:
                weight = chances[k, action]
        apply(s, seat, action)
    if s.phase == Phase.CHEAT_OF_DEFENDER and who == 1 and is_caught(s, 0):
        apply(s, 0, act.CHEAT + option)
    if s.phase == Phase.OVER:
        returns(s, out)
        return weight * out[0]
    seat = to_act(s)
    first = act.CHEAT
    size = 9
    if s.phase == Phase.JOKER:
        first = act.JOKER_HURTS
        size = 2
    k = ask(s, who, is_asking, counter, obs, masks) if seat == who else -1
    if is_asking:
        return 0.0
    legal_mask(s, seat, masks[0])
    total = 0.0
    best = -1e9
    for a in range(first, first + size):
        if not masks[0, a] or (k >= 0 and chances[k, a] == 0.0):
            continue
        states[1] = s
        apply(states[1], seat, a)
        value = 0.0
        if states[1].phase == Phase.OVER:
            returns(states[1], out)
            value = out[0]
        else:  # the other fighter's last choice
            last = to_act(states[1])
            legal_mask(states[1], last, masks[1])
            top = -1e9
            for c in range(act.CHEAT, act.CHEAT + 9):
                if masks[1, c]:
                    states[2] = states[1]
                    apply(states[2], last, c)
                    returns(states[2], out)
                    top = max(top, out[last])
            value = top if last == 0 else -top
        if k >= 0:
            total += chances[k, a] * value
        else:
            best = max(best, value if seat == 0 else -value)
    if k < 0:
        total = best if seat == 0 else -best
    return weight * total


late: Any = None


def _late_many(
    states, setups, names, who, signs, rows, piles, my_hands, her_hands, branches, options,
    is_asking, counter, obs, masks, chances, out, values,
):  # fmt: skip
    """`_late` for many pairs of plans.

    Args:
        states: scratch.
        setups: `[1]`.
        names: `Names`.
        who: seat that follows the policy.
        signs: index of the declarations.
        rows: `[B, 6]` hand, lay and main card of `who`, then of the other.
        piles: `[B, 2, 3]` what was drawn, by seat.
        my_hands: `[H, 21]` of `who`.
        her_hands: `[H, 21]` of the other.
        branches: how many branches to follow.
        options: how many options.
        is_asking: as in `_late`.
        counter: as in `_late`.
        obs: as in `_late`.
        masks: as in `_late`; the first two rows are scratch when answering.
        chances: as in `_late`.
        out: scratch.
        values: `[B, branches, options]` points of the attacker.
    """
    for k in range(len(rows)):
        x, y = my_hands[rows[k, 0]], her_hands[rows[k, 3]]
        for branch in range(branches):
            for option in range(options):
                if who == 0:
                    place(
                        states[0], setups[0], names, x, y, signs, LATE,
                        rows[k, 1], rows[k, 4], rows[k, 2], rows[k, 5], piles[k],
                    )  # fmt: skip
                else:
                    place(
                        states[0], setups[0], names, y, x, signs, LATE,
                        rows[k, 4], rows[k, 1], rows[k, 5], rows[k, 2], piles[k],
                    )  # fmt: skip
                values[k, branch, option] = late(
                    states, who, branch, option, is_asking, counter, obs, masks, chances, out
                )


class Driver(NamedTuple):
    """The templates above, compiled for a game's kernel."""

    look: Callable[..., None]
    late_many: Callable[..., None]


@functools.cache
def driver_of(game: Game) -> Driver:
    """Compiled once per game and process."""
    placed = specialise_for(_place, game)
    asked = specialise_for(_ask, game)
    ends = specialise_for(_late, game, ask=asked, is_caught=is_caught)
    return Driver(
        specialise_for(_look, game, place=placed),
        specialise_for(_late_many, game, place=placed, late=ends),
    )

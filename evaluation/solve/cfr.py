"""Counterfactual regret minimisation over a clash, all hands at once.

Predictive CFR+ (Farina, Kroer, Sandholm 2021) with alternating updates and averages weighted by the
square of the iteration; the regret of the last iteration is the prediction. `profile` of a solver
holds probabilities of a strategy for both fighters.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from evaluation.solve.deal import Floats
from evaluation.solve.layout import Layout
from evaluation.solve.values import arrays_of, entry_values, hands_of
from fm_env.compiled import allocating_rule, rule


class Strategy(NamedTuple):
    """Probabilities of one fighter's actions (or their regrets or sums) at every information set."""

    declare: Floats
    """`[1 or 2, H, 2]`: add, subtract; the defender's first index is what the attacker declared."""
    lay: Floats
    """`[4, H, L]` by declarations and hand."""
    main: Floats
    """`[4, E]` entries of the `layout.Side`."""


Profile = tuple[Strategy, Strategy]
"""Strategies of the attacker and of the defender."""


@dataclass(frozen=True)
class Gap:
    """How far a profile is from equilibrium, in points."""

    value: float
    """The attacker's points when both follow the profile."""
    gain_attacker: float
    """What the attacker would win by answering the defender best."""
    gain_defender: float
    """What the defender would win by answering the attacker best."""

    @property
    def nash_conv(self) -> float:
        """Sum of both gains; 0 in equilibrium."""
        return self.gain_attacker + self.gain_defender


class Solver:
    """CFR on one clash: `run`, then `profile`."""

    def __init__(self, layout: Layout, power: float = 2.0) -> None:
        """Start from uniform play.

        Args:
            layout: of the clash.
            power: iteration t counts t^power in the average.
        """
        self.layout, self.power, self.iterations = layout, power, 0
        self._shared, self._hands = arrays_of(layout), hands_of(layout)
        self._masks = layout.moves.lays
        self._regrets = tuple(zeros(layout, who) for who in range(2))
        self._sums = tuple(zeros(layout, who) for who in range(2))
        self._now = tuple(uniform(layout, who) for who in range(2))

    def run(self, iterations: int) -> None:
        """Do so many more iterations."""
        for _ in range(iterations):
            self.iterations += 1
            weight = float(self.iterations) ** self.power
            for who in range(2):
                improve(
                    self._shared, who, self.layout.sides[who], self._hands[who], self._masks[who],
                    self.layout.sides[1 - who], self._hands[1 - who], self._now[1 - who],
                    self._regrets[who], self._sums[who], self._now[who], weight,
                )  # fmt: skip

    def profile(self) -> Profile:
        """The average strategies, which converge."""
        return (averaged(self.layout, 0, self._sums[0]), averaged(self.layout, 1, self._sums[1]))


NOTHING_MORE = np.zeros((4, 0))


def zeros(layout: Layout, who: int) -> Strategy:
    """All entries 0."""
    hands, lays = layout.moves.lays[who].shape
    entries = len(layout.sides[who].main)
    return Strategy(np.zeros((1 + who, hands, 2)), np.zeros((4, hands, lays)), np.zeros((4, entries)))


def uniform(layout: Layout, who: int) -> Strategy:
    """Every legal action equally likely."""
    return averaged(layout, who, zeros(layout, who))


def averaged(layout: Layout, who: int, sums: Strategy) -> Strategy:
    """Sums as probabilities; uniform where nothing was summed."""
    mask, side = layout.moves.lays[who], layout.sides[who]
    counts = np.diff(side.first)
    totals = np.add.reduceat(sums.main, side.first[:-1], axis=1)
    per_entry = np.repeat(totals, counts, axis=1)
    main = np.divide(
        sums.main, per_entry, out=np.repeat(1.0 / counts, counts) * np.ones((4, 1)), where=per_entry > 0
    )
    return Strategy(_normalised(sums.declare, np.ones(2, np.bool_)), _normalised(sums.lay, mask), main)


def _normalised(sums: Floats, mask: np.ndarray) -> Floats:
    totals = sums.sum(-1, keepdims=True)
    even = np.broadcast_to(mask / mask.sum(-1, keepdims=True), sums.shape).copy()
    return np.divide(sums, totals, out=even, where=totals > 0)


def gap(layout: Layout, profile: Profile) -> Gap:
    """Exact gains of best responses to a profile, late questions answered best by both."""
    worths = [best_response(layout, who, profile[1 - who])[0] for who in range(2)]
    value = expected(layout, profile)
    return Gap(value, worths[0] - value, worths[1] + value)


def best_response(layout: Layout, who: int, her: Strategy) -> tuple[float, Strategy]:
    """Points of the best answer to a strategy of the other fighter, and that answer."""
    answer = zeros(layout, who)
    hands = hands_of(layout)
    total = respond(
        arrays_of(layout), who, layout.sides[who], hands[who], layout.moves.lays[who],
        layout.sides[1 - who], hands[1 - who], her, answer, answer, True, NOTHING_MORE,
    )  # fmt: skip
    return total / layout.moves.deal.total, answer


def expected(layout: Layout, profile: Profile) -> float:
    """The attacker's points when both follow the profile."""
    hands = hands_of(layout)
    total = respond(
        arrays_of(layout), 0, layout.sides[0], hands[0], layout.moves.lays[0],
        layout.sides[1], hands[1], profile[1], profile[0], zeros(layout, 0), False, NOTHING_MORE,
    )  # fmt: skip
    return total / layout.moves.deal.total


@rule
def fill_reach(who, s, side, play, out):
    """`out[E]`: probability of a fighter's own choices up to each entry."""
    row = s // 2 if who == 1 else 0
    act = s % 2 if who == 1 else s // 2
    for i in range(len(side.hand)):
        h = side.hand[i]
        p = play.declare[row, h, act] * play.lay[s, h, side.lay[i]]
        for e in range(side.first[i], side.first[i + 1]):
            out[e] = p * play.main[s, e]


@rule
def match_regrets(regrets, prediction, value, mask, now):
    """One set: add regrets, keep them above 0, and play in proportion to the predicted ones."""
    total = 0.0
    legal = 0
    for k in range(len(regrets)):
        now[k] = 0.0
        if mask[k]:
            regret = prediction[k] - value
            regrets[k] = max(0.0, regrets[k] + regret)
            now[k] = max(0.0, regrets[k] + regret)
            total += now[k]
            legal += 1
    for k in range(len(regrets)):
        if mask[k]:
            now[k] = now[k] / total if total > 0.0 else 1.0 / legal


@allocating_rule
def improve(shared, who, me, my_hands, mask, other, her_hands, her, regrets, sums, now, weight):
    """One update of a fighter: values against the other's play, regrets, averages, new play."""
    hands, lays = mask.shape
    reach = np.zeros(len(other.main))
    values = np.zeros(len(me.main))
    every = np.ones(max(2, 20), np.bool_)
    by_signs = np.zeros((4, hands))
    for s in range(4):
        fill_reach(1 - who, s, other, her, reach)
        entry_values(shared, s, who, me, my_hands, other, her_hands, reach, values)
        row, act = (s // 2, s % 2) if who == 1 else (0, s // 2)
        lay_values = np.zeros((hands, lays))
        for i in range(len(me.hand)):
            e0, e1 = me.first[i], me.first[i + 1]
            h, lay = me.hand[i], me.lay[i]
            value = 0.0
            own = weight * now.declare[row, h, act] * now.lay[s, h, lay]
            for e in range(e0, e1):
                value += now.main[s, e] * values[e]
                sums.main[s, e] += own * now.main[s, e]
            lay_values[h, lay] += value
            match_regrets(regrets.main[s, e0:e1], values[e0:e1], value, every, now.main[s, e0:e1])
        for h in range(hands):
            value = 0.0
            own = weight * now.declare[row, h, act]
            for k in range(lays):
                value += now.lay[s, h, k] * lay_values[h, k]
                sums.lay[s, h, k] += own * now.lay[s, h, k]
            by_signs[s, h] = value
            match_regrets(regrets.lay[s, h], lay_values[h], value, mask[h], now.lay[s, h])
    pair = np.zeros(2)
    for row in range(1 + who):
        for h in range(hands):
            for k in range(2):
                if who == 0:
                    pair[k] = by_signs[2 * k, h] + by_signs[2 * k + 1, h]
                else:
                    pair[k] = by_signs[2 * row + k, h]
            value = now.declare[row, h, 0] * pair[0] + now.declare[row, h, 1] * pair[1]
            sums.declare[row, h, 0] += weight * now.declare[row, h, 0]
            sums.declare[row, h, 1] += weight * now.declare[row, h, 1]
            match_regrets(regrets.declare[row, h], pair, value, every, now.declare[row, h])


@allocating_rule
def respond(shared, who, me, my_hands, mask, other, her_hands, her, play, answer, best, more):
    """Value of a fighter's `play` against the other's, summed over ways of dealing.

    If `best`, the best action is taken everywhere instead of `play`, and written to `answer`.
    `more[4, E]`, if not empty, is added to the values of entries.
    """
    hands = len(mask)
    reach = np.zeros(len(other.main))
    values = np.zeros(len(me.main))
    by_signs = np.zeros((4, hands))
    for s in range(4):
        fill_reach(1 - who, s, other, her, reach)
        entry_values(shared, s, who, me, my_hands, other, her_hands, reach, values)
        if more.shape[1] > 0:
            values += more[s]
        by_signs[s] = choose(s, me, mask, values, play, answer, best)
    return declare(who, my_hands, by_signs, play, answer, best)


@allocating_rule
def choose(s, me, mask, values, play, answer, best):
    """`[H]` value of each hand under declarations `s`, from the values of entries."""
    hands, lays = mask.shape
    lay_values = np.zeros((hands, lays))
    for i in range(len(me.hand)):
        e0, e1 = me.first[i], me.first[i + 1]
        if best:
            top = e0
            for e in range(e0, e1):
                if values[e] > values[top]:
                    top = e
            answer.main[s, top] = 1.0
            lay_values[me.hand[i], me.lay[i]] += values[top]
        else:
            for e in range(e0, e1):
                lay_values[me.hand[i], me.lay[i]] += play.main[s, e] * values[e]
    out = np.zeros(hands)
    for h in range(hands):
        if best:
            top = 0
            for k in range(lays):
                if mask[h, k] and lay_values[h, k] > lay_values[h, top]:
                    top = k
            answer.lay[s, h, top] = 1.0
            out[h] = lay_values[h, top]
        else:
            for k in range(lays):
                out[h] += play.lay[s, h, k] * lay_values[h, k]
    return out


@rule
def declare(who, my_hands, by_signs, play, answer, best):
    """Sum over hands of their value after their own declaration, times the ways of dealing them."""
    total = 0.0
    for row in range(1 + who):
        for h in range(len(my_hands.ways)):
            if who == 0:
                add = by_signs[0, h] + by_signs[1, h]
                subtract = by_signs[2, h] + by_signs[3, h]
            else:
                add = by_signs[2 * row, h]
                subtract = by_signs[2 * row + 1, h]
            if best:
                answer.declare[row, h, 1 if subtract > add else 0] = 1.0
                total += my_hands.ways[h] * max(add, subtract)
            else:
                p = play.declare[row, h]
                total += my_hands.ways[h] * (p[0] * add + p[1] * subtract)
    return total

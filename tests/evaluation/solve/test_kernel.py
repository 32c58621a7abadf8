"""The solver's moves and ends are the kernel's, position by position.

Every position of small decks and a large sample of the full one is reached by the kernel itself;
there, what the kernel calls legal must be what `moves` lists, and the kernel's own play-out with the
best choices on both sides must be worth what `ends` says.
"""

import itertools

import numpy as np
import pytest

from evaluation.solve.ends import (
    JOKER_MAIN,
    NO_MAIN,
    NOBODY,
    WILD_MAIN,
    against_no_card,
    flat_points,
    two_numbers,
)
from evaluation.solve.moves import SIGNS, Moves
from fm_env.contract import CHANCE, TERMINAL
from fm_env.engine import engine_of
from fm_env.games.fairy_meat import actions as act
from fm_env.records import new_states
from tests.evaluation.solve.decks import GAME, TINY, tiny

ENGINE = engine_of(GAME)


class Table:
    """One clash driven by its kernel."""

    def __init__(self, scenario):
        self.moves, self.spec = Moves(scenario), scenario.spec
        self.states = new_states(self.spec, 40)
        self.scenario = scenario

    def deal(self, hands, signs):
        """Play up to the lays; returns nothing, the position is state 0."""
        ENGINE.reset(self.states, 0, self.scenario.setup)
        for who in range(2):
            for kind in np.repeat(np.arange(21), hands[who]):
                ENGINE.apply_chance(self.states, 0, int(self.moves.deal.cards[kind]))
            assert self.legal(0, who) == {act.DECLARE_ADD, act.DECLARE_SUBTRACT}
            ENGINE.apply(self.states, 0, who, act.DECLARE_ADD if signs[who] == 1 else act.DECLARE_SUBTRACT)

    def legal(self, i, who):
        mask = np.zeros(self.spec.num_actions, np.bool_)
        ENGINE.legal_mask(self.states, i, who, mask)
        return set(np.flatnonzero(mask).tolist())

    def step(self, i, who, action):
        """Position i + 1: that action after position i."""
        self.states[i + 1] = self.states[i]
        ENGINE.apply(self.states, i + 1, who, action)

    def lay_action(self, lay):
        colour, n = self.moves.colour_and_n(lay)
        return act.TRUMPS_NONE if n == 0 else (act.TRUMPS_RED, act.TRUMPS_BLACK)[colour] + n

    def main_action(self, main):
        return {JOKER_MAIN: act.MAIN_JOKER, NO_MAIN: act.MAIN_NONE}.get(main, act.MAIN + main) + (
            act.WILD - act.MAIN - WILD_MAIN if main >= WILD_MAIN else 0
        )

    def lays(self, hands):
        """Lays of both, checked against the kernel's mask."""
        found = []
        for who in range(2):
            row = np.flatnonzero((self.moves.deal.hands[who].counts == hands[who]).all(1))[0]
            mine = np.flatnonzero(self.moves.lays[who][row]).tolist()
            assert {self.lay_action(k) for k in mine} == self.legal(0, who)
            found.append(mine)
        return found

    def mains(self, hands, lays):
        """Main cards of both at position 2, checked against the kernel's mask."""
        found = [self.moves.mains(hands[who], lays[who]) for who in range(2)]
        for who in range(2):
            forced = found[who] == [NO_MAIN] and not self.legal(2, who)  # nothing in hand: not asked
            assert forced or {self.main_action(m) for m in found[who]} == self.legal(2, who)
        return found

    def play_mains(self, mains, at=2):
        asked = [who for who in range(2) if self.legal(at, who)]
        for who in asked:
            self.step(at, who, self.main_action(mains[who]))
            at += 1
        return at

    def best(self, i):
        """Points of position i when both seats choose best; nothing is hidden any more."""
        seat = ENGINE.to_act(self.states, i)
        if seat == TERMINAL:
            out = np.zeros(2)
            ENGINE.returns(self.states, i, out)
            return out[0]
        found = []
        for action in self.legal(i, seat):
            self.step(i, seat, action)
            found.append(self.best(i + 1))
        return max(found) if seat == 0 else min(found)

    def worth(self, signs, lays, numbers, piles):
        """What `ends` says of two fairies' numbers (or other mains) and wild piles."""
        rules, (a, d) = self.moves.rules, numbers
        (ca, na), (cd, nd) = (self.moves.colour_and_n(lay) for lay in lays)
        if a < JOKER_MAIN and d < JOKER_MAIN:
            return two_numbers(a, d, *signs, ca, na, cd, nd, *piles[0], *piles[1], rules.levels, NOBODY)
        if a < JOKER_MAIN and d == NO_MAIN:
            return against_no_card(a, signs[0], ca, na, nd, *piles[0], rules.levels, NOBODY)
        return flat_points(a, d, *signs, ca, na, cd, nd, rules.levels, rules.joker_points)

    def draws(self, i, who_main):
        """All ways in which position i goes on by chance: (position copy, numbers, piles)."""
        if ENGINE.to_act(self.states, i) != CHANCE:
            yield i, {}, {}
            return
        phase = self.phase(i)
        weights = np.zeros(self.spec.num_chance_outcomes, np.int64)
        ENGINE.chance_weights(self.states, i, weights)
        for card in np.flatnonzero(weights).tolist():
            self.states[i + 1] = self.states[i]
            ENGINE.apply_chance(self.states, i + 1, card)
            for at, numbers, piles in self.draws(i + 1, who_main):
                mine = phase - WILD_PHASE
                pile = piles.get(mine, (0, 0))
                if 18 <= card < 26:
                    pile = (pile[0] + (card % 2 == 0), pile[1] + card % 2)
                    yield at, numbers, piles | {mine: pile}
                else:
                    yield at, {mine: min(card, JOKER_MAIN)} | numbers, piles

    def phase(self, i):
        return int(self.states["phase"][i])


WILD_PHASE = 36


def check(table, hands, signs, lays, mains, count):
    """All that can follow these choices."""
    table.step(0, 0, table.lay_action(lays[0]))
    table.step(1, 1, table.lay_action(lays[1]))
    assert table.mains(hands, lays) is not None
    at = table.play_mains(mains)
    if mains[0] == NO_MAIN:
        assert table.best(at) == 0
        return count + 1
    for i, drawn, open_piles in table.draws(at, mains):
        numbers, piles = [], []
        for who in range(2):
            wild = mains[who] >= WILD_MAIN
            # Without a number after all the deck ran out: no card (U-29).
            numbers.append(drawn.get(who, NO_MAIN) if wild else mains[who])
            red, black = open_piles.get(who, (0, 0))
            piles.append((red + (mains[who] == WILD_MAIN), black + (mains[who] == WILD_MAIN + 1)))
        assert table.best(i) == table.worth(signs, lays, numbers, piles)
        count += 1
    return count


def small_pairs(moves):
    for x, y in itertools.product(moves.deal.hands[0].counts, moves.deal.hands[1].counts):
        if (x + y <= moves.deal.pack).all():
            yield x, y


@pytest.mark.parametrize(
    "name", ["two against one", "the deck runs out", "levels, jokers count", "no call-off"]
)
def test_every_position_of_a_small_deck(name):
    assert name in TINY
    table, count = Table(tiny(name)), 0
    for hands in small_pairs(table.moves):
        for signs in SIGNS:
            table.deal(hands, signs)
            for lays in itertools.product(*table.lays(hands)):
                table.step(0, 0, table.lay_action(lays[0]))
                table.step(1, 1, table.lay_action(lays[1]))
                for mains in itertools.product(*table.mains(hands, lays)):
                    count = check(table, hands, signs, lays, mains, count)
    assert count > 100


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"damage": "levels", "joker_points": True},
        {"call_off": False, "joker_main": "no_number"},
        {"kind": "ranged"},
    ],
)
@pytest.mark.parametrize("sizes", [(3, 3), (4, 4), (1, 4)])
def test_a_sample_of_the_full_deck(options, sizes):
    """Hands with many trumps are drawn more often than in play, or wild trumps would be rare."""
    table = Table(GAME.scenario("clash", a=sizes[0], d=sizes[1], **options))
    rng, pack = np.random.default_rng([1, *sizes, len(options)]), table.moves.deal.pack
    done = 0
    while done < 150:
        weights = np.where(np.arange(21) < 18, rng.choice([0.2, 1.0]), 1.0) * pack
        cards = rng.choice(21, sum(sizes), p=weights / weights.sum())
        hands = [np.bincount(part, minlength=21).astype(np.int8) for part in np.split(cards, [sizes[0]])]
        if (hands[0] + hands[1] > pack).any():
            continue
        signs = SIGNS[rng.integers(4)]
        table.deal(hands, signs)
        lays = [int(rng.choice(mine)) for mine in table.lays(hands)]
        table.step(0, 0, table.lay_action(lays[0]))
        table.step(1, 1, table.lay_action(lays[1]))
        mains = [int(rng.choice(mine)) for mine in table.mains(hands, lays)]
        at = table.play_mains(mains)
        drawn, piles = list(mains), [[0, 0], [0, 0]]
        for who in range(2):
            if mains[who] >= WILD_MAIN:
                piles[who][mains[who] - WILD_MAIN] = 1
        weights = np.zeros(table.spec.num_chance_outcomes, np.int64)
        while ENGINE.to_act(table.states, at) == CHANCE:
            who = table.phase(at) - WILD_PHASE
            ENGINE.chance_weights(table.states, at, weights)
            card = int(rng.choice(len(weights), p=weights / weights.sum()))
            ENGINE.apply_chance(table.states, at, card)
            if 18 <= card < 26:
                piles[who][card % 2] += 1
            else:
                drawn[who] = min(card, JOKER_MAIN)
        expected = 0 if mains[0] == NO_MAIN else table.worth(signs, lays, drawn, piles)
        assert table.best(at) == expected
        done += 1

"""Best responses: against the tree of every line of play, and against known policies."""

import numpy as np
import pytest

import agents
from agents.api import Agent
from evaluation.solve.exploit import exploitability
from evaluation.solve.late import Limits
from evaluation.solve.layout import make_layout
from evaluation.solve.moves import Moves
from evaluation.solve.response import Measure, tabulate
from evaluation.solve.tree import build_tree, uniform_policy
from fm_env.errors import SetupError
from tests.evaluation.solve.decks import GAME, tiny

LONG = Limits(9, 9)
"""Longer than any pile of a tiny deck."""
NAMES = ("two against one", "levels, jokers count", "no call-off", "wrestle")


def odd(seed, sharpness):
    """A policy that depends on everything it sees, in no sensible way."""
    weights = np.random.default_rng(seed).normal(size=(301, 183))

    def policy(observations, masks):
        logits = np.where(masks, sharpness * (observations.astype(np.float64) @ weights), -np.inf)
        chances = np.exp(logits - logits.max(axis=1, keepdims=True))
        return chances / chances.sum(axis=1, keepdims=True)

    return policy


@pytest.mark.parametrize("name", NAMES)
def test_the_tree_of_all_lines_says_the_same(name):
    """Every information set counts, the late ones too: random policies answer those badly."""
    scenario = tiny(name)
    tree, measure = build_tree(GAME, scenario), Measure(make_layout(Moves(scenario)), GAME, LONG)
    policies = [uniform_policy, odd(1, 1.0), odd(2, 4.0)]
    policies += [agents.make(spec, GAME, scenario).probabilities for spec in ("counter", "bluffer:rate=0.3")]
    for policy in policies:
        plans = [tree.plan(seat, policy) for seat in range(2)]
        for seat in range(2):
            found = measure.against(seat, policy)
            truth = tree.best_response(1 - seat, plans)
            assert found.low == pytest.approx(truth, abs=1e-6)
            assert found.low == found.high


@pytest.mark.parametrize("limits", [Limits(0, 0), Limits(1, 0), Limits(2, 1)])
def test_bounds_hold_where_piles_are_not_asked_about(limits):
    scenario = tiny("two against one")
    tree, measure = build_tree(GAME, scenario), Measure(make_layout(Moves(scenario)), GAME, limits)
    for policy in (uniform_policy, odd(3, 2.0)):
        plans = [tree.plan(seat, policy) for seat in range(2)]
        for seat in range(2):
            found, truth = measure.against(seat, policy), tree.best_response(1 - seat, plans)
            assert found.low - 1e-6 <= truth <= found.high + 1e-6


def test_the_deck_may_run_out():
    """A wild trump that finds no number isn't asked about; the bounds say so."""
    scenario = tiny("the deck runs out")
    tree, measure = build_tree(GAME, scenario), Measure(make_layout(Moves(scenario)), GAME, LONG)
    plans = [tree.plan(seat, uniform_policy) for seat in range(2)]
    found, truth = measure.against(1, uniform_policy), tree.best_response(0, plans)
    assert found.low < truth - 1e-3 and truth <= found.high + 1e-6


def test_a_tabulated_policy_is_the_policy():
    """What is asked through the kernel stands where the solver expects it."""
    scenario = tiny("two against one")
    layout = make_layout(Moves(scenario))
    for who in range(2):
        play = tabulate(layout, GAME, who, uniform_policy)
        legal = layout.moves.lays[who]
        assert np.allclose(play.lay, legal / legal.sum(1, keepdims=True))
        assert np.allclose(np.add.reduceat(play.main, layout.sides[who].first[:-1], axis=1), 1.0)
        assert np.allclose(play.declare, 0.5)


class Follows(Agent):
    """Plays a solved profile; only tells chances."""

    def __init__(self, tree, plans):
        self._chances = {}
        for seat, sets in enumerate(tree.sets):
            for s in sets:
                chances = plans[seat][s.first : s.first + len(s.actions)]
                self._chances[s.observation.tobytes()] = (s.actions, chances / max(chances.sum(), 1e-300))

    def probabilities(self, observations, masks):
        out = masks / masks.sum(axis=1, keepdims=True)
        for k, row in enumerate(observations):
            actions, chances = self._chances.get(row.tobytes(), ((), ()))
            if len(actions) and chances.sum() > 0.5:
                out[k] = 0.0
                out[k, actions] = chances
        return out


def test_an_equilibrium_by_linear_programming_gives_nothing_away():
    """Seen through the other code: the plans of the LP, as a policy, lose nothing in either role."""
    from evaluation.solve.linear import solve_linear

    scenario = tiny("wrestle")
    tree = build_tree(GAME, scenario)
    value, first, second = solve_linear(tree)
    agent = Follows(tree, [first, second])
    found = exploitability(GAME, scenario, agent, LONG)
    assert found.exact
    assert found.value == pytest.approx(value, abs=1e-3)
    assert found.nash_conv.low == pytest.approx(0.0, abs=1e-6)
    assert found.as_attacker.low == pytest.approx(0.0, abs=1e-3)


def test_agents_that_cannot_tell_are_refused():
    class Silent(Agent):
        def act(self, observation, action_mask):
            return int(action_mask.nonzero()[0][0])

    with pytest.raises(SetupError, match="chances"):
        exploitability(GAME, GAME.scenario("clash", a=1, d=1), Silent())


def test_bots_tell_what_they_do():
    """Chances of compiled bots agree with how often they choose."""
    scenario = GAME.scenario("clash", a=3, d=3)
    from fm_env.batch import Batch

    batch = Batch(GAME, scenario, 200, seed=4)
    batch.reset()
    batch.advance()
    for _ in range(2):  # up to the lays
        batch.step(np.where(batch.mask[:, 0], 0, batch.mask.argmax(axis=1)))
    rng = np.random.default_rng(1)
    for spec in ("random", "bluffer:rate=0.3", "median"):
        bot = agents.make(spec, GAME, scenario)
        chances = bot.probabilities(batch.obs, batch.mask)
        counts = np.zeros_like(chances)
        for _ in range(300):
            counts[np.arange(200), bot.act_batch(batch.obs, batch.mask, rng)] += 1
        assert np.allclose(chances.sum(1), 1.0)
        assert np.abs(counts / 300 - chances).max() < 0.15
        assert (counts[chances == 0] == 0).all()

"""Solved values: against linear programming, known numbers, and each other."""

import numpy as np
import pytest

from evaluation.solve.cfr import Solver, best_response, expected, gap, uniform
from evaluation.solve.deal import make_deal, removal
from evaluation.solve.layout import make_layout
from evaluation.solve.linear import solve_linear
from evaluation.solve.moves import Moves
from evaluation.solve.tree import build_tree, uniform_policy
from fm_env.errors import SetupError
from tests.evaluation.solve.decks import GAME, TINY, tiny
from tests.kuhn import GAME as KUHN


def solved(scenario, iterations):
    solver = Solver(make_layout(Moves(scenario)))
    solver.run(iterations)
    return solver


@pytest.fixture(scope="module")
def trees():
    return {}


def tree_of(name, trees):
    if name not in trees:
        trees[name] = build_tree(GAME, tiny(name))
    return trees[name]


@pytest.mark.parametrize("name", TINY)
def test_linear_programming_finds_the_same_value(name, trees):
    tree = tree_of(name, trees)
    value, first, second = solve_linear(tree)
    solver = solved(tiny(name), 1500)
    found = gap(solver.layout, solver.profile())
    assert found.nash_conv < 5e-5
    assert found.value == pytest.approx(value, abs=1e-4)
    assert tree.values([first, second])[0] == pytest.approx(value, abs=1e-7)
    assert tree.best_response(1, [first, second]) == pytest.approx(-value, abs=1e-7)


def test_kuhns_numbers():
    tree = build_tree(KUHN, KUHN.scenario("kuhn"))
    assert [len(sets) for sets in tree.sets] == [6, 6]
    assert tree.gains([uniform_policy] * 2).sum() == pytest.approx(11 / 12)
    assert solve_linear(tree)[0] == pytest.approx(-1 / 18)


@pytest.mark.parametrize(("size", "nash_conv"), [(2, 0.207), (3, 0.410)])
def test_uniform_play_on_the_full_deck(size, nash_conv):
    """The figures of an independent trial (uniform declarations, lays and numbers, the rest played best)."""
    layout = make_layout(Moves(GAME.scenario("clash", a=size, d=size)))
    found = gap(layout, (uniform(layout, 0), uniform(layout, 1)))
    assert found.nash_conv == pytest.approx(nash_conv, abs=5e-4)


def test_hands_of_two_converge():
    solver = solved(GAME.scenario("clash", a=2, d=2), 700)
    found = gap(solver.layout, solver.profile())
    assert 0 <= found.nash_conv < 2e-4
    assert found.value == pytest.approx(0.02415, abs=1e-4)


def test_a_best_response_wins_what_it_says():
    """The answer, followed as a strategy, has the value that was promised; no other one has more."""
    layout = make_layout(Moves(GAME.scenario("clash", a=2, d=1)))
    rng = np.random.default_rng(3)
    for who in range(2):
        her = uniform(layout, 1 - who)
        worth, answer = best_response(layout, who, her)
        profile = (answer, her) if who == 0 else (her, answer)
        sign = 1 if who == 0 else -1
        assert sign * expected(layout, profile) == pytest.approx(worth, abs=1e-12)
        for _ in range(5):
            other = uniform(layout, who)
            other.lay[:] = rng.random(other.lay.shape) * (other.lay > 0)
            other.lay[:] /= other.lay.sum(-1, keepdims=True)
            profile = (other, her) if who == 0 else (her, other)
            assert sign * expected(layout, profile) < worth


def test_card_removal_is_exact():
    """Sub-hands sum to what a matrix of all pairs does; all pairs together are all deals."""
    pack = GAME.scenario("clash", a=3, d=2).setup.pack
    deal = make_deal(pack, 3, 2)
    first, second = deal.hands
    ways = removal(deal.pack, first.counts, second.counts)
    assert (first.ways @ ways).sum() == deal.total
    f = np.random.default_rng(1).random(len(second.ways))
    sums = np.zeros(len(deal.subs) + 1)
    np.add.at(sums, second.sub, second.spread * f[:, None])
    assert np.allclose((first.gather * sums[first.sub]).sum(1), ways @ f)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"combat": "fast_play"}, "combat"),
        ({"kind": "rose_prick"}, "kind"),
        ({"d": 0}, "a, d"),
        ({"deck": "full"}, "deck"),
        ({"setup": {"attacker": ["8r"]}}, "setup"),
    ],
)
def test_what_cannot_be_solved_is_refused(options, words):
    with pytest.raises(SetupError, match=words):
        Moves(GAME.scenario("clash", **options))
    with pytest.raises(SetupError, match="clash"):
        Moves(GAME.scenario("duel"))

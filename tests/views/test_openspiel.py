"""The OpenSpiel view: its own checks, and its solvers beside ours."""

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel")

from open_spiel.python import policy as spiel_policy  # noqa: E402
from open_spiel.python.algorithms import cfr, exploitability  # noqa: E402

from evaluation.solve.tree import build_tree, uniform_policy  # noqa: E402
from fm_env.errors import SetupError  # noqa: E402
from fm_env.views.openspiel import load  # noqa: E402
from tests.evaluation.solve.decks import GAME, TINY  # noqa: E402
from tests.kuhn import GAME as KUHN  # noqa: E402


def games():
    return {"kuhn": load(KUHN), "clash": load(GAME, "clash", **TINY["the deck runs out"])}


@pytest.mark.parametrize("name", ["kuhn", "clash"])
def test_openspiels_own_checks(name):
    pyspiel.random_sim_test(games()[name], num_sims=20, serialize=False, verbose=False)


def test_a_clash_of_the_full_deck_plays_through():
    game = load(GAME, "clash", a=4, d=3)
    pyspiel.random_sim_test(game, num_sims=20, serialize=False, verbose=False)
    state = game.new_initial_state()
    assert state.is_chance_node()
    assert sum(p for _, p in state.chance_outcomes()) == pytest.approx(1.0)


def behaviour(game, chances):
    """An OpenSpiel policy that asks for chances by observation and mask."""
    tabular = spiel_policy.TabularPolicy(game)
    for state, row in zip(tabular.states, tabular.action_probability_array, strict=True):
        seat = state.current_player()
        mask = np.zeros(game.num_distinct_actions(), np.bool_)
        mask[state.legal_actions()] = True
        row[:] = chances(state.observation(seat)[None], mask[None])[0]
    return tabular


def uneven(observations, masks):
    weights = masks * (1.0 + np.arange(masks.shape[1]) % 3)
    return weights / weights.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("name", ["kuhn", "clash"])
@pytest.mark.parametrize("chances", [uniform_policy, uneven])
def test_nash_conv_is_ours(name, chances):
    game = games()[name]
    tree = build_tree(game.contract_game, game.scenario)
    theirs = exploitability.nash_conv(game, behaviour(game, chances))
    assert theirs == pytest.approx(tree.gains([chances, chances]).sum(), abs=1e-6)


@pytest.mark.parametrize("name", ["kuhn", "clash"])
def test_its_cfr_walks_the_same_game(name):
    """A policy found by OpenSpiel's CFR is as far from equilibrium by our measure as by its own."""
    game = games()[name]
    solver = cfr.CFRPlusSolver(game)
    for _ in range(20):
        solver.evaluate_and_update_policy()
    average = solver.average_policy()
    found = {}
    for state in spiel_policy.TabularPolicy(game).states:
        chances = average.action_probabilities(state)
        seat = state.current_player()
        found[state.observation(seat).tobytes(), state.information_state_string(seat)] = chances
    by_view = {}
    for (view, _), chances in found.items():
        by_view.setdefault(view, []).append(chances)
    assert all(len(rows) == 1 for rows in by_view.values()), "a view with two pasts needs another test"

    def ours(observations, masks):
        out = np.zeros(masks.shape)
        for k, row in enumerate(observations):
            for action, p in by_view[row.tobytes()][0].items():
                out[k, action] = p
        return out

    tree = build_tree(game.contract_game, game.scenario)
    theirs = exploitability.nash_conv(game, average)
    assert tree.gains([ours, ours]).sum() == pytest.approx(theirs, abs=1e-6)
    assert theirs < 0.5


def test_bad_options_are_refused():
    with pytest.raises(SetupError):
        load(GAME, "clash", a=99)

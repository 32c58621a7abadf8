"""What policies expect of a game: from the value network in their file, where it has one."""

import numpy as np
import pytest

from agents.estimates import win_estimate
from agents.policy import NetworkCard, NetworkPolicy, PolicyCard, load_policy, save_policy
from fm_env.errors import LoadError

SHOWN = np.array([[0.5, -1.0], [0.0, 0.0], [1.0, 1.0]], np.float32)
MASKS = np.ones((3, 2), np.bool_)


def card(**changes):
    facts = {
        "name": "small",
        "game": "kuhn",
        "scenario": "kuhn",
        "rules_version": 1,
        "observation_version": 1,
        "observation_size": 2,
        "num_actions": 2,
        "network": NetworkCard(sizes=(2, 2)),
        "value_network": NetworkCard(sizes=(2, 1)),
        "return_range": (-1.0, 1.0),
    }
    return PolicyCard(**(facts | changes))


def weights(**changes):
    found = {
        "layer.0.weight": np.eye(2, dtype=np.float32),
        "layer.0.bias": np.zeros(2, np.float32),
        "value.0.weight": np.array([[2.0, 1.0]], np.float32),
        "value.0.bias": np.array([-0.5], np.float32),
    }
    return {name: array for name, array in (found | changes).items() if array is not None}


def test_a_placement_becomes_a_score(tmp_path):
    policy = load_policy(save_policy(tmp_path / "small", weights(), card()))
    assert policy.values(SHOWN) == pytest.approx([-0.5, -0.5, 2.5])
    assert win_estimate(policy, SHOWN, MASKS) == pytest.approx([0.25, 0.25, 1.0])  # cut to 1
    assert policy.weights().keys() == weights().keys()


def test_points_and_old_files_say_nothing_of_winning():
    points = NetworkPolicy(weights(), card(return_range=(-16.0, 16.0)))
    assert points.values(SHOWN) is not None
    assert win_estimate(points, SHOWN, MASKS) is None
    actor = {name: array for name, array in weights().items() if name.startswith("layer")}
    old = NetworkPolicy(actor, card(value_network=None, return_range=None))
    assert old.values(SHOWN) is None
    assert win_estimate(old, SHOWN, MASKS) is None


@pytest.mark.parametrize(
    ("changed", "facts", "words"),
    [
        ({"value.0.bias": None}, {}, "tensor 'value.0.bias' is missing"),
        ({}, {"value_network": None}, "tensor 'value.0.bias' is not part"),
        ({"value.0.weight": np.ones((1, 3), np.float32)}, {}, r"expected float32 \(1, 2\)"),
        ({}, {"value_network": NetworkCard(sizes=(2, 2))}, "value_network.sizes run from 2 to 2"),
    ],
)
def test_a_value_network_must_fit_its_card(changed, facts, words):
    with pytest.raises(LoadError, match=words):
        NetworkPolicy(weights(**changed), card(**facts))

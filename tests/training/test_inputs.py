"""Standardised inputs."""

from __future__ import annotations

import numpy as np
import torch as th
from gymnasium import spaces

from tests.training.test_ppo import make_model
from training.inputs import MAX_SCALE, StandardisedInputs


def test_entries_come_out_centred_and_alike() -> None:
    rng = np.random.default_rng(0)
    inputs = StandardisedInputs(spaces.Box(-1, 1, (4,), np.float32))
    sample = rng.normal(size=(5000, 4)).astype(np.float32) * [0.3, 0.2, 0.001, 0.0] + [0.5, -0.2, 0.1, 0.7]
    sample = sample.astype(np.float32)
    assert (inputs(th.from_numpy(sample)) == th.from_numpy(sample)).all()
    inputs.measure(sample)
    out = inputs(th.from_numpy(sample)).numpy()
    np.testing.assert_allclose(out[:, :2].std(0), 1.0, atol=1e-3)
    np.testing.assert_allclose(out.mean(0), [0, 0, 0, 0.7], atol=1e-3)
    assert inputs.scale[2] == MAX_SCALE and inputs.scale[3] == 1.0


def test_they_are_measured_once_and_shared_with_the_magnet() -> None:
    model = make_model()
    model.begin()
    model.update()
    inputs, slow = model.policy.features_extractor, model.magnet.features_extractor
    assert isinstance(inputs, StandardisedInputs) and isinstance(slow, StandardisedInputs)
    before = inputs.scale.clone()
    assert inputs.is_measured and (before != 1).any() and (slow.scale == before).all()
    model.update()
    assert (inputs.scale == before).all()

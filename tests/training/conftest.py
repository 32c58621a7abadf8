"""Kuhn poker under its name, and small configs on it."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("sb3_contrib")

import torch

from fm_env.registry import register

torch.set_num_threads(1)  # on a busy machine a second thread mostly waits for its turn

register("kuhn", "tests.kuhn:GAME")


@pytest.fixture
def table() -> dict[str, Any]:
    """A config of a few hundred decisions an update, as TOML would give it."""
    return {
        "game": {"name": "kuhn", "scenario": "kuhn"},
        "run": {"name": "kuhn", "seed": 5, "decisions": 8 * 256, "checkpoint_updates": 2, "threads": 1},
        "network": {"hidden": [16]},
        "learner": {"games": 32, "steps": 8, "batch_size": 128, "learning_rate": 0.003, "final_entropy": 0.2},
        "opponents": {
            "weights": {"self": 0.5, "past": 0.3, "random": 0.2},
            "snapshot_updates": 1,
            "past_members": 2,
            "prioritise": 2.0,
        },
    }

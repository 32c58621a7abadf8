"""A head start: the learner takes over a teacher's choices, and knows how its games end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents.api import Agent
from fm_env.errors import SetupError
from tests.kuhn_bots import BET, PASS
from tests.training.test_ppo import make_model
from training.config import TrainingConfig, check_config
from training.imitation import GAMES, imitate, lessons
from training.run import Run


class Careful(Agent):
    """Bets the king, passes everything else; deterministic, so that agreement can be complete."""

    name = "careful"

    def act(self, observation: np.ndarray, action_mask: np.ndarray) -> int:
        return BET if observation[2] > 0.5 else PASS


def test_lessons_are_the_teachers_choices_with_the_ends_of_their_games() -> None:
    model = make_model()
    data = lessons(model.self_play_env, Careful(), 9_000, seed=1)
    assert len(data.actions) >= 9_000 - 2 * GAMES  # those of the last, unfinished games are missing
    king = data.observations[:, 2] > 0.5
    assert (data.actions == np.where(king, BET, PASS)).all()
    assert data.masks[np.arange(len(data.actions)), data.actions].all()
    # Against a player who never calls, the king wins the ante and every bet of it ends the game.
    assert set(data.returns[king]) == {1.0}
    assert data.returns.min() == -1.0


def test_a_taught_policy_agrees_with_its_teacher_and_the_magnet_stands_beside_it() -> None:
    model = make_model()
    model.measure_inputs(model.self_play_env)
    data = lessons(model.self_play_env, Careful(), 20_000, seed=2)
    assert imitate(model, data, epochs=8, learning_rate=5e-3, seed=2) > 0.98
    for slow, fast in zip(model.magnet.parameters(), model.policy.parameters(), strict=True):
        assert (slow == fast).all()


def test_a_run_with_a_head_start_is_repeatable(table: dict[str, Any], tmp_path: Path) -> None:
    table["imitation"] = {"teacher": "tests.training.test_imitation:Careful", "rows": 2_000, "epochs": 2}
    weights = []
    for name in ("a", "b"):
        run = Run(check_config(table), tmp_path / name, "test")
        run.update()
        weights.append(run.model.policy.action_net.weight.detach().numpy().copy())
    assert (weights[0] == weights[1]).all()


@pytest.mark.parametrize(("field", "value"), [("rows", 0), ("teacher", 3), ("epochs", "many")])
def test_a_bad_head_start_is_named(table: dict[str, Any], field: str, value: object) -> None:
    table["imitation"] = {"teacher": "random", field: value}
    with pytest.raises(SetupError, match=f"imitation.{field}"):
        check_config(table)


def test_no_head_start_by_default(table: dict[str, Any]) -> None:
    config = check_config(table)
    assert isinstance(config, TrainingConfig)
    assert config.imitation is None

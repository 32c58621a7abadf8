"""What agents are said to believe: better than the base rate and than counting cards, and calibrated."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from agents.service.belief import FOLDER, belief_of, counted, hidden_cards, load_model, majority, model_of
from agents.service.running import RunningGame
from agents.service.setting import setting_of
from fm_env.errors import LoadError
from training.belief import HELD_OUT, Positions, judge, learn, positions, save

RESULT = Path(__file__).parents[2] / "evaluation" / "results" / "belief.json"


@pytest.fixture(scope="module")
def held_out() -> Positions:
    """Duels that neither the model nor its published result has seen."""
    return positions(460, HELD_OUT + 500_000)


def test_ten_thousand_unseen_positions_are_foretold_better_than_by_counting(held_out: Positions) -> None:
    assert len(held_out.red) >= 10_000
    model = model_of("fairy_meat", "duel")
    assert model is not None
    found = judge(model, held_out, 0.5)
    loss = found["log_loss"]
    assert loss["model"] < loss["counting_cards"] < loss["base_rate"]
    assert found["calibration_error"]["model"] < 0.03


def test_the_published_result_says_the_same() -> None:
    found = json.loads(RESULT.read_text("utf-8"))
    assert found["positions"] >= 10_000
    assert found["log_loss"]["model"] < found["log_loss"]["counting_cards"] < found["log_loss"]["base_rate"]


def test_counting_is_the_fair_draw_it_claims_to_be(held_out: Positions) -> None:
    assert majority(1, 3, 1, 0) == 0.75
    assert majority(2, 2, 2, 0) == pytest.approx(1 / 6 + 4 / 6 / 2)
    assert majority(1, 0, 0, 2) == 0.5
    chance = counted(held_out.observations[:500])
    assert ((chance > 0.0) & (chance < 1.0)).any() and np.isfinite(chance).all()


def test_a_belief_needs_hidden_cards_and_a_model() -> None:
    setting = setting_of("fairy_meat", "duel", "{}")
    game = RunningGame(setting, 1)
    assert hidden_cards(game.observation(0)[None])[0] == 0
    assert belief_of(setting, game.observation(0)) is None
    rng = np.random.default_rng(1)
    while hidden_cards(game.observation(game.pending[0])[None])[0] == 0:
        seat = game.pending[0]
        game.play(seat, int(rng.choice(np.flatnonzero(game.mask(seat)))))
    belief = belief_of(setting, game.observation(game.pending[0]))
    assert belief is not None and 0.0 < belief.red < 1.0 and belief.source == "belief-duel"
    other = setting_of("sword_and_shield", "joust", "{}")
    assert belief_of(other, RunningGame(other, 1).observation(0)) is None


def test_learning_starts_from_counting_and_is_saved_with_its_card(
    tmp_path: Path, held_out: Positions
) -> None:
    few = Positions(held_out.observations[:600], held_out.red[:600], held_out.games[:600])
    model = save(tmp_path / "tiny", learn(few, 4, 1, seed=1), {"observation_version": 1})
    told = model.red(few.observations)
    assert np.abs(told - counted(few.observations)).mean() < 0.05
    assert load_model(tmp_path / "tiny").red(few.observations) == pytest.approx(told)
    (tmp_path / "tiny.safetensors").write_bytes(b"x")
    with pytest.raises(LoadError, match="aren't those of its card"):
        load_model(tmp_path / "tiny")
    with pytest.raises(LoadError, match="belief nothing"):
        load_model(FOLDER / "nothing")

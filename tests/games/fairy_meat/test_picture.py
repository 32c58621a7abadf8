"""Pictures show what their viewer may see, whatever is on the table."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("PIL")

import fm_env
from fm_env.engine import engine_of
from fm_env.games.fairy_meat import GAME
from fm_env.records import rows_of
from fm_env.rng import row_for


@pytest.mark.parametrize(("scenario", "height"), [("clash", 504), ("duel", 504), ("scuffle", 694)])
def test_pictures_of_whole_games_never_show_what_a_seat_cannot_see(scenario: str, height: int) -> None:
    """Two positions that differ only in what a seat can't see look the same to it, not to all."""
    match = fm_env.load("fairy_meat").new_match(scenario=scenario, seed=4)
    rng = np.random.default_rng(4)
    told_apart = 0
    for step in range(60):
        if match.is_over:
            break
        seat = match.pending[0]
        match.play(seat, int(rng.choice(match.legal_ids(seat))))
        if step % 5:
            continue
        other = rows_of(match.state)
        engine_of(GAME).resample(other, 0, 0, row_for(step))
        seen = GAME.picture(match.state, 0)
        assert seen.shape == (height, 960, 3)
        assert seen.dtype == np.uint8
        assert (seen == GAME.picture(other[0], 0)).all()
        told_apart += bool((GAME.picture(match.state, None) != GAME.picture(other[0], None)).any())
    assert told_apart or scenario == "clash"

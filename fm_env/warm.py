"""Compiling everything a scenario needs, on purpose, before it is needed (`fm-env compile`)."""

from __future__ import annotations

from typing import Any

import numpy as np

from fm_env.batch import Batch
from fm_env.contract import CHANCE, Scenario
from fm_env.engine import Engine
from fm_env.match import GameHandle
from fm_env.records import new_states
from fm_env.rng import row_for


def warm(game: GameHandle, scenario: Scenario, bots: Any = None) -> None:
    """Call every compiled function of single play and of batches once.

    Args:
        game: whose rules.
        scenario: scenarios of equal state dtype share what is compiled.
        bots: dispatcher of the game's bots, compiled too; None leaves them out.
    """
    warm_engine(game.engine, scenario)
    for dispatch in (None, bots) if bots is not None else (None,):
        for keyed in (False, True):
            batch = Batch(game.game, scenario, 2, seed=1, bots=dispatch, keyed=keyed)
            batch.controllers[:, 1:] = 0
            batch.reset()
            batch.advance()
            batch.step(batch.random_actions(row_for(1)))


def warm_engine(engine: Engine, scenario: Scenario) -> None:
    """One call of every entry point, on the first state of a game."""
    spec = scenario.spec
    states = new_states(spec, 1)
    engine.reset(states, 0, scenario.setup)
    weights = np.zeros(spec.num_chance_outcomes, np.int64)
    engine.chance_weights(states, 0, weights)
    engine.chance_stream(states, 0, weights)
    if engine.to_act(states, 0) == CHANCE:
        engine.draw_chance_keyed(states, 0, row_for(1))
        engine.apply_chance(states, 0, engine.draw_chance(states, 0, row_for(1)))
    engine.advance_chance_keyed(states, 0, row_for(1))
    engine.advance_chance(states, 0, row_for(1))
    mask = np.zeros(spec.num_actions, np.bool_)
    for seat in range(spec.num_seats):
        engine.legal_mask(states, 0, seat, mask)
        engine.observe(states, 0, seat, np.zeros(spec.observation_size, np.float32))
        engine.info_key(states, 0, seat, np.zeros(spec.info_key_size, np.uint8))
        engine.resample(states, 0, seat, row_for(2))
    engine.pending(states, 0)
    engine.faults(states, 0)
    engine.returns(states, 0, np.zeros(spec.num_seats, np.float64))
    seat = engine.to_act(states, 0)
    if seat >= 0:
        engine.legal_mask(states, 0, seat, mask)
        engine.apply(states, 0, seat, int(mask.argmax()))

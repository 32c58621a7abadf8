"""States are nothing but their bytes, and only the four functions that may write to them do."""

from __future__ import annotations

import numpy as np

from fm_env.contract import CHANCE
from tests.laws.world import World


def test_queries_change_no_byte(world: World) -> None:
    spec, engine, states = world.spec, world.engine, world.states
    weights = np.zeros(spec.num_chance_outcomes, np.int64)
    before = states.tobytes()
    for i in range(len(world)):
        if engine.to_act(states, i) == CHANCE:
            engine.chance_weights(states, i, weights)
            engine.chance_stream(states, i, weights)
        world.returns(states, i)
        engine.faults(states, i)
        for seat in world.seats:
            world.view(states, i, seat)
    assert states.tobytes() == before


def test_same_bytes_and_action_give_the_same_bytes(world: World) -> None:
    """Each position is continued twice, the second time in another array and row."""
    for i in range(len(world)):
        who = world.who(i)
        if who >= 0:
            for action in np.flatnonzero(world.mask(world.states, i, who))[:6]:
                one, two = world.states[i : i + 1].copy(), np.repeat(world.states[i : i + 1], 3)
                two.view(np.uint8).reshape(3, -1)[[0, 2]] = 0
                world.engine.apply(one, 0, who, action)
                world.engine.apply(two, 1, who, action)
                assert one.tobytes() == two[1:2].tobytes()
                assert not two.view(np.uint8).reshape(3, -1)[[0, 2]].any(), "a neighbour was written"


def test_a_choice_changes_the_state(world: World) -> None:
    for i in range(len(world)):
        for seat in world.pending(world.states, i):
            one = world.states[i : i + 1].copy()
            action = int(np.flatnonzero(world.mask(one, 0, seat))[0])
            world.engine.apply(one, 0, seat, action)
            assert one.tobytes() != world.states[i : i + 1].tobytes()


def test_reset_overwrites_the_whole_state(world: World) -> None:
    rows = world.states[:2].copy()
    rows.view(np.uint8)[:] = 0
    rows[1:2].view(np.uint8)[:] = 0xA5
    for i in range(2):
        world.engine.reset(rows, i, world.scenario.setup)
    assert rows[0:1].tobytes() == rows[1:2].tobytes()


def test_buffers_are_wholly_overwritten(world: World) -> None:
    for i in range(len(world)):
        for fill in _fills(world, i):
            assert fill(0) == fill(0xFF) == fill(0x5A)


def _fills(world: World, i: int):
    """Functions that poison a buffer, have it filled and return its bytes."""
    spec, engine, states = world.spec, world.engine, world.states

    def fill(size, dtype, call):
        def poisoned(byte):
            out = np.frombuffer(bytearray([byte]) * (size * np.dtype(dtype).itemsize), dtype)
            call(out)
            return out.tobytes()

        return poisoned

    yield fill(spec.num_seats, np.float64, lambda out: engine.returns(states, i, out))
    if engine.to_act(states, i) == CHANCE:
        yield fill(spec.num_chance_outcomes, np.int64, lambda out: engine.chance_weights(states, i, out))
        yield fill(spec.num_chance_outcomes, np.int64, lambda out: engine.chance_stream(states, i, out))
    for seat in world.seats:
        yield fill(spec.num_actions, np.bool_, lambda out, s=seat: engine.legal_mask(states, i, s, out))
        yield fill(spec.observation_size, np.float32, lambda out, s=seat: engine.observe(states, i, s, out))
        yield fill(spec.info_key_size, np.uint8, lambda out, s=seat: engine.info_key(states, i, s, out))

"""The course of a game: who acts, what is legal, how luck is weighed, how it ends."""

from __future__ import annotations

import numpy as np

from fm_env.contract import CHANCE, TERMINAL
from fm_env.records import new_states
from tests.laws.world import World


def test_exactly_one_of_seat_chance_end(world: World) -> None:
    kinds = set()
    for i in range(len(world)):
        who = world.who(i)
        pending = world.pending(world.states, i)
        assert who in (*world.seats, CHANCE, TERMINAL)
        assert (who in pending) if who >= 0 else not pending
        assert world.engine.pending(world.states, i) < 1 << world.spec.num_seats
        kinds.add(min(who, 0))
    assert {0, TERMINAL} <= kinds, "the random games saw no choice or no end"


def test_masks_match_who_owes_a_choice(world: World) -> None:
    out = np.zeros(world.spec.num_actions, np.bool_)
    for i in range(len(world)):
        pending = world.pending(world.states, i)
        for seat in world.seats:
            n = world.engine.legal_mask(world.states, i, seat, out)
            assert n == out.sum()
            assert (n > 0) == (seat in pending)


def test_weights_sum_to_their_total(world: World) -> None:
    weights = np.zeros(world.spec.num_chance_outcomes, np.int64)
    used = np.zeros(world.spec.num_chance_outcomes, np.int64)
    for i in range(len(world)):
        if world.who(i) == CHANCE:
            total = world.engine.chance_weights(world.states, i, weights)
            assert total == weights.sum() > 0
            assert (weights >= 0).all()
            assert world.engine.chance_stream(world.states, i, used) >= 0
            assert (used >= 0).all()


def test_no_luck_is_used_twice(world: World) -> None:
    """A draw is named by its stream and by what the stream has given before; each gives one thing more."""
    engine, rng = world.engine, np.random.default_rng(7)
    weights, used, before = (np.zeros(world.spec.num_chance_outcomes, np.int64) for _ in range(3))
    for _ in range(2):
        one = new_states(world.spec, 1)
        engine.reset(one, 0, world.scenario.setup)
        seen: set[tuple[int, bytes]] = set()
        last, outcome = -1, -1
        while (who := engine.to_act(one, 0)) != TERMINAL:
            if who != CHANCE:
                engine.apply(one, 0, who, int(rng.choice(np.flatnonzero(world.mask(one, 0, who)))))
                continue
            stream = engine.chance_stream(one, 0, used)
            name = (stream, used.tobytes())
            assert name not in seen
            seen.add(name)
            if stream == last:
                before[outcome] += 1
                assert used.tolist() == before.tolist()
            last, before[:] = stream, used
            total = engine.chance_weights(one, 0, weights)
            outcome = int(rng.choice(len(weights), p=weights / total))
            engine.apply_chance(one, 0, outcome)


def test_every_outcome_of_positive_weight_can_be_taken(world: World) -> None:
    weights = np.zeros(world.spec.num_chance_outcomes, np.int64)
    chance = [i for i in range(len(world)) if world.who(i) == CHANCE]
    for i in chance[:: max(1, len(chance) // 20)]:
        world.engine.chance_weights(world.states, i, weights)
        for outcome in np.flatnonzero(weights):
            one = world.states[i : i + 1].copy()
            world.engine.apply_chance(one, 0, outcome)
            assert one.tobytes() != world.states[i : i + 1].tobytes()
            assert world.engine.faults(one, 0) == 0


def test_games_end_within_their_bounds(world: World) -> None:
    assert len(world) > 0
    assert len(world.lengths) == world.case.games
    decisions, events = np.array(world.lengths).max(axis=0)
    assert 0 < decisions <= world.spec.max_decisions
    assert events <= world.spec.max_chance_events


def test_returns_keep_their_promise(world: World) -> None:
    for i in range(len(world)):
        returns = world.returns(world.states, i)
        if world.who(i) != TERMINAL:
            assert not returns.any(), "returns before the end"
            continue
        assert (returns >= world.spec.min_return).all()
        assert (returns <= world.spec.max_return).all()
        if world.spec.return_sum is not None:
            assert abs(returns.sum() - world.spec.return_sum) < 1e-9


def test_no_faults_in_reachable_states(world: World) -> None:
    for i in range(len(world)):
        assert world.engine.faults(world.states, i) == 0


def test_every_fault_flag_can_be_raised(world: World) -> None:
    covered = 0
    for flag, breaker in world.case.faults.items():
        raised = False
        for i in range(len(world)):
            broken = world.states[i : i + 1].copy()
            breaker(broken.view(np.dtype((np.record, broken.dtype)))[0])
            raised = raised or bool(world.engine.faults(broken, 0) & flag)
        assert raised, f"nothing raises fault {flag}"
        covered |= flag
    assert covered == world.case.all_faults

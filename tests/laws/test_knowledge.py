"""What a seat is told: bounded, complete for its key, and nothing that it can't see."""

from __future__ import annotations

import numpy as np

from fm_env.contract import TERMINAL
from fm_env.rng import row_for
from tests.laws.world import World


def test_observations_are_finite_and_within_bounds(world: World) -> None:
    for i in range(len(world)):
        for seat in world.seats:
            seen = world.observation(world.states, i, seat)
            assert np.isfinite(seen).all()
            assert np.abs(seen).max() <= 1.0


def test_every_entry_of_the_observation_is_used(world: World) -> None:
    """At least a fifth of most observations varies over the random games: a layout slip leaves most at 0.

    (Fast Play has no use for the entries of UnclEvl's declarations, points and caught trumps; a case
    that leaves most of its table empty says so.)
    """
    seen = np.stack([world.observation(world.states, i, s) for i in range(len(world)) for s in world.seats])
    assert (seen != seen[0]).any(axis=0).mean() > world.case.used


def test_equal_keys_mean_equal_observations_and_masks(world: World) -> None:
    known: dict[tuple[int, bytes], tuple[bytes, bytes]] = {}
    for i in range(len(world)):
        for seat in world.seats:
            key, seen, mask, _ = world.view(world.states, i, seat)
            assert known.setdefault((seat, key), (seen, mask)) == (seen, mask)


def test_resample_keeps_the_seats_own_view(world: World) -> None:
    """Two games that differ only in what a seat can't see are the same to that seat."""
    changed = 0
    for i in range(len(world)):
        for seat in world.seats:
            other = world.resampled(i, seat, seed=i)
            assert world.view(other, 0, seat) == world.view(world.states, i, seat)
            changed += other.tobytes() != world.states[i : i + 1].tobytes()
    assert bool(changed) != world.case.is_open, "something is hidden, or nothing is: the case says otherwise"


def test_resampled_states_are_sound(world: World) -> None:
    for i in range(len(world)):
        for seat in world.seats:
            other = world.resampled(i, seat, seed=i)
            assert world.engine.faults(other, 0) == 0
            assert (world.engine.to_act(other, 0) == TERMINAL) == (world.who(i) == TERMINAL)


def test_resample_depends_only_on_view_and_generator(world: World) -> None:
    for i in range(len(world)):
        for seat in world.seats:
            a = world.resampled(i, seat, seed=1)
            b = world.resampled(i, seat, seed=2)
            same = (world.states[i : i + 1], a, b)
            assert len({world.resampled(0, seat, 9, states).tobytes() for states in same}) == 1


def test_resampled_games_can_be_played_to_the_end(world: World) -> None:
    for i in range(0, len(world), 10):
        for seat in world.seats:
            one = world.resampled(i, seat, seed=i)
            row, rng = row_for(i), np.random.default_rng(i)
            for _ in range(world.spec.max_decisions + 1):
                who = world.engine.advance_chance(one, 0, row)
                assert world.engine.faults(one, 0) == 0
                if who == TERMINAL:
                    break
                world.engine.apply(one, 0, who, int(rng.choice(np.flatnonzero(world.mask(one, 0, who)))))
            assert world.engine.to_act(one, 0) == TERMINAL


def test_resample_is_as_likely_as_the_listed_states(world: World) -> None:
    """Chi-square against the case's own list of what fits; 1 in 10,000 false alarms, fixed seeds."""
    from scipy.stats import chisquare

    if world.case.hidden is None:
        return
    tested = 0
    for i in range(0, len(world), max(1, len(world) // 60)):
        for seat in world.seats:
            if tested >= world.case.hidden_nodes:
                continue
            listed = dict(world.case.hidden(world.record(i), seat))
            if len(listed) < 2:
                continue
            tested += 1
            assert abs(sum(listed.values()) - 1) < 1e-9
            n = 40 * len(listed)
            counts = dict.fromkeys(listed, 0)
            row = row_for(i)
            for _ in range(n):
                one = world.states[i : i + 1].copy()
                world.engine.resample(one, 0, seat, row)
                assert one.tobytes() in counts, "resample made a state that doesn't fit"
                counts[one.tobytes()] += 1
            expected = [n * probability for probability in listed.values()]
            assert chisquare(list(counts.values()), expected).pvalue > 1e-4
    assert tested


def test_simultaneous_choices_stay_hidden_and_commute(world: World) -> None:
    """At a simultaneous node one seat's choice changes nothing for the others, in either order."""
    for i in range(len(world)):
        pending = world.pending(world.states, i)
        for a in pending:
            for b in pending:
                if a < b:
                    _check_pair(world, i, a, b)


def _check_pair(world: World, i: int, a: int, b: int) -> None:
    rng = np.random.default_rng(i)
    ab, ba = world.states[i : i + 1].copy(), world.states[i : i + 1].copy()
    choice = {seat: int(rng.choice(np.flatnonzero(world.mask(ab, 0, seat)))) for seat in (a, b)}
    before = world.view(ab, 0, b)
    world.engine.apply(ab, 0, a, choice[a])
    assert world.view(ab, 0, b) == before, f"seat {b} can tell that seat {a} has chosen"
    before = world.view(ba, 0, a)
    world.engine.apply(ba, 0, b, choice[b])
    assert world.view(ba, 0, a) == before, f"seat {a} can tell that seat {b} has chosen"
    world.engine.apply(ab, 0, b, choice[b])
    world.engine.apply(ba, 0, a, choice[a])
    assert ab.tobytes() == ba.tobytes()


def test_rotating_the_seats_rotates_everything(world: World) -> None:
    if world.case.rotate is None:
        return
    n = world.spec.num_seats
    for i in range(len(world)):
        turned = world.states[i : i + 1].copy()
        world.case.rotate(world.record(i), turned.view(np.dtype((np.record, turned.dtype)))[0])
        who = world.who(i)
        assert min(world.engine.to_act(turned, 0), 0) == min(who, 0)
        owing = {(seat + 1) % n for seat in world.pending(world.states, i)}
        assert set(world.pending(turned, 0)) == owing
        assert np.array_equal(np.roll(world.returns(world.states, i), 1), world.returns(turned, 0))
        for seat in world.seats:
            there = (seat + 1) % n
            assert np.array_equal(
                world.observation(world.states, i, seat), world.observation(turned, 0, there)
            )
            assert np.array_equal(world.mask(world.states, i, seat), world.mask(turned, 0, there))

"""Checked play agrees with the rules it is built on, and a match is its own record."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import fm_env
from fm_env.contract import CHANCE
from fm_env.errors import IllegalActionError, LoadError
from fm_env.match import Match
from tests.laws.world import World


@pytest.fixture(autouse=True)
def _registered(world: World) -> None:
    fm_env.register(world.game.name, world.case.place)


def test_every_action_is_accepted_exactly_when_the_mask_allows(world: World) -> None:
    for match in _positions(world, 12):
        before = match.state_hash
        for seat in world.seats:
            allowed = match.mask(seat)
            for action in range(world.spec.num_actions):
                assert _accepts(match.clone(), seat, action) == allowed[action]
            for action in (-1, world.spec.num_actions, "no such text"):
                assert not _accepts(match.clone(), seat, action)
        assert match.state_hash == before


def test_texts_and_ids_play_the_same(world: World) -> None:
    for match in _positions(world, 12):
        for seat in match.pending:
            assert len(match.legal(seat)) == len(match.legal_ids(seat)) > 0
            for text, action in zip(match.legal(seat)[:8], match.legal_ids(seat), strict=False):
                one, two = match.clone(), match.clone()
                one.play(seat, text)
                two.play(seat, action)
                assert one.state_hash == two.state_hash


def test_json_pickle_and_copies_continue_alike(world: World) -> None:
    for k, match in enumerate(_positions(world, 12)):
        twins = [match.clone(), copy.deepcopy(match), pickle.loads(pickle.dumps(match))]
        twins.append(Match.from_json(match.to_json()))
        before = match.state_hash
        ends = {_play_out(twin, seed=k) for twin in twins}
        assert len(ends) == 1
        assert match.state_hash == before, "a copy shares memory with the original"
        assert _play_out(match, seed=k) in ends


def test_undo_returns_to_each_earlier_position(world: World) -> None:
    match = Match(world.game, world.scenario, seed=3)
    start = match.to_json()
    rng = np.random.default_rng(3)
    hashes = []
    while not match.is_over:
        hashes.append(match.state_hash)
        seat = match.pending[0]
        match.play(seat, int(rng.choice(match.legal_ids(seat))))
    while hashes:
        match.undo()
        assert match.state_hash == hashes.pop()
    assert match.to_json() == start
    with pytest.raises(IllegalActionError):
        match.undo()


def test_script_of_all_draws_plays_the_same_without_a_seed(world: World) -> None:
    match = Match(world.game, world.scenario, seed=5)
    _play_out(match, seed=5)
    told = match.log
    draws = [event.text for event in told if event.seat == CHANCE]
    again = Match(world.game, world.scenario, chance=draws)
    assert _play_out(again, seed=5) == match.state_hash
    assert again.log == told
    assert all(event.words for event in told)


def test_changed_files_are_refused(world: World) -> None:
    match = Match(world.game, world.scenario, seed=5)
    _play_out(match, seed=5)
    text = match.to_json()
    for old, new in ((match.state_hash, "0" * 32), ('"rules_version": ', '"rules_version": 9'), ("{", "")):
        with pytest.raises(LoadError):
            Match.from_json(text.replace(old, new, 1))
    assert len(text) < max(32_000, 48 * len(match.events))


def _positions(world: World, n: int) -> list[Match]:
    """Matches stopped at different points of random games."""
    found = []
    for seed in range(n):
        match = Match(world.game, world.scenario, seed=seed)
        rng = np.random.default_rng(seed)
        for _ in range(int(rng.integers(0, 2 + 2 * seed))):
            if match.is_over:
                break
            seat = int(rng.choice(match.pending))
            match.play(seat, int(rng.choice(match.legal_ids(seat))))
        found.append(match)
    return found


def _accepts(match: Match, seat: int, action: int | str) -> bool:
    try:
        match.play(seat, action)
    except IllegalActionError:
        return False
    return True


def _play_out(match: Match, seed: int) -> str:
    rng = np.random.default_rng(seed)
    while not match.is_over:
        seat = match.pending[-1]
        match.play(seat, int(rng.choice(match.legal_ids(seat))))
    return match.state_hash

"""What a seat is shown depends on nothing that it can't know: pairs of games that differ only there agree."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from fm_env import shown
from fm_env.contract import CHANCE, TERMINAL
from fm_env.games.angry_miniatures import constants as angry_miniatures
from fm_env.games.fairy_meat.choices import is_secret
from fm_env.games.fairy_meat.constants import Phase
from fm_env.games.sword_and_shield import constants as sword_and_shield
from fm_env.records import as_record
from tests.laws.cases import Case
from tests.laws.world import World

CASES = [
    Case("fm_env.games.fairy_meat:GAME", "clash", games=6, nodes=40),
    Case("fm_env.games.fairy_meat:GAME", "duel", games=6, nodes=90),
    Case("fm_env.games.fairy_meat:GAME", "duel", {"combat": "fast_play"}, games=4, nodes=60),
    Case("fm_env.games.fairy_meat:GAME", "skirmish-1v1", games=4, nodes=70),
    Case("fm_env.games.fairy_meat:GAME", "skirmish-2v2", {"warbands": "choose"}, games=2, nodes=30),
    Case("fm_env.games.sword_and_shield:GAME", "joust", games=4, nodes=80),
    Case("fm_env.games.fairy_tale:GAME", "expert", games=3, nodes=60),
    Case("fm_env.games.angry_miniatures:GAME", "skirmish", games=3, nodes=80),
]


@pytest.fixture(scope="module", params=CASES, ids=lambda case: case.name)
def world(request: pytest.FixtureRequest) -> World:
    return World(request.param)


def test_positions_and_choices_are_the_same_for_equal_knowledge(world: World) -> None:
    for i in range(len(world)):
        for seat in world.seats:
            other = world.resampled(i, seat, seed=i)
            legal = np.flatnonzero(world.mask(world.states, i, seat)).tolist()
            here, there = world.record(i), as_record(other, 0)
            a = shown.position(world.game, here, seat)
            assert a == shown.position(world.game, there, seat)
            json.dumps(a)
            b = shown.choices(world.game, world.spec, here, seat, legal)
            assert b == shown.choices(world.game, world.spec, there, seat, legal)
            assert [one["id"] for one in json.loads(json.dumps(b))] == legal
            assert all(one["words"] for one in b)


def test_words_of_events_are_the_same_for_equal_knowledge(world: World) -> None:
    """An event in two games that are the same to a seat before and after it is told in the same words:
    the same event always, and where it happens in secret any other that the seat can't tell from it.
    """
    compared = told = 0
    for i in range(len(world)):
        for seat in world.seats:
            words: dict[object, set[str]] = {}
            for states in (world.states[i : i + 1], *(world.resampled(i, seat, 7 * i + k) for k in range(3))):
                for actor, action in events(world, states, i):
                    after = states.copy()
                    step(world, after, actor, action)
                    said = shown.event_words(
                        world.game, as_record(states, 0), actor, action, as_record(after, 0), seat
                    )
                    known = world.key(after, 0, seat)
                    if actor != seat:  # what it chose itself is known to it, though others aren't asked yet
                        secret = happens_in_secret(world, as_record(states, 0))
                        words.setdefault(known if secret else (known, action), set()).add(said)
            for texts in words.values():
                compared += 1
                told += any(texts)
                assert len(texts) == 1, (seat, as_record(world.states[i : i + 1], 0).phase, texts)
    assert compared
    assert told


def happens_in_secret(world: World, s: Any) -> bool:
    """Whether what comes next is hidden from those whom it doesn't concern."""
    if world.game.name == "fairy_meat":
        drawn = (Phase.DEAL_ORDER, Phase.DRAW_ATTACKER, Phase.DRAW_DEFENDER, Phase.DRAW_WARBAND)
        return bool(is_secret(s.phase)) or s.phase == Phase.BUILD or s.phase in drawn
    if world.game.name == "angry_miniatures":
        return s.phase == angry_miniatures.Phase.BUILD
    if world.game.name == "sword_and_shield":
        return s.phase == sword_and_shield.Phase.DRAW
    return True


def events(world: World, states: Any, i: int) -> Iterator[tuple[int, int]]:
    """A few of the events that may come next."""
    rng = np.random.default_rng(i)
    who = world.engine.to_act(states, 0)
    if who == TERMINAL:
        return
    if who == CHANCE:
        weights = np.zeros(world.spec.num_chance_outcomes, np.int64)
        world.engine.chance_weights(states, 0, weights)
        possible = np.flatnonzero(weights)
        yield from ((CHANCE, int(c)) for c in rng.permutation(possible)[:6])
        return
    for actor in world.pending(states, 0):
        legal = np.flatnonzero(world.mask(states, 0, actor))
        yield from ((actor, int(a)) for a in rng.permutation(legal)[:5])


def step(world: World, states: Any, actor: int, action: int) -> None:
    if actor == CHANCE:
        world.engine.apply_chance(states, 0, action)
    else:
        world.engine.apply(states, 0, actor, action)

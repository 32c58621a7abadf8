"""Spectators see what all see, and nobody is sent anything because of what it can't see."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from fm_env import shown
from fm_env.contract import CHANCE, TERMINAL
from fm_env.engine import engine_of
from fm_env.records import as_record, new_states
from fm_env.rng import row_for
from fm_env.shown import fairy_meat_words, viewers
from fm_env.shown.viewers import SPECTATOR, Attention
from tests.laws.cases import Case
from tests.laws.world import World
from tests.shown.test_secrets import events, happens_in_secret, step
from tests.views.sealed import GAME as SEALED

CASES = [
    Case("fm_env.games.fairy_meat:GAME", "clash", games=6, nodes=40),
    Case("fm_env.games.fairy_meat:GAME", "duel", games=3, nodes=40),
    Case("fm_env.games.fairy_meat:GAME", "skirmish-2v2", {"warbands": "choose"}, games=1, nodes=16),
    Case("fm_env.games.sword_and_shield:GAME", "joust", games=2, nodes=40),
    Case("fm_env.games.fairy_tale:GAME", "expert", games=2, nodes=40),
    Case("fm_env.games.angry_miniatures:GAME", "skirmish", games=2, nodes=30),
    Case("fm_env.games.angry_miniatures:GAME", "skirmish", {"teams": "build"}, games=2, nodes=30),
]


@pytest.fixture(scope="module", params=CASES, ids=lambda case: case.name)
def world(request: pytest.FixtureRequest) -> World:
    return World(request.param)


def pace(world: World) -> int:
    """A whole table takes long to draw in letters."""
    return 3 if world.case.scenario.startswith("skirmish") and world.game.name == "fairy_meat" else 1


def looks(world: World, state: Any) -> str:
    game = world.game
    parts = [shown.position(game, state, SPECTATOR), viewers.text(game, state, SPECTATOR)]
    return json.dumps([*parts, viewers.points(game, state)])


def test_a_spectator_sees_nothing_that_some_seat_does_not(world: World) -> None:
    for i in range(0, len(world), pace(world)):
        here = looks(world, world.record(i))
        for seat in world.seats:
            assert here == looks(world, as_record(world.resampled(i, seat, seed=i), 0))


def test_a_seat_reads_the_same_points_and_text_whatever_it_cannot_see(world: World) -> None:
    for i in range(0, len(world), pace(world)):
        for seat in world.seats:
            here, there = world.record(i), as_record(world.resampled(i, seat, seed=i), 0)
            assert viewers.points(world.game, here) == viewers.points(world.game, there)
            assert viewers.text(world.game, here, seat) == viewers.text(world.game, there, seat)


def test_a_spectator_hears_nothing_that_some_seat_cannot_know(world: World) -> None:
    heard = 0
    for i in range(len(world)):
        if world.who(i) == TERMINAL:
            continue
        for seat in world.seats:
            words: dict[object, set[str]] = {}
            for states in (world.states[i : i + 1], world.resampled(i, seat, i)):
                for actor, action in events(world, states, i):
                    after = states.copy()
                    step(world, after, actor, action)
                    noticed = Attention(world.game, world.spec, states).notice(after, actor)
                    before, now = as_record(states, 0), as_record(after, 0)
                    said = viewers.heard(world.game, before, actor, action, now, noticed)
                    assert set(said) <= set(noticed)
                    if actor != seat:
                        known, secret = world.key(after, 0, seat), happens_in_secret(world, before)
                        words.setdefault(known if secret else (known, action), set()).add(
                            said.get(SPECTATOR, "")
                        )
            assert all(len(texts) == 1 for texts in words.values()), words
            heard += any(any(texts) for texts in words.values())
    assert heard


def test_only_who_learns_something_notices(world: World) -> None:
    """A choice at a node where others choose, too, is noticed by its owner only until the last has chosen."""
    for i in range(len(world)):
        pending = world.pending(world.states, i)
        if len(pending) < 2:
            continue
        after = world.states[i : i + 1].copy()
        action = int(np.flatnonzero(world.mask(after, 0, pending[0]))[0])
        step(world, after, pending[0], action)
        before = world.states[i : i + 1]
        assert Attention(world.game, world.spec, before).notice(after, pending[0]) == (pending[0],)


def test_games_of_other_packages_have_no_text_for_spectators() -> None:
    scenario = SEALED.scenario("sealed")
    states = new_states(scenario.spec, 1)
    engine = engine_of(SEALED)
    engine.reset(states, 0, scenario.setup)
    attention = Attention(SEALED, scenario.spec, states)
    outcome = engine.draw_chance(states, 0, row_for(3))
    engine.apply_chance(states, 0, outcome)
    assert 0 in attention.notice(states, CHANCE)
    assert viewers.text(SEALED, as_record(states, 0), SPECTATOR) == ""
    assert viewers.points(SEALED, as_record(states, 0)) is None


def test_quiet_events_are_told_as_if_all_that_follows_had_been_looked_for(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    if world.game.name != "fairy_meat":
        return
    quiet = 0
    for i in range(len(world)):
        states = world.states[i : i + 1]
        for actor, action in events(world, states, i):
            after = states.copy()
            step(world, after, actor, action)
            both = as_record(states, 0), as_record(after, 0)
            quiet += fairy_meat_words.is_quiet(both[0], actor, both[1])
            viewing = (*world.seats, SPECTATOR)
            fast = fairy_meat_words.event_words_for(both[0], actor, action, both[1], viewing)
            with monkeypatch.context() as patched:
                patched.setattr(fairy_meat_words, "is_quiet", lambda *_: False)
                slow = fairy_meat_words.event_words_for(both[0], actor, action, both[1], viewing)
            assert fast == slow
    assert quiet

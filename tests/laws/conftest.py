"""Every law runs over every case."""

from __future__ import annotations

import functools

import pytest

from tests.laws.cases import CASES, Case
from tests.laws.world import World


@functools.cache
def _world(k: int) -> World:
    return World(CASES[k])


@pytest.fixture(params=range(len(CASES)), ids=[case.name for case in CASES])
def world(request: pytest.FixtureRequest) -> World:
    return _world(request.param)


@pytest.fixture
def case(world: World) -> Case:
    return world.case

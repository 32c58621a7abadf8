"""Tournaments of Kuhn poker, found by name as from the command line."""

import pytest

import fm_env
from evaluation.tournament.play import prepare
from tests.kuhn import GAME

BOTS = ("random", "passive", "eager", "mixed:bluff=0.5")


@pytest.fixture(autouse=True)
def registered():
    fm_env.register("kuhn", "tests.kuhn:GAME")


@pytest.fixture
def field():
    """A tournament of four bots: 6 groups, 20 rounds, 240 games."""
    return prepare(GAME, GAME.scenario("kuhn"), BOTS, rounds=20, seed=4)

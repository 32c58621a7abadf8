"""Kuhn poker with its compiled bots."""

import pytest

from agents.registry import register_table
from tests.kuhn import GAME


@pytest.fixture(autouse=True)
def kuhn_bots():
    """Kuhn's bots are found under its name."""
    register_table("kuhn", "tests.kuhn_bots")


@pytest.fixture
def game():
    return GAME


@pytest.fixture
def scenario():
    return GAME.scenario("kuhn")

"""Every test that takes `case` runs on every game and scenario of `cases.CASES`."""

from __future__ import annotations

import pytest

from agents.registry import register_table
from tests.views.cases import CASES, IDS, Case


@pytest.fixture(params=CASES, ids=IDS)
def case(request: pytest.FixtureRequest) -> Case:
    return request.param


@pytest.fixture(autouse=True)
def kuhn_bots() -> None:
    register_table("kuhn", "tests.kuhn_bots")

"""Registers the mark that says which rules a test proves."""

from __future__ import annotations

import pytest

pytest.register_assert_rewrite("tests.games.traceability", "tests.games.replays")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "rule(*ids): ids of RULES.md that the test would see broken")

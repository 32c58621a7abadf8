"""RULES.md, the code and the tests name the same rules."""

from __future__ import annotations

from pathlib import Path

from fm_env.games.sword_and_shield.page import PAGE
from tests.games.traceability import Traceability, ids


class TestTraceability(Traceability):
    page = PAGE
    tests = Path(__file__).parent
    letters = "K"
    required = ids("K", *range(1, 18))
    last_ruling = {"K": 17}

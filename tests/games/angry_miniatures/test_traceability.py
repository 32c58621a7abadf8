"""RULES.md, the code and the tests name the same rules."""

from __future__ import annotations

from pathlib import Path

from fm_env.games.angry_miniatures.page import PAGE
from tests.games.traceability import Traceability, ids


class TestTraceability(Traceability):
    page = PAGE
    tests = Path(__file__).parent
    letters = "A"
    required = ids("A", *range(1, 32))
    last_ruling = {"A": 31}

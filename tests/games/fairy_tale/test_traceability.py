"""RULES.md, the code and the tests name the same rules."""

from __future__ import annotations

from pathlib import Path

from fm_env.games.fairy_tale.page import PAGE
from tests.games.traceability import Traceability, ids


class TestTraceability(Traceability):
    page = PAGE
    tests = Path(__file__).parent
    letters = "T"
    required = ids("T", *range(1, 23))
    last_ruling = {"T": 22}

"""RULES.md, the code and the tests name the same rules."""

from __future__ import annotations

from pathlib import Path

from fm_env.games.fairy_meat.page import PAGE
from tests.games.traceability import Traceability, ids


class TestTraceability(Traceability):
    page = PAGE
    tests = Path(__file__).parent
    letters = "FU"
    required = ids("F", *range(1, 75)) | ids("U", *range(1, 39))
    last_ruling = {"F": 74, "U": 38}

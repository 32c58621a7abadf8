"""Keeps what a run of tests found: `pytest -p tests.recorder --record FILE`, with xdist or without.

The `make` targets whose last result is committed use it. The file holds the command, the versions and, by
test, the outcome, how long it took and, of tests by hypothesis, how many examples were tried. Tests marked
`@pytest.mark.drill(done=..., expected=...)` have these words in their rows.
"""

from __future__ import annotations

import os
import re
import shlex
import time
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from evaluation.report import versions, write_report

SCHEMA = "fm-env-tests-1"
WORST = ("passed", "skipped", "failed")
"""A row of several cases has the last of these that occurred."""
_TRIED = re.compile(r"(\d+) passing, (\d+) failing, and (\d+) invalid")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--record", type=Path, help="write what this run finds here, as JSON")


def pytest_configure(config: pytest.Config) -> None:
    """Only the process that gathers the reports writes; workers of xdist add to their reports only."""
    file = config.getoption("record")
    if file is not None and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Recorder(file, config.invocation_params.args), "recorder")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """What the gathering process can't see is put beside the report."""
    report: Any = yield
    if report.when == "teardown":
        mark = item.get_closest_marker("drill")
        if mark is not None:
            report.user_properties.append(("drill", mark.kwargs))
        tried = examples(getattr(item, "hypothesis_statistics", ""))
        if tried is not None:
            report.user_properties.append(("examples", tried))
    return report


def examples(statistics: str) -> int | None:
    """How many examples hypothesis tried, after its own words; None if it says nothing.

    Those that a strategy threw away by itself aren't counted.
    """
    found = _TRIED.findall(statistics)
    return sum(int(passing) + int(failing) for passing, failing, _ in found) if found else None


class Recorder:
    """Gathers the reports of a run and writes them at its end."""

    def __init__(self, file: Path, arguments: tuple[Any, ...]) -> None:
        self.file = file
        self.command = shlex.join(["python", "-m", "pytest", *map(str, arguments)])
        self.started = time.monotonic()
        self.rows: dict[str, dict[str, Any]] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        row = self.rows.setdefault(
            report.nodeid.partition("[")[0], {"cases": 0, "outcome": "passed", "seconds": 0.0}
        )
        row["cases"] += report.when == "setup"
        row["outcome"] = max(row["outcome"], report.outcome, key=WORST.index)
        row["seconds"] += report.duration
        said: list[tuple[str, Any]] = report.user_properties
        for name, value in said:
            if name == "drill":
                row |= value  # the mark's words
            elif name == "examples":
                row["examples"] = row.get("examples", 0) + value

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        rows = [
            {"test": test} | row | {"seconds": round(row["seconds"], 1)}
            for test, row in sorted(self.rows.items())
        ]
        profile = os.environ.get("HYPOTHESIS_PROFILE")
        write_report(
            self.file,
            {
                "schema": SCHEMA,
                "command": (f"HYPOTHESIS_PROFILE={profile} " if profile else "") + self.command,
                "created": datetime.now(UTC).isoformat(timespec="seconds"),
                "versions": versions() | tested(),
                "seconds": round(time.monotonic() - self.started),
                "passed": exitstatus == 0,
                "outcomes": dict(Counter(row["outcome"] for row in rows)),
                "tests": rows,
            },
        )


def tested() -> dict[str, str]:
    """Versions of what the tests themselves stand on, as imported: `make newest` puts one in front."""
    import gymnasium
    import hypothesis

    return {
        "gymnasium": gymnasium.__version__,
        "hypothesis": hypothesis.__version__,
        "pytest": pytest.__version__,
    }

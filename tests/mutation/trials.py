"""Tries mutants of one game: `python -m tests.mutation.trials watch|try|fresh GAME ...`.

All tests are collected once. For each mutant the process forks; in the fork the rules get the mutant's
code, and its tests run, the quickest first, until one fails. What runs at import has to be changed
before: such a mutant gets a process of its own.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

from tests.mutation.mutants import ROOT, Mutant, import_instead, mutant_of, swap
from tests.mutation.selection import FOLDER, Collected, Selection, Watch, arguments

PATIENCE = 3.0
"""A mutant's tests may take so many times the seconds that they take without it, and `SPARE` more."""
SPARE = 5.0
MOST = 24.0
"""Tests are chosen, quickest first, up to so many seconds of processor time together."""


class Trials(Collected):
    """Plugin: instead of running the tests once, run some of them for each mutant."""

    def __init__(self, game: str, mutants: list[Mutant], is_changed: bool = False) -> None:
        super().__init__(game)
        self.mutants, self.is_changed = mutants, is_changed
        self.selection = Selection(game)
        self.trusted: set[str] = set()

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = {item.nodeid: item for item in session.items}
        for mutant in self.mutants:
            started = time.monotonic()
            names, total = [], 0.0
            for nodeid in self.selection.tests_of(mutant):
                total += self.selection.costs[nodeid]
                if nodeid in items and (total <= MOST or not names):
                    names.append(nodeid)
            seconds = PATIENCE * sum(self.selection.costs[nodeid] for nodeid in names) + SPARE
            if not names:
                outcome = {"outcome": "survived", "by": "", "tests": 0}
            elif self.selection.is_imported(mutant) and not self.is_changed:
                outcome = _fresh(mutant)
            else:
                outcome = self.fork(mutant, [items[nodeid] for nodeid in names], seconds)
                self.check(items.get(outcome["by"]), seconds)
            outcome["seconds"] = round(time.monotonic() - started, 1)
            _say({"id": mutant.id, **outcome})
        return True

    def check(self, item: pytest.Item | None, seconds: float) -> None:
        """A test that has killed passes on its own without the mutant, or it may not kill."""
        if item is None or item.nodeid in self.trusted or self.is_changed:
            return
        outcome = self.fork(None, [item], seconds)
        if outcome["outcome"] != "survived":
            raise RuntimeError(f"{item.nodeid} fails without a mutant, too")
        self.trusted.add(item.nodeid)

    def fork(self, mutant: Mutant | None, items: list[pytest.Item], seconds: float) -> dict[str, Any]:
        """Run the tests in a fork; what came of it."""
        out, into = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(out)
            _limit(seconds)
            code = 70
            try:
                is_ready = mutant is None or self.is_changed or swap(mutant.file, mutant.source()) > 0
                code = _run(items, into) if is_ready else 71
            finally:
                os._exit(code)
        os.close(into)
        with os.fdopen(out) as pipe:
            said = pipe.read()
        _, status = os.waitpid(child, 0)
        result = {"by": said, "tests": len(items)}
        if os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL, signal.SIGALRM):
            return {"outcome": "timeout", **result}
        code = os.WEXITSTATUS(status) if os.WIFEXITED(status) else 1
        if code in (70, 71):
            raise RuntimeError(f"{mutant}: {'no function has changed' if code == 71 else 'not tried'}")
        return {"outcome": {0: "survived"}.get(code, "killed"), **result}


def _run(items: list[pytest.Item], into: int) -> int:
    """Run tests until one fails, whose name is written; 1 if one did."""
    for k, item in enumerate(items):
        following = items[k + 1] if k + 1 < len(items) else None
        try:
            failed = any(report.failed for report in runtestprotocol(item, log=False, nextitem=following))
        except BaseException:
            failed = True
        if failed:
            os.write(into, item.nodeid.encode())
            return 1
    return 0


def _limit(seconds: float) -> None:
    """End this process after so much processor time, or thirty times as long on the clock."""
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 5))
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(int(30 * seconds))


def _fresh(mutant: Mutant) -> dict[str, Any]:
    command = [sys.executable, "-m", "tests.mutation.trials", "fresh", mutant.game, json.dumps(vars(mutant))]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    for line in done.stdout.splitlines():
        if line.startswith("{"):
            return {key: value for key, value in json.loads(line).items() if key != "id"}
    if done.returncode not in (1, 2, 4):  # what pytest says where collecting fails
        raise RuntimeError(
            f"{mutant}: exit code {done.returncode}: {done.stdout[-2000:]}{done.stderr[-2000:]}"
        )
    return {"outcome": "killed", "by": "import", "tests": 0}


def _say(row: dict[str, Any]) -> None:
    print("\n" + json.dumps(row), file=sys.__stdout__, flush=True)


def main() -> int:
    """What one process is asked for."""
    what, game, *rest = sys.argv[1:]
    FOLDER.mkdir(parents=True, exist_ok=True)
    if what == "watch":
        code = pytest.main(arguments(game), plugins=[Watch(game)])
        return 0 if code in (0, 1, 5) else int(code)  # who fails or takes too long is left out; 5: all known
    lines = rest if what == "fresh" else sys.stdin.read().splitlines()
    mutants = [mutant_of(row) for row in map(json.loads, lines)]
    if what == "fresh":
        import_instead(mutants[0].file, mutants[0].source())
    code = pytest.main([*arguments(game), "-s"], plugins=[Trials(game, mutants, what == "fresh")])
    return int(code)


if __name__ == "__main__":
    sys.exit(main())

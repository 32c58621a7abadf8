"""Which tests look at a game's rules, what each costs as plain Python, and which lines it reaches."""

from __future__ import annotations

import functools
import hashlib
import json
import resource
import signal
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import coverage
import pytest

from agents.policy import write_atomically
from tests.mutation.mutants import ROOT, Mutant, rule_files

FOLDER = ROOT / "runs/mutation"
LIMIT = 4.0
"""A test that takes more seconds of processor time than this (watched) is left out."""
MANY = 100
"""Where more tests than this reach a mutant there is no time for all of them."""
GOLDEN, GOLDEN_LIMIT = "test_replays.py::test_seats_saw_the_same", 20.0
"""Whole games, hashed at every choice, are worth waiting for: little gets past them."""
SAVE_EVERY = 20.0
"""Seconds of processor time."""

LAWS = [f"tests/laws/test_{name}.py" for name in ("facts", "course", "bytes", "knowledge")]
LAW_GAMES, LAW_NODES = 2, 10
"""The laws look at fewer games and positions than in the suite, where rules are compiled."""

LAW_CASES = {
    "angry_miniatures": ("duel-board=closet", "duel-build"),
    "fairy_meat": (
        "clash-tiny",
        "clash-tiny-fast_play",
        "clash-shuffled",
        "duel-shuffled",
        "duel-fast_play",
        "scuffle-shuffled",
        "skirmish-2v2-close",
    ),
    "fairy_tale": ("expert-tiny-2", "expert-tiny-3", "basic-basic-2"),
    "sword_and_shield": ("joust-deeds", "joust-tiny"),
}
LEFT_OUT = ("test_traceability.py", "test_bots.py", "test_picture.py", "test_table_picture.py")
"""Tests of other things than the rules: documents, bots, pictures."""
SLOW = ("test_every_outcome_of_positive_weight_can_be_taken", "test_resampled_games_can_be_played_to_the_end")
"""Laws that play on from many positions, which takes plain Python minutes."""


def arguments(game: str) -> list[str]:
    """What pytest is told to collect for a game."""
    folder = ROOT / "tests/games" / game
    own = [p.relative_to(ROOT).as_posix() for p in sorted(folder.glob("test_*.py")) if p.name not in LEFT_OUT]
    # Warnings of plain Python's arithmetic (an overflow in a mutant, say) are errors as in the suite.
    return [*own, *LAWS, "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--rootdir", str(ROOT)]


class Collected:
    """Plugin: laws only over a game's own small cases; hypothesis tells without shrinking."""

    def __init__(self, game: str) -> None:
        self.game = game

    def pytest_configure(self, config: pytest.Config) -> None:
        from hypothesis import Phase, settings

        settings.register_profile(
            "mutation", settings.get_profile("ci"), phases=[Phase.explicit, Phase.generate]
        )
        settings.load_profile("mutation")

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        from tests.laws import conftest
        from tests.laws.cases import CASES
        from tests.laws.world import World

        def small(k: int) -> World:
            return World(replace(CASES[k], games=min(CASES[k].games, LAW_GAMES), nodes=LAW_NODES))

        conftest._world = functools.cache(small)
        wanted = {f"[{self.game}-{case}]" for case in LAW_CASES[self.game]}
        unknown = wanted - {f"[{case.name}]" for case in CASES}
        assert not unknown, f"tests/laws has no cases {sorted(unknown)}"
        items[:] = [
            item
            for item in items
            if "tests/laws/" not in item.nodeid
            or (item.nodeid[item.nodeid.find("[") :] in wanted and not item.name.startswith(SLOW))
        ]


class Watch(Collected):
    """Plugin: runs the tests once, unchanged, and notes what each costs and reaches.

    Kept in `runs/mutation`. Tests of a file that hasn't changed are not run again.
    """

    def __init__(self, game: str) -> None:
        super().__init__(game)
        self.kept = FOLDER / f"{game}.json"
        self.costs = _read(self.kept, _key(game))
        self.hashes: dict[str, str] = {}
        self.saved = 0.0
        include = [str(ROOT / file) for file in rule_files() if file.split("/")[2] == game]
        self.cover = coverage.Coverage(data_file=str(FOLDER / f"{game}.coverage"), include=include)
        if self.costs:
            self.cover.load()
        else:
            self.cover.erase()
        self.cover.start()

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        super().pytest_collection_modifyitems(items)
        for item in items:
            self.hashes.setdefault(file_of(item.nodeid), _hash(ROOT / file_of(item.nodeid)))
        known = {nodeid: row for nodeid, row in self.costs.items() if self.fresh(nodeid, row)}
        names = {item.nodeid for item in items}
        self.costs = {nodeid: row for nodeid, row in known.items() if nodeid in names}
        items[:] = [item for item in items if item.nodeid not in self.costs]
        print(f"{self.game}: {len(items)} tests to watch, {len(self.costs)} known", flush=True)

    def fresh(self, nodeid: str, row: Any) -> bool:
        is_worth_more_time = not row["passed"] and LIMIT / 2 < row["seconds"] < limit_of(nodeid)
        return self.hashes.get(file_of(nodeid)) == row["hash"] and not is_worth_more_time

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.cover.switch_context(item.nodeid)
        self.costs[item.nodeid] = {"hash": self.hashes[file_of(item.nodeid)], "passed": True, "seconds": 0.0}
        before = _cpu()
        yield
        self.costs[item.nodeid]["seconds"] = round(_cpu() - before, 3)
        self.cover.switch_context("")
        if _cpu() - self.saved > SAVE_EVERY:
            self.save()

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Iterator[None]:
        return (yield from _limited(item))

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        return (yield from _limited(item))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed or report.skipped:
            self.costs[report.nodeid]["passed"] = False

    def pytest_sessionfinish(self) -> None:
        self.cover.stop()
        self.save()

    def save(self) -> None:
        """Keep what is known so far; a killed watch goes on from here."""
        self.saved = _cpu()
        self.cover.save()
        data = {"key": _key(self.game), "tests": self.costs}
        write_atomically(self.kept, (json.dumps(data, indent=0) + "\n").encode())


class Selection:
    """What was watched, for one game."""

    def __init__(self, game: str) -> None:
        self.costs: dict[str, float] = {
            nodeid: row["seconds"]
            for nodeid, row in _read(FOLDER / f"{game}.json", _key(game)).items()
            if row["passed"] and row["seconds"] <= limit_of(nodeid)
        }
        self.data = coverage.CoverageData(str(FOLDER / f"{game}.coverage"))
        self.data.read()

    def tests_of(self, mutant: Mutant) -> list[str]:
        """The tests that reach a mutant, the quickest first; all of its file for what runs at import.

        Laws come last: they share random games, which each fork has to play anew. Where more tests reach it
        than there is time for, whole games come first.
        """
        by_line = self.data.contexts_by_lineno(str(ROOT / mutant.file))
        lines = by_line if self.is_imported(mutant) else mutant.lines
        found = {nodeid for line in lines for nodeid in by_line.get(line, ()) if nodeid in self.costs}

        def cost(nodeid: str) -> tuple[bool, bool, float, str]:
            waits = GOLDEN not in nodeid or len(found) <= MANY
            return "tests/laws/" in nodeid, waits, self.costs[nodeid], nodeid

        return sorted(found, key=cost)

    def is_imported(self, mutant: Mutant) -> bool:
        """Whether a mutant's line runs when the file is imported, or by what tests share."""
        by_line = self.data.contexts_by_lineno(str(ROOT / mutant.file))
        return any("" in by_line.get(line, ()) for line in mutant.lines)


def limit_of(nodeid: str) -> float:
    """Seconds of processor time that a test may take."""
    return GOLDEN_LIMIT if GOLDEN in nodeid else LIMIT


def file_of(nodeid: str) -> str:
    return nodeid.partition("::")[0]


def _limited(item: pytest.Item) -> Iterator[None]:
    """A phase of a test, in which pytest takes a failure for what it is."""
    signal.signal(signal.SIGPROF, _too_slow)
    signal.setitimer(signal.ITIMER_PROF, limit_of(item.nodeid))
    try:
        return (yield)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _too_slow(signum: int, frame: Any) -> None:
    pytest.fail("takes too long")


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def _read(kept: Path, key: str) -> dict[str, Any]:
    try:
        data = json.loads(kept.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return data["tests"] if data["key"] == key else {}


def _key(game: str) -> str:
    """A hash of the game's files: with other rules other lines are reached."""
    files = sorted((ROOT / "fm_env/games" / game).glob("*.py"))
    return hashlib.sha256("".join(_hash(file) for file in files).encode()).hexdigest()[:16]


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]

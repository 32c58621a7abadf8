"""Compiled, plain and bounds-checked rules, and any order of Python's hashes, give the same bytes."""

from __future__ import annotations

import functools
import os
import subprocess
import sys

import pytest

from tests.laws.cases import CASES

MODES = {
    "compiled": {"PYTHONHASHSEED": "1"},
    "plain": {"NUMBA_DISABLE_JIT": "1", "PYTHONHASHSEED": "2"},
    "bounds": {"NUMBA_BOUNDSCHECK": "1"},
}

SLOW = ("fairy_meat-scuffle", "fairy_tale-basic-basic-4", "fairy_tale-expert-3", "fairy_tale-expert-5")
"""Larger games of kinds that `PLAIN` holds in small; plain Python takes a minute for some."""
CHECKED = (
    "kuhn-kuhn-first=0",
    "fairy_meat-clash",
    "fairy_meat-clash-fast_play",
    "sword_and_shield-joust-deeds",
    "fairy_tale-expert-tiny-2",
    "angry_miniatures-duel-build",
)
"""Cases in which compiled rules check their indices: each kind of kernel takes minutes to compile anew (that
of a whole table five), and plain rules check theirs in all of `PLAIN`."""
if os.environ.get("MODES") == "all":  # `make modes`
    SLOW, CHECKED = (), tuple(case.name for case in CASES if case.traced)
PLAIN = [case.name for case in CASES if case.traced and case.name not in SLOW]
CASES_OF = {"compiled": PLAIN, "plain": PLAIN, "bounds": list(CHECKED)}


@functools.cache
def _runs() -> dict[str, subprocess.Popen[str]]:
    """All modes at once: plain rules are slow, and checked ones are compiled anew."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith("NUMBA_")}
    command = [sys.executable, "-W", "error", "-m", "tests.laws.trace"]
    pipe = subprocess.PIPE
    return {
        mode: subprocess.Popen(
            [*command, *CASES_OF[mode]], env={**clean, **more}, stdout=pipe, stderr=pipe, text=True
        )
        for mode, more in MODES.items()
    }


@functools.cache
def _traces(mode: str) -> dict[str, str]:
    run = _runs()[mode]
    out, errors = run.communicate()
    assert run.returncode == 0, errors
    return dict(line.split("\t", 1) for line in out.splitlines())


@pytest.mark.parametrize(
    ("mode", "name"), [(mode, name) for mode in ("plain", "bounds") for name in CASES_OF[mode]]
)
def test_all_modes_give_the_same_bytes(mode: str, name: str) -> None:
    assert _traces(mode)[name] == _traces("compiled")[name]

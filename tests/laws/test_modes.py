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


@functools.cache
def _traces(mode: str) -> dict[str, str]:
    clean = {key: value for key, value in os.environ.items() if not key.startswith("NUMBA_")}
    result = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.laws.trace"],
        env={**clean, **MODES[mode]},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    return dict(line.split("\t", 1) for line in result.stdout.splitlines())


@pytest.mark.parametrize("mode", ["plain", "bounds"])
@pytest.mark.parametrize("name", [case.name for case in CASES if case.traced])
def test_all_modes_give_the_same_bytes(name: str, mode: str) -> None:
    assert _traces(mode)[name] == _traces("compiled")[name]

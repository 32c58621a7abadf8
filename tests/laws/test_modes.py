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
def _runs() -> dict[str, subprocess.Popen[str]]:
    """All modes at once: plain rules are slow, and checked ones are compiled anew."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith("NUMBA_")}
    command = [sys.executable, "-W", "error", "-m", "tests.laws.trace"]
    pipe = subprocess.PIPE
    return {
        mode: subprocess.Popen(command, env={**clean, **more}, stdout=pipe, stderr=pipe, text=True)
        for mode, more in MODES.items()
    }


@functools.cache
def _traces(mode: str) -> dict[str, str]:
    run = _runs()[mode]
    out, errors = run.communicate()
    assert run.returncode == 0, errors
    return dict(line.split("\t", 1) for line in out.splitlines())


@pytest.mark.parametrize("mode", ["plain", "bounds"])
@pytest.mark.parametrize("name", [case.name for case in CASES if case.traced])
def test_all_modes_give_the_same_bytes(name: str, mode: str) -> None:
    assert _traces(mode)[name] == _traces("compiled")[name]

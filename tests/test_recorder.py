"""What `make` targets commit about their tests is what happened."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
TESTS = """
import pytest
from hypothesis import given, settings, strategies as st

@pytest.mark.drill(done="a kill", expected="nothing lost")
@pytest.mark.parametrize("k", [1, 2])
def test_cases(k):
    assert k == 1

@settings(max_examples=30, database=None, derandomize=True)
@given(st.integers())
def test_examples(n):
    assert n == n

@pytest.mark.skip(reason="not here")
def test_skipped():
    pass
"""


def test_a_record_tells_outcomes_cases_examples_and_drills(tmp_path: Path) -> None:
    (tmp_path / "test_them.py").write_text(TESTS)
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = drill(done, expected): one\n")
    for workers in ("0", "1"):
        out = tmp_path / f"{workers}.json"
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-n",
            workers,
            "-p",
            "tests.recorder",
            "--record",
            out,
        ]
        environment = os.environ | {"PYTHONPATH": str(ROOT), "HYPOTHESIS_PROFILE": "default"}
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert done.returncode == 1, done.stdout + done.stderr
        found = json.loads(out.read_text())
        assert found["passed"] is False
        assert found["command"].startswith("HYPOTHESIS_PROFILE=default python -m pytest -q")
        cases, examples, skipped = found["tests"]
        assert found["outcomes"] == {"failed": 1, "passed": 1, "skipped": 1}
        assert cases["outcome"] == "failed" and cases["cases"] == 2
        assert (cases["done"], cases["expected"]) == ("a kill", "nothing lost")
        assert examples["outcome"] == "passed" and examples["examples"] == 30
        assert skipped["outcome"] == "skipped" and "examples" not in skipped
        assert {"python", "numba", "gymnasium", "hypothesis"} <= found["versions"].keys()

"""Failure drills of the folder of compiled rules: crowded, damaged, full."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from fm_env import sources
from tests.machinery.test_compiled import TEMPLATE

HELPER = "from fm_env.compiled import rule\nFACTOR = 2\n@rule\ndef scaled(x):\n    return x * FACTOR\n"
CODE = "import runpy; runpy.run_module('main_module', run_name='__main__')"
ANSWERS = ["20", "3"]


def start(folder: Path, **options: Any) -> subprocess.Popen[str]:
    """The toy of `test_compiled` in a process of its own, its cache below `folder`."""
    (folder / "main_module.py").write_text(TEMPLATE)
    (folder / "helper.py").write_text(HELPER)
    paths = f"{folder}{os.pathsep}{sources.ROOT}"
    env = os.environ | {"FM_ENV_CACHE_DIR": str(folder / "cache"), "PYTHONPATH": paths}
    return subprocess.Popen(
        [sys.executable, "-c", CODE],
        env=env,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        **options,
    )


def answers(process: subprocess.Popen[str]) -> list[str]:
    out, error = process.communicate(timeout=300)
    assert process.returncode == 0, error
    return out.split()


def compiled_files(folder: Path) -> list[Path]:
    return [path for path in (folder / "cache").rglob("*.nb[ci]") if path.is_file()]


def test_two_processes_compile_the_same_at_once(tmp_path: Path) -> None:
    both = [start(tmp_path), start(tmp_path)]
    assert [answers(process)[:2] for process in both] == [ANSWERS, ANSWERS]
    assert answers(start(tmp_path)) == [*ANSWERS, "0", "0"], "what they left can't be used"


@pytest.mark.parametrize("damage", ["cut", "empty", "junk"])
def test_damaged_machine_code_is_compiled_anew(tmp_path: Path, damage: str) -> None:
    answers(start(tmp_path))
    files = compiled_files(tmp_path)
    assert files
    for file in files:
        data = file.read_bytes()
        file.write_bytes(
            {"cut": data[: len(data) // 2], "empty": b"", "junk": b"\x80junk" + data[5:]}[damage]
        )
    assert answers(start(tmp_path))[:2] == ANSWERS
    assert answers(start(tmp_path)) == [*ANSWERS, "0", "0"], "the damage was not mended"


def test_a_full_disk_only_means_compiling_again(tmp_path: Path) -> None:
    def full() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (600, 600))

    assert answers(start(tmp_path, preexec_fn=full))[:2] == ANSWERS
    assert answers(start(tmp_path))[:2] == ANSWERS
    assert answers(start(tmp_path)) == [*ANSWERS, "0", "0"]

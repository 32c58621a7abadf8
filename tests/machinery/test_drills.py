"""Failure drills of the folder of compiled rules: crowded, damaged, full."""

from __future__ import annotations

import ctypes
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

HELPER = "from fm_env.compiled import rule\nFACTOR = {}\n@rule\ndef scaled(x):\n    return x * FACTOR\n"
CODE = "import runpy; runpy.run_module('main_module', run_name='__main__')"
ANSWERS = ["20", "3"]


def start(folder: Path, factor: int = 2, **options: Any) -> subprocess.Popen[str]:
    """The toy of `test_compiled` in a process of its own, its cache below `folder`."""
    (folder / "main_module.py").write_text(TEMPLATE)
    (folder / "helper.py").write_text(HELPER.format(factor))
    paths = f"{folder}{os.pathsep}{sources.ROOT}"
    env = os.environ | {"FM_ENV_CACHE_DIR": str(folder / "cache"), "PYTHONPATH": paths, "TMPDIR": str(folder)}
    return subprocess.Popen(
        [sys.executable, "-c", CODE],
        env=env,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        **options,
    )


def answers(process: subprocess.Popen[str]) -> list[str]:
    out, error = process.communicate(timeout=600)
    assert process.returncode == 0, error
    return out.split()


def compiled_files(folder: Path) -> list[Path]:
    return [path for path in (folder / "cache").rglob("*.nb[ci]") if path.is_file()]


@pytest.mark.drill(
    done="two processes compile the same rules into the same folder at once",
    expected="both play; a third one compiles nothing",
)
def test_two_processes_compile_the_same_at_once(tmp_path: Path) -> None:
    both = [start(tmp_path), start(tmp_path)]
    assert [answers(process)[:2] for process in both] == [ANSWERS, ANSWERS]
    assert answers(start(tmp_path)) == [*ANSWERS, "0", "0"], "what they left can't be used"


@pytest.mark.drill(
    done="files of machine code are cut off, emptied, or overwritten with junk",
    expected="compiled again, once",
)
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


@pytest.mark.drill(
    done="no room for machine code",
    expected="rules are compiled for this once; kept as soon as there is room",
)
def test_a_full_disk_only_means_compiling_again(tmp_path: Path) -> None:
    def full() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (600, 600))

    assert answers(start(tmp_path, preexec_fn=full))[:2] == ANSWERS
    assert answers(start(tmp_path))[:2] == ANSWERS
    assert answers(start(tmp_path)) == [*ANSWERS, "0", "0"]


@pytest.mark.drill(
    done="the folder holds the machine code of an older version; then the older version is used again",
    expected="the newer compiles its own; the older finds its own as it was",
)
def test_a_folder_of_an_older_version_is_neither_used_nor_harmed(tmp_path: Path) -> None:
    answers(start(tmp_path))
    old = {file: file.read_bytes() for file in compiled_files(tmp_path)}
    assert answers(start(tmp_path, factor=3))[:2] == ["45", "3"], "stale code was used"
    assert {file: file.read_bytes() for file in old} == old
    assert answers(start(tmp_path)) == [*ANSWERS, "0", "0"]


def without_privilege() -> None:
    """Root may write anywhere; the program that is started next may not (Linux only, harmless elsewhere)."""
    bounding_set_drop, override = 24, 1
    ctypes.CDLL(None).prctl(bounding_set_drop, override, 0, 0, 0)


@pytest.mark.drill(
    done="the folder with compiled rules becomes read-only",
    expected="rules are played all the same, and nothing in the folder changes",
)
def test_a_read_only_folder_is_no_reason_to_fail(tmp_path: Path) -> None:
    answers(start(tmp_path))
    before = {file: file.stat().st_mtime_ns for file in sorted((tmp_path / "cache").rglob("*"))}
    for path in [tmp_path / "cache", *before]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        denied = subprocess.run(
            ["touch", tmp_path / "cache" / "x"], preexec_fn=without_privilege, check=False
        )
        assert denied.returncode, "the folder is not read-only: the drill shows nothing"
        assert answers(start(tmp_path, preexec_fn=without_privilege))[:2] == ANSWERS
        assert {file: file.stat().st_mtime_ns for file in sorted((tmp_path / "cache").rglob("*"))} == before
    finally:
        for path in [tmp_path / "cache", *before]:
            path.chmod(0o755)

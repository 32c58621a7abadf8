"""The package under each other Python it is for: `python -m tests.packaging.pythons`. CI runs on 3.11.

For each of `PYTHONS` that is on this machine: makes a fresh environment out of the project's own files,
with the pinned versions (torch first, alone, as the Makefile does), and runs `PARTS` of the tests there,
with rules compiled by that Python. An extra that can't be installed there is left out and named.
Under pyenv, say which: `PYENV_VERSION=3.11.7:3.12.1:3.13.0 make pythons` (the first runs `make`'s own).
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from evaluation.report import versions, write_report
from tests.packaging.conftest import ROOT
from tests.packaging.extras import extras

SCHEMA = "fm-env-pythons-1"
PYTHONS = ("3.12", "3.13")
PARTS = (
    "tests/laws", "tests/machinery", "tests/views", "tests/packaging", "tests/training/test_run.py",
)  # fmt: skip
"""Laws, views, machinery, packaging, and short trainings with their kills and resumptions."""
BUT = "not (skirmish or scuffle or joust or sword_and_shield or miniatures or modes)"
"""What is left out of these: games beside Fairy Meat's duel and Fairy Tale would only add minutes of
compiling, and the comparison of modes compiles everything once more."""


def interpreter(version: str) -> str | None:
    """The command that starts a Python of this version, None if there is none here."""
    command = f"python{version}"
    ask = "import sys; print('%d.%d' % sys.version_info[:2])"
    try:
        done = subprocess.run([command, "-c", ask], capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return command if done.returncode == 0 and done.stdout.strip() == version else None


def ran(*command: str | Path, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, cwd=ROOT, **options
    )


class Environment:
    """A fresh environment of one Python in a folder."""

    def __init__(self, command: str, folder: Path) -> None:
        self.python = folder / "bin" / "python"
        made = ran(command, "-m", "venv", folder)
        if made.returncode:
            raise RuntimeError(made.stderr)
        self.left_out: dict[str, str] = {}

    def pip(self, *words: str) -> subprocess.CompletedProcess[str]:
        quiet = ("--quiet", "--disable-pip-version-check", "-c", ROOT / "constraints.txt")
        return ran(self.python, "-m", "pip", "install", *quiet, *words)

    def install(self) -> None:
        """Everything that can be; `left_out` says what can't and why."""
        for words in (["torch"], ["--prefer-binary", "-e", f"{ROOT}[all]"]):
            done = self.pip(*words)
            if done.returncode == 0:
                continue
            whole = set(part_of("all"))
            wanted = [extra for extra in extras() if extra and extra != "all" and extra in whole]
            for extra in wanted:
                one = self.pip("--prefer-binary", "-e", f"{ROOT}[{extra}]")
                if one.returncode:
                    self.left_out[extra] = one.stderr.strip().splitlines()[-1][:300]
            return

    def versions(self) -> dict[str, str]:
        listed = ran(self.python, "-m", "pip", "list", "--format=json", "--disable-pip-version-check")
        return {row["name"]: row["version"] for row in json.loads(listed.stdout)}


def part_of(extra: str) -> list[str]:
    """Names of the extras that an extra is made of."""
    table = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (line,) = table["optional-dependencies"][extra]
    found = line.partition("[")[2].partition("]")[0].split(",")
    return [*found, "test", "docs"]


def try_python(version: str) -> dict[str, Any]:
    """One Python; what came of it."""
    command = interpreter(version)
    if command is None:
        return {"python": version, "here": False}
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as place:
        environment = Environment(command, Path(place) / "venv")
        environment.install()
        installed = time.monotonic()
        record = Path(place) / "tests.json"
        words = ["-m", "pytest", "-q", "-n", "2", "--dist", "loadfile", "-k", BUT, *PARTS]
        done = ran(
            environment.python, *words, "-p", "tests.recorder", "--record", record,
            env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
        )  # fmt: skip
        known = environment.versions()
        row: dict[str, Any] = {
            "python": version,
            "here": True,
            "works": done.returncode == 0 and not environment.left_out,
            "command": shlex.join(["python", *words]),
            "left_out": environment.left_out,
            "packages": len(known),
            "versions": {
                name: known[name] for name in ("numpy", "numba", "torch", "gymnasium") if name in known
            },
            "seconds_to_install": round(installed - started),
            "seconds_of_tests": round(time.monotonic() - installed),
        }
        if not record.exists():
            return row | {"works": False, "error": (done.stderr or done.stdout)[-2000:]}
        found = json.loads(record.read_text(encoding="utf-8"))
    cases: Counter[str] = Counter()
    for test in found["tests"]:
        cases[test["outcome"]] += test["cases"]
    row["versions"]["python"] = found["versions"]["python"]
    failed = [test["test"] for test in found["tests"] if test["outcome"] == "failed"]
    return row | {"tests": dict(cases)} | ({"failed": failed, "error": done.stdout[-3000:]} if failed else {})


def main() -> int:
    """Try them all; 1 if one that is here fails."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pythons", nargs="*", help=f"only these of {', '.join(PYTHONS)}")
    parser.add_argument("--json", type=Path, help="write the result here; rows of other Pythons stay")
    given = parser.parse_args()
    rows: list[dict[str, Any]] = []
    for version in given.pythons or PYTHONS:
        rows.append(try_python(version))
        print(json.dumps(rows[-1]), flush=True)
    if given.json:
        if given.pythons and given.json.exists():
            new = {row["python"]: row for row in rows}
            old = json.loads(given.json.read_text(encoding="utf-8"))["pythons"]
            rows = sorted([new.pop(row["python"], row) for row in old] + list(new.values()), key=str)
        write_report(
            given.json,
            {
                "schema": SCHEMA,
                "command": shlex.join(["python", "-m", "tests.packaging.pythons", *sys.argv[1:]]),
                "created": datetime.now(UTC).isoformat(timespec="seconds"),
                "versions": versions(),
                "pythons": rows,
            },
        )
    return 0 if all(row.get("works", True) for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())

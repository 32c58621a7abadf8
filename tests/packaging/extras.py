"""Each extra alone, and all together, in a fresh environment: `python -m tests.packaging.extras`.

Builds the wheel, and for no extra, for each one, and for `all`: makes a virtual environment, installs
the wheel with the pinned versions, and runs what that extra is for, far from the checkout.
`make packages` writes the result.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path
from typing import Any

from agents.policy import write_atomically
from tests.packaging.conftest import PLAY, ROOT, built

TRAIN = """
from pathlib import Path
from training.config import check_config
from training.run import Run
run = Run(check_config({
    "game": {"scenario": "clash", "options": {"a": 1, "d": 1}},
    "run": {"name": "tiny", "decisions": 64, "threads": 1},
    "network": {"hidden": [8]},
    "learner": {"games": 8, "steps": 4, "batch_size": 32},
}), Path("run"))
print(run.save())
"""
EVALUATE = """
from fm_env.cli import app
app(["evaluate", "plain", "--against", "random", "--scenario", "clash", "--games", "20",
     "--json", "r.json", *EXTRA], standalone_mode=False)
"""
TOURNAMENT = """
from fm_env.cli import app
app(["tournament", "random", "plain", "--scenario", "clash", "--games", "20", "--out", "t.jsonl", *EXTRA],
    standalone_mode=False)
"""

SERVE = """
import json, subprocess, sys, urllib.request
command = [sys.executable, "-m", "fm_env.cli", "serve", "--port", "0", "--db", "games.db"]
with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
    try:
        address = server.stdout.readline().split()[-1]
        with urllib.request.urlopen(address + "v1/catalog") as answer:
            assert json.load(answer)["games"]
        with urllib.request.urlopen(address) as page:
            assert b"<script" in page.read()
    finally:
        server.terminate()
"""

WHAT_FOR: dict[str, str] = {
    "": PLAY,
    "train": TRAIN,
    "plot": EVALUATE.replace("*EXTRA", '"--plot", "r.png"'),
    "render": """
from fm_env import fairy_meat_v0
env = fairy_meat_v0.env(scenario="duel", render_mode="rgb_array")
env.reset(seed=1)
assert env.render().shape[2] == 3
""",
    "openspiel": """
from fm_env.views import openspiel
import pyspiel
print(pyspiel.__name__, openspiel.__name__)
""",
    "judge": TOURNAMENT.replace("*EXTRA", ""),
    "report": TOURNAMENT.replace("*EXTRA", "")
    + 'app(["report", "t.jsonl", "--watch", "1", "--out", "t.html"], standalone_mode=False)\n',
    "scale": "import ray, ray.rllib\nprint(ray.__version__)\n",
    "service": SERVE,
    "onnx": "import onnx, onnxruntime\nprint(onnx.__version__)\n",
    "browser": "import playwright.sync_api\n",
    "docs": "import mkdocs, mkdocstrings\nprint(mkdocs.__version__)\n",
    "test": "import pytest, hypothesis, scipy, torchrl\n",
    "dev": "import build, hatchling, importlinter\n",
    "all": TRAIN,
}
"""What is run with each extra; an extra of pyproject.toml that is missing here is a failure."""


def extras() -> list[str]:
    """No extra, then those of pyproject.toml in their order."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return ["", *project["optional-dependencies"]]


def try_extra(wheel: Path, extra: str) -> dict[str, Any]:
    """Install and run one; what came of it."""
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as place:
        python = Path(place) / "venv" / "bin" / "python"
        wanted = f"{wheel}[{extra}]" if extra else str(wheel)
        install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        steps: list[list[str]] = [
            [sys.executable, "-m", "venv", str(python.parents[1])],
            [*install, "-c", str(ROOT / "constraints.txt"), wanted],
            [str(python), "-m", "pip", "check"],
            [str(python), "-c", WHAT_FOR[extra].replace('"in its path"', '"site-packages"')],
        ]
        environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"} | {"NUMBA_DISABLE_JIT": "1"}
        for step in steps:
            done = subprocess.run(step, cwd=place, env=environment, capture_output=True, text=True)
            if done.returncode:
                return {
                    "extra": extra or "none",
                    "works": False,
                    "error": (done.stderr or done.stdout)[-2000:],
                }
        listed = subprocess.run(
            [str(python), "-m", "pip", "list", "--format=json"], capture_output=True, text=True
        )
        versions = {row["name"]: row["version"] for row in json.loads(listed.stdout)}
    return {
        "extra": extra or "none",
        "works": True,
        "packages": len(versions),
        "gymnasium": versions["gymnasium"],
        "seconds": round(time.monotonic() - started),
    }


def main() -> int:
    """Try them all; 1 if one fails."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("extras", nargs="*", help="only these")
    parser.add_argument("--json", type=Path, help="write the result here; rows of other extras stay")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        wheel = built(Path(folder), "--wheel")
        rows: list[dict[str, Any]] = []
        for extra in given.extras or extras():
            rows.append(try_extra(wheel, extra))
            print(json.dumps(rows[-1]), flush=True)
        report = {
            "schema": "fm-env-packaging-1",
            "command": "python -m tests.packaging.extras",
            "python": platform.python_version(),
            "wheel": wheel.name,
            "megabytes": round(wheel.stat().st_size / 2**20, 1),
            "extras": rows,
        }
    if given.json:
        if given.extras and given.json.exists():
            new = {row["extra"]: row for row in rows}
            old = json.loads(given.json.read_text(encoding="utf-8"))["extras"]
            report["extras"] = [new.pop(row["extra"], row) for row in old] + list(new.values())
        given.json.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(given.json, (json.dumps(report, indent=1) + "\n").encode())
    return 0 if all(row["works"] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())

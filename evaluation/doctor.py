"""`fm-env doctor`: what this installation is, whether it works, and what to do about what doesn't.

The self-test plays random games for a second with every invariant checked, and a few games
twice: compiled here, and as plain Python in another process. Both must come to the same positions.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from evaluation.soak import soak
from fm_env import __version__
from fm_env.compiled import JIT_DISABLED, cache_folder
from fm_env.extras import EXTRAS
from fm_env.match import load

State = Literal["ok", "note", "wrong"]

COLOURS: dict[State, str] = {"ok": "green", "note": "yellow", "wrong": "bold red"}

NEEDED = ("numpy", "numba", "gymnasium", "pettingzoo", "pydantic", "rich", "safetensors", "typer")

LOW_DISK = 500 * 2**20
"""Machine code of every game and scenario takes about a fifth of this."""

TWICE = 12
"""Games that are played both ways."""


@dataclass(frozen=True)
class Finding:
    """One line of the report."""

    about: str
    found: str
    state: State = "ok"
    advice: str = ""
    """What to do, where `state` isn't ok."""


def examine() -> Iterator[Finding]:
    """Everything the doctor looks at, one by one; the self-test comes last."""
    yield Finding("Python", f"{platform.python_version()} on {platform.system()} {platform.machine()}")
    yield from _packages()
    yield from _cache(cache_folder())
    yield from _processor()
    yield _gpu()
    yield from _self_test()


def doctor_command(console: Console | None = None) -> bool:
    """Print the report; True if nothing is wrong."""
    console = console or Console()
    table = Table(box=SIMPLE_HEAD, show_header=False, padding=(0, 1, 0, 0), pad_edge=False)
    for _ in range(3):
        table.add_column(overflow="fold")
    findings: list[Finding] = []
    with console.status("looking at this installation ..."):
        for finding in examine():
            findings.append(finding)
            table.add_row(finding.about, finding.found, Text(finding.state, style=COLOURS[finding.state]))
    console.print(table)
    for finding in findings:
        if finding.advice:
            console.print(f"{finding.about}: {finding.advice}", highlight=False, soft_wrap=True)
    wrong = sum(finding.state == "wrong" for finding in findings)
    console.print("all well" if not wrong else f"{wrong} thing{'s' * (wrong > 1)} wrong", style="bold")
    return wrong == 0


def _packages() -> Iterator[Finding]:
    yield Finding("fm-env", f"{__version__} in {Path(__file__).parent.parent}")
    missing = [name for name in NEEDED if _version(name) is None]
    found = ", ".join(f"{name} {_version(name)}" for name in NEEDED if name not in missing)
    if missing:
        advice = f"missing: {', '.join(missing)}; install again: pip install --force-reinstall fm-env"
        yield Finding("packages", found, "wrong", advice)
    else:
        yield Finding("packages", found)
    for extra, brings in EXTRAS.items():
        have = {name: _version(name) for name in brings.values()}
        text = ", ".join(f"{name} {version}" for name, version in have.items() if version)
        if all(have.values()):
            yield Finding(f"extra {extra}", text)
        else:
            lacking = ", ".join(name for name, version in have.items() if not version)
            advice = f"without {lacking}; if you want it: pip install 'fm-env[{extra}]'"
            yield Finding(f"extra {extra}", text or "not installed", "note", advice)


def _version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def _cache(folder: Path) -> Iterator[Finding]:
    """The folder of compiled rules."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    size = sum(path.stat().st_size for path in files) / 2**20
    text = f"{folder}, {size:,.0f} MB"
    wanted = os.environ.get("FM_ENV_CACHE_DIR")
    if wanted and Path(wanted).resolve() != folder.resolve():
        yield Finding(
            "compiled rules", text, "note",
            f"FM_ENV_CACHE_DIR={wanted} can't be written, so rules are kept in {folder}",
        )  # fmt: skip
    elif not files:
        advice = "nothing compiled yet; the first use takes a minute, or run: fm-env compile"
        yield Finding("compiled rules", text, "note", advice)
    else:
        yield Finding("compiled rules", text)
    free = shutil.disk_usage(folder).free
    if free < LOW_DISK:
        advice = f"free some space on the disk of {folder}, or set FM_ENV_CACHE_DIR to another folder"
        yield Finding("disk", f"{free / 2**20:,.0f} MB free", "wrong", advice)
    else:
        yield Finding("disk", f"{free / 2**30:,.1f} GB free")


def _processor() -> Iterator[Finding]:
    """Cores and the settings that change how fast rules run."""
    cores = os.cpu_count() or 1
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else cores
    text = f"{usable} of {cores} cores usable"
    limit = os.environ.get("OMP_NUM_THREADS")
    yield Finding("processor", text + (f", OMP_NUM_THREADS={limit}" if limit else ""))
    if JIT_DISABLED:
        advice = "unset NUMBA_DISABLE_JIT to compile the rules; without, they run a thousand times slower"
        yield Finding("NUMBA_DISABLE_JIT", "rules run as plain Python", "note", advice)
    if os.environ.get("NUMBA_BOUNDSCHECK", "0") not in ("", "0"):
        advice = "every index is checked; unset NUMBA_BOUNDSCHECK for full speed"
        yield Finding("NUMBA_BOUNDSCHECK", "on", "note", advice)


def _gpu() -> Finding:
    """A GPU is never needed; training takes one that is there."""
    if importlib.util.find_spec("torch") is None:
        return Finding("GPU", "unknown without torch")
    import torch

    if torch.cuda.is_available():
        return Finding("GPU", torch.cuda.get_device_name(0))
    return Finding("GPU", "none that torch can use (nothing needs one)")


def _self_test() -> Iterator[Finding]:
    """Random games with every invariant checked, and the same games compiled and plain."""
    handle = load("fairy_meat")
    scenario = handle.scenario("clash")
    soak(handle, scenario, 1)  # compiles, if need be
    decisions, spent = 0, 0.0
    while spent < 0.5:
        result = soak(handle, scenario, 50_000, seed=decisions + 1, every=5)
        if result.failure:
            advice = f"the rules are broken here: {result.failure}; please report this with all of the above"
            yield Finding("self-test", "unsound game", "wrong", advice)
            return
        decisions, spent = decisions + result.decisions, spent + max(result.seconds, 0.01)
    yield Finding("self-test", f"{decisions:,} choices of a clash, all sound")
    here, there = trace(), _trace_elsewhere()
    if here == there:
        yield Finding("two ways", f"{TWICE} games alike, {'plain' if JIT_DISABLED else 'compiled'} and plain")
    else:
        advice = (
            "compiled and plain rules disagree, or the second process failed; remove the folder of compiled"
            f" rules and try again, then please report it ({there})"
        )
        yield Finding("two ways", "not alike", "wrong", advice)


def trace() -> str:
    """Hash of the positions that a few games of a clash go through."""
    handle = load("fairy_meat")
    digest = hashlib.sha256()
    for seed in range(TWICE):
        match, rng = handle.new_match(scenario="clash", seed=seed), np.random.default_rng(seed)
        while not match.is_over:
            seat = match.pending[0]
            match.play(seat, int(rng.choice(match.legal_ids(seat))))
            digest.update(match.state_hash.encode())
    return digest.hexdigest()


def _trace_elsewhere() -> str:
    code = "from evaluation.doctor import trace; print(trace())"
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    paths = [str(Path(__file__).parent.parent), os.environ.get("PYTHONPATH", "")]
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
    try:
        done = subprocess.run(
            [sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=120
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"the second process: {type(error).__name__}"
    return done.stdout.strip() or f"the second process: {done.stderr.strip().splitlines()[-1:]}"

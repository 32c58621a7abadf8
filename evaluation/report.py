"""A result as JSON, with all that is needed to get it again."""

from __future__ import annotations

import dataclasses
import importlib.metadata
import json
import os
import platform
import subprocess
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from agents.api import Agent
from agents.policy import write_atomically
from evaluation.behaviour import Rates
from evaluation.compare import Matchup, RoleGain
from evaluation.stats import LEVEL
from fm_env.contract import Scenario

SCHEMA = "fm-env-evaluation-2"
"""Version of the report's layout."""

PACKAGES = ("fm-env", "numpy", "numba")
"""Those whose version can change a result."""


def evaluation_report(
    scenario: Scenario,
    agents: Sequence[Agent],
    seed: int,
    matchups: Sequence[Matchup],
    gains: Sequence[RoleGain] = (),
    behaviour: Mapping[str, Rates] | None = None,
    command: Sequence[str] = (),
) -> dict[str, Any]:
    """What was played, by whom, under which versions, and what came out; JSON-able.

    Args:
        scenario: what was played.
        agents: everyone who played.
        seed: the seed of `evaluate` and `role_points`.
        matchups: results of `evaluate`.
        gains: results of `role_points`.
        behaviour: results of `evaluation.behaviour.behaviour`, by agent.
        command: the words of the command line, if there was one.
    """
    spec = scenario.spec
    return {
        "schema": SCHEMA,
        "command": " ".join(command),
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "seed": seed,
        "confidence": LEVEL,
        "game": {
            "name": spec.game,
            "scenario": spec.scenario,
            "options": dict(scenario.options),
            "rules_version": spec.rules_version,
            "observation_version": spec.observation_version,
        },
        "agents": [{"name": a.name, "spec": a.spec, "fingerprint": a.fingerprint()} for a in agents],
        "versions": versions(),
        "matchups": [dataclasses.asdict(m) | {"verdict": m.verdict} for m in matchups],
        "role_gains": [dataclasses.asdict(g) | {"is_clear": g.is_clear} for g in gains],
        "behaviour": {
            name: {kind: dataclasses.asdict(rate) for kind, rate in rates.items()}
            for name, rates in (behaviour or {}).items()
        },
    }


def write_report(path: str | os.PathLike[str], report: dict[str, Any]) -> None:
    """Write a report as JSON, whole or not at all."""
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(target, (json.dumps(report, indent=1, allow_nan=False) + "\n").encode())


def versions() -> dict[str, str]:
    """Versions of Python and of the packages that matter, and the git revision of a checkout."""
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            found[package] = "not installed"
    revision = _git_revision()
    return found | ({"git": revision} if revision else {})


def _git_revision() -> str | None:
    """Commit of the checkout this file lies in, `+changes` if it was edited; None outside of one."""
    here = Path(__file__).resolve()

    def git(*words: str) -> str:
        done = subprocess.run(
            ["git", *words], cwd=here.parent, capture_output=True, text=True, timeout=10, check=True
        )
        return done.stdout.strip()

    try:
        git("ls-files", "--error-unmatch", here.name)  # fails inside somebody else's checkout
        return git("rev-parse", "HEAD") + ("+changes" if git("status", "--porcelain", "-uno") else "")
    except (OSError, subprocess.SubprocessError):
        return None

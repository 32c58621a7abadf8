"""What a sample of mutants says: rates with intervals, and the survivors with their reasons."""

from __future__ import annotations

import platform
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from evaluation.stats import mean_interval
from tests.mutation.mutants import GAMES, Mutant, places_of

REASONS = Path(__file__).with_name("survivors.toml")
"""Why a mutant that survives may: a table for each, named by its id, with `kind` and `reason`."""

KINDS = {
    "equivalent": "no game can tell the mutant from the rules",
    "guard": "a bound or a check that no state that play reaches comes near",
    "open": "a test could tell, and none does",
}


def report(mutants: Iterable[Mutant], results: Mapping[str, dict[str, Any]], command: str, seed: int) -> Any:
    """Everything that `docs/quality/mutation.json` holds; mutants without a result are left out.

    `rate` counts every survivor against the tests, `score` those that some game could tell from the rules.

    Args:
        mutants: the sample.
        results: by id: `outcome` (killed, timeout, survived) and `by`, the test that failed.
        command: what was typed.
        seed: of the sample.
    """
    tried = [mutant for mutant in mutants if mutant.id in results]
    reasons = tomllib.loads(REASONS.read_text("utf-8")) if REASONS.exists() else {}
    files = sorted({mutant.file for mutant in tried})
    by_file = [_row(file, [m for m in tried if m.file == file], results) for file in files]
    for row in by_file:
        row["places"] = len(places_of(row["name"]))
    survivors = [m for m in tried if results[m.id]["outcome"] == "survived"]
    alike = {m.id for m in survivors if reasons.get(m.id, {}).get("kind") == "equivalent"}
    total = sum(row["places"] for row in by_file)
    return {
        "schema": "fm-env-mutation-1",
        "command": command,
        "seed": seed,
        "python": platform.python_version(),
        "versions": {name: version(name) for name in ("cosmic-ray", "numpy", "pytest", "coverage")},
        "sampling": "as many places of each file, drawn without replacement; one mutant for each",
        "all": _row("all", tried, results)
        | {
            "equivalent": len(alike),
            "score": _row("others", [m for m in tried if m.id not in alike], results).get("rate"),
            "places": total,
            "rate_weighted_by_places": round(sum(row["rate"] * row["places"] for row in by_file) / total, 4),
        },
        "games": [_row(game, [m for m in tried if m.game == game], results) for game in GAMES],
        "files": by_file,
        "survivors": [_survivor(mutant, results[mutant.id], reasons) for mutant in survivors],
    }


def _row(name: str, mutants: list[Mutant], results: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    counts = Counter(results[mutant.id]["outcome"] for mutant in mutants)
    killed = np.array([results[mutant.id]["outcome"] != "survived" for mutant in mutants], np.float64)
    if not len(killed):
        return {"name": name, "mutants": 0}
    rate = mean_interval(killed, 0, 1)
    return {
        "name": name,
        "mutants": len(mutants),
        "killed_by_a_test": counts["killed"],
        "timeouts": counts["timeout"],
        "survived": counts["survived"],
        "rate": round(rate.mean, 4),
        "low": round(rate.low, 4),
        "high": round(rate.high, 4),
    }


def _survivor(mutant: Mutant, result: dict[str, Any], reasons: Mapping[str, Any]) -> dict[str, Any]:
    known = reasons.get(mutant.id, {"kind": "open", "reason": ""})
    if known["kind"] not in KINDS:
        raise ValueError(
            f"{REASONS}: {mutant.id}: kind: expected one of {list(KINDS)}, got {known['kind']!r}"
        )
    return {
        "id": mutant.id,
        "file": mutant.file,
        "line": mutant.line,
        "function": mutant.inside,
        "operator": mutant.operator.removeprefix("core/"),
        "before": mutant.before,
        "after": mutant.after,
        "tests": result["tests"],
        **known,
    }

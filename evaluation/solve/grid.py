"""The values that are committed: every pair of hand sizes, and the options that change them.

`fm-env solve --all` works through `grid()`, smallest first, and writes the results after each, so it
can be stopped and goes on where it was. Profiles are kept in the work folder: the tables that the
agent `equilibrium` plays from are made of them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

from agents.policy import write_atomically
from evaluation.report import versions
from evaluation.solve.cfr import Profile, Solver, Strategy, gap
from evaluation.solve.habits import habits
from evaluation.solve.layout import Layout, make_layout
from evaluation.solve.moves import Moves
from fm_env.contract import Game
from fm_env.errors import LoadError

SCHEMA = "fm-env-clash-values-1"
LARGEST = 4
SMALL = 3
"""Hand sizes up to which all options are solved, and more closely."""
TARGET_SMALL, TARGET_LARGE = 1e-4, 5e-3
"""NashConv in points at which a solution is good enough."""


def grid() -> list[dict[str, Any]]:
    """Options of each clash, smallest hands first."""
    return sorted(
        _grid(),
        key=lambda o: (max(o["a"], o["d"]) > SMALL, o.get("joker_points", False), o["a"] + o["d"], o["a"]),
    )


def _grid() -> Iterator[dict[str, Any]]:
    for a in range(1, LARGEST + 1):
        for d in range(1, LARGEST + 1):
            sizes = {"a": a, "d": d}
            yield sizes | {"joker_points": True}
            for damage in ("halves", "levels"):
                for jokers in (True, False):
                    options = sizes | {"damage": damage, "jokers": jokers}
                    yield options
                    if max(a, d) <= SMALL:
                        yield options | {"call_off": False}
                        if jokers:
                            yield options | {"joker_main": "no_number"}
                            yield options | {"joker_main": "no_number", "call_off": False}


def target(options: dict[str, Any]) -> float:
    """NashConv to reach for one clash of the grid."""
    return TARGET_SMALL if max(options["a"], options["d"]) <= SMALL else TARGET_LARGE


def key_of(options: dict[str, Any]) -> str:
    """Name of a clash in the results and of its files: only what differs from the default."""
    words = [f"a{options['a']}d{options['d']}"]
    words += ["levels"] if options.get("damage") == "levels" else []
    words += [] if options.get("jokers", True) else ["no_jokers"]
    words += ["joker_points"] if options.get("joker_points") else []
    words += ["joker_no_number"] if options.get("joker_main") == "no_number" else []
    words += [] if options.get("call_off", True) else ["no_call_off"]
    return "-".join(words)


def solve(game: Game, options: dict[str, Any], nash_conv: float, most: int = 1 << 15) -> dict[str, Any]:
    """Solve one clash until its NashConv is small enough or `most` iterations are done.

    Returns:
        The entry of the results, with the `layout` and `profile` that it comes from.
    """
    started = process_time()
    layout = make_layout(Moves(game.scenario("clash", **options)))
    solver = Solver(layout)
    step = 64
    while True:
        solver.run(min(step, most - solver.iterations))
        profile = solver.profile()
        found = gap(layout, profile)
        if found.nash_conv <= nash_conv or solver.iterations >= most:
            break
        step = max(64, solver.iterations // 2)
    entry = {
        "options": options,
        "value": found.value,
        "nash_conv": found.nash_conv,
        "gain_attacker": found.gain_attacker,
        "gain_defender": found.gain_defender,
        "iterations": solver.iterations,
        "seconds": round(process_time() - started, 1),
        "hands": [len(h.ways) for h in layout.moves.deal.hands],
        "information_sets": [4 * len(side.hand) for side in layout.sides],
        "habits": habits(layout, profile),
    }
    return {"entry": entry, "layout": layout, "profile": profile}


def solve_grid(game: Game, results: Path, work: Path, say: Any = print) -> None:
    """Solve whatever of the grid isn't in `results` yet (or lacks its profile)."""
    report = _read(results, game)
    done = report["clashes"]
    work.mkdir(parents=True, exist_ok=True)
    for options in grid():
        key = key_of(options)
        kept = work / f"{key}.npz"
        if key in done and done[key]["nash_conv"] <= target(options) and kept.exists():
            continue
        found = solve(game, options, target(options))
        done[key] = found["entry"]
        save_profile(kept, found["profile"])
        report["clashes"] = {k: done[k] for k in map(key_of, grid()) if k in done}
        results.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(results, (json.dumps(report, indent=1, allow_nan=False) + "\n").encode())
        say(f"{key}: value {done[key]['value']:+.5f}, NashConv {done[key]['nash_conv']:.1e}")


def _read(results: Path, game: Game) -> dict[str, Any]:
    spec = game.scenario("clash").spec
    fresh = {
        "schema": SCHEMA,
        "command": "fm-env solve --all",
        "rules_version": spec.rules_version,
        "versions": versions(),
        "clashes": {},
    }
    if not results.exists():
        return fresh
    old = json.loads(results.read_text(encoding="utf-8"))
    if old.get("schema") != SCHEMA:
        raise LoadError(f"{results.name} is not a file of clash values ({SCHEMA})")
    if old["rules_version"] != spec.rules_version:
        return fresh
    return fresh | {"clashes": old["clashes"]}


def save_profile(file: Path, profile: Profile) -> None:
    """Keep a profile, in single precision."""
    arrays = {
        f"{who}.{name}": array.astype(np.float32)
        for who, play in enumerate(profile)
        for name, array in play._asdict().items()
    }
    partial = file.with_name(f".{file.name}.{os.getpid()}.npz")
    np.savez_compressed(partial, **arrays)
    partial.replace(file)


def load_profile(file: Path, layout: Layout) -> Profile:
    """What `save_profile` wrote.

    Raises:
        LoadError: no such file, or of another clash.
    """
    try:
        with np.load(file, allow_pickle=False) as data:
            plays = [
                Strategy(*(data[f"{who}.{name}"].astype(np.float64) for name in Strategy._fields))
                for who in range(2)
            ]
    except (OSError, ValueError, KeyError) as error:
        raise LoadError(f"{file.name} holds no profile: {error}") from None
    for who, play in enumerate(plays):
        if play.main.shape != (4, len(layout.sides[who].main)):
            raise LoadError(f"{file.name} is a profile of another clash")
    return plays[0], plays[1]

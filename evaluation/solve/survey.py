"""How exploitable every known agent is in one clash, as a file: `python -m evaluation.solve.survey`.

Writes after each agent and goes on where it was, as long as nothing but the list of agents changed.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from agents.policy import write_atomically
from agents.registry import make
from evaluation.report import versions
from evaluation.solve.exploit import Exploitability, Range, value_of
from evaluation.solve.late import Limits
from evaluation.solve.layout import make_layout
from evaluation.solve.moves import Moves
from evaluation.solve.response import Measure
from fm_env import registry

SCHEMA = "fm-env-exploitability-survey-1"
RESULTS = Path(__file__).parent.parent / "results"


def survey(specs: list[str], a: int, d: int, limits: Limits, out: Path) -> dict[str, Any]:
    """Measure each agent that isn't in the file yet, or has changed."""
    game = registry.find("fairy_meat")
    scenario = game.scenario("clash", a=a, d=d)
    report: dict[str, Any] = {
        "schema": SCHEMA,
        "options": {"a": a, "d": d},
        "rules_version": scenario.spec.rules_version,
        "piles_asked": list(limits),
        "value": value_of(game, scenario),
        "versions": versions(),
        "agents": {},
    }
    if out.exists():
        old = json.loads(out.read_text(encoding="utf-8"))
        if all(old.get(k) == report[k] for k in ("schema", "options", "rules_version", "piles_asked")):
            report["agents"] = old["agents"]
    measure = Measure(make_layout(Moves(scenario)), game, limits, keep=True)
    for spec in specs:
        agent = make(spec, game, scenario)
        if report["agents"].get(spec, {}).get("fingerprint") == agent.fingerprint():
            continue
        worth = [measure.against(who, agent.probabilities) for who in range(2)]
        ranges = [Range(w.low, w.high) for w in worth]
        found = Exploitability(True, report["value"], ranges[0], ranges[1], 0.0)
        roles = {"as_attacker": found.as_attacker, "as_defender": found.as_defender}
        report["agents"][spec] = {
            "fingerprint": agent.fingerprint(),
            "nash_conv": asdict(found.nash_conv),
            **{name: asdict(r) for name, r in roles.items() if r is not None},
        }
        write_atomically(out, (json.dumps(report, indent=1, allow_nan=False) + "\n").encode())
        print(f"{spec}: NashConv {found.nash_conv.low:.4f} to {found.nash_conv.high:.4f}", flush=True)
    return report


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("agents", help="specs, separated by commas")
    parser.add_argument("--a", type=int, default=3)
    parser.add_argument("--d", type=int, default=3)
    parser.add_argument("--one", type=int, default=1, help="open trumps asked about under one wild trump")
    parser.add_argument("--both", type=int, default=0, help="the same, under each of two")
    parser.add_argument("--out", type=Path, default=None)
    given = parser.parse_args()
    out = given.out or RESULTS / f"clash_exploitability_{given.a}{given.d}.json"
    survey(given.agents.split(","), given.a, given.d, Limits(given.one, given.both), out)


if __name__ == "__main__":
    main()

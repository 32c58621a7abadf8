"""The pictures of `docs/study_clash.md`, drawn by `python -m evaluation.solve.pictures`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from evaluation.plot import save_plot
from evaluation.solve.grid import LARGEST, key_of
from evaluation.solve.habits import ROLES

RESULTS = Path(__file__).parent.parent / "results"
DOCS = Path(__file__).parent.parent.parent / "docs"
HABITS = {
    "subtracts": "subtracts",
    "says_none": "says None, holding a trump",
    "bluffs": "number off its trumps",
}
SIZES = range(1, LARGEST + 1)


def values_picture(clashes: dict[str, Any]) -> Figure:
    """The attacker's points by hand sizes, under both damage rules."""
    figure = Figure(figsize=(8, 3.6), layout="constrained")
    axes = figure.subplots(1, 2)
    grids = [
        np.array([[_entry(clashes, a, d, damage)["value"] for d in SIZES] for a in SIZES])
        for damage in ("halves", "levels")
    ]
    most = max(float(np.abs(grid).max()) for grid in grids)
    for axis, grid, damage in zip(axes, grids, ("halves", "levels"), strict=True):
        axis.imshow(grid, cmap="RdBu", vmin=-most, vmax=most, origin="lower")
        for (row, column), value in np.ndenumerate(grid):
            axis.text(column, row, f"{value:+.2f}", ha="center", va="center")
        axis.set(
            title=f"damage = {damage!r}",
            xlabel="cards of the defender",
            ylabel="cards of the attacker",
            xticks=range(LARGEST),
            yticks=range(LARGEST),
            xticklabels=SIZES,
            yticklabels=SIZES,
        )
    figure.suptitle("Value of a clash: points to the attacker in equilibrium")
    return figure


def habits_picture(clashes: dict[str, Any]) -> Figure:
    """How equilibrium plays equal hands."""
    figure = Figure(figsize=(8, 3), layout="constrained")
    for axis, (habit, words) in zip(figure.subplots(1, 3, sharey=True), HABITS.items(), strict=True):
        for role in ROLES:
            rates = [_entry(clashes, n, n, "halves")["habits"][role][habit] for n in SIZES]
            axis.plot(SIZES, rates, marker="o", label=role)
        axis.set(title=words, xlabel="cards each", xticks=SIZES, ylim=(0, 1))
    figure.axes[0].legend(frameon=False)
    figure.axes[0].set_ylabel("share")
    return figure


def exploitability_picture(report: dict[str, Any]) -> Figure:
    """What best responses win against each agent."""
    found = sorted(report["agents"].items(), key=lambda item: item[1]["nash_conv"]["low"])
    figure = Figure(figsize=(8, 0.5 + 0.38 * len(found)), layout="constrained")
    axis = figure.subplots()
    left = np.zeros(len(found))
    for role in ROLES:
        lows = np.array([entry[f"as_{role}"]["low"] for _, entry in found])
        axis.barh(range(len(found)), lows, left=left, label=f"as {role}")
        left += lows
    highs = np.array([entry["nash_conv"]["high"] for _, entry in found])
    more = [np.zeros(len(found)), np.maximum(highs - left, 0)]
    axis.errorbar(left, range(len(found)), xerr=more, fmt="none", ecolor="grey", capsize=2)
    a, d = report["options"]["a"], report["options"]["d"]
    axis.set(
        yticks=range(len(found)),
        yticklabels=[name for name, _ in found],
        xlabel=f"points a best response wins, hands {a} and {d} (NashConv; grey: up to the upper bound)",
    )
    axis.legend(frameon=False, loc="lower right")
    return figure


def main() -> None:
    """Draw all."""
    clashes = json.loads((RESULTS / "clash_values.json").read_text(encoding="utf-8"))["clashes"]
    save_plot(DOCS / "clash_values.png", values_picture(clashes))
    save_plot(DOCS / "clash_habits.png", habits_picture(clashes))
    report = json.loads((RESULTS / "clash_exploitability_33.json").read_text(encoding="utf-8"))
    save_plot(DOCS / "clash_exploitability.png", exploitability_picture(report))


def _entry(clashes: dict[str, Any], a: int, d: int, damage: str) -> dict[str, Any]:
    return clashes[key_of({"a": a, "d": d, "damage": damage})]


if __name__ == "__main__":
    main()

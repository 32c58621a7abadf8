"""The curves of training runs as a picture and as a small summary, read from their TensorBoard logs.

The logs themselves are megabytes and stay out of the repository; what is committed is what these write.
"""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from rich.console import Console

from evaluation.report import versions, write_report
from fm_env.errors import LoadError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SCHEMA = "fm-env-curves-1"
POINTS = 60
"""Points of a curve in the summary, and of what is drawn."""

PANELS = {
    "win rate in %, a draw being half a win": ("win_rate/",),
    "entropy of the policy, pull towards the slow copy": ("train/entropy", "train/magnet_kl"),
    "share of returns that the value network explains": ("train/explained_variance",),
    "what a best response wins, in points": ("exploit/",),
}
"""What is drawn side by side, by the beginnings of the curves' names."""


@dataclass(frozen=True)
class Curve:
    """One number as it went."""

    decisions: npt.NDArray[np.int64]
    """`[n]` of the learner so far, rising."""
    values: npt.NDArray[np.float64]
    """`[n]`"""

    def thinned(self, points: int = POINTS) -> Curve:
        """Means over equally long stretches of the run; a shorter curve stays as it is."""
        if len(self.values) <= points:
            return self
        parts = np.array_split(np.arange(len(self.values)), points)
        ends = np.array([self.decisions[part[-1]] for part in parts])
        return Curve(ends, np.array([self.values[part].mean() for part in parts]))


@dataclass(frozen=True)
class RunCurves:
    """A run's curves and where they come from."""

    name: str
    config: dict[str, Any]
    """As resolved, from the run's folder."""
    provenance: Any
    """Commands, versions and git revision of each start."""
    curves: dict[str, Curve]
    """By TensorBoard name."""


def load_run(folder: Path) -> RunCurves:
    """Read a run's folder.

    Raises:
        LoadError: it isn't one, or holds no curves.
    """
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    config, provenance = (_read(folder / f"{part}.json") for part in ("config", "provenance"))
    logs = EventAccumulator(str(folder / "tensorboard"), size_guidance={"scalars": 0})
    if (folder / "tensorboard").is_dir():
        logs.Reload()
    curves = {}
    for tag in logs.Tags()["scalars"]:
        events = logs.Scalars(tag)
        steps = np.array([event.step for event in events], np.int64)
        curves[tag] = Curve(steps, np.array([event.value for event in events], np.float64))
    if not curves:
        raise LoadError(f"{folder}: no curves in {folder / 'tensorboard'} (has the run made an update?)")
    return RunCurves(config["run"]["name"], config, provenance, curves)


def summary(run: RunCurves) -> dict[str, Any]:
    """What is committed of a run."""
    curves = {}
    for name, curve in sorted(run.curves.items()):
        thin = curve.thinned()
        known = np.isfinite(thin.values)
        curves[name] = {
            "decisions": thin.decisions[known].tolist(),
            "values": [float(f"{value:.5g}") for value in thin.values[known]],
        }
    return {"name": run.name, "config": run.config, "starts": run.provenance, "curves": curves}


def curves_figure(runs: Sequence[RunCurves]) -> Figure:
    """A row for each run, a panel for each of `PANELS` that some run has."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    panels = [title for title, starts in PANELS.items() if any(_of(run, starts) for run in runs)]
    figure = Figure(figsize=(4.6 * len(panels), 3.3 * len(runs)), dpi=140, layout="constrained")
    FigureCanvasAgg(figure)
    for row, run in enumerate(runs):
        for column, title in enumerate(panels):
            axes = figure.add_subplot(len(runs), len(panels), row * len(panels) + column + 1)
            _draw(axes, _of(run, PANELS[title]), title)
            if column == 0:
                axes.set_ylabel(run.name, fontsize=11, fontweight="bold")
    return figure


def curves_command(
    folders: Sequence[Path], out: Path | None, report: Path | None, console: Console | None = None
) -> None:
    """The command `fm-env curves`.

    Raises:
        LoadError: a folder is no run with curves.
    """
    console = console or Console()
    runs = [load_run(folder) for folder in folders]
    if out is not None:
        from evaluation.plot import save_plot

        save_plot(out, curves_figure(runs))
        console.print(f"picture: {out}")
    if report is not None:
        command = shlex.join(["fm-env", *sys.argv[1:]])
        made = {"schema": SCHEMA, "command": command, "versions": versions()}
        write_report(report, made | {"runs": [summary(run) for run in runs]})
        console.print(f"summary: {report}")
    for run in runs:
        rates = {name: curve for name, curve in run.curves.items() if name.startswith("win_rate/")}
        last = "  ".join(
            f"{name.partition('/')[2]} {100 * curve.thinned(10).values[-1]:.0f}%"
            for name, curve in rates.items()
        )
        decisions = max(int(curve.decisions[-1]) for curve in run.curves.values())
        console.print(f"{run.name}: {decisions:,} decisions; last tenth: {last or 'no games ended'}")


def _of(run: RunCurves, starts: tuple[str, ...]) -> dict[str, Curve]:
    return {name: curve for name, curve in run.curves.items() if name.startswith(starts)}


def _draw(axes: Axes, curves: dict[str, Curve], title: str) -> None:
    scale = 100.0 if "%" in title else 1.0
    for name, curve in curves.items():
        thin = curve.thinned()
        label = name.partition("/")[2].replace("_", " ")
        axes.plot(thin.decisions / 1e6, scale * thin.values, linewidth=1.5, label=label)
    axes.set_title(title, loc="left", fontsize=9)
    axes.set_xlabel("million decisions", fontsize=8)
    axes.grid(color="#e5e7eb", linewidth=0.8)
    axes.tick_params(labelsize=8, length=0)
    for side in axes.spines.values():
        side.set_visible(False)
    if scale == 100.0:
        axes.axhline(50, color="#1f2937", linewidth=1, linestyle=(0, (4, 3)))
    if len(curves) > 1:
        axes.legend(fontsize=7, frameon=False, ncols=2)


def _read(file: Path) -> Any:
    try:
        return json.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise LoadError(f"{file}: expected a file of a training run's folder: {error}") from None

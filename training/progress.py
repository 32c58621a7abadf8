"""What a run shows while it runs: a bar with the remaining time, and TensorBoard curves."""

from __future__ import annotations

from collections import deque
from pathlib import Path
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn
from rich.text import Text
from torch.utils.tensorboard import SummaryWriter

from training.opponents import Tally
from training.run import Metrics, Run

WINDOW = 20
"""Updates over which the shown win rates are taken."""


class Display:
    """A context in which `show` is called after each update."""

    def __init__(self, run: Run, console: Console) -> None:
        """Open the curves; those of a killed run after its last checkpoint are dropped."""
        self._run, self._console = run, console
        self._recent: deque[dict[str, Tally]] = deque(maxlen=WINDOW)
        self._writer = SummaryWriter(
            str(tensorboard_folder(run.folder)), purge_step=run.model.num_timesteps or None
        )
        columns = (
            TextColumn("{task.description}"),
            BarColumn(bar_width=12),
            _Remaining(),
            TextColumn("{task.fields[speed]}"),
        )
        self._bar = Progress(*columns, console=console)
        self._task = self._bar.add_task(f"training {run.config.run.name}", total=1.0, speed="")
        self._started_at, self._elapsed_at = run.progress, run.elapsed

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()
        self._writer.close()

    def show(self, metrics: Metrics) -> None:
        """Draw the bar, add a point to each curve, and print what else happened."""
        for name, value in metrics.values.items():
            self._writer.add_scalar(name, value, metrics.decisions)
        for line in metrics.news:
            self.say(line)
        self._recent.append(metrics.tallies)
        speed = f"{metrics.values['speed/decisions_per_second']:,.0f}/s  {self.win_rates()}"
        gone, done = self._run.elapsed - self._elapsed_at, self._run.progress - self._started_at
        remaining = gone / done * (1.0 - self._run.progress) if done > 0 else None
        self._bar.update(self._task, completed=self._run.progress, speed=speed, remaining=remaining)

    def win_rates(self) -> str:
        """`self 50%  median 61%`, over the last few updates."""
        parts: list[str] = []
        for group in self._recent[-1] if self._recent else ():
            games = sum(tallies[group].games for tallies in self._recent if group in tallies)
            points = sum(t[group].wins + 0.5 * t[group].draws for t in self._recent if group in t)
            if games:
                parts.append(f"{group} {100 * points / games:.0f}%")
        return "  ".join(parts)

    def say(self, text: str) -> None:
        """A line above the bar."""
        self._console.print(text)


class _Remaining(ProgressColumn):
    """Time left, from the run's own progress."""

    def render(self, task: Task) -> Text:
        seconds = task.fields.get("remaining")
        return Text("--:-- left" if seconds is None else f"{int(seconds) // 60}:{int(seconds) % 60:02d} left")


def tensorboard_folder(folder: Path) -> Path:
    """Where a run's curves lie."""
    return folder / "tensorboard"

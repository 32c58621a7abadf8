"""The command `fm-env report`."""

from __future__ import annotations

import importlib.util
import json
import shlex
import sys
from pathlib import Path

from rich.console import Console

from agents.policy import write_atomically
from evaluation.command import allow_modules_here, check_target, progress_bar
from evaluation.page.findings import Findings, watch_more
from evaluation.tournament.analysis import analyse
from evaluation.tournament.files import load_results
from fm_env.errors import SetupError

BLOCKS = 10
"""Deals of luck watched for each group unless told otherwise."""


def report_command(
    results: Path,
    *,
    out: Path | None = None,
    watch: int = BLOCKS,
    seed: int = 1,
    ladder: Path | None = None,
    console: Console | None = None,
) -> Findings:
    """Write the report of a tournament: the page, JSON of the same name, and replays beside them.

    Args:
        results: the tournament's file, finished or not.
        out: the page; `report.html` in the current folder by default.
        watch: deals of luck to watch for each group of agents, each in all seat orders; 0: no fresh
            games, hence no behaviour, calibration and replays.
        seed: of the games watched.
        ladder: where the Markdown ladder goes, if anywhere.
        console: what is told goes there.

    Raises:
        fm_env.errors.FmEnvError: a mistake in what was asked for.
    """
    console = console or Console()
    page_file = out or Path("report.html")
    _check(page_file, watch, ladder)
    from evaluation.page.render import markdown, page
    from evaluation.page.replays import write_replays

    allow_modules_here()
    found = load_results(results)
    if not all(len(played.returns) for played in found.played):
        raise SetupError(f"{results}: not every group has been played yet; go on with the tournament first")
    analysis = analyse(found)
    watched = None
    if watch > 0:
        orders = sum(len(group.orders) for group in found.header.groups)
        with progress_bar() as bar:
            task = bar.add_task("watching", total=watch * orders)
            watched = watch_more(analysis, watch, seed, lambda n: bar.advance(task, n))
    findings = Findings(analysis, watched, shlex.join(["fm-env", *sys.argv[1:]]))
    folder, json_file = f"{page_file.stem}_replays", page_file.with_suffix(".json")
    if watched is not None and watched.replays:
        write_replays(page_file.parent / folder, watched.replays)
    data = json.dumps(findings.to_json(folder), indent=1, allow_nan=False) + "\n"
    write_atomically(json_file, data.encode())
    write_atomically(page_file, page(findings, folder, json_file.name).encode())
    if ladder is not None:
        write_atomically(ladder, markdown(analysis).encode())
    console.print(markdown(analysis), markup=False, highlight=False)
    console.print(f"report: {page_file}\nnumbers: {json_file}", markup=False, highlight=False)
    return findings


def _check(page_file: Path, watch: int, ladder: Path | None) -> None:
    if watch < 0:
        raise SetupError(f"watch: expected 0 or more, got {watch}")
    if page_file.suffix not in (".html", ".htm"):
        raise SetupError(f"out: expected a name that ends in .html, got {page_file.name!r}")
    check_target(page_file)
    if ladder is not None:
        check_target(ladder)
    if importlib.util.find_spec("jinja2") is None:
        raise SetupError("report: needs Jinja2; install it with: pip install 'fm-env[report]'")

"""How a search's strength grows with its budget: `make search`.

python -m evaluation.search play duel --base policy:duel --simulations 64,256,1024 --blocks 200
python -m evaluation.search report --json evaluation/results/search.json --plot docs/search.png

Each block is one deal of luck, played twice with the seats exchanged: search against the bare agent that it
searches with. Blocks are appended to a file as they end, so a run that is killed goes on where it
was, and one that is asked for more blocks adds them. A block's games depend on its number and the
agents only, never on what else was played.
"""

from __future__ import annotations

import json
import shlex
import sys
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from multiprocessing import get_context
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import pydantic
import typer
from rich.console import Console
from rich.table import Table

from agents.policy import write_atomically
from agents.registry import make
from evaluation.arena import play_seeds
from evaluation.report import versions
from evaluation.stats import Interval, mean_interval, scores, verdict
from fm_env.errors import LoadError, SetupError
from fm_env.match import load

GAME = "fairy_meat"
FILE = Path("runs/search/blocks.jsonl")
SEED = 1

app = typer.Typer(add_completion=False, help=__doc__)


class Block(pydantic.BaseModel):
    """One line of the file: two games of one deal of luck."""

    model_config = pydantic.ConfigDict(extra="forbid", use_attribute_docstrings=True)

    scenario: str
    search: str
    """Spec of the agent that searches."""
    opponent: str
    fingerprints: tuple[str, str]
    """Of both, so that games of an older version are left out."""
    block: int
    """Number of the deal."""
    returns: tuple[tuple[float, ...], tuple[float, ...]]
    """Returns of the seats: search in seat 0, then in seat 1."""
    seconds: float
    """Processor time of both games."""

    @property
    def pairing(self) -> Pairing:
        """What it is a block of."""
        return Pairing(self.scenario, self.search, self.opponent)


class Pairing(NamedTuple):
    """Search against an agent in a scenario for two."""

    scenario: str
    search: str
    opponent: str


def seeds_of(blocks: int) -> np.ndarray:
    """`[blocks]` seeds; block k has the same one however many there are."""
    return np.random.default_rng(SEED).integers(0, 2**62, size=blocks)


def play_block(pairing: Pairing, number: int) -> Block:
    """Play both games of a block."""
    handle = load(GAME)
    scenario = handle.scenario(pairing.scenario)
    if scenario.spec.num_seats != 2:
        raise SetupError(f"scenario {pairing.scenario!r} has {scenario.spec.num_seats} seats, expected 2")
    search, opponent = (make(spec, handle.game, scenario) for spec in (pairing.search, pairing.opponent))
    begin = time.process_time()
    seeds = seeds_of(number + 1)[number:]
    returns = play_seeds(handle.game, scenario, [(search, opponent), (opponent, search)], seeds)
    return Block(
        **pairing._asdict(),
        fingerprints=(search.fingerprint(), opponent.fingerprint()),
        block=number,
        returns=(tuple(returns[0, 0].tolist()), tuple(returns[0, 1].tolist())),
        seconds=round(time.process_time() - begin, 3),
    )


def read(file: Path) -> list[Block]:
    """All whole lines of a file; a last one cut off by a kill is left out.

    Raises:
        LoadError: another line is damaged.
    """
    if not file.exists():
        return []
    lines = file.read_text(encoding="utf-8").split("\n")
    blocks = []
    for number, line in enumerate(lines[:-1], 1):
        try:
            blocks.append(Block.model_validate_json(line))
        except pydantic.ValidationError as error:
            raise LoadError(f"{file.name}, line {number}: {error.errors()[0]['msg']}") from None
    return blocks


def current(blocks: Iterable[Block]) -> Iterator[Block]:
    """Those played by the agents as they are now, each block once."""
    known: dict[Pairing, tuple[str, str]] = {}
    seen: set[tuple[Pairing, int]] = set()
    for block in blocks:
        pairing = block.pairing
        if pairing not in known:
            scenario = load(GAME).scenario(pairing.scenario)
            known[pairing] = (
                make(pairing.search, GAME, scenario).fingerprint(),
                make(pairing.opponent, GAME, scenario).fingerprint(),
            )
        if block.fingerprints == known[pairing] and (pairing, block.block) not in seen:
            seen.add((pairing, block.block))
            yield block


def score_of(blocks: list[Block]) -> Interval:
    """Share of games that search won, a draw half a win, with blocks as observations."""
    returns = np.array([block.returns for block in blocks])
    won = scores(returns)
    return mean_interval((won[:, 0, 0] + won[:, 1, 1]) / 2.0, 0.0, 1.0)


def summary(blocks: Iterable[Block]) -> list[dict[str, Any]]:
    """One entry for each pairing."""
    grouped: dict[Pairing, list[Block]] = {}
    for block in blocks:
        grouped.setdefault(block.pairing, []).append(block)
    out = []
    for pairing, own in sorted(grouped.items()):
        score = score_of(own)
        first, last = (pick(block.block for block in own) for pick in (min, max))
        won = scores(np.array([block.returns for block in own]))
        out.append(
            {
                **pairing._asdict(),
                "fingerprints": own[0].fingerprints,
                "play": f"python -m evaluation.search play (blocks {first} to {last})",
                "games": 2 * len(own),
                "score": round(score.mean, 4),
                "interval": [round(score.low, 4), round(score.high, 4)],
                "by_seat": [round(float(won[:, k, k].mean()), 4) for k in range(2)],
                "verdict": verdict(score),
                "seconds_per_game": round(sum(block.seconds for block in own) / (2 * len(own)), 2),
            }
        )
    return out


def _mend(file: Path) -> None:
    """Drop a last line that a kill cut off."""
    data = file.read_bytes() if file.exists() else b""
    whole = data[: data.rfind(b"\n") + 1]
    if whole != data:
        write_atomically(file, whole)


def _append(file: Path, block: Block) -> None:
    with file.open("ab") as handle:  # one write, so that two runs may share a file
        handle.write(block.model_dump_json().encode() + b"\n")


def _played(todo: list[tuple[Pairing, int]], workers: int) -> Iterator[Block]:
    """Blocks in order, each as soon as it is there."""
    if workers == 1:
        yield from (play_block(*one) for one in todo)
    elif todo:
        with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
            yield from pool.map(play_block, *zip(*todo, strict=True))


@app.command()
def play(
    scenario: Annotated[str, typer.Argument(help="A scenario of Fairy Meat for two.")],
    base: Annotated[str, typer.Option(help="Whom search improves on.")] = "policy:duel",
    against: Annotated[str | None, typer.Option(help="Opponent; the base agent unless given.")] = None,
    simulations: Annotated[str, typer.Option(help="Budgets, e.g. 64,256.")] = "64,256,1024",
    seconds: Annotated[float | None, typer.Option(help="A budget in seconds instead.")] = None,
    blocks: Annotated[int, typer.Option(min=1, help="Deals of luck, two games each.")] = 100,
    workers: Annotated[int, typer.Option(min=1, help="Processes.")] = 1,
    file: Annotated[Path, typer.Option(help="Where blocks are appended.")] = FILE,
) -> None:
    """Play what is missing."""
    budgets = [f"seconds={seconds:g}"] if seconds else [f"simulations={n}" for n in simulations.split(",")]
    pairings = [Pairing(scenario, f"search:base={base},{budget}", against or base) for budget in budgets]
    file.parent.mkdir(parents=True, exist_ok=True)
    _mend(file)
    done = {(block.pairing, block.block) for block in current(read(file))}
    todo = [(pairing, k) for k in range(blocks) for pairing in pairings if (pairing, k) not in done]
    for block in _played(todo, workers):
        _append(file, block)
        typer.echo(f"{block.scenario} {block.search} block {block.block}: {block.returns}")


@app.command()
def report(
    json_file: Annotated[Path | None, typer.Option("--json", help="Where the result goes.")] = None,
    plot: Annotated[Path | None, typer.Option(help="Where the curve goes, a PNG file.")] = None,
    file: Annotated[Path, typer.Option(help="Where the blocks are.")] = FILE,
    least: Annotated[int, typer.Option(help="Pairings with fewer games are left out.")] = 0,
    note: Annotated[str, typer.Option(help="How it was decided when to stop, for the JSON.")] = "",
) -> None:
    """Show and write what was played so far."""
    entries = [entry for entry in summary(current(read(file))) if entry["games"] >= least]
    if not entries:
        raise SetupError(f"no blocks of the present agents in {file}; play some first")
    table = Table("scenario", "search", "against", "games", "score", "95 % interval", "s a game")
    for one in entries:
        interval = f"{one['interval'][0]:.1%} to {one['interval'][1]:.1%}"
        table.add_row(
            one["scenario"], one["search"], one["opponent"], str(one["games"]), f"{one['score']:.1%}",
            interval, f"{one['seconds_per_game']:.1f}",
        )  # fmt: skip
    Console().print(table)
    if json_file is not None:
        result = {
            "schema": "fm-env-search-1",
            "command": shlex.join(["python", "-m", "evaluation.search", *sys.argv[1:]]),
            "note": note,
            "created": datetime.now(UTC).isoformat(timespec="seconds"),
            "seed": SEED,
            "versions": versions(),
            "pairings": entries,
        }
        write_atomically(json_file, (json.dumps(result, indent=1) + "\n").encode())
    if plot is not None:
        draw(entries, plot)


def draw(entries: list[dict[str, Any]], file: Path) -> None:
    """Score against the bare agent by simulations, with intervals."""
    from matplotlib.figure import Figure

    from evaluation.plot import INK, save_plot

    curves: dict[tuple[str, str], list[tuple[int, dict[str, Any]]]] = {}
    for one in entries:
        base, _, budget = one["search"].removeprefix("search:base=").rpartition(",")
        if base == one["opponent"] and budget.startswith("simulations="):
            place = curves.setdefault((one["scenario"], base), [])
            place.append((int(budget.removeprefix("simulations=")), one))
    figure = Figure(figsize=(6.4, 4.0), dpi=160, layout="constrained")
    axes = figure.add_subplot()
    for shift, ((scenario, base), points) in enumerate(sorted(curves.items())):
        points.sort(key=lambda point: point[0])
        found = [one for _, one in points]
        error = [
            [100 * max(0.0, one["score"] - one["interval"][0]) for one in found],
            [100 * max(0.0, one["interval"][1] - one["score"]) for one in found],
        ]
        axes.errorbar(
            [budget * 1.05**shift for budget, _ in points], [100 * one["score"] for one in found], error,
            marker="o", capsize=3, label=f"{scenario}, base {base}",
        )  # fmt: skip
    axes.axhline(50, color=INK, linewidth=1, linestyle=(0, (4, 3)))
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_formatter(lambda x, _: f"{x:,.0f}")
    axes.set_xlabel("simulations a choice", color=INK)
    axes.set_ylabel("score against the bare agent in %, 95 % interval", color=INK)
    axes.legend(frameon=False)
    save_plot(file, figure)


if __name__ == "__main__":
    app()

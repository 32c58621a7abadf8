"""Whether the statistics keep their promises: simulated tournaments between agents of known strength.

    python -m evaluation.tournament.proofs --json evaluation/results/tournament_proofs.json

No games are played: an agent of log strength r finishes by its performance, r plus a Gumbel-distributed
number, so that placements follow Plackett and Luce's model exactly. Shared luck adds a number to each
seat, the same in all games of a block. The results go through the analysis that real ones go through.

* Equals: in 200 tournaments of identical agents, at most 16 may claim anything (error rate 5 %, and
  by chance more than 16 of 200 would come up in one of 42 such proofs).
* Power: pairs that score 55 to 45 are told apart in at least 80 % of tournaments of the planned size
  (five times as many tournaments are simulated for that).
* Coverage: intervals of ratings hold the true rating in at least 93 %.
"""

from __future__ import annotations

import argparse
import dataclasses
import math
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.progress import track
from rich.table import Table

from evaluation.ratings import ELO
from evaluation.report import versions, write_report
from evaluation.tournament.analysis import analyse
from evaluation.tournament.design import make_groups
from evaluation.tournament.question import Question, looks_for, planned_rounds
from evaluation.tournament.results import Entrant, Header, Played, Results, Setting
from evaluation.tournament.stopping import open_groups, pair_scores, stages

SCHEMA = "fm-env-tournament-proofs-1"
TOURNAMENTS = 200
MOST_WRONG = 16
LEAST_POWER = 0.8
LEAST_COVERAGE = 0.93
STRONGER = math.log(0.55 / 0.45)
"""Log strength over an equal that makes 55 to 45."""


@dataclass(frozen=True)
class Case:
    """One kind of simulated tournament."""

    agents: int
    seats: int = 2
    kind: str = "all"
    """Of the question."""
    sequential: bool = False
    """Looks before the end, and stops where all is answered."""
    shared_luck: float = 0.0
    """Standard deviation of a seat's luck, in units of log strength."""
    rounds: int | None = None
    """None: as planned."""

    def __str__(self) -> str:
        words = [f"{self.agents} agents", f"{self.seats} seats"]
        words += [f"shared luck {self.shared_luck:g}"] if self.shared_luck else []
        words += [f"stops early ({self.kind})"] if self.sequential else []
        return ", ".join(words)


@dataclass(frozen=True)
class Proof:
    """What came out of a case."""

    promise: str
    case: Case
    rounds: int
    """Planned, for each group."""
    tournaments: int
    found: float
    bound: float
    is_kept: bool
    mean_games: float
    """Games a tournament took."""


EQUALS = (
    *(Case(n, sequential=s, shared_luck=c) for n in (2, 5, 10) for s in (False, True) for c in (0.0, 1.0)),
    Case(5, kind="best", sequential=True),
    Case(5, seats=4, rounds=60),
    Case(7, seats=5, sequential=True, shared_luck=1.0, rounds=80),
)
POWERS = tuple(Case(n, sequential=s) for n in (2, 5, 10) for s in (False, True))
COVERAGES = (Case(5, rounds=50), Case(5, rounds=200), Case(5, seats=3, rounds=20))


def header_of(case: Case, seed: int) -> Header:
    """A header as a real tournament would have it."""
    groups = make_groups(case.agents, case.seats)

    def question(rounds: int) -> Question:
        return Question(case.kind, looks=looks_for(rounds) if case.sequential else ())

    rounds = case.rounds or planned_rounds(groups, case.agents, question(10**6))
    return Header(
        game=Setting("simulated", "simulated", {}, 1, 1, case.seats, 0.0, float(case.seats - 1)),
        agents=tuple(Entrant(f"agent {k}", f"agent{k}", "") for k in range(case.agents)),
        groups=groups,
        rounds=rounds,
        waves=(1,) * len(groups),
        seed=seed,
        question=question(rounds),
    )


def simulate(header: Header, strengths: npt.NDArray[np.float64], luck: float) -> Results:
    """Play a tournament of the header's design, as long as its question asks for.

    Args:
        header: of the tournament; its seed decides everything.
        strengths: `[n]`, log strength of each agent.
        luck: standard deviation of a seat's luck, shared by all games of a block.
    """
    rng = np.random.default_rng(header.seed)
    nothing = np.zeros(0, np.int64)
    shapes = [(0, len(group.orders), header.game.num_seats) for group in header.groups]
    results = Results(header, tuple(Played(nothing, nothing, np.zeros(shape)) for shape in shapes))
    for look, (first, last) in enumerate(stages(header)):
        played = list(results.played)
        for g in open_groups(results, look):
            orders = np.array(header.groups[g].orders)
            shape = (last - first, *orders.shape)
            performance = strengths[orders] + rng.gumbel(size=shape)
            performance += luck * rng.normal(size=(last - first, 1, orders.shape[1]))
            places = (performance[..., :, None] > performance[..., None, :]).sum(axis=-1).astype(np.float64)
            rounds = np.concatenate([played[g].rounds, np.arange(first, last)])
            played[g] = Played(rounds, rounds, np.concatenate([played[g].returns, places]))
        results = Results(header, tuple(played))
    return results


def prove_equals(case: Case, tournaments: int, seed: int, most_wrong: int = MOST_WRONG) -> Proof:
    """Count the tournaments of identical agents that claim anything."""
    wrong, games = 0, 0
    for k in range(tournaments):
        results = simulate(header_of(case, _seed(seed, k)), np.zeros(case.agents), case.shared_luck)
        wrong += any(score.verdict != "undecided" for score in pair_scores(results))
        games += results.games
    rounds = header_of(case, 0).rounds
    return Proof(
        "equals told apart",
        case,
        rounds,
        tournaments,
        wrong,
        most_wrong,
        wrong <= most_wrong,
        games / tournaments,
    )


def prove_power(case: Case, tournaments: int, seed: int) -> Proof:
    """Share of pairs of 55 to 45 that are told apart, rightly: agent 0 against each of the others."""
    strengths = np.zeros(case.agents)
    strengths[0] = STRONGER
    found, asked, games = 0, 0, 0
    for k in range(tournaments):
        results = simulate(header_of(case, _seed(seed, k)), strengths, case.shared_luck)
        scores = [score for score in pair_scores(results) if score.pair[0] == 0]
        found += sum(score.verdict == "beats" for score in scores)
        asked += len(scores)
        games += results.games
    share = found / asked
    rounds = header_of(case, 0).rounds
    return Proof(
        "55:45 told apart",
        case,
        rounds,
        tournaments,
        share,
        LEAST_POWER,
        bool(share >= LEAST_POWER),
        games / tournaments,
    )


def prove_coverage(case: Case, tournaments: int, seed: int) -> Proof:
    """Share of rating intervals that hold the true rating; neighbours in strength score 64 to 36."""
    strengths = np.linspace(-1.2, 1.2, case.agents)
    held, games = 0, 0
    for k in range(tournaments):
        results = simulate(header_of(case, _seed(seed, k)), strengths, case.shared_luck)
        ratings = analyse(results, samples=400, nash_samples=1).ratings
        held += sum(bool(r.low <= strengths[r.agent] * ELO <= r.high) for r in ratings)
        games += results.games
    share = held / tournaments / case.agents
    rounds = header_of(case, 0).rounds
    return Proof(
        "rating inside its interval",
        case,
        rounds,
        tournaments,
        share,
        LEAST_COVERAGE,
        bool(share >= LEAST_COVERAGE),
        games / tournaments,
    )


def prove_all(tournaments: int, seed: int) -> list[Proof]:
    """Every case; the bound on wrong claims is for 200 tournaments and grows with their number."""
    most_wrong = MOST_WRONG * tournaments // TOURNAMENTS
    work: list[tuple[Any, ...]] = [(prove_equals, case, most_wrong) for case in EQUALS]
    work += [(prove_power, case) for case in POWERS]
    work += [(prove_coverage, case) for case in COVERAGES]
    steps: Iterable[tuple[Any, ...]] = track(work, "proving", console=Console(stderr=True), transient=True)
    return [
        prove(case, tournaments * (5 if prove is prove_power else 1), seed, *more)
        for prove, case, *more in steps
    ]


def proof_table(proofs: Sequence[Proof]) -> Table:
    """One row for each case."""
    table = Table(title="Simulated tournaments", title_justify="left", box=None, padding=(0, 1, 0, 0))
    for heading in ("promise", "case"):
        table.add_column(heading)
    for heading in ("rounds", "found", "bound"):
        table.add_column(heading, justify="right")
    table.add_column("")
    for proof in proofs:
        count = proof.promise == "equals told apart"
        number = f"{proof.found:.0f} of {proof.tournaments}" if count else f"{100 * proof.found:.1f} %"
        bound = f"{proof.bound:.0f}" if count else f"{100 * proof.bound:.0f} %"
        word = "kept" if proof.is_kept else "BROKEN"
        table.add_row(proof.promise, str(proof.case), str(proof.rounds), number, bound, word)
    return table


def main(words: Sequence[str] | None = None) -> int:
    """Prove, print, write."""
    parser = argparse.ArgumentParser(prog="python -m evaluation.tournament.proofs", description=__doc__)
    parser.add_argument("--tournaments", type=int, default=TOURNAMENTS, help="of each case")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path, help="write what came out to this file")
    options = parser.parse_args(words)
    proofs = prove_all(options.tournaments, options.seed)
    Console().print(proof_table(proofs))
    if options.json is not None:
        report = {
            "schema": SCHEMA,
            "command": " ".join(["python -m evaluation.tournament.proofs", *(words or sys.argv[1:])]),
            "seed": options.seed,
            "versions": versions(),
            "proofs": [dataclasses.asdict(proof) for proof in proofs],
        }
        write_report(options.json, report)
    return 0 if all(proof.is_kept for proof in proofs) else 1


def _seed(seed: int, k: int) -> int:
    return seed * 1_000_003 + k


if __name__ == "__main__":
    sys.exit(main())

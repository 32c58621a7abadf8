"""Mutation testing of the rule files: `python -m tests.mutation --mutants 6`.

Goes on where it was after a kill, and with a larger `--mutants` adds to what was tried. A change of the
rules makes other mutants; after a change of the tests, `--again survived` tries survivors once more.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import shlex
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import MutationSpec, TestOutcome, WorkerOutcome, WorkItem, WorkResult

from agents.policy import write_atomically
from tests.mutation.mutants import GAMES, ROOT, Mutant, known_sample, rule_files
from tests.mutation.report import report
from tests.mutation.selection import FOLDER

ENVIRONMENT = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1"}


def main() -> int:
    """Watch the tests, draw the sample, try what is left of it, report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("files", nargs="*", help="only rule files whose path holds one of these")
    parser.add_argument("--mutants", type=int, default=6, help="places of each rule file (default 6)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2, help="processes (default 2)")
    parser.add_argument("--session", type=Path, default=FOLDER / "session.sqlite")
    parser.add_argument("--again", choices=["survived", "timeout"], action="append", default=[])
    parser.add_argument("--json", type=Path, help="write the result here")
    given = parser.parse_args()
    FOLDER.mkdir(parents=True, exist_ok=True)
    files = [f for f in rule_files() if not given.files or any(part in f for part in given.files)]
    drawn = [known_sample(file, given.mutants, given.seed, FOLDER) for file in files]
    # Some of each file first, so that a run that is stopped has looked at all of them.
    mutants = [own[k] for k in range(given.mutants) for own in drawn if k < len(own)]
    with use_db(given.session) as work:
        _add(work, mutants)
        known = results_of(work)
        left = [m for m in mutants if known.get(m.id, {"outcome": "?"})["outcome"] in ("?", *given.again)]
        print(f"{len(mutants)} mutants of {len(files)} files, {len(left)} to try", flush=True)
        done = _Done(work, left)
        games = [own for own in ([m for m in left if m.game == game] for game in GAMES) if own]
        with ThreadPoolExecutor(given.jobs) as pool:
            list(pool.map(done.try_game, sorted(games, key=len)))
        command = f"python -m tests.mutation {shlex.join(sys.argv[1:])}"
        made = report(mutants, results_of(work), command, given.seed)
    print(json.dumps(made["all"]), flush=True)
    if given.json:
        given.json.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(given.json, (json.dumps(made, indent=1, ensure_ascii=False) + "\n").encode())
    return 0


def results_of(work: WorkDB) -> dict[str, dict[str, Any]]:
    """What came of each mutant that was tried, by id."""
    return {job: json.loads(result.output or "{}") for job, result in work.results}


class _Done:
    """Writes down what comes of each mutant, as soon as it does."""

    def __init__(self, work: WorkDB, mutants: list[Mutant]) -> None:
        self.work, self.lock = work, threading.Lock()
        self.mutants = {mutant.id: mutant for mutant in mutants}
        self.count = 0

    def try_game(self, mutants: list[Mutant]) -> None:
        """Try mutants of one game."""
        _watch(mutants[0].game)
        command = [sys.executable, "-m", "tests.mutation.trials", "try", mutants[0].game]
        asked = "\n".join(json.dumps(dataclasses.asdict(mutant)) for mutant in mutants)
        log = FOLDER / f"try_{mutants[0].game}.log"
        with (
            log.open("w") as errors,
            subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                cwd=ROOT,
                env=ENVIRONMENT,
            ) as process,
        ):
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(asked)
            process.stdin.close()
            tried = 0
            for line in process.stdout:
                if line.startswith('{"id"'):
                    self.note(json.loads(line))
                    tried += 1
                else:
                    errors.write(line)
        if tried < len(mutants):
            raise RuntimeError(
                f"{' '.join(command)}: {len(mutants) - tried} mutants were not tried; see {log}"
            )

    def note(self, row: dict[str, Any]) -> None:
        mutant = self.mutants[row.pop("id")]
        outcome = TestOutcome.SURVIVED if row["outcome"] == "survived" else TestOutcome.KILLED
        change = f"{mutant.before} -> {mutant.after}"
        result = WorkResult(WorkerOutcome.NORMAL, json.dumps(row), outcome, change)
        with self.lock:
            self.work.set_result(mutant.id, result)
            self.count += 1
            where = f"{mutant.file.removeprefix('fm_env/games/')}:{mutant.line}"
            print(
                f"{self.count}/{len(self.mutants)} {row['outcome']:<8} {where} {change} {row['by']}",
                flush=True,
            )


def _watch(game: str) -> None:
    command = [sys.executable, "-m", "tests.mutation.trials", "watch", game]
    with (FOLDER / f"watch_{game}.log").open("w") as log:
        subprocess.run(command, check=True, cwd=ROOT, env=ENVIRONMENT, stdout=log, stderr=log)


def _add(work: WorkDB, mutants: list[Mutant]) -> None:
    known = {item.job_id for item in work.work_items}
    new = {m.id: m for m in mutants if m.id not in known}
    work.add_work_items(
        WorkItem.single(
            m.id,
            MutationSpec(
                m.file, m.operator, m.occurrence, (m.line, m.column), (m.line, m.column + 1), {}, m.inside
            ),
        )
        for m in new.values()
    )


if __name__ == "__main__":
    sys.exit(main())

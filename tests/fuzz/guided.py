"""Coverage-guided fuzzing of every door: `python -m tests.fuzz.guided --seconds 60`.

Each door gets a process of its own, in which libFuzzer (through Google's atheris) damages the sound documents
and keeps what reached new lines. Text that is JSON is mostly damaged entry by entry, otherwise nearly nothing
would get past the parser. What ends in anything but success or one of our errors, takes longer than
`SLOW` seconds or more than `MEGABYTES` is kept as `build/fuzz/found/DOOR-crash-...`; put it into
`tests/fuzz/found/DOOR/` once it is mended. What was learned stays in `build/fuzz/DOOR`, so that a later
run goes on from there.

Modules with compiled rules are not instrumented: Numba can't compile what coverage adds to them. They are
played as users play them, compiled.
"""

from __future__ import annotations

import argparse
import functools
import hashlib
import importlib.metadata
import json
import os
import random
import re
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import atheris

# Nothing of ours is imported here: what is imported before it is instrumented is not covered.
from tests.fuzz.mutate import mutated, words

if TYPE_CHECKING:
    from tests.fuzz.doors import Door

SCHEMA = "fm-env-fuzz-guided-1"
ROOT = Path(__file__).parents[2]
WORK = Path("build") / "fuzz"
SLOW = 30
"""Seconds that one document may take on a busy machine."""
MEGABYTES = 4096
ROOMS = ("fm_env", "agents", "training", "evaluation")
_COMPILED = re.compile(r"^@(allocating_)?rule\b|\bspecialise\(|^from fm_env.compiled import", re.MULTILINE)
_STATUS = re.compile(rb"cov: (\d+) ft: (\d+) corp: (\d+)/")
TRACEBACK, UNITS = "found, with this traceback:", "number_of_executed_units"
_UNITS = re.compile(rb"stat::number_of_executed_units:\s*(\d+)")


@functools.cache
def compiled_modules() -> tuple[str, ...]:
    """Names of the modules whose functions Numba compiles, or that are called by such."""
    found: list[str] = []
    for room in ROOMS:
        for file in sorted((ROOT / room).rglob("*.py")):
            if _COMPILED.search(file.read_text(encoding="utf-8")):
                parts = file.relative_to(ROOT).with_suffix("").parts
                found.append(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
    return tuple(found)


def fuzz(door: Door, sound: list[bytes], prefix: Path, arguments: Sequence[str]) -> None:
    """In a process of its own: never returns."""
    from tests.fuzz.doors import opens

    tried = 0

    def one(data: bytes) -> None:
        nonlocal tried
        tried += 1
        try:
            opens(lambda: door.open(data))
        except BaseException:  # kept here: in a forked process atheris doesn't
            name = f"{prefix}crash-{hashlib.sha1(data).hexdigest()[:12]}"
            Path(name).write_bytes(data)
            sys.stderr.write(f"\n{TRACEBACK}\n{traceback.format_exc()}\nstat::{UNITS}: {tried}\n")
            sys.stderr.flush()
            os._exit(1)

    def damage(data: bytes, max_size: int, seed: int) -> bytes:
        rng = random.Random(seed)
        if not door.text or rng.random() < 0.3:
            return atheris.Mutate(data, max_size)
        made = mutated(data, rng, sound)
        return atheris.Mutate(data, max_size) if made is None or len(made) > max_size else made

    for document in sound:
        one(document)  # loads and compiles whatever is needed before time is taken
    atheris.Setup(["fuzz", *arguments], one, custom_mutator=damage)
    atheris.Fuzz()


def doors() -> dict[str, Door]:
    """All doors, imported so that coverage is noted, as is what they import when they are first used."""
    with atheris.instrument_imports(include=[*ROOMS, "tomllib"], exclude=list(compiled_modules())):
        from tests.fuzz.doors import DOORS

        for name, door in DOORS.items():
            if name != "requests":  # a server has threads, which a fork would lose
                for document in door.sound():
                    door.open(document)
    return DOORS


def prepare(name: str, sound: list[bytes]) -> tuple[Path, Path]:
    """The folder of what is known of a door, with its sound documents, and a file of words to use."""
    corpus = WORK / name
    corpus.mkdir(parents=True, exist_ok=True)
    (WORK / "found").mkdir(exist_ok=True)
    for k, document in enumerate(sound):
        (corpus / f"sound-{k}").write_bytes(document)
    dictionary = WORK / f"{name}.words"
    dictionary.write_text("".join(f"{json.dumps(word)}\n" for word in words(sound)), encoding="ascii")
    return corpus, dictionary


def apart(work: Callable[[], None], log: Path) -> int:
    """Run in a forked process, which has all that is imported here; returns its exit code."""
    sys.stdout.flush()
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    with log.open("wb", buffering=0) as out:
        os.dup2(out.fileno(), 1)
        os.dup2(out.fileno(), 2)
        try:
            work()
        except BaseException:
            traceback.print_exc()
            sys.stderr.flush()
    os._exit(3)


def try_door(name: str, door: Door, seconds: int, seed: int) -> dict[str, Any]:
    """Fuzz one door; what came of it."""
    sound = door.sound()
    corpus, dictionary = prepare(name, sound)
    longest = 4 * max(path.stat().st_size for path in corpus.glob("sound-*"))
    prefix = WORK / "found" / f"{name}-"
    options = {
        "max_total_time": seconds,
        "max_len": max(longest, 256),
        "timeout": SLOW,
        "rss_limit_mb": MEGABYTES,
        "seed": seed,
        "dict": dictionary,
        "artifact_prefix": prefix,
        "print_final_stats": 1,
    }
    before = set(prefix.parent.glob(f"{prefix.name}*"))
    started = time.monotonic()
    arguments = [*(f"-{key}={value}" for key, value in options.items()), str(corpus)]
    code = apart(lambda: fuzz(door, sound, prefix, arguments), WORK / f"{name}.log")
    log = (WORK / f"{name}.log").read_bytes()
    status, units = _STATUS.findall(log), _UNITS.findall(log)
    found = sorted(path.name for path in set(prefix.parent.glob(f"{prefix.name}*")) - before)
    row: dict[str, Any] = {
        "door": name,
        "works": code == 0 and not found,
        "seconds": round(time.monotonic() - started),
        "executions": int(units[-1]) if units else None,
    }
    if status:
        row |= {
            "edges_at_first": int(status[0][0]),
            "edges_reached": int(status[-1][0]),
            "documents_kept": int(status[-1][2]),
        }
    if not row["works"]:
        said = log.decode(errors="replace").rpartition(TRACEBACK)[2].split(f"stat::{UNITS}")[0]
        row |= {"found": found, "error": said.strip()[-500:]}
    return row


def main() -> int:
    """Try all doors, or one; 1 if something was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("doors", nargs="*", help="only these")
    parser.add_argument("--seconds", type=int, default=60, help="for each door")
    parser.add_argument("--seed", type=int, default=1, help="of the damage; 0: another each time")
    parser.add_argument("--json", type=Path, help="write the result here; rows of other doors stay")
    given = parser.parse_args()
    known = doors()
    from evaluation.report import versions, write_report

    rows: list[dict[str, Any]] = []
    for name in given.doors or known:
        rows.append(try_door(name, known[name], given.seconds, given.seed))
        print(json.dumps(rows[-1]), flush=True)
    if given.json:
        if given.doors and given.json.exists():
            new = {row["door"]: row for row in rows}
            old = json.loads(given.json.read_text(encoding="utf-8"))["doors"]
            rows = [new.pop(row["door"], row) for row in old] + list(new.values())
        write_report(
            given.json,
            {
                "schema": SCHEMA,
                "command": f"python -m tests.fuzz.guided --seconds {given.seconds} --seed {given.seed}",
                "created": datetime.now(UTC).isoformat(timespec="seconds"),
                "versions": versions() | {"atheris": importlib.metadata.version("atheris")},
                "executions": sum(row["executions"] or 0 for row in rows),
                "passed": all(row["works"] for row in rows),
                "doors": rows,
            },
        )
    return 0 if all(row["works"] for row in rows) else 1


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    sys.exit(main())

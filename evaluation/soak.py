"""Long random play that looks for broken states (`fm-env soak`).

Every mask must offer something and count what it offers; every so often, and when a game ends, no
invariant may be broken; no game may outlast its bounds; returns stay within theirs and add up.
"""

from __future__ import annotations

import hashlib
import json
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numba
import numpy as np
from rich.console import Console
from rich.progress import Progress

from agents.policy import write_atomically
from fm_env.batch_loop import nth_true
from fm_env.chance import draw_plain
from fm_env.contract import CHANCE, TERMINAL, Scenario
from fm_env.engine import specialise_for
from fm_env.errors import LoadError
from fm_env.match import GameHandle, load
from fm_env.records import new_states, rows_of
from fm_env.rng import child_seed, fill_row, random_below
from fm_env.sources import rule_sources

# `specialise` puts a game's kernel in the place of these.
reset: Any = None
to_act: Any = None
legal_mask: Any = None
chance_weights: Any = None
apply: Any = None
apply_chance: Any = None
returns: Any = None
observe: Any = None
faults: Any = None

SOUND, BROKEN, BAD_MASK, BAD_CHANCE, BAD_OBSERVATION, TOO_LONG, BAD_RETURNS = range(7)
WHAT = (
    "sound",
    "an invariant is broken",
    "a mask is empty or miscounted",
    "chance weights don't add up",
    "an observation is not finite or out of bounds",
    "the game outlasts its bounds",
    "returns out of bounds or with a wrong sum",
)


def play_one(states, setups, seed, rng, mask, obs, weights, out, every, bounds, found):
    """Play one random game; `found[4]`: decisions, chance events, forced choices, fault bits.

    `bounds`: most decisions, most events, least and most return, sum of returns, 1 if it is promised.
    """
    s = states[0]
    fill_row(seed, 0, rng)
    reset(s, setups[0])
    for k in range(len(found)):
        found[k] = 0
    while True:
        who = to_act(s)
        if (found[0] + found[1] + found[2]) % every == 0 or who == TERMINAL:
            found[3] = faults(s)
            if found[3] != 0:
                return BROKEN
        if who == TERMINAL:
            returns(s, out)
            total = 0.0
            for value in out:
                total += value
                if value < bounds[2] or value > bounds[3]:
                    return BAD_RETURNS
            if bounds[5] and abs(total - bounds[4]) > 1e-9:
                return BAD_RETURNS
            return SOUND
        if who == CHANCE:
            total_weight = chance_weights(s, weights)
            n = 0
            for w in weights:
                n += w
            if n != total_weight or n <= 0:
                return BAD_CHANCE
            apply_chance(s, draw_plain(weights, total_weight, rng))
            found[1] += 1
        else:
            legal = legal_mask(s, who, mask)
            n = 0
            for bit in mask:
                n += bit
            if n != legal or n == 0:
                return BAD_MASK
            if (found[0] + found[2]) % every == 0:
                observe(s, who, obs)
                for x in obs:
                    if not -1.0 <= x <= 1.0:
                        return BAD_OBSERVATION
            apply(s, who, nth_true(mask, random_below(rng, legal)))
            found[0 if legal > 1 else 2] += 1
        if found[0] + found[2] > bounds[0] or found[1] > bounds[1]:
            return TOO_LONG


@dataclass(frozen=True)
class SoakResult:
    """What was played, and the first game that failed, if any."""

    game: str
    scenario: str
    options: dict[str, Any]
    seed: int
    decisions: int
    """Choices with two or more legal actions."""
    forced: int
    chance_events: int
    games: int
    longest: int
    """Choices in the longest game, forced ones too."""
    checked_every: int
    """An invariant check at every so many steps of a game, and at its end."""
    seconds: float
    failure: str
    """Empty if all games were sound."""

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return asdict(self)


def soak(
    game: GameHandle,
    scenario: Scenario,
    decisions: int,
    *,
    seed: int = 1,
    every: int = 50,
    progress: Any = None,
) -> SoakResult:
    """Play random games until at least `decisions` real choices were made, or one game fails.

    Args:
        game: whose rules.
        scenario: what to play.
        decisions: choices with two or more legal actions.
        seed: game k has the seed `child_seed(seed, 0, k)`.
        every: how often invariants are checked, in steps.
        progress: called with the number of real choices made so far, now and then.
    """
    spec = scenario.spec
    play = specialise_for(play_one, game.game)
    states, setups = new_states(spec, 1), rows_of(scenario.setup)
    mask = np.zeros(spec.num_actions, np.bool_)
    obs = np.zeros(spec.observation_size, np.float32)
    weights = np.zeros(spec.num_chance_outcomes, np.int64)
    out, rng, found = np.zeros(spec.num_seats), np.zeros(4, np.int64), np.zeros(4, np.int64)
    promised = spec.return_sum is not None
    limits = [spec.max_decisions, spec.max_chance_events, spec.min_return, spec.max_return]
    bounds = np.array([*limits, spec.return_sum or 0.0, float(promised)])
    totals = np.zeros(3, np.int64)
    games, longest, failure, start = 0, 0, "", time.perf_counter()
    while totals[0] < decisions and not failure:
        game_seed = int(child_seed(seed, games & 0xFFFFFFFF, games >> 32))
        code = play(states, setups, game_seed, rng, mask, obs, weights, out, every, bounds, found)
        totals += found[:3]
        longest = max(longest, int(found[0] + found[2]))
        if code != SOUND:
            bits = f" (fault bits {int(found[3])})" if code == BROKEN else ""
            failure = (
                f"game {games} (seed {game_seed}): {WHAT[code]}{bits} after {int(found[:3].sum())} steps"
            )
        games += 1
        if progress is not None and games % 100 == 0:
            progress(int(totals[0]))
    return SoakResult(
        game=spec.game,
        scenario=spec.scenario,
        options=dict(scenario.options),
        seed=seed,
        decisions=int(totals[0]),
        forced=int(totals[2]),
        chance_events=int(totals[1]),
        games=games,
        longest=longest,
        checked_every=every,
        seconds=round(time.perf_counter() - start, 1),
        failure=failure,
    )


def soak_command(
    game: GameHandle,
    scenario: Scenario,
    decisions: int,
    *,
    seed: int,
    every: int,
    json_file: Path | None,
    console: Console | None = None,
) -> SoakResult:
    """Soak with a progress bar, print what was played, and add it to a JSON list if a file is given."""
    console = console or Console()
    with Progress(console=console, transient=True) as progress:
        task = progress.add_task(f"{scenario.spec.game} {scenario.spec.scenario}", total=decisions)
        result = soak(
            game, scenario, decisions, seed=seed, every=every,
            progress=lambda done: progress.update(task, completed=done),
        )  # fmt: skip
    options = " ".join(f"{key}={value}" for key, value in result.options.items() if key != "scenario")
    verdict = result.failure or "all sound"
    console.print(
        f"{result.game} {result.scenario} {options}: {result.decisions:,} choices, "
        f"{result.chance_events:,} chance events, {result.games:,} games (longest {result.longest:,}) "
        f"in {result.seconds:,.0f} s: {verdict}",
        highlight=False,
    )
    if json_file is not None:
        append_result(json_file, result)
    return result


def append_result(file: Path, result: SoakResult) -> None:
    """Put a result in the place of an earlier one of the same game, scenario and options, or at the end."""
    try:
        rows = json.loads(file.read_text(encoding="utf-8")) if file.exists() else []
    except ValueError as error:
        raise LoadError(f"{file}: not a list of soak results: {error}") from None
    versions = {"numba": numba.__version__, "numpy": np.__version__}
    new = result.to_json() | {"rules": rules_hash(result.game), "versions": versions}
    same = ("game", "scenario", "options")
    rows = [row for row in rows if any(row[key] != new[key] for key in same)] + [new]
    write_atomically(file, (json.dumps(rows, indent=1) + "\n").encode())


def rules_hash(game: str) -> str:
    """Hash of every source file that the game's rules are compiled from."""
    file = str(load(game).game.kernel.apply.__code__.co_filename)
    sources = rule_sources([file])
    text = b"\n".join(path.read_bytes() for path in sources)
    return hashlib.sha256(text).hexdigest()[:16]

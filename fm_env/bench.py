"""How fast the rules are, beside two yardsticks measured in the same run.

The first yardstick is a bare kernel that writes a mask and an observation of the same size for
every decision and has no rules (`fm_env.bare`), played by the same batch. The second is
PettingZoo's own Connect Four, which shows what a single game in Python costs.

Times are of the processor, so that other programs on the machine change little.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from fm_env.bare import Bare
from fm_env.batch import Batch
from fm_env.contract import Scenario
from fm_env.match import GameHandle, load
from fm_env.registry import names

SCHEMA = "fm-env-bench-1"
"""Version of the JSON form of a result."""

DEFAULT_GAME = "fairy_meat"
"""Measured if a scenario is named without a game."""


@dataclass(frozen=True)
class BenchResult:
    """Rates are per second on one core."""

    game: str
    scenario: str
    options: dict[str, Any]
    num_games: int
    num_actions: int
    observation_size: int
    decisions: int
    """Choices with two or more legal actions, each with its mask, observation and share of chance."""
    decision_rate: float
    chance_rate: float
    """Chance events resolved in the same time."""
    bare_rate: float
    """Decisions of a kernel that writes a mask and an observation of the same size, and no more."""
    ratio: float
    """`decision_rate / bare_rate`."""
    raw_env_rate: float
    """Steps of the PettingZoo AEC view."""
    connect_four_rate: float
    """Steps of `pettingzoo.classic.connect_four_v3.raw_env`; 0 where that can't be imported."""
    raw_env_ratio: float
    backgammon_rate: float
    """Choices of OpenSpiel's backgammon driven from Python with its tensors, two or more legal actions
    each, chance in the time; 0 where `pyspiel` isn't installed."""
    second_process_seconds: float
    """From starting Python to the first step, with the rules compiled before."""


def bench_command(
    game: str | None,
    scenario: str | None,
    options: Mapping[str, object],
    *,
    num_games: int = 1024,
    seconds: float = 2.0,
    seed: int = 1,
    as_json: bool = False,
    about: Mapping[str, Any] | None = None,
    console: Console | None = None,
) -> list[BenchResult]:
    """Measure and print: one scenario, or each game's default one if neither game nor scenario is named.

    With `as_json` each result is one line, which begins with what `about` says of the run (command, versions)
    and with its seed and length.
    """
    games = names() if game is None and scenario is None and not options else [game or DEFAULT_GAME]
    results = []
    for name in games:
        result = measure(load(name), scenario, options, num_games=num_games, seconds=seconds, seed=seed)
        results.append(result)
        if as_json:
            run = {"schema": SCHEMA, **(about or {}), "seed": seed, "seconds": seconds}
            print(json.dumps(run | asdict(result)), flush=True)
    if not as_json:
        table = result_table(results[0]) if len(results) == 1 else games_table(results)
        (console or Console()).print(table)
    return results


def measure(
    game: GameHandle,
    scenario: str | None,
    options: Mapping[str, object],
    *,
    num_games: int = 1024,
    seconds: float = 2.0,
    seed: int = 1,
) -> BenchResult:
    """Measure one scenario; the games and the bare kernel take turns, so that both meet the same load."""
    chosen = game.scenario(scenario, **options)
    spec = chosen.spec
    batch = Batch(game.game, chosen, num_games, seed=seed)
    chunk = _whole_games(batch, num_games)
    bare_game = Bare(spec, max(1, round(batch.counters["decisions"] / max(1, batch.counters["games"]))))
    bare = Batch(bare_game, bare_game.scenario("bare"), num_games, seed=seed)
    bare.random_rollouts(num_games)
    work = {"game": batch.random_rollouts, "bare": bare.random_rollouts}
    rates = _interleaved(work, seconds, chunk)
    counted = batch.counters
    raw_env = _pettingzoo_rate(lambda: _raw_env(game.name, chosen), seconds / 2)
    connect_four = _pettingzoo_rate(_connect_four, seconds / 2)
    return BenchResult(
        game=game.name,
        scenario=spec.scenario,
        options=dict(options),
        num_games=num_games,
        num_actions=spec.num_actions,
        observation_size=spec.observation_size,
        decisions=counted["decisions"],
        decision_rate=rates["game"],
        chance_rate=rates["game"] * counted["chance_events"] / counted["decisions"],
        bare_rate=rates["bare"],
        ratio=rates["game"] / rates["bare"],
        raw_env_rate=raw_env,
        connect_four_rate=connect_four,
        raw_env_ratio=raw_env / connect_four if connect_four else 0.0,
        backgammon_rate=_backgammon_rate(seconds / 2),
        second_process_seconds=_second_process(game.name, chosen),
    )


def result_table(result: BenchResult) -> Table:
    """The numbers as people read them."""
    options = " ".join(f"{key}={value}" for key, value in result.options.items())
    table = Table(title=f"{result.game} {result.scenario} {options}".strip(), title_justify="left")
    table.add_column("measured on one core")
    table.add_column("value", justify="right")
    size = f"{result.num_actions} actions, {result.observation_size} floats"
    rows = (
        (f"decisions a second, {result.num_games} random games", f"{result.decision_rate:,.0f}"),
        ("chance events a second, in the same time", f"{result.chance_rate:,.0f}"),
        (f"bare kernel writing the same mask and observation ({size})", f"{result.bare_rate:,.0f}"),
        ("ratio", f"{result.ratio:.2f}"),
        ("steps a second of raw_env", f"{result.raw_env_rate:,.0f}"),
        ("steps a second of PettingZoo's connect_four_v3.raw_env", f"{result.connect_four_rate:,.0f}"),
        ("ratio", f"{result.raw_env_ratio:.2f}"),
        ("choices a second of OpenSpiel's backgammon from Python", f"{result.backgammon_rate:,.0f}"),
        ("seconds to the first step in a second process", f"{result.second_process_seconds:.2f}"),
    )
    for row in rows:
        table.add_row(*row)
    return table


def games_table(results: Sequence[BenchResult]) -> Table:
    """A line for each game."""
    columns = ("decisions a second", "chance events", "bare kernel", "ratio", "raw_env steps", "first step")
    n = results[0].num_games
    title = f"each game's default scenario, {n} random games, on one core"
    table = Table(title=title, title_justify="left")
    table.add_column("game, scenario (actions, floats)")
    for column in columns:
        table.add_column(column, justify="right")
    for r in results:
        numbers = (f"{x:,.0f}" for x in (r.decision_rate, r.chance_rate, r.bare_rate))
        table.add_row(
            f"{r.game} {r.scenario} ({r.num_actions}, {r.observation_size})",
            *numbers,
            f"{r.ratio:.2f}",
            f"{r.raw_env_rate:,.0f}",
            f"{r.second_process_seconds:.2f} s",
        )
    table.caption = (
        f"PettingZoo's connect_four_v3.raw_env: {results[0].connect_four_rate:,.0f} steps a second"
    )
    return table


def _whole_games(batch: Batch, num_games: int) -> int:
    """Choices after which as many games have ended as are played side by side; compiles, too.

    Every rollout starts all games anew, so a shorter one would measure how games begin.
    """
    chunk, ended = 25 * num_games, 0
    while ended < num_games:
        chunk *= 2
        before = batch.counters["games"]
        batch.random_rollouts(chunk)
        ended = batch.counters["games"] - before
    return chunk


def _interleaved(work: Mapping[str, Callable[[int], int]], seconds: float, chunk: int) -> dict[str, float]:
    """Rate of each worker: units of work divided by its own time, in turns of `chunk` units."""
    spent, done = dict.fromkeys(work, 0.0), dict.fromkeys(work, 0)
    while min(spent.values()) < seconds:
        for name, run in work.items():
            start = time.process_time()
            done[name] += run(chunk)
            spent[name] += time.process_time() - start
    return {name: done[name] / spent[name] for name in work}


def _pettingzoo_rate(make: Callable[[], Any], seconds: float) -> float:
    """Steps a second of an AEC environment under uniformly random legal play, resets included."""
    try:
        env = make()
    except ImportError:
        return 0.0
    rng = np.random.default_rng(1)
    _play_one(env, 0, rng)  # compiles
    steps, seed, start = 0, 0, time.process_time()
    while time.process_time() - start < seconds:
        seed += 1
        steps += _play_one(env, seed, rng)
    return steps / (time.process_time() - start)


def _play_one(env: Any, seed: int, rng: np.random.Generator) -> int:
    """Play one random game; returns the number of actions taken."""
    env.reset(seed=seed)
    steps = 0
    for _ in env.agent_iter():
        observation, _, termination, truncation, _ = env.last()
        if termination or truncation:
            env.step(None)
            continue
        legal = np.flatnonzero(observation["action_mask"])
        env.step(int(legal[int(rng.random() * len(legal))]))
        steps += 1
    return steps


def _backgammon_rate(seconds: float) -> float:
    """Choices a second of random backgammon in OpenSpiel, with legal actions and a tensor for each."""
    try:
        import pyspiel
    except ImportError:
        return 0.0
    game, rng = pyspiel.load_game("backgammon"), np.random.default_rng(1)
    choices, start = 0, time.process_time()
    while time.process_time() - start < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                edges = np.cumsum(chances)
                state.apply_action(outcomes[int(np.searchsorted(edges, rng.random() * edges[-1], "right"))])
                continue
            legal = state.legal_actions()
            state.observation_tensor()
            choices += len(legal) > 1
            state.apply_action(legal[int(rng.random() * len(legal))])
    return choices / (time.process_time() - start)


def _connect_four() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of PettingZoo, about itself
        from pettingzoo.classic import connect_four_v3

        return connect_four_v3.raw_env()


def _raw_env(game: str, scenario: Scenario) -> Any:
    from fm_env.views.aec import RawAECGame

    return RawAECGame(game, scenario)


def _second_process(game: str, scenario: Scenario) -> float:
    """Seconds from the start of Python until a match has taken its first step."""
    code = (
        "import sys, json, fm_env\n"
        "options = json.loads(sys.argv[2])\n"
        "match = fm_env.load(sys.argv[1]).new_match(**options, seed=1)\n"
        "seat = match.pending[0]\n"
        "match.play(seat, match.legal_ids(seat)[0])\n"
        "match.observation(seat)\n"
    )
    command = [sys.executable, "-c", code, game, json.dumps(dict(scenario.options))]
    subprocess.run(command, check=True)  # compiles what was not compiled yet
    start = time.perf_counter()
    subprocess.run(command, check=True)
    return time.perf_counter() - start

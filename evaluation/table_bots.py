r"""What the hand-written bots of Fairy Meat's whole table promise, measured.

    python -m evaluation.table_bots --json evaluation/results/table_bots.json
    python -m evaluation.table_bots --only-wasted skirmish-1v1 skirmish-2v2 \
        --json evaluation/results/table_wasted.json
    python -m evaluation.table_bots --only-warbands skirmish-1v1 skirmish-2v2 \
        --json evaluation/results/table_warbands.json

- the share of their moves and attacks that comes to nothing, each bot against itself, in each size;
- how often `brawler` has killed by the end of round 5, against each bot;
- how the preset warbands do against each other when `tactician` plays both sides, at the points of a
  scenario: 25 in `skirmish-1v1`, 40 in `skirmish-2v2`, 75 in `skirmish`.
"""

from __future__ import annotations

import argparse
import itertools
import json
import platform
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numba
import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from agents.policy import write_atomically
from agents.registry import dispatcher, make
from agents.registry import table as bots_of
from evaluation.soak import rules_hash
from fm_env.batch import Batch
from fm_env.engine import engine_of
from fm_env.games.fairy_meat import actions as act
from fm_env.games.fairy_meat.constants import Mode, Phase
from fm_env.games.fairy_meat.presets import PRESET_NAMES
from fm_env.match import load
from fm_env.records import new_states
from fm_env.rng import child_seed, row_for

GAME = "fairy_meat"
BOTS = ("brawler", "sniper", "witch", "scavenger", "tactician")
SKIRMISHES = ("skirmish-1v1", "skirmish-2v2", "skirmish")
MOVES = range(act.MODE + Mode.POUNCE - 1, act.MODE + Mode.FLUTTER)
ATTACKS = range(act.ATTACK, act.WRESTLE + 1)
Matrix = dict[str, dict[str, float]]
"""Warband to opponent to win rate."""


def wasted_share(bot: str, games: int, seed: int, size: str = "skirmish") -> float:
    """Moves that end where they began and shots out of range (F-89), of all moves and attacks of a turn."""
    handle = load(GAME)
    scenario = handle.scenario(size)
    spec, engine = scenario.spec, engine_of(handle.game)
    states = new_states(spec, 1)
    mask, obs = np.zeros(spec.num_actions, np.bool_), np.zeros(spec.observation_size, np.float32)
    players = [make(bot, GAME) for _ in range(spec.num_seats)]
    acts = wasted = 0
    for k in range(games):
        game_seed = int(child_seed(seed, 0, k))
        engine.reset(states, 0, scenario.setup)
        for seat, player in enumerate(players):
            player.reset(spec, seat, game_seed + seat)
        chance = row_for(game_seed)
        while (seat := engine.advance_chance(states, 0, chance)) >= 0:
            engine.legal_mask(states, 0, seat, mask)
            engine.observe(states, 0, seat, obs)
            action = players[seat].act(obs, mask)
            acts += states["phase"][0] == Phase.ACT and (action in MOVES or action in ATTACKS)
            engine.apply(states, 0, seat, action)
        wasted += int(states["wasted"].sum())
    return wasted / acts


def played_by_bots(
    seats: Sequence[str], games: int, seed: int, scenario: str = "skirmish", **options: Any
) -> Batch:
    """A batch of finished games between compiled bots with their default parameters."""
    handle, table = load(GAME), bots_of(GAME)
    batch = Batch(handle.game, handle.scenario(scenario, **options), games, seed=seed, bots=dispatcher(GAME))
    for seat, name in enumerate(seats):
        batch.controllers[:, seat] = table[name].bot_id
        for k, param in enumerate(table[name].params.values()):
            batch.bot_params[:, seat, k] = param.default
    batch.reset()
    batch.advance()
    return batch


def early_kills(opponent: str, games: int, seed: int) -> float:
    """Share of games of five rounds in which `brawler` kills somebody; both seats in turn."""
    killed = 0
    for seat in range(2):
        seats = ["brawler", opponent] if seat == 0 else [opponent, "brawler"]
        batch = played_by_bots(seats, games // 2, seed, rounds=5)
        killed += int((batch.states["kills"][:, seat] > 0).sum())
    return killed / (games // 2 * 2)


def warband_score(mine: str, hers: str, games: int, seed: int, scenario: str = "skirmish") -> float:
    """Win rate (a draw is half) of a preset against another, `tactician` on both sides; seats swapped."""
    won = 0.0
    for seat in range(2):
        bands = [mine, hers] if seat == 0 else [hers, mine]
        batch = played_by_bots(["tactician"] * 2, games // 2, seed + seat, scenario, warbands=bands)
        won += float(((batch.returns[:, seat] + 1) / 2).sum())
    return won / (games // 2 * 2)


def warband_matrix(games: int, seed: int, scenario: str = "skirmish") -> Matrix:
    """Score of each preset against each other one, at the points of a scenario."""
    matrix: Matrix = {name: {} for name in PRESET_NAMES}
    pairs = list(itertools.combinations(PRESET_NAMES, 2))
    for mine, hers in track(pairs, f"warbands in {scenario}", console=Console(stderr=True), transient=True):
        matrix[mine][hers] = warband_score(mine, hers, games, seed, scenario)
        matrix[hers][mine] = 1.0 - matrix[mine][hers]
    return matrix


def overall_of(matrix: Matrix) -> dict[str, float]:
    """Score of each preset against all others, each opponent counting the same."""
    return {name: float(np.mean(list(row.values()))) for name, row in matrix.items()}


def warband_table(matrix: Matrix, scenario: str) -> Table:
    """A matrix to be shown, in percent."""
    shown = Table("warband", *PRESET_NAMES, "all", title=scenario)
    overall = overall_of(matrix)
    for name, row in matrix.items():
        cells = (f"{100 * row[other]:.0f}" if other in row else "" for other in PRESET_NAMES)
        shown.add_row(name, *cells, f"{overall[name]:.1%}")
    return shown


def report_of(arguments: Sequence[str], games: int, seed: int) -> dict[str, Any]:
    """What every result says of how it was made."""
    return {
        "command": "python -m evaluation.table_bots " + " ".join(arguments),
        "games": games,
        "seed": seed,
        "rules": rules_hash(GAME),
        "bots": {bot: make(bot, GAME).fingerprint() for bot in BOTS},
        "versions": {"python": platform.python_version(), "numba": numba.__version__},
    }


def measure_warbands(scenarios: Sequence[str], games: int, seed: int) -> dict[str, Any]:
    """The warbands of each scenario against each other, shown and as JSON."""
    found: dict[str, Any] = {}
    for scenario in scenarios:
        matrix = warband_matrix(games, seed, scenario)
        Console().print(warband_table(matrix, scenario))
        found[scenario] = {"overall": overall_of(matrix), "matrix": matrix}
    return {"warbands": found}


def measure_wasted(scenarios: Sequence[str], watched: int, seed: int) -> dict[str, Any]:
    """The wasted acts of each scenario, shown and as JSON."""
    found = {
        size: {bot: wasted_share(bot, watched, seed, size) for bot in ("random", *BOTS)} for size in scenarios
    }
    table = Table("wasted acts", *found)
    for bot in ("random", *BOTS):
        table.add_row(bot, *(f"{found[size][bot]:.1%}" for size in found))
    Console().print(table)
    return {"watched": watched, "wasted_by_scenario": found}


def measure_all(games: int, watched: int, seed: int) -> dict[str, Any]:
    """Everything that is promised of `skirmish`, shown and as JSON."""
    wasted = {bot: wasted_share(bot, watched, seed) for bot in ("random", *BOTS)}
    kills = {bot: early_kills(bot, games, seed) for bot in ("random", *BOTS)}
    matrix = warband_matrix(games, seed)
    table = Table("bot", "wasted acts", "brawler kills by round 5")
    for bot in wasted:
        table.add_row(bot, f"{wasted[bot]:.1%}", f"{kills[bot]:.1%}")
    for shown in (table, warband_table(matrix, "skirmish")):
        Console().print(shown)
    return {
        "watched": watched,
        "wasted": wasted,
        "brawler_kills_by_round_5": kills,
        "warbands": matrix,
        "warbands_overall": overall_of(matrix),
    }


def main(arguments: Sequence[str]) -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m evaluation.table_bots", description=__doc__)
    parser.add_argument("--games", type=int, default=400, help="a pair of bots or warbands")
    parser.add_argument("--watched", type=int, default=60, help="games a bot whose acts are counted")
    parser.add_argument("--only-warbands", nargs="+", metavar="SCENARIO", choices=SKIRMISHES)
    parser.add_argument("--only-wasted", nargs="+", metavar="SCENARIO", choices=SKIRMISHES)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args(arguments)
    if given.only_warbands:
        found = measure_warbands(given.only_warbands, given.games, given.seed)
    elif given.only_wasted:
        found = measure_wasted(given.only_wasted, given.watched, given.seed)
    else:
        found = measure_all(given.games, given.watched, given.seed)
    if given.json:
        report = report_of(arguments, given.games, given.seed) | found
        write_atomically(given.json, (json.dumps(report, indent=1) + "\n").encode())


if __name__ == "__main__":
    main(sys.argv[1:])

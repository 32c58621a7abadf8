"""What the hand-written bots of Fairy Meat's whole table promise, measured.

    python -m evaluation.table_bots --json evaluation/results/table_bots.json

- the share of their moves and attacks that comes to nothing, each bot against itself;
- how often `brawler` has killed by the end of round 5, against each bot;
- how the preset warbands do against each other when `tactician` plays both sides.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numba
import numpy as np
from rich.console import Console
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
MOVES = range(act.MODE + Mode.POUNCE - 1, act.MODE + Mode.FLUTTER)
ATTACKS = range(act.ATTACK, act.WRESTLE + 1)


def wasted_share(bot: str, games: int, seed: int) -> float:
    """Moves that end where they began and shots out of range (F-89), of all moves and attacks of a turn."""
    handle = load(GAME)
    scenario = handle.scenario("skirmish")
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


def played_by_bots(seats: Sequence[str], games: int, seed: int, **options: Any) -> Batch:
    """A batch of finished games between compiled bots with their default parameters."""
    handle, table = load(GAME), bots_of(GAME)
    batch = Batch(
        handle.game, handle.scenario("skirmish", **options), games, seed=seed, bots=dispatcher(GAME)
    )
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


def warband_score(mine: str, hers: str, games: int, seed: int) -> float:
    """Win rate (a draw is half) of a preset against another, `tactician` on both sides; seats swapped."""
    won = 0.0
    for seat in range(2):
        bands = [mine, hers] if seat == 0 else [hers, mine]
        batch = played_by_bots(["tactician"] * 2, games // 2, seed + seat, warbands=bands)
        won += float(((batch.returns[:, seat] + 1) / 2).sum())
    return won / (games // 2 * 2)


def warband_matrix(games: int, seed: int) -> dict[str, dict[str, float]]:
    """Score of each preset against each other one."""
    matrix: dict[str, dict[str, float]] = {name: {} for name in PRESET_NAMES}
    for i, mine in enumerate(PRESET_NAMES):
        for hers in PRESET_NAMES[i + 1 :]:
            matrix[mine][hers] = warband_score(mine, hers, games, seed)
            matrix[hers][mine] = 1.0 - matrix[mine][hers]
    return matrix


def main(arguments: Sequence[str]) -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m evaluation.table_bots", description=__doc__)
    parser.add_argument("--games", type=int, default=400, help="a pair of bots or warbands")
    parser.add_argument("--watched", type=int, default=60, help="games a bot whose acts are counted")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args(arguments)
    wasted = {bot: wasted_share(bot, given.watched, given.seed) for bot in ("random", *BOTS)}
    kills = {bot: early_kills(bot, given.games, given.seed) for bot in ("random", *BOTS)}
    matrix = warband_matrix(given.games, given.seed)
    overall = {name: float(np.mean(list(row.values()))) for name, row in matrix.items()}
    table = Table("bot", "wasted acts", "brawler kills by round 5")
    for bot in wasted:
        table.add_row(bot, f"{wasted[bot]:.1%}", f"{kills[bot]:.1%}")
    bands = Table("warband", *PRESET_NAMES, "all")
    for name, row in matrix.items():
        cells = (f"{100 * row[other]:.0f}" if other in row else "" for other in PRESET_NAMES)
        bands.add_row(name, *cells, f"{overall[name]:.1%}")
    for shown in (table, bands):
        Console().print(shown)
    if given.json:
        report: dict[str, Any] = {
            "command": "python -m evaluation.table_bots " + " ".join(arguments),
            "games": given.games,
            "watched": given.watched,
            "seed": given.seed,
            "rules": rules_hash(GAME),
            "bots": {bot: make(bot, GAME).fingerprint() for bot in BOTS},
            "versions": {"python": platform.python_version(), "numba": numba.__version__},
            "wasted": wasted,
            "brawler_kills_by_round_5": kills,
            "warbands": matrix,
            "warbands_overall": overall,
        }
        write_atomically(given.json, (json.dumps(report, indent=1) + "\n").encode())


if __name__ == "__main__":
    main(sys.argv[1:])

"""Making the tables that the agent `equilibrium` plays from out of solved profiles."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from agents.fairy_meat.clash_table import save_tables, set_key
from evaluation.report import versions
from evaluation.solve.cfr import Strategy, gap
from evaluation.solve.deal import Floats
from evaluation.solve.grid import key_of, load_profile
from evaluation.solve.layout import Layout, make_layout
from evaluation.solve.moves import Moves
from fm_env.contract import Game

Bytes = npt.NDArray[np.uint8]


def make_tables(
    game: Game, sizes: Sequence[tuple[int, int]], options: dict[str, Any], work: Path, out: Path
) -> dict[str, Any]:
    """Write the table of some hand sizes under the same options; returns its card.

    Args:
        game: fairy_meat.
        sizes: hands of attacker and defender; their profiles must lie in `work`.
        options: of the clash, beside the sizes.
        work: where `grid.solve_grid` keeps profiles.
        out: path without ending.
    """
    arrays: dict[str, npt.NDArray[Any]] = {}
    card: dict[str, Any] = {
        "game": "fairy_meat",
        "scenario": "clash",
        "options": options,
        "rules_version": game.scenario("clash").spec.rules_version,
        "sizes": [list(size) for size in sizes],
        "most": {},
        "nash_conv": {},
        "versions": versions(),
        "command": "fm-env solve --all --tables agents/tables",
    }
    for a, d in sizes:
        layout = make_layout(Moves(game.scenario("clash", a=a, d=d, **options)))
        profile = load_profile(work / f"{key_of({'a': a, 'd': d} | options)}.npz", layout)
        rounded = (in_bytes(layout, 0, profile[0]), in_bytes(layout, 1, profile[1]))
        for role in range(2):
            arrays |= {f"a{a}d{d}.{role}.{k}": v for k, v in pack(layout, role, rounded[role]).items()}
        card["pack"] = layout.moves.deal.pack.tolist()
        card["most"][f"a{a}d{d}"] = layout.moves.most
        card["nash_conv"][f"a{a}d{d}"] = gap(layout, rounded).nash_conv
    save_tables(out, card, arrays)
    return card


def in_bytes(layout: Layout, who: int, play: Strategy) -> Strategy:
    """The strategy that remains when chances are kept in bytes, the largest of a set as 255."""
    side = layout.sides[who]
    add = np.rint(play.declare[..., 0] * 255) / 255
    lay = np.rint(play.lay / play.lay.max(-1, keepdims=True) * 255)
    counts = np.diff(side.first)
    most = np.repeat(np.maximum.reduceat(play.main, side.first[:-1], axis=1), counts, axis=1)
    main = np.rint(play.main / most * 255)
    totals = np.repeat(np.add.reduceat(main, side.first[:-1], axis=1), counts, axis=1)
    return Strategy(np.stack([add, 1 - add], -1), lay / lay.sum(-1, keepdims=True), main / totals)


def pack(layout: Layout, who: int, play: Strategy) -> dict[str, npt.NDArray[Any]]:
    """Arrays of one role: see `agents.fairy_meat.clash_table`."""
    moves, side = layout.moves, layout.sides[who]
    keys: dict[str, list[int]] = {"lay": [], "main": []}
    rows: dict[str, list[Bytes]] = {"lay": [], "main": []}

    def add(stage: str, key: int, chances: Floats) -> None:
        keys[stage].append(key)
        rows[stage].append(np.rint(chances / chances.max() * 255).astype(np.uint8))

    for s in range(4):
        declared = play.declare[s // 2, :, s % 2] if who == 1 else play.declare[0, :, s // 2]
        for h in np.flatnonzero(declared > 0):
            legal = moves.lays[who][h]
            if legal.sum() > 1:
                add("lay", int(set_key(int(h), s, 0, 0, moves.most)), play.lay[s, h, legal])
        for node, show in enumerate(moves.shows):
            hers = show.lays[1 - who]
            # Face down, all that is seen of the other's lay is its number.
            seen = hers[0] if len(hers) == 1 else 2 * moves.most + moves.colour_and_n(hers[0])[1]
            for i in range(side.start[node], side.start[node + 1]):
                h, lay = int(side.hand[i]), int(side.lay[i])
                e0, e1 = side.first[i], side.first[i + 1]
                if e1 - e0 > 1 and declared[h] > 0 and play.lay[s, h, lay] > 0:
                    add("main", int(set_key(h, s, lay, seen, moves.most)), play.main[s, e0:e1])
    out: dict[str, npt.NDArray[Any]] = {"declare": np.rint(play.declare[..., 0] * 255).astype(np.uint8)}
    for stage in ("lay", "main"):
        order = np.argsort(np.array(keys[stage], np.int64), kind="stable")
        ordered = np.array(keys[stage], np.int64)[order]
        chosen = [rows[stage][k] for k in order]
        out[f"{stage}.keys"] = np.diff(ordered, prepend=0).astype(np.uint32)
        out[f"{stage}.counts"] = np.array([len(row) for row in chosen], np.uint8)
        out[f"{stage}.chances"] = np.concatenate(chosen) if chosen else np.zeros(0, np.uint8)
    return out

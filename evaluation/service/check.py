"""What players remember against what the database has, after the server was killed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from agents.service.keeping import restored
from agents.service.store import Store
from evaluation.service.players import Played
from fm_env.errors import FmEnvError


def check(db: Path, games: list[Played]) -> dict[str, Any]:
    """Count moves that were acknowledged and aren't there, and games that can't be played again.

    The last choice of a player who was cut off may be there or not.
    """
    store = Store(db)
    lost = invented = broken = 0
    try:
        for game in games:
            rows = store.move_rows(game.game_id)
            mine = [row["action"] for row in rows if row["by"] == "human"]
            kept = len(game.acknowledged)
            lost += sum(a != b for a, b in zip(game.acknowledged, mine, strict=False))
            lost += max(0, kept - len(mine))
            extra = mine[kept:]
            allowed = [] if game.in_flight is None else [game.in_flight[0]]
            invented += extra not in ([], allowed)
            row = store.game_row(game.game_id)
            try:
                broken += row is None or (restored(row, rows).outcome is None and game.over)
            except FmEnvError:
                broken += 1
    finally:
        store.close()
    return {
        "moves_acknowledged": sum(len(game.acknowledged) for game in games),
        "moves_lost": lost,
        "games": len(games),
        "games_finished": sum(game.over for game in games),
        "games_with_moves_nobody_made": invented,
        "games_that_cannot_be_played_again": int(broken),
    }

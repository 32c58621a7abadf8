"""Hosted games made: anew from a request, or as the database has them."""

from __future__ import annotations

import json

from agents.service.hosted import HostedGame, Move, stored_seats
from agents.service.protocol_hosted import CreateRequest, TimeControl
from agents.service.protocol_view import Outcome
from agents.service.seats import HostedSeat
from agents.service.setting import Setting, setting_of
from agents.service.store import Row, now
from fm_env.errors import LoadError


def new_game(
    game_id: str, setting: Setting, request: CreateRequest, seed: int
) -> tuple[HostedGame, dict[str, str]]:
    """A game as it was asked for, and the tokens of its creator's seats."""
    seats, tokens = [], {}
    for k, setup in enumerate(request.seats):
        agent = setup.agent if setup.kind == "agent" else None
        seat = HostedSeat(k, setup.kind, setup.name, agent, bank=request.time.bank)
        if setup.kind == "human":
            tokens[str(k)] = seat.give_token()
        seats.append(seat)
    game = HostedGame(
        game_id,
        setting,
        seats,
        seed=seed,
        seeded=request.seed is not None or "setup" in request.options,
        listed=request.listed,
        time=request.time,
        fallback=request.fallback,
        created=now(),
    )
    return game, tokens


def row_of(game: HostedGame) -> Row:
    """The game's own row."""
    return {
        "game_id": game.game_id,
        "created": game.created,
        "touched": now(),
        "game": game.setting.game.name,
        "options": dict(game.setting.scenario.options),
        "rules_version": game.setting.spec.rules_version,
        "seed": game.seed,
        "seeded": game.seeded,
        "listed": game.listed,
        "time": game.time.model_dump(),
        "fallback": game.fallback,
        "seats": stored_seats(game.seats),
        "status": game.status,
        "outcome": None,
    }


def restored(row: Row, moves: list[Row]) -> HostedGame:
    """The game as it was written, played again and compared by its hashes.

    Raises:
        LoadError: other rules, or a move that leads elsewhere.
    """
    options = dict(row["options"])
    scenario = options.pop("scenario", None)
    setting = setting_of(row["game"], scenario, json.dumps(options, sort_keys=True))
    if setting.spec.rules_version != row["rules_version"]:
        raise LoadError(
            f"game {row['game_id']}: written under rules version {row['rules_version']},"
            f" this is version {setting.spec.rules_version}"
        )
    time = TimeControl.model_validate(row["time"])
    seats = []
    for k, stored in enumerate(row["seats"]):
        resigned = stored.pop("resigned", False)
        seats.append(HostedSeat(k, **stored, bank=time.bank))
        if resigned:
            seats[-1].note("resigned")
    game = HostedGame(
        row["game_id"],
        setting,
        seats,
        seed=row["seed"],
        seeded=row["seeded"],
        listed=row["listed"],
        time=time,
        fallback=row["fallback"],
        created=row["created"],
    )
    for n, move in enumerate(moves):
        _replay(game, n, move)
    if row["outcome"] is not None:
        game.outcome = Outcome.model_validate(row["outcome"])
    return game


def _replay(game: HostedGame, n: int, row: Row) -> None:
    if row["n"] != n or row["seat"] not in game.running.pending:
        raise LoadError(f"game {game.game_id}: move {n} is missing or out of turn")
    if not game.running.mask(row["seat"])[row["action"]]:
        raise LoadError(f"game {game.game_id}: move {n} isn't legal")
    game.running.play(row["seat"], row["action"])
    if game.running.state_hash != row["state_hash"]:
        raise LoadError(f"game {game.game_id}: move {n} leads to another position than was written")
    seat = game.seats[row["seat"]]
    seat.bank = row["bank"]
    if row["why"] is not None:
        seat.fell_back(row["why"])
    elif row["by"] == "human":
        seat.chose()
    keys = ("seat", "action", "by", "why", "at", "state_hash", "thought")
    game.moves.append(Move(*(row[key] for key in keys)))

"""Going on with a dataset that was begun: is it the same one, and which of its shards are whole?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fm_env.errors import LoadError, SetupError
from training.dataset.layout import Header
from training.dataset.load import is_whole, read_header


def shard_name(k: int) -> str:
    """File of shard k."""
    return f"shard-{k:05d}.npz"


def continued(folder: Path, wanted: Header, games_per_shard: int | None) -> Header:
    """The header in a folder with the wanted number of games, and with those of its shards that stay.

    Args:
        folder: of the dataset.
        wanted: what is asked for.
        games_per_shard: None: as many as there.

    Raises:
        LoadError: the folder holds another dataset; the message says what differs.
        SetupError: it holds more games than are wanted.
    """
    old = read_header(folder)
    for name in ("game", "agents", "seed", "forced", "chances", "fields"):
        before, now = getattr(old, name), getattr(wanted, name)
        if before != now:
            raise LoadError(
                f"{folder} holds another dataset: {_difference(name, before, now)}; choose another folder"
            )
    if games_per_shard not in (None, old.games_per_shard):
        raise LoadError(
            f"{folder} holds another dataset: games_per_shard is {old.games_per_shard} there,"
            f" now {games_per_shard}; choose another folder"
        )
    there = sum(shard.games for shard in old.shards)
    if wanted.games < there:
        raise SetupError(f"games = {wanted.games:,}, but {folder} holds {there:,} already")
    per = old.games_per_shard
    sizes = {
        shard_name(first // per): min(per, wanted.games - first) for first in range(0, wanted.games, per)
    }
    whole = tuple(s for s in old.shards if sizes.get(s.file) == s.games and is_whole(folder, s))
    return old.model_copy(update={"games": wanted.games, "shards": whole})


def _difference(name: str, before: Any, now: Any) -> str:
    if name == "game":
        for part in type(before).model_fields:
            one, two = getattr(before, part), getattr(now, part)
            if one != two:
                return f"game.{part} is {one!r} there, now {two!r}"
    if name == "agents":
        one, two = [a.spec for a in before], [a.spec for a in now]
        if one == two:
            changed = next(a.spec for a, b in zip(before, now, strict=True) if a != b)
            return f"agent {changed!r} has changed since"
        return f"agents are {', '.join(one)} there, now {', '.join(two)}"
    if name == "fields":
        return "its fields differ"
    return f"{name} is {before!r} there, now {now!r}"

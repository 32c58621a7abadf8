"""Hosted games in SQLite, written as they happen.

One thread writes. It takes everything that waits into one transaction, so that a thousand games cost
few syncs; whoever wrote goes on only once its rows are on the disk (WAL, `synchronous=FULL`).
"""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy import event, exc

from fm_env.errors import LoadError

SCHEMA = 1
"""Rises with every change of the tables."""

metadata = sa.MetaData()

meta = sa.Table(
    "meta",
    metadata,
    sa.Column("key", sa.String, primary_key=True),
    sa.Column("value", sa.String, nullable=False),
)
games = sa.Table(
    "games",
    metadata,
    sa.Column("game_id", sa.String, primary_key=True),
    sa.Column("created", sa.Float, nullable=False),
    sa.Column("touched", sa.Float, nullable=False),
    sa.Column("game", sa.String, nullable=False),
    sa.Column("options", sa.JSON, nullable=False),  # those of the scenario, its name among them
    sa.Column("rules_version", sa.Integer, nullable=False),
    sa.Column("seed", sa.BigInteger, nullable=False),
    sa.Column("seeded", sa.Boolean, nullable=False),
    sa.Column("listed", sa.Boolean, nullable=False),
    sa.Column("time", sa.JSON, nullable=False),
    sa.Column("fallback", sa.String),
    sa.Column("seats", sa.JSON, nullable=False),  # kinds, names, agents, hashes of tokens
    sa.Column("status", sa.String, nullable=False, index=True),
    sa.Column("outcome", sa.JSON),
)
moves = sa.Table(
    "moves",
    metadata,
    sa.Column("game_id", sa.String, sa.ForeignKey("games.game_id"), primary_key=True),
    sa.Column("n", sa.Integer, primary_key=True),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("action", sa.Integer, nullable=False),
    sa.Column("by", sa.String, nullable=False),
    sa.Column("why", sa.String),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("bank", sa.Float, nullable=False),  # left to the seat after it
    sa.Column("state_hash", sa.String, nullable=False),
    sa.Column("thought", sa.JSON),
    sqlite_with_rowid=False,
)

INSERT_MOVE = sa.insert(moves)
INSERT_GAME = sa.insert(games)

Row = dict[str, Any]


class Write(NamedTuple):
    """One statement with its rows."""

    statement: Any
    rows: list[Row]


def update_game(game_id: str, **values: Any) -> Write:
    """Change columns of a game."""
    return Write(sa.update(games).where(games.c.game_id == game_id).values(**values), [])


class _Job(NamedTuple):
    writes: Sequence[Write]
    done: asyncio.Future[None]
    loop: asyncio.AbstractEventLoop


class Store:
    """The database file and the thread that writes it."""

    def __init__(self, file: Path | None) -> None:
        """Open or make the file; None keeps everything in memory, for as long as the process lives.

        Raises:
            LoadError: it isn't such a file, or of another version.
        """
        self.file = file
        if file is not None:
            file.parent.mkdir(parents=True, exist_ok=True)
        if file is None:
            self._engine = sa.create_engine(
                "sqlite://", poolclass=sa.StaticPool, connect_args={"check_same_thread": False}
            )
        else:
            self._engine = sa.create_engine(
                f"sqlite:///{file}", connect_args={"timeout": 30.0, "check_same_thread": False}
            )
        event.listen(self._engine, "connect", _configure)
        try:
            metadata.create_all(self._engine)
            self._check_version()
        except exc.DatabaseError as error:
            raise LoadError(f"--db {file}: not a database of this server: {error.orig}") from error
        self._jobs: queue.Queue[_Job | None] = queue.Queue()
        self.commits = 0
        self._writer = threading.Thread(target=self._write_all, name="store", daemon=True)
        self._writer.start()
        self._lock = threading.Lock()

    async def write(self, writes: Sequence[Write]) -> None:
        """Return once all of it is on the disk.

        Raises:
            LoadError: it couldn't be written; nothing of it was.
        """
        if not writes:
            return
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        self._jobs.put(_Job(writes, done, loop))
        await done

    def game_row(self, game_id: str) -> Row | None:
        """A game's row."""
        with self._engine.connect() as connection:
            found = connection.execute(sa.select(games).where(games.c.game_id == game_id)).mappings().first()
            return None if found is None else dict(found)

    def move_rows(self, game_id: str) -> list[Row]:
        """Its choices, in order."""
        query = sa.select(moves).where(moves.c.game_id == game_id).order_by(moves.c.n)
        with self._engine.connect() as connection:
            return [dict(row) for row in connection.execute(query).mappings()]

    def ids(self, *status: str, before: float | None = None) -> list[str]:
        """Games of these statuses, the latest first; `before`: not touched since."""
        query = sa.select(games.c.game_id).where(games.c.status.in_(status)).order_by(games.c.touched.desc())
        if before is not None:
            query = query.where(games.c.touched < before)
        with self._engine.connect() as connection:
            return list(connection.execute(query).scalars())

    def listed(self, limit: int) -> list[Row]:
        """Rows of listed games, newest first."""
        query = sa.select(games).where(games.c.listed).order_by(games.c.created.desc()).limit(limit)
        with self._engine.connect() as connection:
            return [dict(row) for row in connection.execute(query).mappings()]

    def close(self) -> None:
        """Write what waits, then close."""
        self._jobs.put(None)
        self._writer.join()
        self._engine.dispose()

    def _check_version(self) -> None:
        with self._engine.begin() as connection:
            found = connection.execute(sa.select(meta.c.value).where(meta.c.key == "schema")).scalar()
            if found is None:
                connection.execute(sa.insert(meta), [{"key": "schema", "value": str(SCHEMA)}])
            elif found != str(SCHEMA):
                raise LoadError(f"--db {self.file}: its tables are version {found}, this server has {SCHEMA}")

    def _write_all(self) -> None:
        with self._engine.connect() as connection:
            while (job := self._jobs.get()) is not None:
                jobs: list[_Job] = [job]
                last = False
                while len(jobs) < 500:
                    try:
                        more = self._jobs.get_nowait()
                    except queue.Empty:
                        break
                    if more is None:
                        last = True
                        break
                    jobs.append(more)
                self._commit(connection, jobs)
                if last:
                    return

    def _commit(self, connection: sa.Connection, jobs: list[_Job]) -> None:
        """All jobs in one transaction; if that fails, each by itself, so that one can't spoil the rest."""
        error = self._try(connection, jobs)
        for job in jobs:
            own = error if error is None or len(jobs) == 1 else self._try(connection, [job])
            job.loop.call_soon_threadsafe(_finish, job.done, own)

    def _try(self, connection: sa.Connection, jobs: list[_Job]) -> Exception | None:
        try:
            with connection.begin():
                for statement, rows in _joined(write for job in jobs for write in job.writes):
                    connection.execute(statement, rows) if rows else connection.execute(statement)
            self.commits += 1
        except Exception as error:
            return error
        return None


def _joined(writes: Any) -> list[Write]:
    """Neighbouring rows for the same table together."""
    joined: list[Write] = []
    for write in writes:
        if joined and write.rows and joined[-1].statement is write.statement:
            joined[-1].rows.extend(write.rows)
        else:
            joined.append(Write(write.statement, list(write.rows)))
    return joined


def _finish(done: asyncio.Future[None], error: Exception | None) -> None:
    if done.cancelled():
        return
    if error is None:
        done.set_result(None)
    else:
        done.set_exception(LoadError(f"the game could not be written: {error}"))


def _configure(connection: Any, record: Any) -> None:
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.close()


def now() -> float:
    """Seconds since 1970."""
    return time.time()

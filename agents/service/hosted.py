"""A hosted game: the running game, its seats, its clocks, and the rows that it writes.

Everything here is synchronous and changes memory only; `hall.py` writes the rows and wakes players.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from agents.service.choose import Thought, alternatives
from agents.service.protocol_hosted import TimeControl
from agents.service.protocol_view import (
    By,
    GameStatus,
    MoveInfo,
    Outcome,
    Record,
    SeatInfo,
    SeatStatus,
)
from agents.service.protocol_view import Thought as ThoughtInfo
from agents.service.running import RunningGame
from agents.service.seats import HostedSeat
from agents.service.setting import Setting, luck
from agents.service.store import INSERT_MOVE, Row, Write, now, update_game
from fm_env.errors import IllegalActionError
from fm_env.shown.viewers import SPECTATOR

NUM_KEPT = 5
"""Alternatives of a thought that are kept."""


class StaleError(IllegalActionError):
    """The view that an act is based on has changed since."""


class Move(NamedTuple):
    """A choice beside what the rules keep of it."""

    seat: int
    action: int
    by: By
    why: SeatStatus | None
    at: float
    state_hash: str
    thought: dict[str, Any] | None


class HostedGame:
    """One game of the hall."""

    def __init__(
        self,
        game_id: str,
        setting: Setting,
        seats: list[HostedSeat],
        *,
        seed: int,
        seeded: bool,
        listed: bool,
        time: TimeControl,
        fallback: str | None,
        created: float,
    ) -> None:
        """Set it up; it starts when no seat is open."""
        self.game_id, self.setting, self.seats = game_id, setting, seats
        self.seed, self.seeded, self.listed = seed, seeded, listed
        self.time, self.fallback, self.created = time, fallback, created
        self.running = RunningGame(setting, seed)
        self.moves: list[Move] = []
        self.outcome: Outcome | None = None
        self.rows: list[Write] = []
        """Not written yet."""
        self.seen: dict[int, tuple[int, list[SeatInfo]]] = {}
        """For each viewer its last version and the seats as they were shown with it."""

    # -- looking ----------------------------------------------------------------------------------
    @property
    def status(self) -> GameStatus:
        """`open`, `running` or `over`."""
        if self.outcome is not None:
            return "over"
        return "open" if any(seat.kind == "open" for seat in self.seats) else "running"

    def seat_of(self, token: str | None) -> int:
        """The seat of a token; SPECTATOR for none.

        Raises:
            PermissionError: nobody's token.
        """
        if token is None:
            return SPECTATOR
        found = [seat.seat for seat in self.seats if seat.owns(token)]
        if not found:
            raise PermissionError("token: it isn't one of this game's")
        return found[0]

    def owing(self) -> tuple[int, ...]:
        """Seats that owe a choice now."""
        return self.running.pending if self.status == "running" else ()

    def version(self, viewer: int) -> int:
        """Rises whenever the viewer's view changes: by the game, by who sits where, by its end."""
        joined = sum(seat.kind != "open" for seat in self.seats)
        return self.running.versions[viewer] + joined + 1000 * (self.outcome is not None)

    def record(self) -> Record:
        """Everything about a finished game.

        Raises:
            PermissionError: it isn't over.
        """
        if self.outcome is None:
            raise PermissionError("record: the game isn't over; its hidden cards would be shown")
        setting, texts = self.setting, self.setting.texts
        match = {
            "schema": 1,
            "game": setting.game.name,
            "options": dict(setting.scenario.options),
            "rules_version": setting.spec.rules_version,
            "seed": self.seed,
            "script": [],
            "events": [
                ["chance", setting.game.outcome_text(setting.spec, a)] if who < 0 else [who, texts[a]]
                for who, a in self.running.events
            ],
            "state_hash": self.running.state_hash,
        }
        return Record(
            game_id=self.game_id,
            seats=[seat.info() for seat in self.seats],
            outcome=self.outcome,
            match=match,
            moves=[
                MoveInfo(
                    n=n,
                    seat=move.seat,
                    action=move.action,
                    text=texts[move.action],
                    by=move.by,
                    why=move.why,
                    at=move.at,
                    state_hash=move.state_hash,
                )
                for n, move in enumerate(self.moves)
            ],
            thoughts=[
                ThoughtInfo(move=n, seat=move.seat, agent=self.seats[move.seat].agent or "", **move.thought)
                for n, move in enumerate(self.moves)
                if move.thought
            ],
        )

    # -- playing ----------------------------------------------------------------------------------
    def act(self, seat: int, given: int | str, version: int | None, clock: float) -> None:
        """A person chooses.

        Raises:
            StaleError: the view has changed since.
            IllegalActionError: not this seat's turn, or not legal.
        """
        if version is not None and version != self.version(seat):
            raise StaleError(f"version: the view is at {self.version(seat)}, the act is based on {version}")
        if self.status != "running":
            raise IllegalActionError(f"the game is {self.status}")
        action = self.running.action_of(seat, given)
        self.seats[seat].chose()
        self.play(seat, action, "human", clock)

    def play(
        self,
        seat: int,
        action: int,
        by: By,
        clock: float,
        why: SeatStatus | None = None,
        thought: Thought | None = None,
    ) -> None:
        """A legal action of a seat happens; the row that says so waits in `rows`."""
        player = self.seats[seat]
        player.spend(self.time.move if player.kind == "human" else None, clock)
        if why is not None:
            player.fell_back(why)
        kept = self._kept(seat, thought)
        self.running.play(seat, action)
        move = Move(seat, action, by, why, now(), self.running.state_hash, kept)
        row: Row = {
            "game_id": self.game_id,
            "n": len(self.moves),
            **move._asdict(),
            "bank": player.bank,
        }
        self.moves.append(move)
        self.rows.append(Write(INSERT_MOVE, [row]))
        if self.running.is_over:
            returns = self.running.returns()
            self._end(Outcome(how="played", returns=returns, winners=best(returns)))

    def fall_back_action(self, seat: int) -> int:
        """Evenly random among the legal actions, the same again after a restart."""
        legal = np.flatnonzero(self.running.mask(seat))
        return int(luck(self.seed, seat, self.running.choices, 7).choice(legal))

    def resign(self, seat: int) -> None:
        """A player gives up: of two the other wins, of more the fallback goes on for the seat.

        Raises:
            IllegalActionError: the game isn't running.
        """
        if self.status != "running":
            raise IllegalActionError(f"the game is {self.status}")
        self.seats[seat].note("resigned")
        self.rows.append(update_game(self.game_id, seats=stored_seats(self.seats)))
        if len(self.seats) > 2:
            return
        spec = self.setting.spec
        if len(self.seats) == 1:
            self._end(Outcome(how="resigned", returns=None, winners=[], loser=seat))
            return
        returns = [spec.max_return, spec.max_return]
        returns[seat] = spec.min_return
        if spec.return_sum is not None:
            returns[1 - seat] = spec.return_sum - spec.min_return
        self._end(Outcome(how="resigned", returns=returns, winners=[1 - seat], loser=seat))

    def seats_changed(self) -> None:
        """Somebody joined."""
        self.rows.append(
            update_game(self.game_id, seats=stored_seats(self.seats), status=self.status, touched=now())
        )

    def idle_since(self) -> float:
        """When something last happened, in seconds since 1970."""
        return self.moves[-1].at if self.moves else self.created

    def abandon(self) -> None:
        """Nobody goes on with it."""
        self._end(Outcome(how="abandoned", returns=None, winners=[]))

    def _end(self, outcome: Outcome) -> None:
        self.outcome = outcome
        self.rows.append(
            update_game(self.game_id, status="over", outcome=outcome.model_dump(), touched=now())
        )

    def _kept(self, seat: int, thought: Thought | None) -> dict[str, Any] | None:
        """What is stored of a thought, only where an agent has one worth keeping."""
        if thought is None or thought.probabilities is None:
            return None
        options = alternatives(self.setting, thought.probabilities, self.running.mask(seat), NUM_KEPT)
        if thought.win_estimate is None and (options is None or options[0].probability > 0.999):
            return None
        return {
            "win_estimate": thought.win_estimate,
            "alternatives": [option.model_dump() for option in options or []],
        }


def stored_seats(seats: list[HostedSeat]) -> list[Row]:
    """Seats for the database."""
    return [{**seat.stored(), "resigned": seat.status == "resigned"} for seat in seats]


def best(returns: list[float]) -> list[int]:
    """Seats with the highest return."""
    return [seat for seat, value in enumerate(returns) if value == max(returns)]

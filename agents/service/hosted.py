"""A hosted game: the running game, its seats, its clocks, and the rows that it writes.

Everything here is synchronous and changes memory only; `hall.py` writes the rows and wakes players.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import numpy as np

from agents.service.choose import Thought, alternatives
from agents.service.protocol_hosted import PARTS, CreateRequest, Part, TimeControl
from agents.service.protocol_view import (
    ActionInfo,
    EventInfo,
    GameStatus,
    MoveInfo,
    Outcome,
    Record,
    SeatStatus,
    View,
)
from agents.service.protocol_view import Thought as ThoughtInfo
from agents.service.running import RunningGame
from agents.service.seats import HostedSeat
from agents.service.setting import Setting, luck, setting_of
from agents.service.store import INSERT_MOVE, Row, Write, now, update_game
from fm_env import shown
from fm_env.errors import IllegalActionError, LoadError
from fm_env.shown import viewers
from fm_env.shown.viewers import SPECTATOR

NUM_KEPT = 5
"""Alternatives of a thought that are kept."""


class StaleError(IllegalActionError):
    """The view that an act is based on has changed since."""


class Move(NamedTuple):
    """A choice beside what the rules keep of it."""

    seat: int
    action: int
    by: str
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
        self._seen: dict[int, tuple[int, list[Any]]] = {}

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

    def view(
        self, viewer: int, clock: float, since: int = 0, parts: tuple[Part, ...] | list[Part] = PARTS
    ) -> View:
        """The game as a viewer sees it; `clock` is the loop's."""
        running, setting = self.running, self.setting
        spec, state, seat = setting.spec, running.state, None if viewer == SPECTATOR else viewer
        my_turn = viewer in self.owing()
        told = running.told(viewer) if "events" in parts else []
        wants = set(parts)
        return View(
            game_id=self.game_id,
            game=spec.game,
            scenario=spec.scenario,
            options=dict(setting.scenario.options),
            rules_version=spec.rules_version,
            observation_version=spec.observation_version,
            seat=seat,
            seats=[self._info(viewer, other) for other in self.seats],
            seeded=self.seeded,
            status=self.status,
            version=self.version(viewer),
            your_turn=my_turn,
            waiting_for=list(running.waiting[viewer]) if self.status == "running" else [],
            actions=self._actions(viewer, "words" in wants) if my_turn and "actions" in wants else [],
            clock=None if seat is None else self.seats[seat].clock(self.time.move, clock),
            events=[
                EventInfo(n=since + k, seat=event.seat, words=event.words)
                for k, event in enumerate(told[since:])
            ],
            next_event=len(told) if "events" in wants else since,
            points=viewers.points(setting.game, state),
            outcome=self.outcome,
            text=viewers.text(setting.game, state, viewer) if "text" in wants else None,
            table=shown.position(setting.game, state, viewer) if "table" in wants else None,
            svg=svg_of(setting, state, viewer) if "svg" in wants else None,
            observation=running.observation(viewer).tolist()
            if "observation" in wants and seat is not None
            else None,
        )

    def _info(self, viewer: int, seat: HostedSeat) -> Any:
        """Troubles at other seats are shown as of the viewer's last change: they tell that a seat chose."""
        version = self.version(viewer)
        seen = self._seen.get(viewer)
        if seen is None or seen[0] != version:
            seen = self._seen[viewer] = version, [other.info() for other in self.seats]
        return seat.info() if seat.seat == viewer else seen[1][seat.seat]

    def _actions(self, seat: int, words: bool) -> list[ActionInfo]:
        legal = np.flatnonzero(self.running.mask(seat)).tolist()
        setting = self.setting
        if not words:
            return [ActionInfo(id=a, text=setting.texts[a]) for a in legal]
        offered = shown.choices(setting.game, setting.spec, self.running.state, seat, legal)
        return [ActionInfo.model_validate(each) for each in offered]

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
                    by=move.by,  # type: ignore[arg-type]
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
        by: str,
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
        self.rows.append(update_game(self.game_id, seats=self._stored_seats()))
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

    # -- storing ----------------------------------------------------------------------------------
    def row(self) -> Row:
        """The game's own row."""
        return {
            "game_id": self.game_id,
            "created": self.created,
            "touched": now(),
            "game": self.setting.game.name,
            "options": dict(self.setting.scenario.options),
            "rules_version": self.setting.spec.rules_version,
            "seed": self.seed,
            "seeded": self.seeded,
            "listed": self.listed,
            "time": self.time.model_dump(),
            "fallback": self.fallback,
            "seats": self._stored_seats(),
            "status": self.status,
            "outcome": None,
        }

    def seats_changed(self) -> None:
        """Somebody joined."""
        self.rows.append(
            update_game(self.game_id, seats=self._stored_seats(), status=self.status, touched=now())
        )

    def _stored_seats(self) -> list[Row]:
        return [{**seat.stored(), "resigned": seat.status == "resigned"} for seat in self.seats]

    @classmethod
    def restored(cls, row: Row, moves: list[Row]) -> HostedGame:
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
        game = cls(
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
            game._replay(n, move)
        if row["outcome"] is not None:
            game.outcome = Outcome.model_validate(row["outcome"])
        return game

    def _replay(self, n: int, row: Row) -> None:
        if row["n"] != n or row["seat"] not in self.running.pending:
            raise LoadError(f"game {self.game_id}: move {n} is missing or out of turn")
        if not self.running.mask(row["seat"])[row["action"]]:
            raise LoadError(f"game {self.game_id}: move {n} isn't legal")
        self.running.play(row["seat"], row["action"])
        if self.running.state_hash != row["state_hash"]:
            raise LoadError(f"game {self.game_id}: move {n} leads to another position than was written")
        seat = self.seats[row["seat"]]
        seat.bank = row["bank"]
        if row["why"] is not None:
            seat.fell_back(row["why"])
        elif row["by"] == "human":
            seat.chose()
        keys = ("seat", "action", "by", "why", "at", "state_hash", "thought")
        self.moves.append(Move(*(row[key] for key in keys)))


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
        seeded=request.seed is not None,
        listed=request.listed,
        time=request.time,
        fallback=request.fallback,
        created=now(),
    )
    return game, tokens


def best(returns: list[float]) -> list[int]:
    """Seats with the highest return."""
    return [seat for seat, value in enumerate(returns) if value == max(returns)]


def svg_of(setting: Setting, state: Any, viewer: int) -> str | None:
    """The whole table as a picture; other positions and spectators have none."""
    if setting.game.name != "fairy_meat" or not setting.spec.scenario.startswith("skirmish"):
        return None
    if viewer == SPECTATOR:
        return None
    from fm_env.games.fairy_meat.picture_table import table_svg

    return table_svg(state, viewer)

"""Checked play of one game, in words or ids: for people, tests, tools and anything not in a hurry."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from fm_env import registry
from fm_env.contract import CHANCE, TERMINAL, Game, GameSpec, Mask, Observation, Scenario
from fm_env.engine import Engine, engine_of
from fm_env.errors import IllegalActionError, SetupError, suggestion
from fm_env.records import as_record, new_states, state_hash
from fm_env.rng import as_seed, row_for
from fm_env.sampler import Lookouts, Sampler


class Event(NamedTuple):
    """Something that happened in a match."""

    seat: int
    """Who chose, or CHANCE."""
    text: str
    """Text of the action or outcome, as `Match.play` takes it."""
    words: str
    """What it did, in a sentence (all-seeing)."""


class Match:
    """One running game. Nothing illegal gets through, and a refused action changes nothing.

    A match sees everything: hand an agent `observation` and `mask`, never the match.
    """

    def __init__(
        self, game: Game, scenario: Scenario, *, seed: int | None = None, chance: Sequence[str] | None = None
    ) -> None:
        """Start a game and resolve its first chance events.

        Args:
            game: the game or its handle.
            scenario: made by `game.scenario`.
            seed: names the luck, as in `fm_env.batch.Batch`. None takes fresh luck, unless
                `chance` is given: then every draw has to be in it.
            chance: texts of the first draws, in order.

        Raises:
            SetupError: a scripted draw is impossible or missing.
        """
        self.game: Game = getattr(game, "game", game)
        self.scenario = scenario
        self.seed = None if seed is None and chance is not None else as_seed(seed)
        self.script = tuple(chance or ())
        self._texts = _texts_of(self.game, scenario.spec)
        self._rng = None if self.seed is None else row_for(self.seed)
        self._states = new_states(scenario.spec, 1)
        self._events: list[tuple[int, int]] = []
        self._past: list[_Moment] = []
        self._lookouts = Lookouts(self.game, scenario.spec)
        self._engine.reset(self._states, 0, scenario.setup)
        self._resolve_chance()

    @property
    def spec(self) -> GameSpec:
        """Facts of the scenario."""
        return self.scenario.spec

    @property
    def pending(self) -> tuple[int, ...]:
        """Seats that owe a choice now; they choose without knowing each other's."""
        bits = self._engine.pending(self._states, 0)
        return tuple(seat for seat in range(self.spec.num_seats) if bits >> seat & 1)

    @property
    def is_over(self) -> bool:
        """True when nobody has anything left to choose."""
        return self._engine.to_act(self._states, 0) == TERMINAL

    @property
    def state(self) -> np.record:
        """A copy of the state record."""
        return as_record(self._states.copy(), 0)

    @property
    def state_hash(self) -> str:
        """Tells positions apart; see `fm_env.records.state_hash`."""
        return state_hash(self._states)

    @property
    def events(self) -> tuple[tuple[int, int], ...]:
        """Everything that happened as `(seat or CHANCE, id)`."""
        return tuple(self._events)

    @property
    def log(self) -> tuple[Event, ...]:
        """Everything that happened, in texts and words."""
        states, log = new_states(self.spec, 1), list[Event]()
        self._engine.reset(states, 0, self.scenario.setup)
        for seat, action in self._events:
            before = states.copy()
            self._apply(states, seat, action)
            words = self.game.event_text(as_record(before, 0), seat, action, as_record(states, 0))
            log.append(Event(seat, self._text_of(seat, action), words))
        return tuple(log)

    @property
    def texts(self) -> tuple[tuple[int, str], ...]:
        """Everything that happened as `(seat or CHANCE, text)`."""
        return tuple((seat, self._text_of(seat, action)) for seat, action in self._events)

    def mask(self, seat: int) -> Mask:
        """`[A]` bool, True = legal; all False for a seat that owes nothing."""
        out = np.ones(self.spec.num_actions, np.bool_)
        self._engine.legal_mask(self._states, 0, self._seat(seat), out)
        return out

    def legal_ids(self, seat: int) -> tuple[int, ...]:
        """Ids of what `seat` may choose now."""
        return tuple(np.flatnonzero(self.mask(seat)).tolist())

    def legal(self, seat: int) -> tuple[str, ...]:
        """Texts of what `seat` may choose now."""
        return tuple(self._texts.actions[a] for a in self.legal_ids(seat))

    def observation(self, seat: int) -> Observation:
        """`[F]` f4, what `seat` may know."""
        out = np.zeros(self.spec.observation_size, np.float32)
        self._engine.observe(self._states, 0, self._seat(seat), out)
        return out

    def sampler(self, seat: int) -> Sampler:
        """What `seat`, which owes a choice, may imagine: for agents that search."""
        return self._lookouts.sampler(self._states, 0, self._seat(seat))

    def returns(self) -> tuple[float, ...]:
        """Utilities of all seats; zeros before the end."""
        out = np.zeros(self.spec.num_seats, np.float64)
        self._engine.returns(self._states, 0, out)
        return tuple(out.tolist())

    def play(self, seat: int, action: str | int) -> None:
        """`seat` takes an action, by text or id; then chance is resolved.

        Raises:
            IllegalActionError: not this seat's turn, no such action, or not legal now.
            SetupError: a scripted draw that follows is impossible or missing.
        """
        seat = self._seat(seat)
        chosen = self._checked(seat, action)
        self._past.append(self._moment())
        self._lookouts.chosen(self._states, 0, seat, chosen)
        try:
            self._happen(seat, chosen)
            self._resolve_chance()
        except SetupError:
            self.undo()
            raise

    def undo(self) -> None:
        """Go back to before the last choice of a seat, with the luck that followed taken back too.

        Raises:
            IllegalActionError: no choice was made yet.
        """
        if not self._past:
            raise IllegalActionError("there is nothing to undo: no seat has chosen yet")
        moment = self._past.pop()
        self._states[:] = moment.states
        self._rng = None if moment.rng is None else moment.rng.copy()
        del self._events[moment.num_events :]
        self._lookouts = Lookouts(self.game, self.spec)

    def clone(self) -> Match:
        """An independent match at the same point, with the same luck to come."""
        twin = object.__new__(Match)
        twin.__dict__.update(self.__dict__)
        twin._states = self._states.copy()
        twin._rng = None if self._rng is None else self._rng.copy()
        twin._lookouts = Lookouts(self.game, self.spec)
        twin._events, twin._past = self._events.copy(), self._past.copy()
        return twin

    def to_json(self) -> str:
        """The whole match as text; `Match.from_json` goes on from the same point."""
        from fm_env.saved import match_to_json

        return match_to_json(self)

    @staticmethod
    def from_json(text: str | bytes) -> Match:
        """The match that `to_json` wrote, played again from the start and compared.

        Raises:
            LoadError: not such a text, made by other rules, or changed since.
        """
        from fm_env.saved import match_from_json

        return match_from_json(text)

    def text(self, seat: int | None = None) -> str:
        """The position in words as `seat` sees it; None sees everything."""
        return self.game.state_text(self.state, None if seat is None else self._seat(seat))

    def __str__(self) -> str:
        return self.text()

    def __copy__(self) -> Match:
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> Match:
        return self.clone()

    def __reduce__(self) -> tuple[Any, ...]:
        return Match.from_json, (self.to_json(),)

    @property
    def _engine(self) -> Engine:
        return engine_of(self.game)

    def _seat(self, seat: int) -> int:
        if seat not in range(self.spec.num_seats):
            raise IllegalActionError(f"seat: expected 0 to {self.spec.num_seats - 1}, got {seat!r}")
        return int(seat)

    def _checked(self, seat: int, action: str | int) -> int:
        if isinstance(action, str):
            chosen = self._texts.action_ids.get(action, -1)
        else:
            try:
                chosen = int(action)
            except (TypeError, ValueError, OverflowError):  # what a saved file may hold
                chosen = -1
        if chosen not in range(self.spec.num_actions):
            known = (
                suggestion(str(action), self.legal(seat)) if seat in self.pending else "not its turn either"
            )
            raise IllegalActionError(f"seat {seat}: there is no action {action!r} ({known})")
        shown = f"seat {seat}: {self._texts.actions[chosen]!r} is not legal"
        if seat not in self.pending:
            why = "the game is over" if self.is_over else f"seats that owe a choice: {list(self.pending)}"
            raise IllegalActionError(f"{shown}: {why}")
        if not self.mask(seat)[chosen]:
            raise IllegalActionError(f"{shown}; legal: {', '.join(self.legal(seat))}")
        return chosen

    def _moment(self) -> _Moment:
        return _Moment(
            self._states.copy(), None if self._rng is None else self._rng.copy(), len(self._events)
        )

    def _happen(self, seat: int, action: int) -> None:
        self._apply(self._states, seat, action)
        self._events.append((seat, action))

    def _apply(self, states: Any, seat: int, action: int) -> None:
        if seat == CHANCE:
            self._engine.apply_chance(states, 0, action)
        else:
            self._engine.apply(states, 0, seat, action)

    def _text_of(self, seat: int, action: int) -> str:
        return (self._texts.outcomes if seat == CHANCE else self._texts.actions)[action]

    def _resolve_chance(self) -> None:
        while self._engine.to_act(self._states, 0) == CHANCE:
            draw = sum(seat == CHANCE for seat, _ in self._events)
            if draw < len(self.script):
                outcome = self._scripted(draw)
            elif self._rng is not None:
                outcome = self._engine.draw_chance(self._states, 0, self._rng)
            else:
                raise SetupError(
                    f"chance: draw {draw + 1} is not in the script and the match has no seed; "
                    f"possible: {', '.join(self._possible())}"
                )
            self._happen(CHANCE, outcome)

    def _scripted(self, draw: int) -> int:
        text, possible = self.script[draw], self._possible()
        if text not in possible:
            raise SetupError(f"chance: draw {draw + 1} can't be {text!r}; possible: {', '.join(possible)}")
        return self._texts.outcomes.index(text)

    def _possible(self) -> tuple[str, ...]:
        weights = np.zeros(self.spec.num_chance_outcomes, np.int64)
        self._engine.chance_weights(self._states, 0, weights)
        return tuple(self._texts.outcomes[c] for c in np.flatnonzero(weights))


class GameHandle:
    """A game made ready to use: what `fm_env.load` returns."""

    def __init__(self, game: Game) -> None:
        """Wrap a game object."""
        self.game = game
        self.name = game.name
        self.kernel = game.kernel
        self.default_scenario = game.default_scenario

    def __repr__(self) -> str:
        return f"<game {self.name}: {', '.join(self.scenario_names())}>"

    @property
    def engine(self) -> Engine:
        """The compiled rules."""
        return engine_of(self.game)

    def scenario_names(self) -> tuple[str, ...]:
        """Names that `scenario` accepts."""
        return self.game.scenario_names()

    def scenario(self, scenario: str | None = None, **options: Any) -> Scenario:
        """Validate options and make a scenario; None is the game's default one."""
        return self.game.scenario(scenario or self.default_scenario, **options)

    def spec(self, scenario: str | None = None, **options: Any) -> GameSpec:
        """The facts of a scenario."""
        return self.scenario(scenario, **options).spec

    def new_match(
        self,
        scenario: str | Scenario | None = None,
        *,
        seed: int | None = None,
        setup: Any = None,
        chance: Sequence[str] | None = None,
        **options: Any,
    ) -> Match:
        """Start a checked game.

        Args:
            scenario: name, or one that was made already; None is the default one.
            seed: names the luck; None is fresh luck, or none at all beyond `chance`.
            setup: a position to start from, as the scenario describes it.
            chance: texts of the first draws.
            **options: of the scenario.
        """
        if setup is not None:
            options["setup"] = setup
        if isinstance(scenario, Scenario):
            if options:
                raise SetupError(f"options {sorted(options)} can't be added to a scenario made before")
        else:
            scenario = self.scenario(scenario, **options)
        return Match(self.game, scenario, seed=seed, chance=chance)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "game":
            raise AttributeError(name)
        return getattr(self.game, name)  # the rest of the contract: texts, labels


def load(name: str) -> GameHandle:
    """The game registered as `name`.

    Raises:
        UnknownNameError: with the closest known names.
    """
    return GameHandle(registry.find(name))


class _Moment(NamedTuple):
    states: Any
    rng: Any
    num_events: int


class _Texts:
    """Texts of all ids of one scenario."""

    def __init__(self, game: Game, spec: GameSpec) -> None:
        self.actions = tuple(game.action_text(spec, a) for a in range(spec.num_actions))
        self.outcomes = tuple(game.outcome_text(spec, c) for c in range(spec.num_chance_outcomes))
        self.action_ids = {text: a for a, text in enumerate(self.actions)}


def _texts_of(game: Game, spec: GameSpec) -> _Texts:
    key = (game.name, spec)
    if key not in _texts:
        _texts[key] = _Texts(game, spec)
    return _texts[key]


_texts: dict[tuple[str, GameSpec], _Texts] = {}

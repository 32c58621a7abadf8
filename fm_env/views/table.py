"""One running game: what every view of a single game is built on.

A `Table` holds the state record and the generator that plays chance. It can be copied, pickled
and written as JSON at any moment; the copy goes on exactly as the original would have.
"""

from __future__ import annotations

import base64
import operator
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from fm_env import registry
from fm_env.contract import TERMINAL, Game, Mask, Observation, Scenario
from fm_env.engine import engine_of
from fm_env.errors import FmEnvError, IllegalActionError, LoadError, SetupError
from fm_env.records import as_record, new_states, rows_of
from fm_env.rng import as_seed, row_for
from fm_env.saved import refuse_files

SCHEMA = 1
"""Version of the JSON form; rises when an older file can no longer be read."""


class Table:
    """A game being played, seen from outside its rules.

    Attributes:
        seat: the seat to choose next, or TERMINAL; chance never waits.
        legal: `[A]` bool, True = legal for `seat`; all False at the end. Overwritten by every move.
        num_legal: how many entries of `legal` are True.
        rng: `[4]` i8, the generator of chance.
    """

    def __init__(self, game: Game, scenario: Scenario, *, skip_forced: bool = False) -> None:
        """Args: `skip_forced` plays a seat's only legal action for it."""
        self.game = game
        self.scenario = scenario
        self.spec = scenario.spec
        self.skip_forced = skip_forced
        self.states = new_states(self.spec, 1)
        self.rng = row_for(as_seed(None))
        self.legal: Mask = np.zeros(self.spec.num_actions, np.bool_)
        self.num_legal = 0
        self.seat = TERMINAL
        self._bind()

    def _bind(self) -> None:
        # Entry points are bound once: a lookup through the engine costs as much as a small rule.
        engine = engine_of(self.game)
        self.engine = engine
        self._setup = rows_of(self.scenario.setup)
        self._apply = engine.apply
        self._advance = engine.advance_chance
        self._legal_mask = engine.legal_mask
        self._observe = engine.observe

    # -- play -------------------------------------------------------------------------------

    def reset(self, seed: int | None = None) -> None:
        """Start a game. Without a seed the generator goes on from where the last game left it."""
        if seed is not None:
            self.rng[:] = row_for(as_seed(seed))
        self.engine.reset(self.states, 0, self._setup)
        self._settle()

    def play(self, seat: int, action: int) -> None:
        """`seat`, which owes a choice, takes a legal action; chance follows. Unchecked."""
        self._apply(self.states, 0, seat, action)
        self._settle()

    def play_together(self, choices: Mapping[int, int]) -> None:
        """Every seat that owes a choice takes a legal action; chance follows. Unchecked."""
        for seat, action in choices.items():
            self._apply(self.states, 0, seat, action)
        self._settle()

    def _settle(self) -> None:
        states, legal = self.states, self.legal
        seat = self._advance(states, 0, self.rng)
        count = self._legal_mask(states, 0, seat, legal) if seat >= 0 else 0
        if self.skip_forced:
            while count == 1:
                self._apply(states, 0, seat, int(legal.argmax()))
                seat = self._advance(states, 0, self.rng)
                count = self._legal_mask(states, 0, seat, legal) if seat >= 0 else 0
        if seat < 0:
            legal[:] = False
        self.seat = seat
        self.num_legal = count

    # -- look -------------------------------------------------------------------------------

    def pending(self) -> tuple[int, ...]:
        """The seats that owe a choice now."""
        bits = self.engine.pending(self.states, 0)
        return tuple(seat for seat in range(self.spec.num_seats) if bits >> seat & 1)

    def legal_mask(self, seat: int, out: Mask) -> int:
        """Fill `out[A]` with the legal actions of `seat` and count them; 0 if it owes nothing."""
        return self._legal_mask(self.states, 0, seat, out)

    def observation(self, seat: int) -> Observation:
        """What `seat` may know: a fresh `[F]` f4 array."""
        out = np.empty(self.spec.observation_size, np.float32)
        self._observe(self.states, 0, seat, out)
        return out

    def returns(self) -> list[float]:
        """Utility of each seat; zeros before the end."""
        out = np.empty(self.spec.num_seats, np.float64)
        self.engine.returns(self.states, 0, out)
        return out.tolist()

    def record(self) -> np.record:
        """The state, for the game's texts and pictures; not to be written to."""
        return as_record(self.states, 0)

    def text(self, seat: int | None = None) -> str:
        """The position in words as `seat` sees it; None sees everything."""
        return self.game.state_text(self.record(), seat)

    def refuse(self, seat: int, action: object) -> IllegalActionError:
        """The error that explains why `seat` can't play `action` here."""
        wait = self.spec.num_actions
        number = action_number(action, wait + 1)
        mask = np.zeros(wait, np.bool_)
        owes = self.legal_mask(seat, mask) > 0
        if number is None:
            why = f"expected an id from 0 to {wait}"
        elif not owes:
            why = f"it owes nothing, so it can only wait ({wait})"
        elif number == wait:
            why = "it has to choose, and can't wait"
        else:
            why = f"{self.game.action_text(self.spec, number)!r} isn't legal here"
        texts = [f"{i}: {self.game.action_text(self.spec, int(i))}" for i in np.flatnonzero(mask)]
        legal = ", ".join(texts) or f"{wait}: wait"
        return IllegalActionError(f"player_{seat}, action {action!r}: {why}\nlegal: {legal}\n{self.text()}")

    # -- copy, save, load -------------------------------------------------------------------

    def copy(self) -> Table:
        """An independent table at the same point of the same game."""
        other: Table = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other.states = self.states.copy()
        other.rng = self.rng.copy()
        other.legal = self.legal.copy()
        return other

    def __copy__(self) -> Table:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Table:
        return self.copy()

    def __getstate__(self) -> dict[str, Any]:
        return self.to_dict()

    def __setstate__(self, saved: dict[str, Any]) -> None:
        self.__dict__.update(Table.from_dict(saved).__dict__)

    def to_dict(self) -> dict[str, Any]:
        """A JSON-able record of the running game."""
        return {
            "game": self.game.name,
            "options": dict(self.scenario.options),
            "rules_version": self.spec.rules_version,
            "skip_forced": self.skip_forced,
            "state": base64.b64encode(self.states.tobytes()).decode("ascii"),
            "generator": [int(word) for word in self.rng],
        }

    @classmethod
    def from_dict(cls, saved: Mapping[str, Any]) -> Table:
        """The table that `to_dict` described.

        Raises:
            LoadError: made under other rules, or damaged.
        """
        try:
            game = find_game(saved["game"])
            refuse_files(saved["options"])
            scenario = game.scenario(**saved["options"])
            state = base64.b64decode(saved["state"], validate=True)
            words = np.array(saved["generator"], np.int64)
            version, skip_forced = saved["rules_version"], bool(saved["skip_forced"])
        except FmEnvError as error:
            raise LoadError(f"saved game: {error}") from error
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise LoadError(f"saved game: {type(error).__name__}: {error}") from error
        spec = scenario.spec
        if version != spec.rules_version:
            raise LoadError(f"saved game: rules version {version}, this package plays {spec.rules_version}")
        if len(state) != spec.state_dtype.itemsize or words.shape != (4,):
            raise LoadError(
                f"saved game: state of {len(state)} bytes, expected {spec.state_dtype.itemsize};"
                f" generator of shape {words.shape}, expected (4,)"
            )
        table = cls(game, scenario, skip_forced=skip_forced)
        table.states.view(np.uint8).reshape(-1)[:] = np.frombuffer(state, np.uint8)
        table.rng[:] = words
        # A state between two moves waits for a seat, so settling it again changes nothing.
        if faults := table.engine.faults(table.states, 0):
            raise LoadError(f"saved game: the position is unsound (fault flags {faults:#x})")
        table._settle()
        return table


def find_game(game: str | Game) -> Game:
    """A game by name, or the game (or its handle) itself."""
    if isinstance(game, str):
        return registry.find(game)
    return getattr(game, "game", game)


def find_scenario(
    game: Game,
    scenario: str | Path | Mapping[str, Any] | Scenario | None = None,
    setup: Mapping[str, Any] | None = None,
    options: Mapping[str, Any] | None = None,
) -> Scenario:
    """What every view's constructor accepts as its scenario.

    Args:
        game: the game.
        scenario: a name; the path of a TOML file (ends in ".toml"); a dict such as such a file
            holds, with the name under "scenario"; a Scenario; None for the game's default.
        setup: where the game begins, if not at the scenario's own beginning.
        options: options of the scenario; they win over those of a file or dict.

    Raises:
        SetupError: names the field, what was given and what was expected.
    """
    if isinstance(scenario, Scenario):
        if setup is not None or options:
            raise SetupError("scenario: a finished Scenario takes no further setup or options")
        return scenario
    given: dict[str, Any] = {}
    if isinstance(scenario, Path) or (isinstance(scenario, str) and scenario.endswith(".toml")):
        given = _read_toml(Path(scenario))
    elif isinstance(scenario, Mapping):
        given = dict(scenario)
    elif scenario is not None:
        given = {"scenario": scenario}
    given.update(options or {})
    if setup is not None:
        given["setup"] = setup
    name = given.pop("scenario", None)
    if name is None:
        name = game.default_scenario
    if not isinstance(name, str):
        raise SetupError(f"scenario: expected the name of a scenario, got {name!r}")
    return game.scenario(name, **given)


def _read_toml(path: Path) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SetupError(f"scenario: can't read {path}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SetupError(f"scenario: {path} isn't TOML: {error}") from error


def action_number(action: object, num_actions: int) -> int | None:
    """`action` as an id below `num_actions`, None if it isn't one."""
    try:
        number = operator.index(action)  # type: ignore[arg-type]
    except TypeError:
        return None
    return number if 0 <= number < num_actions else None

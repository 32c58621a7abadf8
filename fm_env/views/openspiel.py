"""Games as OpenSpiel sees them (extra `openspiel`): for its solvers, and to hold ours against them.

    import pyspiel
    from fm_env.views.openspiel import load

    game = load("fairy_meat", "clash", a=1, d=1, deck={"2r": 1, "9b": 1, "Jr": 2, "Jb": 1})
    pyspiel.exploitability(game, policy)

It is a sequential game with explicit chance; seats that choose at the same time are asked one after
the other, without seeing the choice. A state holds a whole record and every call goes through Python,
so OpenSpiel's algorithms finish on small decks only.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel

from fm_env import registry
from fm_env.contract import CHANCE, TERMINAL, Game, GameSpec, Scenario
from fm_env.engine import Engine, engine_of
from fm_env.errors import SetupError
from fm_env.records import new_states


def load(game: str | Game, scenario: str | None = None, **options: Any) -> ContractGame:
    """A scenario of a game as a `pyspiel.Game`.

    Args:
        game: the game or its name.
        scenario: one of its names; None for the game's own choice.
        **options: of the scenario.

    Raises:
        SetupError: options of no scenario, or returns that no utility of OpenSpiel describes.
    """
    found = registry.find(game) if isinstance(game, str) else getattr(game, "game", game)
    return ContractGame(found, found.scenario(scenario or found.default_scenario, **options))


class ContractGame(pyspiel.Game):
    """Any game that keeps `fm_env.contract`."""

    def __init__(self, game: Game, scenario: Scenario) -> None:
        """Describe the scenario to OpenSpiel; `load` is the easier way."""
        spec = self.spec = scenario.spec
        self.contract_game, self.scenario = game, scenario
        if spec.return_sum is None:
            utility, total = pyspiel.GameType.Utility.GENERAL_SUM, None
        elif spec.return_sum == 0.0:
            utility, total = pyspiel.GameType.Utility.ZERO_SUM, 0.0
        else:
            utility, total = pyspiel.GameType.Utility.CONSTANT_SUM, spec.return_sum
        kind = pyspiel.GameType(
            short_name=f"fm_env_{spec.game}_{spec.scenario}",
            long_name=f"{spec.game}: {spec.scenario}",
            dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
            chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
            information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
            utility=utility,
            reward_model=pyspiel.GameType.RewardModel.TERMINAL,
            max_num_players=spec.num_seats,
            min_num_players=spec.num_seats,
            provides_information_state_string=True,
            provides_information_state_tensor=True,
            provides_observation_string=True,
            provides_observation_tensor=True,
            parameter_specification={},
        )
        info = pyspiel.GameInfo(
            num_distinct_actions=spec.num_actions,
            max_chance_outcomes=spec.num_chance_outcomes,
            num_players=spec.num_seats,
            min_utility=spec.min_return,
            max_utility=spec.max_return,
            utility_sum=total,
            max_game_length=spec.max_decisions,
        )
        super().__init__(kind, info, {})
        self.shared = _Shared(self)

    def new_initial_state(self) -> ContractState:
        """The first state, before any card is dealt."""
        return ContractState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Most chance events of a game."""
        return self.spec.max_chance_events

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> ContractObserver:
        """What makes OpenSpiel's strings and tensors."""
        if params:
            raise SetupError(f"observer: expected no parameters, got {params!r}")
        return ContractObserver(self, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))


class _Shared:
    """What all states of a game have in common. OpenSpiel copies states deeply; this stays one."""

    def __init__(self, game: ContractGame) -> None:
        self.engine, self.game, self.spec = engine_of(game.contract_game), game.contract_game, game.spec

    def __deepcopy__(self, memo: dict[int, Any]) -> _Shared:
        return self


class ContractState(pyspiel.State):
    """One position; the record is copied with it."""

    def __init__(self, game: ContractGame) -> None:
        """The first state of a game."""
        super().__init__(game)
        self._shared = game.shared
        self._record = new_states(game.spec, 1)
        self._engine.reset(self._record, 0, game.scenario.setup)
        self._own: list[list[int]] = [[] for _ in range(game.spec.num_seats)]

    @property
    def _engine(self) -> Engine:
        return self._shared.engine

    @property
    def _spec(self) -> GameSpec:
        return self._shared.spec

    def current_player(self) -> int:
        """The seat asked, or chance, or the end."""
        seat = self._engine.to_act(self._record, 0)
        return {CHANCE: pyspiel.PlayerId.CHANCE, TERMINAL: pyspiel.PlayerId.TERMINAL}.get(seat, seat)

    def _legal_actions(self, player: int) -> list[int]:
        mask = np.zeros(self._spec.num_actions, np.bool_)
        self._engine.legal_mask(self._record, 0, player, mask)
        return np.flatnonzero(mask).tolist()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Outcomes and their chances."""
        weights = np.zeros(self._spec.num_chance_outcomes, np.int64)
        total = self._engine.chance_weights(self._record, 0, weights)
        return [(int(c), float(weights[c] / total)) for c in np.flatnonzero(weights)]

    def _apply_action(self, action: int) -> None:
        seat = self._engine.to_act(self._record, 0)
        if seat == CHANCE:
            self._engine.apply_chance(self._record, 0, action)
        else:
            self._own[seat].append(int(action))
            self._engine.apply(self._record, 0, seat, action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"chance {self._shared.game.outcome_text(self._spec, action)}"
        return f"{player}: {self._shared.game.action_text(self._spec, action)}"

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._engine.to_act(self._record, 0) == TERMINAL

    def returns(self) -> list[float]:
        """Utilities; zeros before the end."""
        out = np.zeros(self._spec.num_seats)
        self._engine.returns(self._record, 0, out)
        return out.tolist()

    def observation(self, player: int) -> np.ndarray:
        """`[F]` f4, what `player` knows."""
        out = np.zeros(self._spec.observation_size, np.float32)
        self._engine.observe(self._record, 0, player, out)
        return out

    def info_key(self, player: int) -> bytes:
        """Key of what `player` knows now."""
        out = np.zeros(self._spec.info_key_size, np.uint8)
        self._engine.info_key(self._record, 0, player, out)
        return out.tobytes()

    def own_actions(self, player: int) -> list[int]:
        """What `player` chose so far: with `info_key`, all it can know."""
        return self._own[player]

    def __str__(self) -> str:
        return " ".join(self._action_to_string(h.player, h.action) for h in self.full_history())


class ContractObserver:
    """OpenSpiel's observer: the game's own observation, and for perfect recall the seat's own choices."""

    def __init__(self, game: ContractGame, kind: Any) -> None:
        """As `make_py_observer` asks."""
        self._recalls = bool(kind.perfect_recall)
        self._most = game.spec.max_decisions if self._recalls else 0
        self._size = game.spec.observation_size
        self.tensor = np.zeros(self._size + self._most, np.float32)
        self.dict = {"observation": self.tensor[: self._size]}
        if self._recalls:
            self.dict["own actions"] = self.tensor[self._size :]

    def set_from(self, state: ContractState, player: int) -> None:
        """Fill the tensor for a seat: its observation, then its own actions plus one, then zeros."""
        self.tensor[: self._size] = state.observation(player)
        if self._recalls:
            own = state.own_actions(player)[: self._most]
            self.tensor[self._size :] = 0.0
            self.tensor[self._size : self._size + len(own)] = np.array(own, np.float32) + 1.0

    def string_from(self, state: ContractState, player: int) -> str:
        """A string that tells apart what the tensor does."""
        own = state.own_actions(player) if self._recalls else []
        return f"{player} {own} {state.info_key(player).hex()}"

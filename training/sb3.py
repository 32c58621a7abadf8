"""Many games at once as a Stable-Baselines3 VecEnv, with the opponents playing inside.

Each environment is one game in which the learner holds one seat. Who holds the others is drawn
when the game starts and stays until it ends: the current policy, frozen past ones, bots. The
learner is asked only for its own choices with two or more legal actions, and its reward arrives
with the step in which the game ends, whoever made the last move; so it sees every loss.

    env = SelfPlayVecEnv("fairy_meat", "duel", num_envs=512, opponents={"self": 0.5, "median": 0.5})
    model = MagnetMaskablePPO("MlpPolicy", env).learn(1_000_000)

sb3-contrib's own MaskablePPO works, too: `env.set_self(SelfPlayer(model.policy))` before `learn`.
"""

from __future__ import annotations

from collections.abc import Mapping
from time import perf_counter
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices

from agents.api import Agent
from agents.registry import dispatcher
from fm_env.batch import Batch
from fm_env.contract import TERMINAL, Game, Scenario
from fm_env.engine import engine_of
from fm_env.sampler import lend
from fm_env.views.table import find_game, find_scenario
from training.lens import Lens
from training.opponents import LEARNER, SELF, Player, Pool, plays_batches

Floats = npt.NDArray[np.float32]
Bools = npt.NDArray[np.bool_]
Rows = npt.NDArray[np.intp]


class SelfPlayVecEnv(VecEnv):
    """`num_envs` games; SB3 sees `[N, F]` f4 observations, N Discrete(A) actions and `action_masks()`.

    The learner's seats are balanced: environment k's j-th game puts it on seat (k + j) % seats.
    """

    def __init__(
        self,
        game: str | Game,
        scenario: str | Scenario | None = None,
        num_envs: int = 512,
        *,
        opponents: Mapping[str, float] | None = None,
        seed: int | None = None,
        lens: bool | Lens = False,
        **options: Any,
    ) -> None:
        """Set the tables.

        Args:
            game: a game or its name.
            scenario: a scenario or its name; None takes the game's default.
            num_envs: games side by side.
            opponents: weight of each of `"self"`, `"past"` and any agent specs; None: only `"self"`.
            seed: settles chance, seats, opponents and what they choose.
            lens: show the learner only what can change and let it choose only what can be legal
                (`training.lens`): F and A shrink. Or through this lens.
            **options: options of the scenario.

        Raises:
            SetupError, UnknownNameError, LoadError: a bad scenario, option or opponent.
        """
        self.game = find_game(game)
        if not isinstance(scenario, Scenario):
            scenario = find_scenario(self.game, scenario, options=options)
        self.scenario, self.spec = scenario, scenario.spec
        self.pool = Pool.of(opponents or {SELF: 1.0}, self.game, scenario)
        self.batch = Batch(self.game, scenario, num_envs, seed=0, bots=dispatcher(self.game.name))
        if not isinstance(lens, Lens):
            lens = Lens.of_random_play(self.game, scenario) if lens else Lens.whole(self.spec)
        self.lens = lens
        """What of observations and actions the learner is shown."""
        self.opponent_seconds = 0.0
        """Wall time spent in opponents asked from outside the compiled batch, so far."""
        self.game_counts = np.zeros(self.spec.num_seats, np.int64)
        """Finished games by the learner's seat, so far."""
        n = num_envs
        self._seat = np.zeros(n, np.int32)
        self._games = np.zeros(n, np.int64)
        self._choices = np.zeros(n, np.int64)
        self.members = np.zeros((n, self.spec.num_seats), np.int32)
        """Who sits where: numbers in `pool.members`, or LEARNER, `[N, S]`."""
        self._copies: dict[tuple[int, int], Agent] = {}
        self._actions: npt.NDArray[np.int64] = np.zeros(n, np.int64)
        self._rng = np.random.default_rng(None if seed is None else [seed, ENVIRONMENT_STREAM])
        observation_space = spaces.Box(-1.0, 1.0, (len(self.lens.entries),), np.float32)
        super().__init__(n, observation_space, spaces.Discrete(len(self.lens.actions)))

    def set_self(self, player: Player) -> None:
        """Say who plays for `"self"`; it's asked afresh each time, so it may change its weights."""
        self.pool.set_self(player)

    def action_masks(self) -> Bools:
        """`[N, A]` bool, True = legal; the next step may overwrite it."""
        return self.lens.allow(self.batch.mask)

    def observations(self) -> Floats:
        """`[N, F]` f4, what the learner sees now; the next step may overwrite it."""
        return self.look(self.batch.obs, self.batch.mask)

    def look(self, observations: Floats, masks: Bools) -> Floats:
        """What the policy is shown of a seat's own observations `[B, F]` and masks `[B, A]`."""
        return self.lens.see(observations)

    def learner_seats(self) -> npt.NDArray[np.int32]:
        """The learner's seat in each running game, `[N]`."""
        return self._seat

    def follow(self, earlier: SelfPlayVecEnv) -> None:
        """Go on from other games: with their frozen opponents and their generator. To be reset then."""
        self.pool.follow(earlier.pool)
        self._rng = earlier._rng

    # -- the VecEnv contract ------------------------------------------------------------------

    def reset(self) -> Floats:
        """Start all games afresh; `seed(...)` before makes it repeatable."""
        if self._seeds[0] is not None:
            self._rng = np.random.default_rng([self._seeds[0], ENVIRONMENT_STREAM])
            self._games[:] = 0
        self._reset_seeds()
        self._begin(np.arange(self.num_envs))
        self._play_on(np.zeros(self.num_envs, np.float32), np.zeros(self.num_envs, np.bool_))
        return self.observations().copy()

    def step_async(self, actions: npt.NDArray[np.int64]) -> None:
        """Remember the learner's actions."""
        self._actions = actions

    def step_wait(self) -> tuple[Floats, Floats, Bools, list[dict[str, Any]]]:
        """Play them. `infos` of a game that ended: `terminal_observation`, `episode`, `opponent`, `seat`."""
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        observations, rewards, dones = self.step_arrays(self._actions, infos)
        return observations.copy(), rewards, dones, infos

    def step_arrays(
        self, actions: npt.NDArray[np.int64], infos: list[dict[str, Any]] | None = None
    ) -> tuple[Floats, Floats, Bools]:
        """Play the learner's actions until each game asks it again, restarting those that end.

        Args:
            actions: `[N]`, legal.
            infos: filled at the games that end, if given.

        Returns:
            `[N, F]` observations (which the next step may overwrite), `[N]` f4 rewards (the
            learner's return where its game ended, else 0) and `[N]` bool dones.
        """
        rewards = np.zeros(self.num_envs, np.float32)
        dones = np.zeros(self.num_envs, np.bool_)
        self._choices += 1
        self.batch.step(self.lens.ids(actions))
        self._play_on(rewards, dones, infos)
        return self.observations(), rewards, dones

    def shown(self, batch: Batch, rows: Rows) -> Floats:
        """What a learner would be shown of the seats asked in `rows` of any batch of this game; a copy."""
        return self.look(batch.obs[rows], batch.mask[rows])

    # -- playing --------------------------------------------------------------------------------

    def _play_on(self, rewards: Floats, dones: Bools, infos: list[dict[str, Any]] | None = None) -> None:
        """Until every game waits for the learner: end and restart games, ask opponents."""
        answers = np.zeros(self.num_envs, np.int64)
        seat = self.batch.seat
        while True:
            over = np.flatnonzero(seat == TERMINAL)
            if len(over):
                self._end(over, rewards, dones, infos)
                self._begin(over)
            asked = np.flatnonzero((seat != self._seat) & (seat != TERMINAL))
            if len(asked):
                started = perf_counter()
                answers[asked] = self._ask(asked)
                self.opponent_seconds += perf_counter() - started
                waiting = seat == self._seat
                seat[waiting] = TERMINAL  # a step leaves games that are over alone
                self.batch.step(answers)
                seat[waiting] = self._seat[waiting]
            elif not len(over):
                return

    def _ask(self, rows: Rows) -> npt.NDArray[np.int64]:
        """The opponents' answers in the games `rows`, member by member."""
        seats = self.batch.seat[rows]
        members = self.members[rows, seats]
        answers = np.empty(len(rows), np.int64)
        for number in np.unique(members):
            player = self.pool.members[number].player
            assert player is not None
            own = np.flatnonzero(members == number)
            games = rows[own]
            observations, masks = self.batch.obs[games], self.batch.mask[games]
            if plays_batches(player):
                answers[own] = player.act_batch(observations, masks, self._rng)
                continue
            for k, game, seat in zip(own, games, seats[own], strict=True):
                agent = self._copies[int(game), int(seat)]
                lend(agent, self.game, self.spec, self.batch.states, int(game), int(seat))
                answers[k] = agent.act(self.batch.obs[game], self.batch.mask[game])
        return answers

    def _begin(self, rows: Rows) -> None:
        """Start new games in `rows`: seats, opponents, chance."""
        self._seat[rows] = (rows + self._games[rows]) % self.spec.num_seats
        self._games[rows] += 1
        self._choices[rows] = 0
        members = self.pool.draw((len(rows), self.spec.num_seats), self._rng)
        members[np.arange(len(rows)), self._seat[rows]] = LEARNER
        self.members[rows] = members
        numbers, params = self.pool.controllers()
        self.batch.controllers[rows] = numbers[members]
        self.batch.bot_params[rows] = params[members]
        seeds = self._rng.integers(0, 2**62, len(rows))
        self._copy_players(rows, members, seeds)
        self.batch.reset(rows, seeds)
        self.batch.advance(rows)

    def _copy_players(self, rows: Rows, members: npt.NDArray[np.int32], seeds: npt.NDArray[np.int64]) -> None:
        """Give agents that may remember a fresh copy for each of their games."""
        for number in np.unique(members):
            player = self.pool.members[number].player if number != LEARNER else None
            if player is None or plays_batches(player):
                continue
            assert isinstance(player, Agent)
            for k, seat in zip(*np.nonzero(members == number), strict=True):
                agent = player.spawn()
                agent.reset(self.spec, int(seat), int(seeds[k]))
                self._copies[int(rows[k]), int(seat)] = agent

    def _end(self, rows: Rows, rewards: Floats, dones: Bools, infos: list[dict[str, Any]] | None) -> None:
        """Credit and count the games `rows` that are over."""
        returns = self.batch.returns[rows]
        seats = self._seat[rows]
        own = returns[np.arange(len(rows)), seats]
        others = returns.copy()
        others[np.arange(len(rows)), seats] = -np.inf
        best = others.max(axis=1)
        won, drawn = own > best, own == best
        self.game_counts += np.bincount(seats, minlength=self.spec.num_seats)
        members = self.members[rows]
        for number in np.unique(members[members != LEARNER]):
            hit = (members == number).any(axis=1)
            self.pool.count(
                int(number), int(hit.sum()), int(won[hit].sum()), int(drawn[hit].sum()), own[hit].sum()
            )
        # A game in which forced choices and opponents decided everything gives the learner no step
        # to credit, and must not credit the last step of the game before.
        chose = self._choices[rows] > 0
        rewards[rows[chose]] += own[chose].astype(np.float32)
        dones[rows[chose]] = True
        if infos is not None:
            self._describe(rows[chose], own[chose], infos)

    def _describe(self, rows: Rows, own: npt.NDArray[np.float64], infos: list[dict[str, Any]]) -> None:
        for row, value in zip(rows.tolist(), own.tolist(), strict=True):
            seat = int(self._seat[row])
            members = [int(number) for number in self.members[row] if number != LEARNER]
            infos[row] = {
                "terminal_observation": self._view(row, seat),
                "TimeLimit.truncated": False,
                "episode": {"r": value, "l": int(self._choices[row]), "t": 0.0},
                "opponent": [self.pool.members[number].group for number in members],
                "seat": seat,
            }

    def _view(self, row: int, seat: int) -> Floats:
        """What the seat sees at the end; what is beside it (`training.informed`, `advised`) stays 0."""
        whole = np.empty(self.spec.observation_size, np.float32)
        engine_of(self.game).observe(self.batch.states, row, seat, whole)
        out = np.zeros(self.observation_space.shape or 0, np.float32)
        out[: len(self.lens.entries)] = self.lens.see(whole[None])[0]
        return out

    # -- saving -----------------------------------------------------------------------------------

    def saved(self) -> tuple[dict[str, npt.NDArray[Any]], dict[str, Any]]:
        """Everything needed to go on exactly from here, as arrays and JSON-able values.

        Players that are copied for each game aren't included: their games start afresh on
        `restore`, so a run with such opponents continues, but not move for move.
        """
        arrays = {name: getattr(self, name).copy() for name in ARRAYS}
        arrays |= {f"batch.{name}": as_bytes(getattr(self.batch, name)).copy() for name in BATCH_ARRAYS}
        return arrays, {"rng": self._rng.bit_generator.state}

    def restore(self, arrays: Mapping[str, npt.NDArray[Any]], values: Mapping[str, Any]) -> Floats:
        """Go on from what `saved` gave; the pool's members must be the same. Returns observations."""
        for name in ARRAYS:
            getattr(self, name)[...] = arrays[name]
        for name in BATCH_ARRAYS:
            as_bytes(getattr(self.batch, name))[...] = arrays[f"batch.{name}"]
        self._rng.bit_generator.state = values["rng"]
        return self.observations().copy()

    # -- the rest of what SB3 asks ------------------------------------------------------------------

    def close(self) -> None:
        """Nothing to close."""

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """The attribute, once for each environment asked about."""
        if attr_name == "render_mode":
            return [None] * self._how_many(indices)
        return [getattr(self, attr_name)] * self._how_many(indices)

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Environments share all attributes."""
        raise AttributeError("the games of a SelfPlayVecEnv have no attributes of their own")

    def env_method(
        self, method_name: str, *method_args: Any, indices: VecEnvIndices = None, **method_kwargs: Any
    ) -> list[Any]:
        """Answer `action_masks`, all that sb3-contrib asks: a row for each environment asked about."""
        if method_name != "action_masks":
            raise AttributeError(
                f"SelfPlayVecEnv has no method {method_name!r} for single games, only 'action_masks'"
            )
        rows = [indices] if isinstance(indices, int) else indices
        masks = self.action_masks()
        return list(masks.copy() if rows is None else masks[np.fromiter(rows, np.intp)])

    def env_is_wrapped(
        self, wrapper_class: type[gymnasium.Wrapper[Any, Any, Any, Any]], indices: VecEnvIndices = None
    ) -> list[bool]:
        """Never."""
        return [False] * self._how_many(indices)

    def _how_many(self, indices: VecEnvIndices) -> int:
        if indices is None:
            return self.num_envs
        return 1 if isinstance(indices, int) else len(list(indices))


ENVIRONMENT_STREAM = 1
"""Keeps these random numbers apart from those of a learner with the same seed."""

ARRAYS = ("_seat", "_games", "_choices", "members", "game_counts")
BATCH_ARRAYS = (
    "states", "controllers", "bot_params", "seeds", "seat", "obs", "mask", "num_legal", "returns", "_rngs",
)  # fmt: skip
"""All of a batch that its future depends on (its own seed isn't used: every reset gives one)."""


def as_bytes(array: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    """The array's memory as bytes `[len, bytes per row]`, a view."""
    return (
        array.view(np.void).view(np.uint8).reshape(len(array), -1)
        if array.dtype.names
        else (array.reshape(len(array), -1).view(np.uint8))
    )

"""Gymnasium VectorEnv: a learner's seat in many games at once, over the compiled batch.

The learner is asked for its own choices only; opponents play inside, and their last move's result
reaches the learner with the step in which its game ends. Games always end by their rules, so an
episode terminates and is never truncated.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from fm_env.contract import Game, Scenario
from fm_env.errors import FmEnvError, SetupError
from fm_env.rng import as_seed
from fm_env.views.common import observation_space
from fm_env.views.seats import SeatRunner
from fm_env.views.table import find_game, find_scenario


def _metadata(mode: AutoresetMode) -> dict[str, Any]:
    return {"render_modes": [], "autoreset_mode": mode}


Step = tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]


class VectorGame(VectorEnv[Any, Any, Any]):
    """N games of one scenario with one learner's seat in each.

    Observations are `{"observation": f4[N, F], "action_mask": int8[N, A]}` (`flat`: the first
    alone); `infos["action_mask"]` holds the same mask. After the end nothing is left to choose: the
    mask of a final observation is all 1, for whatever is sampled from it is ignored.

    `infos` also has `seat[N]`, the learner's seat. When a game ends, SAME_STEP adds `final_obs[N]`
    and `final_info`, NEXT_STEP shows the final observation and begins the next game with the next
    step, whose action for that game is ignored; in both, `opponents[N]` names whom it was against.
    """

    metadata = _metadata(AutoresetMode.NEXT_STEP)

    def __init__(
        self,
        game: str | Game,
        num_envs: int = 256,
        scenario: str | Path | Mapping[str, Any] | Scenario | None = None,
        opponents: Any = "random",
        weights: Sequence[float] | None = None,
        seat: int | str = "alternate",
        skip_forced: bool = True,
        setup: Mapping[str, Any] | None = None,
        flat: bool = False,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        render_mode: None = None,
        **options: Any,
    ) -> None:
        """Set the tables.

        Args:
            game: a game or its name.
            num_envs: N.
            scenario: a name, a TOML file, a dict or a Scenario (see `find_scenario`).
            opponents: agent specs, agents or functions, drawn per game (see `opponents_of`).
            weights: how often each is drawn, in proportion; None: evenly.
            seat: "alternate", "random" or the number of a seat.
            skip_forced: play the learner's only legal action for it instead of asking.
            setup: where the games begin, if not at the scenario's own beginning.
            flat: observations are `f4[N, F]`; the mask is only in the infos.
            autoreset_mode: NEXT_STEP, which Gymnasium's own wrappers count on, or SAME_STEP, which
                spends no step on a reset (or their values as text).
            render_mode: None; to look at games, use the other views.
            **options: options of the scenario.

        Raises:
            SetupError: names the argument, what was given and what was expected.
        """
        if num_envs < 1:
            raise SetupError(f"num_envs: {num_envs}, expected at least 1")
        if render_mode is not None:
            raise SetupError(f"render_mode: {render_mode!r}, expected None (the vector view doesn't draw)")
        self.num_envs, self.flat = num_envs, flat
        self.autoreset_mode = _mode(autoreset_mode)
        self.metadata = _metadata(self.autoreset_mode)
        found = find_game(game)
        found_scenario = find_scenario(found, scenario, setup, options)
        self.runner = SeatRunner(
            found, found_scenario, num_envs, opponents, weights=weights, seat=seat, skip_forced=skip_forced
        )
        spec = found_scenario.spec
        single = observation_space(spec, spec.num_actions)
        self.single_observation_space = single["observation"] if flat else single
        self.single_action_space = spaces.Discrete(spec.num_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._ended = np.zeros(num_envs, np.bool_)
        self._running = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start all games.

        Args:
            seed: game i begins with seed + i, as `gymnasium.make(...).reset(seed=seed + i)` does;
                seats, opponents and later games follow from it, too.
            options: ignored; what is played is settled by the constructor.
        """
        super().reset(seed=seed, options=options)
        self.runner.rng = self.np_random
        if seed is not None:
            self.runner.games[:] = 0
        seeds = (
            None if seed is None else np.array([as_seed(seed + i) for i in range(self.num_envs)], np.int64)
        )
        self.runner.start(self.runner.all_rows, seeds)
        self._ended[:] = False
        self._running = True
        return self._shown({})

    def step(self, actions: Any) -> Step:
        """Play the learner's action in every game.

        Raises:
            IllegalActionError: an action is masked; then no game has changed.
        """
        if not self._running:
            raise FmEnvError("step: no game is running; call reset() first")
        runner = self.runner
        fresh = np.flatnonzero(self._ended)
        if len(fresh):  # NEXT_STEP: these games begin now, whatever was asked of them
            runner.step(actions, np.flatnonzero(~self._ended))
            runner.start(fresh)
        else:
            runner.step(actions)
        over = runner.over
        rewards = np.where(over, runner.returns[runner.all_rows, runner.seat], 0.0)
        ended = np.flatnonzero(over)
        infos: dict[str, Any] = {}
        if len(ended):
            self._describe_end(ended, over, infos)
            if self.autoreset_mode is AutoresetMode.SAME_STEP:
                runner.start(ended)
        if self.autoreset_mode is AutoresetMode.NEXT_STEP:
            self._ended = over
        observations, infos = self._shown(infos)
        return observations, rewards, over, np.zeros(self.num_envs, np.bool_), infos

    def action_masks(self) -> np.ndarray:
        """`[N, A]` bool, True = legal."""
        mask = self.runner.mask.copy()
        mask[self._ended] = True
        return mask

    # -- inside -----------------------------------------------------------------------------

    def _shown(self, infos: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        """Fresh observations, and `infos` with the entries that every step has."""
        observation = self.runner.obs.copy()
        for row in np.flatnonzero(self._ended):
            observation[row] = self.runner.final_observation(int(row))
        mask = self.action_masks().view(np.int8)
        infos["action_mask"], infos["_action_mask"] = mask, np.ones(self.num_envs, np.bool_)
        infos["seat"], infos["_seat"] = self.runner.seat.copy(), np.ones(self.num_envs, np.bool_)
        return (observation if self.flat else {"observation": observation, "action_mask": mask.copy()}), infos

    def _describe_end(self, ended: np.ndarray, over: np.ndarray, infos: dict[str, Any]) -> None:
        names = np.full(self.num_envs, None, dtype=object)
        for row in ended:
            names[row] = ", ".join(self.runner.opponent_names(int(row)))
        infos["opponents"], infos["_opponents"] = names, over.copy()
        if self.autoreset_mode is AutoresetMode.NEXT_STEP:
            return
        final = np.full(self.num_envs, None, dtype=object)
        mask = np.zeros((self.num_envs, self.runner.spec.num_actions), np.int8)
        mask[ended] = 1
        for row in ended:
            observation = self.runner.final_observation(int(row))
            final[row] = (
                observation if self.flat else {"observation": observation, "action_mask": mask[row].copy()}
            )
        infos["final_obs"], infos["_final_obs"] = final, over.copy()
        infos["final_info"] = {
            "action_mask": mask,
            "_action_mask": over.copy(),
            "seat": np.where(over, self.runner.seat, 0).astype(np.int32),
            "_seat": over.copy(),
        }
        infos["_final_info"] = over.copy()


def _mode(given: AutoresetMode | str) -> AutoresetMode:
    allowed = (AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP)
    for mode in allowed:
        if given == mode or given == mode.value:
            return mode
    raise SetupError(
        f"autoreset_mode: {given!r}, expected one of {', '.join(repr(m.value) for m in allowed)}"
    )

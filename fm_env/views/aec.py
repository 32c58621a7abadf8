"""PettingZoo AEC view of any game: one agent at a time is asked.

Seats that choose at the same time are asked one after another; none sees what another has chosen
until the game reveals it. Chance is played inside, from the generator that `reset(seed)` seeds.
Eliminated seats stay, and are simply never asked. When the game ends all agents terminate at once
and are credited once; each is then stepped with None, after which `agents` is empty.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from fm_env.contract import TERMINAL, Game, Scenario
from fm_env.errors import FmEnvError, LoadError
from fm_env.views.common import (
    AgentID,
    IllegalPolicy,
    Renderer,
    agent_names,
    check_choice,
    global_space,
    global_state,
    json_action,
    observation_space,
    view_metadata,
    wait_action,
)
from fm_env.views.table import SCHEMA, Table, action_number, find_game, find_scenario


class RawAECGame(AECEnv[AgentID, Any, int]):
    """A game as a PettingZoo AECEnv, without wrappers.

    An observation is `{"observation": f4[F], "action_mask": int8[A + 1]}`, 1 = legal; the same mask
    is in `infos[agent]["action_mask"]`. The last id, A, is `wait`: the only legal action of every
    agent other than `agent_selection` and of all agents at the end, so no mask is all zero. An
    agent that is selected before the end never has to wait.

    Rewards are the game's returns, given to all agents when it ends, and 0 before.
    """

    metadata = view_metadata("fm_env", is_parallelizable=False)

    def __init__(
        self,
        game: str | Game,
        scenario: str | Path | Mapping[str, Any] | Scenario | None = None,
        render_mode: str | None = None,
        skip_forced: bool = False,
        setup: Mapping[str, Any] | None = None,
        illegal: IllegalPolicy = "raise",
        flat: bool = False,
        **options: Any,
    ) -> None:
        """Set the table.

        Args:
            game: a game or its name.
            scenario: a name, a TOML file, a dict or a Scenario (see `find_scenario`).
            render_mode: None, "ansi", "rgb_array" or "human".
            skip_forced: play an agent's only legal action for it instead of asking.
            setup: where the game begins, if not at the scenario's own beginning.
            illegal: what an illegal action does: "raise" raises IllegalActionError and changes
                nothing; "lose" ends the game, the offender getting the game's worst return and
                everybody else 0, with `infos[offender]["illegal_action"]` saying what it was.
            flat: observations are the `f4[F]` alone; the mask is only in the infos.
            **options: options of the scenario.

        Raises:
            SetupError: names the field, what was given and what was expected.
        """
        super().__init__()
        check_choice("illegal", illegal, ("raise", "lose"))
        found = find_game(game)
        self.table = Table(found, find_scenario(found, scenario, setup, options), skip_forced=skip_forced)
        self.metadata = view_metadata(found.name, is_parallelizable=False)
        self.render_mode = render_mode
        self.illegal: IllegalPolicy = illegal
        self.flat = flat
        self._renderer = Renderer(render_mode)
        spec = self.table.spec
        self.possible_agents = agent_names(spec)
        self.agents: list[AgentID] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.wait = wait_action(spec)
        self._make_spaces()
        self._offence: tuple[int, int | str] | None = None
        self._skip_agent_selection = None

    def _make_spaces(self) -> None:
        each = {agent: observation_space(self.table.spec, self.wait + 1) for agent in self.possible_agents}
        self.observation_spaces: dict[AgentID, spaces.Space[Any]] = {
            agent: space["observation"] if self.flat else space for agent, space in each.items()
        }
        self.state_space = global_space(self.table.spec)
        self.action_spaces: dict[AgentID, spaces.Space[Any]] = {
            agent: spaces.Discrete(self.wait + 1) for agent in self.possible_agents
        }

    def observation_space(self, agent: AgentID) -> spaces.Space[Any]:
        """The agent's observation space, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: AgentID) -> spaces.Space[Any]:
        """The agent's action space, always the same object."""
        return self.action_spaces[agent]

    # -- play -------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game.

        Args:
            seed: seeds chance; without one, chance goes on from where the last game left it.
            options: ignored; what is played is settled by the constructor.
        """
        self.table.reset(seed)
        self._renderer.forget()
        agents = self.possible_agents
        self.agents = agents[:]
        self.rewards = dict.fromkeys(agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(agents, 0.0)
        self.terminations = dict.fromkeys(agents, False)
        self.truncations = dict.fromkeys(agents, False)
        self.infos = {agent: {"action_mask": self._wait_mask()} for agent in agents}
        self._offence = None
        self._skip_agent_selection = None
        self.agent_selection = agents[0]
        self._select()
        if self.render_mode == "human":
            self.render()

    def step(self, action: int | None) -> None:
        """The selected agent plays `action`; after the end, the only action is None.

        Raises:
            IllegalActionError: under `illegal="raise"`; the game is unchanged.
            FmEnvError: nobody is left to step.
        """
        if not self.agents:
            raise FmEnvError("step: no agent is left, the game is over; call reset() to start another")
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)  # type: ignore[arg-type]
            return
        table = self.table
        number = action_number(action, self.wait)
        if number is None or not table.legal[number]:
            self._refuse(agent, action)
        else:
            table.play(table.seat, number)
            self.infos[agent] = {"action_mask": self._wait_mask()}
            self._select()
        if self.render_mode == "human":
            self.render()

    def _select(self) -> None:
        """Turn to the seat that must choose, or end the game."""
        table = self.table
        if table.seat < 0:
            self._finish(table.returns())
            return
        agent = self.possible_agents[table.seat]
        self.agent_selection = agent
        self.infos[agent] = {"action_mask": self._legal_mask()}

    def _finish(self, returns: list[float]) -> None:
        agents = self.agents
        self.rewards = dict(zip(agents, returns, strict=True))
        self._cumulative_rewards = self.rewards.copy()
        self.terminations = dict.fromkeys(agents, True)
        self.infos = {agent: {"action_mask": self._wait_mask()} for agent in agents}
        self.agent_selection = agents[0]

    def _refuse(self, agent: AgentID, action: object) -> None:
        seat = self._seats[agent]
        if self.illegal == "raise":
            raise self.table.refuse(seat, action)
        returns = [0.0] * len(self.agents)
        returns[seat] = self.table.spec.min_return
        self._finish(returns)
        self._mark_offence((seat, json_action(action)))

    def _mark_offence(self, offence: tuple[int, int | str]) -> None:
        self._offence = offence
        agent = self.possible_agents[offence[0]]
        if agent in self.infos:
            self.infos[agent]["illegal_action"] = offence[1]

    # -- look -------------------------------------------------------------------------------

    def observe(self, agent: AgentID) -> Any:
        """What `agent` may know now; fresh arrays."""
        observation = self.table.observation(self._seats[agent])
        if self.flat:
            return observation
        asked = agent == self.agent_selection and self.table.seat >= 0 and self._offence is None
        return {"observation": observation, "action_mask": self._legal_mask() if asked else self._wait_mask()}

    def _legal_mask(self) -> np.ndarray:
        mask = np.zeros(self.wait + 1, np.int8)
        mask[:-1] = self.table.legal
        return mask

    def _wait_mask(self) -> np.ndarray:
        mask = np.zeros(self.wait + 1, np.int8)
        mask[-1] = 1
        return mask

    def state(self) -> np.ndarray:
        """What all agents know together, for critics that may see it: `f4[agents * F]`."""
        return global_state(self.table)

    def render(self) -> Any:
        """The position, all-seeing: text, `uint8[H, W, 3]`, or shown (a window, else printed)."""
        return self._renderer.render(self.table)

    def close(self) -> None:
        """Close the window, if one is open."""
        self._renderer.close()

    # -- copy, save, load -------------------------------------------------------------------

    def clone(self) -> RawAECGame:
        """An independent copy that goes on exactly as this one would (also `copy.deepcopy`, pickle)."""
        return copy.deepcopy(self)

    def to_json(self) -> str:
        """The running game as JSON; `fm_env.views.from_json` reads it.

        The sampling generators of the spaces are no part of the game and aren't kept.
        """
        return json.dumps(self._to_dict("raw_aec"))

    def _to_dict(self, view: str) -> dict[str, Any]:
        if not self.possible_agents or not hasattr(self, "rewards"):
            raise FmEnvError("to_json: no game is running; call reset() first")
        return {
            "schema": SCHEMA,
            "view": view,
            "table": self.table.to_dict(),
            "illegal": self.illegal,
            "flat": self.flat,
            "render_mode": self.render_mode,
            "agents": self.agents,
            "agent_selection": self.agent_selection,
            "terminated": any(self.terminations.values()),
            "offence": self._offence,
            "rewards": self.rewards,
            "cumulative_rewards": self._cumulative_rewards,
        }

    @classmethod
    def _from_dict(cls, saved: Mapping[str, Any]) -> RawAECGame:
        table = Table.from_dict(saved["table"])
        env = cls(
            table.game,
            table.scenario,
            saved["render_mode"],
            table.skip_forced,
            None,
            saved["illegal"],
            saved["flat"],
        )
        env.table = table
        agents = list(saved["agents"])
        if len(set(agents)) < len(agents) or not {*agents, saved["agent_selection"]} <= env._seats.keys():
            raise LoadError(f"saved game: agents {agents}, expected some of {env.possible_agents}")
        env.agents = agents
        env.agent_selection = saved["agent_selection"]
        env.rewards = env._saved_rewards(saved, "rewards")
        env._cumulative_rewards = env._saved_rewards(saved, "cumulative_rewards")
        env.terminations = dict.fromkeys(agents, bool(saved["terminated"]))
        env.truncations = dict.fromkeys(agents, False)
        env.infos = {agent: {"action_mask": env._wait_mask()} for agent in agents}
        if saved["offence"] is not None:
            seat, action = saved["offence"]
            if seat not in range(len(env.possible_agents)):
                raise LoadError(f"saved game: offence: expected a seat, got {seat!r}")
            env._mark_offence((int(seat), action))
        if not saved["terminated"] and table.seat != TERMINAL:
            env._select()
        return env

    def _saved_rewards(self, saved: Mapping[str, Any], field: str) -> dict[AgentID, float]:
        rewards = {agent: float(reward) for agent, reward in saved[field].items()}
        if not set(self.agents) <= rewards.keys() <= self._seats.keys():
            raise LoadError(f"saved game: {field} of {list(rewards)}, expected of {self.agents}")
        return rewards

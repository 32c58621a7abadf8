"""PettingZoo Parallel view of any game: all seats that owe a choice are asked together.

At every step all agents act. An agent that owes nothing has one legal action, `wait`; so has an
eliminated one, to the end of the game. Where an agent owes several actions in a row it is asked
again, step by step, while the others wait: a game whose seats choose at the same time must give
each of them the same, public number of actions, or the waits would tell what is hidden.

There is no `skip_forced` here: the others would see from a missing wait that a seat had no choice.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import ParallelEnv

from fm_env.contract import Game, Scenario
from fm_env.errors import FmEnvError, LoadError, SetupError
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

Observations = dict[AgentID, Any]
Infos = dict[AgentID, dict[str, Any]]


class ParallelGame(ParallelEnv[AgentID, Any, int]):
    """A game as a PettingZoo ParallelEnv.

    An observation is `{"observation": f4[F], "action_mask": int8[A + 1]}`, 1 = legal; the same mask
    is in the infos. The last id, A, is `wait`. Rewards are the game's returns, given when it ends.
    All agents terminate together, once.
    """

    metadata = view_metadata("fm_env", is_parallelizable=True)

    def __init__(
        self,
        game: str | Game,
        scenario: str | Path | Mapping[str, Any] | Scenario | None = None,
        render_mode: str | None = None,
        setup: Mapping[str, Any] | None = None,
        illegal: IllegalPolicy = "lose",
        flat: bool = False,
        **options: Any,
    ) -> None:
        """Set the table.

        Args:
            game: a game or its name.
            scenario: a name, a TOML file, a dict or a Scenario (see `find_scenario`).
            render_mode: None, "ansi", "rgb_array" or "human".
            setup: where the game begins, if not at the scenario's own beginning.
            illegal: what illegal actions do: "raise" raises IllegalActionError and changes nothing;
                "lose" ends the game, every offender getting the game's worst return and everybody
                else 0, with `infos[offender]["illegal_action"]` saying what it was.
            flat: observations are the `f4[F]` alone; the mask is only in the infos.
            **options: options of the scenario.

        Raises:
            SetupError: names the field, what was given and what was expected.
        """
        check_choice("illegal", illegal, ("raise", "lose"))
        if options.pop("skip_forced", False):
            raise SetupError("skip_forced: the parallel view asks every choice; expected False")
        found = find_game(game)
        self.table = Table(found, find_scenario(found, scenario, setup, options))
        self.metadata = view_metadata(found.name, is_parallelizable=True)
        self.render_mode = render_mode
        self.illegal: IllegalPolicy = illegal
        self.flat = flat
        self._renderer = Renderer(render_mode)
        spec = self.table.spec
        self.possible_agents = agent_names(spec)
        self.agents: list[AgentID] = []
        self.wait = wait_action(spec)
        each = {agent: observation_space(spec, self.wait + 1) for agent in self.possible_agents}
        self.observation_spaces: dict[AgentID, spaces.Space[Any]] = {
            agent: space["observation"] if flat else space for agent, space in each.items()
        }
        self.action_spaces: dict[AgentID, spaces.Space[Any]] = {
            agent: spaces.Discrete(self.wait + 1) for agent in self.possible_agents
        }
        self.state_space = global_space(spec)
        self._masks = np.zeros((spec.num_seats, self.wait + 1), np.bool_)

    def observation_space(self, agent: AgentID) -> spaces.Space[Any]:
        """The agent's observation space, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: AgentID) -> spaces.Space[Any]:
        """The agent's action space, always the same object."""
        return self.action_spaces[agent]

    # -- play -------------------------------------------------------------------------------

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, Infos]:
        """Start a game.

        Args:
            seed: seeds chance; without one, chance goes on from where the last game left it.
            options: ignored; what is played is settled by the constructor.
        """
        self.table.reset(seed)
        self._renderer.forget()
        self.agents = self.possible_agents[:]
        self._refresh_masks()
        if self.render_mode == "human":
            self.render()
        return self._observations()

    def step(
        self, actions: Mapping[AgentID, int]
    ) -> tuple[Observations, dict[AgentID, float], dict[AgentID, bool], dict[AgentID, bool], Infos]:
        """Every agent plays its action: `wait` for those that owe nothing.

        Raises:
            IllegalActionError: under `illegal="raise"`; the game is unchanged.
            FmEnvError: an agent's action is missing, or the game is over.
        """
        if not self.agents:
            raise FmEnvError("step: no agent is left, the game is over; call reset() to start another")
        missing = [agent for agent in self.agents if agent not in actions]
        if missing:
            raise FmEnvError(
                f"step: no action for {', '.join(missing)}; agents that owe nothing play {self.wait}"
            )
        numbers = [action_number(actions[agent], self.wait + 1) for agent in self.agents]
        offences = {
            s: actions[self.agents[s]] for s, n in enumerate(numbers) if n is None or not self._masks[s, n]
        }
        if offences:
            rewards, over = self._refuse(offences), True
        else:
            self.table.play_together(
                {s: n for s, n in enumerate(numbers) if n is not None and n != self.wait}
            )
            rewards, over = self.table.returns(), self.table.seat < 0
        return self._report(rewards, over, offences)

    def _refuse(self, offences: Mapping[int, object]) -> list[float]:
        if self.illegal == "raise":
            seat, action = next(iter(offences.items()))
            raise self.table.refuse(seat, action)
        worst = self.table.spec.min_return
        return [worst if seat in offences else 0.0 for seat in range(len(self.agents))]

    def _report(self, rewards: list[float], over: bool, offences: Mapping[int, object]) -> Any:
        agents = self.agents
        self._refresh_masks(over)
        observations, infos = self._observations()
        for seat, action in offences.items():
            infos[agents[seat]]["illegal_action"] = json_action(action)
        if over:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        return (
            observations,
            dict(zip(agents, rewards, strict=True)),
            dict.fromkeys(agents, over),
            dict.fromkeys(agents, False),
            infos,
        )

    # -- look -------------------------------------------------------------------------------

    def _refresh_masks(self, over: bool = False) -> None:
        """Recompute the masks `[seats, A + 1]`: a seat that owes nothing may only wait."""
        masks = self._masks
        for seat in range(len(masks)):
            masks[seat, -1] = over or self.table.legal_mask(seat, masks[seat, :-1]) == 0
            if over:
                masks[seat, :-1] = False

    def _observations(self) -> tuple[Observations, Infos]:
        observations: Observations = {}
        infos: Infos = {}
        for seat, agent in enumerate(self.agents):
            mask = self._masks[seat].astype(np.int8)
            observation = self.table.observation(seat)
            observations[agent] = (
                observation if self.flat else {"observation": observation, "action_mask": mask}
            )
            infos[agent] = {"action_mask": mask.copy()}
        return observations, infos

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

    def clone(self) -> ParallelGame:
        """An independent copy that goes on exactly as this one would (also `copy.deepcopy`, pickle)."""
        return copy.deepcopy(self)

    def to_json(self) -> str:
        """The running game as JSON; `fm_env.views.from_json` reads it.

        The sampling generators of the spaces are no part of the game and aren't kept.
        """
        return json.dumps(
            {
                "schema": SCHEMA,
                "view": "parallel",
                "table": self.table.to_dict(),
                "illegal": self.illegal,
                "flat": self.flat,
                "render_mode": self.render_mode,
                "agents": self.agents,
            }
        )

    @classmethod
    def _from_dict(cls, saved: Mapping[str, Any]) -> ParallelGame:
        table = Table.from_dict(saved["table"])
        env = cls(table.game, table.scenario, saved["render_mode"], None, saved["illegal"], saved["flat"])
        env.table = table
        if saved["agents"] not in ([], env.possible_agents):
            raise LoadError(f"saved game: agents {saved['agents']}, expected {env.possible_agents} or none")
        env.agents = list(saved["agents"])
        env._refresh_masks(over=not env.agents)
        return env

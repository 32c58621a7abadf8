"""Any game as an RLlib `MultiAgentEnv`: one seat is asked at a time, the rest aren't even mentioned.

RLlib runs one forward pass for all games of a runner anyway, so asking seat after seat costs nothing, and a
seat that is out of the game leaves no steps behind. Seats that choose at the same time are asked one after
another; none sees what another has chosen before the game shows it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from ray.rllib.env.multi_agent_env import MultiAgentEnv

from fm_env.views.common import agent_names, observation_space
from fm_env.views.table import Table, action_number, find_game, find_scenario

ByAgent = dict[Any, Any]
"""Agent's name to what concerns it."""

OBSERVATION, MASK = "observation", "action_mask"


class RllibGame(MultiAgentEnv):
    """A game as RLlib wants it.

    An observation is `{"observation": f4[F], "action_mask": int8[A]}`, 1 = legal. It is given to the
    seat that has to choose, and at the end to all that have chosen at least once, with their returns as
    rewards. Choices with one legal action are made for the seat. At the end masks allow everything:
    nobody acts on them any more.
    """

    def __init__(self, config: dict[str, Any] | None = None) -> None:
        """Set the table.

        Args:
            config: `game` (a name), `scenario` (a name, TOML file or dict) and `options`, as
                `fm_env.views.table.find_scenario` takes them; RLlib's `EnvContext` is such a dict.

        Raises:
            SetupError: names the field, what was given and what was expected.
        """
        config = dict(config or {})
        game = find_game(config.get("game", "fairy_meat"))
        scenario = find_scenario(game, config.get("scenario"), options=config.get("options"))
        self.table = Table(game, scenario, skip_forced=True)
        spec = self.table.spec
        self.possible_agents: list[Any] = list(agent_names(spec))
        self.agents = self.possible_agents[:]
        self.observation_spaces = {
            agent: observation_space(spec, spec.num_actions) for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(spec.num_actions) for agent in self.possible_agents}
        self._acted: set[int] = set()
        super().__init__()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ByAgent, ByAgent]:
        """Start a game in which somebody has a choice; without a seed chance goes on as it was."""
        super().reset(seed=seed, options=options)
        self.table.reset(seed)
        while self.table.seat < 0:  # it played itself out: dealt anew
            self.table.reset()
        self._acted = set()
        return self._asked(), {}

    def step(self, action_dict: ByAgent) -> tuple[ByAgent, ByAgent, ByAgent, ByAgent, ByAgent]:
        """The seat that was asked takes its action.

        Raises:
            IllegalActionError: its mask forbids it, or nobody of that name was asked.
        """
        seat = self.table.seat
        given = action_dict.get(self.possible_agents[seat])
        action = action_number(given, self.table.spec.num_actions)
        if action is None or not self.table.legal[action]:
            raise self.table.refuse(seat, given)
        self._acted.add(seat)
        self.table.play(seat, action)
        if self.table.seat >= 0:
            nothing = {self.possible_agents[seat]: 0.0}
            return self._asked(), nothing, {"__all__": False}, {"__all__": False}, {}
        returns = self.table.returns()
        everything = np.ones(self.table.spec.num_actions, np.int8)
        names = {self.possible_agents[k]: k for k in sorted(self._acted)}
        seen = {name: {OBSERVATION: self.table.observation(k), MASK: everything} for name, k in names.items()}
        rewards = {name: returns[k] for name, k in names.items()}
        over = dict.fromkeys([*names, "__all__"], True)
        return seen, rewards, over, dict.fromkeys(over, False), {}

    def _asked(self) -> ByAgent:
        seat = self.table.seat
        mask = self.table.legal.astype(np.int8)
        return {self.possible_agents[seat]: {OBSERVATION: self.table.observation(seat), MASK: mask}}

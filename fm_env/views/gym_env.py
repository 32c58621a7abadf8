"""Gymnasium view: one seat of a game, with opponents in the others.

The learner is asked for its own choices only, and is credited with its whole return when the game
ends, whoever made the last move. Games end by their rules: an episode terminates and is never
truncated.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
from gymnasium import spaces

from fm_env.contract import Game, Mask, Scenario
from fm_env.errors import FmEnvError, SetupError
from fm_env.sampler import lend
from fm_env.views.common import (
    IllegalPolicy,
    Renderer,
    check_choice,
    json_action,
    observation_space,
    view_metadata,
)
from fm_env.views.players import checked_answer, name_of, opponents_of
from fm_env.views.table import Table, action_number, find_game, find_scenario

if TYPE_CHECKING:
    from agents.api import Agent

MAX_REDEALS = 1_000
"""A game that ends before the learner was ever asked is dealt anew, up to this many times."""


class SeatGame(gymnasium.Env[Any, np.int64]):
    """One seat of a game as a Gymnasium environment.

    An observation is `{"observation": f4[F], "action_mask": int8[A]}`, 1 = legal (`flat`: the first
    alone); `info["action_mask"]` is the same mask, and `action_masks()` gives it as bool for
    sb3-contrib. After the end nothing is left to choose and the mask is all 1.
    """

    metadata = view_metadata("fm_env")

    def __init__(
        self,
        game: str | Game,
        scenario: str | Path | Mapping[str, Any] | Scenario | None = None,
        opponent: Any = "random",
        seat: int | str = "random",
        render_mode: str | None = None,
        skip_forced: bool = False,
        setup: Mapping[str, Any] | None = None,
        illegal: IllegalPolicy = "lose",
        flat: bool = False,
        **options: Any,
    ) -> None:
        """Set the table.

        Args:
            game: a game or its name.
            scenario: a name, a TOML file, a dict or a Scenario (see `find_scenario`).
            opponent: an agent spec, an agent, a function of (observation, action_mask), or a list
                of these, from which every other seat's player is drawn at every reset.
            seat: the learner's seat: a number, or "random" for a new one at every reset.
            render_mode: None, "ansi", "rgb_array" or "human".
            skip_forced: play anybody's only legal action without asking.
            setup: where the game begins, if not at the scenario's own beginning.
            illegal: what an illegal action does: "lose" ends the game with its worst return and
                `info["illegal_action"]` saying what it was; "raise" raises IllegalActionError and
                changes nothing.
            flat: observations are the `f4[F]` alone.
            **options: options of the scenario.

        Raises:
            SetupError: names the argument, what was given and what was expected.
        """
        check_choice("illegal", illegal, ("raise", "lose"))
        found = find_game(game)
        self.table = Table(found, find_scenario(found, scenario, setup, options), skip_forced=skip_forced)
        spec = self.table.spec
        self._placing = self._checked_seat(seat, ("random",))
        self.opponents = opponents_of(opponent, found, self.table.scenario)
        self.render_mode = render_mode
        self.illegal: IllegalPolicy = illegal
        self.flat = flat
        self._renderer = Renderer(render_mode)
        self.seat = 0
        """The learner's seat in the running game."""
        self._players: dict[int, Agent] = {}
        self._running = False
        single = observation_space(spec, spec.num_actions)
        self.observation_space = single["observation"] if flat else single
        self.action_space = spaces.Discrete(spec.num_actions)

    def _checked_seat(self, seat: int | str, words: tuple[str, ...]) -> int | str:
        last = self.table.spec.num_seats - 1
        if seat not in words and action_number(seat, last + 1) is None:
            raise SetupError(f"seat: {seat!r}, expected {', '.join(map(repr, words))} or 0 to {last}")
        return seat

    # -- play -------------------------------------------------------------------------------

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start a game and play it to the learner's first choice.

        Args:
            seed: seeds chance, the seat, the opponents and what they choose; without one they go on.
            options: `{"seat": k}` sets the learner's seat for this game; the rest is ignored.
        """
        super().reset(seed=seed)
        placing = self._checked_seat((options or {}).get("seat", self._placing), ("random",))
        for _ in range(MAX_REDEALS):
            num_seats = self.table.spec.num_seats
            self.seat = int(self.np_random.integers(num_seats)) if placing == "random" else int(placing)
            self._seat_players()
            self.table.reset(seed)
            self._renderer.forget()
            self._play_opponents()
            if self.table.seat >= 0:
                self._running = True
                if self.render_mode == "human":
                    self.render()
                return self._observation(), self._info()
            seed = None
        raise FmEnvError(f"the learner's seat was not asked once in {MAX_REDEALS} games")

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play the learner's action, then the opponents' until it is asked again or the game is over.

        Raises:
            IllegalActionError: under `illegal="raise"`; the game is unchanged.
            FmEnvError: the game is over.
        """
        if not self._running:
            raise FmEnvError("step: no game is running; call reset() first")
        table = self.table
        number = action_number(action, table.spec.num_actions)
        legal = number is not None and bool(table.legal[number])
        if not legal and self.illegal == "raise":
            raise table.refuse(self.seat, action)
        if legal:
            table.play(self.seat, number)  # type: ignore[arg-type]
            self._play_opponents()
        self._running = legal and table.seat >= 0
        info = self._info()
        reward = table.returns()[self.seat] if legal else table.spec.min_return
        if not legal:
            info["illegal_action"] = json_action(action)
        if self.render_mode == "human":
            self.render()
        return self._observation(), reward, not self._running, False, info

    def _seat_players(self) -> None:
        """Draw who sits in the other seats; agents that may remember get a fresh copy."""
        self._players = {}
        for seat in range(self.table.spec.num_seats):
            if seat == self.seat:
                continue
            agent = self.opponents[int(self.np_random.integers(len(self.opponents)))]
            if not agent.plays_batches:
                agent = agent.spawn()
                agent.reset(self.table.spec, seat, int(self.np_random.integers(2**31)))
            self._players[seat] = agent

    def _play_opponents(self) -> None:
        table = self.table
        while table.seat >= 0 and table.seat != self.seat:
            agent = self._players[table.seat]
            lend(agent, table.game, table.spec, table.states, 0, table.seat)
            observation, mask = table.observation(table.seat), table.legal.copy()
            if agent.plays_batches:
                action = agent.act_batch(observation[None], mask[None], self.np_random)[0]
            else:
                action = agent.act(observation, mask)
            table.play(table.seat, checked_answer(agent, action, table.legal))

    # -- look -------------------------------------------------------------------------------

    def action_masks(self) -> Mask:
        """`[A]` bool, True = legal; all True when the game is over."""
        return self.table.legal.copy() if self._running else np.ones_like(self.table.legal)

    def _observation(self) -> Any:
        observation = self.table.observation(self.seat)
        return observation if self.flat else {"observation": observation, "action_mask": self._int_mask()}

    def _info(self) -> dict[str, Any]:
        names = [name_of(self._players[seat]) for seat in sorted(self._players)]
        return {"action_mask": self._int_mask(), "seat": self.seat, "opponents": ", ".join(names)}

    def _int_mask(self) -> np.ndarray:
        return self.action_masks().astype(np.int8)

    def render(self) -> Any:
        """The position, all-seeing: text, `uint8[H, W, 3]`, or shown (a window, else printed)."""
        return self._renderer.render(self.table)

    def close(self) -> None:
        """Close the window, if one is open."""
        self._renderer.close()

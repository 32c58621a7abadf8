"""Playing many games between agents: equal luck for every seating, all games played to the end.

A block is one deal of luck (one chance key) played once by each line-up. Two agents A and B play
the line-ups (A, B) and (B, A); so whoever got the good cards, the other gets them, too. The number
of blocks is fixed before the first game and every game counts, however long it takes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from agents.api import Actions, Agent
from agents.compiled import CompiledAgent
from agents.registry import dispatcher
from evaluation.faults import CRASH, ILLEGAL, AgentFault, Referee
from fm_env.batch import Batch
from fm_env.contract import TERMINAL, Game, Scenario
from fm_env.errors import FmEnvError, IllegalActionError, SetupError
from fm_env.sampler import Lookouts

LineUp = Sequence[Agent]
"""One agent for each seat."""

Progress = Callable[[int], None]
"""Called with the number of games just finished."""

WAVE = 2048
"""Games played side by side; results don't depend on a user's choice of it, so it isn't one."""

WAVE_WITH_COPIES = 64
"""The same where an agent is copied for every game (it may be big)."""


def play(
    game: Game,
    scenario: Scenario,
    line_ups: Sequence[LineUp],
    blocks: int,
    seed: int,
    progress: Progress | None = None,
) -> npt.NDArray[np.float64]:
    """Play `blocks` deals of luck, each with all `line_ups`.

    Args:
        game: the game.
        scenario: a scenario of it, with `spec.num_seats` seats.
        line_ups: L line-ups; the same agent object may appear several times.
        blocks: deals of luck; `blocks * L` games are played, all to the end.
        seed: equal seeds give equal results in any process.
        progress: told whenever games end.

    Returns:
        Returns of the seats, `[blocks, L, S]` f8.

    Raises:
        SetupError: a line-up of the wrong length, or no blocks.
        LoadError: an agent can't play this scenario.
        IllegalActionError: an agent chose something its mask forbids.
    """
    if blocks < 1:
        raise SetupError(f"blocks = {blocks}, expected at least 1")
    # Drawn for all blocks at once: block k has the same luck however many blocks there are.
    seeds = np.random.default_rng(seed).integers(0, 2**62, size=blocks)
    return play_seeds(game, scenario, line_ups, seeds, progress)


def play_seeds(
    game: Game,
    scenario: Scenario,
    line_ups: Sequence[LineUp],
    seeds: npt.NDArray[np.int64],
    progress: Progress | None = None,
    *,
    referee: Referee | None = None,
    side_by_side: int | None = None,
) -> npt.NDArray[np.float64]:
    """Play one block for each of the given seeds.

    Args:
        game: the game.
        scenario: a scenario of it, with `spec.num_seats` seats.
        line_ups: L line-ups; the same agent object may appear several times.
        seeds: `[blocks]`, in `[0, 2**62)`: the luck of each block.
        progress: told whenever games end.
        referee: what follows when an agent fails to answer; None: an error. It counts games as
            they come: game `b * L + k` is line-up k of block b.
        side_by_side: blocks in one wave; None: as many as suit the agents. Networks draw their
            actions for a whole wave, so another number gives (equally good) other games.

    Returns:
        Returns of the seats, `[blocks, L, S]` f8.

    Raises:
        As `play`, and AgentFault: an agent crashed, where there is a referee.
    """
    agents = _checked(scenario, line_ups)
    blocks = len(seeds)
    step = side_by_side or max(
        1, (WAVE if all(agent.plays_batches for agent in agents) else WAVE_WITH_COPIES) // len(line_ups)
    )
    returns = np.empty((blocks, len(line_ups), scenario.spec.num_seats))
    tables: dict[int, _Table] = {}
    for first in range(0, blocks, step):
        wave = seeds[first : first + step]
        if len(wave) not in tables:  # at most two sizes: full waves and the last one
            tables[len(wave)] = _Table(game, scenario, line_ups, agents, len(wave), referee)
        returns[first : first + step] = tables[len(wave)].play(wave, progress, first * len(line_ups))
    return returns


def _checked(scenario: Scenario, line_ups: Sequence[LineUp]) -> list[Agent]:
    """All agents, each once, after making sure that they can be seated."""
    spec = scenario.spec
    for line_up in line_ups:
        if len(line_up) != spec.num_seats:
            raise SetupError(
                f"scenario {spec.scenario!r} has {spec.num_seats} seats, given {len(line_up)} agents"
            )
    agents = list({id(agent): agent for line_up in line_ups for agent in line_up}.values())
    for agent in agents:
        agent.check(spec)
    return agents


class _Table:
    """A batch of games with its agents seated; plays one wave of blocks after the other."""

    def __init__(
        self,
        game: Game,
        scenario: Scenario,
        line_ups: Sequence[LineUp],
        agents: list[Agent],
        blocks: int,
        referee: Referee | None,
    ) -> None:
        self.spec = scenario.spec
        self.referee = referee
        self.shape = (blocks, len(line_ups), self.spec.num_seats)
        self.agents = agents
        number = {id(agent): k for k, agent in enumerate(agents)}
        seated = np.array([[number[id(agent)] for agent in line_up] for line_up in line_ups], np.int64)
        self.seated = np.tile(seated, (blocks, 1))
        """`[N, S]`: which of `agents` has the seat."""
        self.copies: dict[tuple[int, int], Agent] = {
            (i, seat): agents[k].spawn()
            for (i, seat), k in np.ndenumerate(self.seated)
            if not agents[k].plays_batches
        }
        """By game and seat: the players that may remember their game."""
        self.batch = Batch(
            game, scenario, len(self.seated), seed=0, bots=dispatcher(self.spec.game), keyed=True
        )
        for k, agent in enumerate(agents):
            if isinstance(agent, CompiledAgent):
                self.batch.controllers[self.seated == k] = agent.bot_id
                self.batch.bot_params[self.seated == k, : len(agent.params)] = agent.params
            else:
                self.batch.controllers[self.seated == k] = -1
        self.searching = [place for place, player in self.copies.items() if player.needs_sampler]
        """Where players sit who ask what they may imagine; nobody in their games plays unwatched."""
        self.batch.controllers[[i for i, _ in self.searching]] = -1

    def play(
        self, seeds: npt.NDArray[np.int64], progress: Progress | None, first_game: int
    ) -> npt.NDArray[np.float64]:
        """Play one wave to the end; `seeds[b]` is the luck of block b."""
        batch, num_games = self.batch, len(self.seated)
        self.first_game = first_game
        self.dead: dict[tuple[int, int], AgentFault] = {}
        """By game and seat: the players that couldn't even begin."""
        batch.reset(seeds=np.repeat(seeds, self.shape[1]))
        rngs = [np.random.default_rng([int(seeds[0]), k]) for k in range(len(self.agents))]
        for (i, seat), agent in self.copies.items():
            self._reset(agent, i, seat, int(seeds[i // self.shape[1]]) + seat)
        self.lookouts = {
            game: Lookouts(batch.game, self.spec, [seat for i, seat in self.searching if i == game])
            for game in {i for i, _ in self.searching}
        }
        actions = np.zeros(num_games, np.int64)
        finished = 0
        batch.advance()
        while True:
            running = np.flatnonzero(batch.seat != TERMINAL)
            if progress is not None and num_games - len(running) > finished:
                progress(num_games - len(running) - finished)
            finished = num_games - len(running)
            if len(running) == 0:
                return batch.returns.reshape(self.shape).copy()
            asked = self.seated[running, batch.seat[running]]
            self._lend_samplers()
            for k in np.unique(asked):
                rows = running[asked == k]
                actions[rows] = self._ask(k, rows, rngs[k])
            for i, lookouts in self.lookouts.items():
                if batch.seat[i] != TERMINAL:
                    lookouts.chosen(batch.states, i, int(batch.seat[i]), int(actions[i]))
            batch.step(actions)

    def _ask(self, k: int, games: npt.NDArray[np.int64], rng: np.random.Generator) -> Actions:
        """What agent k does in `games`, checked against the masks."""
        agent, masks = self.agents[k], self.batch.mask[games]
        if self.referee is not None:
            return self._ask_under(self.referee, agent, games, rng)
        if agent.plays_batches:
            chosen = np.asarray(agent.act_batch(self.batch.obs[games], masks, rng))
        else:
            rows = zip(self._players(games), self.batch.obs[games], masks, strict=True)
            chosen = np.array([player.act(obs, mask) for player, obs, mask in rows])
        check_actions(agent, chosen, self.batch.mask[games])
        return chosen.astype(np.int64)

    def _lend_samplers(self) -> None:
        """Those who search and have to choose get what they may imagine."""
        for i, seat in self.searching:
            if self.batch.seat[i] == seat:
                self.copies[i, seat].imagine(self.lookouts[i].sampler(self.batch.states, i, seat))

    def _players(self, games: npt.NDArray[np.int64]) -> list[Agent]:
        """The copies whose turn it is."""
        return [self.copies[int(i), int(seat)] for i, seat in zip(games, self.batch.seat[games], strict=True)]

    def _reset(self, player: Agent, game: int, seat: int, seed: int) -> None:
        try:
            player.reset(self.spec, seat, seed)
        except Exception as error:
            if self.referee is None:
                raise
            self.dead[game, seat] = error if isinstance(error, AgentFault) else _crash(player, error)

    def _ask_under(
        self, referee: Referee, agent: Agent, games: npt.NDArray[np.int64], rng: np.random.Generator
    ) -> Actions:
        """What an agent does in `games`, with the referee's choice wherever it fails to answer."""
        answers: npt.NDArray[Any] | list[Any]
        if agent.plays_batches:
            answers = _answers(agent, self.batch.obs[games], self.batch.mask[games], rng)
            if isinstance(answers, np.ndarray) and _is_sound(answers, self.batch.mask[games]):
                return answers.astype(np.int64)
        else:
            answers = [
                self.dead.get((int(i), int(seat))) or _answer(player, self.batch.obs[i].copy(), mask.copy())
                for i, seat, player, mask in zip(
                    games, self.batch.seat[games], self._players(games), self.batch.mask[games], strict=True
                )
            ]
        chosen = np.zeros(len(games), np.int64)
        for row, (i, answer) in enumerate(zip(games, answers, strict=True)):
            mask = self.batch.mask[i]
            fault = _fault(agent, answer, mask)
            if fault is None:
                chosen[row] = answer
                continue
            kind = fault.kind if isinstance(fault, AgentFault) else ILLEGAL
            place = (self.first_game + int(i), int(self.batch.seat[i]))
            chosen[row] = referee.replace(fault, kind, place, int(self.batch.seeds[i]), mask)
        return chosen


def _answer(player: Agent, observation: npt.NDArray[Any], mask: npt.NDArray[np.bool_]) -> Any:
    """An agent's answer, or the fault that took its place."""
    try:
        return player.act(observation, mask)
    except AgentFault as fault:
        return fault
    except Exception as error:
        return _crash(player, error)


def _fault(agent: Agent, answer: Any, mask: npt.NDArray[np.bool_]) -> FmEnvError | None:
    """What is wrong with an answer; None: nothing."""
    if isinstance(answer, AgentFault):
        return answer
    try:
        check_actions(agent, np.asarray(answer)[None], mask[None])
    except IllegalActionError as error:
        return error
    except Exception as error:  # nothing that could become an array
        return AgentFault(ILLEGAL, f"agent {agent.name!r} answered {answer!r:.60}: {error}")
    return None


def _answers(
    agent: Agent, observations: npt.NDArray[Any], masks: npt.NDArray[np.bool_], rng: np.random.Generator
) -> npt.NDArray[Any] | list[AgentFault]:
    """The same for many games at once."""
    try:
        chosen = np.asarray(agent.act_batch(observations, masks, rng))
        if chosen.shape == masks.shape[:1]:
            return chosen
        fault = AgentFault(
            ILLEGAL,
            f"agent {agent.name!r} answered shape {chosen.shape},"
            f" expected one number for each of {len(masks)} games",
        )
    except AgentFault as error:
        fault = error
    except Exception as error:
        fault = _crash(agent, error)
    return [fault] * len(masks)


def _crash(agent: Agent, error: Exception) -> AgentFault:
    return AgentFault(CRASH, f"agent {agent.name!r} failed: {type(error).__name__}: {error}")


def check_actions(agent: Agent, chosen: npt.NDArray[Any], masks: npt.NDArray[np.bool_]) -> None:
    """Hold an agent's answers `[B]` against the masks `[B, A]`.

    Raises:
        IllegalActionError: they aren't whole numbers, not one for each game, or one is masked.
    """
    if chosen.shape != masks.shape[:1] or not np.issubdtype(chosen.dtype, np.integer):
        raise IllegalActionError(
            f"agent {agent.name!r} answered {chosen.dtype} of shape {chosen.shape},"
            f" expected one whole number for each of {len(masks)} games"
        )
    wrong = _wrong(chosen, masks)
    if wrong.any():
        row = int(wrong.argmax())
        legal = ", ".join(map(str, np.flatnonzero(masks[row])))
        raise IllegalActionError(f"agent {agent.name!r} chose action {chosen[row]}; legal here: {legal}")


def _is_sound(chosen: npt.NDArray[Any], masks: npt.NDArray[np.bool_]) -> bool:
    return np.issubdtype(chosen.dtype, np.integer) and not _wrong(chosen, masks).any()


def _wrong(chosen: npt.NDArray[Any], masks: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Which of the whole numbers `[B]` are no legal actions."""
    outside = (chosen < 0) | (chosen >= masks.shape[1])
    return outside | ~masks[np.arange(len(masks)), np.where(outside, 0, chosen)]

"""The stateless half: a position as a seat sees it goes in, an agent's action comes out.

Agents get an observation and a mask, whatever was sent.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from agents import registry as agents_registry
from agents.api import Agent
from agents.compiled import CompiledAgent
from agents.estimates import chances, expected
from agents.policy import NetworkPolicy, shipped_policies
from agents.service.belief import belief_of
from agents.service.external import EngineAgent
from agents.service.protocol import Alternative, ChooseReply, ChooseRequest, GameRef
from agents.service.seat_record import Seen, follow, read
from agents.service.setting import Setting, find_setting, luck
from fm_env.contract import Mask, Observation
from fm_env.errors import FmEnvError, IllegalActionError, LoadError, SetupError
from fm_env.sampler import Sampler

SHIPPED_POLICY = re.compile(r"policy:[A-Za-z0-9_-]+")
MAX_CACHED = 256


class ForbiddenError(FmEnvError):
    """An agent that this server doesn't lend."""


class Thought(NamedTuple):
    """What an agent made of a position."""

    action: int
    win_estimate: float | None
    probabilities: np.ndarray | None
    """`[A]`, where the agent tells."""


class Lending:
    """Which agents may be named in messages, and the agents made so far.

    Texts such as `module:Class`, `engine:COMMAND` or a path run code or read files of the machine; they
    are lent only if whoever started the server named them.
    """

    def __init__(self, allowed: Iterable[str] = (), everything: bool = False) -> None:
        """Lend what comes with the package and `allowed`.

        Args:
            allowed: further specs, each as a whole.
            everything: lend any agent, for a program that talks to itself over stdio.
        """
        self.allowed = frozenset(allowed)
        self.everything = everything
        self._made: dict[tuple[str, int], tuple[Agent, Setting]] = {}

    def get(self, spec: str, setting: Setting) -> Agent:
        """The agent of that spec, checked against the scenario, the same object each time.

        Raises:
            ForbiddenError: not lent.
            FmEnvError: as `agents.make` does.
        """
        key = (spec, id(setting))
        known = self._made.get(key)
        if known is not None:
            return known[0]
        self._check(spec, setting)
        agent = agents_registry.make(spec, setting.game, setting.scenario)
        agent.check(setting.spec)
        if len(self._made) >= MAX_CACHED:
            self._made.pop(next(iter(self._made)))
        self._made[key] = agent, setting  # the setting is held, so that its id stays taken
        return agent

    def close(self) -> None:
        """End the programs that were started for agents."""
        for agent, _ in self._made.values():
            if isinstance(agent, EngineAgent):
                agent.engine.stop()
        self._made.clear()

    def _check(self, spec: str, setting: Setting) -> None:
        if self.everything or spec in self.allowed:
            return
        game = setting.game.name
        head = spec.partition(":")[0].strip()
        if head in agents_registry.table(game) or head == "level":
            return
        if spec in agents_registry.python_agents(game):
            return
        if SHIPPED_POLICY.fullmatch(spec) and spec.removeprefix("policy:") in shipped_policies():
            return
        raise ForbiddenError(
            f"agent {spec!r} is not lent here; GET /v1/agents lists those that are, and `fm-env serve"
            f" --allow SPEC` adds one"
        )


def think(
    agent: Agent,
    observation: Observation,
    mask: Mask,
    rng: np.random.Generator,
    sampler: Sampler | None = None,
) -> Thought:
    """Ask an agent without memory, or one that was reset for this game, and check its answer.

    Args:
        agent: whom to ask.
        observation: `[F]` f4.
        mask: `[A]` bool.
        rng: luck of an agent without memory.
        sampler: what its seat may imagine, for an agent that asks for it.

    Raises:
        IllegalActionError: it chose what the mask doesn't allow.
    """
    observations, masks = observation[None], mask[None]
    if agent.needs_sampler and sampler is not None:
        agent.imagine(sampler)
    if agent.plays_batches:
        action = int(agent.act_batch(observations, masks, rng)[0])
    else:
        action = int(agent.act(observation, mask))
    if not 0 <= action < len(mask) or not mask[action]:
        raise IllegalActionError(f"agent {agent.name!r} chose {action}, which is not legal")
    return Thought(action, expected(agent, observations, masks), chances(agent, observations, masks))


def is_quick(agent: Agent) -> bool:
    """Whether it answers in far less than a millisecond or two, so that nobody has to wait elsewhere."""
    base = getattr(agent, "base", agent)
    return isinstance(base, CompiledAgent | NetworkPolicy)


def alternatives(
    setting: Setting, probabilities: np.ndarray | None, mask: Mask, limit: int
) -> list[Alternative] | None:
    """The likeliest actions, likeliest first."""
    if probabilities is None:
        return None
    legal = np.flatnonzero(mask)
    best = legal[np.argsort(-probabilities[legal], kind="stable")][:limit]
    return [
        Alternative(
            action=int(a), text=setting.texts[a], probability=min(1.0, max(0.0, float(probabilities[a])))
        )
        for a in best
    ]


def choose(request: ChooseRequest, lending: Lending, agent: str = "random") -> ChooseReply:
    """Answer one request.

    Args:
        request: checked for its shape only.
        lending: agents that may be named.
        agent: spec used where the request names none.

    Raises:
        FmEnvError: says what of the request can't be used.
    """
    setting = find_setting(ref_of(request))
    positions = positions_of(request, setting)
    spec = request.agent or agent
    player = lending.get(spec, setting)
    if not player.plays_batches:
        told = request.seat_record
        player = player.spawn()
        player.reset(setting.spec, (request.seat or 0) if told is None else told.seat, request.seed)
    return reply(request, setting, spec, player, follow(positions, player))


def reply(
    request: ChooseRequest,
    setting: Setting,
    spec: str,
    player: Agent,
    now: Seen,
) -> ChooseReply:
    """Let a player, made ready for the game, answer."""
    thought = think(player, now.observation, now.mask, luck(request.seed), now.sampler)
    return ChooseReply(
        id=request.id,
        agent=spec,
        action=thought.action,
        text=setting.texts[thought.action],
        win_estimate=thought.win_estimate,
        alternatives=alternatives(setting, thought.probabilities, now.mask, request.alternatives),
        belief=belief_of(setting, now.observation),
    )


def ref_of(request: ChooseRequest) -> GameRef:
    """Which game a request is about: a seat's record says so itself.

    Raises:
        SetupError: request and record disagree.
    """
    record = request.seat_record
    if record is None:
        return request
    for name in ("game", "scenario", "options", "seat"):
        given = getattr(request, name)
        if name in request.model_fields_set and given is not None and given != getattr(record, name):
            raise SetupError(f"{name}: {given!r} was asked for, seat_record has {getattr(record, name)!r}")
    return GameRef(game=record.game, scenario=record.scenario, options=record.options)


def positions_of(request: ChooseRequest, setting: Setting) -> Iterable[Seen]:
    """The present position last, whichever way it was sent, and before it the seat's earlier choices as far
    as they were sent.

    Raises:
        SetupError: names the field that is missing or doesn't fit.
        LoadError: a record of other rules, or that doesn't hold.
    """
    ways = ("observation", "seat_record", "record")
    sent = [name for name in ways if getattr(request, name) is not None]
    if len(sent) > 1:
        raise SetupError(f"{sent[1]}: sent beside {sent[0]}; expected one of {', '.join(ways)}")
    if request.seat_record is not None:
        return read(request.seat_record, setting)
    if request.record is not None:
        return [_of_record(request)]
    spec = setting.spec
    if request.observation is None:
        raise SetupError(
            "observation: missing; send observation with legal (or mask), or seat_record, or record with seat"
        )
    observation = np.array(request.observation, np.float64)
    if observation.shape != (spec.observation_size,):
        raise SetupError(
            f"observation: {len(observation)} numbers, expected {spec.observation_size} for scenario"
            f" {spec.scenario!r} of {spec.game!r}"
        )
    if not (np.abs(observation) <= 1.0).all():
        raise SetupError("observation: a number outside of [-1, 1]")
    observation = observation.astype(np.float32)  # not before: what is too large for it would warn
    return [Seen(request.seat or 0, observation, _mask_of(request, spec.num_actions), None)]


def _mask_of(request: ChooseRequest, num_actions: int) -> Mask:
    mask = np.zeros(num_actions, np.bool_)
    if (request.legal is None) == (request.mask is None):
        raise SetupError("legal: send either legal (ids) or mask")
    if request.mask is not None:
        if len(request.mask) != num_actions:
            raise SetupError(f"mask: {len(request.mask)} entries, expected {num_actions}")
        mask[:] = request.mask
    for action in request.legal or ():
        if action >= num_actions:
            raise SetupError(f"legal: {action} is no action id; expected 0 to {num_actions - 1}")
        mask[action] = True
    if not mask.any():
        raise SetupError("mask: it allows no action")
    return mask


def _of_record(request: ChooseRequest) -> Seen:
    import json

    from fm_env.match import Match

    if request.seat is None:
        raise SetupError("seat: needed with record: whose choice is it?")
    match = Match.from_json(json.dumps(request.record))
    setting = find_setting(request)
    if (match.game.name, dict(match.scenario.options)) != (
        setting.game.name,
        dict(setting.scenario.options),
    ):
        raise LoadError("record: it is of another game, scenario or other options than the request names")
    if request.seat not in match.pending:
        raise SetupError(f"seat: {request.seat} owes no choice; those that do: {list(match.pending)}")
    seat = request.seat
    return Seen(seat, match.observation(seat), match.mask(seat), None, match.sampler(seat))

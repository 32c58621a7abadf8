"""A seat's own record of a game: what it saw at each of its choices, what it chose, and what it sees now.

It is made of observations, masks and the seat's own actions, so that it holds nothing that the seat
doesn't know: whoever plays the seat may keep it, and send it to anybody for advice. Positions are written
as what changed since the one before.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from agents.api import Agent
from agents.service.external import EngineAgent
from agents.service.protocol import SeatRecord, SeatStep
from agents.service.setting import Setting, open_options
from fm_env.contract import CHANCE, Game, GameSpec, Mask, Observation, Scenario
from fm_env.engine import engine_of
from fm_env.errors import LoadError, SetupError
from fm_env.records import new_states
from fm_env.sampler import Sampler


class Seen(NamedTuple):
    """A position as a seat saw it."""

    seat: int
    observation: Observation
    """`[F]` f4."""
    mask: Mask
    """`[A]` bool; all False for a seat that owed nothing."""
    action: int | None
    """What the seat chose there; None: it has not chosen yet."""
    sampler: Sampler | None = None
    """What the seat may imagine there, where that is known."""


def seat_record(game: Game, scenario: Scenario, events: Sequence[tuple[int, int]], seat: int) -> SeatRecord:
    """What `seat` has seen of a game, of a `Match` for instance by its `game`, `scenario` and `events`.

    Args:
        game: whose rules.
        scenario: as it was set up.
        events: everything that happened, as `(seat or CHANCE, id)`.
        seat: whose record.

    Raises:
        SetupError: no such seat.
    """
    spec = scenario.spec
    if not 0 <= seat < spec.num_seats:
        raise SetupError(f"seat: there is no {seat}; {spec.scenario!r} has {spec.num_seats}")
    steps: list[SeatStep] = []
    before = np.zeros(spec.observation_size, np.float32)
    for seen in seen_by(game, scenario, events, (seat,)):
        changed = np.flatnonzero(seen.observation != before).tolist()
        # The shortest text that reads back as the same f4.
        changes = [(k, float(str(seen.observation[k]))) for k in changed]
        legal = np.flatnonzero(seen.mask).tolist()
        steps.append(SeatStep(changes=changes, legal=legal, action=seen.action))
        before = seen.observation
    return SeatRecord(
        game=spec.game,
        scenario=spec.scenario,
        options={key: value for key, value in open_options(scenario).items() if key != "scenario"},
        rules_version=spec.rules_version,
        observation_version=spec.observation_version,
        seat=seat,
        steps=steps,
    )


def seen_by(
    game: Game, scenario: Scenario, events: Sequence[tuple[int, int]], seats: Collection[int]
) -> Iterator[Seen]:
    """The choices of some seats as they saw them, in order; at the end what each of the seats sees now."""
    engine, spec = engine_of(game), scenario.spec
    states = new_states(spec, 1)
    engine.reset(states, 0, scenario.setup)

    def look(seat: int, action: int | None) -> Seen:
        observation = np.zeros(spec.observation_size, np.float32)
        mask = np.zeros(spec.num_actions, np.bool_)
        engine.observe(states, 0, seat, observation)
        engine.legal_mask(states, 0, seat, mask)
        return Seen(seat, observation, mask, action)

    for actor, action in events:
        if actor == CHANCE:
            engine.apply_chance(states, 0, action)
            continue
        if actor in seats:
            yield look(actor, action)
        engine.apply(states, 0, actor, action)
    yield from (look(seat, None) for seat in seats)


def read(record: SeatRecord, setting: Setting) -> Iterator[Seen]:
    """The positions of a record that somebody sent, the present one last; checked as they are asked for.

    Raises:
        LoadError: of other rules than these.
        SetupError: names the step and the field that doesn't fit.
    """
    spec = setting.spec
    for name in ("rules_version", "observation_version"):
        given, known = getattr(record, name), getattr(spec, name)
        if given != known:
            raise LoadError(f"seat_record.{name}: made under version {given}, this is version {known}")
    if record.seat >= spec.num_seats:
        raise SetupError(f"seat_record.seat: there is no {record.seat}; expected below {spec.num_seats}")
    observation = np.zeros(spec.observation_size, np.float32)
    for k, step in enumerate(record.steps):
        last = k == len(record.steps) - 1
        observation = observation.copy()
        for entry, value in step.changes:
            if entry >= len(observation):
                raise SetupError(
                    f"seat_record.steps.{k}.changes: no entry {entry}; expected below {len(observation)}"
                )
            observation[entry] = value
        yield Seen(record.seat, observation, _mask(step, k, last, spec), step.action)


def _mask(step: SeatStep, k: int, last: bool, spec: GameSpec) -> Mask:
    where = f"seat_record.steps.{k}"
    if not step.legal and last:
        raise SetupError(f"{where}.legal: seat owes no choice there, so there is nothing to choose")
    if any(action >= spec.num_actions for action in step.legal):
        raise SetupError(f"{where}.legal: an action id of {spec.num_actions} or more")
    if last and step.action is not None:
        raise SetupError(f"{where}.action: expected null in the last step, the choice that is wanted")
    if not last and step.action not in step.legal:
        raise SetupError(f"{where}.action: expected one of the step's legal ones, got {step.action}")
    mask = np.zeros(spec.num_actions, np.bool_)
    mask[step.legal] = True
    return mask


def follow(positions: Iterable[Seen], agent: Agent | None = None) -> Seen:
    """The last of some positions, of which there is at least one; `agent` is shown those before."""
    now: Seen | None = None
    for seen in positions:
        if now is not None and agent is not None:
            remind(agent, now)
        now = seen
    assert now is not None
    return now


def remind(agent: Agent, past: Seen) -> None:
    """Show an agent with a memory a choice of its own that was made. A program outside isn't shown it: it is
    told of a new game.
    """
    if not agent.plays_batches and agent.remembers and not isinstance(agent, EngineAgent):
        agent.act(past.observation, past.mask)

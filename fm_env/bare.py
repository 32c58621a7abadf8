"""A game without rules: it only writes masks and observations. The yardstick of `fm-env bench`.

Played by the same batch as a real game, it shows what that game's own rules cost. Each entry is a
fact looked up in the record and scaled, which is what the entries of an observation are. (A kernel
that fills both with a pattern is turned into a few wide stores by the compiler: it measures the
memory, not a kernel.)
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from fm_env.compiled import rule
from fm_env.contract import TERMINAL, GameKernel, GameSpec, Scenario

STATE = np.dtype(
    [
        ("turn", "i4"),  # choices made
        ("length", "i4"),  # choices until the end
        ("last", "i4"),  # the action taken last; it says where the facts are looked up
        ("facts", "i1", (64,)),
    ]
)
FACTS = 63
"""Last index of `facts`; also a bit mask."""


@rule
def reset(s, setup):
    """The length, and 64 different facts."""
    s.turn = 0
    s.length = setup.length
    s.last = 0
    for k in range(FACTS + 1):
        s.facts[k] = k


@rule
def to_act(s):
    """The seats take turns."""
    return TERMINAL if s.turn >= s.length else s.turn & 1


@rule
def pending(s):
    """Whoever is to act."""
    return 0 if s.turn >= s.length else 1 << (s.turn & 1)


@rule
def legal_mask(s, seat, out):
    """About every fourth action, and always the first two, so that each choice is a real one."""
    n = 0
    for a in range(len(out)):
        legal = a < 2 or s.facts[(a + s.last) & FACTS] & 3 == 0
        out[a] = legal
        n += legal
    return n


@rule
def chance_weights(s, out):
    """There is no chance."""
    out[:] = 0
    return 0


@rule
def chance_stream(s, out):
    """There is no chance."""
    out[:] = 0
    return 0


@rule
def apply(s, seat, action):
    """The action is remembered, and one fact changes."""
    s.turn += 1
    s.last = action
    s.facts[action & FACTS] = s.turn & FACTS


@rule
def apply_chance(s, outcome):
    """There is no chance."""


@rule
def returns(s, out):
    """Always zero."""
    out[:] = 0.0


@rule
def observe(s, seat, out):
    """Facts, each looked up and scaled."""
    for k in range(len(out)):
        out[k] = s.facts[(k + s.last) & FACTS] * (1 / 64)


@rule
def info_key(s, seat, out):
    """Nothing is hidden."""
    out[:] = 0
    out[0] = s.turn & 255


@rule
def faults(s):
    """Nothing can break."""
    return 0


@rule
def resample(s, seat, rng):
    """Nothing is hidden."""


class Bare:
    """The registry object of a bare game with the sizes of a real one."""

    name = "bare"
    default_scenario = "bare"
    kernel = GameKernel(
        reset=reset,
        to_act=to_act,
        pending=pending,
        legal_mask=legal_mask,
        chance_weights=chance_weights,
        chance_stream=chance_stream,
        apply=apply,
        apply_chance=apply_chance,
        returns=returns,
        observe=observe,
        info_key=info_key,
        faults=faults,
        resample=resample,
    )

    def __init__(self, like: GameSpec, length: int) -> None:
        """A game with the mask and observation sizes of `like` that ends after `length` choices."""
        self.like, self.length = like, length

    def scenario_names(self) -> tuple[str, ...]:
        """Its only scenario."""
        return ("bare",)

    def scenario(self, scenario: str, **options: Any) -> Scenario:
        """The only scenario; it has no options."""
        spec = replace(
            self.like,
            game="bare",
            scenario=scenario,
            num_seats=2,
            num_chance_outcomes=1,
            info_key_size=1,
            max_decisions=self.length,
            max_chance_events=0,
            min_return=0.0,
            max_return=0.0,
            return_sum=0.0,
            state_dtype=STATE,
        )
        setup = np.zeros(1, np.dtype((np.record, [("length", "i4")])))[0]
        setup["length"] = self.length
        return Scenario(spec, setup, {"scenario": scenario})

    def action_text(self, spec: GameSpec, action: int) -> str:
        """The id."""
        return str(action)

    def outcome_text(self, spec: GameSpec, outcome: int) -> str:
        """The id."""
        return str(outcome)

    def state_text(self, state: np.record, seat: int | None) -> str:
        """How far the game is."""
        return f"choice {state['turn']} of {state['length']}"

    def event_text(self, before: np.record, seat: int, action: int, after: np.record) -> str:
        """Who chose what."""
        return f"seat {seat} chooses {action}"

    def observation_labels(self, spec: GameSpec) -> tuple[str, ...]:
        """The entries' numbers."""
        return tuple(f"number {k}" for k in range(spec.observation_size))

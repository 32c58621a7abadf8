"""Kuhn poker against the contract: the smallest game with hidden cards and published numbers.

Two seats ante 1 and get one card each of three (0, 1, 2). Seat 0 passes or bets 1; a bet is
answered by a pass (fold) or a bet (call). Published: 4 chance, 24 decision and 30 terminal
nodes (counting the deal as two events: 1 + 3), 12 information sets, NashConv of uniform play
11/12, value -1/18 for seat 0 (Kuhn 1950; OpenSpiel's kuhn_poker).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fm_env.compiled import rule
from fm_env.contract import CHANCE, TERMINAL, GameKernel, GameSpec, Scenario
from fm_env.errors import SetupError, UnknownNameError
from fm_env.rng import random_below

NO_CARD = -1
NUM_CARDS = 3
PASS, BET = 0, 1

STATE = np.dtype(
    [
        ("cards", "i1", (2,)),  # card of each seat, NO_CARD before the deal
        ("bets", "i1", (3,)),  # actions in order, -1 for none yet
        ("num_bets", "i1"),  # how many of them
        ("first", "i1"),  # the seat that speaks first
    ]
)
SETUP = np.dtype([("first", "i1"), ("cards", "i1", (2,))])

BAD_CARDS = 1
"""Fault: two equal cards or one that doesn't exist."""
BAD_HISTORY = 2
"""Fault: actions after the end or an unknown action."""

ACTIONS = ("pass", "bet")
OUTCOMES = ("J", "Q", "K")


@rule
def reset(s, setup):
    s.first = setup.first
    s.num_bets = 0
    for k in range(3):
        s.bets[k] = -1
    for seat in range(2):
        s.cards[seat] = setup.cards[seat]


@rule
def is_over(s):
    n = s.num_bets
    return n >= 2 and not (n == 2 and s.bets[0] == PASS and s.bets[1] == BET)


@rule
def to_act(s):
    if s.cards[0] == NO_CARD or s.cards[1] == NO_CARD:
        return CHANCE
    if is_over(s):
        return TERMINAL
    return (s.first + s.num_bets) % 2


@rule
def pending(s):
    who = to_act(s)
    if who < 0:
        return 0
    return 1 << who


@rule
def legal_mask(s, seat, out):
    owes = to_act(s) == seat
    for a in range(2):
        out[a] = owes
    return 2 if owes else 0


@rule
def chance_weights(s, out):
    total = 0
    for c in range(NUM_CARDS):
        free = to_act(s) == CHANCE and s.cards[0] != c and s.cards[1] != c
        out[c] = 1 if free else 0
        total += out[c]
    return total


@rule
def chance_stream(s, out):
    for c in range(NUM_CARDS):
        out[c] = 1 if (s.cards[0] == c or s.cards[1] == c) else 0
    return 0


@rule
def apply(s, seat, action):
    s.bets[s.num_bets] = action
    s.num_bets += 1


@rule
def apply_chance(s, outcome):
    seat = 0 if s.cards[0] == NO_CARD else 1
    s.cards[seat] = outcome


@rule
def returns(s, out):
    out[0] = 0.0
    out[1] = 0.0
    if to_act(s) != TERMINAL:
        return
    second = s.bets[1]
    if s.bets[0] == BET:
        stake, folder = (2.0, -1) if second == BET else (1.0, 1)
    elif second == BET:
        stake, folder = (2.0, -1) if s.bets[2] == BET else (1.0, 0)
    else:
        stake, folder = 1.0, -1
    if folder >= 0:
        loser = (s.first + folder) % 2
    else:
        loser = 0 if s.cards[0] < s.cards[1] else 1
    out[loser] = -stake
    out[1 - loser] = stake


@rule
def observe(s, seat, out):
    """One-hot card, then for each of three actions pass / bet, then 1 if this seat speaks first."""
    for k in range(len(out)):
        out[k] = 0.0
    if s.cards[seat] != NO_CARD:
        out[s.cards[seat]] = 1.0
    for k in range(s.num_bets):
        out[3 + 2 * k + s.bets[k]] = 1.0
    out[9] = 1.0 if s.first == seat else 0.0


@rule
def info_key(s, seat, out):
    out[0] = s.cards[seat] + 1
    for k in range(3):
        out[1 + k] = s.bets[k] + 1
    dealt = s.cards[0] != NO_CARD and s.cards[1] != NO_CARD
    out[4] = (1 if s.first == seat else 0) + (2 if dealt else 0)


@rule
def faults(s):
    found = 0
    for seat in range(2):
        if s.cards[seat] < NO_CARD or s.cards[seat] >= NUM_CARDS:
            found |= BAD_CARDS
    if s.cards[0] == s.cards[1] and s.cards[0] != NO_CARD:
        found |= BAD_CARDS
    for k in range(3):
        unused = k >= s.num_bets
        if unused != (s.bets[k] == -1) or s.bets[k] > BET:
            found |= BAD_HISTORY
    if s.num_bets == 3 and not (s.bets[0] == PASS and s.bets[1] == BET):
        found |= BAD_HISTORY
    return found


@rule
def resample(s, seat, rng):
    """The other card is one of the two that `seat` doesn't hold, evenly; none if none was dealt."""
    other = 1 - seat
    if s.cards[other] == NO_CARD or s.cards[seat] == NO_CARD:
        return
    step = 1 + random_below(rng, 2)
    s.cards[other] = (s.cards[seat] + step) % NUM_CARDS


KERNEL = GameKernel(
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


class Kuhn:
    """The registry object; option `first` says which seat speaks first, `setup` sets the cards."""

    name = "kuhn"
    kernel = KERNEL
    default_scenario = "kuhn"

    def scenario_names(self) -> tuple[str, ...]:
        return ("kuhn",)

    def scenario(self, scenario: str, **options: Any) -> Scenario:
        if scenario not in self.scenario_names():
            raise UnknownNameError("scenario", scenario, self.scenario_names())
        unknown = set(options) - {"first", "setup"}
        if unknown:
            raise SetupError(f"kuhn: unknown options {sorted(unknown)}; known: first, setup")
        first = options.get("first", 0)
        if first not in (0, 1):
            raise SetupError(f"first: expected 0 or 1, got {first!r}")
        cards = [_card(text) for text in (options.get("setup") or {}).get("cards", (None, None))]
        setup = np.zeros(1, np.dtype((np.record, SETUP)))[0]
        setup.first, setup.cards = first, cards
        return Scenario(_spec(), setup, {"scenario": scenario, **options})

    def action_text(self, spec: GameSpec, action: int) -> str:
        return ACTIONS[action]

    def outcome_text(self, spec: GameSpec, outcome: int) -> str:
        return OUTCOMES[outcome]

    def state_text(self, state: np.record, seat: int | None) -> str:
        shown = [_card_text(c) if seat in (None, k) else "?" for k, c in enumerate(state["cards"])]
        bets = [ACTIONS[a] for a in state["bets"][: state["num_bets"]]]
        said = ", ".join(bets) or "nothing"
        return f"cards {' '.join(shown)}; seat {state['first']} speaks first; said: {said}"

    def event_text(self, before: np.record, seat: int, action: int, after: np.record) -> str:
        if seat == CHANCE:
            receiver = 0 if before["cards"][0] == NO_CARD else 1
            return f"seat {receiver} is dealt {OUTCOMES[action]}"
        return f"seat {seat} says {ACTIONS[action]}"

    def observation_labels(self, spec: GameSpec) -> tuple[str, ...]:
        said = [f"action {k} is {name}" for k in range(3) for name in ACTIONS]
        return (*(f"own card is {name}" for name in OUTCOMES), *said, "speaks first")


def _spec() -> GameSpec:
    return GameSpec(
        game="kuhn",
        scenario="kuhn",
        rules_version=1,
        observation_version=1,
        num_seats=2,
        num_actions=2,
        num_chance_outcomes=NUM_CARDS,
        observation_size=10,
        info_key_size=5,
        max_decisions=3,
        max_chance_events=2,
        min_return=-2.0,
        max_return=2.0,
        return_sum=0.0,
        state_dtype=STATE,
    )


def _card(text: str | None) -> int:
    if text is None:
        return NO_CARD
    if text not in OUTCOMES:
        raise SetupError(f"setup.cards: expected J, Q or K, got {text!r}")
    return OUTCOMES.index(text)


def _card_text(card: int) -> str:
    return "-" if card == NO_CARD else OUTCOMES[card]


GAME = Kuhn()

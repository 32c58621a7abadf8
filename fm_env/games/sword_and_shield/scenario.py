"""The joust's options, checked at the door, and the set-up record made from them."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from fm_env.contract import GameSpec, Scenario
from fm_env.errors import SetupError
from fm_env.games.options import explain
from fm_env.games.sword_and_shield.actions import NUM_ACTIONS
from fm_env.games.sword_and_shield.constants import (
    ATTACK_NAMES,
    ATTACKS_A_WORD,
    COUNT_BITS,
    HITS_TO_LOSE,
    MAX_CARDS,
    MAX_HAND,
    NO_ATTACK,
    NO_CARD,
    NO_SEAT,
    NUM_OUTCOMES,
    TACTICS,
    Phase,
)
from fm_env.games.sword_and_shield.data import Deck, Knight, deck_of, knight_of
from fm_env.games.sword_and_shield.observe import OBSERVATION_SIZE
from fm_env.games.sword_and_shield.spec import JoustSpec
from fm_env.games.sword_and_shield.state import STATE
from fm_env.records import as_record, new_rows

RULES_VERSION = 1
OBSERVATION_VERSION = 1

Source = str | dict[str, Any]


class Position(BaseModel):
    """A joust that does not start fresh. Hands left out are drawn; what is named is dealt already."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    hands: tuple[list[str], list[str]] = ([], [])
    """Cards by name; a hand below the limit is filled up before the first turn."""
    discards: list[str] = []
    fatigue: tuple[int | None, int | None] = (None, None)
    """Points left; a fresh pool unless given."""
    hits: tuple[
        Annotated[int, Field(ge=0, lt=HITS_TO_LOSE)], Annotated[int, Field(ge=0, lt=HITS_TO_LOSE)]
    ] = (0, 0)
    """Hits taken."""


class Joust(BaseModel):
    """Two knights, five hits."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    scenario: Literal["joust"] = "joust"
    knights: tuple[Source, Source] = ("bear", "fox")
    """For each seat a name, a TOML file, or the data itself."""
    deck: Source = "base"
    """A name, a TOML file, or the data itself."""
    first_seat: Literal["drawn", 0, 1] = "drawn"
    """Who attacks first (K-14)."""
    hand: Annotated[int, Field(ge=1, le=MAX_HAND)] = 6
    """Cards that hands are refilled to (K-15)."""
    max_turns: Annotated[int, Field(ge=1, le=120)] = 120
    """Turns until the joust is judged (K-14)."""
    setup: Position | None = None

    @model_validator(mode="after")
    def check(self) -> Joust:
        """What depends on more than one option."""
        if self.setup is not None:
            for seat, cards in enumerate(self.setup.hands):
                if len(cards) > self.hand:
                    raise ValueError(
                        f"setup.hands.{seat}: expected at most {self.hand} cards, got {len(cards)}"
                    )
        return self


SCENARIOS = {"joust": Joust}


def make_scenario(scenario: str, **given: Any) -> Scenario:
    """Validate options and make the scenario; see `fm_env.contract.Game.scenario`."""
    model = SCENARIOS.get(scenario)
    if model is None:
        raise SetupError(f"scenario: unknown name {scenario!r}; expected one of {', '.join(SCENARIOS)}")
    try:
        options = model.model_validate({**given, "scenario": scenario})
    except ValidationError as error:
        raise SetupError(explain(scenario, error, model)) from None
    deck = deck_of(options.deck)
    knights = [knight_of(options.knights[seat], f"knights.{seat}") for seat in range(2)]
    setup = joust_setup(options, deck, knights)
    kept = options.model_dump(mode="json", exclude_defaults=True) | {"scenario": scenario}
    # What a file said is kept, not the file's name, so that a saved game doesn't depend on it.
    if isinstance(options.deck, str) and options.deck.endswith(".toml"):
        kept["deck"] = deck.model_dump(mode="json", exclude_defaults=True)
    if any(isinstance(knight, str) and knight.endswith(".toml") for knight in options.knights):
        kept["knights"] = [knight.model_dump(mode="json", exclude_defaults=True) for knight in knights]
    return Scenario(make_spec(options, deck), setup, kept)


def joust_setup(options: Joust, deck: Deck, knights: list[Knight]) -> np.record:
    """The state before the first card is drawn."""
    setup: Any = as_record(new_rows(STATE, 1), 0)
    write_deck(setup, deck)
    for seat, knight in enumerate(knights):
        setup.knight[seat] = (knight.strength, knight.technique, knight.chivalry, knight.endurance)
        setup.fatigue_max[seat] = knight.fresh_fatigue
    setup.hand_limit = options.hand
    setup.max_turns = options.max_turns
    setup.attacker = NO_SEAT if options.first_seat == "drawn" else options.first_seat
    setup.drawing = NO_SEAT
    setup.card = NO_CARD
    setup.phase = Phase.FIRST
    write_position(setup, deck, options.setup or Position())
    return setup


def write_deck(setup: Any, deck: Deck) -> None:
    """The deck's data as tables of the record."""
    setup.attack[:] = NO_ATTACK
    for c, card in enumerate(deck.cards):
        setup.pack[c] = card.copies
        setup.attack[c] = ATTACK_NAMES.index(card.attack)
        setup.tactic[c] = [getattr(card, name) or 0 for name in TACTICS]
        covered = deck.covered_by(card)
        for a, name in enumerate(ATTACK_NAMES):
            if name in covered:
                word, field = divmod(a, ATTACKS_A_WORD)
                setup.covers[c, word] |= 1 << (COUNT_BITS * field)
        setup.breadth[c] = len(covered)
        setup.manoeuvre[c] = card.manoeuvre
    for c, achievement in enumerate(deck.achievements, start=len(deck.cards)):
        setup.pack[c] = achievement.copies
        setup.is_achievement[c] = 1
        setup.price[c] = achievement.price
        setup.saves[c] = achievement.saves
        setup.refreshes[c] = achievement.refreshes
        setup.strikes_back[c] = achievement.strikes_back
    setup.n_types = len(deck.names)
    for c, name in enumerate(deck.names):
        setup.name[c, : len(name)] = [ord(letter) for letter in name]


def write_position(setup: Any, deck: Deck, position: Position) -> None:
    """Piles, pools and hits at the start."""
    names = deck.names
    left = setup.pack.copy()
    for seat in range(2):
        setup.hand[seat] = take(left, names, position.hands[seat], f"setup.hands.{seat}")
        setup.n_hand[seat] = len(position.hands[seat])
        points = position.fatigue[seat]
        most = int(setup.fatigue_max[seat])
        if points is not None and not 1 <= points <= most:
            raise SetupError(f"setup.fatigue.{seat}: expected 1 to {most}, got {points}")
        setup.fatigue[seat] = most if points is None else points
        setup.hits[seat] = position.hits[seat]
    setup.discard[:] = take(left, names, position.discards, "setup.discards")
    setup.n_discard = len(position.discards)
    setup.deck[:] = setup.shuffled[:] = left
    setup.n_deck = int(left.sum())
    setup.shuffles = 1


def take(left: Any, names: tuple[str, ...], cards: list[str], where: str) -> Any:
    """Counts of the named cards, taken from what is left of the pack."""
    counts = np.zeros(MAX_CARDS, np.int8)
    for name, n in Counter(cards).items():
        if name not in names:
            raise SetupError(f"{where}: unknown card {name!r}; expected one of {', '.join(names)}")
        c = names.index(name)
        if n > left[c]:
            raise SetupError(f"{where}: {n} x {name}, but the deck has {left[c]} left")
        counts[c] = n
        left[c] -= n
    return counts


def make_spec(options: Joust, deck: Deck) -> GameSpec:
    """Sizes and bounds: a turn is an attack and its answer, or a pass, a discard for every card held
    and an end; a refill draws at most a hand.
    """
    turn = max(2, options.hand + 2)
    return JoustSpec(
        game="sword_and_shield",
        scenario=options.scenario,
        rules_version=RULES_VERSION,
        observation_version=OBSERVATION_VERSION,
        num_seats=2,
        num_actions=NUM_ACTIONS,
        num_chance_outcomes=NUM_OUTCOMES,
        observation_size=OBSERVATION_SIZE,
        info_key_size=4 * OBSERVATION_SIZE,
        max_decisions=options.max_turns * turn,
        max_chance_events=1 + 2 * options.hand + options.max_turns * max(2, options.hand),
        min_return=-1.0,
        max_return=1.0,
        return_sum=0.0,
        state_dtype=STATE,
        cards=deck.names,
    )

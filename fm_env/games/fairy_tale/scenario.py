"""Scenarios: options checked at the door, and the set-up record made from them.

`basic`: 2 to 4 players, the deck without its expert cards. `expert`: 2 to 5 players, all cards.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from fm_env.contract import GameSpec, Scenario
from fm_env.errors import SetupError
from fm_env.games.fairy_tale.actions import num_actions
from fm_env.games.fairy_tale.constants import (
    MAX_SEATS,
    MAX_TYPES,
    MOST,
    NO_CARD,
    NUM_KINDS,
    PACKET,
    PLAYS,
    ROUNDS,
    TABLEAU,
    Kind,
    Op,
    Race,
    Who,
)
from fm_env.games.fairy_tale.deck import Card, Deck, Friends, load_deck
from fm_env.games.fairy_tale.information import info_key_size
from fm_env.games.fairy_tale.observe import observation_size
from fm_env.games.fairy_tale.state import setup_dtype, state_dtype
from fm_env.games.options import explain

RULES_VERSION = 1
OBSERVATION_VERSION = 1

SCENARIOS = {"basic": False, "expert": True}
"""Name of the scenario to whether the expert cards are in."""


class Tableau(BaseModel):
    """Cards that lie before a player from the start."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    up: list[str] = []
    """Names of face-up cards."""
    down: list[str] = []
    """Names of face-down cards."""


class Options(BaseModel):
    """What a scenario can be told."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    num_players: Annotated[int, Field(ge=2, le=MAX_SEATS)] = 3
    deck: str | dict[str, Any] = "standard"
    strict_most: bool = False
    first_seat: Annotated[int, Field(ge=0, lt=MAX_SEATS)] = 0
    rounds: Annotated[int, Field(ge=1, le=ROUNDS)] = ROUNDS
    setup: list[Tableau] | None = None


@dataclass(frozen=True)
class TaleSpec(GameSpec):
    """The facts of a scenario; `deck_id` finds the names of its cards (`deck.NAMES`)."""

    deck_id: int = 0


def make_scenario(scenario: str, **given: Any) -> Scenario:
    """Validate options and make the scenario; see `fm_env.contract.Game.scenario`."""
    if scenario not in SCENARIOS:
        raise SetupError(f"scenario: unknown name {scenario!r}; expected one of {', '.join(SCENARIOS)}")
    try:
        options = Options(**given)
    except ValidationError as error:
        raise SetupError(explain(scenario, error, Options)) from None
    deck = load_deck(options.deck)
    expert = SCENARIOS[scenario]
    check_players(scenario, options, deck)
    setup = deck_record(deck, expert)
    setup.n_seats = options.num_players
    setup.first_seat = options.first_seat
    setup.rounds = options.rounds
    setup.strict_most = options.strict_most
    lay_tables(setup, scenario, options, deck)
    kept = options.model_dump(mode="json", exclude_defaults=True) | {"scenario": scenario}
    if options.deck != "standard":
        # The deck itself, not its path: a saved game must not change with a file.
        kept["deck"] = deck.model_dump(mode="json", exclude_defaults=True)
    return Scenario(make_spec(scenario, options, deck), setup, kept)


def check_players(scenario: str, options: Options, deck: Deck) -> None:
    """Enough cards for everyone (T-22): the deck is never shuffled anew."""
    n, cards = options.num_players, deck.copies(SCENARIOS[scenario])
    if cards < PACKET * n * options.rounds:
        more = ""
        if deck.copies(True) >= PACKET * n * options.rounds:
            more = "; the scenario 'expert' has enough"
        raise SetupError(
            f"{scenario}: num_players: {n} players need {PACKET * n * options.rounds} cards"
            f" for {options.rounds} rounds, but the deck has {cards}{more}"
        )
    if options.first_seat >= n:
        raise SetupError(f"{scenario}: first_seat: expected below {n}, got {options.first_seat}")


def deck_record(deck: Deck, expert: bool) -> Any:
    """The set-up record with the deck written into it."""
    setup = np.zeros(1, setup_dtype(deck.types)).view(np.recarray)[0]
    number = {card.name: k for k, card in enumerate(deck.card)}
    setup.deck_id = deck.number
    setup.n_types = len(deck.card)
    setup.friend[:] = NO_CARD
    setup.almighty = NO_CARD
    setup.need_card[:] = NO_CARD
    setup.need_race[:] = Race.ANY
    setup.need_kind[:] = Kind.ANY
    for k, card in enumerate(deck.card):
        setup.pack[k] = card.copies if expert or not card.expert else 0
        setup.race[k], setup.kind[k] = Race[card.race.upper()], Kind[card.kind.upper()]
        setup.looks[k] = (1 + setup.race[k] * NUM_KINDS + setup.kind[k]) / 16
        write_points(setup, k, card, number)
        if card.effect is not None:
            setup.op[k] = Op[card.effect.do.upper()]
            setup.who[k] = Who[card.effect.who.upper()]
            setup.target[k] = Race[card.effect.race.upper()]
            setup.count[k] = card.effect.count
        if card.almighty and setup.pack[k] > 0:
            setup.almighty = k
    counted = {*np.flatnonzero(setup.own), *setup.friend, *setup.need_card.ravel()} - {NO_CARD}
    setup.n_names = len(counted)
    setup.names[: len(counted)] = sorted(counted)
    return setup


def write_points(setup: Any, k: int, card: Card, number: dict[str, int]) -> None:
    """How a card scores: plainly, by counting, or by its conditions."""
    if isinstance(card.points, Friends):
        setup.value[k] = card.points.each
        setup.friend[k] = number[card.points.friend]
        setup.friend_types[setup.n_friends] = k
        setup.n_friends += 1
    elif card.points == "own count":
        setup.own[k] = 1
    else:
        setup.value[k] = card.points
        if card.needs:
            setup.story_types[setup.n_stories] = k
            setup.n_stories += 1
        else:
            setup.plain[k] = card.points
    setup.n_needs[k] = len(card.needs)
    for q, need in enumerate(card.needs):
        setup.need_least[k, q] = MOST if need.least is None else need.least
        setup.need_race[k, q] = Race[need.race.upper()]
        setup.need_kind[k, q] = Kind[need.kind.upper()]
        if need.card is not None:
            setup.need_card[k, q] = number[need.card]


def lay_tables(setup: Any, scenario: str, options: Options, deck: Deck) -> None:
    """Cards that lie on the table from the start."""
    tables = options.setup or []
    if len(tables) > options.num_players:
        raise SetupError(
            f"{scenario}: setup: expected at most {options.num_players} tableaux, got {len(tables)}"
        )
    number = {card.name: k for k, card in enumerate(deck.card)}
    for seat, table in enumerate(tables):
        room = TABLEAU - PLAYS * options.rounds
        if len(table.up) + len(table.down) > room:
            raise SetupError(
                f"{scenario}: setup.{seat}: {len(table.up) + len(table.down)} cards, but a tableau ends with"
                f" {TABLEAU} at most, so that {options.rounds} rounds leave room for {room}"
            )
        for side in ("up", "down"):
            for name in getattr(table, side):
                if name not in number:
                    raise SetupError(f"{scenario}: setup.{seat}.{side}: {name!r} is no card of the deck")
                setup[side][seat, number[name]] += 1
    lying = setup.up.sum(axis=0) + setup.down.sum(axis=0)
    for k in np.flatnonzero(lying > setup.pack):
        raise SetupError(
            f"{scenario}: setup: {lying[k]} x {deck.card[k].name!r}, but the deck has {setup.pack[k]}"
        )
    left, wanted = int((setup.pack - lying).sum()), PACKET * options.num_players * options.rounds
    if left < wanted:
        raise SetupError(f"{scenario}: setup: leaves {left} cards in the deck, but {wanted} will be dealt")


def make_spec(scenario: str, options: Options, deck: Deck) -> GameSpec:
    """Sizes and bounds. A round asks each seat for four picks (the fifth is forced) and three plays;
    each of a step's effects asks every seat for as many cards as the largest effect turns.
    """
    n, types = options.num_players, deck.types
    turned = max((card.effect.count for card in deck.card if card.effect is not None), default=0)
    return TaleSpec(
        game="fairy_tale",
        scenario=scenario,
        rules_version=RULES_VERSION,
        observation_version=OBSERVATION_VERSION,
        num_seats=n,
        num_actions=num_actions(types),
        num_chance_outcomes=MAX_TYPES,
        observation_size=observation_size(types),
        info_key_size=info_key_size(types),
        max_decisions=options.rounds * (n * (PACKET - 1 + PLAYS) + PLAYS * n * n * turned),
        max_chance_events=options.rounds * n * PACKET,
        min_return=-1.0,
        max_return=1.0,
        return_sum=0.0,
        state_dtype=state_dtype(types),
        deck_id=deck.number,
    )

"""Scenarios: options checked at the door, and the set-up record made from them.

`clash`: one exchange of UnclEvl's combat (or of the Fast Play one) between two hands.
`duel`: two fairies in base contact for up to eight rounds.
`scuffle`: two to four players with three or four fairies, all in contact and in sight.
`skirmish` and its smaller sizes: the whole table, see `skirmish.py`.
"""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from fm_env.contract import GameSpec, Scenario
from fm_env.errors import SetupError, suggestion
from fm_env.games.fairy_meat.actions import num_actions
from fm_env.games.fairy_meat.constants import (
    FAIRY_KILL,
    FAIRY_LIVE,
    FAIRY_NAMES,
    FAIRY_TWINKLE,
    FIRST_TRUMP,
    JOKER,
    LIFE_CAP,
    MAX_HAND,
    MAX_PIECES,
    MAX_THINK,
    MAX_TRUMPS,
    NUM_CARDS,
    NUM_OUTCOMES,
    STANCES,
    WEAPON_NAMES,
    WEAPON_SLOTS,
    Kind,
    Play,
)
from fm_env.games.fairy_meat.information import record_key_size
from fm_env.games.fairy_meat.notation import CARDS, card_text
from fm_env.games.fairy_meat.observe import observation_size
from fm_env.games.fairy_meat.options import (
    OBSERVATION_VERSION,
    RULES_VERSION,
    Card,
    FairyTypeName,
    Options,
    Weapon,
    empty_setup,
    full_pack,
    rules_into,
)
from fm_env.games.fairy_meat.skirmish import Skirmish, Skirmish1v1, Skirmish2v2, skirmish_setup
from fm_env.games.fairy_meat.state import state_dtype
from fm_env.games.options import explain


class Hands(BaseModel):
    """Cards that the two fighters of a clash hold from the start."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    attacker: Annotated[list[Card], Field(max_length=MAX_HAND)] | None = None
    defender: Annotated[list[Card], Field(max_length=MAX_HAND)] | None = None


class Clash(Options):
    """One exchange. The utility is the points won or lost by the attacker (seat 0)."""

    scenario: Literal["clash"] = "clash"
    a: Annotated[int, Field(ge=0, le=MAX_HAND)] = 4
    d: Annotated[int, Field(ge=0, le=MAX_HAND)] = 3
    kind: Literal["melee", "ranged", "wrestle", "rose_prick"] = "melee"
    joker_points: bool = False
    deck: Literal["clash", "full"] | dict[Card, Annotated[int, Field(ge=0, le=MAX_TRUMPS)]] = "clash"
    setup: Hands | None = None

    @model_validator(mode="after")
    def check(self) -> Clash:
        """What depends on more than one option."""
        if self.kind == "wrestle" and self.combat == "fast_play":
            raise ValueError("kind: wrestling belongs to UnclEvl's combat; expected combat = 'unclevl'")
        hands = self.setup or Hands()
        if self.kind == "rose_prick" and "X" in (*(hands.attacker or ()), *(hands.defender or ())):
            raise ValueError("setup: a joker in a hand would have ended the spell (F-58); expected none")
        if self.first_seat:
            raise ValueError("first_seat: a clash begins with the attacker, seat 0; expected 0")
        return self


class Fairy(BaseModel):
    """One fairy's card. Counters left out are those of her type."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    type: FairyTypeName = "seasoned"
    weapons: Annotated[list[Weapon], Field(max_length=WEAPON_SLOTS - 1)] = ["fairy_knife"]
    attacks: Annotated[int, Field(ge=1, le=3)] | None = None
    stance: Literal["pose", "pounce", "frolic", "flutter"] = "pose"
    seat: Annotated[int, Field(ge=0, le=3)] | None = None
    live: Annotated[int, Field(ge=0, le=LIFE_CAP)] | None = None
    kill: Annotated[int, Field(ge=0, le=LIFE_CAP)] | None = None
    twinkle: Annotated[int, Field(ge=0, le=MAX_THINK)] | None = None
    meat_live: Annotated[int, Field(ge=0, le=LIFE_CAP)] = 0
    meat_kill: Annotated[int, Field(ge=0, le=LIFE_CAP)] = 0
    used_twinkle: Annotated[int, Field(ge=0, le=MAX_THINK)] = 0

    def counters(self) -> tuple[int, int, int]:
        """Live, Kill and Twinkle counters in the Life section."""
        k = FAIRY_NAMES.index(self.type)
        live = FAIRY_LIVE[k] if self.live is None else self.live
        kill = FAIRY_KILL[k] if self.kill is None else self.kill
        return live, kill, FAIRY_TWINKLE[k] if self.twinkle is None else self.twinkle

    @model_validator(mode="after")
    def check(self) -> Fairy:
        """What depends on more than one counter."""
        live, kill, twinkle = self.counters()
        if not 1 <= live + kill <= LIFE_CAP:
            raise ValueError(f"live + kill: expected 1 to {LIFE_CAP}, got {live + kill}")
        if twinkle + self.used_twinkle > MAX_THINK:
            raise ValueError(f"twinkle + used_twinkle: expected at most {MAX_THINK}")
        return self


class Bout(Options):
    """What duel and scuffle share."""

    rounds: Annotated[int, Field(ge=1, le=16)] = 8


class Position(BaseModel):
    """A duel that does not start fresh: both fairies' cards, and cards already in the heap."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    fairies: Annotated[list[Fairy], Field(min_length=2, max_length=2)] | None = None
    heap: list[Card] = []


class Duel(Bout):
    """Two fairies in base contact: a kill wins, else more Fairy Points, else a draw."""

    scenario: Literal["duel"] = "duel"
    types: tuple[FairyTypeName, FairyTypeName] = ("seasoned", "seasoned")
    weapons: tuple[Weapon | None, Weapon | None] = ("fairy_knife", "fairy_knife")
    attacks: tuple[Annotated[int, Field(ge=1, le=3)] | None, Annotated[int, Field(ge=1, le=3)] | None] = (
        None,
        None,
    )
    setup: Position | None = None

    def roster(self) -> list[Fairy]:
        """The two fairies, from the set-up or from the short options."""
        if self.setup is not None and self.setup.fairies is not None:
            return self.setup.fairies
        rows = zip(self.types, self.weapons, self.attacks, strict=True)
        return [Fairy(type=t, weapons=[w] if w else [], attacks=n) for t, w, n in rows]

    @model_validator(mode="after")
    def check(self) -> Duel:
        """What depends on more than one option."""
        if self.first_seat > 1:
            raise ValueError(f"first_seat: a duel has seats 0 and 1, got {self.first_seat}")
        return self


class Scuffle(Bout):
    """Three or four fairies of two to four players, all in contact with each other."""

    scenario: Literal["scuffle"] = "scuffle"
    num_players: Annotated[int, Field(ge=2, le=4)] = 3
    fairies: Annotated[list[Fairy], Field(min_length=3, max_length=4)] | None = None
    setup: None = None

    def roster(self) -> list[Fairy]:
        """The given fairies, seats dealt in turn where left open; one each (two each for two players)."""
        n = self.num_players
        fairies = (
            self.fairies if self.fairies is not None else [Fairy() for _ in range(max(n, 4 if n == 2 else 3))]
        )
        seats = [k % n if fairy.seat is None else fairy.seat for k, fairy in enumerate(fairies)]
        return [fairy.model_copy(update={"seat": seat}) for fairy, seat in zip(fairies, seats, strict=True)]

    @model_validator(mode="after")
    def check(self) -> Scuffle:
        """What depends on more than one option."""
        owners = Counter(fairy.seat for fairy in self.roster())
        if sorted(owners) != list(range(self.num_players)):  # type: ignore[type-var]
            raise ValueError(f"fairies: expected one or two for each of {self.num_players} players")
        if max(owners.values()) > 2:
            raise ValueError("fairies: expected at most two a player")
        if self.first_seat >= self.num_players:
            raise ValueError(f"first_seat: expected below {self.num_players}, got {self.first_seat}")
        return self


SCENARIOS: dict[str, type[Clash] | type[Duel] | type[Scuffle] | type[Skirmish]] = {
    "clash": Clash,
    "duel": Duel,
    "scuffle": Scuffle,
    "skirmish-1v1": Skirmish1v1,
    "skirmish-2v2": Skirmish2v2,
    "skirmish": Skirmish,
}


# ----------------------------------------------------------------------------------- the pack
def clash_pack(decks: int, jokers: bool) -> np.ndarray[Any, np.dtype[np.int16]]:
    """The full deck with all trumps of one rank: eight red and eight black jacks (U-38)."""
    pack = full_pack(decks, jokers)
    pack[FIRST_TRUMP:JOKER] = 0
    pack[FIRST_TRUMP : FIRST_TRUMP + 2] = 8 * decks
    return pack


def pack_of(options: Clash | Duel | Scuffle, players: int) -> np.ndarray[Any, np.dtype[np.int16]]:
    decks = options.num_decks(players)
    if not isinstance(options, Clash):
        return full_pack(decks, options.jokers)
    if isinstance(options.deck, dict):
        pack = np.zeros(NUM_CARDS, np.int16)
        for text, n in options.deck.items():
            pack[CARDS[text]] = n
        check_pack(pack)
        return pack
    return clash_pack(decks, options.jokers) if options.deck == "clash" else full_pack(decks, options.jokers)


def check_pack(pack: np.ndarray[Any, np.dtype[np.int16]]) -> None:
    """A deck of one's own must fit the action ids and the observation's scale."""
    for c in range(FIRST_TRUMP):
        if pack[c] > 4:
            raise SetupError(f"deck: {card_text(c)}: expected at most 4 copies of a number, got {pack[c]}")
    for colour, name in enumerate(("red", "black")):
        n = int(pack[FIRST_TRUMP + colour : JOKER : 2].sum())
        if n > MAX_TRUMPS:
            raise SetupError(f"deck: expected at most {MAX_TRUMPS} {name} trumps, got {n}")


def take(pack: np.ndarray[Any, Any], texts: list[str], where: str) -> np.ndarray[Any, Any]:
    """Counts of the listed cards, which must be in the pack."""
    counts = np.zeros(NUM_CARDS, np.int16)
    for text in texts:
        counts[CARDS[text]] += 1
    for c in np.flatnonzero(counts > pack):
        raise SetupError(f"{where}: {counts[c]} x {card_text(int(c))}, but the deck has {pack[c]} left")
    return counts


# --------------------------------------------------------------------------------- the records
def make_scenario(scenario: str, **given: Any) -> Scenario:
    """Validate options and make the scenario; see `fm_env.contract.Game.scenario`."""
    model = SCENARIOS.get(scenario)
    if model is None:
        raise SetupError(f"scenario: unknown name {scenario!r}; {suggestion(scenario, SCENARIOS)}")
    try:
        options = model(scenario=scenario, **given)  # type: ignore[arg-type]
    except ValidationError as error:
        raise SetupError(explain(scenario, error, model)) from None
    if isinstance(options, Skirmish):
        setup = skirmish_setup(options)
        spec = make_spec(options, setup, options.num_players * options.BAND, MAX_PIECES)
    else:
        setup = clash_setup(options) if isinstance(options, Clash) else bout_setup(options)
        spec = make_spec(options, setup, int(setup.n_fairies))
    return Scenario(
        spec, setup, options.model_dump(mode="json", exclude_defaults=True) | {"scenario": scenario}
    )


KINDS = {"melee": Kind.MELEE, "ranged": Kind.RANGED, "wrestle": Kind.WRESTLE, "rose_prick": Kind.PRICK}


def clash_setup(options: Clash) -> Any:
    setup = empty_setup(2, 2)
    rules_into(setup, options)
    setup.play = Play.CLASH
    setup.n_seats = setup.n_fairies = 2
    setup.rounds = 1
    setup.owner[:] = (0, 1)
    setup.live[:] = setup.kill[:] = 1
    setup.joker_points = options.joker_points
    setup.kind = KINDS[options.kind]
    setup.pack[:] = pack_of(options, 2)
    setup.jokers = setup.pack[JOKER] > 0
    setup.hand_size[:] = (options.a, options.d)
    setup.strength = options.a
    hands = options.setup or Hands()
    left = setup.pack.copy()
    for f, (name, cards) in enumerate((("attacker", hands.attacker), ("defender", hands.defender))):
        if cards is not None:
            setup.hand[f] = take(left, cards, f"setup.{name}")
            left -= setup.hand[f]
            setup.hand_size[f] = len(cards)
    wanted = int(setup.hand_size.sum())
    if setup.pack.sum() < wanted:
        raise SetupError(f"clash: a, d: {wanted} cards in hand, but the deck has {setup.pack.sum()}")
    return setup


def bout_setup(options: Duel | Scuffle) -> Any:
    fairies = options.roster()
    size = 2 if isinstance(options, Duel) else 4
    setup = empty_setup(size, size)
    rules_into(setup, options)
    setup.play = Play.BOUT
    setup.rounds = options.rounds
    setup.n_fairies = len(fairies)
    setup.n_seats = 2 if isinstance(options, Duel) else options.num_players
    setup.pack[:] = pack_of(options, int(setup.n_seats))
    setup.jokers = options.jokers
    for f, fairy in enumerate(fairies):
        setup.owner[f] = f if fairy.seat is None else fairy.seat
        setup.fairy_type[f] = FAIRY_NAMES.index(fairy.type)
        setup.weapon[f, 1 : 1 + len(fairy.weapons)] = [WEAPON_NAMES.index(w) for w in fairy.weapons]
        setup.attacks[f] = fairy.attacks or 0
        setup.stance[f] = STANCES[fairy.stance]
        setup.live[f], setup.kill[f], setup.twinkle[f] = fairy.counters()
        setup.meat_live[f], setup.meat_kill[f] = fairy.meat_live, fairy.meat_kill
        setup.used_twinkle[f] = fairy.used_twinkle
    if isinstance(options, Duel):
        if sorted(setup.owner) != [0, 1]:
            raise SetupError("duel: setup.fairies: seat: expected one fairy for seat 0 and one for seat 1")
        if options.setup is not None:
            setup.heap_up[:] = take(setup.pack, options.setup.heap, "setup.heap")
    return setup


def make_spec(options: Options, setup: Any, fairies: int, pieces: int = 0) -> GameSpec:
    """Sizes and bounds. A clash is at most eleven recast spells of a few choices (F-58); a bout's
    round asks each fairy for Thinking, plans after every turn, and one turn of three attacks with
    a dozen choices each, trades included. On a table each fairy is bought and placed too, and her
    turn has moves, meals and spells.
    """
    size = len(setup.owner)
    cards, rounds = int(setup.pack.sum()), int(setup.rounds)
    if isinstance(options, Clash):
        # A point is at most half of what all trumps and the best number can be apart.
        most = float(10 + int(setup.pack[FIRST_TRUMP:JOKER].sum()))
        bounds = (-most, most)
        decisions, events = 64, 12 * (2 * MAX_HAND + cards)
    else:
        bounds = (-1.0, 1.0)
        decisions = rounds * fairies * (fairies + 2 + 120)
        events = rounds * fairies * (9 + cards + 3 * (2 * MAX_HAND + 2 * cards))
        if pieces:
            decisions = 2 * decisions + 12 * fairies
            events = 3 * events + 64
    return GameSpec(
        game="fairy_meat",
        scenario=options.scenario,  # type: ignore[attr-defined]
        rules_version=RULES_VERSION,
        observation_version=OBSERVATION_VERSION,
        num_seats=int(setup.n_seats),
        num_actions=num_actions(size),
        num_chance_outcomes=NUM_OUTCOMES,
        observation_size=observation_size(size),
        info_key_size=4 * observation_size(size) + record_key_size(size, len(setup.recruits)),
        max_decisions=decisions,
        max_chance_events=events,
        min_return=bounds[0],
        max_return=bounds[1],
        return_sum=0.0,
        state_dtype=state_dtype(size, len(setup.recruits), pieces),
    )

"""Decks as data: TOML or plain dicts, checked as a whole, with messages that name the field.

    name = "mine"

    [[card]]
    name = "Children of the Dragon"
    race = "dragonvale"              # dragonvale, holy_empire, fairywood, shadow
    kind = "character"               # character, home, story
    copies = 7
    points = "own count"             # a number, "own count", or { each = 3, friend = NAME }
    effect = { do = "close", who = "you", race = "dragonvale", count = 1 }
    needs = [{ most = true, race = "shadow" }]    # stories; also { least = 2, card = NAME }
    expert = false                   # true: only with the expert cards
    known = ["name", "copies"]       # entries that a source states; a note for readers

`standard.toml` beside this file is the deck that the package plays by default.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from fm_env.errors import SetupError
from fm_env.games.fairy_tale.constants import MAX_COPIES, MAX_NEEDS, MAX_TURNED, MAX_TYPES, TYPE_SIZES
from fm_env.games.options import explain

STANDARD = Path(__file__).with_name("standard.toml")
"""The deck that comes with the package."""

RaceName = Literal["dragonvale", "holy_empire", "fairywood", "shadow"]
AnyRaceName = Literal["dragonvale", "holy_empire", "fairywood", "shadow", "any"]
KindName = Literal["character", "home", "story"]
CardName = Annotated[str, Field(min_length=1, max_length=40, pattern=r"^\S(.*\S)?$")]
Entry = Literal["name", "race", "kind", "copies", "points", "effect", "needs"]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)


class Friends(_Part):
    """Points for each face-up copy of another card (T-14)."""

    each: Annotated[int, Field(ge=1, le=9)]
    """Points for each."""
    friend: CardName
    """The card that is counted."""


class Effect(_Part):
    """What a card does when it is revealed (T-09)."""

    do: Literal["hunt", "open", "close"]
    """Hunts concern the cards of the same step; the others, cards on the table."""
    who: Literal["you", "all"] = "all"
    """Whose cards are turned; a hunt always concerns all."""
    race: AnyRaceName = "any"
    """Of which race they must be."""
    count: Annotated[int, Field(ge=1, le=MAX_TURNED)] = 1
    """How many each player concerned turns; a hunt takes all."""

    @model_validator(mode="after")
    def _hunts_take_all(self) -> Effect:
        if self.do == "hunt" and (self.who != "all" or self.count != 1):
            raise ValueError(
                "a hunt takes every matching card of all players; expected neither who nor count"
            )
        return self


class Need(_Part):
    """One condition of a story (T-15, T-17): cards of a race and kind, or of a name."""

    least: Annotated[int, Field(ge=1, le=MAX_COPIES)] | None = None
    """How many, at least."""
    most: bool = False
    """Instead of a number: the most of all players."""
    race: AnyRaceName = "any"
    """Race that counts."""
    kind: Literal["character", "home", "story", "any"] = "any"
    """Kind that counts."""
    card: CardName | None = None
    """Only this card counts."""

    @model_validator(mode="after")
    def _one_measure(self) -> Need:
        if self.most == (self.least is not None):
            raise ValueError("expected either least = NUMBER or most = true")
        if self.card is not None and (self.race, self.kind) != ("any", "any"):
            raise ValueError("card: a name says it all; expected no race or kind beside it")
        return self


class Card(_Part):
    """One card of the deck, with its copies."""

    name: CardName
    """As texts call it."""
    race: RaceName
    """Its left symbol."""
    kind: KindName
    """Its right symbol."""
    copies: Annotated[int, Field(ge=1, le=MAX_COPIES)]
    """How many there are in the deck."""
    points: Annotated[int, Field(ge=-20, le=20)] | Literal["own count"] | Friends
    """Points of each, the count of its own copies, or points for each friend."""
    effect: Effect | None = None
    """What it does when revealed."""
    needs: Annotated[list[Need], Field(max_length=MAX_NEEDS)] = []
    """Conditions, all of which must hold for it to score; stories only."""
    expert: bool = False
    """True: left out of the basic game."""
    almighty: bool = False
    """True: it may stand for any name at scoring (T-18)."""
    known: list[Entry] = []
    """Entries that a published source states. All others are the project's reconstruction."""

    @model_validator(mode="after")
    def _stories_have_needs(self) -> Card:
        if self.needs and (self.kind != "story" or not isinstance(self.points, int)):
            raise ValueError("needs: only a story with a number of points has conditions")
        if self.almighty and (self.copies != 1 or not isinstance(self.points, int) or self.needs):
            raise ValueError("almighty: expected one copy, a number of points and no needs")
        return self


class Deck(_Part):
    """All cards of a game."""

    name: Annotated[str, Field(min_length=1, max_length=40)]
    """Name of the deck."""
    card: Annotated[list[Card], Field(min_length=1, max_length=MAX_TYPES)]
    """Its cards; their order numbers them."""

    @model_validator(mode="after")
    def _names_exist(self) -> Deck:
        names = Counter(card.name for card in self.card)
        twice = [name for name, n in names.items() if n > 1]
        if twice:
            raise ValueError(
                f"card: name {twice[0]!r} is used {names[twice[0]]} times; expected different names"
            )
        for k, card in enumerate(self.card):
            friend = card.points.friend if isinstance(card.points, Friends) else None
            for field, name in [
                ("points.friend", friend),
                *((f"needs.{i}.card", n.card) for i, n in enumerate(card.needs)),
            ]:
                if name is not None and name not in names:
                    raise ValueError(f"card.{k}.{field}: {name!r} is no card of this deck")
            if friend == card.name:
                raise ValueError(
                    f"card.{k}.points.friend: a card that counts itself has points = 'own count'"
                )
        if sum(card.almighty for card in self.card) > 1:
            raise ValueError("card: more than one is almighty; expected at most one")
        return self

    @property
    def types(self) -> int:
        """Room for different cards that records and spaces of this deck have."""
        return next(size for size in TYPE_SIZES if len(self.card) <= size)

    @property
    def number(self) -> int:
        """A number made from the content, by which records refer to the deck."""
        text = json.dumps(self.model_dump(mode="json"), sort_keys=True)
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big") >> 1

    def copies(self, expert: bool) -> int:
        """Cards in all, with or without the expert ones."""
        return sum(card.copies for card in self.card if expert or not card.expert)


NAMES: dict[int, tuple[str, ...]] = {}
"""Names of the cards of every deck that this process has made a scenario of, by `Deck.number`."""


def load_deck(given: str | Mapping[str, Any]) -> Deck:
    """The deck that `given` describes: `"standard"` (T-27), the path of a TOML file, or a dict.

    Raises:
        SetupError: names the field, what was given and what was expected.
    """
    where = "deck"
    table: Any = given
    if isinstance(given, str):
        if given != "standard" and not given.endswith(".toml"):
            raise SetupError(f"deck: {given!r}: expected 'standard', a .toml file or a dict")
        path = STANDARD if given == "standard" else Path(given)
        where = f"deck {path.name}"
        try:
            table = tomllib.loads(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise SetupError(
                f"deck: {given!r}: {error.strerror}; expected 'standard', a TOML file or a dict"
            ) from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise SetupError(f"{where}: not valid TOML: {error}") from None
    try:
        deck = Deck.model_validate(table)
    except ValidationError as error:
        raise SetupError(explain(where, error, Deck)) from None
    NAMES[deck.number] = tuple(card.name for card in deck.card)
    return deck

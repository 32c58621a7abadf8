"""Decks and knights as data: what a TOML file or a dict may say, checked at the door.

The sets that come with the package are in `data/`: `knights.toml`, and a file for each deck.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from fm_env.errors import SetupError
from fm_env.games.options import explain
from fm_env.games.sword_and_shield.constants import (
    ATTACK_NAMES,
    DEFENCE_NAMES,
    MAX_CARDS,
    MAX_COPIES,
    MAX_FATIGUE,
    MAX_NAME,
    MAX_PACK,
    MAX_VALUE,
    TACTICS,
)

FOLDER = Path(__file__).parent / "data"
KNIGHTS = "knights"
"""The file that holds the shipped knights; every other one is a deck."""

Attack = Literal["A1", "A2", "A3", "A4", "A5", "A6", "A7", "A8", "A9", "A10", "A11"]
Defence = Literal["S1", "S2", "S3", "S4", "S5", "W1", "W2", "W3", "W4", "W5"]
Name = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_-]*$", max_length=MAX_NAME)]
Value = Annotated[int, Field(ge=1, le=MAX_VALUE)]
Copies = Annotated[int, Field(ge=1, le=MAX_COPIES)]
Points = Annotated[int, Field(ge=0, le=MAX_FATIGUE)]


def suggested_coverage() -> dict[Defence, list[Attack]]:
    """Every attack has one answer with the shield and one with the sword (K-17)."""
    shield = {f"S{k}": [f"A{2 * k - 1}", f"A{2 * k}"] for k in range(1, 6)}
    sword = {f"W{k}": [f"A{k}", f"A{k + 5}"] for k in range(1, 6)}
    table: Any = {**shield, **sword}
    table["S5"].append("A11")
    table["W1"].append("A11")
    return table


class Data(BaseModel):
    """What all data shares."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Card(Data):
    """A Combat Card: one attack, a value for one or more tactics, a scroll of defences (K-02, K-05)."""

    name: Name
    attack: Attack
    copies: Copies = 2
    strength: Value | None = None
    technique: Value | None = None
    chivalry: Value | None = None
    defences: list[Defence] = []
    manoeuvre: bool = False

    @model_validator(mode="after")
    def check(self) -> Card:
        """A card nobody could play is a mistake."""
        if all(getattr(self, tactic) is None for tactic in TACTICS):
            raise ValueError(f"{self.name}: expected a value for at least one of {', '.join(TACTICS)}")
        return self


class Achievement(Data):
    """An Achievement card: played when its owner is about to be hit (K-13)."""

    name: Name
    copies: Copies = 2
    price: Points = 0
    """Fatigue its owner must have and pays."""
    saves: bool = False
    """The hit doesn't count."""
    refreshes: Points = 0
    """Fatigue its owner regains, up to a fresh pool."""
    strikes_back: Points = 0
    """Fatigue that the attacker has to pay."""


class Deck(Data):
    """The Deck Cards, and which defence answers which attack."""

    cards: Annotated[list[Card], Field(min_length=1)]
    achievements: list[Achievement] = []
    coverage: dict[Defence, list[Attack]] = Field(default_factory=suggested_coverage)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the card types, in the order of their numbers."""
        return tuple(card.name for card in (*self.cards, *self.achievements))

    def covered_by(self, card: Card) -> set[str]:
        """Attacks that a card's scroll answers (K-05)."""
        return {attack for defence in card.defences for attack in self.coverage.get(defence, ())}

    @model_validator(mode="after")
    def check(self) -> Deck:
        """What depends on more than one card."""
        names = self.names
        if len(names) > MAX_CARDS:
            raise ValueError(f"cards: expected at most {MAX_CARDS} with achievements, got {len(names)}")
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"cards: {name!r} is the name of more than one; add copies instead")
        total = sum(card.copies for card in (*self.cards, *self.achievements))
        if total > MAX_PACK:
            raise ValueError(f"cards: expected at most {MAX_PACK} in the whole deck, got {total}")
        return self


class Knight(Data):
    """A Knight card: three tactics to fight by (K-01), and Endurance, which only fills the pool (K-09)."""

    name: Name
    strength: Value
    technique: Value
    chivalry: Value
    endurance: Value
    fatigue_max: Annotated[int, Field(ge=1, le=MAX_FATIGUE)] | None = None
    """Replaces 10 + 2 x Endurance."""

    @property
    def fresh_fatigue(self) -> int:
        """Start and maximum of the pool (K-09)."""
        return 10 + 2 * self.endurance if self.fatigue_max is None else self.fatigue_max


def deck_of(source: str | dict[str, Any]) -> Deck:
    """A shipped deck by its name, a TOML file, or the data itself.

    Raises:
        SetupError: names the field, what was given and what was expected.
    """
    if isinstance(source, str) and not source.endswith(".toml"):
        if source not in deck_names():
            raise SetupError(
                f"deck: unknown name {source!r}; expected {', '.join(deck_names())}, a .toml file or a table"
            )
        return checked(Deck, extended(read(FOLDER / f"{source}.toml")), f"deck {source}")
    return checked(Deck, extended(read(Path(source)) if isinstance(source, str) else source), "deck")


def extended(table: dict[str, Any]) -> dict[str, Any]:
    """A table that says `extends = NAME` has the cards of that shipped deck before its own."""
    table = dict(table)
    name = table.pop("extends", None)
    if name is None:
        return table
    if name not in deck_names():
        raise SetupError(f"deck: extends: unknown name {name!r}; expected one of {', '.join(deck_names())}")
    base = extended(read(FOLDER / f"{name}.toml"))
    return {**base, **table, "cards": [*base["cards"], *table.get("cards", [])]}


def knight_of(source: str | dict[str, Any], where: str = "knight") -> Knight:
    """A shipped knight by its name, a TOML file, or the data itself.

    Raises:
        SetupError: names the field, what was given and what was expected.
    """
    if isinstance(source, str) and not source.endswith(".toml"):
        if source not in knights():
            raise SetupError(
                f"{where}: unknown name {source!r}; expected {', '.join(knights())}, a .toml file or a table"
            )
        return knights()[source]
    return checked(Knight, read(Path(source)) if isinstance(source, str) else source, where)


@cache
def knights() -> dict[str, Knight]:
    """The shipped knights by name."""
    table = read(FOLDER / f"{KNIGHTS}.toml")
    found = [checked(Knight, entry, KNIGHTS) for entry in table["knights"]]
    return {knight.name: knight for knight in found}


@cache
def deck_names() -> tuple[str, ...]:
    """Names of the shipped decks."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.toml") if path.stem != KNIGHTS))


Model = TypeVar("Model", bound=Data)


def checked(model: type[Model], table: dict[str, Any], where: str) -> Model:
    try:
        return model.model_validate(table)
    except ValidationError as error:
        raise SetupError(explain(where, error, model)) from None


def read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SetupError(f"{path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SetupError(f"{path}: not valid TOML: {error}") from None


if tuple(Attack.__args__) != ATTACK_NAMES or tuple(Defence.__args__) != DEFENCE_NAMES:  # type: ignore[attr-defined]
    raise AssertionError("attack and defence names are spelled out in two ways")

"""Warbands as players write them: fairies with their magic and weapons, within a number of points.

A warband file is TOML, a table for each fairy:

    [[fairies]]
    type = "glitter"          # wild, glitter or seasoned
    magic = "mean"            # or sweet, as without this line
    weapons = ["brownie_bow", "fairy_knife"]   # up to two

    [[fairies]]
    type = "seasoned"

Never imported by the kernel.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from fm_env.games.fairy_meat.constants import FAIRY_COST, FAIRY_NAMES, SIZE_OF_BAND, WEAPON_COST, WEAPON_NAMES
from fm_env.games.fairy_meat.options import FairyTypeName, Weapon
from fm_env.games.fairy_meat.presets import PRESETS, SIZE_POINTS, recruit_id
from fm_env.games.fairy_meat.terrain import read_toml

MagicName = Literal["sweet", "mean"]
MOST_WEAPONS = 2
"""A player may give each fairy two weapons, as she may choose for her (F-87)."""


class Recruit(BaseModel):
    """One fairy as she is bought."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    type: FairyTypeName
    magic: MagicName = "sweet"
    weapons: Annotated[list[Weapon], Field(max_length=MOST_WEAPONS)] = []

    @model_validator(mode="after")
    def check(self) -> Recruit:
        """A second weapon of a kind would be of no use (F-48)."""
        if len(set(self.weapons)) < len(self.weapons):
            raise ValueError("weapons: expected each weapon once")
        return self

    @property
    def cost(self) -> int:
        """Points that she and her weapons cost; spells are free (F-54)."""
        weapons = sum(int(WEAPON_COST[WEAPON_NAMES.index(name)]) for name in self.weapons)
        return FAIRY_COST[FAIRY_NAMES.index(self.type)] + weapons

    def write(self, setup: Any, seat: int, place: int) -> None:
        """Put her into the warband of a set-up record."""
        setup.recruit[seat, place] = recruit_id(self.type, self.magic)
        weapons = [WEAPON_NAMES.index(name) for name in self.weapons]
        setup.arms[seat, place, : len(weapons)] = weapons


class Band(BaseModel):
    """What a warband file holds; as an option, the warband of every player."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    fairies: list[Recruit]


def read_band(value: Any) -> Any:
    """A file's path becomes what stands in the file, so that a saved game needs no file.

    Raises:
        ValueError: no such file, no TOML, or something else than fairies in it.
    """
    if not (isinstance(value, str) and value.endswith(".toml")):
        return value
    document = read_toml(value)
    if set(document) != {"fairies"} or not isinstance(document["fairies"], list):
        found = ", ".join(map(repr, document)) or "nothing"
        raise ValueError(f"a warband file is a list of [[fairies]] and nothing else; it holds {found}")
    return document


def read_fairies(value: Any) -> Any:
    """The same for the warband of one player, which is a list."""
    read = read_band(value)
    return read["fairies"] if read is not value else value


def preset_points(band: int) -> int:
    """What the presets for games with so many fairies a player cost at most."""
    return SIZE_POINTS[SIZE_OF_BAND[band]]


def preset(name: str, band: int) -> list[Recruit]:
    """The fairies of a preset for games with at most `band` fairies a player."""
    return [Recruit.model_validate(fairy) for fairy in PRESETS[name][f"points_{preset_points(band)}"]]


def fault_of(warband: list[Recruit], points: int, band: int) -> str | None:
    """Why a warband may not be played, or None (F-85)."""
    cost = sum(fairy.cost for fairy in warband)
    if not 1 <= len(warband) <= band:
        return f"expected 1 to {band} fairies, got {len(warband)}"
    if cost > points:
        return f"expected at most {points} points, got {cost}"
    return None

"""Characters and teams as data: written in TOML, checked. Never imported by the kernel."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from fm_env.games.angry_miniatures.constants import MAX_STAT, STAT_POINTS

Stat = Annotated[int, Field(ge=1, le=MAX_STAT)]
PerkName = Literal["attack", "speed", "health", "distance", "defence_melee", "defence_range", "defence_magic"]
FlawName = Literal[
    "attack", "speed", "health", "distance", "defence_melee", "defence_range", "defence_magic", "struck_slow"
]
CritName = Literal["regenerate", "magic_heal", "magic_buff", "commanding", "knock_down"]
"""The names of `constants` in its order (a type has to be spelled out)."""


class Character(BaseModel):
    """A character sheet before anything is worked out."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: str = ""
    body: Stat
    mind: Stat
    spirit: Stat
    attack: Literal["melee", "range", "magic"]
    perk: PerkName
    flaw: FlawName
    crit: CritName

    @model_validator(mode="after")
    def check(self) -> Character:
        """Nine points; a perk and a flaw that mean something (A-33, A-34)."""
        total = self.body + self.mind + self.spirit
        if total != STAT_POINTS:
            raise ValueError(f"body + mind + spirit: expected {STAT_POINTS}, got {total}")
        if self.attack == "melee" and "distance" in (self.perk, self.flaw):
            raise ValueError("perk, flaw: a melee attack has no Distance; expected another one")
        if self.perk == self.flaw:
            raise ValueError(f"flaw: {self.flaw!r} undoes the perk; expected another one")
        return self


@cache
def _data() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name("figures.toml").read_text(encoding="utf-8"))


@cache
def characters() -> dict[str, Character]:
    """The characters of the package, by name."""
    return {name: Character(**entry) for name, entry in _data()["characters"].items()}


@cache
def teams() -> dict[str, tuple[str, ...]]:
    """The teams of the package: names of three characters, by name."""
    return {name: tuple(members) for name, members in _data()["teams"].items()}

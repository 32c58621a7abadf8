"""What all scenarios share: names in options, the rules in force, the start of a set-up record."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from fm_env.games.fairy_meat.constants import (
    BARE_HANDS,
    JOKER,
    NO_WEAPON,
    NUM_CARDS,
    Combat,
)
from fm_env.games.fairy_meat.notation import CARDS
from fm_env.games.fairy_meat.setup import setup_dtype

RULES_VERSION = 1
OBSERVATION_VERSION = 1


def known_card(text: str) -> str:
    if text not in CARDS:
        raise ValueError(f"unknown card {text!r}; expected 2r .. 9b, Tr, Jb, Qr, Kb, Ar or X")
    return text


Card = Annotated[str, AfterValidator(known_card)]
Weapon = Literal[
    "fairy_shot_bow",
    "brownie_bow",
    "black_wand",
    "fairy_knife",
    "moon_dagger",
    "ripper",
    "sprite_carver",
    "vibro_master",
]
"""The names of `constants.WEAPON_NAMES` but bare hands (a type has to be spelled out)."""
FairyTypeName = Literal["wild", "glitter", "seasoned"]


class Options(BaseModel):
    """What every scenario shares: the rules in force (rulings, section 2.5)."""

    model_config = ConfigDict(extra="forbid", strict=False, frozen=True)

    combat: Literal["unclevl", "fast_play"] = "unclevl"
    damage: Literal["halves", "levels"] = "halves"
    jokers: bool = True
    joker_main: Literal["free", "no_number"] = "free"
    call_off: bool = True
    attacker_bonus: Annotated[int, Field(ge=0, le=1)] | None = None
    decks: Literal["auto", 1, 2] = "auto"
    first_seat: Annotated[int, Field(ge=0, le=3)] = 0

    def bonus(self) -> int:
        """Cards for attacking: one in UnclEvl's system, none in Fast Play (U-03, F-36)."""
        if self.attacker_bonus is not None:
            return self.attacker_bonus
        return 1 if self.combat == "unclevl" else 0

    def num_decks(self, players: int) -> int:
        """`auto`: one deck for two or three players, two for more (F-01)."""
        if self.decks == "auto":
            return 1 if players <= 3 else 2
        return self.decks


def full_pack(decks: int, jokers: bool) -> np.ndarray[Any, np.dtype[np.int16]]:
    """52 cards and two jokers, `decks` times (F-01)."""
    pack = np.full(NUM_CARDS, 2 * decks, np.int16)
    pack[JOKER] = 2 * decks if jokers else 0
    return pack


def rules_into(setup: Any, options: Options) -> None:
    setup.combat = Combat.UNCLEVL if options.combat == "unclevl" else Combat.FAST_PLAY
    setup.damage_levels = options.damage == "levels"
    setup.joker_main_free = options.joker_main == "free"
    setup.call_off = options.call_off
    setup.attacker_bonus = options.bonus()
    setup.first_seat = options.first_seat


def empty_setup(max_fairies: int, max_seats: int, max_pieces: int = 0) -> Any:
    setup = np.zeros(1, setup_dtype(max_fairies, max_seats, max_pieces)).view(np.recarray)[0]
    setup.weapon[:] = NO_WEAPON
    setup.weapon[:, 0] = BARE_HANDS
    return setup

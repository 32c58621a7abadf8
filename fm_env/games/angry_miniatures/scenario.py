"""Scenarios: options checked at the door, and the set-up record made from them.

`duel`: one figure a side on a small board. `skirmish`: three a side, as the game is played.
"""

from __future__ import annotations

import itertools
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from fm_env.contract import GameSpec, Scenario
from fm_env.errors import SetupError, suggestion
from fm_env.games.angry_miniatures.actions import NUM_ACTIONS
from fm_env.games.angry_miniatures.boards import Board, boards
from fm_env.games.angry_miniatures.characters import Character, characters, teams
from fm_env.games.angry_miniatures.constants import (
    ATTACK_NAMES,
    BLOCKING,
    BUILD_STEPS,
    CRIT_NAMES,
    FLAW_NAMES,
    HEALTH_BY_BODY,
    MAX_HEALTH,
    MAX_ROUNDS,
    OFF_BOARD,
    PERK_NAMES,
    ROUNDS,
    SIDE,
    SIZE,
)
from fm_env.games.angry_miniatures.dice import NUM_OUTCOMES
from fm_env.games.angry_miniatures.observe import OBSERVATION_SIZE, square_name
from fm_env.games.angry_miniatures.setup import SETUP
from fm_env.games.angry_miniatures.state import STATE
from fm_env.games.options import explain

RULES_VERSION = 1
OBSERVATION_VERSION = 1

SQUARES = {square_name(c): c for c in range(SIZE * SIZE)}


def known(name: Any, table: Any) -> Any:
    """Refuse an unknown name with the closest ones; anything else is left to the next check."""
    if isinstance(name, str) and name not in table:
        raise ValueError(f"unknown name {name!r}: {suggestion(name, table)}")
    return name


Member = Annotated[str | Character, BeforeValidator(lambda name: known(name, characters()))]
Team = Annotated[
    str | Annotated[list[Member], Field(min_length=1, max_length=SIDE)],
    BeforeValidator(lambda name: known(name, teams())),
]
BoardOption = Annotated[str | Board, BeforeValidator(lambda name: known(name, boards()))]
Square = Annotated[str, BeforeValidator(lambda name: known(name, SQUARES))]


class Standing(BaseModel):
    """Where and how a figure stands at the start."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    at: Square | None = None
    health: Annotated[int, Field(ge=0, le=MAX_HEALTH)] | None = None
    prone: bool = False


class Position(BaseModel):
    """A game that begins deployed: each seat's figures in the order of its team."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    figures: tuple[list[Standing], list[Standing]]


class Options(BaseModel):
    """What both scenarios share."""

    model_config = ConfigDict(extra="forbid", strict=False, frozen=True)

    board: BoardOption
    teams: tuple[Team, Team] | Literal["build"]
    rounds: Annotated[int, Field(ge=1, le=MAX_ROUNDS)] = ROUNDS
    caster_immune: bool = False
    melee_guard: bool = False
    setup: Position | None = None

    def drawn(self) -> Board:
        """The board itself."""
        return boards()[self.board] if isinstance(self.board, str) else self.board

    def sides(self) -> list[list[Character]]:
        """Both teams' sheets; nothing while they are still to be built."""
        if self.teams == "build":
            return [[], []]
        named = [teams()[team] if isinstance(team, str) else team for team in self.teams]
        return [[characters()[m] if isinstance(m, str) else m for m in team] for team in named]

    def per_side(self) -> int:
        """Figures of each seat."""
        return SIDE

    @model_validator(mode="after")
    def check(self) -> Options:
        """What depends on more than one option."""
        n = self.per_side()
        for seat, side in enumerate(self.sides()):
            if self.teams != "build" and len(side) != n:
                raise ValueError(f"teams.{seat}: expected {n} character(s) a side, got {len(side)}")
        if self.setup is not None:
            self.check_position(self.setup)
        return self

    def check_position(self, position: Position) -> None:
        """Squares are on the board, free and different; Health fits the sheets."""
        if self.teams == "build":
            raise ValueError("setup: teams that are built in play are deployed in play; expected none")
        width, height, ground, _ = self.drawn().arrays()
        taken: set[str] = set()
        for seat, (side, standing) in enumerate(zip(self.sides(), position.figures, strict=True)):
            if len(standing) != len(side):
                raise ValueError(f"setup.figures.{seat}: expected {len(side)}, got {len(standing)}")
            if not any(figure.health != 0 for figure in standing):
                raise ValueError(f"setup.figures.{seat}: expected one with Health at least")
            for k, figure in enumerate(standing):
                where = f"setup.figures.{seat}.{k}"
                if (figure.at is None) != (figure.health == 0):
                    raise ValueError(f"{where}: a figure stands on a square `at`, or its health is 0")
                if figure.at is None:
                    continue
                most = full_health(side[k])
                if figure.health is not None and figure.health > most:
                    raise ValueError(f"{where}.health: expected at most {most}, got {figure.health}")
                c = SQUARES[figure.at]
                if c % SIZE >= width or c // SIZE >= height or ground[c] & BLOCKING or figure.at in taken:
                    raise ValueError(f"{where}.at: nobody can stand on {figure.at}, or somebody does")
                taken.add(figure.at)


class Duel(Options):
    """One figure a side on a small board."""

    scenario: Literal["duel"] = "duel"
    board: BoardOption = "closet"
    teams: tuple[Team, Team] | Literal["build"] = (["duellist"], ["duellist"])
    rounds: Annotated[int, Field(ge=1, le=MAX_ROUNDS)] = 8

    def per_side(self) -> int:
        """Figures of each seat."""
        return 1


class Skirmish(Options):
    """Three figures a side."""

    scenario: Literal["skirmish"] = "skirmish"
    board: BoardOption = "ruins"
    teams: tuple[Team, Team] | Literal["build"] = ("mixed", "mixed")


FORMS = ("str", "Board", "Character")
"""Boards and figures are given by name or in full."""

SCENARIOS: dict[str, type[Duel] | type[Skirmish]] = {"skirmish": Skirmish, "duel": Duel}


# --------------------------------------------------------------------------------- the records
def make_scenario(scenario: str, **given: Any) -> Scenario:
    """Validate options and make the scenario; see `fm_env.contract.Game.scenario`."""
    model = SCENARIOS.get(scenario)
    if model is None:
        raise SetupError(f"scenario: unknown name {scenario!r}; expected one of {', '.join(SCENARIOS)}")
    try:
        options = model(scenario=scenario, **given)  # type: ignore[arg-type]
    except ValidationError as error:
        raise SetupError(explain(scenario, error, model, FORMS)) from None
    said = options.model_dump(mode="json", exclude_defaults=True) | {"scenario": scenario}
    return Scenario(make_spec(options), make_setup(options), said)


def make_setup(options: Options) -> Any:
    """The set-up record."""
    setup = np.zeros(1, SETUP).view(np.recarray)[0]
    setup.rounds = options.rounds
    setup.per_side = options.per_side()
    setup.caster_immune = options.caster_immune
    setup.melee_guard = options.melee_guard
    setup.build = options.teams == "build"
    setup.width, setup.height, setup.ground[:], setup.level[:] = options.drawn().arrays()
    setup.cell[:] = OFF_BOARD
    for seat, k in itertools.product(range(2), range(options.per_side())):
        if options.teams != "build":
            write_sheet(setup, SIDE * seat + k, options.sides()[seat][k])
    if options.setup is not None:
        setup.positioned = 1
        for seat, side in enumerate(options.setup.figures):
            for k, figure in enumerate(side):
                write_standing(setup, SIDE * seat + k, figure, options.sides()[seat][k])
    return setup


def write_sheet(setup: Any, f: int, sheet: Character) -> None:
    setup.stat[f] = (sheet.body, sheet.mind, sheet.spirit)
    setup.attack_type[f] = ATTACK_NAMES.index(sheet.attack)
    setup.perk[f] = PERK_NAMES.index(sheet.perk)
    setup.flaw[f] = FLAW_NAMES.index(sheet.flaw)
    setup.crit[f] = CRIT_NAMES.index(sheet.crit)


def write_standing(setup: Any, f: int, figure: Standing, sheet: Character) -> None:
    """Health is given as it stands; the record holds what is missing."""
    if figure.at is not None:
        setup.cell[f] = SQUARES[figure.at]
    setup.prone[f] = figure.prone
    if figure.health is not None:
        setup.wounds[f] = full_health(sheet) - figure.health


def full_health(sheet: Character) -> int:
    """Health of an unhurt figure."""
    change = (sheet.perk == "health") - (sheet.flaw == "health")
    return int(HEALTH_BY_BODY[sheet.body - 1]) + change


def make_spec(options: Duel | Skirmish) -> GameSpec:
    """Sizes and bounds; two players (A-30).

    A round asks for the initiative and, for each figure, to name it, stand up, move, attack and
    end; an attack asks the attacker and every figure it hits for a Crit and a commanded move. It
    rolls one pool for the attack and for each figure hit a pool and a tie.
    """
    figures = 2 * options.per_side()
    hit = figures
    decisions = 2 * BUILD_STEPS * options.per_side() + 2 * figures
    decisions += options.rounds * (1 + figures * (5 + 2 * (1 + hit)))
    events = 1 + options.rounds * (1 + figures * (1 + 2 * hit))
    return GameSpec(
        game="angry_miniatures",
        scenario=options.scenario,
        rules_version=RULES_VERSION,
        observation_version=OBSERVATION_VERSION,
        num_seats=2,
        num_actions=NUM_ACTIONS,
        num_chance_outcomes=NUM_OUTCOMES,
        observation_size=OBSERVATION_SIZE,
        info_key_size=4 * OBSERVATION_SIZE,
        max_decisions=decisions,
        max_chance_events=events,
        min_return=-1.0,
        max_return=1.0,
        return_sum=0.0,
        state_dtype=STATE,
    )

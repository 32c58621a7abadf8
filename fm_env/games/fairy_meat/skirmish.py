"""Options of the whole table: size, terrain, warbands, positions to start from.

`skirmish`: "It's Raining Meat" for two to six players; `skirmish-1v1` and `skirmish-2v2`: the same
on a smaller table with one or two fairies a side. All have the same spaces, so one policy can play
them all. Never imported by the kernel.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, ClassVar, Literal, cast

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    Tag,
    model_validator,
)

from fm_env.errors import suggestion
from fm_env.games.fairy_meat.constants import (
    BAND,
    FAIRY_KILL,
    FAIRY_LIVE,
    FAIRY_NAMES,
    FAIRY_TWINKLE,
    LIFE_CAP,
    MAX_FIGURES,
    MAX_ITEMS,
    MAX_PIECES,
    MAX_SEATS,
    MAX_TABLES,
    MAX_THINK,
    NO_WEAPON,
    WEAPON_NAMES,
    WEAPON_SLOTS,
    Magic,
    Place,
    Play,
)
from fm_env.games.fairy_meat.generators import GENERATORS, generate
from fm_env.games.fairy_meat.options import FairyTypeName, Options, Weapon, empty_setup, full_pack, rules_into
from fm_env.games.fairy_meat.presets import PRESET_NAMES
from fm_env.games.fairy_meat.terrain import LARGEST, SMALLEST, Inches, Item, Terrain, read_toml, thousandths
from fm_env.games.fairy_meat.warbands import (
    Band,
    MagicName,
    Recruit,
    fault_of,
    preset,
    preset_points,
    read_band,
    read_fairies,
)

GIVEN, CHOSEN, DRAWN = range(3)
"""Where a seat's warband comes from (`recruits` of the record)."""


def known(names: tuple[str, ...], name: str) -> str:
    if name not in names:
        raise ValueError(f"unknown name; {suggestion(name, names)}")
    return name


def read_terrain(value: Any) -> Any:
    """A file's path becomes what stands in the file, so that a saved game needs no file."""
    return read_toml(value) if isinstance(value, str) and value.endswith(".toml") else value


def is_name(value: Any) -> str:
    """Tells names from tables in options that take either; the tags don't show in messages."""
    return "a name" if isinstance(value, str) else "a table"


def whose(value: Any) -> str:
    """Tells a name, one warband for everybody and a list of one for each; a tag as above."""
    return "for all" if isinstance(value, dict | Band) else is_name(value)


WARBANDS = ("choose", "any", *PRESET_NAMES)
TerrainName = Annotated[str, AfterValidator(partial(known, tuple(GENERATORS)))]
WarbandName = Annotated[str, AfterValidator(partial(known, WARBANDS))]
OneTerrain = Annotated[
    Annotated[TerrainName, Tag("a name")] | Annotated[Terrain, Tag("a table")],
    Discriminator(is_name),
    BeforeValidator(read_terrain),
]
OneWarband = Annotated[
    Annotated[WarbandName, Tag("a name")] | Annotated[list[Recruit], Tag("a table")],
    Discriminator(is_name),
    BeforeValidator(read_fairies),
]
Warbands = Annotated[
    Annotated[WarbandName, Tag("a name")]
    | Annotated[Band, Tag("for all")]
    | Annotated[list[OneWarband], Tag("a table")],
    Discriminator(whose),
    BeforeValidator(read_band),
]
Counter = Annotated[int, Field(ge=0, le=LIFE_CAP)]


class Figure(BaseModel):
    """A fairy or a corpse where a position starts. Counters left out are those of her type."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    seat: Annotated[int, Field(ge=0, lt=MAX_SEATS)]
    type: FairyTypeName = "seasoned"
    magic: MagicName = "sweet"
    weapons: Annotated[list[Weapon], Field(max_length=WEAPON_SLOTS - 1)] = []
    x: Inches
    y: Inches
    live: Counter | None = None
    kill: Counter | None = None
    twinkle: Annotated[int, Field(ge=0, le=MAX_THINK)] | None = None
    meat_live: Counter = 0
    meat_kill: Counter = 0
    used_twinkle: Annotated[int, Field(ge=0, le=MAX_THINK)] = 0

    def counters(self) -> tuple[int, int, int]:
        """Live, Kill and Twinkle counters in the Life section."""
        k = FAIRY_NAMES.index(self.type)
        given = (self.live, FAIRY_LIVE[k]), (self.kill, FAIRY_KILL[k]), (self.twinkle, FAIRY_TWINKLE[k])
        live, kill, twinkle = (default if value is None else value for value, default in given)
        return live, kill, twinkle

    @property
    def alive(self) -> bool:
        """A figure without Live and Kill is a corpse (F-51)."""
        return sum(self.counters()[:2]) > 0

    @model_validator(mode="after")
    def check(self) -> Figure:
        """What depends on more than one counter."""
        live, kill, twinkle = self.counters()
        if live + kill > LIFE_CAP:
            raise ValueError(f"live + kill: expected at most {LIFE_CAP}, got {live + kill}")
        if twinkle + self.used_twinkle > MAX_THINK:
            raise ValueError(
                f"twinkle + used_twinkle: expected at most {MAX_THINK}, got {twinkle + self.used_twinkle}"
            )
        if not self.alive and self.meat_live + self.meat_kill == 0:
            raise ValueError("meat_live + meat_kill: a corpse without meat is no figure; expected at least 1")
        return self


class Start(BaseModel):
    """A position: who stands where, and loot besides that of the terrain."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    figures: Annotated[list[Figure], Field(min_length=2, max_length=MAX_FIGURES)]
    items: Annotated[list[Item], Field(max_length=MAX_ITEMS)] = []


class Skirmish(Options):
    """The whole table, for two to six players."""

    BAND: ClassVar[int] = BAND
    """Fairies of a warband at most."""

    scenario: Literal["skirmish"] = "skirmish"
    num_players: Annotated[int, Field(ge=2, le=MAX_SEATS)] = 2
    first_seat: Annotated[int, Field(ge=0, lt=MAX_SEATS)] = 0
    rounds: Annotated[int, Field(ge=1, le=16)] = 8
    points: Annotated[int, Field(ge=11, le=300)] = 75
    size_in: Annotated[Inches, Field(ge=SMALLEST, le=LARGEST)] = 48
    terrain: OneTerrain = "garden"
    terrain_seed: Annotated[int, Field(ge=0, lt=2**32)] = 0
    tables: Annotated[int, Field(ge=1, le=MAX_TABLES)] | None = None
    warbands: Warbands = "any"
    measuring: Literal["forbidden", "allowed"] = "forbidden"
    eye_grain_in: Annotated[Inches, Field(ge=0.01, le=4)] = 1.0
    base_radius_in: Annotated[Inches, Field(ge=0.25, le=0.75)] = 0.5
    score_own_meat: bool = False
    setup: Start | None = None

    @property
    def radius(self) -> int:
        """Of a base, in thousandths of an inch (F-16)."""
        return thousandths(self.base_radius_in)

    def all_tables(self) -> list[Terrain]:
        """The tables of which a game draws one. A position or a file names its own."""
        if isinstance(self.terrain, Terrain):
            return [self.terrain]
        number = self.tables if self.tables is not None else 1 if self.setup else MAX_TABLES
        seeds = range(self.terrain_seed * MAX_TABLES, self.terrain_seed * MAX_TABLES + number)
        return [generate(self.terrain, seed, float(self.size_in), self.radius) for seed in seeds]

    def each_warband(self) -> list[str | list[Recruit]]:
        """What stands in `warbands` for every seat."""
        if isinstance(self.warbands, str):
            return [self.warbands] * self.num_players
        if isinstance(self.warbands, Band):
            return [self.warbands.fairies for _ in range(self.num_players)]
        return cast("list[str | list[Recruit]]", self.warbands)

    @model_validator(mode="after")
    def check(self) -> Skirmish:
        """What depends on more than one option."""
        if self.first_seat >= self.num_players:
            raise ValueError(f"first_seat: expected below {self.num_players}, got {self.first_seat}")
        self.check_terrain()
        if self.setup is None:
            self.check_warbands()
        else:
            self.check_start(self.setup)
        return self

    def check_terrain(self) -> None:
        """A file's table has one size, is one table, and has room for everyone."""
        if isinstance(self.terrain, Terrain):
            if self.terrain.size != self.size_in:
                raise ValueError(
                    f"terrain.size: expected size_in = {self.size_in:g}, got {self.terrain.size:g}"
                )
            if self.tables not in (None, 1):
                raise ValueError(f"tables: a given terrain is one table; expected 1, got {self.tables}")
        if self.setup is None:
            most = self.num_players * self.BAND
            room = min(table.room(self.radius) for table in self.all_tables())
            if room < most:
                raise ValueError(f"terrain: expected room for {most} fairies wherever they go, got {room}")
        elif self.tables not in (None, 1):
            raise ValueError(f"tables: a set-up stands on one table; expected 1, got {self.tables}")

    def check_warbands(self) -> None:
        """Each within its points, of the weapons that the fighting system has (U-36)."""
        bands = self.each_warband()
        if len(bands) != self.num_players:
            raise ValueError(
                f"warbands: expected one for each of {self.num_players} players, got {len(bands)}"
            )
        for seat, band in enumerate(bands):
            where = f"warbands.{seat}"
            if not isinstance(self.warbands, list):
                where = "warbands.fairies" if isinstance(self.warbands, Band) else "warbands"
            if band == "choose":
                continue
            if isinstance(band, str):
                need = preset_points(self.BAND)
                if self.points < need:
                    raise ValueError(f"points: a warband by name needs {need} points, got {self.points}")
                continue
            fault = fault_of(band, self.points, self.BAND)
            if fault:
                raise ValueError(f"{where}: {fault}")
            self.check_weapons(band, where)

    def check_weapons(self, fairies: list[Recruit] | list[Figure], where: str) -> None:
        """The Fast Play rules have no Vibro-Master (U-36)."""
        for k, fairy in enumerate(fairies):
            if self.combat == "fast_play" and "vibro_master" in fairy.weapons:
                raise ValueError(f"{where}.{k}.weapons: vibro_master needs combat = 'unclevl'")

    def check_start(self, start: Start) -> None:
        """Everyone stands on something, nobody in another's place (F-21)."""
        if "warbands" in self.model_fields_set:
            raise ValueError("warbands: a set-up has its own fairies; expected one of warbands and setup")
        (table,) = self.all_tables()
        self.check_weapons(start.figures, "setup.figures")
        if len(table.items) + len(start.items) > MAX_ITEMS:
            raise ValueError(f"setup.items: expected at most {MAX_ITEMS} with those of the terrain")
        for k, item in enumerate(start.items):
            if not (0 <= item.x <= self.size_in and 0 <= item.y <= self.size_in):
                raise ValueError(f"setup.items.{k}: ({item.x:g}, {item.y:g}) is off the table")
        for k, figure in enumerate(start.figures):
            where, seat = f"setup.figures.{k}", figure.seat
            if seat >= self.num_players:
                raise ValueError(f"{where}.seat: expected below {self.num_players}, got {seat}")
            x, y = thousandths(figure.x), thousandths(figure.y)
            height = int(table.stands(x, y, self.radius))
            if height < 0:
                raise ValueError(f"{where}: nothing supports her whole base at ({figure.x:g}, {figure.y:g})")
            for j, other in enumerate(start.figures[:k]):
                away = (x - thousandths(other.x)) ** 2 + (y - thousandths(other.y)) ** 2
                if figure.alive and other.alive and away < (2 * self.radius) ** 2:
                    raise ValueError(f"{where}: she overlaps setup.figures.{j}")
        for seat in range(self.num_players):
            number = sum(figure.seat == seat for figure in start.figures)
            if number > BAND:
                raise ValueError(f"setup.figures: expected at most {BAND} of a seat, got {number} of {seat}")
        if len({figure.seat for figure in start.figures if figure.alive}) < 2:
            raise ValueError("setup.figures: expected living fairies of at least two seats")


class Skirmish1v1(Skirmish):
    """One fairy a side on a small table."""

    BAND: ClassVar[int] = 1

    scenario: Literal["skirmish-1v1"] = "skirmish-1v1"  # type: ignore[assignment]
    num_players: Literal[2] = 2  # type: ignore[assignment]
    points: Annotated[int, Field(ge=11, le=300)] = 25
    size_in: Annotated[Inches, Field(ge=SMALLEST, le=LARGEST)] = 24


class Skirmish2v2(Skirmish):
    """Two fairies a side on a table of middle size."""

    BAND: ClassVar[int] = 2

    scenario: Literal["skirmish-2v2"] = "skirmish-2v2"  # type: ignore[assignment]
    num_players: Literal[2] = 2  # type: ignore[assignment]
    points: Annotated[int, Field(ge=11, le=300)] = 40
    size_in: Annotated[Inches, Field(ge=SMALLEST, le=LARGEST)] = 36


# ---------------------------------------------------------------------------------- the record
def skirmish_setup(options: Skirmish) -> Any:
    """The set-up record that the kernel lays out."""
    setup = empty_setup(MAX_FIGURES, MAX_SEATS, MAX_PIECES)
    rules_into(setup, options)
    setup.play = Play.SKIRMISH
    setup.rounds = options.rounds
    setup.n_seats = options.num_players
    setup.jokers = options.jokers
    setup.pack[:] = full_pack(options.num_decks(options.num_players), options.jokers)
    setup.side = thousandths(options.size_in)
    setup.radius = options.radius
    setup.measuring = options.measuring == "allowed"
    setup.grain = 0 if setup.measuring else thousandths(options.eye_grain_in)
    setup.score_own_meat = options.score_own_meat
    setup.points = options.points
    setup.band = options.BAND
    tables = options.all_tables()
    setup.n_tables = len(tables)
    for k, table in enumerate(tables):
        table.write(setup, k)
    items = [*tables[0].items, *(options.setup.items if options.setup else [])]
    setup.n_items = len(items)
    for k, item in enumerate(items):
        setup.thing[k] = thousandths(item.x), thousandths(item.y)
        setup.weight[k] = item.weight
    setup.recruit[:] = -1
    setup.arms[:] = NO_WEAPON
    if options.setup is None:
        warbands_into(setup, options)
    else:
        figures_into(setup, options.setup)
    return setup


def warbands_into(setup: Any, options: Skirmish) -> None:
    """Who is given, who chooses, who is drawn (F-70)."""
    for seat, band in enumerate(options.each_warband()):
        setup.recruits[seat] = CHOSEN if band == "choose" else DRAWN if band == "any" else GIVEN
        if setup.recruits[seat] == GIVEN:
            fairies = preset(band, options.BAND) if isinstance(band, str) else band
            for place, fairy in enumerate(fairies):
                fairy.write(setup, seat, place)


def figures_into(setup: Any, start: Start) -> None:
    """Figures keep their order: the first listed is fairy 0."""
    setup.n_fairies = len(start.figures)
    for f, figure in enumerate(start.figures):
        setup.owner[f] = figure.seat
        setup.fairy_type[f] = FAIRY_NAMES.index(figure.type)
        setup.magic[f] = Magic[figure.magic.upper()]
        setup.weapon[f, 1 : 1 + len(figure.weapons)] = [WEAPON_NAMES.index(w) for w in figure.weapons]
        setup.live[f], setup.kill[f], setup.twinkle[f] = figure.counters()
        setup.meat_live[f], setup.meat_kill[f] = figure.meat_live, figure.meat_kill
        setup.used_twinkle[f] = figure.used_twinkle
        setup.whereabouts[f] = Place.TABLE
        setup.pos[f] = thousandths(figure.x), thousandths(figure.y)

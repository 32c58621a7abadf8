"""Writes the generated tables of RULES.md: `python -m fm_env.games.rules_page [game ...]`.

Each table stands between `<!-- name -->` and `<!-- /name -->`; the rest of a page is written by
hand. What the tables of a game show is said in its folder, in `page.py`. Never imported by a
kernel.
"""

from __future__ import annotations

import importlib
import itertools
import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fm_env.contract import Game

GAMES = Path(__file__).parent


@dataclass(frozen=True)
class Page:
    """What a game's RULES.md shows in its generated tables."""

    game: Game
    scenarios: Sequence[tuple[str, Mapping[str, Any]]]
    """Names and options, one row each in the table of facts."""
    action_starts: Collection[int]
    """First id of each kind of action (see `first_ids`)."""
    section: Callable[[str], str]
    """The part of an observation that a label belongs to."""
    actions_of: str
    """Scenario whose actions are listed."""
    observation_of: str
    """Scenario whose observation is listed."""
    table_of: tuple[str, int] | None = None
    """Another scenario whose observation is listed, from that entry on, as `table`."""

    @property
    def path(self) -> Path:
        """RULES.md in the game's folder."""
        return Path(str(sys.modules[type(self.game).__module__].__file__)).with_name("RULES.md")


def games() -> tuple[str, ...]:
    """Games of this package that have a page."""
    return tuple(sorted(path.parent.name for path in GAMES.glob("*/page.py")))


def page_of(game: str) -> Page:
    """The page of one game of this package."""
    return importlib.import_module(f"fm_env.games.{game}.page").PAGE


def table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """A Markdown table."""
    head = list(head)
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def spec_table(page: Page) -> str:
    """The facts of each scenario with its default options."""
    rows = []
    for name, options in page.scenarios:
        spec = page.game.scenario(name, **options).spec
        title = name + "".join(f", {key} = {value}" for key, value in options.items())
        sizes = (spec.num_seats, spec.num_actions, spec.num_chance_outcomes, spec.observation_size)
        most = (spec.state_dtype.itemsize, spec.max_decisions, spec.max_chance_events)
        rows.append((title, *sizes, *most, f"{spec.min_return:g} to {spec.max_return:g}"))
    head = ("scenario", "seats", "actions", "outcomes", "observation", "state bytes")
    return table((*head, "decisions at most", "draws at most", "returns"), rows)


def action_table(page: Page) -> str:
    """Ids and texts; a kind of action that has several ids shares a line."""
    spec = page.game.scenario(page.actions_of).spec
    texts = [page.game.action_text(spec, action) for action in range(spec.num_actions)]
    rows = [
        (str(first) if first == last else f"{first} to {last}", sample(texts[first : last + 1]))
        for first, last in groups(page.action_starts, spec.num_actions)
    ]
    return table(("id", "text"), rows)


def groups(starts: Iterable[int], end: int) -> Iterator[tuple[int, int]]:
    """First and last id of each kind of action."""
    firsts = sorted(first for first in starts if first < end)
    for first, following in itertools.pairwise([*firsts, end]):
        yield first, following - 1


def first_ids(actions: ModuleType) -> set[int]:
    """Values of the ids that a game's `actions` module defines itself; `NUM_..` are none."""
    source = Path(str(actions.__file__)).read_text(encoding="utf-8")
    names = re.findall(r"^([A-Z_]+) = ", source, re.MULTILINE)
    values = {getattr(actions, name) for name in names if not name.startswith("NUM_")}
    return {value for value in values if isinstance(value, int)}


def sample(texts: list[str]) -> str:
    """All texts of a short group, the ends of a long one."""
    quoted = [f"`{text}`" for text in texts]
    return ", ".join(quoted) if len(quoted) <= 4 else f"{quoted[0]}, {quoted[1]}, .. {quoted[-1]}"


def observation_table(page: Page) -> str:
    """Entries of an observation."""
    return entry_table(page, page.observation_of, 0)


def other_table(page: Page) -> str:
    """Entries of the other observation that the page lists."""
    return entry_table(page, *page.table_of) if page.table_of else ""


def entry_table(page: Page, scenario: str, start: int) -> str:
    """Entries from `start` on; neighbours of one section share a line, and so do sections alike."""
    spec = page.game.scenario(scenario).spec
    labels = list(enumerate(page.game.observation_labels(spec)))[start:]
    rows: list[tuple[str, str, str]] = []
    for part, run in itertools.groupby(labels, key=lambda item: page.section(item[1])):
        entries = list(run)
        names = ", ".join(label.partition(": ")[2] or label for _, label in entries)
        first, last = entries[0][0], entries[-1][0]
        seen = next((row[1] for row in rows if row[2] == names), None)
        if seen and rows[-1][2] == f"as {seen}":  # one line for all that are alike
            span, parts, _ = rows.pop()
            first, part = int(span.split()[0]), f"{parts.split(' to ')[0]} to {part.split()[-1]}"
        rows.append((f"{first} to {last}", part, f"as {seen}" if seen else names))
    return table(("entry", "part", "names, each with its scale"), rows)


TABLES = {
    "specs": spec_table,
    "actions": action_table,
    "observation": observation_table,
    "table": other_table,
}


def updated(page: Page, text: str) -> str:
    """The text of RULES.md with its tables made anew."""
    for name, make in TABLES.items():
        start, end = f"<!-- {name} -->", f"<!-- /{name} -->"
        if name == "table" and page.table_of is None:
            continue
        before, _, rest = text.partition(start)
        _, _, after = rest.partition(end)
        text = f"{before}{start}\n{make(page)}\n{end}{after}"
    return text


def main(wanted: Sequence[str]) -> None:
    """Write RULES.md of the wanted games; of all if none is named."""
    for name in wanted or games():
        page = page_of(name)
        page.path.write_text(updated(page, page.path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])

"""Writes the generated tables of RULES.md: `python -m fm_env.games.fairy_meat.rules_page`.

Each table stands between `<!-- name -->` and `<!-- /name -->`; the rest of the page is written by
hand. Never imported by the kernel.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

from fm_env.games.fairy_meat import GAME
from fm_env.games.fairy_meat import actions as act
from fm_env.games.fairy_meat.observe_fight import FIGHT

PAGE = Path(__file__).with_name("RULES.md")

SCENARIOS = (
    ("clash", {}),
    ("duel", {}),
    ("scuffle", {"num_players": 2}),
    ("scuffle", {"num_players": 3}),
    ("scuffle", {"num_players": 4}),
    ("skirmish-1v1", {}),
    ("skirmish-2v2", {}),
    ("skirmish", {"num_players": 2}),
    ("skirmish", {"num_players": 3}),
    ("skirmish", {"num_players": 6}),
)


def table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """A Markdown table."""
    head = list(head)
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def spec_table() -> str:
    """The facts of each scenario with its default options."""
    rows = []
    for name, options in SCENARIOS:
        spec = GAME.scenario(name, **options).spec
        title = name + "".join(f", {key} = {value}" for key, value in options.items())
        sizes = (spec.num_seats, spec.num_actions, spec.num_chance_outcomes, spec.observation_size)
        most = (spec.state_dtype.itemsize, spec.max_decisions, spec.max_chance_events)
        rows.append((title, *sizes, *most, f"{spec.min_return:g} to {spec.max_return:g}"))
    head = ("scenario", "seats", "actions", "outcomes", "observation", "state bytes")
    return table((*head, "decisions at most", "draws at most", "returns"), rows)


def action_table() -> str:
    """Ids and texts; a kind of action that has several ids shares a line."""
    spec = GAME.scenario("skirmish").spec
    texts = [GAME.action_text(spec, action) for action in range(spec.num_actions)]
    rows = [
        (str(first) if first == last else f"{first} to {last}", sample(texts[first : last + 1]))
        for first, last in groups()
    ]
    return table(("id", "text"), rows)


def groups() -> Iterator[tuple[int, int]]:
    """First and last id of each kind of action, by the names in `actions`."""
    starts = first_ids() - {act.TRUMPS_BLACK} | {act.TRUMPS_RED + 1, act.TRUMPS_BLACK + 1}
    for first, following in itertools.pairwise([*sorted(starts), act.NUM_TABLE]):
        yield first, following - 1


def first_ids() -> set[int]:
    """Values of the names of action ids; `NUM_` and `DISTANCES` are none."""
    source = Path(act.__file__).read_text(encoding="utf-8")
    names = re.findall(r"^([A-Z_]+) = ", source, re.MULTILINE)
    return {getattr(act, name) for name in names if not name.startswith(("NUM_", "DISTANCES"))}


def sample(texts: list[str]) -> str:
    """All texts of a short group, the ends of a long one."""
    quoted = [f"`{text}`" for text in texts]
    return ", ".join(quoted) if len(quoted) <= 4 else f"{quoted[0]}, {quoted[1]}, .. {quoted[-1]}"


def observation_table(scenario: str, start: int = 0) -> str:
    """Entries of an observation from `start` on; what repeats for each card or figure shares a line."""
    spec = GAME.scenario(scenario).spec
    labels = GAME.observation_labels(spec)
    rows: list[tuple[str, str, str]] = []
    for part, run in itertools.groupby(list(enumerate(labels))[start:], key=lambda item: section(item[1])):
        entries = list(run)
        names = ", ".join(label.partition(": ")[2] or label for _, label in entries)
        first, last = entries[0][0], entries[-1][0]
        seen = next((row[1] for row in rows if row[2] == names), None)
        if seen and rows[-1][2] == f"as {seen}":  # one line for all that are alike
            span, parts, _ = rows.pop()
            first, part = int(span.split()[0]), f"{parts.split(' to ')[0]} to {part.split()[-1]}"
        rows.append((f"{first} to {last}", part, f"as {seen}" if seen else names))
    return table(("entry", "part", "names, each with its scale"), rows)


def section(label: str) -> str:
    """The part of the observation that a label belongs to."""
    if ": " in label:
        part = label.split(": ")[0]
        return f"{part} cards" if part.startswith("own") else part
    for start in ("phase", "unseen"):
        if label.startswith(f"{start} "):
            return start
    return "situation and rules"


TABLES = {
    "specs": spec_table,
    "actions": action_table,
    "observation": partial(observation_table, "duel"),
    "table": partial(observation_table, "skirmish", FIGHT),
}


def updated(page: str) -> str:
    """The page with its tables made anew."""
    for name, make in TABLES.items():
        start, end = f"<!-- {name} -->", f"<!-- /{name} -->"
        before, _, rest = page.partition(start)
        _, _, after = rest.partition(end)
        page = f"{before}{start}\n{make()}\n{end}{after}"
    return page


def main() -> None:
    """Write RULES.md."""
    PAGE.write_text(updated(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()

"""Options that several commands share."""

from __future__ import annotations

from typing import Annotated

import typer

from fm_env.errors import SetupError

GameOption = Annotated[str, typer.Option("--game", help="Name of the game; `fm-env games` lists them.")]
ScenarioOption = Annotated[
    str | None, typer.Option("--scenario", "-s", help="Name of the scenario; the game's own by default.")
]
SetOption = Annotated[
    list[str] | None,
    typer.Option("--set", "--option", metavar="KEY=VALUE", help="Option of the scenario; repeatable."),
]
SeedOption = Annotated[int, typer.Option("--seed", help="Equal seeds give equal results.")]


def parse_options(pairs: list[str] | None) -> dict[str, object]:
    """Scenario options from texts such as `a=4` or `combat=fast_play`.

    A value is read as JSON where it is JSON (numbers, true, lists), else taken as text.

    Raises:
        SetupError: a text without `=`.
    """
    import json

    options: dict[str, object] = {}
    for pair in pairs or ():
        key, equals, value = pair.partition("=")
        if not equals or not key:
            raise SetupError(f"--set: expected KEY=VALUE, got {pair!r}")
        try:
            options[key] = json.loads(value)
        except ValueError:
            options[key] = value
    return options

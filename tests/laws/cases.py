"""The games and scenarios that every law is held against. A new one is added here and nowhere else."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tests import kuhn
from tests.laws import angry_miniatures, fairy_meat, fairy_tale, sword_and_shield

Breaker = Callable[[np.record], None]
"""Changes a sound state so that a fault shows."""


@dataclass(frozen=True)
class Case:
    """One scenario of one game and what a test needs to know about it."""

    place: str
    """`"module:ATTRIBUTE"` of the game."""
    scenario: str
    options: Mapping[str, Any] = field(default_factory=dict)
    label: str = ""
    """Replaces the options in the case's name where they are long."""
    games: int = 24
    """Random games played for the laws; half of them seek out rare actions."""
    traced: int = 3
    """Random games whose every byte is compared between compiled and plain runs; 0: none is."""
    nodes: int = 300
    """Positions of those games that each law looks at, spread evenly."""
    faults: Mapping[int, Breaker] = field(default_factory=dict)
    """For every fault flag a breaker that raises it in some position."""
    all_faults: int = 0
    """All fault flags together."""
    rotate: Callable[[np.record, np.record], None] | None = None
    """`rotate(old, new)`: `new` (a copy of `old`) becomes the same game with every seat k moved to
    seat k + 1; None if the game has no such symmetry."""
    hidden: Callable[[np.record, int], Iterable[tuple[bytes, float]]] | None = None
    """`hidden(state, seat)`: every state that fits all `seat` has seen, with its probability; None
    where they can't be listed. Called on a few positions whose list is short."""
    hidden_nodes: int = 4
    """On how many positions the chi-square test is made."""
    is_open: bool = False
    """Nothing is ever hidden, so that there is nothing to guess."""
    used: float = 1 / 5
    """At least this share of the observation's entries varies over the random games."""

    @property
    def name(self) -> str:
        """Id of the case in test reports."""
        extra = self.label or ",".join(f"{key}={value}" for key, value in self.options.items())
        name = f"{self.place.split(':')[0].split('.')[-1]}-{self.scenario}"
        return f"{name}-{extra}" if extra else name

    def game(self) -> Any:
        """The game object."""
        module, _, attribute = self.place.partition(":")
        return getattr(importlib.import_module(module), attribute)


def _kuhn_rotate(old: np.record, new: np.record) -> None:
    new.cards = old.cards[::-1]
    new.first = 1 - old.first


def _kuhn_hidden(state: np.record, seat: int) -> Iterable[tuple[bytes, float]]:
    if kuhn.NO_CARD in state.cards:
        return
    for card in set(range(3)) - {int(state.cards[seat])}:
        other = np.array([state], state.dtype)
        other["cards"][0, 1 - seat] = card
        yield other.tobytes(), 0.5


def _kuhn_bad_cards(state: np.record) -> None:
    state.cards[:] = 2


def _kuhn_bad_history(state: np.record) -> None:
    state.bets[2] = 7


CASES = [
    Case(
        "tests.kuhn:GAME",
        "kuhn",
        {"first": first},
        faults={kuhn.BAD_CARDS: _kuhn_bad_cards, kuhn.BAD_HISTORY: _kuhn_bad_history},
        all_faults=kuhn.BAD_CARDS | kuhn.BAD_HISTORY,
        rotate=_kuhn_rotate,
        hidden=_kuhn_hidden,
    )
    for first in (0, 1)
]

CASES += [
    Case(
        fairy_meat.game_of(scenario, label),
        scenario,
        options,
        label=label,
        games=games,
        traced=fairy_meat.traced(scenario, label),
        nodes=nodes,
        faults=fairy_meat.breakers(scenario),
        all_faults=fairy_meat.all_faults(scenario),
        rotate=fairy_meat.rotate,
        hidden=fairy_meat.hidden_of(scenario, label),
        used=fairy_meat.used(scenario),
    )
    for scenario, options, label, games, nodes in fairy_meat.CASES
]

CASES += [
    Case(
        "fm_env.games.sword_and_shield:GAME",
        "joust",
        options,
        label=label,
        games=games,
        traced=1,
        nodes=nodes,
        faults=sword_and_shield.BREAKERS,
        all_faults=sword_and_shield.ALL_FAULTS,
        rotate=sword_and_shield.rotate,
        hidden=sword_and_shield.hidden if label == "tiny" else None,
    )
    for options, label, games, nodes in sword_and_shield.CASES
]

CASES += [
    Case(
        "fm_env.games.fairy_tale:GAME",
        scenario,
        options,
        label=label,
        games=games,
        traced=1,  # plain Python takes seconds for a game
        nodes=nodes,
        faults=fairy_tale.BREAKERS,
        all_faults=fairy_tale.ALL_FAULTS,
        rotate=fairy_tale.rotate,
        hidden=fairy_tale.hidden if "deck" in options else None,
        hidden_nodes=12,
        used=1 / 25 if "deck" in options else 1 / 5,  # four different cards where 48 fit
    )
    for scenario, options, label, games, nodes in fairy_tale.CASES
]

CASES += [
    Case(
        "fm_env.games.angry_miniatures:GAME",
        scenario,
        options,
        label=label,
        games=games,
        traced=1,
        nodes=nodes,
        faults=angry_miniatures.BREAKERS,
        all_faults=angry_miniatures.ALL_FAULTS,
        rotate=angry_miniatures.rotate,
        is_open=options.get("teams") != "build",
        used=1 / 8 if scenario == "duel" else 1 / 5,  # planes are made for ten by ten squares
    )
    for scenario, options, label, games, nodes in angry_miniatures.CASES
]

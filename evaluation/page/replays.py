"""Games worth watching, chosen by rule, as matches that anybody can play again and as text."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from agents.policy import write_atomically
from evaluation.stats import Floats
from evaluation.watch import Ends, Story, Watcher
from fm_env.contract import CHANCE, Game, GameSpec, Scenario
from fm_env.games.conduct import Conduct
from fm_env.match import Match

UPSET, LONGEST = "biggest upset", "most decisions"
"""Rules that any game has, beside its own (`Conduct.highlights`)."""


@dataclass(frozen=True)
class Replay:
    """One game to watch."""

    reasons: tuple[str, ...]
    """The rules that chose it."""
    story: Story
    players: tuple[str, ...]
    """Names by seat."""
    outcome: str
    """Who won, in words."""
    name: str
    """Of its files, without ending."""
    text: str
    """Event by event, for whoever has the rulebook."""
    saved: str
    """The match as JSON (`fm_env.match.Match.from_json`)."""


class HighlightWatcher(Watcher):
    """Notes how much each game is worth watching under each of a game's own titles."""

    def __init__(self, conduct: Conduct | None, spec: GameSpec) -> None:
        """Prepare; without a conduct nothing is noted."""
        self.find = None if conduct is None else conduct.highlights
        self.spec = spec
        self._found: dict[str, list[Floats]] = {}

    def saw_ends(self, ends: Ends) -> None:
        """Note a wave of games."""
        if self.find is not None:
            for title, values in self.find(self.spec, ends.states).items():
                self._found.setdefault(title, []).append(np.asarray(values, np.float64))

    def values(self) -> dict[str, Floats]:
        """Title to a number for each game, in the order of stories; the highest is to be watched."""
        return {title: np.concatenate(parts) for title, parts in self._found.items()}


def choose(
    stories: Sequence[Story], values: dict[str, Floats], ratings: Sequence[float]
) -> dict[int, list[str]]:
    """The game to watch under each title: the one of highest value, the first of equal ones.

    Args:
        stories: finished games.
        values: a game's own titles, as `HighlightWatcher` notes them.
        ratings: strength of each agent; the biggest upset is the win over the best-rated opponent
            by the worst-rated player, by the difference of their ratings.

    Returns:
        Index of a story to the titles under which it was chosen.
    """
    rules = dict(values)
    rules[UPSET] = np.array([_upset(story, ratings) for story in stories])
    rules[LONGEST] = np.array([float(len(story.choices)) for story in stories])
    chosen: dict[int, list[str]] = {}
    for title, found in rules.items():
        best = int(np.argmax(found))
        if np.isfinite(found[best]):
            chosen.setdefault(best, []).append(title)
    return chosen


def tell(
    game: Game, scenario: Scenario, story: Story, reasons: Sequence[str], names: Sequence[str]
) -> Replay:
    """A game as a replay."""
    match = story.match(game, scenario)
    players = tuple(names[k] for k in story.agents)
    best = max(story.returns)
    first = [players[seat] for seat, value in enumerate(story.returns) if value == best]
    outcome = f"{first[0]} wins" if len(first) == 1 else f"draw of {' and '.join(first)}"
    seats = [f"seat {seat}: {name}" for seat, name in enumerate(players)]
    lines = [
        f"{scenario.spec.scenario} ({game.name}), seed {story.seed}; {', '.join(reasons)}",
        *seats,
        f"returns: {', '.join(f'{value:+g}' for value in story.returns)}; {outcome}",
        "",
        "At the start:",
        "",
        Match(game, scenario, seed=story.seed).text(),
        "",
    ]
    for k, event in enumerate(match.log, start=1):
        who = "chance" if event.seat == CHANCE else f"seat {event.seat}"
        lines.append(f"{k:>4}  {who:<7} {event.words}")
    lines += ["", "At the end:", "", match.text()]
    slug = re.sub(r"[^a-z0-9]+", "-", reasons[0].lower()).strip("-")
    return Replay(
        tuple(reasons), story, players, outcome, f"{scenario.spec.scenario}-{slug}", "\n".join(lines) + "\n",
        match.to_json(),
    )  # fmt: skip


def write_replays(folder: Path, replays: Sequence[Replay]) -> None:
    """Write each replay's `NAME.json` and `NAME.txt`."""
    folder.mkdir(parents=True, exist_ok=True)
    for replay in replays:
        saved = json.dumps(json.loads(replay.saved), separators=(",", ":"))
        write_atomically(folder / f"{replay.name}.json", (saved + "\n").encode())
        write_atomically(folder / f"{replay.name}.txt", replay.text.encode())


def replay_json(replay: Replay, folder: str) -> dict[str, Any]:
    """What the report's JSON says of a replay."""
    return {
        "reasons": list(replay.reasons),
        "players": list(replay.players),
        "returns": list(replay.story.returns),
        "outcome": replay.outcome,
        "seed": replay.story.seed,
        "choices": len(replay.story.choices),
        "match": f"{folder}/{replay.name}.json",
        "text": f"{folder}/{replay.name}.txt",
    }


def _upset(story: Story, ratings: Sequence[float]) -> float:
    """By how much the winner was rated below the best other; -inf without a sole winner or an upset."""
    best = max(story.returns)
    winners = [k for k, value in zip(story.agents, story.returns, strict=True) if value == best]
    others = [k for k, value in zip(story.agents, story.returns, strict=True) if value < best]
    if len(winners) != 1 or not others:
        return -np.inf
    gap = max(ratings[k] for k in others) - ratings[winners[0]]
    return gap if gap > 0 else -np.inf

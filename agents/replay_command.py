"""`fm-env replay`: show a replay in words, hold replays against the rules, record a game of agents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from agents.sitting import Sitting, best_agent
from fm_env import registry
from fm_env.errors import LoadError, SetupError
from fm_env.match import load as load_game
from fm_env.replay import Replay, Thought, load, save
from fm_env.replay_check import verify, words_of


def verify_command(files: Sequence[Path]) -> bool:
    """Say of each file whether it holds; True if all do."""
    console = Console(highlight=False, soft_wrap=True)
    good = True
    for file in files:
        try:
            match = verify(load(file), str(file))
        except LoadError as error:
            good = False
            console.print(Text(f"✗ {error}", "red"))
            continue
        spec = match.spec
        state = "over" if match.is_over else "not over"
        console.print(
            Text(f"✓ {file}: {spec.game} {spec.scenario}, {len(match.events)} steps, {state}", "green")
        )
    return good


def show_command(file: Path, seat: int | None) -> None:
    """Tell a replay from a seat's eyes, or all of it.

    Raises:
        LoadError: the file doesn't hold.
        SetupError: no such seat.
    """
    console = Console(highlight=False)
    replay = load(file)
    match = verify(replay, str(file))
    if seat is not None and not 0 <= seat < match.spec.num_seats:
        raise SetupError(f"--seat: expected 0 to {match.spec.num_seats - 1}, got {seat}")
    console.rule(f"{match.spec.game} {match.spec.scenario}")
    for player in replay.players:
        console.print(f"seat {player.seat}: {player.name}", style="bold")
    eyes = "everything is told" if seat is None else f"as seat {seat} saw it"
    console.print(f"{len(match.events)} steps, {eyes}", style="dim")
    for line in getattr(match.game, "legend", ()):  # how its cards and so on are written
        console.print(line, style="dim")
    console.print()
    thoughts = {thought.event: thought for thought in replay.thoughts if says_something(thought)}
    new_of = getattr(match.game, "briefly", lambda: str)()  # leaves out what is only said again
    for step, told in words_of(replay, seat, str(file)):
        words = new_of(told)
        thought = thoughts.get(step.number)
        if thought and seat in (None, step.seat):
            wins = "" if thought.win_estimate is None else f" (wins {thought.win_estimate:.0%})"
            weighed = ", ".join(f"{one.text} {one.probability:.0%}" for one in thought.alternatives)
            console.print(Text(f"      seat {step.seat}{wins} weighs {weighed}", "dim italic"))
        if words:
            console.print(Text(f"{step.number:4}  {words}"))
    console.rule("the last position")
    console.print(Text(match.text(seat)))
    if replay.returns is not None:
        console.print(Text(f"Returns: {', '.join(f'{r:+g}' for r in replay.returns)}", "bold"))


def says_something(thought: Thought) -> bool:
    """Whether a thought tells more than the choice itself, which a bot that never wavers' doesn't."""
    return thought.win_estimate is not None or len(thought.alternatives) > 1


def record_command(
    file: Path,
    game: str,
    scenario: str | None,
    options: Mapping[str, Any],
    agents: Sequence[str],
    seed: int,
) -> Replay:
    """Let agents play a game and write its replay.

    Args:
        file: where to.
        game: name of the game.
        scenario: name of the scenario; None for the game's default.
        options: of the scenario.
        agents: specs for the seats in turn, used again from the first if there are more seats; none:
            the best one everywhere.
        seed: of the luck.

    Raises:
        FmEnvError: something in what was asked for can't be played or written.
    """
    chosen = load_game(game).scenario(scenario, **options)
    specs = list(agents) or [best_agent(registry.find(game), chosen)]
    match = load_game(game).new_match(chosen, seed=seed)
    sitting = Sitting(match, {seat: specs[seat % len(specs)] for seat in range(match.spec.num_seats)})
    sitting.let_agents_choose()
    replay = sitting.replay()
    save(file, replay)
    Console(highlight=False, soft_wrap=True).print(
        f"{file}: {len(match.events)} steps, returns {', '.join(f'{r:+g}' for r in match.returns())}"
    )
    return replay

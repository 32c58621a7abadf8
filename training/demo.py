"""`fm-env demo`: train a duellist for a few minutes, say how good it is, and show one of its games."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.markup import escape

from agents.api import Agent
from agents.policy import NetworkPolicy, load_policy, save_policy
from agents.registry import make, table
from evaluation.command import evaluate_command
from evaluation.compare import Matchup
from fm_env import registry
from fm_env.contract import CHANCE, Game, Scenario
from fm_env.match import Match
from fm_env.views.table import find_scenario
from training.command import RUNS, run_training
from training.config import load_config
from training.progress import tensorboard_folder

OPPONENT = "median"
"""Whom the policy plays in the game that is shown."""

ON_TABLES = ("brawler", "sniper", "witch", "scavenger", "tactician")
"""Bots of the whole table, who fight just as `counter` does and are not judged twice."""

SHOWN = 0.05
"""Alternatives that the policy gave at least this probability are named beside its choice."""


def demo(
    minutes: float | None = None,
    games: int = 10_000,
    run_dir: Path | None = None,
    config: str = "duel_demo",
    console: Console | None = None,
) -> list[Matchup]:
    """Train, evaluate against every bot, show a game, say where everything lies.

    Args:
        minutes: training time; None: what the config says.
        games: against each bot, fixed in advance.
        run_dir: the run's folder; None: the next free one below `runs`.
        config: as `training.config.load_config`.
        console: where it all goes.
    """
    console = console or Console()
    settings = load_config(config, minutes=minutes)
    folder = run_dir or next_folder(RUNS / settings.run.name)
    file = run_training(settings, folder, False, console)
    game = registry.find(settings.game.name)
    plot, report = folder / "evaluation.png", folder / "evaluation.json"
    matchups = evaluate_command(
        f"policy:{file}",
        [name for name in table(game.name) if name not in ON_TABLES],
        game=game.name,
        scenario=settings.game.scenario,
        options=settings.game.options,
        games=games,
        seed=settings.run.seed,
        json=report,
        plot=plot,
        console=console,
    )
    policy = record_results(file, matchups)
    scenario = find_scenario(game, settings.game.scenario, options=settings.game.options)
    show_game(
        game, scenario, policy, make(OPPONENT if OPPONENT in table(game.name) else "random", game), console
    )
    console.rule("what lies where")
    for what, where in (
        ("policy", file),
        ("report", report),
        ("plot", plot),
        ("curves", tensorboard_folder(folder)),
    ):
        console.print(f"{what:8}{where}", soft_wrap=True)
    console.print(f"to look at the curves: tensorboard --logdir {tensorboard_folder(folder)}", soft_wrap=True)
    return matchups


def record_results(file: Path, matchups: Sequence[Matchup]) -> NetworkPolicy:
    """Write measured win rates on a policy's card."""
    policy = load_policy(file)
    results = {
        m.opponent: {
            "games": m.games,
            "win_rate": [round(x, 4) for x in (m.score.mean, m.score.low, m.score.high)],
            "mean_return": [round(x, 4) for x in (m.points.mean, m.points.low, m.points.high)],
            "verdict": m.verdict,
        }
        for m in matchups
    }
    card = policy.card.model_copy(update={"results": {**policy.card.results, policy.card.scenario: results}})
    save_policy(file, policy.weights(), card)
    return load_policy(file)


def show_game(
    game: Game, scenario: Scenario, policy: NetworkPolicy, opponent: Agent, console: Console, seed: int = 1
) -> None:
    """Print one game in words, with what the policy thought of its choices."""
    console.rule(f"a game: seat 0 is {policy.name}, seat 1 is {opponent.name}")
    match, notes = annotated_match(game, scenario, policy, opponent, seed)
    for k, event in enumerate(match.log):
        style = "dim" if event.seat == CHANCE else ("cyan" if event.seat == 0 else "default")
        console.print(
            f"[{style}]{escape(event.words)}[/]" + (f"  [dim]{escape(notes[k])}[/]" if k in notes else "")
        )
    returns = "  ".join(
        f"{agent.name} {value:+g}" for agent, value in zip((policy, opponent), match.returns(), strict=True)
    )
    console.print(f"returns: {returns}")


def annotated_match(
    game: Game, scenario: Scenario, policy: NetworkPolicy, opponent: Agent, seed: int
) -> tuple[Match, dict[int, str]]:
    """Play one game, the policy on seat 0; notes on its choices by the number of the event."""
    match = Match(game, scenario, seed=seed)
    for seat, agent in enumerate((policy, opponent)):
        agent.reset(scenario.spec, seat, seed)
    notes: dict[int, str] = {}
    while not match.is_over:
        seat = match.pending[0]
        observation, mask = match.observation(seat), match.mask(seat)
        if mask.sum() == 1:
            match.play(seat, int(mask.argmax()))
            continue
        action = (policy, opponent)[seat].act(observation, mask)
        if seat == 0:
            notes[len(match.events)] = _note(game, scenario, policy, observation, mask, action)
        match.play(seat, action)
    return match, notes


def _note(
    game: Game,
    scenario: Scenario,
    policy: NetworkPolicy,
    observation: np.ndarray,
    mask: np.ndarray,
    action: int,
) -> str:
    """`(62 %; or: hold 30 %)`: how likely the choice was, and what else it weighed."""
    chances = policy.probabilities(observation[None], mask[None])[0]
    others = [a for a in np.argsort(-chances) if a != action and chances[a] >= SHOWN][:3]
    texts = [f"{game.action_text(scenario.spec, int(a))} {100 * chances[a]:.0f} %" for a in others]
    return f"({100 * chances[action]:.0f} %" + (f"; or: {', '.join(texts)}" if texts else "") + ")"


def next_folder(base: Path) -> Path:
    """`base`, or `base-2`, `base-3`, ... if taken."""
    folder, number = base, 1
    while folder.exists() and any(folder.iterdir()):
        number += 1
        folder = base.with_name(f"{base.name}-{number}")
    return folder

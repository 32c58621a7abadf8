"""Playing a tournament: in chunks that can be played anywhere and in any order.

A chunk is a few blocks of one group, played side by side. Its games depend on nothing but the header:
so a killed tournament goes on with the chunks it lacks, and workers far away play the same games.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import numpy as np

from agents.api import Agent
from agents.registry import make
from evaluation.arena import Progress, play_seeds
from evaluation.faults import OnFault, Referee
from evaluation.report import versions
from evaluation.tournament.design import Group, make_groups
from evaluation.tournament.files import ResultsFile
from evaluation.tournament.question import Question
from evaluation.tournament.results import Block, Entrant, Header, Limits, Results, Setting, make_results
from evaluation.tournament.stopping import open_groups, stages
from fm_env.contract import Game, GameSpec, Scenario
from fm_env.errors import SetupError
from fm_env.rng import child_seed

WAVE = 512
"""Games of one group side by side where all its agents choose for many games at once."""

WAVE_WITH_COPIES = 16
"""The same where an agent is copied for every game."""


@dataclass(frozen=True)
class Chunk:
    """Blocks `first` to `last - 1` of a group."""

    group: int
    first: int
    last: int


@dataclass(frozen=True)
class Field:
    """Everything needed to play a chunk."""

    game: Game
    scenario: Scenario
    agents: tuple[Agent, ...]
    header: Header


Executor = Callable[[Field, Sequence[Chunk], Progress], Iterable[list[Block]]]
"""Plays chunks in any order and yields the blocks of each as it is done."""


def prepare(
    game: Game,
    scenario: Scenario,
    specs: Sequence[str],
    *,
    rounds: Callable[[Sequence[Group]], int] | int,
    seed: int,
    question: Callable[[int], Question] | None = None,
    having: int | None = None,
    move_seconds: float | None = None,
    on_fault: OnFault = "stop",
    command: str = "",
) -> Field:
    """Make the agents and the header of a tournament.

    Args:
        game: the game.
        scenario: a scenario of it, for 2 to 6 seats.
        specs: of the agents (see `agents.registry`), all different.
        rounds: blocks of each group, or a function that says how many from the groups.
        seed: equal seeds give equal results.
        question: makes the question from the number of rounds; None: all pairs, one look at the end.
        having: number of an agent; only groups in which it sits are played. None: all.
        move_seconds: time limit for agents in Python (see `evaluation.tournament.limits`).
        on_fault: after a crash or an illegal answer.
        command: words of the command line, for the record.

    Raises:
        fm_env.errors.FmEnvError: an agent that can't be made or can't play, or numbers out of range.
    """
    _check_specs(specs)
    if move_seconds is not None and not move_seconds > 0:
        raise SetupError(f"move_seconds: expected more than 0, got {move_seconds}")
    Referee(on_fault)  # complains about anything else
    spec = scenario.spec
    players, entrants = seat_agents(game, scenario, specs, move_seconds)
    every = make_groups(len(players), spec.num_seats)
    groups = tuple(group for group in every if having is None or having in group.members)
    number = rounds if isinstance(rounds, int) else rounds(groups)
    if number < 1:
        raise SetupError(f"games: expected at least 1 for each group of agents, got {number}")
    header = Header(
        game=_setting(scenario),
        agents=entrants,
        groups=groups,
        rounds=number,
        waves=tuple(_wave(group, players, move_seconds is not None) for group in groups),
        seed=seed,
        question=Question() if question is None else question(number),
        limits=Limits(move_seconds, on_fault),
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        command=command,
        versions=versions(),
    )
    return Field(game, scenario, players, header)


def seat_agents(
    game: Game, scenario: Scenario, specs: Sequence[str], move_seconds: float | None
) -> tuple[tuple[Agent, ...], tuple[Entrant, ...]]:
    """Make agents, under time limits if there are any, with a name for each that no other has."""
    players = [make(text, game, scenario) for text in specs]
    for player in players:
        player.check(scenario.spec)
    names = _names(players)
    if len({player.spec for player in players}) < len(players):
        raise SetupError(f"agents: one is given twice in different spellings: {', '.join(specs)}")
    entrants = tuple(
        Entrant(name, player.spec, player.fingerprint()) for name, player in zip(names, players, strict=True)
    )
    if move_seconds is not None:
        from evaluation.tournament.limits import limited

        players = [limited(player, game.name, scenario, move_seconds) for player in players]
    for player, name in zip(players, names, strict=True):
        player.name = name
    return tuple(players), entrants


def play_tournament(
    field: Field,
    out: ResultsFile | None = None,
    *,
    executor: Executor | None = None,
    progress: Progress | None = None,
    expect: Progress | None = None,
) -> Results:
    """Play what isn't in the file yet, until the question is answered or all rounds are played.

    Args:
        field: from `prepare`.
        out: where blocks are appended as they come; None keeps them in memory only.
        executor: who plays the chunks; None: this process.
        progress: told whenever games end (or were there already).
        expect: told at the beginning of each stage how many games there will be at most.

    Raises:
        fm_env.errors.FmEnvError: an agent fails to answer, and that is to stop.
    """
    header, tell = field.header, progress or (lambda count: None)
    executor = executor or play_here
    results = make_results(header, ()) if out is None else out.results
    blocks = {(block.round, block.group): block for block in results.blocks}
    tell(results.games)
    for look, (first, last) in enumerate(stages(header)):
        groups = open_groups(make_results(header, blocks.values()), look)
        if expect is not None:
            expect(_expected(header, blocks, groups, first))
        if not groups:
            break
        lacking = [c for c in chunks(header, groups, first, last) if not _is_there(c, blocks)]
        for played in executor(field, lacking, tell):
            new = [block for block in played if (block.round, block.group) not in blocks]
            if out is not None:
                out.add(new)
            blocks.update({(block.round, block.group): block for block in new})
    return make_results(header, blocks.values())


def play_here(field: Field, todo: Sequence[Chunk], progress: Progress) -> Iterator[list[Block]]:
    """Play chunks one after the other in this process."""
    for chunk in todo:
        yield play_chunk(field, chunk, progress)


def play_chunk(field: Field, chunk: Chunk, progress: Progress | None = None) -> list[Block]:
    """Play the blocks of one chunk."""
    header, group = field.header, field.header.groups[chunk.group]
    rounds = range(chunk.first, chunk.last)
    seeds = np.array([block_seed(header.seed, chunk.group, k) for k in rounds], np.int64)
    line_ups = [[field.agents[agent] for agent in order] for order in group.orders]
    referee = Referee(header.limits.on_fault)
    returns = play_seeds(
        field.game,
        field.scenario,
        line_ups,
        seeds,
        progress,
        referee=referee,
        side_by_side=header.waves[chunk.group],
    )
    faults = _faults_by_block(referee, group, len(rounds))
    return [
        Block(chunk.group, k, int(seed), found, fault)
        for k, seed, found, fault in zip(rounds, seeds, returns, faults, strict=True)
    ]


def chunks(header: Header, groups: Sequence[int], first: int, last: int) -> list[Chunk]:
    """Rounds `first` to `last - 1` of some groups, cut into chunks; early rounds of all groups come first."""
    cut = [
        Chunk(group, start, min(start + header.waves[group], last))
        for group in groups
        for start in range(first, last, header.waves[group])
    ]
    return sorted(cut, key=lambda chunk: (chunk.first, chunk.group))


def block_seed(seed: int, group: int, round: int) -> int:
    """The luck of a block: a fixed function of the tournament's seed and the block's place."""
    return int(child_seed(seed, group, round))


def _is_there(chunk: Chunk, blocks: Mapping[tuple[int, int], Block]) -> bool:
    return all((k, chunk.group) in blocks for k in range(chunk.first, chunk.last))


def _expected(
    header: Header, blocks: Mapping[tuple[int, int], Block], groups: Sequence[int], first: int
) -> int:
    """Games of the whole tournament if no more groups are closed."""
    done = sum(len(header.groups[group].orders) for round, group in blocks if round < first)
    return done + sum(len(header.groups[group].orders) for group in groups) * (header.rounds - first)


def _faults_by_block(referee: Referee, group: Group, blocks: int) -> list[tuple[tuple[int, str, int], ...]]:
    found: list[Counter[tuple[int, str]]] = [Counter() for _ in range(blocks)]
    for (game, seat, kind), count in referee.counts.items():
        block, order = divmod(game, len(group.orders))
        found[block][group.orders[order][seat], kind] += count
    return [
        tuple((agent, kind, count) for (agent, kind), count in sorted(counter.items())) for counter in found
    ]


def _wave(group: Group, players: Sequence[Agent], timed: bool) -> int:
    together = all(players[agent].plays_batches for agent in group.members)
    if timed and not together:
        return 1  # whoever has to be ended loses its memory of few games only
    return max(1, (WAVE if together else WAVE_WITH_COPIES) // len(group.orders))


def _setting(scenario: Scenario) -> Setting:
    spec: GameSpec = scenario.spec
    options: dict[str, Any] = json.loads(json.dumps(dict(scenario.options)))  # as it will be read back
    return Setting(
        spec.game,
        spec.scenario,
        options,
        spec.rules_version,
        spec.observation_version,
        spec.num_seats,
        spec.min_return,
        spec.max_return,
    )


def _check_specs(specs: Sequence[str]) -> None:
    twice = [text for text, count in Counter(specs).items() if count > 1]
    if twice:
        raise SetupError(f"agents: {twice[0]!r} is given twice")


def _names(players: Sequence[Agent]) -> list[str]:
    """Short names; agents that share one (two policies, say) go by their specs."""
    shared = Counter(player.name for player in players)
    return [player.name if shared[player.name] == 1 else player.spec for player in players]

"""Which pairs are told apart so far, and which groups still have to play."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from evaluation.stats import Floats, Interval, Verdict, mean_interval, verdict
from evaluation.tournament.design import Group, pairs
from evaluation.tournament.results import Header, Results

Pair = tuple[int, int]


@dataclass(frozen=True)
class PairScore:
    """How one agent did against another."""

    pair: Pair
    score: Interval
    """Score of the first against the second: share of games in which it finished ahead, level games
    counting half. The intervals of all compared pairs, at all looks, hold together."""
    compared: bool
    """The question is about this pair. Without, no claim is made."""
    look: int
    """After which look the interval was fixed."""

    @property
    def verdict(self) -> Verdict:
        """`"beats"` or `"loses to"` only where the interval says so."""
        return verdict(self.score) if self.compared else "undecided"


def stages(header: Header) -> list[tuple[int, int]]:
    """Rounds between looks: first and (excluded) last of each stage."""
    ends = header.question.looks or (header.rounds,)
    return list(zip((0, *ends[:-1]), ends, strict=True))


def pair_values(group: Group, returns: Floats, pair: Pair) -> Floats:
    """Score of agent `pair[0]` against `pair[1]` in each block of a group, `[B]`.

    Args:
        group: in which both sit.
        returns: `[B, L, S]`.
        pair: the two.
    """
    values = np.zeros(len(returns))
    compared = 0
    for k, order in enumerate(group.orders):
        for s, t in itertools.product(range(len(order)), repeat=2):
            if (order[s], order[t]) == pair:
                values += (np.sign(returns[:, k, s] - returns[:, k, t]) + 1) / 2
                compared += 1
    return values / compared


def pair_scores(results: Results) -> list[PairScore]:
    """All pairs, each at the look at which its interval was fixed.

    A pair's interval is fixed when it is told apart at a planned look, or at the last look for which
    all rounds are there. Rounds beyond are left out of it: they came for the sake of others.
    """
    return _state(results, len(stages(results.header)))


def open_groups(results: Results, look: int) -> list[int]:
    """Groups that play on after the first `look` looks; none once the question is answered."""
    header = results.header
    every = list(range(len(header.groups)))
    if look == 0:
        return every
    wanted = _wanted_pairs(header, _state(results, look))
    return [g for g in every if any(set(pair) <= header.groups[g].members for pair in wanted)]


def is_complete(results: Results) -> bool:
    """All rounds are there that the question needs."""
    for look, (first, last) in enumerate(stages(results.header)):
        groups = open_groups(results, look)
        if not _has_rounds(results, groups, first, last):
            return False
    return True


def _state(results: Results, looks: int) -> list[PairScore]:
    """All pairs after the first `looks` looks."""
    header = results.header
    every = pairs(len(header.agents))
    met = {pair for pair in every if _plays(header, range(len(header.groups)), pair)}
    levels = header.question.levels(len(met))
    asked = set(header.question.of)
    compared = {pair for pair in met if not asked or asked == set(pair)}
    fixed: dict[Pair, PairScore] = {}
    playing = set(range(len(header.groups)))
    for look, (first, last) in enumerate(stages(header)[:looks]):
        if not _has_rounds(results, playing, first, last):
            if look == 0:  # nobody planned to look here: numbers, but no claims
                unplanned = [_score(results, p, header.rounds, levels[0], look, False) for p in every]
                fixed = {score.pair: score for score in unplanned}
            break
        for pair in every:
            before = fixed.get(pair)
            if before is None or (before.verdict == "undecided" and _plays(header, playing, pair)):
                fixed[pair] = _score(results, pair, last, levels[look], look, pair in compared)
        wanted = _wanted_pairs(header, list(fixed.values()))
        playing = {g for g in playing if any(set(pair) <= header.groups[g].members for pair in wanted)}
    return [fixed[pair] for pair in every]


def _score(results: Results, pair: Pair, last: int, level: float, look: int, compared: bool) -> PairScore:
    """Over the blocks of rounds below `last`."""
    found = [
        pair_values(group, played.returns[: np.searchsorted(played.rounds, last)], pair)
        for group, played in zip(results.header.groups, results.played, strict=True)
        if set(pair) <= group.members
    ]
    values = np.concatenate([np.zeros(0), *found])
    interval = mean_interval(values, 0.0, 1.0, level) if len(values) else Interval(0.5, 0.0, 1.0, 0)
    return PairScore(pair, interval, compared, look)


def _wanted_pairs(header: Header, found: list[PairScore]) -> list[Pair]:
    """Pairs that have to be told apart still."""
    undecided = [score.pair for score in found if score.compared and score.verdict == "undecided"]
    if header.question.kind != "best":
        return undecided if header.question.kind == "all" else _everyone(header, undecided)
    losers = {_loser(score) for score in found if score.verdict != "undecided"}
    return [pair for pair in undecided if not set(pair) <= losers]


def _everyone(header: Header, undecided: list[Pair]) -> list[Pair]:
    """One pair is asked about, and all play on for the ratings until it is told apart."""
    return pairs(len(header.agents)) if undecided else []


def _loser(score: PairScore) -> int:
    return score.pair[1] if score.verdict == "beats" else score.pair[0]


def _plays(header: Header, playing: Iterable[int], pair: Pair) -> bool:
    return any(set(pair) <= header.groups[g].members for g in playing)


def _has_rounds(results: Results, groups: Iterable[int], first: int, last: int) -> bool:
    for group in groups:
        rounds = results.played[group].rounds
        if np.searchsorted(rounds, last) - np.searchsorted(rounds, first) < last - first:
            return False
    return True

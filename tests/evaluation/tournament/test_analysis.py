"""Ratings, payoffs, seats and luck of tournaments whose truth is known."""

import dataclasses
import json
import math

import numpy as np
import pytest

from evaluation.ratings import ELO
from evaluation.tournament.analysis import analyse
from evaluation.tournament.play import play_tournament, prepare
from evaluation.tournament.proofs import Case, header_of, simulate
from evaluation.tournament.results import make_results
from evaluation.tournament.tables import all_tables, answer, ranges
from tests.evaluation.highest_card import GAME as HIGHEST_CARD
from tests.kuhn import GAME

STRENGTHS = np.array([0.9, 0.3, -0.2, -1.0])


@pytest.fixture(scope="module")
def found():
    results = simulate(header_of(Case(4, rounds=400), seed=2), STRENGTHS, 0.0)
    return analyse(results, samples=200, nash_samples=5)


def test_ratings_find_the_strengths_and_their_intervals_hold_them(found):
    for rating in found.ratings:
        assert rating.elo == pytest.approx(STRENGTHS[rating.agent] * ELO, abs=25)
        assert rating.low < STRENGTHS[rating.agent] * ELO < rating.high
        assert 15 < rating.high - rating.low < 60
    assert found.ranking == [0, 1, 2, 3]
    assert sum(r.elo for r in found.ratings) == pytest.approx(0, abs=1e-6)


def test_more_seats_find_them_too():
    results = simulate(header_of(Case(4, seats=3, rounds=100), seed=2), STRENGTHS, 0.0)
    for rating in analyse(results, samples=100, nash_samples=1).ratings:
        assert rating.elo == pytest.approx(STRENGTHS[rating.agent] * ELO, abs=25)


def test_payoffs_are_the_chances_of_winning(found):
    for a in range(4):
        for b in range(4):
            expected = 1 / (1 + math.exp(STRENGTHS[b] - STRENGTHS[a]))
            assert found.payoffs[a, b] == pytest.approx(expected, abs=0.06)
            assert found.payoffs[a, b] + found.payoffs[b, a] == pytest.approx(1)


def test_a_pair_reads_from_both_sides(found):
    one, two = found.pair(0, 3), found.pair(3, 0)
    assert (one.verdict, two.verdict) == ("beats", "loses to")
    assert one.score.low == pytest.approx(1 - two.score.high)
    with pytest.raises(KeyError):
        found.pair(1, 1)


def test_an_undefeated_agent_has_an_interval_of_some_width():
    field = header_of(Case(2, rounds=50), seed=1)
    results = simulate(field, np.array([60.0, 0.0]), 0.0)
    first, second = analyse(results, samples=400, nash_samples=1).ratings
    assert first.low < first.elo < first.high < 2000
    assert first.high - first.low > 50
    assert second.elo == pytest.approx(-first.elo)


def test_a_seat_that_wins_is_found_and_says_nothing_about_agents():
    header = header_of(Case(3, rounds=100), seed=1)
    equal = simulate(header, np.zeros(3), 0.0)
    first_wins = tuple(
        dataclasses.replace(played, returns=np.broadcast_to([1.0, 0.0], played.returns.shape).copy())
        for played in equal.played
    )
    found = analyse(dataclasses.replace(equal, played=first_wins), samples=50, nash_samples=1)
    assert [seat.score.mean for seat in found.seats] == [1.0, 0.0]
    assert found.seats[0].score.low > 0.9
    assert {score.verdict for score in found.pairs} == {"undecided"}
    assert [rating.elo for rating in found.ratings] == pytest.approx([0, 0, 0], abs=1e-6)
    assert found.luck_saved is None  # each block is even: nothing varies


def test_shared_luck_saves_games_where_it_decides_and_none_where_there_is_none():
    def saved(luck):
        results = simulate(header_of(Case(3, rounds=500), seed=1), np.zeros(3), luck)
        return analyse(results, samples=10, nash_samples=1).luck_saved

    assert saved(0.0) == pytest.approx(1, abs=0.15)
    assert saved(2.0) > 1.5


def test_games_of_a_real_tournament_sum_up_to_what_was_played():
    specs = ["eager", "passive", "mixed:bluff=0.3,call=0.3"]
    field = prepare(GAME, GAME.scenario("kuhn"), specs, rounds=100, seed=3)
    found = analyse(play_tournament(field), samples=100, nash_samples=2)
    assert found.complete
    assert found.seats[0].points.mean == pytest.approx(-found.seats[1].points.mean)
    assert found.alpha_rank.sum() == pytest.approx(1)
    assert found.nash.sum() == pytest.approx(1)
    assert (found.alpha_rank_interval[:, 0] <= found.alpha_rank + 1e-12).all()
    assert json.loads(json.dumps(found.to_json(), allow_nan=False))["games"] == 600


def test_three_real_seats_and_fewer_agents():
    scenario = HIGHEST_CARD.scenario("highest_card")
    field = prepare(
        HIGHEST_CARD, scenario, ["random", "tests.agents.bots_for_tests:FirstLegal"], rounds=60, seed=1
    )
    found = analyse(play_tournament(field), samples=50, nash_samples=1)
    assert found.pair(1, 0).verdict == "beats"  # who keeps every card wins more often than who drops half
    assert len(found.seats) == 3


def test_the_answer_is_in_words(found):
    assert answer(found) == "6 of 6 pairs are told apart (error rate 5 % for all claims together)."
    header = header_of(Case(4, kind="best", sequential=True, rounds=400), seed=2)
    best = analyse(simulate(header, 2 * STRENGTHS, 0.0), samples=10, nash_samples=1)
    assert answer(best).startswith("Asked for the best: agent 0 is better than every other;")
    none = analyse(simulate(header, np.zeros(4), 0.0), samples=10, nash_samples=1)
    assert "no agent is better than all others" in answer(none)
    question = dataclasses.replace(header.question, kind="pair", of=(3, 0))
    asked = analyse(
        simulate(dataclasses.replace(header, question=question), STRENGTHS, 0.0), samples=10, nash_samples=1
    )
    assert answer(asked).startswith("Asked: agent 3 is worse than agent 0 (")
    assert all(score.verdict == "undecided" for score in asked.pairs if score.pair != (0, 3))
    partial = make_results(found.header, [block for block in found.results.blocks if block.round < 399])
    assert answer(analyse(partial, samples=10, nash_samples=1)).startswith("Unfinished: no claims")


def test_tables_fit_80_columns_with_many_agents_of_long_names():
    from io import StringIO

    from rich.console import Console

    results = simulate(header_of(Case(14, rounds=12), seed=2), np.linspace(1, -1, 14), 0.0)
    entrants = [
        dataclasses.replace(a, name=f"policy:a-name-of-some-length-{k}")
        for k, a in enumerate(results.header.agents)
    ]
    results = dataclasses.replace(results, header=dataclasses.replace(results.header, agents=tuple(entrants)))
    console = Console(width=80, file=StringIO())
    for shown in all_tables(analyse(results, samples=10, nash_samples=1)):
        console.print(shown)
    text = console.file.getvalue()
    assert max(map(len, text.splitlines())) <= 80
    assert text.count("Score of the row") == 2


def test_ranges():
    assert ranges([]) == ""
    assert ranges([4, 2, 3, 7, 9, 10]) == "2-4 7 9-10"

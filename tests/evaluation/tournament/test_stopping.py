"""When a tournament stops, and what it may say then."""

import dataclasses

import numpy as np
import pytest

from evaluation.stats import mean_interval
from evaluation.tournament.design import make_groups
from evaluation.tournament.files import ResultsFile
from evaluation.tournament.play import play_tournament, prepare
from evaluation.tournament.proofs import Case, header_of, simulate
from evaluation.tournament.question import Question, looks_for, planned_blocks, planned_rounds
from evaluation.tournament.results import make_results
from evaluation.tournament.stopping import is_complete, open_groups, pair_scores, pair_values
from tests.kuhn import GAME

STRONG = np.array([3.0, 0.0, 0.0, -3.0])
"""0 beats all and 3 loses to all, quickly; 1 and 2 are equal."""


def header(**changes):
    return header_of(Case(4, sequential=True, rounds=320, **changes), seed=8)


def rounds_played(results):
    return {
        group.agents: len(p.rounds) for group, p in zip(results.header.groups, results.played, strict=True)
    }


def test_the_error_rate_is_shared_out_among_looks_and_pairs_and_never_exceeded():
    for looks, num_pairs in (((), 1), ((10,), 6), ((10, 20, 40), 45)):
        levels = Question(looks=looks, error=0.05).levels(num_pairs)
        assert len(levels) == max(1, len(looks))
        assert sum(1 - level for level in levels) * num_pairs == pytest.approx(0.05)
    assert Question("pair", (0, 1)).levels(45) == pytest.approx((0.95,))


def test_looks_double_and_end_at_the_end():
    assert looks_for(320) == (20, 40, 80, 160, 320)
    assert looks_for(100) == (25, 50, 100)
    assert looks_for(5) == (5,)


def test_pairs_told_apart_stop_and_the_others_go_on():
    results = simulate(header(), STRONG, 0.0)
    assert rounds_played(results) == {(1, 2): 320, (0, 1): 20, (0, 2): 20, (0, 3): 20, (1, 3): 20, (2, 3): 20}
    found = {score.pair: score for score in pair_scores(results)}
    assert {pair: score.verdict for pair, score in found.items()} == {
        (0, 1): "beats",
        (0, 2): "beats",
        (0, 3): "beats",
        (1, 2): "undecided",
        (1, 3): "beats",
        (2, 3): "beats",
    }
    assert found[0, 1].look == 0
    assert found[1, 2].look == 4
    assert found[1, 2].score.blocks == 320
    assert is_complete(results)


def test_the_interval_is_that_of_the_look():
    results = simulate(header(), STRONG, 0.0)
    group, played = results.header.groups[0], results.played[0]
    values = pair_values(group, played.returns, (0, 1))
    assert pair_scores(results)[0].score == mean_interval(values, 0.0, 1.0, 1 - 0.05 * 0.2 / 4 / 6)


def test_who_is_best_ends_when_one_has_beaten_all():
    results = simulate(header(kind="best"), STRONG, 0.0)
    assert set(rounds_played(results).values()) == {20}
    assert open_groups(results, 1) == []


def test_two_who_may_be_best_play_until_the_end():
    results = simulate(header(kind="best"), np.array([0.0, 0.0, -4.0, -4.0]), 0.0)
    assert rounds_played(results) == {(0, 1): 320, (0, 2): 20, (0, 3): 20, (1, 2): 20, (1, 3): 20, (2, 3): 20}


def test_a_question_about_one_pair_claims_nothing_about_others():
    question = Question("pair", (0, 3), looks=looks_for(320))
    results = simulate(dataclasses.replace(header(), question=question), STRONG, 0.0)
    assert set(rounds_played(results).values()) == {20}  # answered at the first look
    assert [score.pair for score in pair_scores(results) if score.verdict != "undecided"] == [(0, 3)]


def test_an_unplanned_look_claims_nothing():
    results = simulate(header(), STRONG, 0.0)
    partial = make_results(results.header, [block for block in results.blocks if block.round < 19])
    assert not is_complete(partial)
    assert {score.verdict for score in pair_scores(partial)} == {"undecided"}
    assert max(abs(score.score.mean - 0.5) for score in pair_scores(partial)) > 0.3


def test_more_seats_stop_group_by_group():
    strengths = np.array([4.0, 0.0, 0.0, -4.0])
    results = simulate(header(seats=3), strengths, 0.0)
    played = rounds_played(results)
    assert played[0, 1, 2] == played[1, 2, 3] == 320  # those in which the equals meet
    assert max(played[0, 1, 3], played[0, 2, 3]) < 320


def test_a_pair_is_compared_seat_by_seat_and_ties_count_half():
    group = make_groups(3, 3)[0]
    returns = np.zeros((2, 6, 3))
    for k, order in enumerate(group.orders):
        returns[0, k] = [{0: 2.0, 1: 1.0, 2: 1.0}[agent] for agent in order]
        returns[1, k] = [float(k % 2 == agent) for agent in order]
    assert pair_values(group, returns, (0, 1)).tolist() == [1.0, 0.5]
    assert pair_values(group, returns, (1, 2)).tolist() == [0.5, 0.75]


def test_copies_of_an_agent_do_not_count():
    group = make_groups(2, 3)[0]
    assert group.agents == (0, 0, 1)
    returns = np.array([[[{0: 1.0, 1: 2.0}[agent] for agent in order] for order in group.orders]])
    assert pair_values(group, returns, (0, 1)).tolist() == [0.0]


def test_a_tournament_that_stops_early_is_the_beginning_of_the_full_one_and_survives_a_kill(tmp_path):
    def make(looks):
        return prepare(
            GAME,
            GAME.scenario("kuhn"),
            ["eager", "mixed:bluff=0.3,call=0.3", "passive"],
            rounds=200,
            seed=4,
            question=lambda rounds: Question(looks=looks_for(rounds) if looks else ()),
        )

    path = tmp_path / "t.jsonl"
    field = make(True)
    with ResultsFile(path, field.header) as out:
        early = play_tournament(field, out)
    full = play_tournament(make(False))
    assert is_complete(early)
    assert early.games < full.games == 1200
    for one, two in zip(early.played, full.played, strict=True):
        assert np.array_equal(one.returns, two.returns[: len(one.returns)])
    whole = path.read_bytes()
    for share in (0.3, 0.6, 0.9):
        path.write_bytes(whole[: int(share * len(whole))])
        with ResultsFile(path, field.header) as out:
            play_tournament(field, out)
        assert path.read_bytes() == whole


def test_the_plan_is_the_smallest_that_has_the_power():
    level, games = 0.95, 2
    n = planned_blocks(level, games, power=0.8)
    # Textbook: (1.96 + 0.84)^2 * 0.2475 / 2 / 0.05^2 = 388.6, and the invented observations cost a little.
    assert 389 <= n <= 400
    rng = np.random.default_rng(1)
    values = rng.binomial(games, 0.55, (4000, n)) / games
    power = np.mean([mean_interval(row, 0, 1, level).low > 0.5 for row in values])
    assert 0.77 < power < 0.83


def test_the_plan_counts_pairs_and_groups():
    few, many = (planned_rounds(make_groups(n, 2), n, Question()) for n in (2, 10))
    assert few < many < 3 * few
    # Four of nine agents: each pair meets in 21 groups of 24 games.
    assert planned_rounds(make_groups(9, 4), 9, Question()) < many / 21

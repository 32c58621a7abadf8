"""Chunks depend on nothing but the header, and who fails to answer is dealt with as asked."""

import numpy as np
import pytest

from evaluation.faults import AgentFault
from evaluation.tournament.play import Chunk, block_seed, chunks, play_chunk, play_tournament, prepare
from fm_env.errors import IllegalActionError, SetupError
from tests.evaluation.highest_card import GAME as HIGHEST_CARD
from tests.evaluation.tournament.conftest import BOTS
from tests.kuhn import GAME

HERE = "tests.evaluation.tournament.agents_for_tests"
OTHERS = "tests.agents.bots_for_tests"


def make(*specs, rounds=20, **options):
    return prepare(GAME, GAME.scenario("kuhn"), specs, rounds=rounds, seed=4, **options)


def lines(results):
    return [block.line() for block in results.blocks]


def test_any_order_of_chunks_gives_the_same_games():
    field = make(*BOTS, f"{HERE}:BatchCoin", rounds=300)

    def backwards(field, todo, progress):
        for chunk in reversed(todo):
            yield play_chunk(field, chunk, progress)

    straight = lines(play_tournament(field))
    assert straight == lines(play_tournament(field, executor=backwards))
    fresh = make(*BOTS, f"{HERE}:BatchCoin", rounds=300)
    assert straight == lines(play_tournament(fresh))


def test_chunks_cover_each_block_once_and_end_at_looks(field):
    found = chunks(field.header, [0, 3], 5, 20)
    assert sorted((c.group, k) for c in found for k in range(c.first, c.last)) == [
        (group, k) for group in (0, 3) for k in range(5, 20)
    ]


def test_each_block_has_its_own_luck_and_all_its_orders_share_it(field):
    results = play_tournament(field)
    seeds = [int(seed) for played in results.played for seed in played.seeds]
    assert len(set(seeds)) == len(seeds)
    assert results.played[2].seeds[7] == block_seed(4, 2, 7)
    # `passive` against itself in effect: passes and never bets, so the cards alone decide.
    passive = make("passive", f"{OTHERS}:FirstLegal")
    returns = play_tournament(passive).played[0].returns
    assert (returns[:, 0] == returns[:, 1]).all()


def test_three_seats_play_all_orders():
    scenario = HIGHEST_CARD.scenario("highest_card")
    field = prepare(HIGHEST_CARD, scenario, ["random", f"{OTHERS}:FirstLegal"], rounds=6, seed=1)
    assert [len(group.orders) for group in field.header.groups] == [3, 3]
    results = play_tournament(field)
    assert results.games == 36
    assert all(sum(game) == 0.0 for block in results.blocks for game in block.returns)


def test_progress_counts_each_game_once_and_the_total_is_told_first(field):
    told, totals = [], []
    play_tournament(field, progress=told.append, expect=totals.append)
    assert sum(told) == 240
    assert totals == [240]


def test_a_crash_or_an_illegal_answer_stops_by_default_and_names_the_agent():
    with pytest.raises(AgentFault, match="agent 'fails' failed: RuntimeError: no idea"):
        play_tournament(make("random", f"{HERE}:Fails"))
    with pytest.raises(AgentFault, match="agent 'failstobegin' failed: RuntimeError: not today"):
        play_tournament(make("random", f"{HERE}:FailsToBegin"))
    with pytest.raises(IllegalActionError, match="'cheat' chose action 7; legal here: 0, 1"):
        play_tournament(make("random", f"{OTHERS}:Cheat"))
    with pytest.raises(IllegalActionError, match="'vague' answered float64"):
        play_tournament(make("random", f"{OTHERS}:Vague"))


def test_with_a_fallback_they_are_replaced_and_counted():
    specs = ("passive", f"{HERE}:Fails", f"{HERE}:FailsToBegin", f"{OTHERS}:Cheat", f"{OTHERS}:Vague")
    first, again = (play_tournament(make(*specs, rounds=40, on_fault="fallback")) for _ in range(2))
    assert lines(first) == lines(again)
    faults = first.faults()
    assert {agent: set(kinds) for agent, kinds in faults.items()} == {
        1: {"crash"},
        2: {"crash"},
        3: {"illegal"},
        4: {"illegal"},
    }
    assert min(sum(kinds.values()) for kinds in faults.values()) >= 4 * 2 * 40 / 2
    # Replaced moves are random ones: against who never bets, half the first moves are bets.
    returns = first.played[0].returns[:, 1, 0]  # `fails` speaks first against `passive`
    assert 0.2 < np.mean(returns == 1.0) < 0.9


def test_names_stay_apart():
    field = make("random", f"{HERE}:Slow", f"{HERE}:Slow:seconds=0.001")
    assert field.header.names == ["random", f"{HERE}:Slow", f"{HERE}:Slow:seconds=0.001"]


@pytest.mark.parametrize(
    ("specs", "options", "words"),
    [
        (["random"], {}, "at least 2, got 1"),
        (["random", "eager", "random"], {}, "'random' is given twice"),
        (["mixed:bluff=0.5", "mixed:bluff=0.50"], {}, "one is given twice in different spellings"),
        (["random", "eager"], {"rounds": 0}, "at least 1 for each group"),
        (["random", "eager"], {"move_seconds": 0}, "move_seconds: expected more than 0"),
        (["random", "eager"], {"on_fault": "pray"}, "on_fault: expected stop or fallback, got 'pray'"),
    ],
)
def test_what_cannot_be_played_is_refused(specs, options, words):
    with pytest.raises(SetupError, match=words):
        make(*specs, **options)


def test_a_chunk_played_alone_is_the_chunk_of_the_tournament(field):
    whole = {(b.round, b.group): b.line() for b in play_tournament(field).blocks}
    part = play_chunk(field, Chunk(3, 0, 20))
    assert [b.line() for b in part] == [whole[k, 3] for k in range(20)]


@pytest.mark.parametrize("name", ["Babbles", "SometimesWrong", "WrongShape"])
def test_nonsense_is_illegal(name):
    results = play_tournament(make("passive", f"{HERE}:{name}", on_fault="fallback"))
    (kinds,) = results.faults().values()
    assert set(kinds) == {"illegal"}
    with pytest.raises((AgentFault, IllegalActionError), match=f"agent '{name.lower()}'"):
        play_tournament(make("passive", f"{HERE}:{name}"))

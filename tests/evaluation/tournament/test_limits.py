"""Agents that are too slow, hang or die stop nothing."""

import pytest

from evaluation.faults import AgentFault
from evaluation.tournament.limits import LimitedAgent
from evaluation.tournament.play import play_tournament, prepare
from fm_env.errors import LoadError
from tests.kuhn import GAME

HERE = "tests.evaluation.tournament.agents_for_tests"
LIMIT = 0.3


@pytest.fixture
def make():
    made = []

    def make(*specs, rounds=2, on_fault="fallback", move_seconds=LIMIT):
        field = prepare(
            GAME,
            GAME.scenario("kuhn"),
            specs,
            rounds=rounds,
            seed=4,
            move_seconds=move_seconds,
            on_fault=on_fault,
        )
        made.extend(field.agents)
        return field

    yield make
    for agent in made:
        if isinstance(agent, LimitedAgent):
            agent.close()


def lines(results):
    return [block.line() for block in results.blocks]


def test_in_time_an_agent_plays_the_same_games_as_without_a_limit(make):
    specs = ("random", "tests.agents.bots_for_tests:Rememberer", f"{HERE}:BatchCoin")
    limited = play_tournament(make(*specs, rounds=5, move_seconds=20.0))
    free = play_tournament(make(*specs, rounds=5, move_seconds=None))
    assert limited.faults() == free.faults() == {}
    for pair in (0, 1, 2):
        assert limited.played[pair].seeds.tolist() == free.played[pair].seeds.tolist()
    assert limited.played[0].returns.tolist() == free.played[0].returns.tolist()
    assert limited.played[1].returns.tolist() == free.played[1].returns.tolist()


def test_compiled_bots_need_no_process(make):
    assert not any(isinstance(agent, LimitedAgent) for agent in make("random", "eager").agents)


def test_a_late_answer_is_replaced_and_the_agent_plays_on(make):
    results = play_tournament(make("eager", f"{HERE}:Hesitates", rounds=1, move_seconds=1.5))
    assert results.faults() == {1: {"late": 2}}  # once in each game; its later moves came in time


def test_a_hanging_agent_is_ended_and_only_this_block_is_lost(make):
    field = make("random", f"{HERE}:Hangs", rounds=3)
    results = play_tournament(field)
    found = results.faults()[1]
    assert found["late"] == 3  # once in each block: a new process begins with the next one
    assert found["late"] + found.get("lost", 0) >= 6
    assert field.agents[1].host.life >= 2


def test_a_dying_process_is_a_crash(make):
    results = play_tournament(make("random", f"{HERE}:Dies"))
    assert results.faults()[1]["crash"] == 2
    with pytest.raises(AgentFault, match=r":Dies': its process died"):
        play_tournament(make("random", f"{HERE}:Dies", on_fault="stop"))


def test_an_exception_on_the_other_side_is_told_here(make):
    with pytest.raises(AgentFault, match=r":Fails' failed: RuntimeError: no idea"):
        play_tournament(make("random", f"{HERE}:Fails", on_fault="stop"))


def test_late_answers_never_stop_a_tournament(make):
    results = play_tournament(make("random", f"{HERE}:Hangs", rounds=1, on_fault="stop"))
    assert results.faults()[1]["late"] == 1


def test_an_agent_that_chooses_for_many_games_is_limited_too(make):
    results = play_tournament(make("random", f"{HERE}:HangsInBatches", rounds=1, move_seconds=0.1))
    assert set(results.faults()[1]) == {"late"}


def test_an_agent_that_can_only_be_made_once_is_told(make, tmp_path, monkeypatch):
    marker = tmp_path / "made"
    (tmp_path / "only_once.py").write_text(
        f"import pathlib\n"
        f"class Once:\n"
        f"    def __init__(self):\n"
        f"        pathlib.Path({str(marker)!r}).touch(exist_ok=False)\n"
        f"    def act(self, observation, mask):\n"
        f"        return 0\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    field = make("random", "only_once:Once", on_fault="stop")
    with pytest.raises(
        (LoadError, AgentFault), match=r"making it in a process of its own failed.*FileExists"
    ):
        play_tournament(field)

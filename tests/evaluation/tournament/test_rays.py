"""The same tournament on a local cluster of two workers."""

import dataclasses

import pytest

from evaluation.tournament.files import ResultsFile
from evaluation.tournament.play import play_tournament, prepare
from fm_env.errors import FmEnvError, LoadError
from fm_env.match import load

ray = pytest.importorskip("ray")
pytestmark = pytest.mark.filterwarnings("ignore")  # Ray's own


@pytest.fixture(scope="module")
def cluster():
    from evaluation.tournament.rays import RayExecutor

    with RayExecutor(workers=2) as executor:
        yield executor


def make(*specs, rounds=30):
    game = load("fairy_meat").game
    return prepare(game, game.scenario("clash"), specs, rounds=rounds, seed=4)


def test_equal_seeds_give_equal_rows(cluster, tmp_path):
    here, there = tmp_path / "here.jsonl", tmp_path / "there.jsonl"
    field = make("random", "plain", "policy:clash", "tests.agents.bots_for_tests:FirstLegal", rounds=8)
    told = []
    for path, executor in ((here, None), (there, cluster)):
        with ResultsFile(path, field.header) as out:
            results = play_tournament(field, out, executor=executor, progress=told.append)
        assert results.games == 96
    assert sum(told) == 192
    one, two = (sorted(path.read_bytes().splitlines()[1:]) for path in (here, there))
    assert one == two


def test_a_worker_with_another_agent_refuses(cluster):
    field = make("random", "plain")
    old = dataclasses.replace(field.header.agents[1], fingerprint="0123")
    header = dataclasses.replace(field.header, agents=(field.header.agents[0], old))
    with pytest.raises(LoadError, match=r"a worker .*'plain' is another one here: fingerprint .*0123"):
        play_tournament(dataclasses.replace(field, header=header), executor=cluster)


def test_an_agent_that_fails_there_is_named_here(cluster):
    field = make("random", "tests.evaluation.tournament.agents_for_tests:Fails")
    with pytest.raises(FmEnvError, match="agent 'fails' failed: RuntimeError: no idea"):
        play_tournament(field, executor=cluster)

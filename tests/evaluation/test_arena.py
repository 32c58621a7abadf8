"""Who is asked what: seats, copies, determinism, and agents that misbehave."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import agents
from agents.api import Agent
from evaluation import arena, play_pair
from evaluation.arena import play
from fm_env.errors import IllegalActionError, LoadError, SetupError

ROOT = Path(__file__).parents[2]
BOTS = "tests.agents.bots_for_tests"


class Recorder(Agent):
    """Notes all it is told; shares the notes among its copies."""

    def __init__(self):
        self.notes = []

    def spawn(self):
        other = Recorder()
        other.notes = self.notes
        return other

    def reset(self, spec, seat, seed):
        self.notes.append(("reset", seat, seed))

    def act(self, observation, action_mask):
        assert observation.dtype == np.float32
        assert observation.shape == (10,)
        assert action_mask.dtype == np.bool_
        assert action_mask.shape == (2,)
        self.notes.append(("act", int(observation[9]), None))
        return 0


class Vectorised(Agent):
    """Counts the rows it is asked for."""

    name = "vectorised"

    def __init__(self):
        self.calls, self.rows = 0, 0

    def act_batch(self, observations, masks, rng):
        self.calls += 1
        self.rows += len(masks)
        return (rng.random(len(masks)) < 0.5).astype(np.int64)


def test_seats_are_balanced(game, scenario):
    recorder = Recorder()
    play_pair(game, scenario, recorder, agents.make("eager", game), 200, seed=1)
    seats = [seat for what, seat, _ in recorder.notes if what == "reset"]
    assert seats.count(0) == seats.count(1) == 100
    seeds = [seed for what, seat, seed in recorder.notes if what == "reset" and seat == 0]
    assert len(set(seeds)) == 100


def test_agents_with_memory_keep_their_games_apart(game, scenario):
    rememberer = agents.make(f"{BOTS}:Rememberer", game, scenario)
    found = play_pair(game, scenario, rememberer, rememberer, 300, seed=1)
    assert found.games == 300


def test_a_batch_agent_is_asked_for_many_games_at_once(game, scenario):
    agent = Vectorised()
    play_pair(game, scenario, agent, agents.make("random", game), 2000, seed=1)
    assert agent.rows >= 2000
    assert agent.calls <= 10


def test_python_and_compiled_versions_of_a_bot_measure_the_same(game, scenario):
    """The first legal action of Kuhn is to pass: the same bot as `passive`, so the same games."""
    outsider = agents.make(f"{BOTS}:FirstLegal", game, scenario)
    compiled = agents.make("passive", game, scenario)
    opponent = agents.make("mixed:bluff=0.5,call=0.5", game, scenario)
    a = play(game, scenario, [[outsider, opponent], [opponent, outsider]], 300, seed=4)
    b = play(game, scenario, [[compiled, opponent], [opponent, compiled]], 300, seed=4)
    assert np.array_equal(a, b)


@pytest.mark.parametrize("spec", ["random", f"{BOTS}:Rememberer"])
def test_equal_seeds_give_equal_results_and_others_dont(game, scenario, spec):
    agent, opponent = agents.make(spec, game, scenario), agents.make("random", game, scenario)
    results = [play_pair(game, scenario, agent, opponent, 500, seed) for seed in (8, 8, 9)]
    assert results[0] == results[1]
    assert results[0] != results[2]


def test_another_process_with_another_hash_seed_gets_the_same_result(game, scenario):
    agent, opponent = agents.make("mixed:bluff=0.5", game), agents.make("random", game)
    here = repr(play_pair(game, scenario, agent, opponent, 400, seed=8))
    program = """
import agents
from agents.registry import register_table
from evaluation import play_pair
from tests.kuhn import GAME
register_table("kuhn", "tests.kuhn_bots")
a, b = agents.make("mixed:bluff=0.5", GAME), agents.make("random", GAME)
print(repr(play_pair(GAME, GAME.scenario("kuhn"), a, b, 400, seed=8)))
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": "99", "PYTHONPATH": str(ROOT)},
    )
    assert done.stdout.strip() == here


def test_more_games_begin_with_the_same_ones_whatever_the_wave(game, scenario, monkeypatch):
    line_ups = [[agents.make("random", game), agents.make("mixed:call=0.5", game)]]
    many = play(game, scenario, line_ups, 700, seed=3)
    assert np.array_equal(play(game, scenario, line_ups, 100, seed=3), many[:100])
    monkeypatch.setattr(arena, "WAVE", 64)
    assert np.array_equal(play(game, scenario, line_ups, 700, seed=3), many)


def test_progress_counts_every_game_once(game, scenario, monkeypatch):
    monkeypatch.setattr(arena, "WAVE", 64)
    told = []
    play_pair(game, scenario, Vectorised(), agents.make("random", game), 301, seed=1, progress=told.append)
    assert sum(told) == 302  # rounded up to whole pairs
    assert min(told) > 0


def test_an_illegal_action_is_blamed_on_its_agent(game, scenario):
    cheat, honest = agents.make(f"{BOTS}:Cheat", game), agents.make("random", game)
    with pytest.raises(IllegalActionError, match="'cheat' chose action 7; legal here: 0, 1"):
        play_pair(game, scenario, honest, cheat, 10, seed=1)


def test_an_answer_that_is_no_number_is_blamed_on_its_agent(game, scenario):
    with pytest.raises(IllegalActionError, match="'vague' answered float64"):
        play_pair(game, scenario, agents.make(f"{BOTS}:Vague", game), agents.make("random", game), 10, seed=1)


def test_an_agent_may_scribble_on_what_it_was_lent(game, scenario):
    eraser, eager = agents.make(f"{BOTS}:MaskEraser", game), agents.make("eager", game)
    passive = agents.make("passive", game)
    a = play(game, scenario, [[eraser, passive], [passive, eraser]], 100, seed=4)
    b = play(game, scenario, [[eager, passive], [passive, eager]], 100, seed=4)
    assert np.array_equal(a, b)


def test_an_agent_may_refuse_a_scenario(game, scenario):
    class Picky(Vectorised):
        def check(self, spec):
            raise LoadError(f"not made for {spec.game}")

    with pytest.raises(LoadError, match="not made for kuhn"):
        play_pair(game, scenario, Picky(), agents.make("random", game), 10, seed=1)


def test_wrong_numbers_are_refused(game, scenario):
    bot = agents.make("random", game)
    with pytest.raises(SetupError, match="2 seats, given 3"):
        play(game, scenario, [[bot, bot, bot]], 10, seed=1)
    with pytest.raises(SetupError, match="blocks = 0"):
        play(game, scenario, [[bot, bot]], 0, seed=1)

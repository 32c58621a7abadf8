"""Whoever plays an agent that searches lends it a sampler: every place where games are played."""

from __future__ import annotations

import json

import gymnasium
import numpy as np
import pytest

import fm_env
import fm_env.views.gym_env
from agents.registry import make
from agents.service.choose import Lending, choose
from agents.service.protocol import ChooseRequest
from agents.service.running import RunningGame
from agents.service.setting import find_setting
from agents.sitting import Sitting
from evaluation.tournament.limits import _do
from evaluation.watch import Programme, watch
from fm_env.errors import SetupError
from fm_env.match import load

SPEC = "search:base=random,simulations=6"


@pytest.fixture
def clash():
    game = load("fairy_meat").game
    return game, game.scenario("clash")


def test_a_sitting_and_its_hints(clash):
    match = load("fairy_meat").new_match("clash", seed=1)
    sitting = Sitting(match, {0: SPEC, 1: "random"})
    sitting.let_agents_choose()
    assert match.is_over
    assert sum(one.probability for one in sitting.thoughts[0].alternatives) == pytest.approx(1.0, abs=0.01)


def test_games_that_are_watched(clash):
    game, scenario = clash
    agents = [make(SPEC, game, scenario), make("random", game, scenario)]
    stories = watch(game, scenario, agents, [Programme([(0, 1), (1, 0)], 2, 1)])
    assert len(stories) == 4


def test_an_environment_with_it_as_opponent():
    env = gymnasium.make("fm_env/FairyMeat-v0", scenario="clash", opponent=SPEC)
    _, info = env.reset(seed=1)
    over = False
    while not over:
        _, _, over, _, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))


def test_the_service_by_record_but_not_by_observation_alone(clash):
    match = load("fairy_meat").new_match("clash", seed=3)
    seat = match.pending[0]
    asked = {"type": "choose", "game": "fairy_meat", "scenario": "clash", "agent": SPEC, "seat": seat}
    request = ChooseRequest.model_validate({**asked, "record": json.loads(match.to_json())})
    assert choose(request, Lending(everything=True)).action in match.legal_ids(seat)
    bare = {"observation": match.observation(seat).tolist(), "legal": list(match.legal_ids(seat))}
    with pytest.raises(SetupError, match="needs a sampler"):
        choose(ChooseRequest.model_validate({**asked, **bare}), Lending(everything=True))


def test_hosted_games(clash):
    request = ChooseRequest.model_validate(
        {"type": "choose", "game": "fairy_meat", "scenario": "clash", "agent": SPEC, "seat": 0, "seed": 1}
    )
    running = RunningGame(find_setting(request), 5)
    seat = running.pending[0]
    assert running.sampler(seat).seat == seat
    running.play(seat, int(np.flatnonzero(running.mask(seat))[0]))


def test_agents_in_another_process_get_it_with_the_question(clash):
    game, scenario = clash
    match = fm_env.load("fairy_meat").new_match("clash", seed=4)
    seat = match.pending[0]
    agent, copies = make(SPEC, game, scenario), {}
    _do(agent, copies, "reset", 0, (scenario.spec, seat, 9))
    question = (match.observation(seat), match.mask(seat), match.sampler(seat))
    assert int(_do(agent, copies, "act", 0, question)) in match.legal_ids(seat)

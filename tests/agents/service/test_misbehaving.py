"""External programs that crash, idle, lie or babble: they can't stop a game, and the record says so."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import agents
from agents.service.external import EngineAgent
from agents.service.lines import MAX_LINE
from evaluation import play_pair
from fm_env.match import load
from tests.agents.service.conftest import Client

GOOD = 'say(type="action", id=m["id"], action=m["legal"][0], win_estimate=0.5)'
LATE = """
import threading
threading.Timer(0.6, lambda m=m: say(type="action", id=m["id"], action=m["legal"][0])).start()
"""
MISBEHAVIOUR = {
    "crash": ("os._exit(3)", "crashed"),
    "idle": ("pass", "silent"),
    "illegal": ('say(type="action", id=m["id"], action=1999)', "illegal"),
    "lying": (
        'say(type="action", id=m["id"], action=next(a for a in range(99) if a not in m["legal"]))',
        "illegal",
    ),
    "garbage": ('print("\\\\x00[[[ not json", flush=True)', "garbage"),
    "no message": ('say(type="action", id=m["id"], action="seven")', "garbage"),
    "no object": ("print(7, flush=True)", "garbage"),
    "giant": (f'print("x" * {3 * MAX_LINE}, flush=True); time.sleep(9)', "garbage"),
    "endless": ('\nwhile True:\n    sys.stdout.write("x" * 65536)', "garbage"),
    "flood": ('\nfor k in range(5000):\n    say(type="action", id=-1, action=0)', "garbage"),
    "late": (LATE, "silent"),
    "deaf": ("time.sleep(60)", "silent"),
    "refusing": ('say(type="error", id=m["id"], code="internal", message="no")', "garbage"),
}


@pytest.mark.parametrize("name", MISBEHAVIOUR)
def test_a_game_goes_on_whatever_a_program_does(
    serve: Callable[..., Client], program: Callable[[str], str], name: str
) -> None:
    body, status = MISBEHAVIOUR[name]
    spec = program(body)
    client = serve(allow=(spec,), agent_seconds=0.25)
    created = client.create([{"kind": "human"}, {"kind": "agent", "agent": spec}], scenario="clash")
    token = created["tokens"]["0"]
    deadline = time.monotonic() + 60
    with client.http.websocket_connect(f"/v1/games/{created['game_id']}/ws") as socket:
        socket.send_json({"type": "subscribe", "token": token, "parts": ["actions"]})
        while (view := socket.receive_json())["status"] != "over":
            assert time.monotonic() < deadline
            if view["your_turn"]:
                socket.send_json(
                    {"type": "act", "action": view["actions"][-1]["id"], "version": view["version"]}
                )
    record = client.get(f"games/{created['game_id']}/record")
    assert record["outcome"]["how"] == "played"
    theirs = [move for move in record["moves"] if move["seat"] == 1]
    assert theirs and all(move["by"] == "fallback" for move in theirs)
    assert status in {move["why"] for move in theirs}
    seat = record["seats"][1]
    assert seat["status"] != "ok" and seat["fallbacks"] == len(theirs)


def test_a_good_program_plays_a_hosted_game(
    serve: Callable[..., Client], program: Callable[[str], str]
) -> None:
    spec = program(GOOD)
    client = serve(allow=(spec,))
    created = client.create([{"kind": "agent", "agent": spec}, {"kind": "agent", "agent": "counter"}])
    deadline = time.monotonic() + 60
    while client.view(created["game_id"])["status"] != "over":
        assert time.monotonic() < deadline
        time.sleep(0.05)
    record = client.get(f"games/{created['game_id']}/record")
    assert {move["by"] for move in record["moves"]} == {"agent"}
    assert record["seats"][0]["status"] == "ok"


def test_our_own_engine_is_an_agent_that_plays_as_its_agent_does() -> None:
    """`engine:fm-env engine --agent highest` makes the same choices as `highest`."""
    handle = load("fairy_meat")
    scenario = handle.scenario("clash", a=3, d=3)
    spec = f"engine:{sys.executable} -m fm_env.cli engine --agent highest"
    outside, inside = agents.make(spec, handle.game, scenario), agents.make("highest", handle.game, scenario)
    assert isinstance(outside, EngineAgent)
    try:
        rival = agents.make("random", handle.game, scenario)
        there = play_pair(handle.game, scenario, outside, rival, 20, seed=3)
        here = play_pair(handle.game, scenario, inside, rival, 20, seed=3)
        assert (there.wins, there.draws, there.losses) == (here.wins, here.draws, here.losses)
        assert not outside.engine.troubles
    finally:
        outside.engine.stop()


def test_a_program_that_crashes_is_started_again_a_few_times(program: Callable[[str], str]) -> None:
    agent = agents.make(program("os._exit(3)"), "fairy_meat", "duel")
    assert isinstance(agent, EngineAgent)
    spec = load("fairy_meat").spec("duel")
    agent.reset(spec, 0, 1)
    mask = np.arange(spec.num_actions) < 3
    chosen = [agent.act(np.zeros(spec.observation_size, np.float32), mask) for _ in range(8)]
    assert set(chosen) <= {0, 1, 2}
    assert agent.engine.starts == 3 and agent.trouble == "crashed"
    assert agent.engine.troubles == {"crashed": 8}
    again = agents.make(program("os._exit(3)"), "fairy_meat", "duel")
    again.reset(spec, 0, 1)
    assert [again.act(np.zeros(spec.observation_size, np.float32), mask) for _ in range(8)] == chosen


def test_a_late_answer_is_not_taken_for_the_next_question(program: Callable[[str], str]) -> None:
    body = """
    if m["id"] == 1:
        time.sleep(0.7)
    say(type="action", id=m["id"], action=m["legal"][0])
    """
    agent = agents.make(program(body), "fairy_meat", "duel")
    assert isinstance(agent, EngineAgent)
    spec = load("fairy_meat").spec("duel")
    agent.engine.budget = 0.3
    agent.reset(spec, 0, 1)
    nothing = np.zeros(spec.observation_size, np.float32)
    agent.act(nothing, np.arange(spec.num_actions) < 2)
    assert agent.trouble == "silent"
    agent.engine.budget = 5.0
    assert agent.act(nothing, np.arange(spec.num_actions) == 7) == 7
    assert agent.trouble is None
    agent.engine.stop()


@pytest.mark.parametrize("command", ["", "'unbalanced", "/no/such/program", sys.executable + " -c pass"])
def test_a_program_that_cannot_play_is_refused_at_the_door(command: str) -> None:
    from fm_env.errors import SetupError

    def sit_down() -> None:
        agents.make(f"engine:{command}", "fairy_meat", "duel").check(load("fairy_meat").spec("duel"))

    with pytest.raises(SetupError):
        sit_down()


class Faulty:
    """An agent of this process that fails in the way it is told to."""

    def __init__(self, how: str) -> None:
        self.how = how

    def act(self, observation: Any, action_mask: Any) -> int:
        if self.how == "raise":
            raise RuntimeError("no")
        if self.how == "sleep":
            time.sleep(0.5)
        return 1_999


@pytest.mark.parametrize(("how", "status"), [("raise", "crashed"), ("sleep", "slow"), ("lie", "illegal")])
def test_agents_of_the_server_itself_may_fail_too(
    serve: Callable[..., Client], how: str, status: str
) -> None:
    spec = f"tests.agents.service.test_misbehaving:Faulty:how={how}"
    client = serve(allow=(spec,), agent_seconds=0.1)
    created = client.create(
        [{"kind": "agent", "agent": spec}, {"kind": "agent", "agent": "random"}], scenario="clash"
    )
    deadline = time.monotonic() + 60
    while client.view(created["game_id"])["status"] != "over":
        assert time.monotonic() < deadline
        time.sleep(0.05)
    record = client.get(f"games/{created['game_id']}/record")
    assert status in {move["why"] for move in record["moves"] if move["seat"] == 0}

"""A position in, an action out: the same over HTTP, over stdio and from the agent itself."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import agents
from agents.service.choose import Lending
from agents.service.engine import StdioEngine, serve
from agents.service.setting import luck
from fm_env.match import Match, load
from tests.agents.service.conftest import DUEL, Client


def position(seed: int = 3, choices: int = 6) -> tuple[Match, int]:
    """A duel some choices on, and a seat that owes one."""
    match = load("fairy_meat").new_match("duel", seed=seed)
    rng = np.random.default_rng(seed)
    while choices or len(match.legal_ids(match.pending[0])) < 2:
        seat = match.pending[0]
        match.play(seat, int(rng.choice(match.legal_ids(seat))))
        choices = max(0, choices - 1)
    return match, match.pending[0]


def question(match: Match, seat: int, **more: Any) -> dict[str, Any]:
    return {
        "type": "choose",
        **DUEL,
        "observation": match.observation(seat).tolist(),
        "legal": list(match.legal_ids(seat)),
        "seat": seat,
        **more,
    }


def over_stdio(*messages: dict[str, Any], agent: str = "random") -> list[dict[str, Any]]:
    source = io.BytesIO(b"".join(json.dumps(message).encode() + b"\n" for message in messages))
    sink = io.BytesIO()
    serve(StdioEngine(agent, Lending(everything=True)), source, sink)
    return [json.loads(line) for line in sink.getvalue().splitlines()]


@pytest.mark.parametrize("spec", ["random", "counter", "bluffer:rate=0.5", "policy:duel", "level:novice"])
def test_http_stdio_and_the_agent_itself_agree(client: Client, spec: str) -> None:
    match, seat = position()
    for seed in range(5):
        asked = question(match, seat, agent=spec, seed=seed, id="x")
        told = client.post("choose", asked)
        assert over_stdio(asked) == [told]
        agent = agents.make(spec, "fairy_meat", match.scenario)
        chosen = agent.act_batch(match.observation(seat)[None], match.mask(seat)[None], luck(seed))
        assert told["action"] == int(chosen[0])
        assert told["text"] == match.legal(seat)[match.legal_ids(seat).index(told["action"])]
        assert told["id"] == "x"


def test_alternatives_are_the_agents_own_chances_likeliest_first(client: Client) -> None:
    match, seat = position()
    told = client.post("choose", question(match, seat, agent="policy:duel", alternatives=3))
    policy = agents.make("policy:duel", "fairy_meat", match.scenario)
    chances = policy.probabilities(match.observation(seat)[None], match.mask(seat)[None])[0]
    shown = [one["probability"] for one in told["alternatives"]]
    assert len(shown) == min(3, len(match.legal_ids(seat)))
    assert shown == pytest.approx(sorted(chances[list(match.legal_ids(seat))], reverse=True)[:3])


def test_an_agent_that_tells_nothing_leaves_its_reasons_null(client: Client) -> None:
    match, seat = position()
    told = client.post("choose", question(match, seat, agent="random"))
    assert told["win_estimate"] is None


def test_a_record_stands_for_the_position_that_its_seat_sees(client: Client) -> None:
    match, seat = position()
    record = json.loads(match.to_json())
    asked = {**DUEL, "record": record, "seat": seat, "agent": "policy:duel", "seed": 4}
    seen = client.post("choose", question(match, seat, agent="policy:duel", seed=4))
    assert client.post("choose", asked) == seen
    assert "owes no choice" in client.post("choose", {**asked, "seat": 5}, code=400)["message"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"observation": [0.0]}, "observation: 1 numbers"),
        ({"observation": None}, "observation: missing"),
        ({"legal": None}, "legal: send either"),
        ({"mask": [True]}, "legal: send either"),
        ({"legal": [1_999]}, "1999 is no action id"),
        ({"scenario": "dual"}, "did you mean 'duel'"),
        ({"agent": "countr"}, "countr"),
        ({"options": {"rounds": -3}}, "rounds"),
    ],
)
def test_a_position_that_does_not_fit_is_explained(
    client: Client, change: dict[str, Any], words: str
) -> None:
    match, seat = position()
    answer = client.http.post("/v1/choose", json=question(match, seat) | change)
    assert answer.status_code in (400, 403, 404)
    assert words in answer.json()["message"]
    assert over_stdio(question(match, seat) | change)[0]["type"] == "error"


def test_an_engine_speaks_line_by_line() -> None:
    match, seat = position()
    newgame = {"type": "newgame", "game_id": "g1", **DUEL, "seat": seat, "seed": 5}
    answers = over_stdio(
        {"type": "hello", "protocol": 1},
        {"type": "isready", "id": 7},
        newgame,
        question(match, seat, game_id="g1", id=8),
        {"type": "endgame", "game_id": "g1"},
        {"type": "nonsense", "id": 9},
        {"type": "bye"},
        {"type": "isready"},
        agent="counter",
    )
    assert [answer["type"] for answer in answers] == ["ready", "readyok", "newgameok", "action", "error"]
    assert answers[1]["id"] == 7
    assert answers[3] | {"id": 0} == over_stdio(question(match, seat, agent="counter"))[0] | {"id": 0}
    assert answers[4]["id"] == 9 and answers[4]["code"] == "bad_message"


def test_an_engine_survives_lines_that_are_no_messages() -> None:
    source = io.BytesIO(b"\xff\xfe\n[1,2\n\n" + b"[" * 3_000_000 + b'\n{"type":"isready","id":1}\n')
    sink = io.BytesIO()
    serve(StdioEngine("random", Lending(everything=True)), source, sink)
    answers = [json.loads(line) for line in sink.getvalue().splitlines()]
    assert [answer["type"] for answer in answers] == ["error", "error", "error", "readyok"]


def test_an_agent_with_a_memory_keeps_it_through_a_game() -> None:
    spec = "tests.agents.service.test_choose:Counting"
    match, seat = position()
    asked = question(match, seat, game_id="g1")
    newgame = {"type": "newgame", "game_id": "g1", **DUEL}
    answers = over_stdio(newgame, asked, asked, question(match, seat), agent=spec)
    legal = match.legal_ids(seat)
    assert [answer["action"] for answer in answers[1:]] == [legal[0], legal[1], legal[0]]


class Counting:
    """Chooses the n-th legal action at its n-th choice."""

    def __init__(self) -> None:
        self.asked = 0

    def reset(self, spec: Any, seat: int, seed: int) -> None:
        self.asked = 0

    def act(self, observation: Any, action_mask: Any) -> int:
        self.asked += 1
        legal = np.flatnonzero(action_mask)
        return int(legal[(self.asked - 1) % len(legal)])


def test_the_command_lends_an_agent() -> None:
    match, seat = position()
    lines = [{"type": "hello"}, question(match, seat, id=1), {"type": "bye"}]
    done = subprocess.run(
        [sys.executable, "-m", "fm_env.cli", "engine", "--agent", "counter"],
        input="\n".join(map(json.dumps, lines)),
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    ready, action = map(json.loads, done.stdout.splitlines())
    assert ready["name"] == "fm-env counter"
    assert action["action"] in match.legal_ids(seat)

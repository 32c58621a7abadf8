"""A seat's own record of a game: it tells all that the seat saw, nothing else, and agents can go by it."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from agents.service.protocol import SeatRecord
from agents.service.seat_record import read, seat_record, seen_by
from agents.service.setting import setting_of
from fm_env.errors import FmEnvError
from fm_env.match import Match, load
from tests.agents.service.conftest import PEOPLE, Client
from tests.agents.service.test_choose import over_stdio, position, question

COUNTING = "tests.agents.service.test_choose:Counting"


def record_of(match: Match, seat: int) -> dict[str, Any]:
    return json.loads(seat_record(match.game, match.scenario, match.events, seat).model_dump_json())


@pytest.mark.parametrize(
    ("game", "scenario"), [("fairy_meat", "duel"), ("sword_and_shield", "joust"), ("fairy_tale", "basic")]
)
def test_a_record_holds_each_position_that_its_seat_chose_in(game: str, scenario: str) -> None:
    match = load(game).new_match(scenario, seed=5)
    rng = np.random.default_rng(5)
    saw: dict[int, list[tuple[np.ndarray, np.ndarray, int]]] = {k: [] for k in range(match.spec.num_seats)}
    for _ in range(40):
        seat = match.pending[0]
        action = int(rng.choice(match.legal_ids(seat)))
        saw[seat].append((match.observation(seat), match.mask(seat), action))
        match.play(seat, action)
    seat = match.pending[0]
    setting = setting_of(game, scenario, "{}")
    *past, now = read(SeatRecord.model_validate(record_of(match, seat)), setting)
    np.testing.assert_array_equal(now.observation, match.observation(seat))
    np.testing.assert_array_equal(now.mask, match.mask(seat))
    assert len(past) == len(saw[seat]) > 3
    for told, (observation, mask, action) in zip(past, saw[seat], strict=True):
        np.testing.assert_array_equal(told.observation, observation)
        np.testing.assert_array_equal(told.mask, mask)
        assert told.action == action


def test_games_that_differ_only_in_hidden_cards_give_the_same_record() -> None:
    """Clashes with other luck in which the attacker was dealt the same: equal to the byte until she can tell
    them apart, and from then on not.
    """
    clashes: dict[bytes, list[Match]] = {}
    for seed in range(400):
        match = load("fairy_meat").new_match("clash", a=1, d=3, seed=seed)
        match.play(0, "add")  # the defender draws after that
        clashes.setdefault(match.observation(0).tobytes(), []).append(match)
    compared = told_apart = 0
    for alike in clashes.values():
        for one, other in pairwise(alike):
            if one.state_hash == other.state_hash:
                continue
            rng = np.random.default_rng(compared)
            while not one.is_over and not other.is_over:
                same = all(
                    np.array_equal(a.observation, b.observation) and np.array_equal(a.mask, b.mask)
                    for a, b in zip(
                        seen_by(one.game, one.scenario, one.events, (0,)),
                        seen_by(other.game, other.scenario, other.events, (0,)),
                        strict=True,
                    )
                )
                assert (json.dumps(record_of(one, 0)) == json.dumps(record_of(other, 0))) == same
                compared += same
                told_apart += not same
                seat = one.pending[0]
                both = sorted({*one.legal_ids(seat)} & {*other.legal_ids(seat)})
                if not same or one.pending != other.pending or not both:
                    break
                for match, action in zip((one, other), [rng.choice(both)] * 2, strict=True):
                    match.play(seat, int(action))
    assert compared > 200
    assert told_apart > 10


def test_a_position_set_up_is_not_told() -> None:
    hands = {"attacker": ["8r", "Jr"], "defender": ["5b", "Jb"]}
    match = load("fairy_meat").new_match("clash", setup=hands, deck="full", seed=1)
    record = record_of(match, 0)
    assert record["options"] == {"deck": "full"}
    hidden = load("fairy_meat").new_match(
        "clash", setup=hands | {"defender": ["6b", "Qb"]}, deck="full", seed=1
    )
    assert record_of(hidden, 0) == record


@pytest.mark.parametrize("spec", ["counter", "policy:duel"])
def test_a_record_is_as_good_as_the_observation(client: Client, spec: str) -> None:
    match, seat = position(seed=4, choices=20)
    asked = {"seat_record": record_of(match, seat), "agent": spec, "seed": 9}
    told = client.post("choose", asked)
    assert told == client.post("choose", question(match, seat, agent=spec, seed=9))
    assert over_stdio({"type": "choose", **asked}) == [told]


def test_an_agent_with_a_memory_is_shown_the_choices_of_the_record() -> None:
    match, seat = position(seed=4, choices=20)
    record = record_of(match, seat)
    told = over_stdio({"type": "choose", "seat_record": record}, question(match, seat), agent=COUNTING)
    legal, before = match.legal_ids(seat), len(record["steps"]) - 1
    assert before > 3
    assert [one["action"] for one in told] == [legal[before % len(legal)], legal[0]]


def test_a_hosted_game_gives_each_seat_its_own_record(client: Client) -> None:
    created = client.create(PEOPLE, seed=3)
    game_id, tokens = created["game_id"], created["tokens"]
    rng = np.random.default_rng(3)
    chosen: dict[str, list[int]] = {"0": [], "1": []}
    for _ in range(30):
        for seat, token in tokens.items():
            view = client.view(game_id, token)
            if view["your_turn"]:
                chosen[seat].append(int(rng.choice([action["id"] for action in view["actions"]])))
                client.act(view, chosen[seat][-1], token)
    setting = setting_of("fairy_meat", "duel", "{}")
    for seat, token in tokens.items():
        record = client.get(f"games/{game_id}/seat-record", token)
        assert record["type"] == "seat_record" and record["seat"] == int(seat)
        assert [step["action"] for step in record["steps"]] == [*chosen[seat], None]
        view = client.view(game_id, token, "observation,actions")
        if view["your_turn"]:
            *_, now = read(SeatRecord.model_validate(record), setting)
            np.testing.assert_array_equal(now.observation, np.array(view["observation"], np.float32))
            advice = client.post("choose", {"seat_record": record, "agent": "policy:duel"})
            assert advice["action"] in [action["id"] for action in view["actions"]]
    client.get(f"games/{game_id}/seat-record", code=403)
    with client.http.websocket_connect(f"/v1/games/{game_id}/ws") as socket:
        socket.send_json({"type": "subscribe", "token": tokens["1"]})
        socket.receive_json()
        socket.send_json({"type": "seat_record", "id": 5})
        assert socket.receive_json() == client.get(f"games/{game_id}/seat-record", tokens["1"]) | {"id": 5}


def test_hands_that_were_set_up_are_shown_to_nobody(client: Client) -> None:
    hands = {"attacker": ["8r", "Jr"], "defender": ["5b", "Jb"]}
    created = client.create(PEOPLE, scenario="clash", options={"deck": "full", "setup": hands})
    game_id, tokens = created["game_id"], created["tokens"]
    view = client.view(game_id, tokens["0"], "text,events,actions,words,table")
    assert view["seeded"] and view["options"] == {"scenario": "clash", "deck": "full"}
    assert "5b" not in json.dumps(view) and "8r" in json.dumps(view)
    assert "setup" not in client.get(f"games/{game_id}/seat-record", tokens["0"])["options"]


def damaged(record: dict[str, Any], damage: str) -> dict[str, Any]:
    steps = record["steps"]
    if damage == "entry":
        steps[1]["changes"] = [[9_999, 0.5]]
    elif damage == "action":
        steps[1]["action"] = 182
    elif damage == "no choice":
        steps[-1]["legal"] = []
    elif damage == "chosen":
        steps[-1]["action"] = steps[-1]["legal"][0]
    elif damage == "legal":
        steps[0]["legal"] = [1_999]
    elif damage == "seat":
        record["seat"] = 7
    else:
        record["rules_version"] += 1
    return record


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        ("entry", "steps.1.changes: no entry 9999"),
        ("action", "steps.1.action: expected one of"),
        ("no choice", "legal: seat owes no choice"),
        ("chosen", "action: expected null in the last step"),
        ("legal", "steps.0.legal: an action id of 183 or more"),
        ("seat", "there is no 7"),
        ("rules", "rules_version: made under version 2, this is version 1"),
    ],
)
def test_a_record_that_does_not_hold_is_refused(client: Client, damage: str, words: str) -> None:
    match, seat = position(seed=4, choices=20)
    record = damaged(record_of(match, seat), damage)
    assert words in client.post("choose", {"seat_record": record}, code=400)["message"]


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"scenario": "clash"}, "scenario: 'clash' was asked for"),
        ({"seat": 5}, "seat: 5 was asked for"),
        ({"options": {"rounds": 3}}, "options: {'rounds': 3} was asked for"),
        ({"observation": [0.0], "legal": [0]}, "seat_record: sent beside observation"),
    ],
)
def test_a_request_that_says_something_else_than_its_record_is_refused(
    client: Client, more: dict[str, Any], words: str
) -> None:
    match, seat = position()
    asked = {"seat_record": record_of(match, seat), **more}
    assert words in client.post("choose", asked, code=400)["message"]


def test_there_is_no_record_of_a_seat_that_there_is_not() -> None:
    match, _ = position()
    with pytest.raises(FmEnvError, match="there is no 2"):
        record_of(match, 2)

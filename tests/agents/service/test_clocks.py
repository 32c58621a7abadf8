"""Budgets and banks of people: out of time, the fallback chooses, and the game goes on."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from agents.service.seats import ABSENT_AFTER, HostedSeat
from tests.agents.service.conftest import PEOPLE, Client


@pytest.mark.parametrize("fallback", [None, "level:veteran"])
def test_a_person_out_of_time_is_played_by_the_fallback(client: Client, fallback: str | None) -> None:
    clock = {"time": {"move": 0.05, "bank": 0.1}, "fallback": fallback}
    created = client.create([PEOPLE[0], {"kind": "agent", "agent": "counter"}], **clock)
    token = created["tokens"]["0"]
    deadline = time.monotonic() + 60
    while client.view(created["game_id"], token)["status"] != "over":
        assert time.monotonic() < deadline
        time.sleep(0.1)
    record = client.get(f"games/{created['game_id']}/record")
    mine = [move for move in record["moves"] if move["seat"] == 0]
    assert {(move["by"], move["why"]) for move in mine} == {("fallback", "slow")}
    assert record["seats"][0]["status"] == "absent" and record["seats"][0]["fallbacks"] == len(mine)


def test_an_agent_may_not_be_slow_as_a_fallback(client: Client) -> None:
    refused = client.create(PEOPLE, fallback="equilibrium", scenario="clash", code=400)
    assert refused["message"].startswith("fallback:")


def test_the_bank_pays_for_what_a_choice_takes_longer() -> None:
    seat = HostedSeat(0, "human", bank=10.0)
    assert seat.allowed(5.0) == 15.0 and seat.allowed(None) is None
    seat.asked_at = 100.0
    assert seat.clock(5.0, 103.0).model_dump() == {"move": 2.0, "bank": 10.0}
    assert seat.clock(5.0, 108.0).model_dump() == {"move": 0.0, "bank": 7.0}
    seat.spend(5.0, 108.0)
    assert seat.bank == 7.0 and seat.asked_at is None
    seat.asked_at = 200.0
    seat.spend(5.0, 204.0)
    assert seat.bank == 7.0
    seat.asked_at = 300.0
    seat.spend(5.0, 400.0)
    assert seat.bank == 0.0


def test_a_person_late_again_and_again_is_absent_until_she_chooses() -> None:
    seat = HostedSeat(0, "human", bank=10.0)
    for _ in range(ABSENT_AFTER):
        seat.fell_back("slow")
    assert seat.status == "absent" and seat.allowed(5.0) == 5.0
    seat.chose()
    assert seat.status == "slow" and seat.allowed(5.0) == 15.0


def test_the_clock_is_shown_to_its_owner_only(serve: Callable[..., Client]) -> None:
    client = serve()
    created = client.create(PEOPLE, time={"move": 60, "bank": 30})
    view = client.view(created["game_id"], created["tokens"]["0"])
    assert 0 < view["clock"]["move"] <= 60 and view["clock"]["bank"] == 30
    assert client.view(created["game_id"])["clock"] is None

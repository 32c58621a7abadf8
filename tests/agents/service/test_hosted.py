"""Hosted games: two people by their tokens, spectators, secrets, hints, records."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agents.service.hosted import HostedGame
from agents.service.keeping import new_game
from agents.service.protocol_hosted import CreateRequest
from agents.service.setting import setting_of
from agents.service.viewing import view_of
from fm_env.match import Match
from fm_env.rng import row_for
from fm_env.shown.viewers import SPECTATOR
from tests.agents.service.conftest import PEOPLE, Client, bearer

STEP = 5
"""Every so many choices games are compared."""
ALL_PARTS = ("text", "events", "actions", "words", "table", "svg", "observation")
EXAMPLE = Path(__file__).parents[3] / "examples" / "clients" / "duel.mjs"


def hosted(scenario: str = "duel", seed: int = 1, seats: int = 2) -> HostedGame:
    request = CreateRequest.model_validate({"scenario": scenario, "seats": [{"kind": "human"}] * seats})
    return new_game("game", setting_of("fairy_meat", scenario, "{}"), request, seed)[0]


def shown_to(game: HostedGame, viewer: int, since: int = 0) -> str:
    """Everything a viewer is sent, but for what differs between any two games."""
    return view_of(game, viewer, 0.0, since, ALL_PARTS).model_dump_json()


def choose_any(game: HostedGame, seat: int, rng: np.random.Generator) -> None:
    game.act(seat, int(rng.choice(np.flatnonzero(game.running.mask(seat)))), None, 0.0)


def test_two_people_play_a_whole_duel_and_its_record_is_a_match(client: Client) -> None:
    created = client.create(PEOPLE)
    game_id, tokens = created["game_id"], created["tokens"]
    assert set(tokens) == {"0", "1"}
    client.get(f"games/{game_id}/record", code=403)
    assert client.play_out(game_id, tokens) > 10
    view = client.view(game_id, tokens["0"])
    assert view["status"] == "over" and not view["your_turn"] and not view["actions"]
    record = client.get(f"games/{game_id}/record")
    match = Match.from_json(json.dumps(record["match"]))
    assert match.is_over
    assert list(match.returns()) == record["outcome"]["returns"] == view["outcome"]["returns"]
    assert [move["text"] for move in record["moves"]] == [text for seat, text in match.texts if seat >= 0]
    assert all(move["by"] == "human" for move in record["moves"])
    client.post(f"games/{game_id}/act", {"action": 0}, tokens["0"], code=409)


def test_the_same_seed_gives_the_same_game_and_is_told_to_all(client: Client) -> None:
    records = []
    for _ in range(2):
        created = client.create(PEOPLE, seed=11)
        assert client.view(created["game_id"])["seeded"]
        client.play_out(created["game_id"], created["tokens"], seed=5)
        records.append(client.get(f"games/{created['game_id']}/record")["match"])
    assert records[0] == records[1]
    assert not client.view(client.create(PEOPLE)["game_id"])["seeded"]


def test_a_token_opens_its_own_seat_of_its_own_game_only(client: Client) -> None:
    one, two = client.create(PEOPLE), client.create(PEOPLE)
    mine = client.view(one["game_id"], one["tokens"]["0"], "table,observation")
    assert mine["seat"] == 0 and mine["observation"]
    fairies = {fairy["seat"]: fairy for fairy in mine["table"]["fairies"]}
    assert fairies[1]["hand"]["cards"] is None and fairies[1]["order"]["cards"] is None
    assert fairies[0]["hand"]["cards"] is not None
    for wrong in (two["tokens"]["0"], "x", one["tokens"]["0"][:-1]):
        answer = client.http.get(f"/v1/games/{one['game_id']}", headers=bearer(wrong))
        assert answer.status_code == 403, wrong
    answer = client.http.get(f"/v1/games/{one['game_id']}", headers={"authorization": "Basic x"})
    assert answer.status_code == 403
    client.post(f"games/{one['game_id']}/act", {"action": 0}, None, code=403)
    client.get("games/nosuchgame", code=404)


def test_a_spectator_sees_nobodys_cards_and_may_not_act(client: Client) -> None:
    created = client.create(PEOPLE)
    view = client.view(created["game_id"], None, ",".join(ALL_PARTS))
    assert view["seat"] is None and view["observation"] is None and view["svg"] is None
    assert not view["actions"] and not view["your_turn"] and view["clock"] is None
    assert all(fairy["hand"]["cards"] is None for fairy in view["table"]["fairies"])
    assert "holds" not in view["text"]


@pytest.mark.parametrize("scenario", ["duel", "clash"])
def test_viewers_are_sent_the_same_until_their_information_differs(scenario: str) -> None:
    """Two games that differ only in what a viewer can't see: every byte that it is sent agrees."""
    rng = np.random.default_rng(0)
    compared = 0
    for seed in range(2 if scenario == "duel" else 10):
        game, twin = hosted(scenario, seed), hosted(scenario, seed)
        while game.status != "over":
            for viewer in (0, 1) if len(game.moves) % STEP == 0 else ():
                other = game.running._states.copy()
                game.running._engine.resample(other, 0, viewer, row_for(compared))
                kept, game.running._states = game.running._states, other
                hidden = shown_to(game, viewer)
                game.running._states = kept
                assert hidden == shown_to(game, viewer)
                compared += 1
            seat = game.owing()[-1]
            action = int(rng.choice(np.flatnonzero(game.running.mask(seat))))
            for one in (game, twin):
                one.act(seat, action, None, 0.0)
        assert shown_to(game, SPECTATOR) == shown_to(twin, SPECTATOR)
    assert compared > 15


@pytest.mark.parametrize("scenario", ["duel", "clash", "scuffle"])
def test_a_secret_choice_changes_no_byte_for_anybody_else(scenario: str) -> None:
    rng = np.random.default_rng(1)
    seats = setting_of("fairy_meat", scenario, "{}").spec.num_seats
    secrets = 0
    for seed in range(4 if scenario == "clash" else 1):
        game = hosted(scenario, seed, seats)
        while game.status != "over" and secrets < 12:
            owing = game.owing()
            seat = owing[int(rng.integers(len(owing)))]
            if len(owing) == 1 and len(game.moves) % STEP:
                choose_any(game, seat, rng)
                continue
            others = [viewer for viewer in (*range(seats), SPECTATOR) if viewer != seat]
            before = {viewer: (game.version(viewer), shown_to(game, viewer)) for viewer in others}
            choose_any(game, seat, rng)
            for viewer in others:
                after = game.version(viewer), shown_to(game, viewer)
                assert (after[0] == before[viewer][0]) == (after[1] == before[viewer][1])
            if len(owing) > 1:
                secrets += 1
                assert all(game.version(viewer) == before[viewer][0] for viewer in others)
    assert secrets


def test_over_a_websocket_only_news_is_sent(client: Client) -> None:
    created = client.create(PEOPLE)
    game_id, tokens = created["game_id"], created["tokens"]
    path = f"/v1/games/{game_id}/ws"
    with client.http.websocket_connect(path) as ann, client.http.websocket_connect(path) as bob:
        views = {}
        for socket, seat in ((ann, "0"), (bob, "1")):
            socket.send_json({"type": "subscribe", "token": tokens[seat]})
            views[seat] = socket.receive_json()
        assert views["0"]["your_turn"] and views["1"]["your_turn"]  # both think at once
        ann.send_json(
            {"type": "act", "action": views["0"]["actions"][0]["id"], "version": views["0"]["version"]}
        )
        mine = ann.receive_json()
        assert mine["type"] == "view" and not mine["your_turn"] and mine["version"] > views["0"]["version"]
        bob.send_json({"type": "ping", "id": 3})
        assert bob.receive_json() == {"protocol": 1, "type": "pong", "id": 3}  # and no view before it
        bob.send_json({"type": "act", "action": "nonsense", "version": views["1"]["version"], "id": 4})
        refused = bob.receive_json()
        assert refused["code"] == "illegal_action" and refused["id"] == 4
        bob.send_json({"type": "act", "action": views["1"]["actions"][0]["text"]})
        first = bob.receive_json()
        assert first["events"][0]["n"] == views["1"]["next_event"]
        told = ann.receive_json()
        assert [event["n"] for event in told["events"]] == list(range(mine["next_event"], told["next_event"]))
        bob.send_json({"type": "resign"})
        assert bob.receive_json()["outcome"]["winners"] == [0]
        assert ann.receive_json()["status"] == "over"


def test_a_whole_duel_over_websockets(client: Client) -> None:
    created = client.create([PEOPLE[0], {"kind": "agent", "agent": "level:veteran"}])
    rng = np.random.default_rng(2)
    heard: list[int] = []
    with client.http.websocket_connect(f"/v1/games/{created['game_id']}/ws") as socket:
        socket.send_json({"type": "subscribe", "token": created["tokens"]["0"]})
        while (view := socket.receive_json())["status"] != "over":
            heard += [event["n"] for event in view["events"]]
            if view["your_turn"]:
                choice = view["actions"][rng.integers(len(view["actions"]))]
                assert choice["words"]
                socket.send_json({"type": "act", "action": choice["id"], "version": view["version"]})
        heard += [event["n"] for event in view["events"]]
    assert heard == list(range(len(heard))) and len(heard) > 20
    record = client.get(f"games/{created['game_id']}/record")
    assert {move["by"] for move in record["moves"] if move["seat"] == 1} == {"agent"}


def test_an_act_based_on_an_old_view_is_refused(client: Client) -> None:
    created = client.create([PEOPLE[0], {"kind": "agent", "agent": "random"}])
    token = created["tokens"]["0"]
    view = client.view(created["game_id"], token)
    client.act(view, view["actions"][0]["id"], token)
    again = client.act(view, view["actions"][0]["id"], token, code=409)
    assert again["code"] == "stale_version"


def test_an_open_seat_is_joined_once(client: Client) -> None:
    created = client.create([PEOPLE[0], {"kind": "open"}])
    game_id, token = created["game_id"], created["tokens"]["0"]
    assert client.view(game_id, token)["status"] == "open"
    assert not client.view(game_id, token)["actions"]
    joined = client.post(f"games/{game_id}/join", {"name": "Bob"})
    assert joined["seat"] == 1
    view = client.view(game_id, joined["token"])
    assert view["status"] == "running" and view["seat"] == 1 and view["seats"][1]["name"] == "Bob"
    client.post(f"games/{game_id}/join", {}, code=409)
    client.play_out(game_id, {"0": token, "1": joined["token"]})


def test_who_resigns_of_two_loses_and_of_more_is_played_on(client: Client) -> None:
    created = client.create(PEOPLE)
    view = client.post(f"games/{created['game_id']}/resign", {}, created["tokens"]["1"])
    assert view["outcome"] == {"how": "resigned", "returns": [1.0, -1.0], "winners": [0], "loser": 1}
    three = client.create(
        [{"kind": "human"}] * 3, game="fairy_tale", scenario="expert", options={"num_players": 3}
    )
    view = client.post(f"games/{three['game_id']}/resign", {}, three["tokens"]["2"])
    assert view["status"] == "running"
    client.play_out(three["game_id"], {seat: three["tokens"][seat] for seat in "01"})
    record = client.get(f"games/{three['game_id']}/record")
    assert {move["by"] for move in record["moves"] if move["seat"] == 2} == {"fallback"}
    assert record["seats"][2]["status"] == "resigned"


def test_a_hint_is_about_the_seats_own_view(client: Client) -> None:
    created = client.create(PEOPLE)
    token = created["tokens"]["0"]
    view = client.view(created["game_id"], token)
    hint = client.post(f"games/{created['game_id']}/hint", {}, token)
    assert hint["version"] == view["version"]
    assert hint["choice"]["action"] in [action["id"] for action in view["actions"]]
    assert hint["choice"]["agent"] == "level:master"
    assert sum(one["probability"] for one in hint["choice"]["alternatives"]) == pytest.approx(1.0, abs=0.2)
    client.act(view, view["actions"][0]["id"], token)
    client.post(f"games/{created['game_id']}/hint", {}, token, code=409)


def test_agents_thoughts_are_kept_and_shown_at_the_end(client: Client) -> None:
    created = client.create([{"kind": "human"}, {"kind": "agent", "agent": "policy:duel"}])
    client.play_out(created["game_id"], created["tokens"])
    record = client.get(f"games/{created['game_id']}/record")
    assert record["thoughts"]
    for thought in record["thoughts"]:
        move = record["moves"][thought["move"]]
        assert move["seat"] == thought["seat"] == 1
        assert (
            move["text"] in [one["text"] for one in thought["alternatives"]]
            or len(thought["alternatives"]) == 5
        )


def test_agents_among_themselves_play_to_the_end(client: Client) -> None:
    created = client.create(
        [{"kind": "agent", "agent": "counter"}, {"kind": "agent", "agent": "level:novice"}]
    )
    for _ in range(200):
        if client.view(created["game_id"])["status"] == "over":
            break
    assert client.get(f"games/{created['game_id']}/record")["outcome"]["how"] == "played"
    assert created["game_id"] in [game["game_id"] for game in client.get("games")["games"]]


def test_an_unlisted_game_is_found_by_its_id_only(client: Client) -> None:
    created = client.create(PEOPLE, listed=False)
    assert client.get("games")["games"] == []
    assert client.view(created["game_id"])["status"] == "running"


@pytest.mark.skipif(shutil.which("node") is None, reason="Node isn't on this machine")
def test_a_client_of_thirty_lines_in_node_plays_a_game(live_server: Callable[[], str]) -> None:
    assert len(EXAMPLE.read_text("utf-8").splitlines()) <= 30
    done = subprocess.run(
        ["node", str(EXAMPLE), live_server(), "level:veteran"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    outcome: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    assert outcome["how"] == "played" and outcome["winners"]

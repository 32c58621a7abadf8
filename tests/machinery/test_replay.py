"""Replay files: whatever is changed in one is noticed, with the step."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import fm_env
from agents.sitting import Sitting
from fm_env import shown
from fm_env.errors import LoadError, SetupError
from fm_env.match import Match
from fm_env.replay import Replay, checksum, load, parse, record, save
from fm_env.replay_check import steps, verify, words_of


@pytest.fixture(scope="module")
def clash() -> Replay:
    match = fm_env.load("fairy_meat").new_match("clash", seed=3)
    sitting = Sitting(match, {0: "bluffer", 1: "random"})
    sitting.let_agents_choose()
    return sitting.replay()


def changed(replay: Replay, change: Any) -> Replay:
    """The replay after `change(data)`, with the checksum made to fit again."""
    data = replay.model_dump(mode="json")
    change(data)
    other = Replay.model_validate(data)
    return other.model_copy(update={"checksum": checksum(other)})


def choice_of(replay: Replay) -> int:
    """The first step that a seat chose."""
    return next(k for k, (who, _) in enumerate(replay.match["events"]) if who != "chance")


def test_a_replay_survives_its_file(clash: Replay, tmp_path: Path) -> None:
    save(tmp_path / "a.json", clash)
    again = load(tmp_path / "a.json")
    assert again == clash
    match = verify(again)
    assert match.is_over
    assert list(match.returns()) == clash.returns
    assert [p.name for p in tmp_path.iterdir()] == ["a.json"]
    assert len(list(steps(again))) == len(clash.match["events"])


def test_a_half_played_game_is_a_replay_too(tmp_path: Path) -> None:
    match = fm_env.load("fairy_meat").new_match("duel", seed=1)
    match.play(match.pending[0], match.legal(match.pending[0])[0])
    replay = record(match)
    assert replay.returns is None
    assert verify(replay).state_hash == match.state_hash


def test_every_changed_choice_is_noticed_with_its_step(clash: Replay) -> None:
    k = choice_of(clash)
    seat, text = clash.match["events"][k]
    other = "subtract" if text == "add" else "add"

    def to_another(data: dict[str, Any]) -> None:
        data["match"]["events"][k][1] = other

    def to_nonsense(data: dict[str, Any]) -> None:
        data["match"]["events"][k][1] = "eat everything"

    def to_other_seat(data: dict[str, Any]) -> None:
        data["match"]["events"][k][0] = 1 - seat

    with pytest.raises(LoadError, match=rf"step {k} .*leads to the position \w+, the file says \w+"):
        verify(changed(clash, to_another))
    with pytest.raises(LoadError, match=rf"step {k} .*not legal here; expected one of add, subtract"):
        verify(changed(clash, to_nonsense))
    with pytest.raises(LoadError, match=rf"step {k} .*isn't for seat {1 - seat}"):
        verify(changed(clash, to_other_seat))


def test_every_changed_draw_hash_and_setup_is_noticed(clash: Replay) -> None:
    def draw(data: dict[str, Any]) -> None:
        events = data["match"]["events"]
        events[0][1] = next(c for c in ("2r", "2b") if c != events[0][1])

    def no_card(data: dict[str, Any]) -> None:
        data["match"]["events"][0][1] = "table 3"

    def one_hash(data: dict[str, Any]) -> None:
        data["hashes"][3] = "0" * 32

    def fewer_hashes(data: dict[str, Any]) -> None:
        data["hashes"].pop()

    def options(data: dict[str, Any]) -> None:
        data["match"]["options"]["a"] = 5

    def version(data: dict[str, Any]) -> None:
        data["match"]["rules_version"] += 1

    def seed(data: dict[str, Any]) -> None:
        data["match"]["seed"] += 1

    def last(data: dict[str, Any]) -> None:
        data["match"]["state_hash"] = "0" * 32

    def returns(data: dict[str, Any]) -> None:
        data["returns"] = [9.0, -9.0]

    def cut(data: dict[str, Any]) -> None:
        data["match"]["events"].pop()
        data["hashes"].pop()

    expected = {
        draw: "step 0 .*leads to",
        no_card: "step 0 .*can't come out",
        one_hash: "step 2 .*the file says 0000",
        fewer_hashes: "one more than steps",
        options: "setup: leads to",
        version: "this is version",
        seed: r"step \d+: seed and script give",
        last: "another position",
        returns: "returns: the file says",
        cut: "event|position",
    }
    for change, message in expected.items():
        with pytest.raises(LoadError, match=message):
            verify(changed(clash, change))


def test_changed_people_and_thoughts_are_noticed(clash: Replay) -> None:
    with pytest.raises(LoadError, match="checksum"):
        verify(clash.model_copy(update={"checksum": "0" * 32}))
    named = clash.model_dump(mode="json")
    named["players"][0]["name"] = "somebody else"
    with pytest.raises(LoadError, match="checksum"):
        verify(Replay.model_validate(named))
    assert clash.thoughts

    def unthinkable(data: dict[str, Any]) -> None:
        data["thoughts"][0]["alternatives"][0]["text"] = "rest"

    def astray(data: dict[str, Any]) -> None:
        data["thoughts"][0]["event"] = 0

    def same_seat(data: dict[str, Any]) -> None:
        data["players"][1]["seat"] = 0

    for change, message in (
        (unthinkable, "isn't legal"),
        (astray, "who didn't choose"),
        (same_seat, "seats"),
    ):
        with pytest.raises(LoadError, match=message):
            verify(changed(clash, change))


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"replay": 2}', '{"replay": 1, "match": {}}', "[" * 100_000]
)
def test_other_files_are_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(LoadError):
        parse(text)


def test_what_cannot_be_read_or_written_is_said(clash: Replay, tmp_path: Path) -> None:
    with pytest.raises(LoadError, match="can't read"):
        load(tmp_path / "nothing.json")
    with pytest.raises(SetupError, match="can't write"):
        save(tmp_path / "no" / "folder.json", clash)


def test_a_saved_match_and_a_servers_record_are_read_too(clash: Replay) -> None:
    saved = parse(json.dumps(clash.match))
    assert saved.hashes == clash.hashes
    match = Match.from_json(json.dumps(clash.match))
    choices = [k for k, (who, _) in enumerate(clash.match["events"]) if who != "chance"]
    ends = [*choices[1:], len(clash.match["events"])]
    moves = [
        {"n": n, "text": match.texts[k][1], "state_hash": clash.hashes[ends[n]]}
        for n, k in enumerate(choices)
    ]
    thought = clash.thoughts[0]
    told = {
        "move": choices.index(thought.event),
        "seat": thought.seat,
        "win_estimate": 0.5,
        "alternatives": [one.model_dump() | {"action": 1} for one in thought.alternatives],
    }
    seats = [{"seat": 0, "name": "Ann", "agent": None, "kind": "human"}]
    content = {"type": "record", "match": clash.match, "moves": moves, "thoughts": [told], "seats": seats}
    replay = parse(json.dumps(content))
    verify(replay)
    assert replay.thoughts[0].event == thought.event
    moves[1]["state_hash"] = "0" * 32
    with pytest.raises(LoadError, match="move 1"):
        parse(json.dumps(content))


def test_a_seat_is_told_its_own_cards_only(clash: Replay) -> None:
    everything = " ".join(words for _, words in words_of(clash, None))
    mine = [words for _, words in words_of(clash, 0)]
    assert "B draws a card." in mine
    assert "B draws a card." not in everything
    condensed = shown.condensed(mine)
    assert "B draws 3 cards." in condensed
    assert any(words.startswith("A draws ") and len(words.split()) == 6 for words in condensed)
